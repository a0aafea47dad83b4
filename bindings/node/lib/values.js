'use strict';
/* Signals as what JavaScript waits for: promises and asynchronous iterators. */
const { BelayError, CAPACITY, MADE, POLICIES, QUEUE, native, optionsOf, queueOptions } = require('./core');
const { Subscription } = require('./disposables');
const { handleOf } = require('./owners');
const { Queue } = require('./queue');

const ENOENT = -2;
const EAGAIN = -11;

/* An option that is an AbortSignal, if it is given. */
function abortSignal(signal) {
  if (signal === undefined || signal === null) return undefined;
  if (typeof signal.addEventListener === 'function' && 'aborted' in signal) return signal;
  throw new TypeError('the option `signal` is an AbortSignal');
}

const WAITING = ['signal', 'owner'];
const VALUES = [...WAITING, ...QUEUE];

function toPromise(source, options) {
  try {
    const { signal, owner } = optionsOf('toPromise', options, WAITING);
    if (abortSignal(signal)?.aborted) throw signal.reason;
    const { promise, observer } = settling(signal);
    source.subscribe(observer, { owner, signal });
    return promise;
  } catch (error) {
    return Promise.reject(error);
  }
}

/* A promise, and the observer that settles it. It does not mention the source, whose last reference
   going ends the wait. */
function settling(signal) {
  let last;
  let hasValue = false;
  let isSettled = false;
  let resolve;
  let reject;
  const promise = new Promise((...both) => ([resolve, reject] = both));
  const settle = (settled, value) => {
    isSettled = true;
    settled(value);
  };
  const observer = {
    next(value) {
      last = value;
      hasValue = true;
    },
    error: (error) => settle(reject, error),
    complete() {
      if (hasValue) settle(resolve, last);
      else settle(reject, new BelayError(ENOENT, 'ENOENT', 'belay', 'the signal has no value'));
    },
    disposed() {
      if (isSettled) return;
      settle(reject, signal?.aborted ? signal.reason : interrupted());
    },
  };
  return { promise, observer };
}

function interrupted() {
  return new BelayError(-125, 'ECANCELED', 'belay', 'the signal was interrupted');
}

/* The failure of a `for await` whose queue is full. */
function full(capacity) {
  const message =
    `${capacity} values wait to be asked for; values({ capacity }) lets more wait, ` +
    'and values({ policy }) drops values';
  return new BelayError(EAGAIN, 'EAGAIN', 'belay', message);
}

/* While a source that can wait sends: what it is to wait for. */
let waits = null;

/* Calls `send`, and answers a promise while an iterator that its value has come to has too little room. */
function roomAfter(send) {
  const outer = waits;
  const own = (waits = []);
  try {
    send();
  } finally {
    waits = outer;
  }
  return own.length > 0 ? Promise.all(own) : undefined;
}

/* Ends the subscription of an iterator that is collected. */
const dropped = new FinalizationRegistry((inbox) => inbox.return());

/* The values of a subscription that begins with the first question. A value that comes before it is
   asked for waits in a queue. Belay keeps this, and it keeps the iterator only while somebody waits for an
   answer: an iterator that nobody asks any more is collected. */
class Inbox {
  #source;
  #options;
  #policy;
  #capacity;
  #room; // {promise, resolve}, while a source waits for room
  #subscription;
  #waiting = new Queue(); // values that nobody has asked for
  #asking = new Queue(); // those who ask, as {resolve, iterator}
  #end; // () => the answer to whoever asks after the last value

  constructor(source, given) {
    const { policy, capacity = CAPACITY } = queueOptions('values', given, VALUES);
    const { signal, owner } = given ?? {};
    abortSignal(signal);
    handleOf(owner);
    this.#source = source;
    this.#options = { signal, owner };
    if (capacity !== Infinity && !(Number.isSafeInteger(capacity) && capacity >= 0)) {
      throw new TypeError('a capacity is a whole number that is not negative, or Infinity');
    }
    this.#policy = POLICIES[policy];
    this.#capacity = this.#policy === 'latest' ? 1 : capacity || CAPACITY;
  }

  /* A value that nobody waits for. Its exception ends the subscription. */
  #keep(value) {
    if (this.#waiting.size >= this.#capacity) {
      if (this.#policy === 'error' && !this.#isFirstOfSend) throw full(this.#capacity);
      if (this.#policy === 'dropNewest') return;
      if (this.#policy !== 'error') this.#waiting.shift();
    }
    this.#waiting.push(value);
    if (this.#isHalfFull && this.#isFirstOfSend) waits.push(this.#untilRoom());
  }

  /* Of several sources that can wait, each may have one value more on its way. */
  get #isFirstOfSend() {
    return waits !== null && !waits.includes(this.#room?.promise);
  }

  /* Whether a source that can wait is to wait: one send of it may come as several values. */
  get #isHalfFull() {
    return this.#policy === 'error' && this.#waiting.size >= Math.min(this.#capacity, CAPACITY) / 2;
  }

  #untilRoom() {
    if (!this.#room) {
      let resolve;
      const promise = new Promise((given) => (resolve = given));
      this.#room = { promise, resolve };
    }
    return this.#room.promise;
  }

  #makeRoom() {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #begin(iterator) {
    const { signal, owner } = this.#options;
    const done = () => Promise.resolve({ done: true, value: undefined });
    const source = this.#source;
    const made = native.empty_disposable();
    this.#source = this.#options = undefined; // the last reference to the source going is an end
    dropped.register(iterator, this, this);
    this.#subscription = new Subscription(made); // what the source calls at once may end it
    this.#subscription = source.subscribe(
      {
        next: (value) => {
          if (this.#end) return;
          if (this.#asking.size > 0) this.#asking.shift().resolve({ done: false, value });
          else this.#keep(value);
        },
        error: (error) => this.#finish(() => Promise.reject(error)),
        complete: () => this.#finish(done),
        disposed: () =>
          this.#finish(signal?.aborted ? () => Promise.reject(signal.reason) : done),
      },
      { owner, signal, [MADE]: made },
    );
    if (this.#end) this.#subscription.dispose(); // a subscribe() of a subclass may not know MADE
  }

  /* The first asker gets the end, and those after it that it is over. */
  #finish(end) {
    if (this.#end) return;
    this.#end = end;
    dropped.unregister(this);
    this.#makeRoom();
    for (let left = this.#asking.size; left > 0; left--) this.#asking.shift().resolve(this.next());
  }

  next(iterator) {
    if (this.#source && !this.#end) {
      try {
        this.#begin(iterator);
      } catch (error) {
        this.#subscription = undefined;
        this.#finish(() => Promise.reject(error));
      }
    }
    if (this.#waiting.size > 0) {
      const value = this.#waiting.shift();
      if (!this.#isHalfFull) this.#makeRoom();
      return Promise.resolve({ done: false, value });
    }
    if (this.#end) {
      const end = this.#end;
      this.#end = () => Promise.resolve({ done: true, value: undefined });
      return end();
    }
    return new Promise((resolve) => this.#asking.push({ resolve, iterator }));
  }

  return(value) {
    this.#source = undefined;
    this.#waiting.clear();
    this.#finish(() => Promise.resolve({ done: true, value: undefined }));
    this.#subscription?.dispose();
    return Promise.resolve({ done: true, value });
  }
}

/* The iterator of an inbox. */
class Values {
  #inbox;

  constructor(source, options) {
    this.#inbox = new Inbox(source, options);
  }

  next() {
    return this.#inbox.next(this);
  }

  return(value) {
    return this.#inbox.return(value);
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

module.exports = { Values, abortSignal, roomAfter, toPromise };
