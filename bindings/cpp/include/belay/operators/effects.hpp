// Operators with effects beside the signal. See effects.h.
#ifndef BELAY_OPERATORS_EFFECTS_HPP
#define BELAY_OPERATORS_EFFECTS_HPP

#include <belay/effects.h>
#include <belay/observer.hpp>
#include <belay/signal_base.hpp>
#include <string_view>
#include <utility>

namespace belay {
namespace detail {

// The three callbacks of breakpoint(). A callback of the type `nothing` never stops.
template <class Next, class Error, class Completed>
struct stops {
  Next next;
  Error error;
  Completed completed;
};

template <class T, class Base>
class effects : public Base {
 public:
  using Base::Base;

  // [operators effects] written by `scripts/api write` from docs/operators.tsv
  // Raises SIGTRAP on the thread of the callbacks before it passes on an error. A debugger stops
  // there. A process without a debugger and without a handler ends.
  signal<T> breakpoint_on_error() const {
    return through<T>(this->get(), belay_op_breakpoint_on_error());
  }
  // [end]

  // Calls `next` with each value before it is passed on. An exception ends the signal. (`do` is a
  // word of C++.)
  template <class F>
  signal<T> tap(F next) const {
    return through<T>(this->get(),
                      belay_op_attempt(&call_attempt<F, T>, context(std::move(next)), &destroy<F>));
  }
  // Calls the observer's callbacks, each before the event is passed on; on_disposed as the
  // teardown. An exception of next ends the signal. One of on_error, on_completed or on_disposed
  // goes to the hook for unhandled errors.
  template <class N, class E, class C, class D>
  signal<T> tap(observer<N, E, C, D> beside) const {
    const belay_observer raw = std::move(beside).template into_raw<T>();
    return through<T>(this->get(), belay_op_do(&raw));
  }
  // Calls `action` once at the end of each subscription, however it comes.
  template <class F>
  signal<T> finally(F action) const {
    return through<T>(this->get(),
                      belay_op_finally(&call_action<F>, context(std::move(action)), &destroy<F>));
  }
  // Calls `action` each time before the source is subscribed to.
  template <class F>
  signal<T> initially(F action) const {
    return through<T>(this->get(),
                      belay_op_initially(&call_action<F>, context(std::move(action)), &destroy<F>));
  }
  // Prints each event and each end on stderr. Without `label`, it prints the name of the signal.
  signal<T> log(const char *label = nullptr, const char *site = nullptr) const {
    return through<T>(this->get(), belay_op_log(label, site, nullptr, nullptr, nullptr));
  }
  // The same, but calls sink(std::string_view) with each line.
  template <class F>
  signal<T> log_to(F sink, const char *label = nullptr, const char *site = nullptr) const {
    return through<T>(this->get(), belay_op_log(
                                       label, site,
                                       [](void *ctx, const char *line) {
                                         guarded("a log's sink", [&] {
                                           call_checked(callable<F>(ctx), std::string_view(line));
                                         });
                                       },
                                       context(std::move(sink)), &destroy<F>));
  }
  // Raises SIGTRAP before an event for which the callback returns true: of values, of errors, of
  // the completion.
  template <class Next, class Error = nothing, class Completed = nothing>
  signal<T> breakpoint(Next next, Error failed = {}, Completed completed = {}) const {
    using all = stops<Next, Error, Completed>;
    belay_predicate_fn at_next = nullptr;
    belay_stop_at_error_fn at_error = nullptr;
    belay_stop_fn at_completed = nullptr;
    if constexpr (!is_nothing<Next>)
      at_next = [](void *ctx, belay_value v) -> int {
        return call_predicate<Next, T>(&callable<all>(ctx).next, v);
      };
    if constexpr (!is_nothing<Error>)
      at_error = [](void *ctx, const belay_error *failure) -> int {
        return guarded_int(
            [&] { return call_checked(callable<all>(ctx).error, error::retain(failure)) ? 1 : 0; });
      };
    if constexpr (!is_nothing<Completed>)
      at_completed = [](void *ctx) -> int {
        return guarded_int([&] { return call_checked(callable<all>(ctx).completed) ? 1 : 0; });
      };
    return through<T>(this->get(), belay_op_breakpoint(at_next, at_error, at_completed,
                                                       new all{std::move(next), std::move(failed),
                                                               std::move(completed)},
                                                       &destroy<all>));
  }
};

}  // namespace detail
}  // namespace belay

#endif
