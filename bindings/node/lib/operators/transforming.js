'use strict';
const core = require('../core');
const { Keys } = require('../keys');
const { ownerOf } = require('../owners');
const { defer } = require('./creating');
const { callable, making, native, optionsOf, scheduler } = core;

const [NEXT, ERROR, COMPLETE] = [0, 1, 2];

/* The functions of one grouping. They do not mention the source, whose last reference going is its end. */
function keyed(key, ends) {
  const keys = new Keys();
  return {
    of: (value) => keys.toNative(key(value)),
    end: (group) => native.op_finally(ends(group), keys.hold(group.key)),
  };
}

/* The value of an event of materialize(). */
function happened([event, value]) {
  if (event === NEXT) return value;
  throw event === ERROR ? value : new TypeError(`no event: ${String(event)}`);
}

class Transforming {
  // [operators transforming] written by `scripts/api write` from docs/operators.tsv
  map(map) {
    return this._apply(native.op_map(this._handle, core.callable(map)));
  }

  mapTo(value) {
    return this._apply(native.op_map_to(this._handle, value));
  }

  enumerated() {
    return this._apply(native.op_enumerated(this._handle));
  }

  pairwise() {
    return this._apply(native.op_pairwise(this._handle));
  }

  pairwiseFrom(start) {
    return this._apply(native.op_pairwise_from(this._handle, start));
  }

  bufferBy(notifier) {
    return this._apply(native.op_buffer_by(this._handle, core.handle(notifier)));
  }

  timestamp(scheduler) {
    return this._apply(native.op_timestamp(this._handle, core.scheduler(scheduler)));
  }

  timeInterval(scheduler) {
    return this._apply(native.op_time_interval(this._handle, core.scheduler(scheduler)));
  }

  lines(limit) {
    return this._apply(native.op_lines(this._handle, limit));
  }

  framesFixed(size) {
    return this._apply(native.op_frames_fixed(this._handle, size));
  }

  utf8() {
    return this._apply(native.op_utf8(this._handle));
  }
  // [end]

  framesDelimited(delimiter, limit = Infinity) {
    return this._apply(native.op_frames_delimited(this._handle, Buffer.from(delimiter), limit));
  }

  framesPrefixed(width, options) {
    const { littleEndian = false, limit = Infinity } = optionsOf('framesPrefixed', options, ['littleEndian', 'limit']);
    return this._apply(native.op_frames_prefixed(this._handle, width, limit, littleEndian));
  }

  compactMap(map) {
    return this._apply(native.op_compact_map(this._handle, callable(map)));
  }

  mapError(map) {
    return this._apply(native.op_map_error(this._handle, callable(map)));
  }

  scan(seed, step) {
    return this._apply(native.op_scan(this._handle, seed, callable(step)));
  }

  withOwner(object) {
    const weak = new WeakRef(object);
    return this.takeDuring(ownerOf(object))
      .map((value) => [weak.deref(), value])
      .filter(([alive]) => alive !== undefined);
  }

  buffer(count, skip = count) {
    if (skip === count) return this._apply(native.op_buffer(this._handle, count));
    return this._apply(native.op_buffer_skip(this._handle, count, skip));
  }

  bufferTime(seconds, count = Infinity, time) {
    return this._apply(native.op_buffer_time(this._handle, scheduler(time), seconds, count));
  }

  window(count, skip = count) {
    return this._apply(native.op_window(this._handle, count, skip));
  }

  windowTime(seconds, count = Infinity, time) {
    return this._apply(native.op_window_time(this._handle, scheduler(time), seconds, count));
  }

  windowToggle(openings, closing) {
    const from = core.handle(openings);
    return this._apply(native.op_window_toggle(this._handle, from, making(closing)));
  }

  windowBy(notifier) {
    return this._apply(native.op_window_by(this._handle, core.handle(notifier)));
  }

  groupBy(key) {
    callable(key);
    return defer(() => {
      const { of } = keyed(key);
      return this._apply(native.op_group_by(this._handle, of));
    });
  }

  groupByUntil(key, until) {
    const ends = making(until);
    callable(key);
    return defer(() => {
      const { of, end } = keyed(key, ends);
      return this._apply(native.op_group_by_until(this._handle, of, end));
    });
  }

  materialize() {
    return this._apply(native.op_materialize(this._handle));
  }

  dematerialize() {
    return this.takeWhile(([event]) => event !== COMPLETE).map(happened);
  }
}

module.exports = Transforming;
