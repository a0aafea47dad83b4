'use strict';
/* A subject whose values pass Belay by behaves like one whose values do not: the same random program runs
   with both, and both tell the same. */
const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const path = require('node:path');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const { BelayError, Owner, Signal, Subject } = require('libbelay');
const { collected, gc, turns } = require('./support');

/* mulberry32 */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/* Runs a program of that seed, and answers what it has told. */
function program(seed, { isDirect, hasBatches, hasStages }) {
  const choose = random(seed);
  const told = [];
  const subjects = [new Subject({ capacity: 5 }), new Subject()];
  if (!isDirect) for (const each of subjects) each.export();
  const subscriptions = [];
  const owners = [new Owner(), new Owner()];
  let depth = 0;
  let budget = 300;
  let names = 0;
  const say = (...parts) => told.push(parts.join(' '));

  function attempt(name, call) {
    try {
      say(name, '=', call());
    } catch (error) {
      say(name, 'throws', error.code ?? error.message);
    }
  }

  /* An operator that needs no call of Belay's for each value, with a function that may act. */
  function stage(signal, name) {
    const call = (value) => {
      say(name, 'stage', value);
      if (depth < 3 && budget > 0 && choose(6) === 0) {
        depth++;
        step(name);
        depth--;
      }
      if (choose(25) === 0) throw new Error(`in ${name}`);
      return value;
    };
    const number = (value) => Math.floor(call(value));
    const count = choose(4) + 1;
    switch (choose(16)) {
      case 12: return signal.distinct((value) => number(value) % 5);
      case 13: return signal.pairwise().map(([a, b]) => call(a) + b);
      case 14: return signal.pairwiseFrom(0).map(([a, b]) => call(b) - a);
      case 15: return signal.skipLast(count);
      case 0: return signal.map((value) => call(value) + 0.5);
      case 1: return signal.filter((value) => number(value) % 2 === 0);
      case 2: return signal.compactMap((value) => (number(value) % 3 === 0 ? null : value));
      case 3: return signal.scan(0, (sum, value) => sum + call(value));
      case 4: return signal.skip(count);
      case 5: return signal.take(count);
      case 6: return signal.takeWhile((value) => number(value) % 7 > 0, { inclusive: choose(2) === 0 });
      case 7: return signal.skipWhile((value) => number(value) % 4 > 0);
      case 8: return signal.distinctUntilChanged((a, b) => Math.floor(call(a) / 9) === Math.floor(b / 9));
      case 9: return signal.enumerated().map(([index, value]) => index + value);
      case 10: return signal.mapTo(count);
      default: return signal.tap(call);
    }
  }

  function listen(subject) {
    const name = names++;
    const act = (event) => {
      say(name, event, hasBatches || subject.observerCount, subscriptions[name]?.isDisposed);
      if (depth < 4 && budget > 0) {
        depth++;
        for (let i = choose(3); i > 0; i--) step(name);
        depth--;
      }
    };
    const next = (value) => {
      act(value);
      if (choose(12) === 0) throw new Error(`of ${name}`);
    };
    const observer = {
      error: (error) => act(`error ${error.code ?? error.message}`),
      complete: () => act('|'),
      disposed: () => act('disposed'),
    };
    if (hasBatches) observer.nextBatch = (values) => next(`[${values}]`);
    else observer.next = next;
    const owner = owners[choose(6)];
    let signal = subject;
    while (hasStages && choose(3) > 0) signal = stage(signal, name);
    subscriptions[name] = signal.subscribe(observer, { owner });
    say(name, 'is there', hasBatches || subject.observerCount);
  }

  function step(name) {
    budget--;
    const subject = subjects[choose(8) === 0 ? 1 : 0];
    const value = budget;
    // Belay calls the listeners of a batch when the delivery is over.
    const isNested = hasBatches && depth > 0;
    switch (choose(depth === 0 ? 24 : 40)) {
      case 0: case 1: case 2: case 3:
        return listen(subject);
      case 4:
        return subscriptions[choose(names)]?.dispose();
      case 5:
        return subscriptions[name]?.dispose();
      case 6:
        if (!isNested && choose(10) === 0) attempt('complete', () => subject.complete());
        return undefined;
      case 7:
        if (!isNested && choose(10) === 0) attempt('error', () => subject.error(new Error('sent')));
        return undefined;
      case 8:
        if (choose(3) === 0) owners.splice(choose(2), 1, new Owner())[0].release();
        return undefined;
      case 9:
        if (choose(4) === 0) subject.delay(1).merge(subject).subscribe({ next: (each) => say('merge', each), error: () => {} });
        return undefined;
      case 10:
        if (!hasBatches && choose(4) === 0) attempt('bind', () => Signal.of(value).concat(Signal.never()).bind(subject) && 1);
        return undefined;
      case 11: case 12:
        if (isNested) return undefined;
        return attempt('batch', () => subject.nextBatch(Array.from({ length: choose(4) }, (_, i) => value + i / 10)));
      default:
        if (depth > 1 || isNested) return undefined;
        return attempt('next', () => subject.next(value));
    }
  }

  while (budget > 0) step();
  for (const each of subscriptions) each.dispose();
  return told;
}

const SEED = Number(process.env.BELAY_SEED ?? 1);
const COUNT = Number(process.env.BELAY_PROGRAMS ?? 300);

for (const [kind, options] of [['', {}], [', in batches', { hasBatches: true }], [', by operators', { hasStages: true }]]) {
  test(`random programs do the same with and without Belay's delivery${kind}`, () => {
    for (let seed = SEED; seed < SEED + (options.hasStages ? COUNT / 3 : COUNT); seed++) {
      const direct = program(seed, { isDirect: true, ...options });
      const belays = program(seed, { isDirect: false, ...options });
      assert.deepEqual(direct, belays, `seed ${seed}`);
    }
  });
}

/* The same with the events of an emitter. */
function eventProgram(seed, isDirect) {
  const choose = random(seed);
  const told = [];
  const emitter = new EventEmitter();
  const subscriptions = [];
  let budget = 150;
  let depth = 0;
  const say = (...parts) => told.push(parts.join(' '));

  function listen() {
    const name = subscriptions.length;
    const act = (event) => {
      say(name, event, subscriptions[name]?.isDisposed, emitter.listenerCount('e'));
      if (depth > 2) return;
      depth++;
      if (choose(3) === 0) step();
      depth--;
    };
    const call = (value) => {
      act(`${value}`);
      if (choose(20) === 0) throw new Error(`of ${name}`);
      return value;
    };
    let signal = Signal.fromEvent(emitter, 'e');
    if (!isDirect) signal = signal.skip(0);
    if (choose(2) === 0) signal = signal.map(call);
    if (choose(3) === 0) signal = signal.take(3);
    subscriptions.push(undefined);
    subscriptions[name] = signal.subscribe({
      next: call,
      error: (error) => act(error.message),
      complete: () => act('|'),
      disposed: () => act('disposed'),
    });
  }

  function step() {
    budget--;
    const chosen = choose(8);
    if (chosen === 0) listen();
    else if (chosen === 1) subscriptions[choose(subscriptions.length)]?.dispose();
    else if (chosen === 2) emitter.emit('e', budget, 'more');
    else emitter.emit('e', budget);
  }

  listen();
  while (budget > 0) step();
  for (const each of subscriptions) each.dispose();
  say(emitter.listenerCount('e'));
  return told;
}

test('random programs with the events of an emitter do the same', () => {
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    assert.deepEqual(eventProgram(seed, true), eventProgram(seed, false), `seed ${seed}`);
  }
});

/* How often the add-on is called while `run` runs. */
function calls(run) {
  const { native } = require(path.join(path.dirname(require.resolve('libbelay')), 'lib/core'));
  let count = 0;
  const names = ['subject_next', 'subject_next_batch', 'subject_next_numbers', 'subscriber_next'];
  const originals = names.map((name) => native[name]);
  names.forEach((name, index) => {
    native[name] = (...given) => {
      count++;
      return originals[index](...given);
    };
  });
  run();
  names.forEach((name, index) => (native[name] = originals[index]));
  return count;
}

test('no value passes the add-on until something else may see it', () => {
  const leaves = [
    (subject) => subject.take(9).tap({ complete() {} }),
    (subject) => subject.map((value) => value).subscribe({ nextBatch() {} }),
    (subject) => Signal.merge(subject.map((value) => value)),
    (subject) => subject.export(),
    (subject) => subject.subscribe({ nextBatch() {} }) && subject.nextBatch([1, 2]),
  ];
  for (const leave of leaves) {
    const subject = new Subject();
    let sum = 0;
    subject.filter((value) => value < 6).map((value) => value).subscribe((value) => (sum += value));
    const send = () => {
      subject.next(1);
      subject.nextBatch([2, 3]);
      subject.nextBatch(new Float64Array([4, 5]));
    };
    assert.equal(calls(send), 0);
    assert.equal(sum, 15);
    leave(subject);
    assert.equal(calls(send), 3);
  }
});

test('no event of an emitter passes the add-on either', () => {
  const emitter = new EventEmitter();
  let sum = 0;
  const events = Signal.fromEvent(emitter, 'e').filter((value) => value > 1);
  events.subscribe((value) => (sum += value));
  const send = () => [1, 2, 3].forEach((value) => emitter.emit('e', value));
  assert.equal(calls(send), 0);
  events.buffer(2).subscribe();
  assert.equal(calls(send), 3);
  assert.equal(sum, 10);
});

test('a subject that is dropped interrupts its subscriptions', async () => {
  const before = await collected(0, 'subscriptions');
  let ends = 0;
  for (let i = 0; i < 100; i++) {
    const subject = new Subject();
    const subscription = subject.subscribe({ next() {}, disposed: () => ends++ });
    subject.next(1);
    if (i % 2 > 0) subject.subscribe(() => subscription);
    if (i % 3 > 0) subject.map(() => subscription).skip(1).subscribe();
  }
  await collected(before, 'subscriptions');
  assert.ok(ends >= 99, `${ends}`);
});

test('listeners that have ended are not kept', async () => {
  const subject = new Subject();
  const refs = [];
  for (let i = 0; i < 1000; i++) {
    const listener = () => i;
    refs.push(new WeakRef(listener));
    subject.subscribe(listener).dispose();
  }
  await turns();
  gc();
  assert.ok(refs.filter((each) => each.deref()).length < 50);
});

test('long queues take no longer for each value', { timeout: 120_000 }, async () => {
  const count = 500_000;
  const waits = {
    async values() {
      let seen = 0;
      for await (const value of Signal.range(0, count).values({ capacity: Infinity })) seen += value === seen;
      return seen;
    },
    async dropping() {
      let seen = 0;
      const options = { policy: 'dropOldest', capacity: count };
      for await (const value of Signal.range(0, 2 * count).values(options)) seen += value === seen + count;
      return seen;
    },
    async asking() {
      const [subject, asked] = [new Subject(), []];
      const values = subject.values();
      for (let i = 0; i < count; i++) asked.push(values.next());
      for (let i = 0; i < count; i++) subject.next(i);
      return (await Promise.all(asked)).filter(({ value }, i) => value === i).length;
    },
    async nested() {
      const subject = new Subject({ capacity: Infinity });
      let seen = 0;
      subject.subscribe((value) => {
        if (value === 'begin') for (let i = 0; i < count; i++) subject.next(i);
        else seen += value === seen;
      });
      subject.next('begin');
      return seen;
    },
    async skipLast() {
      const subject = new Subject();
      let seen = 0;
      subject.skipLast(count).subscribe((value) => (seen += value === seen));
      for (let i = 0; i < 2 * count; i++) subject.next(i);
      return seen;
    },
  };
  for (const [name, wait] of Object.entries(waits)) assert.equal(await wait(), count, name);
});

test('sends inside each other have an end', () => {
  const chain = Array.from({ length: 1200 }, () => new Subject());
  const refused = [];
  let seen = 0;
  chain.slice(1).forEach((to, index) => chain[index].subscribe((value) => {
    seen++;
    try {
      to.next(value);
    } catch (error) {
      refused.push(error instanceof BelayError && error.code);
    }
  }));
  chain[0].next(1);
  assert.deepEqual([refused, seen], [['EREENTRANT'], 1000]);
  seen = 0;
  chain[0].next(1);
  assert.equal(seen, 1000);
});

test('a subscription that another thread ends gets nothing from then on', async () => {
  const inner = `
    const { workerData } = require('worker_threads');
    const { Loop, Signal } = require(${JSON.stringify(require.resolve('libbelay'))});
    const { handed, cell } = workerData;
    Loop.current.ref();
    Signal.fromAddress(handed).subscribe((subscription) => {
      subscription.dispose();
      Atomics.store(new Int32Array(cell), 0, 1);
      Atomics.notify(new Int32Array(cell), 0);
      Loop.current.unref();
    });`;
  const [subject, handed] = [new Subject(), new Subject()];
  const cell = new SharedArrayBuffer(4);
  const worker = new Worker(inner, { eval: true, workerData: { handed: handed.toAddress(), cell } });
  let seen = 0;
  const subscription = subject.subscribe(() => seen++);
  while (handed.observerCount === 0) await turns();
  subject.next(1);
  handed.next(subscription);
  Atomics.wait(new Int32Array(cell), 0, 0);
  subject.next(2); // in the same turn
  assert.equal(seen, 1);
  await new Promise((resolve) => worker.once('exit', resolve));
});

test('a capacity of 0 or none is that of Belay', () => {
  for (const capacity of [0, null, undefined, 1024]) {
    const subject = new Subject({ capacity });
    let count = 0;
    const send = (value) => {
      if (value !== 0) return;
      for (; count < 2000; count++) subject.next(count + 1);
    };
    let code;
    subject.subscribe({ next: send, error: (error) => (code = error.code) });
    subject.next(0);
    assert.deepEqual([count, code], [1024, 'EAGAIN'], String(capacity));
  }
  assert.throws(() => new Subject({ capacity: -1 }), TypeError);
});

test('a listener has no this', () => {
  const subject = new Subject();
  const seen = [];
  const listen = function () {
    seen.push(this);
  };
  subject.subscribe(listen);
  subject.subscribe({ nextBatch: (values) => seen.push(values) }).dispose();
  subject.next(1);
  subject.map(function () {
    seen.push(this);
  }).subscribe(listen);
  subject.next(2);
  subject.export();
  subject.next(3);
  assert.deepEqual(seen, Array(7).fill(undefined));
});
