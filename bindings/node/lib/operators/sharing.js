'use strict';
const core = require('../core');
const { Subscription } = require('../disposables');
const { isGiven, native, scheduler } = core;

/* What outlives an end, as bits. */
function rules({ keepError = false, keepCompleted = false, keepConnection = false } = {}) {
  return Number(keepError) + 2 * Number(keepCompleted) + 4 * Number(keepConnection);
}

class Sharing {
  // [operators sharing] written by `scripts/api write` from docs/operators.tsv
  // [end]

  publish() {
    return this._apply(native.signal_publish(this._handle));
  }

  replay(count = 1024, { seconds = -1, scheduler: time } = {}) {
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
    return this._apply(native.op_share(this._handle, rules(kept)));
  }

  shareUntil({ error, completed, unused, replayed = 0 } = {}) {
    const signals = [error, completed, unused].map((each) => (isGiven(each) ? core.handle(each) : undefined));
    return this._apply(native.op_share_until(this._handle, replayed, ...signals));
  }

  shareReplay(count = 1024, { seconds = -1, scheduler: time, ...kept } = {}) {
    return this._apply(
      native.op_share_replay(this._handle, scheduler(time), seconds, count, rules(kept)),
    );
  }
}

module.exports = Sharing;
