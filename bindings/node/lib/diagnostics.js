'use strict';
const { native } = require('./core');

const KINDS = 13;

function live(kind) {
  for (let i = 0; i < KINDS; i++) {
    if (native.live_kind_name(i) === kind) return native.live_count(i);
  }
  if (kind !== undefined) throw new TypeError(`no kind of live things: ${kind}`);
  return native.live_count(KINDS);
}

module.exports = {
  live,
  lost: native.lost_count,
  misuses: native.misuse_count,
  version: native.version(),
};
