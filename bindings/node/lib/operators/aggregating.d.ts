import type { Signal, Source } from '../../index';

export interface Aggregating<T> {
  // [operators aggregating] written by `scripts/api write` from docs/operators.tsv
  /**
   * Passes on the values of the source. Sends `fallback` when there were none.
   */
  defaultIfEmpty<U>(fallback: U): Signal<T | U>;
  /**
   * Passes on the values of the source. Continues with `other` when there were none.
   */
  switchIfEmpty<U>(other: Source<U>): Signal<T | U>;
  /**
   * Sends true at the first value for which `wanted` returns true, else false.
   */
  any(wanted: (value: T) => unknown): Signal<boolean>;
  /**
   * Sends false at the first value for which `right` returns false, else true.
   */
  all(right: (value: T) => unknown): Signal<boolean>;
  /**
   * Sends false at the first value, else true.
   */
  isEmpty(): Signal<boolean>;
  /**
   * Sends the number of values, as a uint64.
   */
  count(): Signal<number>;
  /**
   * Sends the mean of the values, as a double. Only completes when there were no values. Ends with
   * EKIND at a value that is not a number.
   */
  average(): Signal<number>;
  /**
   * Sends all values as one array at completion, and nothing on an error. Keeps every value until
   * then.
   */
  collect(): Signal<T[]>;
  // [end]

  /** Whether a value is `wanted`, by Object.is(). */
  contains(wanted: unknown): Signal<boolean>;
  /** The smallest value, by `less` or as numbers and strings are. */
  min(less?: (a: T, b: T) => unknown): Signal<T>;
  /** The largest value, by `less` or as numbers and strings are. */
  max(less?: (a: T, b: T) => unknown): Signal<T>;
  /** The sum of numbers, or of bigints; of none 0. */
  sum(): Signal<T>;
  /** What `step(accumulated, value)` has made of all values, beginning with `seed`. */
  reduce<U>(seed: U, step: (accumulated: U, value: T) => U): Signal<U>;
}
