'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Disposable, Owner, Property, Subject, live, ownerOf } = require('libbelay');
const { collected, gc, turns } = require('./support');

test('20 000 objects own subscriptions until they are collected', async () => {
  const all = await collected(0);
  const before = live('owners');
  const subject = new Subject();
  let disposed = 0;
  const count = () => disposed++;
  for (let i = 0; i < 20_000; i++) subject.subscribe({ disposed: count }, { owner: { i } });
  assert.equal(live('owners'), before + 20_000);
  assert.equal(await collected(before, 'owners'), before);
  assert.equal(subject.observerCount, 0);
  assert.equal(disposed, 20_000);
  subject.complete();
  assert.ok((await collected(all + 1)) <= all + 1, `${live()} left of ${all}, and the subject`);
});

test('an object keeps what it owns', async () => {
  const subject = new Subject();
  const object = {};
  let seen = 0;
  subject.subscribe(() => seen++, { owner: object });
  for (let i = 0; i < 3; i++) {
    gc();
    await turns(2);
  }
  subject.next(1);
  assert.equal(seen, 1);
  assert.equal(ownerOf(object), ownerOf(object));
  assert.equal(ownerOf(object).label, 'Object');
  assert.equal(ownerOf({ constructor: { name: 5 } }).isDying, false);
  assert.equal(ownerOf(Object.create(null)).isDying, false);
});

test('an owner dies in its order', () => {
  const order = [];
  const owner = new Owner({ label: 'view', deinit: () => order.push('deinit') });
  const subject = new Subject();
  owner.deallocating.subscribe(() => order.push('deallocating'));
  owner.deallocated.subscribe(() => order.push('deallocated'));
  subject.subscribe({ disposed: () => order.push('disposed') }, { owner });
  owner.add(() => order.push('action'));
  owner.setNotice('gone', (name) => order.push(name));
  owner.setNotice('other', () => assert.fail());
  assert.deepEqual(owner.notices, ['gone', 'other']);
  owner.removeNotice('other');
  assert.equal(owner.label, 'view');
  assert.equal(owner.isDying, false);
  owner.release();
  assert.deepEqual(order, ['deallocating', 'disposed', 'action', 'deinit', 'gone', 'deallocated']);
});

test('children die with their parent', () => {
  const [parent, child, other] = [new Owner(), new Owner(), new Owner()];
  parent.addChild(child);
  parent.addChild(other);
  parent.removeChild(other);
  parent.release();
  assert.equal(child.isDying, true);
  assert.equal(other.isDying, false);
});

test('owners watch events of each other', () => {
  const [view, model] = [new Owner(), new Owner()];
  const seen = [];
  view.watch(model, 'changed', (info, name) => seen.push(['low', name, info]));
  view.watch(model, 'changed', (info) => seen.push(['high', info]), 10);
  view.watch(model, 'other', () => assert.fail());
  model.post('changed', { a: 1 });
  assert.deepEqual(seen, [['high', { a: 1 }], ['low', 'changed', { a: 1 }]]);
  view.unwatch(model, 'changed', 10);
  model.post('changed');
  assert.deepEqual(seen.at(-1), ['low', 'changed', null]);
  view.unwatch(model, 'changed');
  view.unwatch(model);
  view.watch(model, 'other', () => assert.fail());
  view.unwatch();
  model.post('other');
  assert.equal(seen.length, 3);
});

test('takeDuring and withOwner end with the object', async () => {
  const subject = new Subject();
  const ends = [];
  (() => {
    const object = { name: 'o' };
    subject.takeDuring(object).subscribe({ complete: () => ends.push('takeDuring') });
    subject.withOwner(object).subscribe({
      next: ([owner, value]) => ends.push([owner.name, value]),
      complete: () => ends.push('withOwner'),
    });
    subject.next(1);
  })();
  for (let i = 0; i < 20 && subject.observerCount > 0; i++) {
    await turns();
    gc();
  }
  assert.deepEqual(ends, [['o', 1], 'takeDuring', 'withOwner']);
});

test('an object goes with a handle of its own whose cycle has been cut', async () => {
  const source = new Subject();
  const refs = [];
  const keep = (make) => {
    const object = {};
    make(object);
    refs.push(new WeakRef(object));
  };
  for (const make of [
    (object) => (object.kept = source.withOwner(object).delay(1).map(([each]) => each)),
    (object) => (object.kept = source.delay(1).withOwner(object).map(([each]) => each)),
    (object) => {
      const weak = new WeakRef(object);
      object.kept = source.delay(1).map(() => weak.deref());
    },
    (object) => (object.kept = source.subscribe(() => object)).dispose(),
    (object) => {
      object.kept = new Subject();
      object.kept.subscribe(() => object);
      object.kept.complete();
    },
    (object) => (object.kept = new Disposable(() => object)).dispose(),
    (object) => (object.kept = new Owner({ deinit: () => object })).release(),
    (object) => {
      object.kept = new Property(object);
      object.kept.value = null;
    },
  ]) keep(make);
  const left = () => refs.filter((each) => each.deref()).length;
  for (let i = 0; i < 50 && left() > 1; i++) {
    await turns(2); // what has been looked at stays until then
    gc();
  }
  assert.ok(left() <= 1, `${left()} left`);
});

test('a binding to a property ends with its owner', () => {
  const [subject, property, owner] = [new Subject(), new Property(0), new Owner()];
  subject.bind(property, { owner });
  subject.next(1);
  owner.release();
  subject.next(2);
  assert.equal(property.value, 1);
});

test('a binding to a subject ends with its owner', () => {
  const [source, target, owner, seen] = [new Subject(), new Subject(), new Owner(), []];
  target.subscribe((value) => seen.push(value));
  source.bind(target, { owner });
  source.next(1);
  owner.release();
  source.next(2);
  assert.deepEqual(seen, [1]);
  assert.equal(source.observerCount, 0);
});

test('a released owner is dead', () => {
  const order = [];
  const owner = new Owner({ label: 'view', deinit: () => order.push(owner.isDying) });
  owner.release();
  owner.release();
  assert.equal(owner.isDying, true);
  assert.equal(owner.label, 'view');
  assert.equal(ownerOf(owner), owner);
  assert.deepEqual(owner.notices, []);
  owner.add(() => order.push('action'));
  owner.add(new Disposable(() => order.push('disposable')));
  owner.deallocated.subscribe(() => order.push('deallocated'));
  assert.deepEqual(order, [true, 'action', 'disposable', 'deallocated']);
  const child = new Owner();
  owner.addChild(child);
  assert.equal(child.isDying, true);
  assert.throws(() => owner.post('changed'), { code: 'EDEAD' });
  assert.throws(() => new Owner().watch(owner, 'changed', () => {}), { code: 'EDEAD' });
});

test('what a released owner is given ends at once', async () => {
  const object = {};
  ownerOf(object).release();
  const released = new Owner();
  released.release();
  for (const owner of [object, released]) {
    const [subject, property, seen] = [new Subject(), new Property(0), []];
    const observer = { next: assert.fail, complete: () => seen.push('|'), disposed: () => seen.push('disposed') };
    assert.equal(subject.subscribe(observer, { owner }).isDisposed, true);
    assert.equal(subject.delay(0).subscribe(observer, { owner }).isDisposed, true);
    subject.takeDuring(owner).subscribe(observer);
    subject.withOwner(owner).subscribe(observer);
    assert.equal(subject.bind(property, { owner }).isDisposed, true);
    assert.equal(subject.bind(new Subject(), { owner }).isDisposed, true);
    await assert.rejects(subject.toPromise({ owner }), { code: 'ECANCELED' });
    for await (const value of subject.values({ owner })) assert.fail(value);
    subject.next(1);
    assert.equal(property.value, 0);
    assert.deepEqual(seen, ['disposed', 'disposed', '|', 'disposed', '|', 'disposed']);
    assert.equal(subject.observerCount, 0);
  }
});
