import type { QueueOptions, Scheduler, Signal, Source } from '../../index';

export interface Timing<T> {
  // [operators timing] written by `scripts/api write` from docs/operators.tsv
  /**
   * Starts a time of `seconds` (> 0) at a value, and sends the last value that has come when the
   * time is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.)
   */
  audit(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Sends the latest value each time that `notifier` sends one, if a new value has come since the
   * last time. Ends when the source ends, without sending the value that waits. An error of
   * `notifier` ends the signal too; its completion changes nothing. Keeps one value.
   */
  sample<U>(notifier: Source<U>): Signal<T>;
  /**
   * Sends the latest value every `seconds` (> 0), if a new value has come since the last time. Ends
   * when the source ends, without sending the value that waits. Keeps one value.
   */
  sampleTime(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Sends values and the completion `seconds` later (negative counts as 0), in their order. Sends
   * an error at once. Keeps the values of the last `seconds`.
   */
  delay(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Subscribes to the source after `seconds` (negative counts as 0).
   */
  delaySubscription(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Holds the latest value back while the last value of `condition` is true, and sends it when that
   * becomes false. Before the first value of `condition` all values pass. A value of `condition`
   * that is not a bool is the error event EKIND. Ends when the source ends, without sending the
   * value that waits. An error of `condition` ends the signal too; its completion changes nothing.
   * Keeps one value.
   */
  throttleWhile(condition: Source<boolean>): Signal<T>;
  /**
   * Makes a signal of each value, and sends the last value when the signal made of it sends one,
   * unless another value has come before. A completion sends the value that waits first. The
   * completion of a signal that was made changes nothing; its error ends the signal. Keeps one
   * value. (RxJS's debounce.)
   */
  debounceWhen(period: (value: T) => Source<unknown>): Signal<T>;
  /**
   * Makes a signal of a value, and when that sends one, sends the last value that has come. A
   * completion waits for that value. If the signal completes without a value, the last value waits
   * for the next one. An error of the signal ends this one. Keeps one value. (RxJS's audit.)
   */
  auditWhen(period: (value: T) => Source<unknown>): Signal<T>;
  /**
   * Makes a signal of each value, and sends the value when that signal sends one: values may change
   * their order. Drops the value if its signal completes without one. Completes with the source and
   * all of these signals, and ends with the first error. 1024 values may wait;
   * belay_signal_set_queue() changes that. (RxJS's delayWhen.)
   */
  delayWhen(period: (value: T) => Source<unknown>): Signal<T>;
  /**
   * Subscribes to the source by work on `scheduler`. When that is the scheduler of another loop or
   * a pool, the source and the operators above run there, and their events are queued to the home
   * of the subscription: 1024 values, then the error EAGAIN, unless belay_signal_set_queue() says
   * otherwise. That home has to be a loop too (ENOHOME).
   */
  subscribeOn(scheduler?: Scheduler): Signal<T>;
  // [end]

  /** The last value, once none has come for so many seconds. With `waits`, any other value at
   * once. */
  debounce(
    seconds: number,
    options?: { waits?: (value: T) => unknown; scheduler?: Scheduler },
  ): Signal<T>;
  /** At most one value in so many seconds: the first, or the last that came meanwhile. */
  throttle(
    seconds: number,
    options?: { leading?: boolean; trailing?: boolean; scheduler?: Scheduler },
  ): Signal<T>;
  /** Continues with `fallback` when no event has come for so many seconds; without one it ends with
   * ETIMEDOUT. */
  timeout<U = never>(
    seconds: number,
    options?: { fallback?: Source<U>; scheduler?: Scheduler },
  ): Signal<T | U>;
  /** A value begins a period, which ends when the signal made of the value sends one or completes.
   * Sends the first value of each period, or the last that came meanwhile. A period that completes
   * drops its last value. (RxJS's throttle.) */
  throttleWhen(
    period: (value: T) => Source<unknown>,
    options?: { leading?: boolean; trailing?: boolean },
  ): Signal<T>;
  /** Continues with `fallback` when the signal made of a value sends one before the next value has
   * come; without one it ends with ETIMEDOUT. `first` limits the time before the first value. */
  timeoutWhen<U = never>(
    period: (value: T) => Source<unknown>,
    options?: { first?: Source<unknown>; fallback?: Source<U> },
  ): Signal<T | U>;
  /** Delivers by work on a scheduler, from a queue. */
  observeOn(scheduler?: Scheduler, options?: QueueOptions): Signal<T>;
}
