'use strict';
/* Sources that wait for whoever listens. */
const assert = require('node:assert/strict');
const { Readable } = require('node:stream');
const { test } = require('node:test');
const { Signal, Subject } = require('libbelay');
const { gc, turns } = require('./support');

test('a source that can wait waits for a for await', async () => {
  let [sent, ended] = [0, 0];
  async function* source(count) {
    try {
      for (let i = 0; i < count; i++) {
        sent++;
        yield i;
      }
    } finally {
      ended++;
    }
  }
  const several = (n) => Signal.of(n, n, n);
  /* Each makes a signal, whose `per` values come of each that is sent, or a half for two sources. */
  for (const [make, per, capacity, bound] of [
    [() => Signal.from(source(5000)), 1, undefined, 512],
    [() => Signal.from(source(2000)).map((n) => n).flatMap(several), 3, undefined, 512],
    [() => Signal.from(source(2000)).flatMap(several), 3, Infinity, 512],
    [() => Signal.from(source(50)), 1, 1, 1],
    [() => Signal.from(source(50)).filter(() => true), 1, 9, 5],
    [() => Signal.merge(...Array.from({ length: 10 }, () => source(50))), 1, 1, 10],
    [() => Signal.just(0).concat(Signal.from(source(50))), 1, 4, 2],
  ]) {
    let [most, got] = [0, 0];
    sent = 0;
    for await (const value of make().values({ capacity })) {
      assert.equal(typeof value, 'number');
      got++;
      most = Math.max(most, sent * per - got);
      if (got % 8 === 0) await turns();
    }
    assert.ok(got >= sent * per);
    assert.ok(most <= bound + 2 * per + 10, `${most} of ${bound}`);
  }
  ended = 0;
  for await (const value of Signal.from(source(5000)).map((n) => n)) {
    if (value === 0) await turns(2);
    if (value === 1) break;
  }
  await turns(2);
  assert.equal(ended, 1);
  const controller = new AbortController();
  const aborted = Signal.from(source(5000)).values({ signal: controller.signal, capacity: 2 });
  await aborted.next();
  await turns(2);
  controller.abort();
  await turns(2);
  assert.equal(ended, 2);
  // What drops values does not make a source wait.
  sent = 0;
  const latest = Signal.from(source(3000)).values({ policy: 'latest' });
  await latest.next();
  for (let i = 0; i < 1000 && ended < 3; i++) await turns();
  assert.deepEqual([sent, (await latest.next()).value], [3000, 2999]);
});

test('an iterator that is forgotten holds up nobody', async () => {
  async function* source() {
    for (let i = 0; i < 3000; i++) yield i;
  }
  const shares = [(shared) => shared, (shared) => shared.map((n) => n)];
  for (const share of shares) {
    const shared = Signal.from(source()).share();
    const first = (() => share(shared).values({ capacity: Infinity }).next())();
    let [heard, isOver] = [0, false];
    shared.subscribe({ next: () => heard++, complete: () => (isOver = true) });
    assert.deepEqual(await first, { done: false, value: 0 });
    for (let i = 0; i < 100 && !isOver; i++) {
      await turns(10);
      gc();
    }
    assert.deepEqual([heard, isOver], [3000, true]);
  }
});

test('an iterator that somebody waits for, or that a for await asks, goes on after a collection', async () => {
  const collecting = async () => {
    await turns(2);
    gc();
    await turns(2);
  };
  const subject = new Subject();
  const asked = (() => {
    const values = subject.values();
    return [values.next(), values.next()];
  })();
  const seen = [];
  const loop = (async () => {
    for await (const value of subject) {
      seen.push(value);
      await collecting();
    }
  })();
  await collecting();
  assert.equal(subject.observerCount, 2);
  subject.next(1);
  assert.deepEqual(await asked[0], { done: false, value: 1 });
  await collecting();
  assert.equal(subject.observerCount, 2);
  subject.next(2);
  assert.deepEqual(await asked[1], { done: false, value: 2 });
  for (let i = 0; i < 50 && subject.observerCount > 1; i++) await collecting();
  assert.equal(subject.observerCount, 1);
  subject.complete();
  await loop;
  assert.deepEqual(seen, [1, 2]);
});

test('an iterator that its source or its owner keeps goes with it', async () => {
  const refs = [];
  const make = (work) => {
    const subject = new Subject();
    const object = { values: subject.values({ owner: subject }) };
    subject.object = object;
    const asked = work(object.values);
    refs.push(new WeakRef(object));
    return asked;
  };
  make(() => {});
  make((values) => void values.return());
  for (let i = 0; i < 50 && refs.some((each) => each.deref()); i++) {
    await turns(2);
    gc();
  }
  assert.deepEqual(refs.map((each) => each.deref()), [undefined, undefined]);
});

test('a stream is paused while a for await has much to do', async () => {
  let [count, got] = [0, 0];
  const stream = new Readable({ objectMode: true, read() { this.push(count < 5000 ? count++ : null); } });
  const highWaterMark = stream.readableHighWaterMark;
  let most = 0;
  for await (const value of Signal.from(stream).filter(() => true)) {
    assert.equal(value, got++);
    most = Math.max(most, count - got);
    if (got % 8 === 0) await turns();
  }
  assert.equal(got, 5000);
  assert.ok(most <= 512 + highWaterMark + 10, `${most}`); // the stream keeps some values itself
});
