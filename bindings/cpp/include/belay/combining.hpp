// Functions that combine the values of several signals. See combining.h.
//
// A combiner is the first argument: zip(f, a, b) sends f(of a, of b), and zip(a, b) sends tuples.
#ifndef BELAY_COMBINING_HPP
#define BELAY_COMBINING_HPP

#include <belay/signal.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace belay {

namespace detail {

// The functions of C that combine: belay_signal_combine_latest() and belay_signal_zip().
using combine_fn = belay_signal *(belay_signal *const *, std::size_t, belay_combine_fn, void *,
                                  belay_free_fn);
template <class... S>
signal<std::tuple<sent_by<S>...>> combined(combine_fn combine, const S &...inputs) {
  taken<S...> all(inputs...);
  return signal<std::tuple<sent_by<S>...>>::adopt(
      made(combine(all.handles, all.count, nullptr, nullptr, nullptr)));
}
template <class F, class... S>
signal<result_item_t<F, sent_by<S>...>> combined_by(combine_fn combine, F f, const S &...inputs) {
  void *const ctx = context(std::move(f));
  taken<S...> all(inputs...);
  return signal<result_item_t<F, sent_by<S>...>>::adopt(
      made(combine(all.handles, all.count, &call_combine<F, sent_by<S>...>, ctx, &destroy<F>)));
}
template <class T>
signal<std::vector<T>> combined_all(combine_fn combine, const std::vector<signal<T>> &inputs) {
  const auto all = taken_all(inputs);
  return signal<std::vector<T>>::adopt(
      made(combine(all.data(), all.size(), nullptr, nullptr, nullptr)));
}

}  // namespace detail

// Sends the latest values of all signals each time that one of them sends, once all have sent.
template <class... S, class = std::enable_if_t<(detail::sends<S> && ...)>>
auto combine_latest(const S &...inputs) {
  return detail::combined(belay_signal_combine_latest, inputs...);
}
template <
    class F, class... S,
    class = std::enable_if_t<!detail::sends<F> && (sizeof...(S) > 0) && (detail::sends<S> && ...)>>
auto combine_latest(F f, const S &...inputs) {
  return detail::combined_by(belay_signal_combine_latest, std::move(f), inputs...);
}
// The same of signals of one type, whose number is known at run time.
template <class T>
signal<std::vector<T>> combine_latest(const std::vector<signal<T>> &inputs) {
  return detail::combined_all(belay_signal_combine_latest, inputs);
}

// Sends the first values of all signals together, then the second ones, and so on.
template <class... S, class = std::enable_if_t<(detail::sends<S> && ...)>>
auto zip(const S &...inputs) {
  return detail::combined(belay_signal_zip, inputs...);
}
template <
    class F, class... S,
    class = std::enable_if_t<!detail::sends<F> && (sizeof...(S) > 0) && (detail::sends<S> && ...)>>
auto zip(F f, const S &...inputs) {
  return detail::combined_by(belay_signal_zip, std::move(f), inputs...);
}
template <class T>
signal<std::vector<T>> zip(const std::vector<signal<T>> &inputs) {
  return detail::combined_all(belay_signal_zip, inputs);
}

// Sends the events of the signal that is the first to send one, and disposes of the others.
template <class T, class... S>
signal<T> race(const signal<T> &first, const S &...others) {
  return detail::joined(belay_signal_race, first, others...);
}
template <class T>
signal<T> race(const std::vector<signal<T>> &inputs) {
  return detail::joined_all(belay_signal_race, inputs);
}

// Sends the values of `yes` while the latest value of `condition` is true, else those of `no`.
template <class T>
signal<T> if_then_else(const signal<bool> &condition, const signal<T> &yes, const signal<T> &no) {
  return signal<T>::adopt(
      detail::made(belay_signal_if_then_else(condition.retained(), yes.retained(), no.retained())));
}
// Sends the values of the signal whose case is the latest value of `keys`, else those of
// `otherwise`. If `otherwise` is empty, a key without a case is the error BELAY_EINVAL.
template <class K, class T>
signal<T> switch_on(const signal<K> &keys, const std::vector<std::pair<K, signal<T>>> &cases,
                    const signal<T> &otherwise = signal<T>::adopt(nullptr)) {
  static_assert(detail::is_equatable<K>, "such keys cannot be compared by their content");
  detail::given_values values;
  std::vector<belay_signal *> inputs;
  inputs.reserve(cases.size());
  for (const auto &each : cases) values.add<K>(each.first);
  for (const auto &each : cases) inputs.push_back(each.second.retained());
  return signal<T>::adopt(
      detail::made(values.hand_to([&](const belay_value *all, std::size_t count) {
        return belay_signal_switch_on(keys.retained(), all, inputs.data(), count,
                                      otherwise.retained());
      })));
}

// Sends whether the latest values of all signals are true, or of at least one. (`and` and `or` are
// words of C++.)
template <class... S>
signal<bool> logical_and(const signal<bool> &first, const S &...others) {
  return detail::joined(belay_signal_and, first, others...);
}
template <class... S>
signal<bool> logical_or(const signal<bool> &first, const S &...others) {
  return detail::joined(belay_signal_or, first, others...);
}

namespace detail {

template <class T, class Base>
template <class... S, class>
signal<std::tuple<T, sent_by<S>...>> combining<T, Base>::combine_latest(const S &...others) const {
  return belay::combine_latest(static_cast<const signal<T> &>(*this), others...);
}
template <class T, class Base>
template <class F, class... S, class>
auto combining<T, Base>::combine_latest(F f, const S &...others) const {
  return belay::combine_latest(std::move(f), static_cast<const signal<T> &>(*this), others...);
}
template <class T, class Base>
template <class... S, class>
signal<std::tuple<T, sent_by<S>...>> combining<T, Base>::zip(const S &...others) const {
  return belay::zip(static_cast<const signal<T> &>(*this), others...);
}
template <class T, class Base>
template <class F, class... S, class>
auto combining<T, Base>::zip(F f, const S &...others) const {
  return belay::zip(std::move(f), static_cast<const signal<T> &>(*this), others...);
}

}  // namespace detail
}  // namespace belay

#endif
