'use strict';
const assert = require('node:assert/strict');
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const { spawnSync } = require('node:child_process');
const { EventEmitter, getEventListeners } = require('node:events');
const { test } = require('node:test');
const { runInNewContext } = require('node:vm');
const { BehaviorSubject, Disposable, Loop, Owner, ReplaySubject, Signal, Subject } = require('libbelay');
const { addon, collected, events, gc, sender, turns } = require('./support');

test('a promise is the last value', async () => {
  assert.equal(await Signal.of(1, 2).toPromise(), 2);
  assert.equal(await Signal.timer(0.001).map(() => 'late').toPromise(), 'late');
  assert.equal(await Signal.of(undefined).toPromise(), undefined);
  await assert.rejects(Signal.empty().toPromise(), { code: 'ENOENT' });
  // A signal is no promise: an async function gives the signal itself.
  const made = await (async () => Signal.of(1))();
  assert.ok(made instanceof Signal);
});

test('a promise whose source goes is rejected', async () => {
  const owner = new Owner();
  const waiting = new Subject().toPromise({ owner });
  owner.release();
  await assert.rejects(waiting, { code: 'ECANCELED' });
});

test('an AbortSignal ends a wait and a subscription', async () => {
  const [controller, subject] = [new AbortController(), new Subject()];
  const { signal } = controller;
  const reason = new Error('enough');
  const waiting = subject.toPromise({ signal });
  const seen = [];
  const subscription = subject.subscribe((value) => seen.push(value), { signal });
  const values = subject.values({ signal });
  const next = values.next();
  subject.next(1);
  assert.deepEqual(await next, { done: false, value: 1 });
  const last = values.next();
  controller.abort(reason);
  subject.next(2);
  await assert.rejects(waiting, (error) => error === reason);
  await assert.rejects(last, (error) => error === reason);
  assert.deepEqual(await values.next(), { done: true, value: undefined });
  assert.deepEqual([seen, subscription.isDisposed, subject.observerCount], [[1], true, 0]);
  await assert.rejects(subject.toPromise({ signal }), (error) => error === reason);
  assert.equal(subject.subscribe(() => {}, { signal }).isDisposed, true);
  const silent = new Subject();
  const timeout = silent.toPromise({ signal: AbortSignal.timeout(20) });
  const waits = setTimeout(() => {}, 1000);
  await assert.rejects(timeout, { name: 'TimeoutError' });
  clearTimeout(waits);
  assert.equal(silent.observerCount, 0); // until here it must not be collected
});

test('an AbortSignal ends a subscription that is beginning', async () => {
  const reason = new Error('enough');
  const sources = {
    'of Belay': () => Signal.from({ *[Symbol.iterator]() { for (let i = 0; ; i++) yield i; } }),
    'behind an operator': () => Signal.of(0, 1, 2, 3).map((value) => value),
    'a producer': () => Signal.create((subscriber) => { for (let i = 0; subscriber.next(i); i++); }),
    'a replay': () => {
      const replay = new ReplaySubject(8);
      replay.nextBatch([0, 1, 2, 3]);
      return replay;
    },
    'a behaviour': () => new BehaviorSubject(0).startWith(-3, -2, -1),
    'an emitter that calls a new listener': () =>
      Signal.fromEvent({ on(name, listen) { for (let i = 0; i < 4; i++) listen(i); }, off() {} }, 'x'),
  };
  for (const [name, source] of Object.entries(sources)) {
    const told = [];
    const controller = new AbortController();
    const { signal } = controller;
    const kept = source();
    const subscription = kept.subscribe(
      {
        next(value) {
          told.push('value');
          if (told.length === 2) controller.abort(reason);
        },
        complete: () => told.push('complete'),
        error: () => told.push('error'),
        disposed: () => told.push('disposed'),
      },
      { signal },
    );
    assert.deepEqual([told, subscription.isDisposed], [['value', 'value', 'disposed'], true], name);
    assert.equal(getEventListeners(signal, 'abort').length, 0, name);
    // One that is aborted already begins nothing.
    told.length = 0;
    const late = source();
    assert.equal(
      late.subscribe({ next: () => told.push('value'), disposed: () => told.push('disposed') }, { signal }).isDisposed,
      true,
      name,
    );
    assert.deepEqual(told, ['disposed'], name);
    const waits = new AbortController();
    const aborting = source().tap(() => waits.abort(reason));
    await assert.rejects(aborting.toPromise({ signal: waits.signal }), (error) => error === reason, name);
    const iterates = new AbortController();
    const values = source().tap(() => iterates.abort(reason)).values({ signal: iterates.signal });
    await assert.rejects(values.next(), (error) => error === reason, name);
    assert.equal((await source().values({ signal }).next().catch((error) => error)), reason, name);
  }
});

test('an abort that another listener stops ends a wait and a subscription', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  const subject = new Subject();
  const subscription = subject.subscribe(assert.fail, { signal });
  const waits = [subject, subject.map(String)].map((each) => each.toPromise({ signal }));
  waits.push(subject.values({ signal }).next());
  const buffered = subject.buffer(2).subscribe(assert.fail, { signal });
  controller.abort(new Error('enough'));
  subject.next(1);
  for (const wait of waits) await assert.rejects(wait, { message: 'enough' });
  assert.deepEqual([subscription.isDisposed, buffered.isDisposed, subject.observerCount], [true, true, 0]);
});

test('an AbortSignal keeps nothing that has ended', async () => {
  const { signal } = new AbortController();
  for (let i = 0; i < 20; i++) {
    Signal.of(1).subscribe(() => {}, { signal });
    new Subject().subscribe(() => {}, { signal }).dispose();
    await Signal.of(1).toPromise({ signal });
    for await (const value of Signal.of(1).values({ signal })) assert.equal(value, 1);
  }
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  new Subject().subscribe(() => {}, { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 1);
});

test('options that are refused leave nothing', async () => {
  const subject = new Subject();
  const refused = { name: 'TypeError' };
  const listener = new AbortController().signal;
  for (const wrong of [{ signal: {} }, { signal: 5 }, { owner: 5 }, { owner: 'text' }, { owner: 5, signal: listener }]) {
    for (const each of [subject, subject.map((value) => value), subject.buffer(1)]) {
      assert.throws(() => each.subscribe(() => {}, wrong), refused);
      assert.throws(() => each.values(wrong), refused);
      await assert.rejects(each.toPromise(wrong), refused);
    }
  }
  for (const signal of [listener, AbortSignal.abort()]) {
    assert.throws(() => subject.subscribe(() => {}, { signal, label: 5 }), refused);
  }
  await turns();
  assert.equal(getEventListeners(listener, 'abort').length, 0);
  assert.equal(subject.observerCount, 0);
});

test('a for await whose subscription is refused is over', async () => {
  const refusing = { subscribe: () => Signal.of(1).buffer(0) };
  const values = Signal.prototype.values.call(refusing);
  await assert.rejects(values.next(), { code: 'EINVAL' });
  assert.deepEqual(await values.next(), { done: true, value: undefined });
});

test('a wait ends when the source is collected', async () => {
  const [promise, next] = (() => [new Subject().toPromise(), new Subject().values().next()])();
  const ended = Promise.allSettled([promise, next]);
  let isOver = false;
  ended.then(() => (isOver = true));
  for (let i = 0; i < 50 && !isOver; i++) {
    gc();
    await turns(2);
  }
  assert.equal(isOver, true);
  const [rejected, done] = await ended;
  assert.equal(rejected.reason.code, 'ECANCELED');
  assert.deepEqual(done.value, { done: true, value: undefined });
});

test('a subscription keeps no source, whatever stands between', async () => {
  const { signal } = new AbortController();
  const made = {
    map: (source) => source.map((value) => value),
    distinct: (source) => source.distinct((value) => value),
    groupBy: (source) => source.groupBy((value) => value),
    groupByUntil: (source) => source.groupByUntil((value) => value, (group) => group),
    switchOn: (source) => Signal.switchOn(source, [[1, Signal.never()]]),
    'distinct of Belay': (source) => source.delay(0).distinct(),
    dematerialize: (source) => source.dematerialize(),
    using: (source) => Signal.using(() => new Disposable(), () => source),
  };
  const ended = new Set();
  (() => {
    for (const [name, make] of Object.entries(made)) {
      make(new Subject()).subscribe({ disposed: () => ended.add(name) });
      make(new Subject()).subscribe({ disposed: () => ended.add(`${name}, aborting`) }, { signal });
    }
  })();
  for (let i = 0; i < 50 && ended.size < 2 * Object.keys(made).length; i++) {
    gc();
    await turns(2);
  }
  assert.deepEqual([...ended].sort(), Object.keys(made).flatMap((name) => [name, `${name}, aborting`]).sort());
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('for await', async () => {
  const seen = [];
  for await (const value of Signal.interval(0.001).take(3)) seen.push(value);
  for await (const value of Signal.of('a', 'b', 'c')) seen.push(value);
  assert.deepEqual(seen, [0, 1, 2, 'a', 'b', 'c']);
  const subject = new Subject();
  const boom = new Error('boom');
  setImmediate(() => {
    subject.next(1);
    subject.error(boom);
  });
  await assert.rejects(
    async () => {
      for await (const value of subject) seen.push(value);
    },
    (error) => error === boom,
  );
  assert.equal(seen.at(-1), 1);
});

test('values that nobody asks for wait up to a bound', async () => {
  const asked = async (options) => {
    const subject = new Subject();
    const values = subject.values(options);
    const first = values.next();
    for (let i = 0; i < 6; i++) subject.next(i);
    subject.complete();
    assert.deepEqual(await first, { done: false, value: 0 });
    const seen = [];
    try {
      for await (const value of values) seen.push(value);
    } catch (error) {
      seen.push(error.code);
    }
    assert.equal(subject.observerCount, 0);
    return seen;
  };
  assert.deepEqual(await asked(), [1, 2, 3, 4, 5]);
  assert.deepEqual(await asked({ capacity: 5 }), [1, 2, 3, 4, 5]);
  assert.deepEqual(await asked({ capacity: 4 }), [1, 2, 3, 4, 'EAGAIN']);
  assert.deepEqual(await asked({ capacity: 2, policy: 'dropOldest' }), [4, 5]);
  assert.deepEqual(await asked({ capacity: 2, policy: 'dropNewest' }), [1, 2]);
  assert.deepEqual(await asked({ capacity: 3, policy: 'latest' }), [5]);
  assert.throws(() => new Subject().values({ policy: 'block' }), TypeError);
  for (const capacity of [-1, 1.5, NaN, '2']) {
    assert.throws(() => new Subject().values({ capacity }), TypeError);
  }
});

test('the bound is 1024, whoever delivers', async () => {
  for (const capacity of [undefined, 0]) {
    let count = 0;
    for await (const value of Signal.range(0, 1024).values({ capacity })) assert.equal(value, count++);
    assert.equal(count, 1024);
    count = 0;
    const more = Signal.range(0, 1025).values({ capacity });
    const reads = async () => {
      for await (const value of more) assert.equal(value, count++);
    };
    await assert.rejects(reads, { name: 'BelayError', code: 'EAGAIN', errno: -11, message: /capacity/ });
    assert.equal(count, 1024);
  }
  let count = 0;
  for await (const value of Signal.range(0, 5000).values({ capacity: Infinity })) assert.equal(value, count++);
  assert.equal(count, 5000);
});

test('leaving a for await ends the subscription', async () => {
  const subject = new Subject();
  setImmediate(() => subject.nextBatch([1, 2]));
  for await (const value of subject) {
    assert.equal(value, 1);
    assert.equal(subject.observerCount, 1);
    break;
  }
  assert.equal(subject.observerCount, 0);
});

test('leaving while the first question begins the subscription ends it', async () => {
  let isTorn = false;
  const subject = new BehaviorSubject(0);
  const emitter = new EventEmitter().on('newListener', (name, listen) => listen(0));
  const sources = [
    subject,
    Signal.fromEvent(emitter, 'e'),
    Signal.from({ *[Symbol.iterator]() { for (let i = 0; ; i++) yield i; } }),
    Signal.create((subscriber) => {
      subscriber.next(0);
      return () => (isTorn = true);
    }),
  ];
  for (const source of sources) {
    for (const options of [{ capacity: Infinity }, { signal: new AbortController().signal }]) {
      const seen = [];
      const values = source.tap((value) => {
        seen.push(value);
        values.return();
      }).values(options);
      assert.deepEqual(await values.next(), { done: true, value: undefined });
      subject.next(0);
      assert.deepEqual(seen, [0]);
    }
  }
  assert.deepEqual([subject.observerCount, emitter.listenerCount('e'), isTorn], [0, 0, true]);
  class Own extends Signal {
    subscribe(observer) {
      return super.subscribe(observer);
    }
  }
  const own = new Own(subject._handle).values();
  const first = own.next();
  await own.return();
  assert.deepEqual([await first, subject.observerCount], [{ done: false, value: 0 }, 0]);
});

test('a signal of what JavaScript waits for', async () => {
  assert.deepEqual(await events(Signal.from(Promise.resolve(5))), [5, '|']);
  assert.deepEqual(await events(Signal.from(Promise.reject(new Error('no')))), ['error no']);
  let isClosed = false;
  async function* count() {
    try {
      for (let i = 0; ; i++) yield i;
    } finally {
      isClosed = true;
    }
  }
  assert.deepEqual(await events(Signal.from(count()).take(3)), [0, 1, 2, '|']);
  await turns(2);
  assert.equal(isClosed, true);
  let isEnded = false;
  const iterable = {
    *[Symbol.iterator]() {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        isEnded = true;
      }
    },
  };
  assert.deepEqual(await events(Signal.from(iterable).take(2)), [0, 1, '|']);
  assert.equal(isEnded, true);
  const emitter = new EventEmitter();
  const heard = events(Signal.fromEvent(emitter, 'e').take(2));
  emitter.emit('e', 1);
  emitter.emit('e', 1, 2);
  assert.deepEqual(await heard, [1, [1, 2], '|']);
  assert.equal(emitter.listenerCount('e'), 0);
  const target = new EventTarget();
  const event = Signal.fromEvent(target, 'e').first().toPromise();
  target.dispatchEvent(new Event('e'));
  assert.equal((await event).type, 'e');
});

test('an asynchronous iterator whose result is no object fails', async () => {
  const iterable = { [Symbol.asyncIterator]: () => ({ next: () => 5 }) };
  await assert.rejects(Signal.from(iterable).toPromise(), { name: 'TypeError', message: /iterator/ });
});

test('a rejected promise of another realm is not unhandled meanwhile', async () => {
  const unhandled = [];
  const listen = (error) => unhandled.push(error);
  process.on('unhandledRejection', listen);
  const signal = Signal.from(runInNewContext("Promise.reject('no')"));
  await turns(2);
  process.off('unhandledRejection', listen);
  assert.deepEqual(unhandled, []);
  await assert.rejects(signal.toPromise(), (error) => error === 'no');
});

test('the context of an AsyncLocalStorage is that of the call, of the wait, or bound', async () => {
  const storage = new AsyncLocalStorage();
  const heard = [];
  const hear = () => heard.push(storage.getStore());
  const subject = new Subject();
  await storage.run('here', async () => {
    subject.subscribe(hear);
    subject.startWith(0).skip(1).subscribe(hear);
    Signal.timer(0).subscribe(AsyncResource.bind(hear));
    await Signal.timer(0.001).toPromise();
    hear();
    for await (const value of Signal.timer(0)) hear(value);
  });
  assert.deepEqual(heard, ['here', 'here', 'here']);
  storage.run('there', () => subject.next(1));
  assert.deepEqual(heard.slice(3), ['there', 'there']);
});

test('what enterWith() sets in a callback of the loop is gone with it', async () => {
  const storage = new AsyncLocalStorage();
  const heard = [];
  const enter = (wait) => async () => {
    heard.push(storage.getStore());
    storage.enterWith('entered');
    await null;
    heard.push(storage.getStore());
    wait();
  };
  const { scheduler } = Loop.current;
  const ways = [
    (call) => Signal.timer(0).subscribe(call),
    (call) => Signal.timer(0).map(() => ({})).buffer(1).subscribe({ nextBatch: call }),
    (call) => Signal.timer(0).subscribe({ complete: call }),
    (call) => scheduler.schedule(call),
    (call) => scheduler.after(0, call),
    (call) => Loop.current.post(call),
    (call) => Signal.timer(0).subscribe(call),
  ];
  for (const way of ways) await new Promise((resolve) => way(enter(resolve)));
  assert.deepEqual(heard, ways.flatMap(() => [undefined, 'entered']));
  assert.equal(storage.getStore(), undefined);
});

test('what enterWith() sets in a handler of an uncaughtException is gone with it', () => {
  const program = `
    const storage = new (require('node:async_hooks').AsyncLocalStorage)();
    const { Signal } = require('libbelay');
    process.on('uncaughtException', (error) => {
      console.log(error.code ?? error.message, storage.getStore());
      storage.enterWith('entered');
      Promise.resolve().then(() => console.log('promise', storage.getStore()));
    });
    const fail = () => { throw new Error('own'); };
    Signal.timer(0.001).skip(1).first().subscribe();
    Signal.timer(0.002).subscribe({ complete: fail });
    Signal.timer(0.003).subscribe({ disposed: fail });
    Signal.timer(0.004).subscribe(fail);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: __dirname, encoding: 'utf8' });
  const expected = ['ENOENT', 'own', 'own', 'own'].map((name) => `${name} undefined\npromise entered\n`);
  assert.deepEqual([stdout, stderr], [expected.join(''), '']);
});

test('what other threads send wakes whoever waits', async () => {
  const subject = new Subject();
  Loop.current.ref();
  let count = 0;
  const threads = sender().start(addon, subject.toAddress(), 3, 20_000, false);
  await subject.tap(() => count++).take(60_000).toPromise();
  Loop.current.unref();
  assert.equal(sender().join(threads), 60_000);
  assert.equal(count, 60_000);
});
