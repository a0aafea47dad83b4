// Operators about time and about where events are delivered. See timing.h.
//
// Without a scheduler, an operator uses the scheduler of the thread's loop.
#ifndef BELAY_OPERATORS_TIMING_HPP
#define BELAY_OPERATORS_TIMING_HPP

#include <belay/timing.h>
#include <belay/integer.hpp>
#include <belay/scheduler.hpp>
#include <belay/signal_base.hpp>
#include <utility>

#pragma push_macro("timeout")  // that of <curses.h>
#undef timeout

namespace belay {

// The policy of a full queue.
enum class queue_policy {
  error = BELAY_QUEUE_ERROR,              // the signal ends with BELAY_EAGAIN, after what waits
  drop_oldest = BELAY_QUEUE_DROP_OLDEST,  // the oldest value that waits is dropped
  drop_newest = BELAY_QUEUE_DROP_NEWEST,  // the new value is dropped
  latest = BELAY_QUEUE_LATEST,            // only the latest value waits, whatever the capacity
  block = BELAY_QUEUE_BLOCK               // the sender waits; see timing.h
};

// How an operator queues.
struct queue_options {
  queue_policy policy = queue_policy::error;
  integer<std::size_t> capacity = 0;  // 0: 1024
  std::size_t *high_water = nullptr;  // has to live as long as the signal and its subscriptions

  belay_queue_options raw() const {
    belay_queue_options made = {};
    made.size = sizeof made;
    made.policy = static_cast<belay_queue_policy>(policy);
    made.capacity = capacity;
    made.high_water = high_water;
    return made;
  }
};

namespace detail {

template <class T, class Base>
class timing : public Base {
 public:
  using Base::Base;

  // [operators timing] written by `scripts/api write` from docs/operators.tsv
  // Sends the last value when no other has come for `time` (> 0). A completion sends the value that
  // waits first. Keeps one value.
  signal<T> debounce(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_debounce(on.get(), time.count()));
  }
  // Starts a time of `time` (> 0) at a value, and sends the last value that has come when the time
  // is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.)
  signal<T> audit(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_audit(on.get(), time.count()));
  }
  // Sends the latest value each time that `notifier` sends one, if a new value has come since the
  // last time. Ends when the source ends, without sending the value that waits. An error of
  // `notifier` ends the signal too; its completion changes nothing. Keeps one value.
  template <class U>
  signal<T> sample(const signal<U> &notifier) const {
    return through<T>(this->get(), belay_op_sample(notifier.retained()));
  }
  // Sends the latest value every `time` (> 0), if a new value has come since the last time. Ends
  // when the source ends, without sending the value that waits. Keeps one value.
  signal<T> sample_time(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_sample_time(on.get(), time.count()));
  }
  // Sends values and the completion `time` later (negative counts as 0), in their order. Sends an
  // error at once. Keeps the values of the last `time`.
  signal<T> delay(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_delay(on.get(), time.count()));
  }
  // Subscribes to the source after `time` (negative counts as 0).
  signal<T> delay_subscription(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_delay_subscription(on.get(), time.count()));
  }
  // Holds the latest value back while the last value of `condition` is true, and sends it when that
  // becomes false. Before the first value of `condition` all values pass. A value of `condition`
  // that is not a bool is the error event BELAY_EKIND. Ends when the source ends, without sending
  // the value that waits. An error of `condition` ends the signal too; its completion changes
  // nothing. Keeps one value.
  signal<T> throttle_while(const signal_of<T, bool> &condition) const {
    return through<T>(this->get(), belay_op_throttle_while(condition.retained()));
  }
  // Makes a signal of each value, and sends the last value when the signal made of it sends one,
  // unless another value has come before. A completion sends the value that waits first. The
  // completion of a signal that was made changes nothing; its error ends the signal. Keeps one
  // value. (RxJS's debounce.)
  template <class F>
  signal<T> debounce_when(F f) const {
    return through<T>(
        this->get(),
        belay_op_debounce_when(&call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Makes a signal of a value, and when that sends one, sends the last value that has come. A
  // completion waits for that value. If the signal completes without a value, the last value waits
  // for the next one. An error of the signal ends this one. Keeps one value. (RxJS's audit.)
  template <class F>
  signal<T> audit_when(F f) const {
    return through<T>(
        this->get(), belay_op_audit_when(&call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // Makes a signal of each value, and sends the value when that signal sends one: values may change
  // their order. Drops the value if its signal completes without one. Completes with the source and
  // all of these signals, and ends with the first error. 1024 values may wait;
  // belay_signal_set_queue() changes that. (RxJS's delayWhen.)
  template <class F>
  signal<T> delay_when(F f) const {
    return through<T>(
        this->get(), belay_op_delay_when(&call_flat_map<F, T>, context(std::move(f)), &destroy<F>));
  }
  // [end]

  // Does what debounce() does with values for which `waits` returns true. Sends any other at once.
  template <class F>
  signal<T> debounce_if(seconds silence, F waits,
                        const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(),
                      belay_op_debounce_if(on.get(), silence.count(), &call_predicate<F, T>,
                                           context(std::move(waits)), &destroy<F>));
  }
  // Sends the first value of each `time` (leading), or the last one at its end (trailing), or both.
  signal<T> throttle(seconds time, bool leading = true, bool trailing = false,
                     const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_throttle(on.get(), time.count(), leading, trailing));
  }
  signal<T> throttle(seconds time, const scheduler &on) const {
    return throttle(time, true, false, on);
  }
  // A value begins a period, which ends when the signal that `period` makes of it sends one or
  // completes. Sends the first value of each period (leading), or the last one at its end (trailing),
  // or both. A period that completes drops its last value. (RxJS's throttle.)
  template <class F>
  signal<T> throttle_when(F period, bool leading = true, bool trailing = false) const {
    return through<T>(this->get(),
                      belay_op_throttle_when(&call_flat_map<F, T>, context(std::move(period)),
                                             &destroy<F>, leading, trailing));
  }
  // Ends with BELAY_ETIMEDOUT when the signal that `period` makes of a value sends one before the next
  // value has come.
  template <class F>
  signal<T> timeout_when(F period) const {
    return through<T>(this->get(),
                      belay_op_timeout_when(nullptr, nullptr, &call_flat_map<F, T>,
                                            context(std::move(period)), &destroy<F>));
  }
  // The same; `first` limits the time before the first value.
  template <class F, class U>
  signal<T> timeout_when(F period, const signal<U> &first) const {
    void *const ctx = context(std::move(period));
    return through<T>(this->get(), belay_op_timeout_when(first.retained(), nullptr,
                                                         &call_flat_map<F, T>, ctx, &destroy<F>));
  }
  // The same, but goes on with `fallback`, which nothing limits.
  template <class F, class U>
  signal<T> timeout_when(F period, const signal<U> &first, const signal<T> &fallback) const {
    void *const ctx = context(std::move(period));
    return through<T>(this->get(), belay_op_timeout_when(first.retained(), fallback.retained(),
                                                         &call_flat_map<F, T>, ctx, &destroy<F>));
  }
  // Ends with BELAY_ETIMEDOUT when no event has come for `time`.
  signal<T> timeout(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_timeout(on.get(), time.count(), nullptr));
  }
  // The same, but goes on with `fallback`.
  signal<T> timeout(seconds time, const signal<T> &fallback,
                    const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_timeout(on.get(), time.count(), fallback.retained()));
  }
  // Delivers the events by work on `where`. All operators and observers below run there.
  signal<T> observe_on(const scheduler &where, const queue_options &queue = {}) const {
    const belay_queue_options raw = queue.raw();
    return through<T>(this->get(), belay_op_observe_on(where.get(), &raw));
  }
  // Subscribes to the source by work on `where`.
  signal<T> subscribe_on(const scheduler &where) const {
    return through<T>(this->get(), belay_op_subscribe_on(where.get()));
  }
};

}  // namespace detail
}  // namespace belay

#pragma pop_macro("timeout")

#endif
