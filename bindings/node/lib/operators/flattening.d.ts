import type { Item, Scheduler, Signal, Source } from '../../index';

export interface Flattening<T> {
  // [operators flattening] written by `scripts/api write` from docs/operators.tsv
  /**
   * Makes a signal of each value and sends the values of one signal after the other: a flat_map
   * with a limit of 1.
   */
  concatMap<U>(map: (value: T) => Source<U>): Signal<U>;
  /**
   * Makes a signal of each value and sends the values of the latest one. The one before is disposed
   * of.
   */
  switchMap<U>(map: (value: T) => Source<U>): Signal<U>;
  /**
   * Makes a signal of a value and sends the values of that signal. Drops values that come while it
   * is active.
   */
  exhaustMap<U>(map: (value: T) => Source<U>): Signal<U>;
  /**
   * Sends the values of the source and of `others` as they come. Completes when all of them have
   * completed. Ends with the first error.
   */
  merge<U>(...others: Source<U>[]): Signal<T | U>;
  /**
   * Sends the values of all signals as they come, but holds an error back until all of them have
   * ended. Of several errors, the first one is passed on.
   */
  mergeDelayError<U>(...others: Source<U>[]): Signal<T | U>;
  /**
   * Sends the values of the source, then those of `others`, one after the other.
   */
  concat<U>(...others: Source<U>[]): Signal<T | U>;
  /**
   * Sends `value` in place of an error, and completes.
   */
  catchTo<U>(value: U): Signal<T | U>;
  // [end]

  /** Makes a signal of each value and sends the values of all, of at most `limit` at a time. */
  flatMap<U>(map: (value: T) => Source<U>, options?: { limit?: number }): Signal<U>;
  /** Sends each value, makes a signal of it, and treats the values of that signal likewise. */
  expand(map: (value: T) => Source<T>, options?: { limit?: number }): Signal<T>;
  /** Sends the values of all signals as they come, of at most `limit` at a time. */
  mergeAll(options?: { limit?: number }): Signal<Item<T>>;
  /** Sends the values of one signal after the other. */
  concatAll(): Signal<Item<T>>;
  /** Sends the values of the latest signal. */
  switchToLatest(): Signal<Item<T>>;
  /** Drops the values; sends those of `next` after the completion. (`then` elsewhere, which would
   * make a promise of every signal.) */
  andThen<U>(next: Source<U>): Signal<U>;
  /** Subscribes again after each completion, `count` times in all. */
  repeat(count?: number): Signal<T>;
  /** Subscribes again at each value of what `answer` makes of the completions. */
  repeatWhen(answer: (completions: Signal<null>) => Source<unknown>): Signal<T>;
  /** Continues after an error with what `recover` returns. */
  catch<U>(recover: (error: unknown) => Source<U>): Signal<T | U>;
  /** Subscribes again after each error, `count` times in all. */
  retry(count?: number): Signal<T>;
  /** Subscribes again at each value of what `answer` makes of the errors. */
  retryWhen(answer: (errors: Signal<unknown>) => Source<unknown>): Signal<T>;
  /** Subscribes again `seconds` after the first error, `factor` times later after each further one,
   * but never longer than `longest`. With `resetOnValue`, a value lets the waits and the count begin
   * anew. */
  retryBackoff(
    seconds: number,
    options?: {
      factor?: number;
      longest?: number;
      jitter?: number;
      attempts?: number;
      resetOnValue?: boolean;
      scheduler?: Scheduler;
    },
  ): Signal<T>;
  /** Calls `action` with each value first. Its exception is the error. */
  attempt(action: (value: T) => unknown): Signal<T>;
}

/* Others of several types, which docs/operators.tsv cannot tell. A later declaration is tried first. */
export interface Flattening<T> {
  merge<S extends Source<any>[]>(...others: S): Signal<T | Item<S[number]>>;
  mergeDelayError<S extends Source<any>[]>(...others: S): Signal<T | Item<S[number]>>;
  concat<S extends Source<any>[]>(...others: S): Signal<T | Item<S[number]>>;
}
