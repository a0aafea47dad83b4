'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { BehaviorSubject, Loop, ReplaySubject, Signal, Subject, live } = require('libbelay');
const { addon, collected, events, gc, sender, turns } = require('./support');

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
  test('40 Workers end at once while three threads send into each', async () => {
    const before = await collected(0);
    let accepted = 0;
    const workers = await Promise.all(Array.from({ length: 40 }, start));
    const threads = workers.map(([, address], index) => sender().start(addon, address, 3, -1, index % 2 === 0));
    await turns(20);
    const ends = workers.map(([worker], index) => {
      const end = new Promise((resolve) => worker.once('exit', resolve));
      if (index % 4 === 3) worker.postMessage('exit');
      else worker.terminate();
      return end;
    });
    const codes = await Promise.all(ends);
    codes.forEach((code, index) => assert.equal(code, index % 4 === 3 ? 3 : 1));
    for (const each of threads) accepted += sender().join(each);
    assert.ok(accepted > 0);
    assert.ok((await collected(before)) <= before, `${live()} left of ${before}`);
  });

  /* A Worker in which `heard(signal, name)` tells of all that a signal sends. The result gives one message
     after the other. */
  function listening(t, body, workerData) {
    const inner = `
      const { parentPort, workerData } = require('worker_threads');
      const { Loop, Signal } = require(${JSON.stringify(require.resolve('libbelay'))});
      const tell = (...all) => parentPort.postMessage(all.join(' '));
      const heard = (signal, name) => signal.subscribe({
        next: (value) => tell(name, value),
        error: (error) => tell(name, error.code),
        complete: () => tell(name, '|'),
        disposed: () => tell(name, 'disposed'),
      });
      ${body}
      tell('ready');
      parentPort.on('message', () => {});`;
    const worker = new Worker(inner, { eval: true, workerData });
    const [messages, waiting] = [[], []];
    worker.on('message', (message) => (waiting.length > 0 ? waiting.shift()(message) : messages.push(message)));
    t.after(() => worker.terminate());
    return () => (messages.length > 0 ? messages.shift() : new Promise((resolve) => waiting.push(resolve)));
  }

  test('an object stays on its thread', async (t) => {
    const subject = new Subject();
    const message = listening(t, "heard(Signal.fromAddress(workerData), 'a');", subject.toAddress());
    assert.equal(await message(), 'ready');
    while (subject.observerCount === 0) await turns();
    subject.next('text');
    assert.equal(await message(), 'a text');
    subject.next({ an: 'object' });
    assert.equal(await message(), 'a EWRONGTHREAD');
    assert.equal(await message(), 'a disposed');
  });

  test('what any thread delivers arrives on the thread that listens', async (t) => {
    const shared = new Subject({ shared: true });
    const elsewhere = new Subject();
    const addresses = [shared, elsewhere.observeOn(Loop.current.scheduler)].map((each) => each.toAddress());
    const message = listening(
      t,
      `const [shared, elsewhere] = workerData.map((address) => Signal.fromAddress(address));
      heard(shared.map((value) => value + 1), 'shared');
      heard(elsewhere, 'elsewhere');`,
      addresses,
    );
    const seen = [];
    shared.map((value) => value * 2).subscribe((value) => seen.push(value));
    assert.equal(await message(), 'ready');
    while (shared.observerCount < 2 || elsewhere.observerCount === 0) await turns();
    assert.equal(shared.next(1), true);
    assert.deepEqual(seen, [2]); // here at once
    assert.equal(await message(), 'shared 2');
    elsewhere.next(5);
    assert.equal(await message(), 'elsewhere 5');
    shared.complete();
    assert.equal(await message(), 'shared |');
    assert.equal(await message(), 'shared disposed');
  });

  test('threads send into shared subjects', async () => {
    const kinds = [
      new Subject({ shared: true }), new BehaviorSubject(0, { shared: true }), new ReplaySubject(1, { shared: true }),
      Signal.fromAddress(new Subject({ shared: true }).toAddress()),
    ];
    for (const each of kinds) {
      let [count, isOver] = [0, false];
      const all = { next: () => count++, error: assert.fail, disposed: () => (isOver = true) };
      const subscription = each.map((value) => value).subscribe(all);
      const threads = sender().start(addon, each.toAddress(), 3, 300, false);
      const first = each instanceof BehaviorSubject ? 1 : 0;
      while (count < 900 + first) await turns();
      assert.equal(sender().join(threads), 900);
      assert.equal(count, 900 + first);
      subscription.dispose();
      assert.equal(isOver, true);
    }
  });

  test('a listener of a shared subject does not keep it', async () => {
    let isOver = false;
    (() => new Subject({ shared: true, label: 'rates' }).subscribe({ disposed: () => (isOver = true) }))();
    for (let i = 0; i < 50 && !isOver; i++) {
      gc();
      await turns();
    }
    assert.equal(isOver, true);
    const named = new Subject({ shared: true, label: 'rates' });
    assert.equal(named.map((value) => value).name, 'rates.map');
    named.name = 'prices';
    assert.deepEqual([named.name, named.skip(1).name], ['prices', 'prices.skip']);
  });

  test('what is told on another thread than a function’s own arrives there', async (t) => {
    const worker = new Worker(
      `const { parentPort } = require('worker_threads');
      const { Loop, Signal } = require(${JSON.stringify(require.resolve('libbelay'))});
      parentPort.postMessage(Signal.of(Loop.current.scheduler).toAddress());
      parentPort.on('message', () => {});`,
      { eval: true },
    );
    t.after(() => worker.terminate());
    const address = await new Promise((resolve) => worker.once('message', resolve));
    const theirs = await Signal.fromAddress(address).toPromise();
    await new Promise((resolve) => theirs.schedule(resolve));
    const heard = await events(Signal.of(1).observeOn(theirs));
    assert.deepEqual(heard, ['error EWRONGTHREAD']);
  });
}
