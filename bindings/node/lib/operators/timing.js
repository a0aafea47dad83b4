'use strict';
/* Times are seconds. Without a scheduler they are those of the environment's loop. */
const core = require('../core');
const { native, optional, optionsOf, queueOptions, scheduler } = core;

const THROTTLE = ['leading', 'trailing', 'scheduler'];

class Timing {
  // [operators timing] written by `scripts/api write` from docs/operators.tsv
  audit(seconds, scheduler) {
    return this._apply(native.op_audit(this._handle, core.scheduler(scheduler), seconds));
  }

  sample(notifier) {
    return this._apply(native.op_sample(this._handle, core.handle(notifier)));
  }

  sampleTime(seconds, scheduler) {
    return this._apply(native.op_sample_time(this._handle, core.scheduler(scheduler), seconds));
  }

  delay(seconds, scheduler) {
    return this._apply(native.op_delay(this._handle, core.scheduler(scheduler), seconds));
  }

  delaySubscription(seconds, scheduler) {
    return this._apply(
      native.op_delay_subscription(this._handle, core.scheduler(scheduler), seconds),
    );
  }

  throttleWhile(condition) {
    return this._apply(native.op_throttle_while(this._handle, core.handle(condition)));
  }

  debounceWhen(period) {
    return this._apply(native.op_debounce_when(this._handle, core.making(period)));
  }

  auditWhen(period) {
    return this._apply(native.op_audit_when(this._handle, core.making(period)));
  }

  delayWhen(period) {
    return this._apply(native.op_delay_when(this._handle, core.making(period)));
  }

  subscribeOn(scheduler) {
    return this._apply(native.op_subscribe_on(this._handle, core.scheduler(scheduler)));
  }
  // [end]

  debounce(seconds, options) {
    const { waits, scheduler: time } = optionsOf('debounce', options, ['waits', 'scheduler']);
    const where = scheduler(time);
    if (!optional(waits)) return this._apply(native.op_debounce(this._handle, where, seconds));
    return this._apply(native.op_debounce_if(this._handle, where, seconds, waits));
  }

  throttle(seconds, options) {
    const { leading = true, trailing = false, scheduler: time } = optionsOf('throttle', options, THROTTLE);
    const where = scheduler(time);
    return this._apply(native.op_throttle(this._handle, where, seconds, leading, trailing));
  }

  timeout(seconds, options) {
    const { fallback, scheduler: time } = optionsOf('timeout', options, ['fallback', 'scheduler']);
    const other = fallback === undefined ? undefined : core.handle(fallback);
    return this._apply(native.op_timeout(this._handle, scheduler(time), seconds, other));
  }

  throttleWhen(period, options) {
    const { leading = true, trailing = false } = optionsOf('throttleWhen', options, ['leading', 'trailing']);
    const made = core.making(period);
    return this._apply(native.op_throttle_when(this._handle, made, leading, trailing));
  }

  timeoutWhen(period, options) {
    const { first, fallback } = optionsOf('timeoutWhen', options, ['first', 'fallback']);
    const limit = first === undefined ? undefined : core.handle(first);
    const other = fallback === undefined ? undefined : core.handle(fallback);
    return this._apply(native.op_timeout_when(this._handle, limit, other, core.making(period)));
  }

  observeOn(time, options) {
    const queue = queueOptions('observeOn', options);
    return this._apply(native.op_observe_on(this._handle, scheduler(time), queue));
  }
}

module.exports = Timing;
