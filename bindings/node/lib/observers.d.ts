/* Who listens. */

/** What is told of the end of a subscription. */
export interface EndObserver {
  /** Without it an error becomes an uncaughtException. */
  error?(error: any): unknown;
  complete?(): unknown;
  /** Called once, however the subscription ended. */
  disposed?(): unknown;
}

/** What gets each value on its own. */
export interface ValueObserver<T> extends EndObserver {
  next?(value: T): unknown;
}

export interface BatchObserver<T> extends EndObserver {
  next?: undefined;
  /** Instead of `next`: gets the values that come together, 1 to 256 of them. They are those of one
   * nextBatch(), of Signal.of(), range() or a replay, or what other threads have sent since the last
   * turn. It costs a tenth for each value; the operators before it have seen all of them by then. */
  nextBatch(values: T[]): unknown;
}

/** What listens: it has `next` or `nextBatch`, and not both. */
export type Observer<T> = (ValueObserver<T> & { nextBatch?: undefined }) | BatchObserver<T>;

/** What a Subject and a Subscriber have in common. */
export interface Sends<T> {
  next(value: T): boolean;
  nextBatch(values: Iterable<T>): boolean;
  error(error: unknown): boolean;
  complete(): boolean;
}
