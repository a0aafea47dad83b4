'use strict';
const { addAbortListener } = require('events'); // since Node 20.5
const core = require('./core');
const { Subscription } = require('./disposables');
const { handleOf } = require('./owners');
const { Values, abortSignal, toPromise } = require('./values');
const { Handle, MADE, SENDS, SIGNAL, bound, makers, native, observing, optionsOf } = core;
const { received } = native;

/* What is called of an observer, with whatever stands behind it. A subject or a subscriber has both methods, and gets
   single values: operators before it see each value on its own. */
function callsOf(observer, second, third) {
  observing('subscribe', second, third);
  return {
    next: bound(observer, 'next'),
    nextBatch: observer?.[SENDS] ? undefined : bound(observer, 'nextBatch'),
    error: bound(observer, 'error'),
    complete: bound(observer, 'complete'),
    disposed: bound(observer, 'disposed'),
  };
}

const LISTENING = ['owner', 'signal', 'label'];

/* Subscribes to the signal of a handle. `made` is the handle that the subscription gets, for whoever ends it
   while it begins. */
function listen(handle, calls, options) {
  const { owner, signal, label, [MADE]: made } = optionsOf('subscribe', options, LISTENING);
  const { next, nextBatch, error, complete, disposed } = calls;
  const subscribe = (from, told, made) =>
    native.subscribe(
      from, next, batches(nextBatch), error, complete, told, handleOf(owner), label, made,
    );
  if (abortSignal(signal)) return endedBy(signal, handle, subscribe, disposed, made);
  return new Subscription(subscribe(handle, disposed, made));
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

/* The signals behind what this copy has exported: one of them comes back as it was. */
const exported = new WeakMap();

/* A signal of what any thread may deliver, for whoever listens: a join delivers at its own loop. */
function delivered(handle) {
  const made = native.signal_merge([handle]);
  native.signal_set_name(made, native.signal_name(handle));
  return made;
}

class Signal extends Handle {
  #own;

  /* `own` is the signal itself, where one listens to another one. */
  constructor(handle, own) {
    super(handle);
    this.#own = own;
  }

  get _own() {
    return this.#own ?? this._handle;
  }

  _apply(handle) {
    return new Signal(handle);
  }

  subscribe(observer, options, third) {
    return listen(this._handle, callsOf(observer, options, third), options);
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
    return native.signal_name(this._own);
  }

  set name(name) {
    native.signal_set_name(this._own, name);
    if (this._handle !== this._own) native.signal_set_name(this._handle, this.name);
  }

  setQueue(options) {
    native.signal_set_queue(this._own, core.queueOptions('setQueue', options));
    return this;
  }

  get queueHighWater() {
    return native.signal_queue_high_water(this._own);
  }

  get key() {
    return native.signal_key(this._own);
  }

  toAddress() {
    return native.address(this._own, this._handle !== this._own);
  }

  static fromAddress(address) {
    const own = native.adopt(address);
    return native.is_delivered_elsewhere(own) ? new Signal(delivered(own), own) : new Signal(own);
  }

  byContent() {
    return new Signal(native.signal_by_content(this._handle));
  }

  export() {
    const exchange = native.signal_export(this.byContent()._handle);
    exported.set(exchange, this);
    return exchange;
  }

  static import(exchange) {
    return exported.get(exchange) ?? new Signal(native.signal_import(exchange));
  }
}

/* Calls `abort` when the AbortSignal is aborted, also where an earlier listener stops the event. */
function whenAborted(signal, abort) {
  if (addAbortListener) addAbortListener(signal, abort);
  else signal.addEventListener('abort', abort, { once: true });
}

/* A subscription that ends when the AbortSignal is aborted, also by what is called while it begins. Of one
   that is aborted already nothing is heard. A signal that outlives many subscriptions keeps none of those that
   have ended, nor one that was refused. */
function endedBy(signal, handle, subscribe, disposed, made = native.empty_disposable()) {
  const subscription = new Subscription(made);
  const abort = () => subscription.dispose();
  const forget = () => signal.removeEventListener('abort', abort);
  const told = () => {
    forget();
    disposed?.();
  };
  const isLate = signal.aborted;
  if (!isLate) whenAborted(signal, abort);
  try {
    subscribe(isLate ? native.signal_never() : handle, told, made);
  } catch (error) {
    forget();
    throw error;
  }
  if (isLate) abort();
  return subscription;
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
Subscriber.prototype[SENDS] = true;
for (const { prototype } of [Signal, Subscriber]) core.bare.add(prototype);
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

module.exports = { Signal, Subscriber, callsOf, delivered, listen };
for (const family of [
  'creating', 'transforming', 'filtering', 'combining', 'aggregating', 'flattening', 'timing',
  'sharing', 'binding', 'effects',
]) {
  mix(require(`./operators/${family}`));
}

/* These read bytes. */
for (const name of ['lines', 'framesDelimited', 'framesFixed', 'framesPrefixed', 'utf8']) {
  const operator = Signal.prototype[name];
  Signal.prototype[name] = {
    [name](...given) {
      return operator.apply(this.byContent(), given);
    },
  }[name];
}
