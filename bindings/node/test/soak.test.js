'use strict';
/* Everything at once, for BELAY_ROUNDS rounds. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const { Loop, Owner, Signal, Subject, live, lost } = require('libbelay');
const { addon, collected, gc, sender, turns } = require('./support');

const ROUNDS = Number(process.env.BELAY_ROUNDS ?? 10);
const EACH = 100; // values of a thread

/* Subscriptions of all sorts come and go until the threads have been heard. */
async function round(index) {
  const subject = new Subject();
  const isText = index % 2 > 0;
  let count = 0;
  let failures = 0;
  const all = subject.tap(() => count++).take(3 * EACH).toPromise();
  const threads = sender().start(addon, subject.toAddress(), 3, EACH, isText);
  let isOver = false;
  all.then(() => (isOver = true));
  for (let turn = 0; !isOver; turn++) {
    const owner = new Owner();
    subject.map((value) => ({ value })).buffer(5).subscribe({ nextBatch() {} }, { owner });
    subject.subscribe(() => {}, { owner: { turn } });
    Signal.import(subject.export()).scan([], (_, value) => [value]).subscribe(() => {}, { owner });
    const thrower = subject.skip(turn % 7);
    thrower.subscribe({
      next() {
        throw new Error('meant');
      },
      error: () => failures++,
    });
    const values = subject.values({ owner });
    await Promise.race([values.next(), turns(3)]);
    await values.return();
    if (turn % 3 > 0) owner.release();
    if (turn % 50 === 0) gc();
    subject.switchMap((value) => Signal.of(value, {})).take(2).subscribe(() => {});
  }
  assert.equal(sender().join(threads), 3 * EACH);
  assert.equal(count, 3 * EACH);
  return failures;
}

test('subscriptions come and go while threads send', async () => {
  const before = await collected(0);
  const lostBefore = lost();
  Loop.current.ref();
  let failures = 0;
  for (let i = 0; i < ROUNDS; i++) failures += await round(i);
  Loop.current.unref();
  assert.ok(failures > 0);
  assert.ok((await collected(before)) <= before, `${live()} left of ${before}`);
  assert.equal(lost(), lostBefore);
});

/* The process's memory after each of some rounds, in megabytes, once nothing of them is left. */
async function memory(rounds, run) {
  const before = await collected(0);
  const all = [];
  for (let i = 0; i < rounds; i++) {
    await run(i);
    await collected(before);
    all.push(process.memoryUsage.rss() / 0x100000);
  }
  return all;
}

/* Asserts that what came after the first rounds took no more memory. The sanitizer keeps what is freed. */
function isFlat(all, warm, room) {
  if (process.env.SANITIZE) return;
  const [early, late] = [Math.max(...all.slice(0, warm)), Math.min(...all.slice(warm))];
  assert.ok(late <= early + room, `${all.map((each) => each.toFixed(1))} MB`);
}

test('memory stays flat while threads send', async () => {
  const count = 20000; // 32 lost bytes for each value would be 2 MB a round
  Loop.current.ref();
  const all = await memory(ROUNDS + 3, async (index) => {
    const subject = new Subject();
    subject.map((value) => ({ value })).buffer(3).subscribe(() => {});
    subject.byContent().subscribe({ nextBatch() {} });
    const heard = subject.take(3 * count).count().toPromise();
    const threads = sender().start(addon, subject.toAddress(), 3, count, index % 2 > 0);
    assert.equal(await heard, 3 * count);
    sender().join(threads);
  });
  Loop.current.unref();
  isFlat(all, 3, 8);
});

test('memory stays flat while Workers that threads send into end', async () => {
  const inner = `
    const { parentPort } = require('worker_threads');
    const { Loop, Signal, Subject } = require(${JSON.stringify(require.resolve('libbelay'))});
    const subject = new Subject();
    Loop.current.ref();
    subject.map((value) => [value, {}]).subscribe(() => {}, { owner: {} });
    Signal.interval(0.001).subscribe(() => {});
    parentPort.postMessage(subject.toAddress());`;
  const one = async () => {
    const worker = new Worker(inner, { eval: true });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const address = await new Promise((resolve) => worker.once('message', resolve));
    const threads = sender().start(addon, address, 3, -1, true);
    await turns(10);
    worker.terminate();
    await ended;
    sender().join(threads);
  };
  isFlat(await memory(ROUNDS + 3, () => Promise.all([one(), one(), one()])), 5, 16);
});
