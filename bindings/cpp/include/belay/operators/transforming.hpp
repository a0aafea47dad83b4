// Operators that transform values and ends. See transforming.h.
#ifndef BELAY_OPERATORS_TRANSFORMING_HPP
#define BELAY_OPERATORS_TRANSFORMING_HPP

#include <belay/transforming.h>
#include <belay/event.hpp>
#include <belay/integer.hpp>
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
  K key() const { return value::retain(belay_signal_key(this->get())).template as<K>(); }
};

namespace detail {

template <class T>
struct optional_item;
template <class T>
struct optional_item<std::optional<T>> {
  using type = T;
};

// The callbacks of group_by_until(), which have one context.
template <class Key, class Until>
struct grouping {
  Key key;
  Until until;
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
  // Sends [previous current] for each value. Before the first value stands `start`.
  // (combinePrevious with an initial value in ReactiveSwift.)
  template <class U = T>
  signal<std::pair<T, T>> pairwise_from(U &&start) const {
    return through<std::pair<T, T>>(
        this->get(), belay_op_pairwise_from(give_as<T>(std::forward<U>(start))));
  }
  // Sends arrays of `count` values. The last array may be shorter and is sent before the end. An
  // error drops the values that have been collected. A count of 0 is BELAY_EINVAL.
  signal<std::vector<T>> buffer(integer<std::size_t> count) const {
    return through<std::vector<T>>(this->get(), belay_op_buffer(count));
  }
  // Sends an array of the values that came, also when it is empty, with each value of `notifier`
  // and at the completion. The subscription to the source comes first. The completion of `notifier`
  // changes nothing; its error ends the signal. An error drops what has been collected. Keeps the
  // values of an array, without a bound. (RxJS's buffer.)
  template <class U>
  signal<std::vector<T>> buffer_by(const signal<U> &notifier) const {
    return through<std::vector<T>>(this->get(), belay_op_buffer_by(notifier.retained()));
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
  // Sends the lines without their ends, LF or CR LF. The last one needs no end; a CR at its end
  // goes, too.
  signal<T> lines(integer<std::size_t> limit) const {
    return through<T>(this->get(), belay_op_lines(limit));
  }
  // Sends frames of `size` bytes. The last one may be shorter.
  signal<T> frames_fixed(integer<std::size_t> size) const {
    return through<T>(this->get(), belay_op_frames_fixed(size));
  }
  // Sends strings instead of bytes, one for each value. A character that is cut is put together
  // with the next value. Bytes that are not UTF-8 are the error BELAY_EILSEQ.
  signal<T> utf8() const {
    return through<T>(this->get(), belay_op_utf8());
  }
  // [end]

  // Sends the content of the std::optional that `f` returns for each value, if it has one that is
  // not the null value: unit and an empty std::optional are.
  template <class F>
  auto compact_map(F f) const -> signal<typename optional_item<result_item_t<F, T>>::type> {
    return through<typename optional_item<result_item_t<F, T>>::type>(
        this->get(), belay_op_compact_map(&call_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Replaces an error by the error that `f` returns, or by the exception that it throws.
  template <class F>
  signal<T> map_error(F f) const {
    return through<T>(this->get(), belay_op_map_error(
                                       [](void *ctx, const belay_error *failure) -> belay_error * {
                                         return guarded_handle([&]() -> belay_error * {
                                           if constexpr (returns<error, F, error>()) {
                                             const error made =
                                                 call(callable<F>(ctx), error::retain(failure));
                                             return belay_error_retain(made.get());
                                           } else {
                                             return nullptr;
                                           }
                                         });
                                       },
                                       context(std::move(f)), &destroy<F>));
  }
  // Sends f(accumulated, value) for each value. The first `accumulated` is `seed`, which is not
  // sent. All results are of the type of `seed`.
  template <class A, class F>
  signal<item_t<A>> scan(A &&seed, F f) const {
    value first(std::forward<A>(seed));
    void *const ctx = context(std::move(f));
    return through<item_t<A>>(
        this->get(), belay_op_scan(first.release(), &call_scan<F, item_t<A>, T>, ctx, &destroy<F>));
  }
  // Sends each value with `owner`, and completes when that begins to die. The pair keeps the owner
  // alive.
  signal<std::pair<owner, T>> with_owner(const owner &owner) const {
    return through<std::pair<belay::owner, T>>(this->get(), belay_op_with_owner(owner.get()));
  }
  // Sends what is between the delimiters. A frame of more than `limit` bytes is BELAY_EMSGSIZE.
  signal<T> frames_delimited(const std::string &delimiter, integer<std::size_t> limit) const {
    return through<T>(this->get(),
                      belay_op_frames_delimited(delimiter.data(), delimiter.size(), limit));
  }
  // Sends frames that have their length in front: a number of `width` bytes.
  signal<T> frames_prefixed(integer<unsigned> width, integer<std::size_t> limit,
                            bool little_endian = false) const {
    return through<T>(this->get(), belay_op_frames_prefixed(width, limit, little_endian));
  }
  // Sends `count` values together, beginning with every `skip`th one.
  signal<std::vector<T>> buffer_skip(integer<std::size_t> count, integer<std::size_t> skip) const {
    return through<std::vector<T>>(this->get(), belay_op_buffer_skip(count, skip));
  }
  // Sends the values of each `time`, or `count` values as soon as they have come.
  signal<std::vector<T>> buffer_time(seconds time, integer<std::size_t> count = unlimited,
                                     const scheduler &on = scheduler::current()) const {
    return through<std::vector<T>>(this->get(),
                                   belay_op_buffer_time(on.get(), time.count(), count));
  }
  // Sends signals of `count` values each. One begins with every `skip`th value.
  signal<signal<T>> window(integer<std::size_t> count, integer<std::size_t> skip) const {
    return through<signal<T>>(this->get(), belay_op_window(count, skip));
  }
  signal<signal<T>> window(integer<std::size_t> count) const { return window(count, count); }
  // Sends a signal for each `time`, or for `count` values.
  signal<signal<T>> window_time(seconds time, integer<std::size_t> count = unlimited,
                                const scheduler &on = scheduler::current()) const {
    return through<signal<T>>(this->get(), belay_op_window_time(on.get(), time.count(), count));
  }
  // Sends a signal for each value of `openings`. It ends when the signal that `closing` returns for
  // that value sends.
  template <class O, class F>
  signal<signal<T>> window_toggle(const signal<O> &openings, F closing) const {
    void *const ctx = context(std::move(closing));
    return through<signal<T>>(
        this->get(),
        belay_op_window_toggle(openings.retained(), &call_flat_map<F, O>, ctx, &destroy<F>));
  }
  // Sends windows that follow each other: each value of `notifier` ends one and begins another.
  template <class O>
  signal<signal<T>> window_by(const signal<O> &notifier) const {
    return through<signal<T>>(this->get(), belay_op_window_by(notifier.retained()));
  }
  // Sends a signal for each key that `key` returns. It sends the values that have this key. Keys
  // are compared by content.
  template <class F>
  signal<grouped<result_item_t<F, T>, T>> group_by(F key) const {
    static_assert(is_equatable<result_item_t<F, T>>,
                  "such keys cannot be compared by their content");
    return through<grouped<result_item_t<F, T>, T>>(
        this->get(), belay_op_group_by(&call_map<F, T>, context(std::move(key)), &destroy<F>));
  }
  // Groups values as group_by() does. A group completes, and is forgotten, when the signal that
  // until(group) returns sends or completes. `until` is called before the group is sent.
  template <class F, class U>
  signal<grouped<result_item_t<F, T>, T>> group_by_until(F key, U until) const {
    static_assert(is_equatable<result_item_t<F, T>>,
                  "such keys cannot be compared by their content");
    using group = grouped<result_item_t<F, T>, T>;
    using callbacks = grouping<F, U>;
    return through<group>(
        this->get(),
        belay_op_group_by_until(
            [](void *ctx, belay_value v) -> belay_value {
              return call_map<F, T>(&callable<callbacks>(ctx).key, v);
            },
            [](void *ctx, belay_value v) -> belay_signal * {
              return call_flat_map<U, group>(&callable<callbacks>(ctx).until, v);
            },
            context(callbacks{std::move(key), std::move(until)}), &destroy<callbacks>));
  }
  // Sends the events as values, then completes.
  signal<event<T>> materialize() const {
    return through<event<T>>(this->get(), belay_op_materialize());
  }
  // Turns such values into events again.
  auto dematerialize() const {
    return through<typename event_item<T>::type>(this->get(), belay_op_dematerialize());
  }
  // Calls `make` with this signal, now, and returns its signal: an operator of your own. Throws the
  // exception of `make`.
  template <class F>
  auto compose(F make) const {
    using made = typename made_signal<decltype(call_checked(std::declval<F &>(),
                                                            std::declval<signal<T>>()))>::type;
    return through<made>(this->get(), belay_op_compose(
                                          [](void *ctx, belay_signal *source) -> belay_signal * {
                                            return guarded_handle([&] {
                                              return giving_signal::of(callable<F>(ctx),
                                                                       signal<T>::adopt(source));
                                            });
                                          },
                                          context(std::move(make)), &destroy<F>));
  }
};

}  // namespace detail
}  // namespace belay

#endif
