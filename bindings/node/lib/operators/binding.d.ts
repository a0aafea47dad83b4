import type { Property, Subject, Subscription } from '../../index';

export interface Binding<T> {
  /** Sends all events into a subject, until the owner dies. */
  bind(target: Subject<T>, options?: { owner?: object }): Subscription;
  /** Sets a property to each value, until the owner dies. */
  bind(target: Property<T>, options?: { owner?: object }): Subscription;
}
