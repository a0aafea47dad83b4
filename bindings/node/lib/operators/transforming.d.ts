import type { Scheduler, Signal, Source } from '../../index';

export interface Transforming<T> {
  // [operators transforming] written by `scripts/api write` from docs/operators.tsv
  /**
   * Replaces each value by the value that `map` returns. A failure value ends the signal with that
   * error.
   */
  map<U>(map: (value: T) => U): Signal<U>;
  /**
   * Sends `value` in place of each value.
   */
  mapTo<U>(value: U): Signal<U>;
  /**
   * Sends [index value] for each value. The index counts from 0.
   */
  enumerated(): Signal<[number, T]>;
  /**
   * Sends [previous current] for each value except the first.
   */
  pairwise(): Signal<[T, T]>;
  /**
   * Sends [previous current] for each value. Before the first value stands `start`.
   * (combinePrevious with an initial value in ReactiveSwift.)
   */
  pairwiseFrom(start: T): Signal<[T, T]>;
  /**
   * Sends an array of the values that came, also when it is empty, with each value of `notifier`
   * and at the completion. The subscription to the source comes first. The completion of `notifier`
   * changes nothing; its error ends the signal. An error drops what has been collected. Keeps the
   * values of an array, without a bound. (RxJS's buffer.)
   */
  bufferBy<U>(notifier: Source<U>): Signal<T[]>;
  /**
   * Sends [seconds value]: the time on the scheduler's clock at which the value came.
   */
  timestamp(scheduler?: Scheduler): Signal<[number, T]>;
  /**
   * Sends [seconds value]: the time since the value before it; for the first value, since the
   * subscription.
   */
  timeInterval(scheduler?: Scheduler): Signal<[number, T]>;
  /**
   * Sends the lines without their ends, LF or CR LF. The last one needs no end; a CR at its end
   * goes, too.
   */
  lines(limit: number): Signal<T>;
  /**
   * Sends frames of `size` bytes. The last one may be shorter.
   */
  framesFixed(size: number): Signal<T>;
  /**
   * Sends strings instead of bytes, one for each value. A character that is cut is put together
   * with the next value. Bytes that are not UTF-8 are the error EILSEQ.
   */
  utf8(): Signal<T>;
  // [end]

  /** Sends what is between the delimiters, of 1 to 1024 bytes; a frame of a string is a string. A frame of more
   * than `limit` bytes is the error EMSGSIZE. */
  framesDelimited(delimiter: string | Uint8Array, limit?: number): Signal<T>;
  /** Sends frames that have their length in front, without it: an unsigned number of `width` bytes. An end
   * inside of a frame is the error EPROTO. */
  framesPrefixed(width: 1 | 2 | 4 | 8, options?: { littleEndian?: boolean; limit?: number }): Signal<T>;
  /** Replaces each value by the one that `map` returns, and drops null. */
  compactMap<U>(map: (value: T) => U | null): Signal<U>;
  /** Replaces the error by the one that `map` returns. */
  mapError(map: (error: unknown) => unknown): Signal<T>;
  /** Sends `step(accumulated, value)` for each value, beginning with `seed`, which is not sent. */
  scan<U>(seed: U, step: (accumulated: U, value: T) => U): Signal<U>;
  /** Sends [object, value] while the object lives, and completes when it is collected. Holds the
   * object weakly. */
  withOwner<O extends object>(object: O): Signal<[O, T]>;
  /** Sends arrays of `count` values, a new one with every `skip`th value. */
  buffer(count: number, skip?: number): Signal<T[]>;
  /** Sends an array every `seconds`, and as soon as `count` values have come. */
  bufferTime(seconds: number, count?: number, scheduler?: Scheduler): Signal<T[]>;
  /** Sends signals of `count` values each; subscribe to each when it comes. */
  window(count: number, skip?: number): Signal<Signal<T>>;
  /** Sends a signal every `seconds`, and as soon as the one before has `count` values. */
  windowTime(seconds: number, count?: number, scheduler?: Scheduler): Signal<Signal<T>>;
  /** Sends a signal for each value of `openings`, which lasts until what `closing` makes sends. */
  windowToggle<U>(openings: Source<U>, closing: (value: U) => Source<unknown>): Signal<Signal<T>>;
  /** Sends windows that follow each other: each value of `notifier` ends one and begins another. */
  windowBy(notifier: Source<unknown>): Signal<Signal<T>>;
  /** Sends a signal for each key, which is its `key`; subscribe to each when it comes. */
  groupBy(key: (value: T) => unknown): Signal<Signal<T>>;
  /** Groups as groupBy() does. A group completes, and is forgotten, when what `until` makes of it
   *  sends or completes. `until` is called before the group is sent. */
  groupByUntil(
    key: (value: T) => unknown, until: (group: Signal<T>) => Source<unknown>,
  ): Signal<Signal<T>>;
  /** Sends the events as values: [0, value], [1, error], [2]. */
  materialize(): Signal<[0, T] | [1, unknown] | [2]>;
  /** Turns the values of materialize() into events again. */
  dematerialize<U>(this: Signal<[0, U] | [1, unknown] | [2]>): Signal<U>;
}

/* The types that docs/operators.tsv cannot tell. A later declaration is tried first. */
export interface Transforming<T> {
  utf8(): Signal<string>;
}
