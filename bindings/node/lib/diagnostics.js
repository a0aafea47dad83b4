'use strict';
const { native, optional } = require('./core');

const KINDS = 13;

function live(kind) {
  for (let i = 0; i < KINDS; i++) {
    if (native.live_kind_name(i) === kind) return native.live_count(i);
  }
  if (kind !== undefined) throw new TypeError(`no kind of live things: ${kind}`);
  return native.live_count(KINDS);
}

const OVERLAPS = [undefined, 'nested', 'threads'];

function onOverlap(hook) {
  const call = optional(hook);
  native.on_overlap(call && ((kind, source, sender) => call(OVERLAPS[kind], source, sender)));
}

function onSlowCallback(seconds, hook) {
  const call = optional(hook);
  native.on_slow_callback(seconds, call && ((taken, name) => call(taken, name)));
}

module.exports = {
  deliveryStack: () => native.delivery_stack(),
  live,
  lost: () => native.lost_count(),
  misuses: () => native.misuse_count(),
  onOverlap,
  onSlowCallback,
  version: native.version(),
};
