// Binding: the values of a signal go to a subject, a property or a variable. See binding.h.
#ifndef BELAY_OPERATORS_BINDING_HPP
#define BELAY_OPERATORS_BINDING_HPP

#include <belay/binding.h>
#include <belay/disposable.hpp>
#include <belay/owner.hpp>
#include <belay/signal_base.hpp>
#include <type_traits>

namespace belay {

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
class binding : public Base {
 public:
  using Base::Base;

  // Sends all events into `target`, ends included. Dropping the result does not end the binding.
  disposable bind(const subject<T> &target) const {
    belay_disposable *made = nullptr;
    check(belay_signal_bind(this->get(), target.get(), &made));
    return disposable::adopt(made);
  }
  // Sets the field of `object` that `path` leads to, to each value, until one of them ends.
  disposable bind(const owner &object, const char *path) const {
    belay_disposable *made = nullptr;
    check(belay_signal_bind_object(this->get(), object.get(), path, &made));
    return disposable::adopt(made);
  }
  // Sets `target` to each value; its end goes no further. With an owner until that dies.
  disposable bind(const property<T> &target) const { return bind_property(target, nullptr); }
  disposable bind(const property<T> &target, const owner &owner) const {
    return bind_property(target, owner.get());
  }
  // Stores each value into `variable`, a number or a pointer. The variable has to live until the
  // binding has ended. With `owner`, the binding ends when that begins to die, so the variable may
  // be a member of its object.
  template <class V, class = std::enable_if_t<is_variable<V>>>
  disposable bind(V &variable) const {
    return bind_variable(variable, nullptr);
  }
  template <class V, class = std::enable_if_t<is_variable<V>>>
  disposable bind(V &variable, const owner &owner) const {
    return bind_variable(variable, owner.get());
  }

 private:
  disposable bind_property(const property<T> &target, belay_owner *owner) const {
    belay_disposable *made = nullptr;
    check(belay_signal_bind_property(this->get(), target.get(), owner, &made));
    return disposable::adopt(made);
  }
  template <class V>
  disposable bind_variable(V &variable, belay_owner *owner) const {
    static_assert(std::is_same_v<T, value> || is_given<V, T>,
                  "belay: the variable cannot hold every value that the signal sends");
    belay_disposable *made = nullptr;
    check(belay_signal_bind_variable(this->get(), variable_kind<V>(), &variable, owner, &made));
    return disposable::adopt(made);
  }
};

}  // namespace detail
}  // namespace belay

#endif
