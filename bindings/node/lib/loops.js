'use strict';
const core = require('./core');
const { Subscription } = require('./disposables');
const { Handle, callable, makers, native, optionsOf } = core;

class Scheduler extends Handle {
  static get immediate() {
    return new Scheduler(native.scheduler_immediate());
  }

  static get trampoline() {
    return new Scheduler(native.scheduler_trampoline());
  }

  static get current() {
    return new Scheduler(native.scheduler_current());
  }

  get now() {
    return native.scheduler_now(this._handle);
  }

  get queueHighWater() {
    return native.scheduler_queue_high_water(this._handle);
  }

  schedule(action) {
    return new Subscription(native.scheduler_schedule(this._handle, callable(action)));
  }

  after(seconds, action) {
    return new Subscription(native.scheduler_after(this._handle, seconds, callable(action)));
  }

  every(interval, action, options) {
    const { first = interval, leeway = 0 } = optionsOf('every', options, ['first', 'leeway']);
    return new Subscription(
      native.scheduler_every(this._handle, first, interval, leeway, callable(action)),
    );
  }

  recursive(action) {
    callable(action);
    const run = (handle) => action(new Recursion(handle));
    return new Subscription(native.scheduler_recursive(this._handle, run));
  }
}

class VirtualScheduler extends Scheduler {
  constructor() {
    super(native.scheduler_create_virtual());
  }

  advance(seconds) {
    native.scheduler_advance(this._handle, seconds);
  }

  step(count = 1) {
    return native.scheduler_step(this._handle, count);
  }

  flush() {
    native.scheduler_flush(this._handle);
  }
}

class Recursion extends Handle {
  again() {
    native.recursion_again(this._handle);
  }
}

class Loop extends Handle {
  static get current() {
    return core.loop;
  }

  get scheduler() {
    return new Scheduler(native.loop_get_scheduler(this._handle));
  }

  get now() {
    return native.loop_now(this._handle);
  }

  get turns() {
    return native.loop_turns(this._handle);
  }

  get isAlive() {
    return native.loop_alive(this._handle) === 1;
  }

  get queueHighWater() {
    return native.loop_queue_high_water(this._handle);
  }

  ref() {
    native.keep(true);
    return this;
  }

  unref() {
    native.keep(false);
    return this;
  }

  post(action) {
    native.loop_post(this._handle, callable(action));
  }
}

core.Scheduler = Scheduler;
for (const { prototype } of [Loop, Scheduler]) core.bare.add(prototype);
makers.loop = (handle) => new Loop(handle);
makers.scheduler = (handle) => new Scheduler(handle);

module.exports = { Loop, Recursion, Scheduler, VirtualScheduler };
