// Sending: the calls that a subject and the subscriber of a producer share.
#ifndef BELAY_SENDING_HPP
#define BELAY_SENDING_HPP

#include <belay/signal_base.hpp>
#include <belay/time.hpp>
#include <initializer_list>
#include <utility>

namespace belay {
namespace detail {

// The functions of C for a handle that events are sent to.
template <class C, int (*Next)(C *, belay_value),
          int (*NextWait)(C *, belay_value, double),
          int (*NextBatch)(C *, const belay_value *, std::size_t),
          int (*Error)(C *, const belay_error *), int (*Completed)(C *)>
struct sending_to {
  static int next(C *to, belay_value value) { return Next(to, value); }
  static int next_wait(C *to, belay_value value, double timeout) {
    return NextWait(to, value, timeout);
  }
  static int next_batch(C *to, const belay_value *values, std::size_t count) {
    return NextBatch(to, values, count);
  }
  static int error(C *to, const belay_error *failure) { return Error(to, failure); }
  static int completed(C *to) { return Completed(to); }
};

// Sends Ts. Any thread. Each call answers whether the event was accepted. An exception of a
// subscriber does not come here.
template <class T, class C, class Base>
class sending : public Base {
 public:
  sending() noexcept = default;
  explicit sending(Base to) noexcept : Base(std::move(to)) {}

  // Sends a value: a T, or a value of a type that converts to T without a loss (convert.hpp). Write
  // a constant in braces: next({1}). At home the call returns when all subscribers have been
  // called; status.queued() says that the value is delivered later. Refused with BELAY_EENDED,
  // BELAY_EREENTRANT, BELAY_EAGAIN, and from another thread BELAY_ENOHOME or BELAY_ECANCELED.
  template <class U = T>
  status next(U &&item) const {
    return status(C::next(this->get(), give_as<T>(std::forward<U>(item))));
  }
  // Sends a value that says nothing but "now".
  template <class U = T, class = std::enable_if_t<std::is_same_v<U, unit>>>
  status next() const {
    return next(unit());
  }
  // Sends a value like next(). While a queue is full, waits for room; without a limit when `timeout`
  // is negative. Refused with BELAY_ETIMEDOUT instead of BELAY_EAGAIN; with BELAY_EDEADLK at once, at
  // home, on a thread that has a loop, and in work of a pool, because others may wait for that loop
  // or work; and when the home's thread waits for this one.
  template <class U = T>
  status next_wait(U &&item, seconds timeout = detail::no_limit) const {
    return status(
        C::next_wait(this->get(), give_as<T>(std::forward<U>(item)), timeout.count()));
  }
  // Sends many values as one batch. Answers the first refusal; the values after it are not sent.
  template <class Container>
  status next_all(const Container &items) const {
    return given_values::of<T>(std::begin(items), std::end(items))
        .hand_to([this](const belay_value *values, std::size_t count) {
          return status(C::next_batch(this->get(), values, count));
        });
  }
  status next_all(std::initializer_list<T> items) const {
    return next_all<std::initializer_list<T>>(items);
  }
  // Ends it with an error.
  status error(const belay::error &failure) const {
    return status(C::error(this->get(), failure.get()));
  }
  // Ends it with the exception that is being handled. Only inside a catch block.
  status error_current() const { return error(belay::error::current()); }
  // Ends it.
  status completed() const { return status(C::completed(this->get())); }
};

}  // namespace detail
}  // namespace belay

#endif
