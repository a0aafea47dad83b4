'use strict';
const core = require('../core');
const { Subscription } = require('../disposables');
const { handleOf } = require('../owners');
const { native } = core;

/* What calls the methods of a target instead of Belay. */
function calling(target) {
  if (Object(target) !== target || !('next' in target || 'value' in target)) {
    throw new TypeError(`${String(target)} is neither a subject nor a property`);
  }
  if (!('next' in target)) {
    return {
      next(value) {
        target.value = value;
      },
    };
  }
  return {
    next: (value) => target.next(value),
    error: (error) => target.error(error),
    complete: () => target.complete(),
  };
}

class Binding {
  /* To a subject, which gets the ends too, or to a property. */
  bind(target, options) {
    const { owner } = core.optionsOf('bind', options, ['owner']);
    // One of another copy of this package has a handle that means nothing here. One that delivers at
    // this moment without Belay has to keep its order. Belay binds a subject without an owner.
    const isSubject = target instanceof core.Handle && 'next' in target;
    if (!(target instanceof core.Handle) || target._isDelivering || (isSubject && core.isGiven(owner))) {
      return this.subscribe(calling(target), { owner });
    }
    const made = isSubject
      ? native.signal_bind(this._handle, target._own)
      : native.signal_bind_property(this._handle, target._handle, handleOf(owner));
    return new Subscription(made);
  }
}

module.exports = Binding;
