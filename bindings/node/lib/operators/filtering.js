'use strict';
const core = require('../core');
const { unseen } = require('../keys');
const { handleOf } = require('../owners');
const { defer } = require('./creating');
const { callable, makers, native, optional, optionsOf } = core;

class Filtering {
  // [operators filtering] written by `scripts/api write` from docs/operators.tsv
  filter(keep) {
    return this._apply(native.op_filter(this._handle, core.callable(keep)));
  }

  take(count) {
    return this._apply(native.op_take(this._handle, count));
  }

  skip(count) {
    return this._apply(native.op_skip(this._handle, count));
  }

  takeLast(count) {
    return this._apply(native.op_take_last(this._handle, count));
  }

  skipLast(count) {
    return this._apply(native.op_skip_last(this._handle, count));
  }

  skipWhile(drop) {
    return this._apply(native.op_skip_while(this._handle, core.callable(drop)));
  }

  takeUntil(trigger) {
    return this._apply(native.op_take_until(this._handle, core.handle(trigger)));
  }

  skipUntil(trigger) {
    return this._apply(native.op_skip_until(this._handle, core.handle(trigger)));
  }

  takeUntilReplacement(replacement) {
    return this._apply(native.op_take_until_replacement(this._handle, core.handle(replacement)));
  }

  takeFor(seconds, scheduler) {
    return this._apply(native.op_take_for(this._handle, core.scheduler(scheduler), seconds));
  }

  skipFor(seconds, scheduler) {
    return this._apply(native.op_skip_for(this._handle, core.scheduler(scheduler), seconds));
  }

  takeLastFor(seconds, scheduler) {
    return this._apply(native.op_take_last_for(this._handle, core.scheduler(scheduler), seconds));
  }

  skipLastFor(seconds, scheduler) {
    return this._apply(native.op_skip_last_for(this._handle, core.scheduler(scheduler), seconds));
  }

  find(wanted) {
    return this._apply(native.op_find(this._handle, core.callable(wanted)));
  }

  ignoreElements() {
    return this._apply(native.op_ignore_elements(this._handle));
  }
  // [end]

  takeDuring(owner) {
    return this._apply(native.op_take_during(this._handle, handleOf(owner)));
  }

  takeWhile(keep, options) {
    const { inclusive = false } = optionsOf('takeWhile', options, ['inclusive']);
    return this._apply(native.op_take_while(this._handle, callable(keep), inclusive));
  }

  elementAt(index, ...fallback) {
    if (fallback.length === 0) return this._apply(native.op_element_at(this._handle, index));
    return this._apply(native.op_element_at_or(this._handle, index, fallback[0]));
  }

  first(wanted) {
    return this._apply(native.op_first(this._handle, optional(wanted)));
  }

  last(wanted) {
    return this._apply(native.op_last(this._handle, optional(wanted)));
  }

  single(wanted) {
    return this._apply(native.op_single(this._handle, optional(wanted)));
  }

  ignore(unwanted) {
    return this.filter((value) => !Object.is(value, unwanted));
  }

  distinct(key) {
    optional(key);
    return defer(() => this.filter(unseen(key)));
  }

  distinctUntilChanged(equal = Object.is) {
    return this._apply(native.op_distinct_until_changed(this._handle, callable(equal)));
  }

  partition(isFirst) {
    const both = native.signal_partition(this._handle, callable(isFirst));
    return both.map((handle) => makers.signal(handle));
  }
}

module.exports = Filtering;
