// Operators about time and about where events are delivered. See timing.h.
//
// A scheduler that is not named is that of the thread's loop.
#ifndef BELAY_OPERATORS_TIMING_HPP
#define BELAY_OPERATORS_TIMING_HPP

#include <belay/timing.h>
#include <belay/scheduler.hpp>
#include <belay/signal_base.hpp>
#include <utility>

namespace belay {

// How observe_on() queues; belay_queue_options without its size.
struct queue_options {
  belay_queue_policy policy = BELAY_QUEUE_ERROR;
  std::size_t capacity = 0;           // 0: 1024
  std::size_t *high_water = nullptr;  // has to live as long as the signal and its subscriptions
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
  // [end]

  // The same for values for which `waits` returns true; any other is sent at once.
  template <class F>
  signal<T> debounce_if(seconds silence, F waits,
                        const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(),
                      belay_op_debounce_if(on.get(), silence.count(), &call_predicate<F, T>,
                                           context(std::move(waits)), &destroy<F>));
  }
  // At most one value in `time`: the first (leading), or the last at its end (trailing), or both.
  signal<T> throttle(seconds time, bool leading = true, bool trailing = false,
                     const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_throttle(on.get(), time.count(), leading, trailing));
  }
  signal<T> throttle(seconds time, const scheduler &on) const {
    return throttle(time, true, false, on);
  }
  // Ends with BELAY_ETIMEDOUT when no event has come for `time`.
  signal<T> timeout(seconds time, const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_timeout(on.get(), time.count(), nullptr));
  }
  // Goes on with `fallback` instead.
  signal<T> timeout(seconds time, const signal<T> &fallback,
                    const scheduler &on = scheduler::current()) const {
    return through<T>(this->get(), belay_op_timeout(on.get(), time.count(), fallback.retained()));
  }
  // Events are delivered by work on `where`, and everything below runs there.
  signal<T> observe_on(const scheduler &where, const queue_options &queue = {}) const {
    belay_queue_options raw = {};
    raw.size = sizeof raw;
    raw.policy = queue.policy;
    raw.capacity = queue.capacity;
    raw.high_water = queue.high_water;
    return through<T>(this->get(), belay_op_observe_on(where.get(), &raw));
  }
  // The source is subscribed to by work on `where`.
  signal<T> subscribe_on(const scheduler &where) const {
    return through<T>(this->get(), belay_op_subscribe_on(where.get()));
  }
};

}  // namespace detail
}  // namespace belay

#endif
