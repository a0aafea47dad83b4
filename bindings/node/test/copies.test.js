'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const one = require('libbelay');
const { collected, events, gc, sender, turns } = require('./support');

/* A copy of the package, whose add-on is loaded once more. */
const folder = path.join(__dirname, '../copy');
fs.cpSync(path.dirname(require.resolve('libbelay')), folder, { recursive: true });
const two = require(folder);

test('each copy has signals of its own', () => {
  assert.notEqual(one.Signal, two.Signal);
  const before = two.live('signals');
  const subject = new one.Subject();
  assert.equal(two.live('signals'), before);
  subject.complete();
});

test('a signal of the other copy is a source like any other', async () => {
  const [object, boom] = [{}, new Error('boom')];
  for (const [here, there] of [[one, two], [two, one]]) {
    const values = [1, 'a', null, undefined, object, 5n, [object]];
    assert.deepEqual(await events(here.Signal.from(there.Signal.from(values))), [...values, '|']);
    const [same] = await events(here.Signal.from(there.Signal.just(object)));
    assert.equal(same, object);
    await assert.rejects(here.Signal.from(there.Signal.error(boom)).toPromise(), (error) => error === boom);
    const timed = here.Signal.of(0).concat(there.Signal.timer(0.001).map(() => 1));
    assert.deepEqual(await events(timed.flatMap((n) => there.Signal.of(n, n))), [0, 0, 1, 1, '|']);
  }
});

test('a disposal and an interruption reach the other copy', async () => {
  const subject = new two.Subject();
  const seen = [];
  const subscription = one.Signal.from(subject).subscribe((value) => seen.push(value));
  subject.next(1);
  assert.equal(subject.observerCount, 1);
  subscription.dispose();
  assert.equal(subject.observerCount, 0);
  subject.next(2);
  assert.deepEqual(seen, [1]);
  const owner = new two.Owner();
  const ended = one.Signal.from(two.Signal.create((subscriber) => {
    owner.add(() => two.Signal.never());
    subscriber.next(1);
  }).takeUntil(owner.deallocated)).toPromise();
  owner.release();
  assert.equal(await ended, 1);
  let heard = 0;
  one.Signal.from(two.Signal.create(() => {})).subscribe({ disposed: () => heard++, complete: assert.fail });
  await collected(0, 'subscribers');
  assert.equal(heard, 1);
});

test('a signal of the other copy that sends at once and without end can be left', async () => {
  const endless = two.Signal.from({ *[Symbol.iterator]() { for (let i = 0; i < 1e5; i++) yield i; } });
  let count = 0;
  const counted = endless.tap(() => count++);
  assert.deepEqual(await events(one.Signal.from(counted).take(2)), [0, 1, '|']);
  assert.equal(count, 2);
});

test('a subscription keeps no signal of the other copy', async () => {
  let count = 0;
  const disposed = () => count++;
  for (let i = 0; i < 20; i++) one.Signal.from(new two.Subject()).subscribe({ disposed, complete: assert.fail });
  for (let i = 0; i < 50 && count < 20; i++) {
    gc();
    await turns(2);
  }
  assert.equal(count, 20);
});

test('a binding to what the other copy has', () => {
  const [subject, property] = [new two.Subject(), new two.Property(0)];
  const seen = [];
  subject.subscribe({ next: (value) => seen.push(value), complete: () => seen.push('|') });
  one.Signal.of(1, 2).bind(subject);
  one.Signal.of(3).bind(property);
  assert.deepEqual([seen, property.value], [[1, 2, '|'], 3]);
});

test('a subject of the other copy listens', () => {
  const [subject, seen] = [new two.Subject(), []];
  subject.subscribe({ next: (value) => seen.push(value), complete: () => seen.push('|') });
  one.Signal.of(1, 2).subscribe(subject);
  assert.deepEqual(seen, [1, 2, '|']);
});

test('handles of the other copy are refused', () => {
  const foreign = new two.Disposable();
  for (const call of [
    () => new one.Compound(foreign),
    () => new one.Bag().add(foreign),
    () => new one.Serial().set(foreign),
    () => one.Signal.of(1).multicast(new two.Subject()),
    () => new one.Property(1).channel(new two.Property(1)),
  ]) {
    assert.throws(call, TypeError);
  }
  const seen = [];
  const subject = new one.Subject();
  subject.subscribe((value) => seen.push(value));
  subject.next(foreign);
  assert.deepEqual(seen, [foreign]);
});

test('an owner of the other copy is refused', async () => {
  const [subject, property, owner] = [new one.Subject(), new one.Property(0), new two.Owner()];
  for (const call of [
    () => subject.subscribe(() => {}, { owner }),
    () => subject.map((n) => n).subscribe(() => {}, { owner }),
    () => subject.takeDuring(owner),
    () => subject.withOwner(owner),
    () => subject.bind(property, { owner }),
    () => subject.bind(new one.Subject(), { owner }),
    () => subject.values({ owner }),
    () => one.ownerOf(owner),
    () => new one.Owner().addChild(owner),
    () => new one.Owner().watch(owner, 'changed', () => {}),
  ]) {
    assert.throws(call, { name: 'TypeError', message: /another copy/ });
  }
  await assert.rejects(subject.toPromise({ owner }), TypeError);
  assert.equal(subject.observerCount, 0);
});

test('an exported signal is imported by the other copy', async () => {
  for (const [here, there] of [[one, two], [two, one]]) {
    const subject = new there.Subject();
    const imported = here.Signal.import(subject.map((n) => n).export());
    const heard = events(imported);
    subject.nextBatch([1, 2]);
    subject.next('text');
    subject.complete();
    assert.deepEqual(await heard, [1, 2, 'text', '|']);
    const inner = here.Signal.import(there.Signal.of(there.Signal.of(1, 2)).export());
    assert.deepEqual(await events(inner.concatAll()), [1, 2, '|']);
    const object = here.Signal.import(there.Signal.of(1, {}).export());
    assert.deepEqual(await events(object), [1, 'error EKIND']);
    const failing = here.Signal.import(there.Signal.error(new Error('boom')).export());
    await assert.rejects(failing.toPromise(), { domain: 'JavaScript', message: 'Error: boom' });
    const kept = new there.Subject();
    const listens = here.Signal.import(kept.export()).subscribe(() => {});
    assert.equal(kept.observerCount, 1);
    listens.dispose();
    assert.equal(kept.observerCount, 0);
    for (const wrong of [undefined, 5, {}, kept, kept._handle]) {
      assert.throws(() => here.Signal.import(wrong), TypeError);
    }
  }
});

test('arrays and bytes pass by content', async () => {
  const [object, array] = [{}, [1, ['a', [2n, null]], Buffer.from([0, 255]), true]];
  const text = Buffer.from('text');
  for (const [here, there] of [[one, two], [two, one]]) {
    const got = await events(here.Signal.import(there.Signal.of(array, new Uint8Array([7]), text, [], Buffer.alloc(0)).export()));
    assert.deepEqual(got, [array, Buffer.from([7]), text, [], Buffer.alloc(0), '|']);
    assert.ok(got[0] !== array && Buffer.isBuffer(got[0][2]));
    const nested = there.Signal.of([text], 5).buffer(2).concat(there.Signal.of(there.Signal.of([text])));
    const [buffered, inner] = await events(here.Signal.import(nested.export()));
    assert.deepEqual(buffered, [[text], 5]);
    assert.deepEqual(await events(inner), [[text], '|']);
    for (const [wrong, code] of [[[[object]], 'EKIND'], [[() => {}], 'EKIND'], [new Map(), 'EKIND'], [new Float64Array(2), 'EKIND']]) {
      assert.deepEqual(await events(here.Signal.import(there.Signal.of(1, wrong).export())), [1, `error ${code}`]);
    }
    const [deep, cyclic] = [[], []];
    cyclic.push(cyclic, cyclic);
    for (let i = 0, inside = deep; i < 200000; i++) inside.push((inside = []));
    for (const wrong of [deep, cyclic]) {
      assert.deepEqual(await events(here.Signal.import(there.Signal.of(wrong).export())), ['error ERANGE']);
    }
    const throwing = Object.defineProperty([1, 2], 1, { get: () => { throw new Error('got'); } });
    await assert.rejects(here.Signal.import(there.Signal.of(throwing).export()).toPromise(), { message: 'Error: got' });
  }
  const same = one.Signal.of(array);
  assert.equal((await events(one.Signal.import(same.export())))[0], array);
  const [copied, kept] = await events(one.Signal.of(array, object).byContent());
  assert.deepEqual(copied, array);
  assert.ok(copied !== array && kept === object);
});

test('an add-on listens to an exported signal by functions of C', () => {
  assert.deepEqual(sender().total(one.Signal.of(1, 2, 3.5).export()), [6.5, 1, 1]);
  assert.deepEqual(sender().total(two.Signal.of(1, 2).export()), [3, 1, 1]);
  assert.deepEqual(sender().total(one.Signal.of([1, [2, 3]], Buffer.from([4, 5]), []).export()), [15, 1, 1]);
  const failed = one.Signal.of(1).concat(one.Signal.empty().first());
  assert.deepEqual(sender().total(failed.export()), [1, -2, 1]);
});

test('nothing is left in either copy', async () => {
  const left = () => one.live() + two.live();
  const before = (await collected(0)) + two.live();
  const work = () => {
    const [a, b] = [new one.Subject(), new two.Subject()];
    one.Signal.import(b.export()).subscribe(() => {});
    const subscription = one.Signal.from(b).merge(a).subscribe(() => {});
    a.next(1);
    b.next(2);
    subscription.dispose();
  };
  for (let i = 0; i < 100; i++) work();
  for (let i = 0; i < 50 && left() > before; i++) {
    await collected(0);
    await turns(2);
  }
  assert.ok(left() <= before, `${left()} left of ${before}`);
});
