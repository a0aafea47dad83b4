// Properties: boxes with a current value and a signal of it; and commands, actions that run once at
// a time. See property.h and command.h.
#ifndef BELAY_PROPERTY_HPP
#define BELAY_PROPERTY_HPP

#include <belay/command.h>
#include <belay/property.h>
#include <belay/signal.hpp>
#include <belay/subject.hpp>
#include <utility>

namespace belay {

// A value that changes. Copies are the same property; with the last its signal completes.
template <class T>
class property : public detail::handle<property<T>, belay_property, belay_property_retain,
                                       belay_property_release> {
 public:
  template <class U = T, class = detail::unless_copy<property, U>>
  explicit property(U &&initial, const source_options &options = {})
      : property::handle(create(detail::give_as<T>(std::forward<U>(initial)), options)) {}
  explicit property(typename property::empty) noexcept {}

  // The value set last. Any thread.
  T get_value() const {
    belay_value raw = belay_null();
    detail::check(belay_property_get(this->get(), &raw));
    return value::adopt(raw).template as<T>();
  }
  // Sets and sends a value, also when it is the same. Any thread. Answers as subject<T>::next()
  // does.
  template <class U = T>
  status set(U &&item) const {
    return status(belay_property_set(this->get(), detail::give_as<T>(std::forward<U>(item))));
  }
  // Sets change(value). At home only. Throws the exception of `change`; then nothing is set.
  template <class F>
  void modify(F change) const {
    const int code = belay_property_modify(this->get(), &detail::call_state<F, T>, &change);
    if (code < 0) error::last(code).raise();
  }
  // Sends the present value at the subscription, then each value that is set.
  belay::signal<T> signal() const {
    return belay::signal<T>::adopt(detail::made(belay_property_signal(this->get())));
  }
  // Makes this and `other` follow each other, beginning with this one's value. Both have to be at
  // home on this thread. The result ends it; dropping it does not.
  disposable channel(const property &other) const {
    belay_disposable *made = nullptr;
    detail::check(belay_property_channel(this->get(), other.get(), &made));
    return disposable::adopt(made);
  }

 private:
  static belay_property *create(belay_value initial, const source_options &options) {
    const belay_source_options all = detail::raw(options);
    return detail::made(belay_property_create(initial, &all));
  }
};

// An action that makes a signal of Outs of an In, and runs one execution at a time.
template <class In, class Out>
class command : public detail::handle<command<In, Out>, belay_command, belay_command_retain,
                                      belay_command_release> {
 public:
  // `execute(input)` returns the signal of an execution. `enabled`, if given, says whether the
  // command may be executed while it is not executing.
  template <class F>
  explicit command(F execute, const signal<bool> &enabled = signal<bool>())
      : command::handle(detail::made(create(std::move(execute), enabled))) {
    static_assert(std::is_same_v<detail::made_by<F, In>, Out>,
                  "belay: the command's callable must return signals of its second type");
  }
  explicit command(typename command::empty) noexcept {}

  // Begins an execution, which goes on without the signal. Throws BELAY_EBUSY while it executes or
  // is not enabled, and the exception of the callable.
  template <class U = In>
  signal<Out> execute(U &&input) const {
    belay_signal *made =
        belay_command_execute(this->get(), detail::give_as<In>(std::forward<U>(input)));
    if (!made) error::last().raise();
    return signal<Out>::adopt(made);
  }
  // Now, and whenever it changes.
  signal<bool> executing() const {
    return signal<bool>::adopt(detail::made(belay_command_executing(this->get())));
  }
  signal<bool> enabled() const {
    return signal<bool>::adopt(detail::made(belay_command_enabled(this->get())));
  }
  // Each sends for all executions: their values, and their errors as values.
  signal<Out> values() const {
    return signal<Out>::adopt(detail::made(belay_command_values(this->get())));
  }
  signal<error> errors() const {
    return signal<error>::adopt(detail::made(belay_command_errors(this->get())));
  }

 private:
  template <class F>
  static belay_command *create(F execute, const signal<bool> &enabled) {
    void *const ctx = detail::context(std::move(execute));
    return belay_command_create(enabled.retained(), &detail::call_flat_map<F, In>, ctx,
                                &detail::destroy<F>);
  }
};

}  // namespace belay

#endif
