import type { Signal } from '../../index';
import type { ValueObserver } from '../observers';

export interface Effects<T> {
  // [operators effects] written by `scripts/api write` from docs/operators.tsv
  /**
   * Raises SIGTRAP on the thread of the callbacks before it passes on an error. A debugger stops
   * there. A process without a debugger and without a handler ends.
   */
  breakpointOnError(): Signal<T>;
  // [end]

  /** Calls the observer for each event before it is passed on. An exception of `next` is the error. */
  do(observer: ValueObserver<T> | ((value: T) => unknown)): Signal<T>;
  /** do() by its other name. */
  tap(observer: ValueObserver<T> | ((value: T) => unknown)): Signal<T>;
  /** Calls `action` once at the end of each subscription, however that comes. */
  finally(action: () => unknown): Signal<T>;
  /** Calls `action` each time before it subscribes to the source. */
  initially(action: () => unknown): Signal<T>;
  /** Writes a line for each event, to stderr or to `sink`. */
  log(label?: string, sink?: (line: string) => unknown): Signal<T>;
}
