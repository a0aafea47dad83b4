// Several signals that become one whose values are theirs. See flattening.h.
#ifndef BELAY_FLATTENING_HPP
#define BELAY_FLATTENING_HPP

#include <belay/signal.hpp>
#include <vector>

namespace belay {

// The values of all signals, as they come; completes with the last, ends with the first error.
template <class T, class... S>
signal<T> merge(const signal<T> &first, const S &...others) {
  detail::taken<signal<T>, S...> all(first, others...);
  return signal<T>::adopt(detail::made(belay_signal_merge(all.handles, all.count)));
}
template <class T>
signal<T> merge(const std::vector<signal<T>> &signals) {
  const auto all = detail::taken_all(signals);
  return signal<T>::adopt(detail::made(belay_signal_merge(all.data(), all.size())));
}
// The same; an error waits until all have ended.
template <class T, class... S>
signal<T> merge_delay_error(const signal<T> &first, const S &...others) {
  detail::taken<signal<T>, S...> all(first, others...);
  return signal<T>::adopt(detail::made(belay_signal_merge_delay_error(all.handles, all.count)));
}
template <class T>
signal<T> merge_delay_error(const std::vector<signal<T>> &signals) {
  const auto all = detail::taken_all(signals);
  return signal<T>::adopt(detail::made(belay_signal_merge_delay_error(all.data(), all.size())));
}
// The values of one after the other.
template <class T, class... S>
signal<T> concat(const signal<T> &first, const S &...others) {
  detail::taken<signal<T>, S...> all(first, others...);
  return signal<T>::adopt(detail::made(belay_signal_concat(all.handles, all.count)));
}
template <class T>
signal<T> concat(const std::vector<signal<T>> &signals) {
  const auto all = detail::taken_all(signals);
  return signal<T>::adopt(detail::made(belay_signal_concat(all.data(), all.size())));
}

}  // namespace belay

#endif
