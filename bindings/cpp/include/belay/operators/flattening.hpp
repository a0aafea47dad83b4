// Operators that make signals of values, and that go on after an end. See flattening.h.
#ifndef BELAY_OPERATORS_FLATTENING_HPP
#define BELAY_OPERATORS_FLATTENING_HPP

#include <belay/flattening.h>
#include <belay/integer.hpp>
#include <belay/scheduler.hpp>
#include <belay/signal_base.hpp>
#include <utility>
#include <vector>

namespace belay {

// How retry_backoff() waits.
struct backoff {
  seconds first{1};                           // before the first new attempt
  double factor = 2;                          // each further wait is as many times as long …
  seconds longest{60};                        // … but never longer
  double jitter = 0;                          // the part of each wait that is left to chance, 0 to 1
  integer<std::size_t> attempts = unlimited;  // how often in all
  bool reset_on_value = false;                // a value lets the waits and the count begin anew
};

namespace detail {

// belay_when_fn, which makes a signal of a signal<E>.
template <class F, class E>
belay_signal *call_when(void *ctx, belay_signal *events) noexcept {
  return guarded_handle(
      [&] { return giving_signal::of(callable<F>(ctx), signal<E>::retain(events)); });
}

template <class T, class Base>
class flattening : public Base {
 public:
  using Base::Base;

  // [operators flattening] written by `scripts/api write` from docs/operators.tsv
  // Makes a signal of each value and sends the values of one signal after the other: a flat_map
  // with a limit of 1.
  template <class F>
  signal<made_by<F, T>> concat_map(F f) const {
    return through<made_by<F, T>>(
        this->get(), belay_op_concat_map(&call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Makes a signal of each value and sends the values of the latest one. The one before is disposed
  // of.
  template <class F>
  signal<made_by<F, T>> switch_map(F f) const {
    return through<made_by<F, T>>(
        this->get(), belay_op_switch_map(&call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Makes a signal of a value and sends the values of that signal. Drops values that come while it
  // is active.
  template <class F>
  signal<made_by<F, T>> exhaust_map(F f) const {
    return through<made_by<F, T>>(
        this->get(),
        belay_op_exhaust_map(&call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Sends the values of the source and of `others` as they come. Completes when all of them have
  // completed. Ends with the first error.
  template <class... S>
  signal<T> merge(const S &...others) const {
    taken_of<T, S...> all(others...);
    return through<T>(this->get(), belay_op_merge(all.handles, all.count));
  }
  // Sends the values of all signals as they come, but holds an error back until all of them have
  // ended. Of several errors, the first one is passed on.
  template <class... S>
  signal<T> merge_delay_error(const S &...others) const {
    taken_of<T, S...> all(others...);
    return through<T>(this->get(), belay_op_merge_delay_error(all.handles, all.count));
  }
  // Sends the values of the source, then those of `others`, one after the other.
  template <class... S>
  signal<T> concat(const S &...others) const {
    taken_of<T, S...> all(others...);
    return through<T>(this->get(), belay_op_concat(all.handles, all.count));
  }
  // Drops the values of the source. Sends those of `next` after its completion.
  template <class U>
  signal<U> then(const signal<U> &next) const {
    return through<U>(this->get(), belay_op_then(next.retained()));
  }
  // Sends `value` in place of an error, and completes.
  template <class U = T>
  signal<T> catch_to(U &&value) const {
    return through<T>(this->get(), belay_op_catch_to(give_as<T>(std::forward<U>(value))));
  }
  // [end]

  // Makes a signal of each value, and sends the values of these signals as they come. At most
  // `limit` of them are subscribed to at a time.
  template <class F>
  signal<made_by<F, T>> flat_map(F f, integer<std::size_t> limit = unlimited) const {
    return through<made_by<F, T>>(
        this->get(),
        belay_op_flat_map(limit, &call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Sends each value, makes a signal of it, and does the same with the values of that signal.
  template <class F>
  signal<T> expand(F f, integer<std::size_t> limit = unlimited) const {
    static_assert(!call_t<F, T>::is_good || std::is_same_v<made_by<F, T>, T>,
                  "belay: the callable must return signals of the same type");
    return through<T>(this->get(), belay_op_expand(limit, &call_flat_map<F, T>,
                                                   context(std::move(f)), &destroy<F>));
  }

  // For a signal of signals: sends the values of all of them, of at most `limit` at a time.
  auto merge_all(integer<std::size_t> limit = unlimited) const {
    return through<sent_by<T>>(this->get(), belay_op_merge_all(limit));
  }
  // The same, of one after the other.
  auto concat_all() const { return through<sent_by<T>>(this->get(), belay_op_concat_all()); }
  // The same, of the latest one only.
  auto switch_to_latest() const {
    return through<sent_by<T>>(this->get(), belay_op_switch_to_latest());
  }

  // Subscribes again after each completion, `count` times in all.
  signal<T> repeat(integer<std::size_t> count = unlimited) const {
    return through<T>(this->get(), belay_op_repeat(count));
  }
  // Subscribes again with each value of the signal that answer(signal<unit> of completions)
  // returns.
  template <class F>
  signal<T> repeat_when(F answer) const {
    return through<T>(this->get(), belay_op_repeat_when(&call_when<F, unit>,
                                                        context(std::move(answer)), &destroy<F>));
  }

  // After an error goes on with the signal that recover(error) returns. (`catch` is a word of C++.)
  template <class F>
  signal<T> catch_error(F recover) const {
    return through<T>(this->get(), belay_op_catch(
                                       [](void *ctx, const belay_error *failure) -> belay_signal * {
                                         return guarded_handle([&]() -> belay_signal * {
                                           if constexpr (returns<signal<T>, F, error>()) {
                                             signal<T> next =
                                                 call(callable<F>(ctx), error::retain(failure));
                                             return next.release();
                                           } else {
                                             return nullptr;
                                           }
                                         });
                                       },
                                       context(std::move(recover)), &destroy<F>));
  }
  // Subscribes again after each error, `count` times in all.
  signal<T> retry(integer<std::size_t> count = unlimited) const {
    return through<T>(this->get(), belay_op_retry(count));
  }
  // Subscribes again with each value of the signal that answer(signal<error>) returns.
  template <class F>
  signal<T> retry_when(F answer) const {
    return through<T>(this->get(), belay_op_retry_when(&call_when<F, error>,
                                                       context(std::move(answer)), &destroy<F>));
  }
  // Subscribes again after waits that grow.
  signal<T> retry_backoff(const backoff &waits, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(),
                      belay_op_retry_backoff(on.get(), waits.first.count(), waits.factor,
                                             waits.longest.count(), waits.jitter, waits.attempts,
                                             waits.reset_on_value));
  }
  // Calls `action` with each value before it is passed on. An exception ends the signal.
  template <class F>
  signal<T> attempt(F action) const {
    return through<T>(this->get(), belay_op_attempt(&call_attempt<F, T>, context(std::move(action)),
                                                    &destroy<F>));
  }
};

}  // namespace detail
}  // namespace belay

#endif
