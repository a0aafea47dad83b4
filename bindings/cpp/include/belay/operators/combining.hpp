// Operators that combine the values of several signals. See combining.h.
#ifndef BELAY_OPERATORS_COMBINING_HPP
#define BELAY_OPERATORS_COMBINING_HPP

#include <belay/combining.h>
#include <belay/signal_base.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace belay {
namespace detail {

// A std::tuple's items as arguments.
template <class Tuple>
struct spread;
template <class... Items>
struct spread<std::tuple<Items...>> {
  template <class F>
  using result = result_item_t<F, Items...>;
  template <class F>
  static constexpr belay_combine_fn call = &call_combine<F, Items...>;
};
template <class A, class B>
struct spread<std::pair<A, B>> : spread<std::tuple<A, B>> {};

template <class T, class Base>
class combining : public Base {
 public:
  using Base::Base;

  // [operators combining] written by `scripts/api write` from docs/operators.tsv
  // [end]

  // Sends each value with the latest value of each of `others`, as a tuple, once all have sent.
  template <class... S, class = std::enable_if_t<(sends<S> && ...)>>
  signal<std::tuple<T, sent_by<S>...>> with_latest_from(const S &...others) const {
    taken<S...> all(others...);
    return through<std::tuple<T, sent_by<S>...>>(
        this->get(), belay_op_with_latest_from(all.handles, all.count, nullptr, nullptr, nullptr));
  }
  // Sends f(value, latest value of each of `others`).
  template <class F, class... S, class = std::enable_if_t<!sends<F> && (sends<S> && ...)>>
  auto with_latest_from(F f, const S &...others) const {
    void *const ctx = context(std::move(f));
    taken<S...> all(others...);
    return through<result_item_t<F, T, sent_by<S>...>>(
        this->get(),
        belay_op_with_latest_from(all.handles, all.count, &call_combine<F, T, sent_by<S>...>, ctx,
                                  &destroy<F>));
  }
  // The latest of this and of `others`: belay::combine_latest(*this, others...).
  template <class... S, class = std::enable_if_t<(sends<S> && ...)>>
  signal<std::tuple<T, sent_by<S>...>> combine_latest(const S &...others) const;
  template <class F, class... S, class = std::enable_if_t<!sends<F> && (sends<S> && ...)>>
  auto combine_latest(F f, const S &...others) const;
  // The first of each, the second of each: belay::zip(*this, others...).
  template <class... S, class = std::enable_if_t<(sends<S> && ...)>>
  signal<std::tuple<T, sent_by<S>...>> zip(const S &...others) const;
  template <class F, class... S, class = std::enable_if_t<!sends<F> && (sends<S> && ...)>>
  auto zip(F f, const S &...others) const;

  // Calls `f` with the items of each tuple, and sends its result.
  template <class F, class Tuple = T>
  auto reduce_each(F f) const -> signal<typename spread<Tuple>::template result<F>> {
    return through<typename spread<Tuple>::template result<F>>(
        this->get(),
        belay_op_reduce_each(spread<Tuple>::template call<F>, context(std::move(f)), &destroy<F>));
  }
  // Sends `items` after the last value.
  template <class... U>
  signal<T> end_with(U &&...items) const {
    return beside(belay_op_end_with, given_values::of_items<T>(std::forward<U>(items)...));
  }
  signal<T> end_with(std::initializer_list<T> items) const {
    return beside(belay_op_end_with, given_values::of<T>(items.begin(), items.end()));
  }
  // Sends `items` first.
  template <class... U>
  signal<T> start_with(U &&...items) const {
    return beside(belay_op_start_with, given_values::of_items<T>(std::forward<U>(items)...));
  }
  signal<T> start_with(std::initializer_list<T> items) const {
    return beside(belay_op_start_with, given_values::of<T>(items.begin(), items.end()));
  }
  // Sends whether this and `other` send equal values in the same order: by ==, or as equal(a, b)
  // says.
  signal_of<T, bool> sequence_equal(const signal<T> &other) const {
    if constexpr (is_equatable<T>)
      return through<bool>(this->get(),
                           belay_op_sequence_equal(other.retained(), nullptr, nullptr, nullptr));
    else return sequence_equal(other, equal_by_operator());
  }
  template <class F>
  signal_of<T, bool> sequence_equal(const signal<T> &other, F equal) const {
    void *const ctx = context(std::move(equal));
    return through<bool>(this->get(), belay_op_sequence_equal(other.retained(), &call_compare<F, T>,
                                                              ctx, &destroy<F>));
  }
  // Sends the opposite of each value. (`not` is a word of C++.)
  signal_of<T, bool> logical_not() const {
    static_assert(std::is_same_v<T, bool>, "only booleans have an opposite");
    return through<bool>(this->get(), belay_op_not());
  }

 private:
  signal<T> beside(belay_op *(*op)(const belay_value *, std::size_t), given_values items) const {
    return through<T>(this->get(), items.hand_to(op));
  }
};

}  // namespace detail
}  // namespace belay

#endif
