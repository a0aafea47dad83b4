'use strict';
const core = require('./core');
const { Subscription } = require('./disposables');
const { handleOf } = require('./owners');
const { Values, toPromise } = require('./values');
const { Handle, SIGNAL, bound, makers, native } = core;
const { received } = native;

/* What is called of an observer. */
function callsOf(observer) {
  return {
    next: bound(observer, 'next'),
    nextBatch: bound(observer, 'nextBatch'),
    error: bound(observer, 'error'),
    complete: bound(observer, 'complete'),
    disposed: bound(observer, 'disposed'),
  };
}

/* Subscribes to the signal of a handle. */
function listen(handle, calls, { owner, signal, label } = {}) {
  const { next, nextBatch, error, complete, disposed } = calls;
  const ending = signal && endingWith(signal, disposed);
  const subscription = new Subscription(
    native.subscribe(
      handle, next, batches(nextBatch), error, complete, ending ? ending.disposed : disposed,
      handleOf(owner), label,
    ),
  );
  ending?.begin(subscription);
  return subscription;
}

/* Calls an observer's nextBatch with values, or with the numbers that have been received. */
function batches(nextBatch) {
  return nextBatch && ((count, values) => nextBatch(values ?? numbers(count)));
}

/* An array costs less than another Float64Array. */
function numbers(count) {
  const all = new Array(count);
  for (let i = 0; i < count; i++) all[i] = received[i];
  return all;
}

class Signal extends Handle {
  _apply(handle) {
    return new Signal(handle);
  }

  subscribe(observer, options) {
    return listen(this._handle, callsOf(observer), options);
  }

  values(options) {
    return new Values(this, options);
  }

  [Symbol.asyncIterator]() {
    return new Values(this);
  }

  toPromise(options) {
    return toPromise(this, options);
  }

  pipe(...operators) {
    return operators.reduce((made, operator) => operator(made), this);
  }

  get name() {
    return native.signal_name(this._handle);
  }

  set name(name) {
    native.signal_set_name(this._handle, name);
  }

  setQueue(options) {
    native.signal_set_queue(this._handle, core.queueOptions(options));
    return this;
  }

  get queueHighWater() {
    return native.signal_queue_high_water(this._handle);
  }

  get key() {
    return native.signal_key(this._handle);
  }

  toAddress() {
    return native.address(this._handle);
  }

  static fromAddress(address) {
    return new Signal(native.adopt(address));
  }

  export() {
    return native.signal_export(this._handle);
  }

  static import(exchange) {
    return new Signal(native.signal_import(exchange));
  }
}

/* Ends a subscription when the AbortSignal is aborted. A signal that outlives many subscriptions keeps
   none of those that have ended. */
function endingWith(signal, disposed) {
  let subscription;
  let isOver = false;
  const abort = () => subscription.dispose();
  return {
    begin(made) {
      subscription = made;
      if (isOver) return;
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    },
    disposed() {
      isOver = true;
      signal.removeEventListener('abort', abort);
      disposed?.();
    },
  };
}

class Subscriber extends Handle {
  next(value) {
    return native.subscriber_next(this._handle, value) >= 0;
  }

  nextBatch(values) {
    return native.subscriber_next_batch(this._handle, Array.from(values)) >= 0;
  }

  error(error) {
    return native.subscriber_error(this._handle, error) >= 0;
  }

  complete() {
    return native.subscriber_completed(this._handle) >= 0;
  }

  get isDisposed() {
    return native.subscriber_is_disposed(this._handle) === 1;
  }
}

Signal.prototype[SIGNAL] = true;
makers.signal = (handle) => new Signal(handle);
makers.subscriber = (handle) => new Subscriber(handle);

const OWN = ['constructor', 'length', 'name', 'prototype'];

/* Gives Signal the methods of a family. */
function mix(family) {
  for (const [from, to] of [[family.prototype, Signal.prototype], [family, Signal]]) {
    for (const name of Object.getOwnPropertyNames(from)) {
      if (OWN.includes(name)) continue;
      Object.defineProperty(to, name, Object.getOwnPropertyDescriptor(from, name));
    }
  }
}

module.exports = { Signal, Subscriber, callsOf, listen };
for (const family of [
  'creating', 'transforming', 'filtering', 'combining', 'aggregating', 'flattening', 'timing',
  'sharing', 'binding', 'effects',
]) {
  mix(require(`./operators/${family}`));
}
