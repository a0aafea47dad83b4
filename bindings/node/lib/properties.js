'use strict';
const { Handle, callable, handle, handleIn, isGiven, making, makers, native, optionsOf } = require('./core');
const { Subscription } = require('./disposables');
const { options: sourceOptions } = require('./subjects');

class Property extends Handle {
  constructor(initial, given) {
    super(native.property_create(initial, sourceOptions('new Property', given, ['label', 'capacity'])));
  }

  get value() {
    return native.property_get(this._handle);
  }

  set value(value) {
    native.property_set(this._handle, value);
  }

  /* Nothing else runs in between on this thread. */
  modify(change) {
    this.value = callable(change)(this.value);
  }

  get signal() {
    return makers.signal(native.property_signal(this._handle));
  }

  channel(other) {
    return new Subscription(native.property_channel(this._handle, handleIn(other, Property)));
  }
}

class Command extends Handle {
  constructor(execute, options) {
    const { enabled } = optionsOf('new Command', options, ['enabled']);
    super(native.command_create(isGiven(enabled) ? handle(enabled) : undefined, making(execute)));
  }

  execute(input = null) {
    return makers.signal(native.command_execute(this._handle, input));
  }

  get executing() {
    return makers.signal(native.command_executing(this._handle));
  }

  get enabled() {
    return makers.signal(native.command_enabled(this._handle));
  }

  get values() {
    return makers.signal(native.command_values(this._handle));
  }

  get errors() {
    return makers.signal(native.command_errors(this._handle));
  }
}

class Request extends Handle {
  constructor(initial, accumulate) {
    super(native.request_create(initial, callable(accumulate)));
  }

  subscribe(answer) {
    return new Subscription(native.request_subscribe(this._handle, callable(answer)));
  }

  send(question = null) {
    return native.request_send(this._handle, question);
  }
}

module.exports = { Command, Property, Request };
