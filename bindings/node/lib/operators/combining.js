'use strict';
/* Several signals that become one by their values. Each takes what Signal.from() takes. */
const core = require('../core');
const { callable, handle, handles, makers, native } = core;

/* The last argument is a combiner, if it is a function. */
function parts(given) {
  const combine = typeof given.at(-1) === 'function' ? given.pop() : undefined;
  return [handles(given), combine];
}

class Combining {
  // [operators combining] written by `scripts/api write` from docs/operators.tsv
  // [end]

  static combineLatest(...signals) {
    return makers.signal(native.signal_combine_latest(...parts(signals)));
  }

  static zip(...signals) {
    return makers.signal(native.signal_zip(...parts(signals)));
  }

  static race(...signals) {
    return makers.signal(native.signal_race(handles(signals)));
  }

  static and(...signals) {
    return makers.signal(native.signal_and(handles(signals)));
  }

  static or(...signals) {
    return makers.signal(native.signal_or(handles(signals)));
  }

  static ifThenElse(condition, yes, no) {
    return makers.signal(native.signal_if_then_else(handle(condition), handle(yes), handle(no)));
  }

  /* `cases` is a Map, or an array of pairs, of keys and signals. */
  static switchOn(keys, cases, otherwise) {
    const pairs = [...cases];
    const numbers = new Map(); // of the cases: JavaScript compares the keys
    pairs.forEach(([key], number) => numbers.has(key) || numbers.set(key, number));
    const chosen = native.op_map(handle(keys), (key) => numbers.get(key) ?? -1);
    const signals = handles(pairs.map(([, signal]) => signal));
    const rest = otherwise === undefined ? undefined : handle(otherwise);
    return makers.signal(native.signal_switch_on(chosen, [...pairs.keys()], signals, rest));
  }

  withLatestFrom(...others) {
    return this._apply(native.op_with_latest_from(this._handle, ...parts(others)));
  }

  startWith(...values) {
    return this._apply(native.op_start_with(this._handle, values));
  }

  endWith(...values) {
    return this._apply(native.op_end_with(this._handle, values));
  }

  sequenceEqual(other, equal = Object.is) {
    return this._apply(native.op_sequence_equal(this._handle, handle(other), callable(equal)));
  }

  not() {
    return this._apply(native.op_not(this._handle));
  }

  reduceEach(reduce) {
    callable(reduce);
    return this.map((items) => reduce(...items));
  }
}

module.exports = Combining;
