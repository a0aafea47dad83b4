'use strict';
/* Environments that end in the midst of something. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { Bag, Disposable, Owner, Signal, Subject, live } = require('libbelay');
const { addon, collected, gc, sender, turns } = require('./support');

/* Where a Worker ends: each calls `end` from inside a callback. */
const places = {
  listener: (end) => new Subject().tap(() => {}).startWith(1).subscribe(end),
  'direct listener'(end) {
    const subject = new Subject();
    subject.subscribe(end);
    subject.next(1);
  },
  'batch listener': (end) => Signal.of(1, 2, {}).subscribe({ nextBatch: end }),
  'nested listener'(end) {
    const [outer, inner] = [new Subject(), new Subject()];
    inner.map((value) => ({ value })).subscribe(end);
    outer.map((value) => [value]).subscribe((value) => inner.next(value));
    outer.nextBatch([1, {}, 3]);
  },
  map: (end) => Signal.of(1, 2).map(end).subscribe(),
  error: (end) => Signal.error(new Error('x')).subscribe({ error: end }),
  complete: (end) => Signal.empty().subscribe({ complete: end }),
  disposed: (end) => Signal.never().subscribe({ disposed: end }).dispose(),
  producer: (end) => Signal.create(end).subscribe(),
  teardown: (end) => Signal.create(() => end).subscribe().dispose(),
  iterator: (end) => Signal.from({ [Symbol.iterator]: () => ({ next: end }) }).subscribe(),
  timer: (end) => Signal.timer(0.001).subscribe(end),
  post: (end) => Signal.start(end).subscribe(),
  deinit: (end) => new Owner({ deinit: end }).release(),
  notice(end) {
    const owner = new Owner();
    owner.setNotice('gone', end);
    owner.release();
  },
  finalizer(end) {
    (() => new Bag().add(new Disposable(end)))();
    setInterval(gc, 1);
  },
  'unhandled error'(end) {
    process.on('uncaughtException', end);
    Signal.error(new Error('x')).subscribe(() => {});
  },
  thread(end) {
    const subject = new Subject();
    subject.subscribe(end);
    parentPort.postMessage(subject.toAddress());
    setInterval(() => {}, 1000);
  },
};

if (!isMainThread) {
  const { place, isExit } = workerData;
  const cell = new Int32Array(workerData.cell);
  // What is alive besides.
  const subject = new Subject();
  subject.map((value) => ({ value })).subscribe(() => {}, { owner: {} });
  Signal.interval(0.001).subscribe(() => subject.next({}));
  subject.toPromise().catch(() => {});
  places[place](() => {
    if (isExit) process.exit(3);
    Atomics.store(cell, 0, 1); // and the main thread terminates it here
    Atomics.notify(cell, 0);
    for (;;);
  });
} else {
  const finished = async (place, isExit) => {
    const cell = new SharedArrayBuffer(4);
    const worker = new Worker(__filename, { workerData: { place, isExit, cell } });
    const exit = new Promise((resolve, reject) => {
      worker.once('exit', resolve);
      worker.once('error', reject);
    });
    let threads;
    worker.once('message', (address) => (threads = sender().start(addon, address, 3, -1, false)));
    if (!isExit) {
      const { value } = Atomics.waitAsync(new Int32Array(cell), 0, 0);
      const alive = setInterval(() => {}, 1000); // the wait is not one to the loop
      await value;
      clearInterval(alive);
      worker.terminate();
    }
    assert.equal(await exit, isExit ? 3 : 1, place);
    if (threads) sender().join(threads);
  };

  for (const isExit of [true, false]) {
    test(`a Worker ${isExit ? 'exits' : 'is terminated'} in any callback`, async () => {
      const before = await collected(0);
      for (const place of Object.keys(places)) await finished(place, isExit);
      await turns(2);
      assert.ok((await collected(before)) <= before, `${live()} left of ${before}`);
    });
  }
}
