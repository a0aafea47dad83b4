// Sharing: one subscription to a source for all who listen; binding, and waiting. See sharing.h.
#ifndef BELAY_OPERATORS_SHARING_HPP
#define BELAY_OPERATORS_SHARING_HPP

#include <belay/binding.h>
#include <belay/sharing.h>
#include <belay/disposable.hpp>
#include <belay/loop.hpp>
#include <belay/owner.hpp>
#include <belay/source.hpp>
#include <optional>
#include <utility>

namespace belay {

template <class T>
class connectable;
template <class T>
class subject;
template <class T>
class property;

namespace detail {

// The kind of a variable that a signal is bound to.
template <class T>
constexpr belay_kind variable_kind() {
  if constexpr (std::is_same_v<T, float>) return BELAY_KIND_FLOAT;
  else if constexpr (std::is_same_v<T, double>) return BELAY_KIND_DOUBLE;
  else if constexpr (std::is_pointer_v<T>) return BELAY_KIND_POINTER;
  else return integer_kind<T>();
}
template <class V>
constexpr bool is_variable = (std::is_arithmetic_v<V> && !std::is_same_v<V, bool> &&
                              sizeof(V) <= sizeof(std::uint64_t)) ||
                             std::is_pointer_v<V>;

template <class T, class Base>
class sharing : public Base {
 public:
  using Base::Base;

  // [operators sharing] written by `scripts/api write` from docs/operators.tsv
  // [end]

  // Connectable: who listens gets what comes while he does.
  connectable<T> publish() const;
  // Connectable: who comes later gets first the last `count` values, none older than `age`.
  connectable<T> replay(std::size_t count = unlimited, seconds age = forever,
                        const scheduler &clock = scheduler::adopt(nullptr)) const;
  // Connectable through a subject of any kind, the same for every connection.
  connectable<T> multicast(const subject<T> &through) const;

  // One subscription to the source for all, from the first who listens to the last; `rules` are
  // belay_share_rules.
  signal<T> share(unsigned rules = BELAY_SHARE_RESET) const {
    return through<T>(this->get(), belay_op_share(rules));
  }
  // The same with a memory.
  signal<T> share_replay(std::size_t count, seconds age = forever,
                         const scheduler &clock = scheduler::adopt(nullptr),
                         unsigned rules = BELAY_SHARE_KEEP_COMPLETED |
                                          BELAY_SHARE_KEEP_CONNECTION) const {
    return through<T>(this->get(), belay_op_share_replay(clock.get(), age.count(), count, rules));
  }

  // Sends all that comes into `target`, ends included. The result ends it; dropping it does not.
  disposable bind(const subject<T> &target) const;
  // Sets `target` to each value; its end goes no further. With an owner until that dies.
  disposable bind(const property<T> &target) const;
  disposable bind(const property<T> &target, const owner &owner) const;
  // Stores each value into `variable`, a number or a pointer, which has to live until the binding
  // has ended: with `owner`, which may be what it is a member of, when that begins to die.
  template <class V, class = std::enable_if_t<is_variable<V>>>
  disposable bind(V &variable) const {
    belay_disposable *made = nullptr;
    check(belay_signal_bind_variable(this->get(), variable_kind<V>(), &variable, nullptr, &made));
    return disposable::adopt(made);
  }
  template <class V, class = std::enable_if_t<is_variable<V>>>
  disposable bind(V &variable, const owner &owner) const {
    belay_disposable *made = nullptr;
    check(belay_signal_bind_variable(this->get(), variable_kind<V>(), &variable, owner.get(), &made));
    return disposable::adopt(made);
  }

  // Runs `on`, a loop of Belay's own, until the first value, and gives it. Throws the signal's
  // error: the exception that a callback threw, if it was one; BELAY_EENDED when it completed
  // without a value; BELAY_ETIMEDOUT; BELAY_ECANCELED when it was interrupted, or the loop stopped.
  T wait_first(const loop &on, seconds timeout = forever) const {
    return wait(belay_signal_wait_first, *this, on, timeout);
  }
  // The same for the last value before the completion.
  T wait_last(const loop &on, seconds timeout = forever) const {
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
