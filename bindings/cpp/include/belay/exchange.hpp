// Signals that pass from one copy of the library to another, in one process. See exchange.h.
#ifndef BELAY_EXCHANGE_HPP
#define BELAY_EXCHANGE_HPP

#include <belay/exchange.h>
#include <belay/signal.hpp>
#include <utility>

namespace belay {

// A reference to a signal that any copy of Belay understands. Any thread.
class exchange {
 public:
  // Exports a signal.
  template <class T>
  explicit exchange(const signal<T> &exported) {
    detail::check(belay_signal_export(exported.get(), &raw_));
  }
  exchange(exchange &&other) noexcept : raw_(std::exchange(other.raw_, belay_exchange{})) {}
  exchange &operator=(exchange &&other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~exchange() { belay_exchange_release(&raw_); }

  // Takes over the reference that a C struct holds.
  static exchange adopt(const belay_exchange &raw) noexcept { return exchange(raw, 0); }
  // The struct, borrowed, for another copy to import.
  const belay_exchange *get() const noexcept { return &raw_; }
  // Gives the reference away; nothing is left.
  belay_exchange release() noexcept { return std::exchange(raw_, belay_exchange{}); }

  // Makes a signal that subscribes to the exported one. T is your claim, as in signal::as().
  template <class T>
  signal<T> to_signal() const {
    return signal<T>::adopt(detail::made(belay_signal_import(&raw_)));
  }

 private:
  exchange(const belay_exchange &raw, int) noexcept : raw_(raw) {}
  belay_exchange raw_ = {};
};

}  // namespace belay

#endif
