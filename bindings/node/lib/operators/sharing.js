'use strict';
const core = require('../core');
const { Subscription } = require('../disposables');
const { isGiven, native, optionsOf, scheduler } = core;

const KEPT = ['keepError', 'keepCompleted', 'keepConnection'];
const REPLAY = ['seconds', 'scheduler'];
const RESETS = ['error', 'completed', 'unused', 'replayed'];

/* What outlives an end, as bits. */
function rules({ keepError = false, keepCompleted = false, keepConnection = false }) {
  return Number(keepError) + 2 * Number(keepCompleted) + 4 * Number(keepConnection);
}

class Sharing {
  // [operators sharing] written by `scripts/api write` from docs/operators.tsv
  // [end]

  publish() {
    return this._apply(native.signal_publish(this._handle));
  }

  replay(count = 1024, options) {
    const { seconds = -1, scheduler: time } = optionsOf('replay', options, REPLAY);
    return this._apply(native.signal_replay(this._handle, scheduler(time), seconds, count));
  }

  multicast(subject) {
    core.handleIn(subject, core.Handle);
    return this._apply(native.signal_multicast(this._handle, subject._own));
  }

  connect() {
    const connection = native.signal_connect(this._own);
    return connection && new Subscription(connection);
  }

  refCount() {
    return this._apply(native.op_ref_count(this._own));
  }

  autoConnect(count = 1) {
    return this._apply(native.op_auto_connect(this._own, count));
  }

  share(kept) {
    return this._apply(native.op_share(this._handle, rules(optionsOf('share', kept, KEPT))));
  }

  shareUntil(resets) {
    const { error, completed, unused, replayed = 0 } = optionsOf('shareUntil', resets, RESETS);
    const signals = [error, completed, unused].map((each) => (isGiven(each) ? core.handle(each) : undefined));
    return this._apply(native.op_share_until(this._handle, replayed, ...signals));
  }

  shareReplay(count = 1024, options) {
    const given = optionsOf('shareReplay', options, [...KEPT, ...REPLAY]);
    const { seconds = -1, scheduler: time } = given;
    return this._apply(
      native.op_share_replay(this._handle, scheduler(time), seconds, count, rules(given)),
    );
  }
}

module.exports = Sharing;
