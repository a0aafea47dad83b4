/** Belay for Node: signals, subscriptions and owners on the environment's own event loop.
 *
 * Everything belongs to the thread that made it: the main one, or a Worker's. All callbacks run there. Times
 * are seconds. Options are an object, and one that a call does not know is a TypeError. A handle goes when its
 * object is collected. It keeps its functions and values, and the collector does not see them: an object never
 * goes that keeps a handle whose function mentions that object. */

import type { Aggregating } from './lib/operators/aggregating';
import type { Binding } from './lib/operators/binding';
import type { Combining } from './lib/operators/combining';
import type { Effects } from './lib/operators/effects';
import type { Filtering } from './lib/operators/filtering';
import type { Flattening } from './lib/operators/flattening';
import type { Sharing } from './lib/operators/sharing';
import type { Timing } from './lib/operators/timing';
import type { Transforming } from './lib/operators/transforming';
import type { Observer, Sends } from './lib/observers';

export * from './lib/observers';

/** What Signal.from() makes a signal of. */
export type Source<T> = Signal<T> | Iterable<T> | AsyncIterable<T> | PromiseLike<T>;
/** The item of a source, and those of several. */
export type Item<S> = S extends Source<infer T> ? T : never;
export type Items<S extends unknown[]> = { [K in keyof S]: Item<S[K]> };

export interface Waiting {
  /** Ends the wait, and the subscription, with the reason of the abort. */
  signal?: AbortSignal;
  /** Ends it when that object is collected, or that owner dies. */
  owner?: object;
}

/** How a queue keeps values. */
export interface QueueOptions {
  /** The policy for a value when the queue is full. `error`, unless said: the signal ends with
   * EAGAIN, after the values that wait. `latest`: only the latest value waits, whatever the
   * capacity. */
  policy?: 'error' | 'dropOldest' | 'dropNewest' | 'latest';
  /** How many values may wait; 1024, unless said. Infinity: any number. */
  capacity?: number;
}

/** A signal that passes between copies of Belay: see Signal.export(). */
export type Exchange = { readonly __exchange: never };

/** The part of a shared signal that outlives an end. */
export interface Kept {
  keepError?: boolean;
  keepCompleted?: boolean;
  keepConnection?: boolean;
}

export interface SourceOptions {
  /** Its name in reports. Each text is kept for the life of the process. */
  label?: string;
  /** The policy for a value that is sent from inside a delivery of the same source. */
  reentrancy?: 'queue' | 'depthFirst' | 'latest' | 'reject';
  /** How many values may wait then; 1024. */
  capacity?: number;
  /** The source has no home: each thread delivers its own values. Listeners of JavaScript's get those of other
   * threads at a turn of their own loop. Where 1024 wait for it, one more ends the subscription with EAGAIN. */
  shared?: boolean;
}

/** A stream of values, which may end with an error or a completion. A cold one runs its producer for
 * each subscription; a hot one, a Subject, sends to whoever is subscribed. Each operator makes another
 * signal. */
export interface Signal<T>
  extends Aggregating<T>,
    Binding<T>,
    Combining<T>,
    Effects<T>,
    Filtering<T>,
    Flattening<T>,
    Sharing<T>,
    Timing<T>,
    Transforming<T> {}

export declare class Signal<T> implements AsyncIterable<T> {
  protected constructor();

  /** Subscribes. The result ends the subscription when it is disposed of, not when it is dropped.
   * An exception of a callback is the subscription's error. When `signal` is aborted, the
   * subscription ends; with one that is aborted already it does not begin. `label` names it in
   * reports, as that of a source does. */
  subscribe(
    observer?: Observer<T> | ((value: T) => unknown),
    options?: { owner?: object; signal?: AbortSignal; label?: string },
  ): Subscription;
  /** Sends all events into a subject or a subscriber, each value on its own. */
  subscribe(
    target: Sends<T>,
    options?: { owner?: object; signal?: AbortSignal; label?: string },
  ): Subscription;
  /** The values, from the first question on. Leaving a `for await` ends the subscription. Values that
   * come before they are asked for wait in a queue, of 1024 unless said. Unless the queue drops values, an
   * asynchronous iterable that they come from is asked for no more while the queue is half full, or 512 wait
   * in it. So an iterator that nobody asks any more holds up that source, for its other subscribers too: end
   * it by return(). One that is dropped ends when it is collected. */
  values(options?: Waiting & QueueOptions): AsyncIterableIterator<T>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
  /** The last value. Rejects with the error, with ENOENT without a value, with ECANCELED when the
   * source goes without an end. */
  toPromise(options?: Waiting): Promise<T>;
  /** Bounds the queues that its own operator keeps, before the first subscription: without it, each takes
   * 1024 values, and one more is an error. A capacity of Infinity lets them grow. */
  setQueue(options?: {
    policy?: 'error' | 'dropOldest' | 'dropNewest' | 'latest';
    capacity?: number;
  }): this;
  /** The largest number of values that ever waited in one of these queues. */
  readonly queueHighWater: number;
  /** Applies functions of a signal, in order. */
  pipe(): this;
  pipe<A>(a: (signal: this) => A): A;
  pipe<A, B>(a: (signal: this) => A, b: (made: A) => B): B;
  pipe<A, B, C>(a: (signal: this) => A, b: (made: A) => B, c: (made: B) => C): C;
  pipe<A, B, C, D>(a: (signal: this) => A, b: (made: A) => B, c: (made: B) => C, d: (made: C) => D): D;
  pipe<A, B, C, D, E>(
    a: (signal: this) => A,
    b: (made: A) => B,
    c: (made: B) => C,
    d: (made: C) => D,
    e: (made: D) => E,
  ): E;
  pipe<A, B, C, D, E, F>(
    a: (signal: this) => A,
    b: (made: A) => B,
    c: (made: B) => C,
    d: (made: C) => D,
    e: (made: D) => E,
    f: (made: E) => F,
  ): F;
  /** Of more functions the types are not known. */
  pipe(...operators: ((made: any) => any)[]): any;
  /** Its name in reports: given, or built from its chain. */
  name: string;
  /** The key of a group of groupBy(); null for any other signal. */
  readonly key: unknown;
  /** The address of its `belay_signal`, with a reference that whoever gets it has to release. */
  toAddress(): bigint;
  /** The signal at an address, whose reference it takes over. */
  static fromAddress(address: bigint): Signal<unknown>;
  /** The same values, but arrays and Uint8Arrays are copied into values of Belay's, which C and other threads
   * can read. They come back as an array and a Buffer. An object of a class that extends one of Belay's comes back as
   * one of Belay's: a Subject as a Signal. Anything else stays as it is, also in an array.
   * An array that is nested deeper than 100, or inside itself, is the error ERANGE. */
  byContent(): Signal<T>;
  /** The signal for another copy of Belay in the process, an add-on's say: a N-API external around a
   * `belay_exchange`, which keeps a reference. Numbers, strings, booleans, null, arrays, Uint8Arrays and
   * signals pass. At any other object the subscription over there ends with EKIND. */
  export(): Exchange;
  /** The signal that another copy has exported. One of this copy comes back as it was. */
  static import<T = unknown>(exchange: Exchange): Signal<T>;

  /** Calls `producer` for each subscription. It may answer with what ends it, or with nothing. A boolean, as of a
   * last `subscriber.next()`, is nothing; anything else is a TypeError, which is the subscription's error. */
  static create<T>(
    producer: (subscriber: Subscriber<T>) => Subscription | (() => unknown) | boolean | void,
    options?: { label?: string },
  ): Signal<T>;
  static just<T>(value: T): Signal<T>;
  /** Sends the value, or none where it is null or undefined, and completes. */
  static fromOptional<T>(value: T | null | undefined): Signal<T>;
  static of<V extends unknown[]>(...values: V): Signal<V[number]>;
  /** A promise that is rejected while nobody has subscribed is no unhandledRejection. The end of a subscription
   * destroys a stream of Node's, and leaves any other asynchronous iterable by the return() of its iterator. That of
   * an asynchronous generator, and of a web stream, waits until the next() that is on its way has an answer. */
  static from<T>(source: Source<T>): Signal<T>;
  /** The events of an EventEmitter or EventTarget. Of several arguments it sends an array. A subscription does not keep
   * the emitter, and is interrupted when that is collected. */
  static fromEvent(emitter: object, name: string | symbol): Signal<any>;
  static empty(): Signal<never>;
  static never(): Signal<never>;
  static error(error: unknown): Signal<never>;
  static range(start: number, count: number): Signal<number>;
  static repeatValue<T>(value: T, count?: number): Signal<T>;
  /** Makes a signal for each subscription. */
  static defer<T>(make: () => Source<T>): Signal<T>;
  static generate<S, T = S>(
    initial: S,
    condition: (state: S) => unknown,
    next: (state: S) => S,
    result?: (state: S) => T,
  ): Signal<T>;
  /** Makes a resource for each subscription, and disposes of it at the end. What has no dispose() is a TypeError, which
   * is the subscription's error. */
  static using<R extends Subscription, T>(make: () => R, use: (resource: R) => Source<T>): Signal<T>;
  /** Runs `work` for each subscription, at the next turn, and sends its result. */
  static start<T>(work: () => T, scheduler?: Scheduler): Signal<T>;
  /** Runs `work` once, also without a subscription. Its exception is an uncaughtException where
   * nobody has subscribed by then, as with a promise; a later subscription gets it all the same. */
  static startEagerly<T>(work: () => T, scheduler?: Scheduler): Signal<T>;
  static timer(seconds: number, scheduler?: Scheduler): Signal<number>;
  static interval(seconds: number, scheduler?: Scheduler): Signal<number>;
  /** A value once the wall clock shows `date`, even if the clock is set before that. */
  static wallTimer(date: Date): Signal<null>;
  /** The lines of a file; with `follow` also those that come. One that is not UTF-8 is a Buffer. */
  static fileLines(path: string, options?: { follow?: boolean }): Signal<string | Uint8Array>;
  /** The number of a POSIX signal, each time that the process gets it. A subscription keeps the process alive, which
   * one to Signal.fromEvent(process, name) does not. */
  static posixSignal(signal: string | number): Signal<number>;

  /** The latest values of all, or what the last argument makes of them. */
  static combineLatest<S extends Source<any>[]>(...signals: S): Signal<Items<S>>;
  static combineLatest<S extends Source<any>[], R>(
    ...signals: [...S, (...values: Items<S>) => R]
  ): Signal<R>;
  /** The first values of all, then the second, or what the last argument makes of them. */
  static zip<S extends Source<any>[]>(...signals: S): Signal<Items<S>>;
  static zip<S extends Source<any>[], R>(
    ...signals: [...S, (...values: Items<S>) => R]
  ): Signal<R>;
  static race<S extends Source<any>[]>(...signals: S): Signal<Item<S[number]>>;
  static and(...signals: Source<boolean>[]): Signal<boolean>;
  static or(...signals: Source<boolean>[]): Signal<boolean>;
  static ifThenElse<T, U>(
    condition: Source<boolean>,
    yes: Source<T>,
    no: Source<U>,
  ): Signal<T | U>;
  /** The values of the signal that the latest key has among `cases`, else those of `otherwise`. */
  static switchOn<K, T>(
    keys: Source<K>,
    cases: Iterable<[K, Source<T>]>,
    otherwise?: Source<T>,
  ): Signal<T>;
  static merge<S extends Source<any>[]>(...signals: S): Signal<Item<S[number]>>;
  static mergeDelayError<S extends Source<any>[]>(...signals: S): Signal<Item<S[number]>>;
  static concat<S extends Source<any>[]>(...signals: S): Signal<Item<S[number]>>;
}

/** Where a producer sends. A send answers whether it was accepted; after the end none is. */
export declare class Subscriber<T> implements Sends<T> {
  private constructor();
  next(value: T): boolean;
  nextBatch(values: Iterable<T>): boolean;
  error(error: unknown): boolean;
  complete(): boolean;
  readonly isDisposed: boolean;
}

/** A signal that the program sends into. A send answers whether it was accepted: false after the end.
 * Where it is refused, it throws. */
export declare class Subject<T> extends Signal<T> {
  constructor(options?: SourceOptions);
  next(value: T): boolean;
  /** Sends all as batches: see BatchObserver.nextBatch. */
  nextBatch(values: Iterable<T>): boolean;
  error(error: unknown): boolean;
  complete(): boolean;
  readonly observerCount: number;
}

/** Has a current value, which a new subscription gets first. */
export declare class BehaviorSubject<T> extends Subject<T> {
  constructor(initial: T, options?: SourceOptions);
  readonly value: T;
}

/**
 * A new subscription first gets the last `count` values of the last `seconds`: 1024 if not said, all
 * for Infinity.
 */
export declare class ReplaySubject<T> extends Subject<T> {
  constructor(count?: number, options?: SourceOptions & { seconds?: number; scheduler?: Scheduler });
}

/** Sends its last value when it completes. */
export declare class AsyncSubject<T> extends Subject<T> {}

declare global {
  /* As in the lib `esnext.disposable`, which a program without `using` need not have. */
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** Ends a piece of work, once. */
export declare class Subscription {
  protected constructor();
  dispose(): void;
  /** Waits until none of its callbacks runs on another thread, for at most so many seconds. */
  disposeSync(timeout?: number): void;
  readonly isDisposed: boolean;
  /** dispose(), for a `using` declaration. */
  [Symbol.dispose](): void;
}

/** Calls a function when it is disposed of. */
export declare class Disposable extends Subscription {
  constructor(action?: () => unknown);
}

/** What names a member of a Compound. No two members of one ever have the same. */
export type CompoundKey = bigint & { readonly __key: never };

/** Disposes of its members, in the order in which they were added. */
export declare class Compound extends Subscription {
  constructor(...members: (Subscription | (() => unknown))[]);
  /** Answers the key by which remove() takes it out again; 0n when it did not stay. */
  add(member: Subscription | (() => unknown)): CompoundKey;
  /** Takes a member out without disposing of it. Throws ENOENT when it has gone. */
  remove(key: CompoundKey): void;
  readonly count: number;
}

/** Holds one disposable at a time. */
export declare class Serial extends Subscription {
  constructor();
  /** Disposes of the one before. */
  set(next?: Subscription | (() => unknown) | null): void;
  /** Gives the one before back. */
  swap(next?: Subscription | (() => unknown) | null): Subscription | null;
}

/** Accepts one disposable, once. */
export declare class SingleAssignment extends Subscription {
  constructor();
  set(inner: Subscription | (() => unknown)): void;
}

/** Disposes of its members when it is collected. */
export declare class Bag {
  constructor();
  add(member: Subscription | (() => unknown)): void;
  readonly count: number;
}

/** Subscriptions are bound to it, and end with it: when it is collected, or released. Wherever an
 * owner is asked for, any object may stand: it owns until it is collected. A callback that holds
 * that object keeps it alive. */
export declare class Owner {
  constructor(options?: { deinit?: () => unknown; label?: string });
  /** Ends it now, unless a value or a callback of Belay's holds it too. This object is a dead owner from then on:
   * what it is given ends at once. */
  release(): void;
  readonly isDying: boolean;
  readonly label: string;
  readonly deallocating: Signal<null>;
  readonly deallocated: Signal<null>;
  /** Binds a disposable, or a function. */
  add(disposable: Subscription | (() => unknown)): void;
  addChild(child: object): void;
  removeChild(child: object): void;
  /** Calls `handler` for each event of that name that `source` posts, while both live. */
  watch(
    source: object,
    name: string,
    handler: (info: any, name: string) => unknown,
    level?: number,
  ): void;
  /** Ends one watch, those of a name, those of a source, or all. */
  unwatch(source?: object, name?: string, level?: number): void;
  post(name: string, info?: unknown): void;
  /** Calls `notify` when it has died. */
  setNotice(name: string, notify: (name: string) => unknown): void;
  removeNotice(name: string): void;
  readonly notices: string[];
}

/** The owner that stands for an object: it dies when the object is collected. */
export declare function ownerOf(object: object): Owner;

/** A box with a current value and a signal of that value. */
export declare class Property<T> {
  constructor(initial: T, options?: { label?: string; capacity?: number });
  value: T;
  /** Sets what `change` makes of the value, and nothing if it throws. */
  modify(change: (value: T) => T): void;
  readonly signal: Signal<T>;
  /** Makes the other one follow this one, and this one follow it. */
  channel(other: Property<T>): Subscription;
}

/** An action that runs once at a time, and may be disabled. */
export declare class Command<I, T> {
  constructor(execute: (input: I) => Source<T>, options?: { enabled?: Source<boolean> });
  /** Throws EBUSY while it runs, or is not enabled, and what the function `execute` throws; `errors` has neither. */
  execute(input: I): Signal<T>;
  readonly executing: Signal<boolean>;
  readonly enabled: Signal<boolean>;
  readonly values: Signal<T>;
  readonly errors: Signal<any>;
}

/** A source of questions that its listeners answer. Their answers are accumulated. */
export declare class Request<Q, A> {
  /** `accumulate` makes the next result of the one so far, at first `initial`, and an answer. */
  constructor(initial: A, accumulate: (result: A, answer: A) => A);
  /** Has `answer` answer each question, until the result is disposed of. */
  subscribe(answer: (question: Q) => A): Subscription;
  /**
   * Asks every listener, and returns what was made of the answers. Throws the first error of a
   * listener; no other listener is asked then.
   */
  send(question: Q): A;
}

/** Where and when work runs. */
export declare class Scheduler {
  protected constructor();
  /** Runs work at once, inside the call. */
  static readonly immediate: Scheduler;
  /** Runs work at once, or after the work of its that is running. */
  static readonly trampoline: Scheduler;
  static readonly current: Scheduler;
  readonly now: number;
  readonly queueHighWater: number;
  schedule(action: () => unknown): Subscription;
  after(seconds: number, action: () => unknown): Subscription;
  every(
    interval: number,
    action: () => unknown,
    options?: { first?: number; leeway?: number },
  ): Subscription;
  /** Runs `action` once more for each recursion.again(). */
  recursive(action: (recursion: Recursion) => unknown): Subscription;
}

/** A scheduler whose time passes only by the calls here: for tests. */
export declare class VirtualScheduler extends Scheduler {
  constructor();
  advance(seconds: number): void;
  /** Runs so many pieces of work; answers how many there were. */
  step(count?: number): number;
  flush(): void;
}

export declare class Recursion {
  private constructor();
  again(): void;
}

/** The loop of an environment, which Node runs. Running timers, open files and posixSignal() keep the process
 * alive; other subscriptions do not. */
export declare class Loop {
  private constructor();
  static readonly current: Loop;
  readonly scheduler: Scheduler;
  readonly now: number;
  readonly turns: number;
  readonly isAlive: boolean;
  readonly queueHighWater: number;
  /** Keeps the process alive for what other threads send, until unref(). */
  ref(): this;
  unref(): this;
  /** Runs `action` at the next turn. */
  post(action: () => unknown): void;
}

/** An error of Belay's: `code` is its name, `errno` its number, as in Node's own errors. */
export declare class BelayError extends Error {
  private constructor();
  readonly code: string;
  readonly errno: number;
  readonly domain: string;
  readonly value: unknown;
  readonly cause?: unknown;
}

/** How many things of a kind, or of all kinds, are alive in the process. */
export declare function live(
  kind?:
    | 'subscriptions'
    | 'signals'
    | 'subscribers'
    | 'disposables'
    | 'owners'
    | 'loops'
    | 'values'
    | 'errors'
    | 'tables'
    | 'slots'
    | 'proxies'
    | 'closures'
    | 'classes',
): number;
/** How many things were accepted and not delivered. */
export declare function lost(): number;
/** How many calls were refused as wrong. */
export declare function misuses(): number;
/** Calls `hook` when a value comes to a source during an event of the same source: it was sent from inside
 * (`nested`), or another thread was delivering (`threads`). `sender` names the signal whose listener
 * has sent it. Once for each pair of names. The process has one hook; null takes it away. While one is set,
 * no value of this thread passes Belay by. Reports from another thread arrive at a later turn. */
export declare function onOverlap(
  hook: ((kind: 'nested' | 'threads', source: string, sender: string | null) => unknown) | null,
): void;
/** Calls `hook` after each callback that has taken so many seconds or longer, with its time and the name of
 * its signal or work. Like onOverlap() otherwise. */
export declare function onSlowCallback(
  seconds: number,
  hook: ((taken: number, name: string) => unknown) | null,
): void;
/** A line for each signal whose listener runs on this thread, the innermost first: its name. The stack of an
 * Error does not have these. Values that pass Belay by are not there: see Cost. */
export declare function deliveryStack(): string;
/** The version of Belay. */
export declare const version: string;
