// Operators that make one value of all values. See aggregating.h.
#ifndef BELAY_OPERATORS_AGGREGATING_HPP
#define BELAY_OPERATORS_AGGREGATING_HPP

#include <belay/aggregating.h>
#include <belay/signal_base.hpp>
#include <string>
#include <utility>

namespace belay {
namespace detail {

// The type of the sum of Ts.
template <class T>
using sum_t =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>>;
// The types that belay_op_min() and _max() compare by themselves, as < does.
template <class T>
constexpr bool is_ordered = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <class T, class Base>
class aggregating : public Base {
 public:
  using Base::Base;

  // [operators aggregating] written by `scripts/api write` from docs/operators.tsv
  // Passes on the values of the source. Sends `fallback` when there were none.
  template <class U = T>
  signal<T> default_if_empty(U &&fallback) const {
    return through<T>(
        this->get(), belay_op_default_if_empty(give_as<T>(std::forward<U>(fallback))));
  }
  // Passes on the values of the source. Continues with `other` when there were none.
  signal<T> switch_if_empty(const signal<T> &other) const {
    return through<T>(this->get(), belay_op_switch_if_empty(other.retained()));
  }
  // Sends true at the first value for which `wanted` returns true, else false.
  template <class F>
  signal_of<T, bool> any(F wanted) const {
    return through<bool>(
        this->get(), belay_op_any(&call_predicate<F, T>, context(std::move(wanted)), &destroy<F>));
  }
  // Sends false at the first value for which `right` returns false, else true.
  template <class F>
  signal_of<T, bool> all(F right) const {
    return through<bool>(
        this->get(), belay_op_all(&call_predicate<F, T>, context(std::move(right)), &destroy<F>));
  }
  // Sends false at the first value, else true.
  signal_of<T, bool> is_empty() const {
    return through<bool>(this->get(), belay_op_is_empty());
  }
  // Sends the number of values, as a uint64.
  signal_of<T, std::uint64_t> count() const {
    return through<std::uint64_t>(this->get(), belay_op_count());
  }
  // Sends all values as one array at completion, and nothing on an error. Keeps every value until
  // then.
  signal<std::vector<T>> collect() const {
    return through<std::vector<T>>(this->get(), belay_op_collect());
  }
  // [end]

  // Sends true at the first value that equals `wanted`, else false.
  template <class U = T>
  signal_of<T, bool> contains(U &&wanted) const {
    if constexpr (is_equatable<T>)
      return through<bool>(this->get(), belay_op_contains(give_as<T>(std::forward<U>(wanted))));
    else
      return any(
          [wanted = keep_as<T>(std::forward<U>(wanted))](const T &item) { return item == wanted; });
  }
  // Sends the smallest value, the first of equals, if there is one: by <, or as less(a, b) says.
  signal<T> min() const { return extreme(belay_op_min); }
  template <class F>
  signal<T> min(F less) const {
    return extreme(belay_op_min, std::move(less));
  }
  // Sends the largest value, the first of equals, if there is one.
  signal<T> max() const { return extreme(belay_op_max); }
  template <class F>
  signal<T> max(F less) const {
    return extreme(belay_op_max, std::move(less));
  }
  // Sends the sum, in the widest type of its kind. Ends with BELAY_ERANGE when it does not fit.
  signal<sum_t<T>> sum() const {
    static_assert(std::is_arithmetic_v<T>, "only numbers have a sum: reduce(seed, add)");
    return through<sum_t<T>>(this->get(), belay_op_sum());
  }
  // Sends the mean, if there are values.
  signal_of<T, double> average() const {
    static_assert(std::is_arithmetic_v<T>, "only numbers have a mean");
    return through<double>(this->get(), belay_op_average());
  }
  // Sends the last f(accumulated, value) at completion; without values, the seed. All results are
  // of the type of `seed`.
  template <class A, class F>
  signal<item_t<A>> reduce(A &&seed, F f) const {
    value first(std::forward<A>(seed));
    void *const ctx = context(std::move(f));
    return through<item_t<A>>(
        this->get(),
        belay_op_reduce(first.release(), &call_scan<F, item_t<A>, T>, ctx, &destroy<F>));
  }

 private:
  using extreme_fn = belay_op *(belay_less_fn, void *, belay_free_fn);
  template <class F>
  signal<T> extreme(extreme_fn op, F less) const {
    return through<T>(this->get(), op(&call_compare<F, T>, context(std::move(less)), &destroy<F>));
  }
  signal<T> extreme(extreme_fn op) const {
    if constexpr (is_ordered<T>) return through<T>(this->get(), op(nullptr, nullptr, nullptr));
    else return extreme(op, less_by_operator());
  }
};

}  // namespace detail
}  // namespace belay

#endif
