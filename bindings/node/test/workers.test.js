'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { Signal, Subject, live } = require('libbelay');
const { addon, collected, sender, turns } = require('./support');

/* What a Worker does: it has a subject of its own, with subscriptions of all sorts, and tells its
   address. */
function work() {
  const subject = new Subject();
  subject.map((value) => ({ value })).subscribe(({ value }) => value.length);
  subject.subscribe({ nextBatch: (values) => values.length });
  subject.buffer(7).subscribe(() => {}, { owner: {} });
  Signal.interval(0.001).subscribe(() => {});
  (async () => {
    for await (const value of subject) void value;
  })();
  parentPort.postMessage(subject.toAddress());
  parentPort.on('message', () => process.exit(3));
}

const start = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(__filename);
    worker.once('error', reject);
    worker.once('message', (address) => resolve([worker, address]));
  });

if (!isMainThread) {
  work();
} else {
  test('40 Workers end while three threads send into each', async () => {
    const before = await collected(0);
    let accepted = 0;
    for (let round = 0; round < 10; round++) {
      const workers = await Promise.all([start(), start(), start(), start()]);
      const threads = workers.map(([, address], index) =>
        sender().start(addon, address, 3, -1, index % 2 === 0),
      );
      await turns(20);
      const ends = workers.map(([worker], index) => {
        const end = new Promise((resolve) => worker.once('exit', resolve));
        if (index === 3) worker.postMessage('exit');
        else worker.terminate();
        return end;
      });
      const codes = await Promise.all(ends);
      assert.equal(codes[3], 3);
      for (const each of threads) accepted += sender().join(each);
    }
    assert.ok(accepted > 0);
    assert.ok((await collected(before)) <= before, `${live()} left of ${before}`);
  });

  test('an object stays on its thread', async (t) => {
    const inner = `
      const { parentPort, workerData } = require('worker_threads');
      const { Signal } = require(${JSON.stringify(require.resolve('libbelay'))});
      Signal.fromAddress(workerData).subscribe({
        next: (value) => parentPort.postMessage(['next', value]),
        error: (error) => parentPort.postMessage(['error', error.code]),
      });
      parentPort.postMessage('ready');
        parentPort.on('message', () => {});`;
    const subject = new Subject();
    const worker = new Worker(inner, { eval: true, workerData: subject.toAddress() });
    const messages = [];
    const waiting = [];
    worker.on('message', (message) => (waiting.length > 0 ? waiting.shift()(message) : messages.push(message)));
    const message = () =>
      messages.length > 0 ? messages.shift() : new Promise((resolve) => waiting.push(resolve));
    t.after(() => worker.terminate());
    assert.equal(await message(), 'ready');
    while (subject.observerCount === 0) await turns();
    subject.next('text');
    assert.deepEqual(await message(), ['next', 'text']);
    subject.next({ an: 'object' });
    assert.deepEqual(await message(), ['error', 'EWRONGTHREAD']);
  });
}
