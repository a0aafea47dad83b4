// Functions that join signals of one type. See flattening.h.
#ifndef BELAY_FLATTENING_HPP
#define BELAY_FLATTENING_HPP

#include <belay/signal.hpp>
#include <vector>

namespace belay {

// Sends the values of all signals as they come. Completes when all have completed. Ends with the
// first error.
template <class T, class... S>
signal<T> merge(const signal<T> &first, const S &...others) {
  return detail::joined(belay_signal_merge, first, others...);
}
template <class T>
signal<T> merge(const std::vector<signal<T>> &inputs) {
  return detail::joined_all(belay_signal_merge, inputs);
}
// Does the same, but holds an error back until all signals have ended.
template <class T, class... S>
signal<T> merge_delay_error(const signal<T> &first, const S &...others) {
  return detail::joined(belay_signal_merge_delay_error, first, others...);
}
template <class T>
signal<T> merge_delay_error(const std::vector<signal<T>> &inputs) {
  return detail::joined_all(belay_signal_merge_delay_error, inputs);
}
// Sends the values of one signal after the other.
template <class T, class... S>
signal<T> concat(const signal<T> &first, const S &...others) {
  return detail::joined(belay_signal_concat, first, others...);
}
template <class T>
signal<T> concat(const std::vector<signal<T>> &inputs) {
  return detail::joined_all(belay_signal_concat, inputs);
}

}  // namespace belay

#endif
