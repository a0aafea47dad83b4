'use strict';
/* Signals that are made of something: values, callbacks, time, what JavaScript waits for. */
const { constants } = require('os');
const { isPromise } = require('util').types;
const core = require('../core');
const { ending } = require('../disposables');
const { roomAfter } = require('../values');
const { callable, isGiven, makers, making, native, optionsOf, scheduler } = core;

const FOLLOW = 1;

/* The handle of what a producer has answered. A boolean is what its last send has answered. */
function teardown(answer) {
  return isGiven(answer) && typeof answer !== 'boolean' ? ending(answer) : undefined;
}

/* An iterator whose return() is called when nobody goes on with it, as a `for of` does: not where it has
   ended by itself, and not while it is running. */
class Iteration {
  #iterator;
  #isOver = false;
  #isLeft = false;

  constructor(iterator) {
    this.#iterator = iterator;
  }

  next() {
    this.#isOver = true; // until it has given something
    const result = this.#iterator.next();
    if (Object(result) !== result || result.done) return result;
    this.#isOver = false;
    if (this.#isLeft) this.leave();
    return result;
  }

  leave() {
    this.#isLeft = true;
    if (this.#isOver) return;
    this.#isOver = true;
    this.#iterator.return?.();
  }
}

/* Whether it is a stream of Node's, or one like those of readable-stream. */
function isStream(source) {
  return ['destroy', 'on', 'pipe'].every((name) => typeof source[name] === 'function');
}

/* Sends what an asynchronous iterable gives, one after the other, until the subscription has ended, and waits
   while a `for await` behind it has too little room. The result is called then. A return() may wait for the
   next() that is on its way. Where a stream is idle, that is for ever: it is destroyed, as return() would do. */
function pulling(source, subscriber) {
  const iterator = source[Symbol.asyncIterator]();
  const stream = isStream(source) ? source : undefined;
  let isOver = false;
  const next = async () => {
    try {
      const result = await iterator.next();
      if (Object(result) !== result) throw new TypeError('the result of an iterator is no object');
      isOver = Boolean(result.done);
      return result;
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const pull = async () => {
    try {
      for (;;) {
        const each = await next();
        if (each.done) break;
        let isTaken;
        const room = roomAfter(() => (isTaken = subscriber.next(each.value)));
        if (room) await room;
        if (!isTaken || subscriber.isDisposed) return;
      }
      subscriber.complete();
    } catch (error) {
      subscriber.error(error);
    }
  };
  pull();
  return () => {
    if (isOver) return;
    iterator.return?.();
    stream?.destroy();
  };
}

/* As create() of a producer that gets `source`, too. Belay keeps a producer as long as its subscription: each
   subscription has one of its own here, which forgets the source. So does what the producer answers, as a rule. */
function lending(source, producer) {
  return Creating.defer(() => Creating.create(handing(source, producer)));
}

function handing(source, producer) {
  return (subscriber) => {
    const given = source;
    source = undefined;
    return producer(subscriber, given);
  };
}

/* Sends what a promise becomes. */
function settling(subscriber, promise) {
  const resolve = (value) => {
    subscriber.next(value);
    subscriber.complete();
  };
  promise.then(resolve, (error) => subscriber.error(error));
}

/* Sends what a signal of another copy of this package does, whose handles mean nothing here. Values and errors
   pass as they are. Where that signal is interrupted, so is the subscription. */
function carrying(subscriber, signal) {
  const end = new AbortController();
  signal.subscribe(carrier(subscriber, end), { signal: end.signal });
  return aborting(end);
}

function carrier(subscriber, end) {
  return {
    next(value) {
      subscriber.next(value);
      if (subscriber.isDisposed) end.abort(); // while it begins, nothing else ends it
    },
    error: (error) => subscriber.error(error),
    complete: () => subscriber.complete(),
    disposed: () => native.give_back(subscriber._handle),
  };
}

function aborting(controller) {
  return () => controller.abort();
}

/* What disposes of a resource. It does not mention what uses it, which may mention the source. */
function disposing(resource) {
  if (typeof resource?.dispose !== 'function') throw new TypeError('the resource has no dispose()');
  return () => resource.dispose();
}

class Creating {
  static create(producer, options) {
    const { label } = optionsOf('create', options, ['label']);
    callable(producer);
    const subscribe = (subscriber) => {
      try {
        return teardown(producer(subscriber));
      } catch (error) {
        subscriber.error(error);
        return undefined;
      }
    };
    return makers.signal(native.signal_create(subscribe, label && { label }));
  }

  static just(value) {
    return makers.signal(native.signal_just(value));
  }

  static fromOptional(value) {
    return makers.signal(native.signal_from_optional(value ?? null));
  }

  static of(...values) {
    return makers.signal(native.signal_from(values));
  }

  static from(source) {
    if (source instanceof core.Handle) return source;
    if (source?.[core.SIGNAL]) return lending(source, carrying);
    if (Array.isArray(source)) return makers.signal(native.signal_from([...source]));
    if (typeof source?.[Symbol.iterator] === 'function') {
      return Creating.defer(() => {
        const iteration = new Iteration(source[Symbol.iterator]());
        const made = makers.signal(native.signal_from_iterator(() => iteration.next()));
        return made.finally(() => iteration.leave());
      });
    }
    if (typeof source?.[Symbol.asyncIterator] === 'function') {
      return Creating.create((subscriber) => pulling(source, subscriber));
    }
    if (typeof source?.then === 'function') {
      // The subscription may come after the turn that rejects it: it is not nobody's meanwhile.
      if (isPromise(source)) source.catch(() => {});
      return lending(source, settling);
    }
    throw new TypeError(`no signal can be made of ${String(source)}`);
  }

  static fromEvent(emitter, name) {
    return makers.events(lending, emitter, name);
  }

  static empty() {
    return makers.signal(native.signal_empty());
  }

  static never() {
    return makers.signal(native.signal_never());
  }

  static error(error) {
    return makers.signal(native.signal_error(error));
  }

  static range(start, count) {
    return makers.signal(native.op_number(native.signal_range(start, count)));
  }

  static repeatValue(value, count = Infinity) {
    return makers.signal(native.signal_repeat_value(value, count));
  }

  static defer(make) {
    return makers.signal(native.signal_defer(making(make)));
  }

  static generate(initial, condition, next, result = (state) => state) {
    return Creating.from({
      *[Symbol.iterator]() {
        for (let state = initial; condition(state); state = next(state)) yield result(state);
      },
    });
  }

  static using(make, use) {
    return Creating.defer(() => {
      const resource = make();
      const end = disposing(resource);
      try {
        return makers.from(use(resource)).finally(end);
      } catch (error) {
        end();
        throw error;
      }
    });
  }

  static start(work, time) {
    return makers.signal(native.signal_start(scheduler(time), callable(work)));
  }

  static startEagerly(work, time) {
    callable(work);
    let isHeard = false;
    const run = () => {
      try {
        return work();
      } catch (error) {
        // Work on Scheduler.immediate fails before anyone can have subscribed.
        queueMicrotask(() => isHeard || native.report(error));
        throw error;
      }
    };
    const made = makers.signal(native.signal_start_eagerly(scheduler(time), run));
    return made.initially(() => {
      isHeard = true;
    });
  }

  static timer(seconds, time) {
    return makers.signal(native.signal_timer(scheduler(time), seconds));
  }

  static interval(seconds, time) {
    return makers.signal(native.signal_interval(scheduler(time), seconds));
  }

  static fileLines(path, options) {
    const { follow = false } = optionsOf('fileLines', options, ['follow']);
    return makers.signal(native.file_lines(core.loop._handle, path, follow ? FOLLOW : 0));
  }

  static wallTimer(date) {
    return makers.signal(native.wall_timer(core.loop._handle, date.getTime() / 1000));
  }

  static posixSignal(signal) {
    const number = typeof signal === 'string' ? constants.signals[signal] : signal;
    return makers.signal(native.posix_signal(core.loop._handle, number));
  }
}

makers.from = Creating.from;

module.exports = Creating;
