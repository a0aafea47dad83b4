// Signals: `next* (error | completed)?`, then nothing. See signal.h for order, homes and lifetimes.
//
//   using namespace belay::operators;
//   belay::signal<std::string> loud = lines | filter(is_loud) | map(shorten);   // or
//   belay::signal<std::string> loud = lines.filter(is_loud).map(shorten);
#ifndef BELAY_SIGNAL_HPP
#define BELAY_SIGNAL_HPP

#include <belay/observer.hpp>
#include <belay/operators/aggregating.hpp>
#include <belay/operators/binding.hpp>
#include <belay/operators/combining.hpp>
#include <belay/operators/effects.hpp>
#include <belay/operators/filtering.hpp>
#include <belay/operators/flattening.hpp>
#include <belay/operators/sharing.hpp>
#include <belay/operators/timing.hpp>
#include <belay/operators/transforming.hpp>
#include <belay/owner.hpp>
#include <belay/signal_base.hpp>
#include <string>
#include <utility>

namespace belay {
namespace detail {

template <class T>
using operators_on_values = aggregating<T, filtering<T, transforming<T, source<T>>>>;
template <class T>
using operators_of_several = flattening<T, combining<T, operators_on_values<T>>>;
template <class T>
using operators_of = binding<T, sharing<T, timing<T, effects<T, operators_of_several<T>>>>>;

template <class F>
constexpr bool is_owner = std::is_convertible_v<const F &, const owner &>;
template <class F>
constexpr bool is_observer = false;
template <class N, class E, class C, class D>
constexpr bool is_observer<observer<N, E, C, D>> = true;

}  // namespace detail

// A signal of Ts: a reference to it. Copies are the same signal. Nothing happens until somebody
// subscribes.
//
// Callbacks are moved to where they are called, and destroyed there exactly once, after the last
// call: what they capture by value lives as long as they do. What they throw is an error event.
template <class T>
class signal : public detail::operators_of<T> {
 public:
  static_assert(std::is_same_v<T, detail::item_t<T>>,
                "a signal has plain items: std::string for text, no references, no const");
  // The type of its values.
  using value_type = T;

  // No signal: what is made of it fails.
  signal() noexcept = default;
  explicit signal(typename detail::source<T>::empty) noexcept {}

  // Subscribes. The result ends the subscription; dropping it does not: the source does, when it
  // goes, or disposable.dispose(), scoped_disposable, an owner. `next` is called with each value;
  // an error that nobody handles goes to the hook for those. Throws when there is no way to the
  // source's home.
  template <class Next,
            class = std::enable_if_t<!detail::is_observer<Next> && !detail::is_owner<Next>>>
  disposable subscribe(Next next) const {
    return subscribe(observe(std::move(next)));
  }
  // … with `error`, which is called with a belay::error or a std::exception_ptr,
  template <class Next, class Error, class = std::enable_if_t<!detail::is_owner<Next>>>
  disposable subscribe(Next next, Error error) const {
    return subscribe(observe(std::move(next)).on_error(std::move(error)));
  }
  // and with `completed`.
  template <class Next, class Error, class Completed,
            class = std::enable_if_t<!detail::is_owner<Next>>>
  disposable subscribe(Next next, Error error, Completed completed) const {
    return subscribe(
        observe(std::move(next)).on_error(std::move(error)).on_completed(std::move(completed)));
  }
  // … with all that an observer has.
  template <class N, class E, class C, class D>
  disposable subscribe(observer<N, E, C, D> observer) const {
    return start(nullptr, std::move(observer));
  }
  // … for what happens on the way alone.
  disposable subscribe() const { return subscribe(observe()); }

  // The same, and the subscription ends when `owner` begins to die.
  template <class N, class E, class C, class D>
  disposable subscribe(const owner &owner, observer<N, E, C, D> observer) const {
    return start(&owner, std::move(observer));
  }
  template <class Next, class = std::enable_if_t<!detail::is_observer<Next>>>
  disposable subscribe(const owner &owner, Next next) const {
    return subscribe(owner, observe(std::move(next)));
  }
  template <class Next, class Error>
  disposable subscribe(const owner &owner, Next next, Error error) const {
    return subscribe(owner, observe(std::move(next)).on_error(std::move(error)));
  }
  template <class Next, class Error, class Completed>
  disposable subscribe(const owner &owner, Next next, Error error, Completed completed) const {
    return subscribe(
        owner,
        observe(std::move(next)).on_error(std::move(error)).on_completed(std::move(completed)));
  }

  // Its label, or a name built from its chain ("lines.filter.map").
  std::string name() const { return belay_signal_name(this->get()); }
  // Gives it a name of its own, before it is shared between threads.
  const signal &named(const char *name) const {
    detail::check(belay_signal_set_name(this->get(), name));
    return *this;
  }

  // The same signal, whose values are to be Us: nothing is converted, and a value that is no U is
  // an error event. signal<value> takes any.
  template <class U>
  signal<U> as() const {
    return signal<U>::borrow(this->get());
  }

 private:
  template <class Observer>
  disposable start(const owner *owner, Observer &&observer) const {
    belay_observer raw = std::forward<Observer>(observer).template into_raw<T>();
    raw.owner = owner ? owner->get() : nullptr;
    belay_disposable *made = nullptr;
    detail::check(belay_signal_subscribe(this->get(), &raw, &made));
    return disposable::adopt(made);
  }
};

namespace detail {

template <class T>
struct codec<signal<T>> : handle_codec<signal<T>, belay_signal, BELAY_KIND_SIGNAL,
                                       belay_value_from_signal, belay_value_get_signal> {};

// Those that derive from a signal are read as one, and made of it.
template <class Derived, class T>
struct derived_codec {
  using item = Derived;
  static constexpr bool is_equatable = true;
  static belay_value give(const signal<T> &x) noexcept { return codec<signal<T>>::give(x); }
  class reader : public codec<signal<T>>::reader {
   public:
    using codec<signal<T>>::reader::reader;
    Derived get() const noexcept { return Derived(codec<signal<T>>::reader::get()); }
  };
};
template <class K, class T>
struct codec<grouped<K, T>> : derived_codec<grouped<K, T>, T> {};

}  // namespace detail

inline signal<unit> owner::deallocating() const {
  return signal<unit>::adopt(detail::made(belay_owner_deallocating(get())));
}
inline signal<unit> owner::deallocated() const {
  return signal<unit>::adopt(detail::made(belay_owner_deallocated(get())));
}

}  // namespace belay

#include <belay/combining.hpp>
#include <belay/flattening.hpp>
#include <belay/pipe.hpp>

#endif
