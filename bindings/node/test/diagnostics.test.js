'use strict';
/* What tells of a program's mistakes. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const {
  Bag, Command, Compound, Owner, Property, ReplaySubject, Serial, Signal, SingleAssignment, Subject, deliveryStack,
  onOverlap, onSlowCallback,
} = require('libbelay');
const { events, gc, turns } = require('./support');

test('a send from inside a delivery is told of, once', () => {
  const heard = [];
  const subject = new Subject({ label: 'echo' });
  subject.subscribe((value) => value > 0 && subject.next(value - 1));
  subject.next(3);
  onOverlap((...overlap) => heard.push(overlap));
  try {
    subject.next(3);
    assert.deepEqual(heard, [['nested', 'echo', 'echo']]);
  } finally {
    onOverlap(null);
  }
  const other = new Subject({ label: 'other' });
  other.subscribe((value) => value > 0 && other.next(value - 1));
  other.next(1);
  assert.equal(heard.length, 1);
  assert.throws(() => onOverlap(5), TypeError);
});

test('an argument of another type is refused, and not ignored', async () => {
  const one = Signal.of(1);
  for (const bad of [5, 'text', true, {}, { dispose() {} }, Promise.resolve(), one]) {
    for (const use of [
      () => new Compound(bad),
      () => new Compound().add(bad),
      () => new Serial().set(bad),
      () => new Serial().swap(bad),
      () => new SingleAssignment().set(bad),
      () => new Bag().add(bad),
      () => new Owner().add(bad),
      () => new Property(1).channel(bad),
      () => one.delay(0, bad),
      () => new ReplaySubject(1, { scheduler: bad }),
    ]) assert.throws(use, TypeError, `${use} ${String(bad)}`);
    if (bad !== true) await assert.rejects(Signal.create(() => bad).toPromise(), TypeError);
  }
  assert.deepEqual(await events(Signal.create((subscriber) => subscriber.next(1)).take(1)), [1, '|']);
  for (const bad of [0, false]) {
    for (const use of [
      () => new Command(() => one, { enabled: bad }),
      () => one.delay(0, bad),
      () => one.shareUntil({ error: bad }),
      () => one.debounce(0, { waits: bad }),
      () => one.distinct(bad),
      () => one.subscribe(bad),
      () => new Subject().tap(bad),
      () => one.bind({ 0: bad }),
    ]) assert.throws(use, TypeError, `${use} ${bad}`);
  }
  assert.throws(() => new Command(() => one, { enabled: {} }), TypeError);
  const command = new Command(() => one, { enabled: Promise.resolve(false) });
  await turns();
  assert.throws(() => command.execute(1), { code: 'EBUSY' });
});

test('a number that is no address is refused, and no handle of it is collected', async () => {
  for (const bad of [-1n, -4096n, 2n ** 64n + 4096n, 0n, 4096, '4096', undefined]) {
    assert.throws(() => Signal.fromAddress(bad), TypeError, String(bad));
  }
  for (let i = 0; i < 5; i++) {
    gc();
    await turns(2);
  }
});

test('a text with a null character is refused where C would cut it', async () => {
  const { signal, file } = { signal: Signal.of('a\0b'), file: `${__filename}\0.public` };
  const [owner, refused] = [new Owner(), { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' }];
  for (const use of [
    () => Signal.fileLines(file).subscribe(assert.fail),
    () => new Subject({ label: 'a\0b' }),
    () => new Owner({ label: 'a\0b' }),
    () => new Subject().subscribe(assert.fail, { label: 'a\0b' }),
    () => owner.watch(owner, 'a\0b', assert.fail),
    () => owner.unwatch(owner, 'a\0b'),
    () => owner.post('a\0b'),
    () => owner.setNotice('a\0b', assert.fail),
    () => owner.removeNotice('a\0b'),
    () => signal.log('a\0b'),
    () => (signal.name = 'a\0b'),
  ]) assert.throws(use, refused, String(use));
  owner.release();
  signal.name = 'kept';
  for (const name of ['a\0b', 5]) assert.throws(() => (signal.name = name), TypeError);
  assert.equal(signal.name, 'kept');
  assert.deepEqual(await events(signal.map((text) => text)), ['a\0b', '|']);
});

function wait(seconds) {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end);
}

test('a slow callback is told of', () => {
  const heard = [];
  const subject = new Subject({ label: 'waiting' });
  subject.subscribe((value) => wait(value));
  onSlowCallback(0.005, (taken, name) => heard.push([taken >= 0.005, name]));
  try {
    subject.next(0);
    subject.next(0.006);
  } finally {
    onSlowCallback(0, null);
  }
  subject.next(0.006);
  assert.ok(heard.length > 0 && heard.length <= 2); // on a busy machine any callback may be slow
  assert.deepEqual(heard.at(-1), [true, 'waiting']);
  assert.throws(() => onSlowCallback(-1, () => {}), { code: 'EINVAL' });
  assert.throws(() => onSlowCallback(0, 5), TypeError);
});

test('an event of another thread arrives on the thread of the hook', async () => {
  const inner = `
    const { Subject } = require(${JSON.stringify(require.resolve('libbelay'))});
    const subject = new Subject({ label: 'there' });
    subject.export();
    subject.subscribe((value) => value > 0 && subject.next(0));
    subject.next(1);`;
  const heard = [];
  onOverlap((...overlap) => heard.push(overlap));
  try {
    const worker = new Worker(inner, { eval: true });
    await new Promise((resolve) => worker.once('exit', resolve));
    while (heard.length === 0) await turns();
  } finally {
    onOverlap(null);
  }
  assert.deepEqual(heard, [['nested', 'there', 'there']]);
});

test('a hook of a Worker that has ended does nothing', async () => {
  const inner = `
    const { onSlowCallback } = require(${JSON.stringify(require.resolve('libbelay'))});
    onSlowCallback(0, () => {});`;
  await new Promise((resolve) => new Worker(inner, { eval: true }).once('exit', resolve));
  Signal.of(1).subscribe(() => {});
  await turns();
  onSlowCallback(0, null);
});

test('the stack of deliveries names their signals', () => {
  assert.equal(deliveryStack(), '');
  const [stack, outer, inner] = [[], new Subject({ label: 'outer' }), new Subject({ label: 'inner' })];
  inner.export();
  outer.export();
  inner.subscribe(() => stack.push(deliveryStack()));
  outer.subscribe((value) => inner.next(value));
  outer.next(1);
  assert.equal(stack[0], 'inner\nouter\n');
});
