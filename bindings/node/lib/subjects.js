'use strict';
const core = require('./core');
const { BATCH, Direct, sendBatch } = require('./direct');
const { Signal } = require('./signal');
const { CAPACITY, native, scheduler } = core;

const REENTRANCIES = ['queue', 'depthFirst', 'latest', 'reject'];

/* Options of a source, as the add-on reads them. */
function options({ label, reentrancy = 'queue', capacity, shared = false } = {}) {
  const policy = REENTRANCIES.indexOf(reentrancy);
  if (policy < 0) throw new TypeError(`reentrancy is one of ${REENTRANCIES.join(', ')}`);
  return { label, reentrancy: policy, capacity, shared };
}

/* So many values of an array or a Float64Array, as an array. */
function part(values, from) {
  const count = Math.min(values.length - from, BATCH);
  const made = new Array(count);
  for (let i = 0; i < count; i++) made[i] = values[from + i];
  return made;
}

class Subject extends Signal {
  #direct = null;

  constructor(given, handle) {
    super(handle ?? native.subject_create(options(given)));
    const { reentrancy = 'queue', shared, capacity } = given ?? {};
    const isPlain = handle === undefined && reentrancy === 'queue' && !shared;
    if (isPlain) this.#direct = new Direct(super._handle, capacity || CAPACITY);
  }

  /* Whatever gets it may send and listen by it. */
  get _handle() {
    this.#direct?.leave();
    return super._handle;
  }

  get _isDelivering() {
    return this.#direct?.isDelivering ?? false;
  }

  subscribe(observer, options) {
    return this.#direct ? this.#direct.subscribe(observer, options) : super.subscribe(observer, options);
  }

  next(value) {
    if (this.#direct !== null) return this.#direct.next(value);
    return native.subject_next(super._handle, value) >= 0;
  }

  nextBatch(values) {
    const all = values instanceof Float64Array || Array.isArray(values) ? values : [...values];
    for (let at = 0; at < all.length; at += BATCH) {
      const some = part(all, at);
      const isTaken = this.#direct?.nextBatch(some) ?? sendBatch(super._handle, some);
      if (!isTaken) return false;
    }
    return true;
  }

  error(error) {
    return this.#finish((handle) => native.subject_error(handle, error));
  }

  complete() {
    return this.#finish((handle) => native.subject_completed(handle));
  }

  #finish(end) {
    return this.#direct ? this.#direct.finish(end) : end(super._handle) >= 0;
  }

  get observerCount() {
    return native.subject_count(super._handle);
  }
}

class BehaviorSubject extends Subject {
  constructor(initial, given) {
    super(undefined, native.subject_create_behavior(initial, options(given)));
  }

  get value() {
    return native.subject_get(this._handle);
  }
}

class ReplaySubject extends Subject {
  constructor(count = Infinity, { seconds = -1, scheduler: time, ...given } = {}) {
    const handle = native.subject_create_replay(scheduler(time), seconds, count, options(given));
    super(undefined, handle);
  }
}

class AsyncSubject extends Subject {
  constructor(given) {
    super(undefined, native.subject_create_async(options(given)));
  }
}

module.exports = { AsyncSubject, BehaviorSubject, ReplaySubject, Subject, options };
