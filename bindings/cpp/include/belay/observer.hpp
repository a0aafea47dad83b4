// Observers: the callbacks of a subscription, and how it runs.
//
//   lines.subscribe(belay::observe([](std::string_view line) { … })
//                       .on_error([](const belay::error &failure) { … })
//                       .at(loop)
//                       .label("printer"));
#ifndef BELAY_OBSERVER_HPP
#define BELAY_OBSERVER_HPP

#include <belay/signal.h>
#include <belay/batch.hpp>
#include <belay/callback.hpp>
#include <belay/loop.hpp>
#include <exception>
#include <utility>

namespace belay {
namespace detail {

// Stands for a callback that is not given.
struct nothing {};
template <class F>
constexpr bool is_nothing = std::is_same_v<F, nothing>;

// Calls on_error with the error, or with the exception that it carries, or with nothing.
template <class F>
void call_with_error(F &f, const belay_error *raw) {
  static_assert(std::is_invocable_v<F &, const error &> ||
                    std::is_invocable_v<F &, std::exception_ptr> || std::is_invocable_v<F &>,
                "belay: on_error takes a belay::error, a std::exception_ptr, or nothing");
  if constexpr (std::is_invocable_v<F &, const error &>) {
    detail::call_checked(f, error::retain(raw));
  } else if constexpr (std::is_invocable_v<F &, std::exception_ptr>) {
    const error failure = error::retain(raw);
    const std::exception_ptr carried = failure.exception();
    detail::call_checked(f, carried ? carried : std::make_exception_ptr(failure));
  } else if constexpr (std::is_invocable_v<F &>) {
    call(f);
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
  // The home of the subscription, where all callbacks run. Without one, it is the loop of the
  // thread that subscribes, else that thread.
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

  // For signal<T>: the observer of C, with a context that the callbacks are moved into. The context
  // is given away with it. This one keeps the loop, which a subscription must not: it would never
  // close.
  template <class T>
  belay_observer into_raw() && {
    belay_observer raw = options_;
    raw.size = sizeof raw;
    raw.loop = home_.get();
    if constexpr (detail::is_batched<Next>) raw.next_batch = &call_next_batch<T>;
    else if constexpr (!detail::is_nothing<Next>) raw.next = &call_next<T>;
    if constexpr (!detail::is_nothing<Error>) raw.error = &call_error;
    if constexpr (!detail::is_nothing<Completed>) raw.completed = &call_completed;
    if constexpr (!detail::is_nothing<Disposed>) raw.disposed = &call_disposed;
    raw.ctx = new observer(std::move(next_), std::move(error_), std::move(completed_),
                           std::move(disposed_));
    raw.ctx_free = &detail::destroy<observer>;
    return raw;
  }

 private:
  template <class, class, class, class>
  friend class observer;

  // An exception becomes the error event that ends the subscription.
  template <class T>
  static void call_next(void *ctx, belay_value v) noexcept {
    detail::call_attempt<Next, T>(&static_cast<observer *>(ctx)->next_, v);
  }
  template <class T>
  static void call_next_batch(void *ctx, const belay_value *values, std::size_t count) noexcept {
    using callable = decltype(Next::callable);
    detail::call_batched<callable, T>(static_cast<observer *>(ctx)->next_, values, count);
  }
  static void call_error(void *ctx, const belay_error *failure) noexcept {
    detail::guarded("an observer's on_error", [&] {
      detail::call_with_error(static_cast<observer *>(ctx)->error_, failure);
    });
  }
  static void call_completed(void *ctx) noexcept {
    detail::guarded("an observer's on_completed",
                    [&] { detail::call_checked(static_cast<observer *>(ctx)->completed_); });
  }
  static void call_disposed(void *ctx) noexcept {
    detail::guarded("an observer's on_disposed",
                    [&] { detail::call_checked(static_cast<observer *>(ctx)->disposed_); });
  }

  Next next_;
  Error error_;
  Completed completed_;
  Disposed disposed_;
  belay_observer options_;
  belay::loop home_;
};

// Begins an observer with the callback for values. An exception of it ends the subscription with an
// error event.
template <class F>
observer<F> observe(F next) {
  return observer<F>(std::move(next));
}
// An observer of batches: `next` is called with a belay::batch<T> of the values that come together,
// instead of once for each.
template <class F>
observer<detail::batched<F>> observe_batches(F next) {
  return observer<detail::batched<F>>(detail::batched<F>{std::move(next)});
}
inline observer<detail::nothing> observe() { return observer<detail::nothing>(detail::nothing()); }

}  // namespace belay

#endif
