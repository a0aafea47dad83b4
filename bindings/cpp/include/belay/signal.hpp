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

// A reference to a signal of Ts. Copies refer to the same signal. A signal does nothing until it is
// subscribed to.
//
// Belay moves a callback to the place where it is called, and destroys it there exactly once, after
// the last call. Captures by value live as long. An exception of `next` becomes the error event.
template <class T>
class signal : public detail::operators_of<T> {
 public:
  static_assert(std::is_same_v<T, detail::item_t<T>>,
                "belay: a signal sends plain types: std::string for text, no reference, no const");
  // The type of its values.
  using value_type = T;

  // An empty handle. An operator on it throws.
  signal() noexcept = default;
  explicit signal(typename detail::source<T>::empty) noexcept {}

  // Subscribes: calls `next` with each value. The subscription ends with its source, with its
  // owner, or when the result is disposed of; dropping the result does not end it. Without `error`,
  // an error goes to the hook for unhandled errors. Throws BELAY_ENOHOME when the start cannot be
  // posted to the home of the source.
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
  // Subscribes without a callback, for the effects of the operators.
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
  // Bounds the queues that its own operator keeps, before the first subscription; by default each takes
  // 1024 values, and one more is an error.
  const signal &queued(const queue_options &queue) const {
    const belay_queue_options raw = queue.raw();
    detail::check(belay_signal_set_queue(this->get(), &raw));
    return *this;
  }
  // The largest number of values that ever waited in one of these queues.
  std::size_t queue_high_water() const { return belay_signal_queue_high_water(this->get()); }

  // The same signal, declared to send Us. Nothing is converted: a value that is no U becomes an
  // error event. signal<value> takes every value.
  template <class U>
  signal<U> as() const {
    return signal<U>::retain(this->get());
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

// A class that derives from signal is read as a signal, and made of that.
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

template <class Unit>
signal<Unit> owner::deallocating() const {
  return signal<Unit>::adopt(detail::made(belay_owner_deallocating(get())));
}
template <class Unit>
signal<Unit> owner::deallocated() const {
  return signal<Unit>::adopt(detail::made(belay_owner_deallocated(get())));
}

}  // namespace belay

#include <belay/combining.hpp>
#include <belay/flattening.hpp>
#include <belay/pipe.hpp>

#endif
