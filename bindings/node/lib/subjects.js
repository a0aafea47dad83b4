'use strict';
const core = require('./core');
const { BATCH, Direct, attempt, sendBatch } = require('./direct');
const { Signal, callsOf, delivered } = require('./signal');
const { addSteps } = require('./stages');
const { CAPACITY, native, optionsOf, scheduler } = core;

const REENTRANCIES = ['queue', 'depthFirst', 'latest', 'reject'];

const SOURCE = ['label', 'reentrancy', 'capacity', 'shared'];
const REPLAY = [...SOURCE, 'seconds', 'scheduler'];

/* Options of a source, as the add-on reads them. */
function options(call, given, known = SOURCE) {
  const { label, reentrancy = 'queue', capacity, shared = false } = optionsOf(call, given, known);
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
    const { reentrancy = 'queue', shared, capacity } = given ?? {};
    const own = handle ?? native.subject_create(options('new Subject', given));
    super(shared ? delivered(own) : own, own);
    const isPlain = handle === undefined && reentrancy === 'queue' && !shared;
    if (isPlain) this.#direct = new Direct(own, capacity || CAPACITY);
  }

  /* Whatever gets it may send and listen by it. */
  get _handle() {
    this.#direct?.leave();
    return super._handle;
  }

  get _own() {
    this.#direct?.leave();
    return super._own;
  }

  get _isDelivering() {
    return this.#direct?.isDelivering ?? false;
  }

  /* The object that delivers its values, if Belay does not. */
  get _direct() {
    return this.#direct?.isOver ? null : this.#direct;
  }

  get _steps() {
    return [];
  }

  subscribe(observer, options, third) {
    const direct = this._direct;
    if (!direct) return super.subscribe(observer, options, third);
    return direct.subscribe(callsOf(observer, options, third), options);
  }

  next(value) {
    if (this.#direct !== null) return this.#direct.next(value);
    return native.subject_next(super._own, value) >= 0;
  }

  nextBatch(values) {
    const all = values instanceof Float64Array || Array.isArray(values) ? values : [...values];
    for (let at = 0; at < all.length; at += BATCH) {
      const some = part(all, at);
      const isTaken = this.#direct?.nextBatch(some) ?? sendBatch(super._own, some);
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
    return this.#direct ? this.#direct.finish(end) : end(super._own) >= 0;
  }

  get observerCount() {
    return this.#direct?.observerCount ?? native.subject_count(super._own);
  }
}

Subject.prototype[core.SENDS] = true;
addSteps(Subject);

class BehaviorSubject extends Subject {
  constructor(initial, given) {
    super(given, native.subject_create_behavior(initial, options('new BehaviorSubject', given)));
  }

  get value() {
    return native.subject_get(this._own);
  }
}

class ReplaySubject extends Subject {
  constructor(count = 1024, given) {
    const source = options('new ReplaySubject', given, REPLAY);
    const { seconds = -1, scheduler: time } = given ?? {};
    super(given, native.subject_create_replay(scheduler(time), seconds, count, source));
  }
}

class AsyncSubject extends Subject {
  constructor(given) {
    super(given, native.subject_create_async(options('new AsyncSubject', given)));
  }
}

/* A listener of an emitter's, which sends what it hears: of several arguments an array. It keeps the emitter and
   the target. Only the emitter keeps it, by the function that it has got. */
class Hearing {
  isOver = false;
  #emitter;
  #name;
  #off; // how it is taken away
  #target;
  #listen; // it refers to this object, which has to live as long as the emitter calls it

  constructor([emitter, name], target) {
    this.#emitter = emitter;
    this.#name = name;
    this.#target = target;
    this.#listen = (value, ...more) => this.#target.next(more.length > 0 ? [value, ...more] : value);
  }

  begin() {
    const isEmitter = typeof this.#emitter.on === 'function';
    this.#emitter[isEmitter ? 'on' : 'addEventListener'](this.#name, this.#listen);
    this.#off = isEmitter ? 'off' : 'removeEventListener';
  }

  end() {
    const off = this.#off;
    this.isOver = true;
    this.#off = undefined;
    if (off) this.#emitter[off](this.#name, this.#listen);
  }
}

/* What ends it. Belay keeps this, so it keeps neither the emitter nor the target: an emitter that is dropped goes,
   and then the subscription is interrupted. */
function ending(hearing) {
  const weak = new WeakRef(hearing);
  return () => weak.deref()?.end();
}

/* Sends the events of an emitter to a subscriber of Belay's. */
function hearing(subscriber, from) {
  const made = new Hearing(from, subscriber);
  made.begin();
  return ending(made);
}

/* The signal of an emitter's events. Each subscription has a subject of its own, whose values pass Belay by.
 * An operator of Belay's gets a signal that Belay makes. */
class Events extends Signal {
  #lending;
  #from; // the emitter, and the name of the events
  #made;

  constructor(lending, from) {
    super(undefined);
    this.#lending = lending;
    this.#from = from;
  }

  /* It does not mention this object, which keeps the signal: neither would ever go. */
  get _handle() {
    return (this.#made ??= this.#lending(this.#from, hearing)._handle);
  }

  get _steps() {
    return [];
  }

  get _direct() {
    return { subscribe: (...given) => this.#listen(...given) };
  }

  subscribe(observer, options, third) {
    return this.#listen(callsOf(observer, options, third), options);
  }

  #listen(calls, options, steps) {
    const subject = new Subject();
    const made = new Hearing(this.#from, subject);
    const detached = ending(made);
    const subscription = subject._direct.subscribe({ ...calls, detached }, options, steps);
    if (made.isOver) return subscription;
    try {
      made.begin();
    } catch (error) {
      subject.error(error);
    }
    if (made.isOver) attempt(detached); // what the emitter has sent meanwhile has ended it
    return subscription;
  }
}

core.bare.add(Events.prototype);
addSteps(Events);
core.makers.events = (lending, ...from) => new Events(lending, from);

module.exports = { AsyncSubject, BehaviorSubject, ReplaySubject, Subject, options };
