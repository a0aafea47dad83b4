'use strict';
/* What tells of a program's mistakes. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const { Signal, Subject, deliveryStack, onOverlap, onSlowCallback } = require('libbelay');
const { turns } = require('./support');

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
