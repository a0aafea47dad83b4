'use strict';
/* Sources that wait for whoever listens. */
const assert = require('node:assert/strict');
const { Readable } = require('node:stream');
const { test } = require('node:test');
const { Signal } = require('libbelay');
const { turns } = require('./support');

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

test('a stream is paused while a for await has much to do', async () => {
  let [count, got] = [0, 0];
  const stream = new Readable({ objectMode: true, read() { this.push(count < 5000 ? count++ : null); } });
  let most = 0;
  for await (const value of Signal.from(stream).filter(() => true)) {
    assert.equal(value, got++);
    most = Math.max(most, count - got);
    if (got % 8 === 0) await turns();
  }
  assert.equal(got, 5000);
  assert.ok(most < 1024, `${most}`);
});
