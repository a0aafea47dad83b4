// Observers: what a subscription calls, and how it is run.
//
//   lines.subscribe(belay::observe([](std::string_view line) { … })
//                       .on_error([](const belay::error &failure) { … })
//                       .at(loop)
//                       .label("printer"));
#ifndef BELAY_OBSERVER_HPP
#define BELAY_OBSERVER_HPP

#include <belay/signal.h>
#include <belay/callback.hpp>
#include <belay/loop.hpp>
#include <exception>
#include <utility>

namespace belay {
namespace detail {

// A callback that there is none of.
struct nothing {};
template <class F>
constexpr bool is_nothing = std::is_same_v<F, nothing>;

// The argument of a subscription's callbacks: an error, or what it carries, or none.
template <class F>
void call_with_error(F &f, const belay_error *raw) {
  if constexpr (std::is_invocable_v<F &, const error &>) {
    std::invoke(f, error::borrow(raw));
  } else if constexpr (std::is_invocable_v<F &, std::exception_ptr>) {
    const error failure = error::borrow(raw);
    const std::exception_ptr carried = failure.exception();
    std::invoke(f, carried ? carried : std::make_exception_ptr(failure));
  } else {
    std::invoke(f);
  }
}

}  // namespace detail

// Begun by observe(); each call gives a new one with one more callback or option.
template <class Next, class Error = detail::nothing, class Completed = detail::nothing,
          class Disposed = detail::nothing>
class observer {
 public:
  explicit observer(Next next, Error error = {}, Completed completed = {}, Disposed disposed = {},
                    const belay_observer &options = {}, belay::loop home = loop::adopt(nullptr))
      : next_(std::move(next)),
        error_(std::move(error)),
        completed_(std::move(completed)),
        disposed_(std::move(disposed)),
        options_(options),
        home_(std::move(home)) {}

  // Called at an error event, with a belay::error or a std::exception_ptr. Without one, errors go
  // to the hook for errors that nobody handles.
  template <class F>
  observer<Next, F, Completed, Disposed> on_error(F f) && {
    return observer<Next, F, Completed, Disposed>(std::move(next_), std::move(f),
                                                  std::move(completed_), std::move(disposed_),
                                                  options_, std::move(home_));
  }
  // Called at the completion.
  template <class F>
  observer<Next, Error, F, Disposed> on_completed(F f) && {
    return observer<Next, Error, F, Disposed>(std::move(next_), std::move(error_), std::move(f),
                                              std::move(disposed_), options_, std::move(home_));
  }
  // Called exactly once, whichever way the subscription ended, after the rest.
  template <class F>
  observer<Next, Error, Completed, F> on_disposed(F f) && {
    return observer<Next, Error, Completed, F>(std::move(next_), std::move(error_),
                                               std::move(completed_), std::move(f), options_,
                                               std::move(home_));
  }
  // Where all of them are called; else at the loop of the thread that subscribes, or on that
  // thread.
  observer at(const belay::loop &home) && {
    home_ = home;
    return std::move(*this);
  }
  // Its name in reports; static.
  observer label(const char *name) && {
    options_.label = name;
    return std::move(*this);
  }
  // Where it is subscribed, for reports: BELAY_HERE.
  observer site(const char *place) && {
    options_.site = place;
    return std::move(*this);
  }

  // For signal<T>: what C calls, with a context that the observer is moved into. The context is
  // given away with it.
  template <class T>
  belay_observer into_raw() && {
    belay_observer raw = options_;
    raw.size = sizeof raw;
    raw.loop = home_.get();
    if constexpr (!detail::is_nothing<Next>) raw.next = &call_next<T>;
    if constexpr (!detail::is_nothing<Error>) raw.error = &call_error;
    if constexpr (!detail::is_nothing<Completed>) raw.completed = &call_completed;
    if constexpr (!detail::is_nothing<Disposed>) raw.disposed = &call_disposed;
    raw.ctx = new observer(std::move(*this));
    raw.ctx_free = &detail::destroy<observer>;
    return raw;
  }

 private:
  template <class, class, class, class>
  friend class observer;

  // What it throws is the error event that ends the subscription.
  template <class T>
  static void call_next(void *ctx, belay_value v) noexcept {
    detail::call_attempt<Next, T>(&static_cast<observer *>(ctx)->next_, v);
  }
  static void call_error(void *ctx, const belay_error *failure) noexcept {
    detail::guarded("an observer's on_error", [&] {
      detail::call_with_error(static_cast<observer *>(ctx)->error_, failure);
    });
  }
  static void call_completed(void *ctx) noexcept {
    detail::guarded("an observer's on_completed",
                    [&] { std::invoke(static_cast<observer *>(ctx)->completed_); });
  }
  static void call_disposed(void *ctx) noexcept {
    detail::guarded("an observer's on_disposed",
                    [&] { std::invoke(static_cast<observer *>(ctx)->disposed_); });
  }

  Next next_;
  Error error_;
  Completed completed_;
  Disposed disposed_;
  belay_observer options_;
  belay::loop home_;
};

// An observer of values; of ends alone without one. An exception that `next` throws ends the
// subscription with an error event.
template <class F>
observer<F> observe(F next) {
  return observer<F>(std::move(next));
}
inline observer<detail::nothing> observe() { return observer<detail::nothing>(detail::nothing()); }

}  // namespace belay

#endif
