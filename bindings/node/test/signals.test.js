'use strict';
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { test } = require('node:test');
const {
  BehaviorSubject, BelayError, AsyncSubject, Command, Compound, Disposable, Bag, Loop, Owner,
  Property, ReplaySubject, Request, Scheduler, Serial, Signal, SingleAssignment, Subject, VirtualScheduler, live, lost,
  misuses, version,
} = require('libbelay');
const { collected, events, turns } = require('./support');

test('values arrive as they are', async () => {
  const values = [
    0, -0, 1.5, NaN, Infinity, 2 ** 60, 5n, -(2n ** 63n), 2n ** 64n - 1n, 2n ** 80n, '', 'ä\0z',
    'x'.repeat(300), 'é'.repeat(150), true, false, null, undefined, Symbol('s'), () => 1, { a: 1 },
    [1, [2]], new Map(), Buffer.from('b'), new Error('e'), new Date(),
  ];
  const subject = new Subject();
  const seen = [];
  subject.subscribe((value) => seen.push(value));
  for (const value of values) subject.next(value);
  assert.equal(seen.length, values.length);
  values.forEach((value, index) => assert.ok(Object.is(seen[index], value), String(value)));
  assert.deepEqual(await events(Signal.from(values)), [...values, '|']);
});

test('a proxy is a value, whatever its handler does', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = new Proxy({}, { getPrototypeOf: () => assert.fail() });
  for (const value of [proxy, throwing]) {
    const seen = [];
    const listen = (each) => seen.push(each);
    Signal.just(value).subscribe(listen);
    Signal.of(1).map(() => value).map((each) => each).subscribe(listen);
    Signal.of(value).byContent().subscribe(listen);
    Signal.of(1).map(() => { throw value; }).subscribe({ error: listen });
    const subject = new Subject();
    subject.startWith(value).subscribe(listen);
    assert.equal(subject.next(value), true);
    subject.nextBatch([value, value]);
    assert.equal(seen.length, 8);
    assert.ok(seen.every((each) => each === value));
  }
});

test('handles are values too', async () => {
  const inner = Signal.of(1, 2);
  assert.deepEqual(await events(Signal.of(inner, inner).concatAll()), [1, 2, 1, 2, '|']);
  const [scheduler] = await events(Signal.of(Loop.current.scheduler));
  assert.ok(scheduler instanceof Scheduler);
});

test('an array may be long', async () => {
  const values = Array.from({ length: 300_000 }, (_, i) => i);
  assert.equal(await Signal.from(values).count().toPromise(), 300_000);
});

test('a batch is delivered as single values are, unless it is asked for', () => {
  for (const values of [[1, 2, 3], ['a', 'b'], [1, 'a', {}], Array.from({ length: 600 }, (_, i) => i)]) {
    const subject = new Subject();
    const [single, batches] = [[], []];
    subject.map((value) => [value]).subscribe(([value]) => single.push(value));
    subject.subscribe({ nextBatch: (all) => batches.push(all) });
    assert.equal(subject.nextBatch(values), true);
    assert.deepEqual(single, values);
    assert.deepEqual(batches.flatMap((all) => [...all]), values);
    assert.equal(batches.length, Math.ceil(values.length / 256));
    assert.equal(subject.nextBatch(new Set(values)), true);
    assert.equal(single.length, 2 * values.length);
  }
});

test('a disposal ends a batch in the midst', () => {
  const subject = new Subject();
  const seen = [];
  const subscription = subject.subscribe((value) => {
    seen.push(value);
    if (value === 2) subscription.dispose();
  });
  subject.nextBatch([1, 2, 3]);
  assert.deepEqual(seen, [1, 2]);
  assert.equal(subscription.isDisposed, true);
});

test('what is sent from inside a batch is seen at once', () => {
  const [outer, inner] = [new Subject(), new Subject()];
  const seen = [];
  inner.subscribe((value) => seen.push(value));
  outer.subscribe((value) => {
    seen.push(value);
    inner.nextBatch([value * 10, value * 10 + 1]);
  });
  outer.nextBatch([1, 2]);
  Signal.of(3, 4).subscribe((value) => inner.next(value));
  assert.deepEqual(seen, [1, 10, 11, 2, 20, 21, 3, 4]);
});

test('what a callback throws is the error, the same object', async () => {
  const boom = new RangeError('boom');
  const fail = () => {
    throw boom;
  };
  for (const signal of [
    Signal.of(1).map(fail),
    Signal.of(1).filter(fail),
    Signal.of(1).flatMap(fail),
    Signal.defer(fail),
    Signal.error(boom),
    Signal.create(fail),
    Signal.from((function* () {
      yield 1;
      fail();
    })()).ignoreElements(),
  ]) {
    await assert.rejects(signal.toPromise(), (error) => error === boom);
  }
  for (const value of [undefined, null, 'text', 5, 5n, Object.freeze({})]) {
    const thrown = await Signal.error(value).toPromise().then(assert.fail, (error) => error);
    assert.ok(Object.is(thrown, value));
  }
  let caught;
  Signal.of(1, 2, 3).subscribe({ next: fail, error: (error) => (caught = error) });
  assert.equal(caught, boom);
});

test('errors of Belay have a code, a number and a message', async () => {
  const error = await Signal.empty().first().toPromise().then(assert.fail, (reason) => reason);
  assert.ok(error instanceof BelayError && error instanceof Error);
  assert.equal(error.code, 'ENOENT');
  assert.equal(error.errno, -2);
  assert.equal(error.name, 'BelayError');
  assert.throws(() => Signal.of(1).buffer(0), { code: 'EINVAL' });
  assert.throws(() => Signal.of(1).take(-1), TypeError);
  assert.throws(() => Signal.of(1).take(1.5), TypeError);
  assert.throws(() => Signal.of(1).map('no function'), TypeError);
  assert.throws(() => Signal.of(1).takeUntil(5), TypeError);
  assert.throws(() => new Subject({ label: 5 }), TypeError);
  assert.throws(() => Signal.prototype.take.call({ _handle: 5, _native: (x) => x }, 1), TypeError);
});

test('a call that refuses an argument has done nothing', () => {
  const [subject, watcher, source] = [new Subject(), new Owner(), new Owner()];
  assert.throws(() => subject.subscribe(assert.fail, { label: 5 }), TypeError);
  assert.equal(subject.observerCount, 0);
  assert.throws(() => watcher.watch(source, 'changed', assert.fail, 'high'), TypeError);
  source.post('changed');
  for (const address of [0n, 5, '5', undefined]) assert.throws(() => Signal.fromAddress(address), TypeError);
});

test('an iterator that answers no object is an error', async () => {
  const bad = { [Symbol.iterator]: () => ({ next: () => 5 }) };
  await assert.rejects(Signal.from(bad).toPromise(), TypeError);
  const boom = new Error('boom');
  const throwing = (name) => ({
    [Symbol.iterator]: () => ({ next: () => Object.defineProperty({}, name, { get() { throw boom; } }) }),
  });
  for (const name of ['done', 'value']) {
    await assert.rejects(Signal.from(throwing(name)).toPromise(), (error) => error === boom);
  }
});

test('an end ends', () => {
  const subject = new Subject({ label: 'keys' });
  const seen = [];
  subject.subscribe({
    next: (value) => seen.push(value),
    complete: () => seen.push('|'),
    disposed: () => seen.push('disposed'),
  });
  assert.equal(subject.observerCount, 1);
  assert.equal(subject.next(1), true);
  assert.equal(subject.complete(), true);
  assert.equal(subject.next(2), false);
  assert.deepEqual(seen, [1, '|', 'disposed']);
  assert.equal(subject.map((x) => x).name, 'keys.map');
  subject.name = 'others';
  assert.equal(subject.name, 'others');
});

test('subjects remember', async () => {
  const behavior = new BehaviorSubject(1);
  behavior.next(2);
  assert.equal(behavior.value, 2);
  const replay = new ReplaySubject(2);
  replay.nextBatch([1, 2, 3]);
  replay.complete();
  assert.deepEqual(await events(replay), [2, 3, '|']);
  const last = new AsyncSubject();
  last.nextBatch([1, 2]);
  last.complete();
  assert.deepEqual(await events(last), [2, '|']);
  const nested = new Subject({ reentrancy: 'reject' });
  nested.subscribe((value) => value < 3 && assert.throws(() => nested.next(value + 1), { code: 'EREENTRANT' }));
  nested.next(1);
  assert.throws(() => new Subject({ reentrancy: 'sometimes' }), TypeError);
});

test('properties and commands', async () => {
  const [a, b] = [new Property(1), new Property(2)];
  const channel = a.channel(b);
  b.value = 5;
  assert.equal(a.value, 5);
  channel.dispose();
  b.modify((value) => value + 1);
  assert.equal(b.value, 6);
  assert.throws(() => b.modify(() => { throw new RangeError('no'); }), RangeError);
  assert.throws(() => b.modify(3), TypeError);
  assert.deepEqual([a.value, b.value], [5, 6]);
  for (const nothing of [null, undefined]) assert.deepEqual(await events(Signal.fromOptional(nothing)), ['|']);
  assert.deepEqual(await events(Signal.fromOptional(0)), [0, '|']);
  const seen = [];
  a.signal.subscribe((value) => seen.push(value));
  Signal.of(7).bind(a);
  assert.deepEqual(seen, [5, 7]);
  const target = new Subject();
  const heard = events(target);
  Signal.of(1, 2).bind(target);
  assert.deepEqual(await heard, [1, 2, '|']);

  const command = new Command((input) => (input > 0 ? Signal.timer(0.001).map(() => input) : Signal.error(new Error('negative'))));
  const values = [];
  command.values.subscribe((value) => values.push(value));
  const run = command.execute(3);
  assert.throws(() => command.execute(4), { code: 'EBUSY' });
  assert.equal(await run.toPromise(), 3);
  const errors = [];
  command.errors.subscribe((error) => errors.push(error.message));
  await command.execute(-1).toPromise().catch(() => {});
  const refusing = new Command(() => { throw new RangeError('refused'); });
  refusing.errors.subscribe((error) => errors.push(error.message));
  assert.throws(() => refusing.execute(1), { name: 'RangeError', message: 'refused' });
  assert.deepEqual([values, errors], [[3], ['negative']]);
  assert.equal(await command.executing.first().toPromise(), false);
  assert.equal(await command.enabled.first().toPromise(), true);
});

test('requests', () => {
  const mayClose = new Request(true, (all, one) => all && one);
  assert.equal(mayClose.send('empty'), true);
  const saved = mayClose.subscribe((file) => file !== 'changed');
  mayClose.subscribe((file) => {
    if (file === 'locked') throw new RangeError('somebody has it');
    return true;
  });
  assert.equal(mayClose.send('same'), true);
  assert.equal(mayClose.send('changed'), false);
  assert.throws(() => mayClose.send('locked'), RangeError);
  saved.dispose();
  assert.equal(mayClose.send('changed'), true);
});

test('disposables', () => {
  const seen = [];
  const log = (name) => new Disposable(() => seen.push(name));
  const both = new Compound(log('a'), log('b'));
  const key = both.add(log('c'));
  both.remove(key);
  assert.equal(both.count, 2);
  both.add(() => seen.push('added'));
  both.dispose();
  const serial = new Serial();
  serial.set(log('d'));
  serial.set(log('e'));
  const swapped = serial.swap(null);
  swapped.dispose();
  serial.set(() => seen.push('set'));
  serial.dispose();
  const single = new SingleAssignment();
  single.set(log('f'));
  assert.throws(() => single.set(log('g')), { code: 'EASSIGNED' });
  single.dispose();
  single.disposeSync(1);
  const bag = new Bag();
  bag.add(log('h'));
  assert.equal(bag.count, 1);
  assert.deepEqual(seen, ['a', 'b', 'added', 'd', 'e', 'set', 'f']);
});

test('schedulers and the loop', async () => {
  const virtual = new VirtualScheduler();
  const seen = [];
  virtual.after(2, () => seen.push('after'));
  const every = virtual.every(1, () => seen.push('every'));
  virtual.advance(2.5);
  every.dispose();
  virtual.schedule(() => seen.push('soon'));
  assert.equal(virtual.step(), 1);
  virtual.flush();
  assert.equal(virtual.now, 2.5);
  let rounds = 0;
  Scheduler.immediate.recursive((recursion) => ++rounds < 5 && recursion.again());
  Scheduler.trampoline.schedule(() => seen.push('trampoline'));
  assert.equal(rounds, 5);
  const loop = Loop.current;
  const before = loop.turns;
  await new Promise((resolve) => loop.post(resolve));
  await new Promise((resolve) => loop.scheduler.schedule(resolve));
  assert.ok(loop.turns > before && loop.now > 0);
  assert.ok(loop.queueHighWater >= 1 && Scheduler.current.queueHighWater >= 1);
  assert.deepEqual(seen, ['every', 'after', 'every', 'soon', 'trampoline']);
});

test('promises follow a callback of the loop at once', async () => {
  const seen = [];
  const ended = new Promise((resolve) => {
    Signal.interval(0.001).take(2).subscribe({
      next(value) {
        seen.push(value);
        Promise.resolve().then(() => seen.push('then'));
        process.nextTick(() => seen.push('tick'));
      },
      disposed: () => setImmediate(resolve),
    });
  });
  await ended;
  assert.deepEqual(seen, [0, 'tick', 'then', 1, 'tick', 'then']);
});

test('a signal given by its address', () => {
  const subject = new Subject();
  const same = Signal.fromAddress(subject.toAddress());
  const seen = [];
  same.subscribe((value) => seen.push(value));
  subject.next(1);
  assert.deepEqual(seen, [1]);
});

test('counts', () => {
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.ok(live('loops') >= 1);
  assert.throws(() => live('elephants'), TypeError);
  const before = misuses();
  assert.throws(() => Signal.of(1).buffer(0));
  assert.ok(misuses() > before);
  assert.equal(typeof lost(), 'number');
});

test('nothing is left of what was used', async () => {
  const before = await collected(0);
  await (async () => {
    for (let i = 0; i < 200; i++) {
      const subject = new Subject();
      subject.map((x) => ({ x })).scan([], (all, x) => [...all, x]).subscribe(() => {});
      subject.next({});
      await Signal.zip(Signal.of({}), Signal.from([() => 1])).toPromise();
    }
  })();
  assert.ok((await collected(before)) <= before);
});

const run = (program) => {
  try {
    return execFileSync(process.execPath, ['-e', `const b = require('libbelay'); ${program}`], {
      encoding: 'utf8', cwd: __dirname, stdio: ['ignore', 'pipe', 'pipe'], timeout: 20000,
    });
  } catch (error) {
    return `${error.status} ${error.stdout}${error.stderr}`;
  }
};

test('an error that nobody handles is an uncaughtException', () => {
  assert.match(run("b.Signal.error(new Error('nobody')).subscribe(() => {})"), /^1 [^]*Error: nobody/);
  const caught = "process.on('uncaughtException', (e) => console.log('caught', e.message));";
  assert.equal(run(`${caught} b.Signal.timer(0).map(() => { throw Error('x') }).subscribe()`), 'caught x\n');
  const direct = "const s = new b.Subject(); s.subscribe(() => { throw Error('z') }); s.next(1);";
  assert.match(run(direct), /^1 [^]*Error: z/);
  assert.equal(run(`${caught} ${direct} console.log(s.next(2), s.observerCount)`), 'caught z\ntrue 0\n');
  const within = "error() { throw Error('e') }, disposed() { throw Error('d') }";
  const twice = `const s = new b.Subject(); s.subscribe({ next() { throw 1 }, ${within} }); s.next(1);`;
  assert.equal(run(`${caught} ${twice}`), 'caught e\ncaught d\n');
  assert.equal(run(`${caught} ${twice.replace('.subscribe', '.map((x) => x).subscribe')}`), 'caught e\ncaught d\n');
  assert.equal(run(`${caught} new b.Disposable(() => { throw Error('y') }).dispose()`), 'caught y\n');
  const eager = "b.Signal.startEagerly(() => { throw Error('eager') }";
  for (const scheduler of ['', ', b.Scheduler.immediate']) {
    assert.equal(run(`${caught} ${eager}${scheduler})`), 'caught eager\n');
    const heard = "subscribe({ error: (e) => console.log('heard', e.message) })";
    assert.equal(run(`${caught} ${eager}${scheduler}).${heard}`), 'heard eager\n');
    assert.equal(run(`${caught} ${eager}${scheduler}).subscribe()`), 'caught eager\n');
  }
  const rejected = "const s = b.Signal.merge(b.Signal.never(), Promise.reject(Error('p')));";
  assert.equal(run(`${caught} ${rejected}`), '');
  assert.equal(run(`${caught} ${rejected} setImmediate(() => s.subscribe())`), 'caught p\n');
  const off = "const e = { on() {}, off() { throw Error('off') } }; const disposed = () => console.log('disposed');";
  const events = `${off} b.Signal.fromEvent(e, 'x').subscribe({ disposed }).dispose();`;
  assert.equal(run(`${caught} ${events}`).split('\n').sort().join(), ',caught off,disposed');
});

test('what keeps the process alive', () => {
  const over = "process.on('exit', () => console.log('over'));";
  const idle = "new b.Subject().delay(1).subscribe(); b.Signal.fromEvent(process, 'SIGUSR2').subscribe();";
  assert.equal(run(`${over} ${idle}`), 'over\n');
  // The timer of Node's does not keep it alive.
  const told = (source) => `const s = b.Signal.${source}.subscribe(); setTimeout(() => s.dispose(), 20).unref();
    process.on('exit', () => console.log(s.isDisposed))`;
  for (const source of [
    "posixSignal('SIGUSR2')", "fileLines('/dev/null', { follow: true })", 'interval(9)', 'timer(9)',
    'wallTimer(new Date(9e12))', 'just(1).delay(9)',
  ]) assert.equal(run(told(source)), 'true\n', source);
});

test('an iterator is left as a `for of` leaves it', async () => {
  const told = [];
  /* Gives 0, 1, 2; then `end` says how it goes on. */
  const iterable = (end, isLater) => {
    let count = 0;
    const iterator = {
      next() {
        told.push(count);
        return count < 3 ? { done: false, value: count++ } : end();
      },
      return() {
        told.push('return');
        return { done: true };
      },
    };
    return { [isLater ? Symbol.asyncIterator : Symbol.iterator]: () => iterator };
  };
  const boom = () => {
    throw new Error('boom');
  };
  for (const isLater of [false, true]) {
    const run = async (end, make) => {
      told.length = 0;
      await events(make(Signal.from(iterable(end, isLater))));
      return [...told];
    };
    const done = () => ({ done: true });
    assert.deepEqual(await run(done, (signal) => signal), [0, 1, 2, 3]);
    assert.deepEqual(await run(boom, (signal) => signal), [0, 1, 2, 3]);
    assert.deepEqual(await run(() => 5, (signal) => signal), [0, 1, 2, 3]);
    assert.deepEqual(await run(done, (signal) => signal.take(2)), [0, 1, 'return']);
    assert.deepEqual(await run(done, (signal) => signal.map(boom)), [0, 'return']);
  }
  // It ends its own subscription while it runs.
  const subject = new Subject();
  function* own() {
    try {
      yield 1;
      subject.complete();
      yield 2;
      told.push('not left');
    } finally {
      told.push('left');
    }
  }
  told.length = 0;
  Signal.from(own()).takeUntil(subject.concat(Signal.of(0))).subscribe((value) => told.push(value));
  assert.deepEqual(told, [1, 'left']);
});

test('where no stack is left, a RangeError tells it', () => {
  const program = `
    const subjects = Array.from({ length: 60 }, () => {
      const subject = new b.Subject();
      subject.map((value) => [value]).subscribe({ next() {}, error() {} });
      return subject;
    });
    const thrown = new Set();
    const send = (below) => {
      try { subjects[below].next(1); } catch (error) { thrown.add(error instanceof RangeError); }
    };
    // Sends from each of the deepest frames. Answers how many are below.
    function descend() {
      let below = 0;
      try { below = descend() + 1; } catch {}
      if (below < subjects.length) send(below);
      return below;
    }
    descend();
    console.log(...thrown);`;
  // Node 22 ends the process when it cannot raise an uncaughtException.
  assert.match(run(program), /^(true\n$|\d+ [^]*RangeError: Maximum call stack)/);
});

test('the process ends when only subscriptions are left, and waits when it is asked to', () => {
  const endless = 'const s = new b.Subject(); s.subscribe(() => {}); b.Signal.never().subscribe();';
  assert.equal(run(`${endless} process.on('exit', () => console.log('exit'))`), 'exit\n');
  const waits = 'const l = b.Loop.current.ref(); setTimeout(() => { console.log(1); l.unref() }, 5).unref();';
  assert.equal(run(waits), '1\n');
  // The next turn does what is left to it, and a call alone is nothing to wait for.
  assert.equal(run('b.Signal.start(() => 3).subscribe(console.log)'), '3\n');
  const again = "process.on('beforeExit', () => { console.log('over'); new b.Subject().next(1) })";
  assert.equal(run(again), 'over\n');
  assert.equal(run('b.Signal.timer(0.005).subscribe(() => console.log(2))'), '2\n');
});

test('process.exit() anywhere', () => {
  const exit = "() => { console.log('out'); process.exit(0); }";
  assert.equal(run(`b.Signal.timer(0).subscribe(${exit})`), 'out\n');
  assert.equal(run(`const s = new b.Subject(); s.map((x) => ({x})).subscribe(${exit}); s.nextBatch([1,2,{}]);`), 'out\n');
  assert.equal(run(`b.Signal.create(() => ${exit}).subscribe().dispose()`), 'out\n');
});
