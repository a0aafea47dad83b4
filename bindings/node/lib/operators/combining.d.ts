import type { Items, Signal, Source } from '../../index';

export interface Combining<T> {
  // [operators combining] written by `scripts/api write` from docs/operators.tsv
  // [end]

  /** Sends each value with the latest ones of the others, or what the last argument makes of
   * them. */
  withLatestFrom<S extends Source<unknown>[]>(...others: S): Signal<[T, ...Items<S>]>;
  withLatestFrom<S extends Source<unknown>[], R>(
    ...others: [...S, (value: T, ...values: Items<S>) => R]
  ): Signal<R>;
  /** Sends these values first. */
  startWith<V extends unknown[]>(...values: V): Signal<T | V[number]>;
  /** Sends these values after the last one. */
  endWith<V extends unknown[]>(...values: V): Signal<T | V[number]>;
  /** Whether both send equal values in the same order: one boolean. */
  sequenceEqual<U>(other: Source<U>, equal?: (a: T, b: U) => unknown): Signal<boolean>;
  /** Sends the opposite of each value. One that is not a boolean ends it with EKIND. */
  not(this: Signal<boolean>): Signal<boolean>;
  /** Calls `reduce` with the items of each value. */
  reduceEach<A extends unknown[], R>(this: Signal<A>, reduce: (...items: A) => R): Signal<R>;
}
