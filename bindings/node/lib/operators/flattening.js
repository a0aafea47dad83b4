'use strict';
/* A function that makes a signal of something takes all that Signal.from() takes for one: an array,
   a promise. */
const core = require('../core');
const { callable, handles, makers, making, native, optionsOf, scheduler } = core;

const BACKOFF = ['factor', 'longest', 'jitter', 'attempts', 'resetOnValue', 'scheduler'];

class Flattening {
  // [operators flattening] written by `scripts/api write` from docs/operators.tsv
  concatMap(map) {
    return this._apply(native.op_concat_map(this._handle, core.making(map)));
  }

  switchMap(map) {
    return this._apply(native.op_switch_map(this._handle, core.making(map)));
  }

  exhaustMap(map) {
    return this._apply(native.op_exhaust_map(this._handle, core.making(map)));
  }

  merge(...others) {
    return this._apply(native.op_merge(this._handle, core.handles(others)));
  }

  mergeDelayError(...others) {
    return this._apply(native.op_merge_delay_error(this._handle, core.handles(others)));
  }

  concat(...others) {
    return this._apply(native.op_concat(this._handle, core.handles(others)));
  }

  catchTo(value) {
    return this._apply(native.op_catch_to(this._handle, value));
  }
  // [end]

  static merge(...signals) {
    return makers.signal(native.signal_merge(handles(signals)));
  }

  static mergeDelayError(...signals) {
    return makers.signal(native.signal_merge_delay_error(handles(signals)));
  }

  static concat(...signals) {
    return makers.signal(native.signal_concat(handles(signals)));
  }

  flatMap(map, options) {
    const { limit = Infinity } = optionsOf('flatMap', options, ['limit']);
    return this._apply(native.op_flat_map(this._handle, limit, making(map)));
  }

  expand(map, options) {
    const { limit = Infinity } = optionsOf('expand', options, ['limit']);
    return this._apply(native.op_expand(this._handle, limit, making(map)));
  }

  mergeAll(options) {
    const { limit = Infinity } = optionsOf('mergeAll', options, ['limit']);
    return this._apply(native.op_merge_all(native.signals_of(this._handle), limit));
  }

  concatAll() {
    return this._apply(native.op_concat_all(native.signals_of(this._handle)));
  }

  switchToLatest() {
    return this._apply(native.op_switch_to_latest(native.signals_of(this._handle)));
  }

  /* belay_op_then(): what has a `then` is a promise to JavaScript. */
  andThen(next) {
    return this._apply(native.op_then(this._handle, core.handle(next)));
  }

  repeat(count = Infinity) {
    return this._apply(native.op_repeat(this._handle, count));
  }

  repeatWhen(answer) {
    return this._apply(native.op_repeat_when(this._handle, making(answer)));
  }

  catch(recover) {
    return this._apply(native.op_catch(this._handle, making(recover)));
  }

  retry(count = Infinity) {
    return this._apply(native.op_retry(this._handle, count));
  }

  retryWhen(answer) {
    return this._apply(native.op_retry_when(this._handle, making(answer)));
  }

  retryBackoff(seconds, options) {
    const {
      factor = 2,
      longest = 60,
      jitter = 0,
      attempts = Infinity,
      resetOnValue = false,
      scheduler: time,
    } = optionsOf('retryBackoff', options, BACKOFF);
    const resets = resetOnValue ? 1 : 0;
    return this._apply(
      native.op_retry_backoff(
        this._handle, scheduler(time), seconds, factor, longest, jitter, attempts, resets,
      ),
    );
  }

  attempt(action) {
    return this._apply(native.op_attempt(this._handle, callable(action)));
  }
}

module.exports = Flattening;
