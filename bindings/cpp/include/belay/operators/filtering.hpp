// Operators that choose values. See filtering.h.
#ifndef BELAY_OPERATORS_FILTERING_HPP
#define BELAY_OPERATORS_FILTERING_HPP

#include <belay/filtering.h>
#include <belay/integer.hpp>
#include <belay/owner.hpp>
#include <belay/scheduler.hpp>
#include <belay/signal_base.hpp>
#include <utility>

namespace belay {
namespace detail {

template <class T, class Base>
class filtering : public Base {
 public:
  using Base::Base;

  // [operators filtering] written by `scripts/api write` from docs/operators.tsv
  // Passes on the values for which `keep` returns true.
  template <class F>
  signal<T> filter(F keep) const {
    return through<T>(
        this->get(), belay_op_filter(&call_predicate<F, T>, context(std::move(keep)), &destroy<F>));
  }
  // Passes on the first `count` values. With the last of them it completes, and then ends its
  // source. 0 completes at once, without subscribing.
  signal<T> take(integer<std::uint64_t> count) const {
    return through<T>(this->get(), belay_op_take(count));
  }
  // Drops the first `count` values.
  signal<T> skip(integer<std::uint64_t> count) const {
    return through<T>(this->get(), belay_op_skip(count));
  }
  // Sends the last `count` values when the source has completed. Keeps up to `count` values. An
  // error drops them. 0 completes at once, without subscribing.
  signal<T> take_last(integer<std::uint64_t> count) const {
    return through<T>(this->get(), belay_op_take_last(count));
  }
  // Drops the last `count` values: each value is sent when `count` more have come. Keeps up to
  // `count` values.
  signal<T> skip_last(integer<std::uint64_t> count) const {
    return through<T>(this->get(), belay_op_skip_last(count));
  }
  // Drops values while `drop` returns true. Passes on the first other value and all values after
  // it, without asking again.
  template <class F>
  signal<T> skip_while(F drop) const {
    return through<T>(
        this->get(),
        belay_op_skip_while(&call_predicate<F, T>, context(std::move(drop)), &destroy<F>));
  }
  // Passes on values until `trigger` sends a value; then it completes. If `trigger` completes
  // without a value, nothing changes; its error is passed on.
  template <class U>
  signal<T> take_until(const signal<U> &trigger) const {
    return through<T>(this->get(), belay_op_take_until(trigger.retained()));
  }
  // Drops values until `trigger` sends one; it then disposes of `trigger`. If `trigger` completes
  // without a value, only the end of the source is passed on. The error of `trigger` is passed on.
  template <class U>
  signal<T> skip_until(const signal<U> &trigger) const {
    return through<T>(this->get(), belay_op_skip_until(trigger.retained()));
  }
  // Passes on the values of the source until `replacement` sends anything, a value or an end. From
  // then on it passes on the events of `replacement` alone and disposes of the source. An error of
  // the source ends the result. A completion of the source does not, because the replacement may
  // still send.
  signal<T> take_until_replacement(const signal<T> &replacement) const {
    return through<T>(this->get(), belay_op_take_until_replacement(replacement.retained()));
  }
  // Passes on values for `time` after the subscription, then completes.
  signal<T> take_for(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_take_for(on.get(), time.count()));
  }
  // Drops values for `time` after the subscription.
  signal<T> skip_for(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_skip_for(on.get(), time.count()));
  }
  // Sends the values of the last `time` before the completion, at the completion. A value that is
  // as old as `time` is dropped. Keeps the values of that time: 1024, unless
  // belay_signal_set_queue() says otherwise; then it ends with BELAY_EAGAIN.
  signal<T> take_last_for(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_take_last_for(on.get(), time.count()));
  }
  // Sends the values except those of the last `time` before the completion: each one with the first
  // value, or the completion, that comes when it is as old as that. Keeps the values of that time.
  signal<T> skip_last_for(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_skip_last_for(on.get(), time.count()));
  }
  // Sends the value at `index`, counted from 0, then completes. Ends with BELAY_ERANGE when there
  // is none.
  signal<T> element_at(integer<std::uint64_t> index) const {
    return through<T>(this->get(), belay_op_element_at(index));
  }
  // Sends the first value for which `wanted` returns true, then completes. Only completes when
  // there is none.
  template <class F>
  signal<T> find(F wanted) const {
    return through<T>(
        this->get(), belay_op_find(&call_predicate<F, T>, context(std::move(wanted)), &destroy<F>));
  }
  // Drops all values and passes on the end.
  signal<T> ignore_elements() const {
    return through<T>(this->get(), belay_op_ignore_elements());
  }
  // [end]

  // Passes on values while `keep` returns true, and with `inclusive` also the first other one. Then
  // it completes.
  template <class F>
  signal<T> take_while(F keep, bool inclusive = false) const {
    return through<T>(this->get(),
                      belay_op_take_while(&call_predicate<F, T>, context(std::move(keep)),
                                          &destroy<F>, inclusive));
  }
  // Passes on values until `owner` begins to die. Then it completes.
  signal<T> take_during(const owner &owner) const {
    return through<T>(this->get(), belay_op_take_during(owner.get()));
  }
  // Sends the value at `index`, counted from 0, or `fallback` when there is none. Then it
  // completes.
  template <class U = T>
  signal<T> element_at_or(integer<std::uint64_t> index, U &&fallback) const {
    return through<T>(this->get(),
                      belay_op_element_at_or(index, give_as<T>(std::forward<U>(fallback))));
  }
  // Sends the first value, or the first for which `wanted` returns true, then completes. Ends with
  // BELAY_ENOENT when there is none.
  signal<T> first() const {
    return through<T>(this->get(), belay_op_first(nullptr, nullptr, nullptr));
  }
  template <class F>
  signal<T> first(F wanted) const {
    return by_predicate(belay_op_first, std::move(wanted));
  }
  // Sends the last value, or the last for which `wanted` returns true, at completion. Ends with
  // BELAY_ENOENT when there is none.
  signal<T> last() const {
    return through<T>(this->get(), belay_op_last(nullptr, nullptr, nullptr));
  }
  template <class F>
  signal<T> last(F wanted) const {
    return by_predicate(belay_op_last, std::move(wanted));
  }
  // Sends the only value. Without a value it ends with BELAY_ENOENT, with a second one with
  // BELAY_ERANGE.
  signal<T> single() const {
    return through<T>(this->get(), belay_op_single(nullptr, nullptr, nullptr));
  }
  template <class F>
  signal<T> single(F wanted) const {
    return by_predicate(belay_op_single, std::move(wanted));
  }
  // Drops values that equal `unwanted`.
  template <class U = T>
  signal<T> ignore(U &&unwanted) const {
    if constexpr (is_equatable<T>)
      return through<T>(this->get(), belay_op_ignore(give_as<T>(std::forward<U>(unwanted))));
    else
      return filter([unwanted = keep_as<T>(std::forward<U>(unwanted))](const T &item) {
        return !(item == unwanted);
      });
  }
  // Drops a value that has been sent before, or whose key has been. Keeps all values or keys.
  signal<T> distinct() const {
    static_assert(is_equatable<T>, "say by which key: distinct(key)");
    return through<T>(this->get(), belay_op_distinct(nullptr, nullptr, nullptr));
  }
  template <class F>
  signal<T> distinct(F key) const {
    static_assert(is_equatable<result_item_t<F, T>>,
                  "such keys cannot be compared by their content");
    return through<T>(this->get(),
                      belay_op_distinct(&call_map<F, T>, context(std::move(key)), &destroy<F>));
  }
  // Drops a value that equals the one before it: by ==, or as equal(a, b) says.
  signal<T> distinct_until_changed() const {
    if constexpr (is_equatable<T>)
      return through<T>(this->get(), belay_op_distinct_until_changed(nullptr, nullptr, nullptr));
    else return distinct_until_changed(equal_by_operator());
  }
  template <class F>
  signal<T> distinct_until_changed(F equal) const {
    return through<T>(
        this->get(), belay_op_distinct_until_changed(&call_compare<F, T>, context(std::move(equal)),
                                                     &destroy<F>));
  }
  // Makes two signals: of the values for which `is_first` returns true, and of the others.
  template <class F>
  std::pair<signal<T>, signal<T>> partition(F is_first) const {
    belay_signal *yes = nullptr, *no = nullptr;
    void *const ctx = context(std::move(is_first));
    check(belay_signal_partition(this->retained(), &call_predicate<F, T>, ctx, &destroy<F>, &yes,
                                 &no));
    return {signal<T>::adopt(yes), signal<T>::adopt(no)};
  }

 private:
  template <class F>
  signal<T> by_predicate(belay_op *(*op)(belay_predicate_fn, void *, belay_free_fn), F f) const {
    return through<T>(this->get(), op(&call_predicate<F, T>, context(std::move(f)), &destroy<F>));
  }
};

}  // namespace detail
}  // namespace belay

#endif
