import type { Kept, Scheduler, Signal, Source, Subject, Subscription } from '../../index';

export interface Sharing<T> {
  // [operators sharing] written by `scripts/api write` from docs/operators.tsv
  // [end]

  /** A connectable signal: it subscribes to its source at connect(). */
  publish(): Signal<T>;
  /**
   * The same, and a later subscription gets the last `count` values of the last `seconds`: 1024 if not
   * said, all for Infinity.
   */
  replay(count?: number, options?: { seconds?: number; scheduler?: Scheduler }): Signal<T>;
  /** The same through a subject. */
  multicast(subject: Subject<T>): Signal<T>;
  /** Connects. The result disconnects; it is null when the source has ended meanwhile. */
  connect(): Subscription | null;
  /** Connects at the first subscription, and disconnects after the last. */
  refCount(): Signal<T>;
  /** Connects at the `count`th subscription, for good. */
  autoConnect(count?: number): Signal<T>;
  /** One subscription to the source for all. */
  share(kept?: Kept): Signal<T>;
  /**
   * The same. An error, the completion, and the subscription without subscribers are kept until a
   * signal sends a value; without a signal nothing is kept. A later subscription first gets the last
   * `replayed` values.
   */
  shareUntil(resets: {
    error?: Source<any>;
    completed?: Source<any>;
    unused?: Source<any>;
    replayed?: number;
  }): Signal<T>;
  /** The same as share, and a later subscription gets what it gets of replay(). */
  shareReplay(
    count?: number,
    options?: Kept & { seconds?: number; scheduler?: Scheduler },
  ): Signal<T>;
}
