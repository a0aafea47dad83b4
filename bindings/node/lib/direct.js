'use strict';
/* Delivery from JavaScript to JavaScript without a call of Belay's for each value.
 *
 * It is for a subject that only its own methods reach: nothing has asked for its handle. Its values then
 * come from next() and nextBatch(), and go to what subscribe() was given, all on one thread, through the
 * steps of stages.js. Belay has the subscriptions, with their owners, counts and ends. Only values pass it
 * by. At the first other use of the subject, another operator say, Belay delivers for good.
 * test/direct.test.js compares the two ways. */
const core = require('./core');
const { Queue } = require('./queue');
const { listen } = require('./signal');
const { native } = core;
/* `given[0]` tells that Belay has to see all values: a subscription has been given away as a value, so that
 * another thread may end it, or a hook is set (diagnostics.js). */
const { given, sent } = native;

const EAGAIN = -11;
const EREENTRANT = -20006;
const BATCH = sent.length;
const MOST_NESTED = 1000; // sends inside each other, as in Belay
let nested = 0;

const nothing = () => {};

/* A subscription. It does not mention the subject, whose last reference going is its end. */
class Listener {
  isOpen = true;
  isLeaving = false;
  subscription = undefined;

  /* `detached` takes the source away: before `disposed`, but after an end. */
  constructor({ next, nextBatch, error, complete, disposed, detached }, steps, tally) {
    this.hasSteps = steps.length > 0;
    const last = next ?? (nextBatch ? (value) => nextBatch([value]) : nothing);
    const finish = () => this.finish();
    const open = (next) => (value) => {
      if (this.isOpen) next(value); // a step may have ended it
    };
    this.next = steps.reduceRight((made, { run }) => run(open(made), finish), last);
    this.nextBatch = nextBatch;
    this.error = error;
    this.complete = complete;
    this.disposed = disposed;
    this.detached = detached;
    this.tally = tally;
  }

  /* Belay has ended the subscription. */
  end() {
    if (this.isLeaving) return;
    const { disposed, detached } = this;
    this.close();
    if (detached) attempt(detached);
    if (disposed) attempt(disposed);
  }

  close() {
    this.isOpen = false;
    this.tally.ended++;
    this.next = this.nextBatch = this.error = this.complete = undefined;
    this.disposed = this.detached = this.subscription = undefined;
  }

  /* Ends it with what one of its functions has thrown. */
  fail(exception) {
    const { error } = this;
    this.leave(() => {
      if (error) attempt(error, exception);
      else native.report(exception);
    });
  }

  /* A step ends it. */
  finish() {
    const { complete } = this;
    this.leave(() => complete && attempt(complete));
  }

  leave(tell) {
    if (!this.isOpen) return;
    const { disposed, detached, subscription } = this;
    this.isLeaving = true;
    this.close();
    subscription.dispose();
    // Behind an operator, the source counts a subscription until its listener has been told.
    const counted = this.hasSteps ? 1 : 0;
    this.tally.leaving += counted;
    tell();
    if (disposed) attempt(disposed);
    if (detached) attempt(detached);
    this.tally.leaving -= counted;
  }
}

/* Nobody handles an exception of this. */
function attempt(call, argument) {
  try {
    call(argument);
  } catch (exception) {
    native.report(exception);
  }
}

/* Puts values where the add-on takes numbers from. False when one is none. */
function areNumbers(values) {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number') return false;
    sent[i] = value;
  }
  return true;
}

/* Sends up to BATCH values by Belay. */
function sendBatch(handle, values) {
  const code = areNumbers(values)
    ? native.subject_next_numbers(handle, values.length)
    : native.subject_next_batch(handle, values);
  return code >= 0;
}

class Direct {
  #handle;
  #capacity;
  #listeners = [];
  #tally = { ended: 0, leaving: 0 }; // how many of them have ended, and are being told of it
  #waiting = new Queue(); // what was sent from inside a delivery: arrays of values, and a function for the end
  #values = 0; // how many values that are
  #isEnding = false; // an end is among them
  #isDelivering = false;
  #isOver = false;

  constructor(handle, capacity) {
    this.#handle = handle;
    this.#capacity = capacity;
  }

  get isDelivering() {
    return this.#isDelivering;
  }

  /* The handle, for whatever may send or listen by it: Belay delivers from now on. */
  leave() {
    this.#isOver = true;
    this.#listeners = [];
    return this.#handle;
  }

  get observerCount() {
    return native.subject_count(this.#handle) + this.#tally.leaving;
  }

  get isOver() {
    return this.#isOver;
  }

  /* `steps` stand between its values and the listener's. */
  subscribe(calls, options, steps = []) {
    if (this.#isOver) return listen(this.#handle, calls, options);
    const listener = new Listener(calls, steps, this.#tally);
    const watched = { ...calls, disposed: () => listener.end() };
    const chain = steps.reduce((all, { apply }) => [...all, apply(all.at(-1))], [this.#handle]);
    const subscription = listen(chain.at(-1), watched, options);
    for (const handle of chain.slice(1)) native.give_back(handle); // they keep the subject
    if (listener.isOpen) listener.subscription = subscription;
    this.#listeners.push(listener);
    if (!this.#isDelivering) this.#tidy();
    return subscription;
  }

  /* Takes out those that have ended, when they are half of them. */
  #tidy() {
    const { ended } = this.#tally;
    if (ended < 16 || 2 * ended < this.#listeners.length) return;
    this.#listeners = this.#listeners.filter((each) => each.isOpen);
    this.#tally.ended = 0;
  }

  next(value) {
    if (this.#isDelivering) return this.#wait([value]);
    if (this.#isOver || given[0] !== 0) return native.subject_next(this.#handle, value) >= 0;
    this.#begin();
    try {
      this.#deliver(value);
      if (this.#waiting.size > 0) this.#drain();
    } finally {
      this.#end();
    }
    return true;
  }

  /* Sends up to BATCH values, in an array that is nobody else's. */
  nextBatch(values) {
    if (this.#isDelivering) return this.#wait(values);
    if (!this.#takes(values)) return sendBatch(this.#handle, values);
    this.#begin();
    try {
      const isTaken = this.#deliverBatch(values);
      this.#drain();
      return isTaken;
    } finally {
      this.#end();
    }
  }

  /* `end` sends it by Belay. */
  finish(end) {
    const send = () => end(this.leave()) >= 0;
    if (!this.#isDelivering) return send();
    if (this.#isEnding) return false;
    this.#isEnding = true;
    this.#waiting.push(send);
    return true;
  }

  #begin() {
    if (nested >= MOST_NESTED) native.raise(EREENTRANT);
    nested++;
    this.#isDelivering = true;
  }

  #end() {
    nested--;
    this.#isDelivering = false;
    this.#tidy();
  }

  /* Whether they can be delivered here. When some listeners take batches and some do not, Belay knows
     their order. */
  #takes(values) {
    if (this.#isOver || given[0] !== 0) return false;
    const open = this.#listeners.filter((each) => each.isOpen);
    const batched = open.filter((each) => each.nextBatch).length;
    if (batched > 0 && batched < open.length) this.leave();
    return !this.#isOver;
  }

  /* One of several values, the ones before which may have brought the subject to Belay. */
  #send(value) {
    if (this.#isOver || given[0] !== 0) return native.subject_next(this.#handle, value) >= 0;
    this.#deliver(value);
    return true;
  }

  #deliver(value) {
    const listeners = this.#listeners;
    const count = listeners.length; // one that is added meanwhile does not get this value
    for (let i = 0; i < count; i++) {
      const each = listeners[i];
      if (!each.isOpen) continue;
      const { next } = each; // its `this` is not ours
      try {
        next(value);
      } catch (exception) {
        each.fail(exception);
      }
    }
  }

  #deliverBatch(values) {
    if (values.length > 1 && this.#listeners.some((each) => each.nextBatch)) {
      this.#deliverTogether(values);
      return true;
    }
    for (let i = 0; i < values.length; i++) {
      if (!this.#send(values[i])) return false;
      this.#drain(); // what a listener has sent comes before the next value, as after a single one
    }
    return true;
  }

  #deliverTogether(values) {
    const listeners = this.#listeners;
    const count = listeners.length;
    for (let i = 0; i < count; i++) {
      const each = listeners[i];
      if (!each.isOpen) continue;
      const { nextBatch } = each;
      try {
        nextBatch(count > 1 ? values.slice() : values);
      } catch (exception) {
        each.fail(exception);
      }
    }
  }

  #wait(values) {
    if (this.#isEnding) return false;
    const taken = values.slice(0, this.#capacity - this.#values);
    if (taken.length > 0) this.#waiting.push(taken);
    this.#values += taken.length;
    if (taken.length < values.length) native.raise(EAGAIN);
    return true;
  }

  #drain() {
    while (this.#waiting.size > 0) {
      const each = this.#waiting.shift();
      if (typeof each === 'function') {
        each();
        continue;
      }
      this.#deliverWaiting(each);
    }
  }

  /* Each value waits until it is delivered. */
  #deliverWaiting(values) {
    const isTogether = values.length > 1 && this.#listeners.some((each) => each.nextBatch);
    if (isTogether && this.#takes(values)) {
      this.#values -= values.length;
      this.#deliverTogether(values);
      return;
    }
    for (let i = 0; i < values.length; i++) {
      this.#values--;
      this.#send(values[i]);
    }
  }
}

module.exports = { BATCH, Direct, attempt, sendBatch };
