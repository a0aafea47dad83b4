'use strict';
const { isDeepStrictEqual } = require('util');
const { Handle, handle, handleIn, makers, native } = require('./core');
const { isComparable } = require('./keys');
const { Scheduler } = require('./loops');

const DIGITS = '0123456789';

/* Whether both have the same content. Handles have none that JavaScript sees. */
function isSame(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isSame(each, b[i]));
  return a instanceof Handle || b instanceof Handle ? a === b : isDeepStrictEqual(a, b);
}

/* The values of marks that Belay compares by the value that refers to them: there is one for equal ones. */
class Meanings {
  #all = []; // with the handles of those values

  define(value) {
    if (isComparable(value)) return value;
    const meant = this.meantBy(value);
    if (!Object.is(meant, value)) return meant;
    const made = new Handle(native.key(value));
    this.#all.push({ value, handle: made });
    return made;
  }

  /* What Belay gets for a value. */
  meantBy(value) {
    if (isComparable(value)) return value;
    return this.#all.find((each) => isSame(each.value, value))?.handle ?? value;
  }
}

/* Signals under virtual time. */
class Marbles extends Handle {
  #meanings = new Meanings();

  constructor(values = {}) {
    super(native.marbles_create());
    // A digit is a number of JavaScript's.
    for (const digit of DIGITS) native.marbles_define(this._handle, digit, Number(digit));
    for (const [mark, value] of Object.entries(values)) {
      native.marbles_define(this._handle, mark, this.#meanings.define(value));
    }
  }

  get scheduler() {
    return new Scheduler(native.marbles_get_scheduler(this._handle));
  }

  cold(diagram) {
    return makers.signal(native.marbles_cold(this._handle, diagram));
  }

  hot(diagram) {
    return makers.signal(native.marbles_hot(this._handle, diagram));
  }

  expect(signal, diagram, subscription) {
    const meanings = this.#meanings; // the function does not mention this object, which keeps the signal
    const compared = native.op_map(handle(signal), (value) => meanings.meantBy(value));
    native.marbles_expect(this._handle, compared, subscription, diagram);
  }

  expectSubscriptions(source, ...diagrams) {
    native.marbles_expect_subscriptions(this._handle, handle(source), ...diagrams);
  }

  run() {
    native.marbles_run(this._handle);
  }
}

/* Calls `body` with a test, and runs it. */
function marbles(body, values) {
  const test = new Marbles(values);
  try {
    body(test);
    test.run();
  } finally {
    native.give_back(test._handle);
  }
}

/* Runs as diagrams. */
class Drawing extends Handle {
  constructor(frame = 0.001) {
    super(native.drawing_create(frame));
  }

  row(name) {
    native.drawing_row(this._handle, name);
  }

  box(text) {
    native.drawing_box(this._handle, text);
  }

  diagram(name, diagram) {
    native.drawing_diagram(this._handle, name, diagram);
  }

  define(mark, label) {
    native.drawing_define(this._handle, mark, label);
  }

  record(signal, name, scheduler) {
    const time = handleIn(scheduler, Scheduler);
    return makers.signal(native.drawing_record(this._handle, time, handle(signal), name));
  }

  toString() {
    return native.drawing_written(this._handle, false);
  }

  toSVG() {
    return native.drawing_written(this._handle, true);
  }
}

module.exports = { Drawing, Marbles, marbles };
