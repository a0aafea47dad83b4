// Sharing: one subscription to a source for all subscribers; and waiting. See sharing.h.
#ifndef BELAY_OPERATORS_SHARING_HPP
#define BELAY_OPERATORS_SHARING_HPP

#include <belay/sharing.h>
#include <belay/disposable.hpp>
#include <belay/integer.hpp>
#include <belay/loop.hpp>
#include <belay/signal_base.hpp>
#include <optional>
#include <utility>

namespace belay {

template <class T>
class subject;

// The part of a shared signal that outlives an end.
struct share_rules {
  bool keep_error = false;       // a subscription after an error gets it, and does not start anew
  bool keep_completed = false;   // a subscription after a completion gets it
  bool keep_connection = false;  // the source stays subscribed after the last subscription
};

// A signal that subscribes to its source when it is connected, once for all its subscribers.
template <class T>
class connectable : public signal<T> {
 public:
  explicit connectable(signal<T> shared) noexcept : signal<T>(std::move(shared)) {}
  // Subscribes to the source. The result disconnects; dropping it does not. Empty when the source
  // has ended.
  disposable connect() const {
    belay_disposable *connection = nullptr;
    detail::check(belay_signal_connect(this->get(), &connection));
    return disposable::adopt(connection);
  }
  // Connects with the first subscription, disconnects with the last one.
  signal<T> ref_count() const { return detail::through<T>(this->get(), belay_op_ref_count()); }
  // Connects with the `count`th subscription, for good.
  signal<T> auto_connect(integer<std::size_t> count = 1) const {
    return detail::through<T>(this->get(), belay_op_auto_connect(count));
  }
};

namespace detail {

inline unsigned raw(const share_rules &rules) noexcept {
  unsigned kept = BELAY_SHARE_RESET;
  if (rules.keep_error) kept |= BELAY_SHARE_KEEP_ERROR;
  if (rules.keep_completed) kept |= BELAY_SHARE_KEEP_COMPLETED;
  if (rules.keep_connection) kept |= BELAY_SHARE_KEEP_CONNECTION;
  return kept;
}

template <class T, class Base>
class sharing : public Base {
 public:
  using Base::Base;

  // [operators sharing] written by `scripts/api write` from docs/operators.tsv
  // [end]

  // Connectable: a subscriber gets the values that come while it listens.
  connectable<T> publish() const {
    return connectable<T>(signal<T>::adopt(made(belay_signal_publish(this->retained()))));
  }
  // Connectable: a later subscriber first gets the last `count` values, none older than `age`.
  connectable<T> replay(integer<std::size_t> count = 1024, seconds age = detail::no_limit,
                        const scheduler &clock = scheduler::adopt(nullptr)) const {
    return connectable<T>(signal<T>::adopt(
        made(belay_signal_replay(this->retained(), clock.get(), age.count(), count))));
  }
  // Connectable through a subject of any kind, the same for every connection.
  connectable<T> multicast(const subject<T> &through) const {
    return connectable<T>(
        signal<T>::adopt(made(belay_signal_multicast(this->retained(), through.retained()))));
  }

  // All subscribers share one subscription to the source. It begins with the first subscriber, and
  // ends with the last one unless `rules` say otherwise.
  signal<T> share(const share_rules &rules = {}) const {
    return through<T>(this->get(), belay_op_share(raw(rules)));
  }
  // The same, and keeps the error, the completion, and the subscription without subscribers until a
  // signal sends a value; an empty signal keeps nothing. A later subscriber first gets the last
  // `replayed` values.
  template <class E = bool, class C = bool, class U = bool>
  signal<T> share_until(const signal<E> &error, const signal<C> &completed = signal<C>(),
                        const signal<U> &unused = signal<U>(),
                        integer<std::size_t> replayed = 0) const {
    return through<T>(this->get(), belay_op_share_until(replayed, error.retained(),
                                                        completed.retained(), unused.retained()));
  }
  // The same. A later subscriber first gets the last `count` values, none older than `age`.
  signal<T> share_replay(integer<std::size_t> count, seconds age = detail::no_limit,
                         const scheduler &clock = scheduler::adopt(nullptr),
                         const share_rules &rules = {false, true, true}) const {
    return through<T>(this->get(),
                      belay_op_share_replay(clock.get(), age.count(), count, raw(rules)));
  }

  // Runs `on`, a loop of Belay's own, until the first value, and returns it. Throws the error of
  // the signal, or the exception that the error carries; BELAY_EENDED when the signal completes
  // without a value; BELAY_ETIMEDOUT; BELAY_ECANCELED when the signal is interrupted or the loop
  // stops.
  T wait_first(const loop &on, seconds timeout = detail::no_limit) const {
    return wait(belay_signal_wait_first, *this, on, timeout);
  }
  // The same for the last value before the completion.
  T wait_last(const loop &on, seconds timeout = detail::no_limit) const {
    return wait(belay_signal_wait_last, *this, on, timeout);
  }

 private:
  using wait_fn = int (*)(belay_signal *, belay_loop *, double, belay_value *);
  static T wait(wait_fn wait, const sharing &signal, const loop &on, seconds timeout) {
    belay_value raw = belay_null();
    const int code = wait(signal.get(), on.get(), timeout.count(), &raw);
    if (code < 0) error::last(code).raise();
    return value::adopt(raw).template as<T>();
  }
};

}  // namespace detail
}  // namespace belay

#endif
