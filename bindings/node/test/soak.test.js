'use strict';
/* Everything at once, for BELAY_ROUNDS rounds. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
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
