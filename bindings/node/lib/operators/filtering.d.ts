import type { Scheduler, Signal, Source } from '../../index';

export interface Filtering<T> {
  // [operators filtering] written by `scripts/api write` from docs/operators.tsv
  /**
   * Passes on the values for which `keep` returns true.
   */
  filter(keep: (value: T) => unknown): Signal<T>;
  /**
   * Passes on the first `count` values. With the last of them it completes, and then ends its
   * source. 0 completes at once, without subscribing.
   */
  take(count: number): Signal<T>;
  /**
   * Drops the first `count` values.
   */
  skip(count: number): Signal<T>;
  /**
   * Sends the last `count` values when the source has completed. Keeps up to `count` values. An
   * error drops them. 0 completes at once, without subscribing.
   */
  takeLast(count: number): Signal<T>;
  /**
   * Drops the last `count` values: each value is sent when `count` more have come. Keeps up to
   * `count` values.
   */
  skipLast(count: number): Signal<T>;
  /**
   * Drops values while `drop` returns true. Passes on the first other value and all values after
   * it, without asking again.
   */
  skipWhile(drop: (value: T) => unknown): Signal<T>;
  /**
   * Passes on values until `trigger` sends a value; then it completes. If `trigger` completes
   * without a value, nothing changes; its error is passed on.
   */
  takeUntil<U>(trigger: Source<U>): Signal<T>;
  /**
   * Drops values until `trigger` sends one; it then disposes of `trigger`. If `trigger` completes
   * without a value, only the end of the source is passed on. The error of `trigger` is passed on.
   */
  skipUntil<U>(trigger: Source<U>): Signal<T>;
  /**
   * Passes on the values of the source until `replacement` sends anything, a value or an end. From
   * then on it passes on the events of `replacement` alone and disposes of the source. An error of
   * the source ends the result. A completion of the source does not, because the replacement may
   * still send.
   */
  takeUntilReplacement<U>(replacement: Source<U>): Signal<T | U>;
  /**
   * Passes on values for `seconds` after the subscription, then completes.
   */
  takeFor(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Drops values for `seconds` after the subscription.
   */
  skipFor(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Sends the values of the last `seconds` before the completion, at the completion. A value that
   * is as old as `seconds` is dropped. Keeps the values of that time: 1024, unless
   * belay_signal_set_queue() says otherwise; then it ends with EAGAIN.
   */
  takeLastFor(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Sends the values except those of the last `seconds` before the completion: each one with the
   * first value, or the completion, that comes when it is as old as that. Keeps the values of that
   * time.
   */
  skipLastFor(seconds: number, scheduler?: Scheduler): Signal<T>;
  /**
   * Sends the first value for which `wanted` returns true, then completes. Only completes when
   * there is none.
   */
  find(wanted: (value: T) => unknown): Signal<T>;
  /**
   * Drops all values and passes on the end.
   */
  ignoreElements(): Signal<T>;
  // [end]

  /** Passes on values until the object is collected, or the owner begins to die. */
  takeDuring(owner: object): Signal<T>;
  /** Passes on values while `keep` is true of them, and with `inclusive` the first other one. */
  takeWhile(keep: (value: T) => unknown, options?: { inclusive?: boolean }): Signal<T>;
  /** The value at an index. Without a fallback it ends with ERANGE when there is none. */
  elementAt<U = T>(index: number, fallback?: U): Signal<T | U>;
  /** The first value, or the first that is wanted. Ends with ENOENT when there is none. */
  first(wanted?: (value: T) => unknown): Signal<T>;
  /** The last value, or the last that is wanted. Ends with ENOENT when there is none. */
  last(wanted?: (value: T) => unknown): Signal<T>;
  /** The only value. Ends with ENOENT when there is none, and with ERANGE at a second one. */
  single(wanted?: (value: T) => unknown): Signal<T>;
  /** Drops values that are `unwanted`, by Object.is(). */
  ignore(unwanted: unknown): Signal<T>;
  /** Drops a value that came before, or whose key did. Keeps all keys. */
  distinct(key?: (value: T) => unknown): Signal<T>;
  /** Drops a value that equals the one before it, by Object.is() if nothing else is given. */
  distinctUntilChanged(equal?: (a: T, b: T) => unknown): Signal<T>;
  /** Two signals: of the values for which `isFirst` is true, and of the others. */
  partition(isFirst: (value: T) => unknown): [Signal<T>, Signal<T>];
}
