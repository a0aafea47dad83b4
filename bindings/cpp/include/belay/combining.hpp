// Several signals that become one by their values. See combining.h.
//
// Where there is a combiner it comes first: zip(f, a, b) sends f(of a, of b), zip(a, b) tuples.
#ifndef BELAY_COMBINING_HPP
#define BELAY_COMBINING_HPP

#include <belay/signal.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace belay {

// The latest values of all signals, each time that one of them sends, once all have sent.
template <class... S, class = std::enable_if_t<(detail::sends<S> && ...)>>
signal<std::tuple<detail::sent_by<S>...>> combine_latest(const S &...signals) {
  detail::taken<S...> all(signals...);
  return signal<std::tuple<detail::sent_by<S>...>>::adopt(
      detail::made(belay_signal_combine_latest(all.handles, all.count, nullptr, nullptr, nullptr)));
}
template <
    class F, class... S,
    class = std::enable_if_t<!detail::sends<F> && (sizeof...(S) > 0) && (detail::sends<S> && ...)>>
auto combine_latest(F f, const S &...signals) {
  void *const ctx = detail::context(std::move(f));
  detail::taken<S...> all(signals...);
  return signal<detail::result_item_t<F, detail::sent_by<S>...>>::adopt(
      detail::made(belay_signal_combine_latest(
          all.handles, all.count, &detail::call_combine<F, detail::sent_by<S>...>, ctx,
          &detail::destroy<F>)));
}
// The same of signals of one type, whose number is known at run time.
template <class T>
signal<std::vector<T>> combine_latest(const std::vector<signal<T>> &signals) {
  const auto all = detail::taken_all(signals);
  return signal<std::vector<T>>::adopt(
      detail::made(belay_signal_combine_latest(all.data(), all.size(), nullptr, nullptr, nullptr)));
}

// The first values of all signals, then the second, and so on.
template <class... S, class = std::enable_if_t<(detail::sends<S> && ...)>>
signal<std::tuple<detail::sent_by<S>...>> zip(const S &...signals) {
  detail::taken<S...> all(signals...);
  return signal<std::tuple<detail::sent_by<S>...>>::adopt(
      detail::made(belay_signal_zip(all.handles, all.count, nullptr, nullptr, nullptr)));
}
template <
    class F, class... S,
    class = std::enable_if_t<!detail::sends<F> && (sizeof...(S) > 0) && (detail::sends<S> && ...)>>
auto zip(F f, const S &...signals) {
  void *const ctx = detail::context(std::move(f));
  detail::taken<S...> all(signals...);
  return signal<detail::result_item_t<F, detail::sent_by<S>...>>::adopt(detail::made(
      belay_signal_zip(all.handles, all.count, &detail::call_combine<F, detail::sent_by<S>...>,
                       ctx, &detail::destroy<F>)));
}
template <class T>
signal<std::vector<T>> zip(const std::vector<signal<T>> &signals) {
  const auto all = detail::taken_all(signals);
  return signal<std::vector<T>>::adopt(
      detail::made(belay_signal_zip(all.data(), all.size(), nullptr, nullptr, nullptr)));
}

// The events of whichever signal is the first to send one.
template <class T, class... S>
signal<T> race(const signal<T> &first, const S &...others) {
  detail::taken<signal<T>, S...> all(first, others...);
  return signal<T>::adopt(detail::made(belay_signal_race(all.handles, all.count)));
}
template <class T>
signal<T> race(const std::vector<signal<T>> &signals) {
  const auto all = detail::taken_all(signals);
  return signal<T>::adopt(detail::made(belay_signal_race(all.data(), all.size())));
}

// The values of `yes` while the latest of `condition` is true, else those of `no`.
template <class T>
signal<T> if_then_else(const signal<bool> &condition, const signal<T> &yes, const signal<T> &no) {
  return signal<T>::adopt(
      detail::made(belay_signal_if_then_else(condition.retained(), yes.retained(), no.retained())));
}
// The values of the signal that stands beside the latest of `keys`, else those of `otherwise`; when
// that is empty, a key without a case is BELAY_EINVAL.
template <class K, class T>
signal<T> switch_on(const signal<K> &keys, const std::vector<std::pair<K, signal<T>>> &cases,
                    const signal<T> &otherwise = signal<T>::adopt(nullptr)) {
  static_assert(detail::is_equatable<K>, "such keys cannot be compared by their content");
  detail::batch values;
  std::vector<belay_signal *> signals;
  signals.reserve(cases.size());
  for (const auto &each : cases) values.add<K>(each.first);
  for (const auto &each : cases) signals.push_back(each.second.retained());
  return signal<T>::adopt(
      detail::made(values.hand_to([&](const belay_value *all, std::size_t count) {
        return belay_signal_switch_on(keys.retained(), all, signals.data(), count,
                                      otherwise.retained());
      })));
}

// Whether the latest values of all signals are true, or at least one. (and, or: words of C++'s.)
template <class... S>
signal<bool> logical_and(const signal<bool> &first, const S &...others) {
  detail::taken<signal<bool>, S...> all(first, others...);
  return signal<bool>::adopt(detail::made(belay_signal_and(all.handles, all.count)));
}
template <class... S>
signal<bool> logical_or(const signal<bool> &first, const S &...others) {
  detail::taken<signal<bool>, S...> all(first, others...);
  return signal<bool>::adopt(detail::made(belay_signal_or(all.handles, all.count)));
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
