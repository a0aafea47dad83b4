// Operators that make something else of values and ends. See transforming.h.
#ifndef BELAY_OPERATORS_TRANSFORMING_HPP
#define BELAY_OPERATORS_TRANSFORMING_HPP

#include <belay/transforming.h>
#include <belay/event.hpp>
#include <belay/owner.hpp>
#include <belay/scheduler.hpp>
#include <belay/signal_base.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace belay {

// The values of a group_by() that have one key.
template <class K, class T>
class grouped : public signal<T> {
 public:
  explicit grouped(signal<T> group) noexcept : signal<T>(std::move(group)) {}
  K key() const { return value::borrow(belay_signal_key(this->get())).template as<K>(); }
};

namespace detail {

template <class T>
struct optional_item;
template <class T>
struct optional_item<std::optional<T>> {
  using type = T;
};

template <class T, class Base>
class transforming : public Base {
 public:
  using Base::Base;

  // [operators transforming] written by `scripts/api write` from docs/operators.tsv
  // Replaces each value by the value that `map` returns. A failure value ends the signal with that
  // error.
  template <class F>
  signal<result_item_t<F, T>> map(F f) const {
    return through<result_item_t<F, T>>(
        this->get(), belay_op_map(&call_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Sends `value` in place of each value.
  template <class U>
  signal<item_t<U>> map_to(U &&value) const {
    return through<item_t<U>>(this->get(), belay_op_map_to(give(std::forward<U>(value))));
  }
  // Sends [index value] for each value. The index counts from 0.
  signal<std::pair<std::uint64_t, T>> enumerated() const {
    return through<std::pair<std::uint64_t, T>>(this->get(), belay_op_enumerated());
  }
  // Sends [previous current] for each value except the first.
  signal<std::pair<T, T>> pairwise() const {
    return through<std::pair<T, T>>(this->get(), belay_op_pairwise());
  }
  // Sends arrays of `count` values. The last array may be shorter and is sent before the end. An
  // error drops the values that have been collected. A count of 0 is BELAY_EINVAL.
  signal<std::vector<T>> buffer(std::size_t count) const {
    return through<std::vector<T>>(this->get(), belay_op_buffer(count));
  }
  // Sends [seconds value]: the time on the scheduler's clock at which the value came.
  signal<std::pair<seconds, T>> timestamp(const scheduler &on = scheduler::current()) const {
    return through<std::pair<seconds, T>>(this->get(), belay_op_timestamp(on.get()));
  }
  // Sends [seconds value]: the time since the value before it; for the first value, since the
  // subscription.
  signal<std::pair<seconds, T>> time_interval(const scheduler &on = scheduler::current()) const {
    return through<std::pair<seconds, T>>(this->get(), belay_op_time_interval(on.get()));
  }
  // [end]

  // What is in the std::optional that `f` returns for each value; of an empty one nothing.
  template <class F>
  auto compact_map(F f) const -> signal<typename optional_item<result_item_t<F, T>>::type> {
    return through<typename optional_item<result_item_t<F, T>>::type>(
        this->get(), belay_op_compact_map(&call_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Ends with the error that `f` makes of the error; what it throws comes in its place.
  template <class F>
  signal<T> map_error(F f) const {
    return through<T>(this->get(), belay_op_map_error(
                                       [](void *ctx, const belay_error *failure) -> belay_error * {
                                         return guarded_handle([&]() -> belay_error * {
                                           const error made = std::invoke(callable<F>(ctx),
                                                                          error::borrow(failure));
                                           return belay_error_retain(made.get());
                                         });
                                       },
                                       context(std::move(f)), &destroy<F>));
  }
  // f(accumulated, value) for each value, beginning with `seed`, which is not sent.
  template <class A, class F>
  signal<item_t<A>> scan(A &&seed, F f) const {
    value first(std::forward<A>(seed));
    void *const ctx = context(std::move(f));
    return through<item_t<A>>(
        this->get(), belay_op_scan(first.release(), &call_scan<F, item_t<A>, T>, ctx, &destroy<F>));
  }
  // Each value with `owner`, which the pair keeps from dying; until it begins to die.
  signal<std::pair<owner, T>> with_owner(const owner &owner) const {
    return through<std::pair<belay::owner, T>>(this->get(), belay_op_with_owner(owner.get()));
  }
  // `count` values at a time, beginning with every `skip`th.
  signal<std::vector<T>> buffer_skip(std::size_t count, std::size_t skip) const {
    return through<std::vector<T>>(this->get(), belay_op_buffer_skip(count, skip));
  }
  // What came in each `time`, or `count` values as soon as they are there.
  signal<std::vector<T>> buffer_time(seconds time, std::size_t count = unlimited,
                                     const scheduler &on = scheduler::current()) const {
    return through<std::vector<T>>(this->get(),
                                   belay_op_buffer_time(on.get(), time.count(), count));
  }
  // Signals of `count` values each, of which one begins with every `skip`th.
  signal<signal<T>> window(std::size_t count, std::size_t skip) const {
    return through<signal<T>>(this->get(), belay_op_window(count, skip));
  }
  signal<signal<T>> window(std::size_t count) const { return window(count, count); }
  // A signal for each `time`, or for `count` values.
  signal<signal<T>> window_time(seconds time, std::size_t count = unlimited,
                                const scheduler &on = scheduler::current()) const {
    return through<signal<T>>(this->get(), belay_op_window_time(on.get(), time.count(), count));
  }
  // A signal for each value of `openings`, until the signal that `closing` makes of it sends.
  template <class O, class F>
  signal<signal<T>> window_toggle(const signal<O> &openings, F closing) const {
    void *const ctx = context(std::move(closing));
    return through<signal<T>>(
        this->get(),
        belay_op_window_toggle(openings.retained(), &call_flat_map<F, O>, ctx, &destroy<F>));
  }
  // A signal for each key that `key` returns, with the values that it returns it for. Keys are told
  // apart as values are: strings and numbers by content.
  template <class F>
  signal<grouped<result_item_t<F, T>, T>> group_by(F key) const {
    static_assert(is_equatable<result_item_t<F, T>>,
                  "such keys cannot be compared by their content");
    return through<grouped<result_item_t<F, T>, T>>(
        this->get(), belay_op_group_by(&call_map<F, T>, context(std::move(key)), &destroy<F>));
  }
  // The events as values, then completed.
  signal<event<T>> materialize() const {
    return through<event<T>>(this->get(), belay_op_materialize());
  }
  // Such values as events again.
  auto dematerialize() const {
    return through<typename event_item<T>::type>(this->get(), belay_op_dematerialize());
  }
  // The signal that `make` makes of this one, now: an operator of one's own. What it throws is
  // thrown.
  template <class F>
  auto compose(F make) const {
    using made = sent_by<std::invoke_result_t<F &, signal<T>>>;
    return through<made>(
        this->get(),
        belay_op_compose(
            [](void *ctx, belay_signal *source) -> belay_signal * {
              return guarded_handle([&]() -> belay_signal * {
                return std::invoke(callable<F>(ctx), signal<T>::adopt(source)).release();
              });
            },
            context(std::move(make)), &destroy<F>));
  }
};

}  // namespace detail
}  // namespace belay

#endif
