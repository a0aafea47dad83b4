'use strict';
const core = require('../core');
const { callable, native, optional } = core;

class Aggregating {
  // [operators aggregating] written by `scripts/api write` from docs/operators.tsv
  defaultIfEmpty(fallback) {
    return this._apply(native.op_default_if_empty(this._handle, fallback));
  }

  switchIfEmpty(other) {
    return this._apply(native.op_switch_if_empty(this._handle, core.handle(other)));
  }

  any(wanted) {
    return this._apply(native.op_any(this._handle, core.callable(wanted)));
  }

  all(right) {
    return this._apply(native.op_all(this._handle, core.callable(right)));
  }

  isEmpty() {
    return this._apply(native.op_is_empty(this._handle));
  }

  count() {
    return this._apply(native.op_count(this._handle));
  }

  average() {
    return this._apply(native.op_average(this._handle));
  }

  collect() {
    return this._apply(native.op_collect(this._handle));
  }
  // [end]

  contains(wanted) {
    return this.any((value) => Object.is(value, wanted));
  }

  min(less) {
    return this._apply(native.op_min(this._handle, optional(less)));
  }

  max(less) {
    return this._apply(native.op_max(this._handle, optional(less)));
  }

  sum() {
    return this._apply(native.op_sum(this.defaultIfEmpty(0)._handle)); // Belay's own 0 would be a bigint
  }

  reduce(seed, step) {
    return this._apply(native.op_reduce(this._handle, seed, callable(step)));
  }
}

module.exports = Aggregating;
