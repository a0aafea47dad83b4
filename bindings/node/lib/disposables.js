'use strict';
const { Handle, bare, handleIn, isGiven, makers, native, optional } = require('./core');

/* Ends a piece of work, once. */
class Subscription extends Handle {
  dispose() {
    native.disposable_dispose(this._handle);
  }

  /* Waits for callbacks on other threads too: 0, or the failure is thrown. */
  disposeSync(timeout = -1) {
    native.disposable_dispose_sync(this._handle, timeout);
  }

  get isDisposed() {
    return native.disposable_is_disposed(this._handle) === 1;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.dispose();
  }
}

class Disposable extends Subscription {
  constructor(action) {
    super(native.disposable_create(optional(action)));
  }
}

class Compound extends Subscription {
  constructor(...members) {
    super(native.compound_create());
    for (const member of members) this.add(member);
  }

  add(member) {
    return native.compound_add(this._handle, ending(member));
  }

  remove(key) {
    native.compound_remove(this._handle, key);
  }

  get count() {
    return native.compound_count(this._handle);
  }
}

class Serial extends Subscription {
  constructor() {
    super(native.serial_create());
  }

  set(next) {
    native.serial_set(this._handle, isGiven(next) ? ending(next) : undefined);
  }

  swap(next) {
    const previous = native.serial_swap(this._handle, isGiven(next) ? ending(next) : undefined);
    return previous && new Subscription(previous);
  }
}

class SingleAssignment extends Subscription {
  constructor() {
    super(native.single_assignment_create());
  }

  set(inner) {
    native.single_assignment_set(this._handle, ending(inner));
  }
}

class Bag extends Handle {
  constructor(handle = native.bag_create()) {
    super(handle);
  }

  add(member) {
    native.bag_add(this._handle, ending(member));
  }

  get count() {
    return native.bag_count(this._handle);
  }
}

/* The handle of what ends a piece of work: a subscription, or a function that becomes one. */
function ending(given) {
  return handleIn(typeof given === 'function' ? new Disposable(given) : given, Subscription);
}

for (const { prototype } of [Bag, Subscription]) bare.add(prototype);
makers.disposable = (handle) => new Subscription(handle);
makers.bag = (handle) => new Bag(handle);

module.exports = { Bag, Compound, Disposable, Serial, SingleAssignment, Subscription, ending };
