'use strict';
const core = require('../core');
const { bound, callable, native, observing, optional } = core;

class Effects {
  // [operators effects] written by `scripts/api write` from docs/operators.tsv
  breakpointOnError() {
    return this._apply(native.op_breakpoint_on_error(this._handle));
  }
  // [end]

  do(observer, second, third) {
    observing('do', second, third);
    const [next, error, complete, disposed] = ['next', 'error', 'complete', 'disposed'].map(
      (name) => bound(observer, name),
    );
    const all = [next, undefined, error, complete, disposed];
    return this._apply(native.op_do(this._handle, ...all));
  }

  tap(observer, second, third) {
    observing('tap', second, third);
    return this.do(observer);
  }

  finally(action) {
    return this._apply(native.op_finally(this._handle, callable(action)));
  }

  initially(action) {
    return this._apply(native.op_initially(this._handle, callable(action)));
  }

  log(label, sink) {
    return this._apply(native.op_log(this._handle, label, undefined, optional(sink)));
  }
}

module.exports = Effects;
