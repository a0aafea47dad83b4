/** Belay for tests: signals under virtual time, and runs as diagrams. The notation is that of RxJS. */
import type { Scheduler, Signal } from './index';

/** A test. A digit is a number, a letter the string of it, unless `values` says otherwise. Values are compared as
 * by `util.isDeepStrictEqual()`: arrays and objects by their content. A source belongs to the run that follows. */
export declare class Marbles {
  constructor(values?: Record<string, unknown>);
  readonly scheduler: Scheduler;
  cold(diagram: string): Signal<any>;
  hot(diagram: string): Signal<any>;
  /** Expects the signal to do what the diagram says. `subscription` ("--^--!") tells when. */
  expect(signal: Signal<any>, diagram: string, subscription?: string): void;
  /** Expects exactly these subscriptions to a signal of the test. */
  expectSubscriptions(source: Signal<any>, ...diagrams: string[]): void;
  /** Compares; throws both diagrams when they differ. */
  run(): void;
}

/** Calls `body` with a test, and runs it. */
export declare function marbles(
  body: (test: Marbles) => void,
  values?: Record<string, unknown>,
): void;

/** A run as a diagram, as text and as SVG. */
export declare class Drawing {
  constructor(frame?: number);
  row(name: string): void;
  box(text: string): void;
  diagram(name: string, diagram: string): void;
  define(mark: string, label: string): void;
  /** The same signal, whose events are drawn in a line of that name. */
  record<T>(signal: Signal<T>, name: string, scheduler: Scheduler): Signal<T>;
  toString(): string;
  toSVG(): string;
}
