'use strict';
/* Signals of what may be dropped: emitters and promises. */
const assert = require('node:assert/strict');
const { EventEmitter, getEventListeners } = require('node:events');
const { test } = require('node:test');
const { Signal } = require('libbelay');
const { collected, events, gc, turns } = require('./support');

test('an emitter that calls a new listener at once keeps none that has ended', async () => {
  class Replaying extends EventEmitter {
    on(name, listener) {
      super.on(name, listener);
      listener(1);
      return this;
    }
  }
  for (const chain of [(signal) => signal, (signal) => signal.buffer(1)]) {
    const emitter = new Replaying();
    const heard = await events(chain(Signal.fromEvent(emitter, 'e')).take(1));
    assert.equal(heard.length, 2);
    assert.equal(emitter.listenerCount('e'), 0);
  }
});

/* What is left of things that are dropped, after `work` has been called for many of each. */
async function left(make, uses, work = () => {}) {
  const refs = [];
  for (let i = 0; i < 10 * uses.length; i++) {
    const made = make();
    uses[i % uses.length](made);
    work(made);
    refs.push(new WeakRef(made));
  }
  const count = () => refs.filter((each) => each.deref()).length;
  for (let i = 0; i < 50 && count() > 1; i++) {
    await turns(2); // what has been looked at stays until then
    gc();
  }
  return count();
}

test('an emitter that is dropped goes, with each signal of its events', async () => {
  const before = await collected(0, 'signals');
  const heard = [];
  const hear = { next: (value) => heard.push(value), disposed: () => heard.push('over') };
  const uses = [
    (events) => events.debounce(1).subscribe().dispose(),
    (events) => events.map((value) => value).takeUntil([1]).subscribe(),
    (events) => Signal.merge(events),
    (events) => events.name,
    (events) => events.subscribe(hear),
    (events) => events.map((value) => value).subscribe(hear),
    (events) => events.delay(1).subscribe(hear),
    (events) => events.buffer(2).merge(Signal.never()).subscribe({ error: assert.fail }),
    (events) => events.subscribe(hear, { signal: new AbortController().signal, label: 'heard' }),
    (events) => void events.toPromise().catch(() => {}),
    (events) => void events.values().next(),
    (events) => void events.delay(1).values().next(),
  ];
  const emitters = uses.map((use) => (emitter) => use(Signal.fromEvent(emitter, 'e')));
  assert.ok((await left(() => new EventEmitter(), emitters, (emitter) => emitter.emit('e', 1))) <= 1);
  assert.ok((await left(() => new EventTarget(), emitters)) <= 1);
  for (let i = 0; i < 50 && heard.length < 110; i++) {
    gc();
    await turns(2);
  }
  const count = (event) => heard.filter((each) => each === event).length;
  assert.deepEqual([count(1), count('over')], [30, 80]);
  assert.ok((await collected(before, 'signals')) <= before);
});

test('an emitter behind another object keeps no listener that has ended', () => {
  const emitter = new EventEmitter();
  const subscriptions = [(events) => events, (events) => events.delay(1)].map((chain) => {
    const front = { on: (...given) => emitter.on(...given), off: (...given) => emitter.off(...given) };
    return chain(Signal.fromEvent(front, 'e')).subscribe();
  });
  gc();
  assert.equal(emitter.listenerCount('e'), 2);
  for (const each of subscriptions) each.dispose();
  assert.equal(emitter.listenerCount('e'), 0);
});

test('a subscription that ends long after a collection takes its listener away', async () => {
  const ends = [
    (events) => events,
    (events) => events.map((value) => value),
    (events) => events.delay(1),
  ];
  for (const [emitter, count] of [
    [new EventEmitter(), (emitter) => emitter.listenerCount('e')],
    [new EventTarget(), (emitter) => getEventListeners(emitter, 'e').length],
  ]) {
    const controller = new AbortController();
    const { signal } = controller;
    const subscriptions = ends.map((chain) => chain(Signal.fromEvent(emitter, 'e')).subscribe());
    for (const chain of ends) chain(Signal.fromEvent(emitter, 'e')).subscribe(() => {}, { signal });
    const iterators = ends.map((chain) => chain(Signal.fromEvent(emitter, 'e')).values());
    for (const each of iterators) each.next();
    // What a WeakRef has given lives until the end of its job.
    for (let i = 0; i < 4; i++) {
      await turns(2);
      gc();
    }
    assert.equal(count(emitter), 9);
    for (const each of subscriptions) each.dispose();
    assert.equal(count(emitter), 6);
    controller.abort();
    assert.equal(count(emitter), 3);
    for (const each of iterators) each.return();
    assert.equal(count(emitter), 0);
  }
});

test('a subscription keeps no promise', async () => {
  assert.ok((await left(() => new Promise(() => {}), [(promise) => Signal.from(promise).subscribe()])) <= 1);
  const settled = Promise.resolve(1);
  assert.deepEqual(await Promise.all([1, 2].map(() => Signal.from(settled).toPromise())), [1, 1]);
});
