// Operators for pipes: source | map(f) | filter(p), in the namespace belay::operators.
#ifndef BELAY_PIPE_HPP
#define BELAY_PIPE_HPP

#include <belay/owner.hpp>
#include <belay/signal_base.hpp>
#include <tuple>
#include <utility>

#pragma push_macro("timeout")  // that of <curses.h>
#undef timeout

namespace belay {

// A step that makes something of a signal: from the functions below, composed(), or `|` of two.
template <class Apply>
class operation {
 public:
  explicit operation(Apply apply) : apply_(std::move(apply)) {}
  template <class S>
  auto operator()(const S &source) && {
    return apply_(source);
  }
  template <class S>
  auto operator()(const S &source) const & {
    return Apply(apply_)(source);
  }

 private:
  Apply apply_;
};

// Applies `operation` to `source`.
template <class S, class Apply, class = std::enable_if_t<detail::sends<S>>>
auto operator|(const S &source, operation<Apply> operation) {
  return std::move(operation)(source);
}

// One operation of two.
template <class First, class Second>
auto operator|(operation<First> first, operation<Second> second) {
  return operation(
      [first = std::move(first), second = std::move(second)](const auto &source) mutable {
        return std::move(second)(std::move(first)(source));
      });
}

// An operation of a function that makes a signal, or whatever, of a signal.
template <class F>
operation<F> composed(F make) {
  return operation<F>(std::move(make));
}

namespace detail {

// The type that an argument is kept as: an object that has an owner is not copied.
template <class A>
using kept_t =
    std::conditional_t<std::is_base_of_v<owner_base, std::decay_t<A>>, owner, std::decay_t<A>>;

}  // namespace detail

// Each function has the name, the arguments and the result of a member of signal<T>, where it is
// described: `source | map(f)` is `source.map(f)`.
namespace operators {

#define BELAY_PIPE_(name)                                                                     \
  template <class... A>                                                                       \
  auto name(A &&...arguments) {                                                               \
    return composed([all = std::tuple<detail::kept_t<A>...>(std::forward<A>(arguments)...)](  \
                        const auto &source) mutable {                                         \
      return std::apply([&](auto &...each) { return source.name(std::move(each)...); }, all); \
    });                                                                                       \
  }

// [pipes] written by `scripts/api write` from docs/operators.tsv
BELAY_PIPE_(default_if_empty)
BELAY_PIPE_(switch_if_empty)
BELAY_PIPE_(any)
BELAY_PIPE_(all)
BELAY_PIPE_(is_empty)
BELAY_PIPE_(count)
BELAY_PIPE_(collect)
BELAY_PIPE_(breakpoint_on_error)
BELAY_PIPE_(filter)
BELAY_PIPE_(take)
BELAY_PIPE_(skip)
BELAY_PIPE_(take_last)
BELAY_PIPE_(skip_last)
BELAY_PIPE_(skip_while)
BELAY_PIPE_(take_until)
BELAY_PIPE_(skip_until)
BELAY_PIPE_(take_until_replacement)
BELAY_PIPE_(take_for)
BELAY_PIPE_(skip_for)
BELAY_PIPE_(take_last_for)
BELAY_PIPE_(skip_last_for)
BELAY_PIPE_(element_at)
BELAY_PIPE_(find)
BELAY_PIPE_(ignore_elements)
BELAY_PIPE_(concat_map)
BELAY_PIPE_(switch_map)
BELAY_PIPE_(exhaust_map)
BELAY_PIPE_(merge)
BELAY_PIPE_(merge_delay_error)
BELAY_PIPE_(concat)
BELAY_PIPE_(then)
BELAY_PIPE_(catch_to)
BELAY_PIPE_(debounce)
BELAY_PIPE_(audit)
BELAY_PIPE_(sample)
BELAY_PIPE_(sample_time)
BELAY_PIPE_(delay)
BELAY_PIPE_(delay_subscription)
BELAY_PIPE_(throttle_while)
BELAY_PIPE_(debounce_when)
BELAY_PIPE_(audit_when)
BELAY_PIPE_(delay_when)
BELAY_PIPE_(map)
BELAY_PIPE_(map_to)
BELAY_PIPE_(enumerated)
BELAY_PIPE_(pairwise)
BELAY_PIPE_(pairwise_from)
BELAY_PIPE_(buffer)
BELAY_PIPE_(buffer_by)
BELAY_PIPE_(timestamp)
BELAY_PIPE_(time_interval)
BELAY_PIPE_(lines)
BELAY_PIPE_(frames_fixed)
BELAY_PIPE_(utf8)
// [end]
// transforming
BELAY_PIPE_(compact_map)
BELAY_PIPE_(map_error)
BELAY_PIPE_(scan)
BELAY_PIPE_(with_owner)
BELAY_PIPE_(frames_delimited)
BELAY_PIPE_(frames_prefixed)
BELAY_PIPE_(buffer_skip)
BELAY_PIPE_(buffer_time)
BELAY_PIPE_(window)
BELAY_PIPE_(window_time)
BELAY_PIPE_(window_toggle)
BELAY_PIPE_(window_by)
BELAY_PIPE_(group_by)
BELAY_PIPE_(group_by_until)
BELAY_PIPE_(materialize)
BELAY_PIPE_(dematerialize)
BELAY_PIPE_(compose)
// filtering
BELAY_PIPE_(take_while)
BELAY_PIPE_(take_during)
BELAY_PIPE_(element_at_or)
BELAY_PIPE_(first)
BELAY_PIPE_(last)
BELAY_PIPE_(single)
BELAY_PIPE_(ignore)
BELAY_PIPE_(distinct)
BELAY_PIPE_(distinct_until_changed)
BELAY_PIPE_(partition)
// aggregating
BELAY_PIPE_(contains)
BELAY_PIPE_(min)
BELAY_PIPE_(max)
BELAY_PIPE_(sum)
BELAY_PIPE_(average)
BELAY_PIPE_(reduce)
// combining
BELAY_PIPE_(with_latest_from)
BELAY_PIPE_(combine_latest)
BELAY_PIPE_(zip)
BELAY_PIPE_(reduce_each)
BELAY_PIPE_(start_with)
BELAY_PIPE_(end_with)
BELAY_PIPE_(sequence_equal)
BELAY_PIPE_(logical_not)
// flattening
BELAY_PIPE_(flat_map)
BELAY_PIPE_(expand)
BELAY_PIPE_(merge_all)
BELAY_PIPE_(concat_all)
BELAY_PIPE_(switch_to_latest)
BELAY_PIPE_(repeat)
BELAY_PIPE_(repeat_when)
BELAY_PIPE_(catch_error)
BELAY_PIPE_(retry)
BELAY_PIPE_(retry_when)
BELAY_PIPE_(retry_backoff)
BELAY_PIPE_(attempt)
// effects
BELAY_PIPE_(tap)
BELAY_PIPE_(finally)
BELAY_PIPE_(initially)
BELAY_PIPE_(log)
BELAY_PIPE_(log_to)
BELAY_PIPE_(breakpoint)
// timing
BELAY_PIPE_(debounce_if)
BELAY_PIPE_(throttle)
BELAY_PIPE_(timeout)
BELAY_PIPE_(throttle_when)
BELAY_PIPE_(timeout_when)
BELAY_PIPE_(observe_on)
BELAY_PIPE_(subscribe_on)
// sharing
BELAY_PIPE_(publish)
BELAY_PIPE_(replay)
BELAY_PIPE_(multicast)
BELAY_PIPE_(share)
BELAY_PIPE_(share_replay)
BELAY_PIPE_(share_until)
// ends of a pipe
BELAY_PIPE_(subscribe)
BELAY_PIPE_(wait_first)
BELAY_PIPE_(wait_last)

#undef BELAY_PIPE_

// On a connectable: source | publish() | ref_count().
inline auto ref_count() {
  return composed([](const auto &source) { return source.ref_count(); });
}
inline auto auto_connect(integer<std::size_t> count = 1) {
  return composed([count](const auto &source) { return source.auto_connect(count); });
}

}  // namespace operators
}  // namespace belay

#pragma pop_macro("timeout")

#endif
