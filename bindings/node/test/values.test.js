'use strict';
/* Objects around handles, as values. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const {
  AsyncSubject, Bag, BehaviorSubject, Compound, Disposable, Loop, Owner, Property, ReplaySubject, Request, Scheduler,
  Serial, Signal, SingleAssignment, Subject, Subscription, VirtualScheduler, live,
} = require('libbelay');
const { collected, events, turns } = require('./support');

class Session extends Owner {
  constructor(user) {
    super();
    this.user = user;
  }
}
class Plain extends Subscription {}
const same = (value) => value; // it keeps nothing
const last = (_, answer) => answer;

/* Of classes that a handle does not tell. */
const make = () => [
  new Session('bob'), new (class extends Bag {})(), new (class extends VirtualScheduler {})(), new Subject(),
  new BehaviorSubject(1), new ReplaySubject(1), new AsyncSubject(), new Disposable(), new Compound(), new Serial(),
  new SingleAssignment(), new VirtualScheduler(), Object.setPrototypeOf(new Disposable(), Plain.prototype),
];

/* All that arrives of values on their ways. */
async function arrived(values) {
  const ways = {
    direct: (subject) => subject,
    'by a step': (subject) => subject.map(same),
    merge: (subject) => subject.merge(),
    later: (subject) => subject.delay(0),
    kept: (subject) => subject.collect().flatMap(same),
    array: (subject) => subject.buffer(2).map((both) => both[0]).merge(),
    from: () => Signal.from(values),
    iterator: () => Signal.from(new Set(values)),
  };
  const all = {};
  for (const [name, way] of Object.entries(ways)) {
    const subject = new Subject();
    const heard = events(way(subject));
    for (const value of values) subject.nextBatch(name === 'array' ? [value, 0] : [value]);
    subject.complete();
    all[name] = (await heard).slice(0, -1);
  }
  const owner = new Owner();
  all['an event'] = [];
  owner.watch(owner, 'sent', (value) => all['an event'].push(value));
  for (const value of values) owner.post('sent', value);
  const property = new Property(null);
  all['a property'] = values.map((value) => ((property.value = value), property.value));
  const request = new Request(null, last);
  request.subscribe(same);
  all['a request'] = values.map((value) => request.send(value));
  return all;
}

test('an object whose class its handle does not tell arrives as it is', async () => {
  const values = make();
  const check = async () => {
    for (const [way, all] of Object.entries(await arrived(values))) {
      assert.equal(all.length, values.length, way);
      values.forEach((value, i) => assert.ok(all[i] === value, `${way}: ${value.constructor.name}`));
    }
  };
  await check();
  Signal.of(Signal.never().subscribe()).subscribe(); // from now on Belay delivers all values
  await check();
  const [key] = values;
  assert.equal((await Signal.of(1).groupBy(() => key).toPromise()).key, key);
});

test('a handle arrives in an object of its class', async () => {
  for (const [value, of] of [
    [Signal.of(1), Signal], [new Subject().map((value) => value), Signal], [new Owner(), Owner], [new Bag(), Bag],
    [Signal.fromEvent({ on() {}, off() {} }, 'x'), Signal], [Signal.never().subscribe(), Subscription],
    [Loop.current, Loop], [Loop.current.scheduler, Scheduler],
  ]) {
    const made = await Signal.of(value).toPromise();
    assert.equal(Object.getPrototypeOf(made), of.prototype);
  }
});

test('a subject is a signal to operators, whatever passes', async () => {
  for (const name of ['mergeAll', 'concatAll', 'switchToLatest']) {
    const inner = new ReplaySubject(9);
    inner.nextBatch([1, 2]);
    inner.complete();
    const direct = new Subject();
    assert.deepEqual(await events(Signal.of(inner)[name]()), [1, 2, '|'], name);
    assert.deepEqual(await events(Signal.of(inner).delay(0)[name]()), [1, 2, '|'], name);
    assert.deepEqual(await events(Signal.of(inner).byContent()[name]()), [1, 2, '|'], name);
    assert.deepEqual(await events(Signal.of(new BehaviorSubject(4).map((n) => n).take(1))[name]()), [4, '|'], name);
    for (const wrong of [5, {}, undefined, 'text', new Session('bob'), new VirtualScheduler()]) {
      assert.deepEqual(await events(Signal.of(wrong)[name]()), ['error EKIND'], name);
    }
    direct.name = 'outer';
    assert.match(direct[name]().name, /^outer\.[a-z_]+$/);
  }
});

test('behind byContent() a handle is what passes', async () => {
  const subject = new Subject();
  const [signal, owner] = await Signal.of(subject, new Session('bob')).byContent().buffer(2).toPromise();
  assert.deepEqual([signal, owner].map((each) => each.constructor), [Signal, Owner]);
  const heard = events(signal);
  subject.next(1);
  subject.complete();
  assert.deepEqual(await heard, [1, '|']);
  const [nested] = await Signal.of([subject]).byContent().toPromise();
  assert.equal(nested.constructor, Signal);
});

test('nothing is left of objects that have passed', async () => {
  const before = await collected(0);
  for (let i = 0; i < 5; i++) await arrived(make());
  const replay = new ReplaySubject(20);
  replay.nextBatch(make());
  assert.ok((await collected(before + 14)) > before + 1);
  replay.nextBatch(Array.from({ length: 20 }, (_, i) => i));
  await turns();
  assert.ok((await collected(before + 1)) <= before + 1, `${live()} left of ${before}, and the replay`);
});

test('an environment ends while such objects are on their way', async () => {
  const before = await collected(0);
  const library = JSON.stringify(require.resolve('libbelay'));
  const program = `
    const { parentPort } = require('worker_threads');
    const { Disposable, Loop, Owner, Property, ReplaySubject, Signal, Subject } = require(${library});
    class Session extends Owner { user = 'bob'; }
    const subject = new Subject();
    const replay = new ReplaySubject(9);
    subject.delay(9).subscribe(() => {});
    subject.merge().subscribe(replay);
    new Property(new Session()).signal.subscribe(() => {});
    for (const value of [new Session(), new Subject(), new Disposable(() => {}), subject]) subject.next(value);
    Signal.of(subject).concatAll().subscribe(() => {});
    if (process.argv[2] === 'exits') Signal.timer(0.001).subscribe(() => process.exit(3));
    Loop.current.ref();
    parentPort.postMessage('ready');`;
  for (const how of ['exits', 'is terminated', 'exits', 'is terminated']) {
    const worker = new Worker(program, { eval: true, argv: [how] });
    const exit = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
    await new Promise((resolve) => worker.once('message', resolve));
    if (how !== 'exits') worker.terminate();
    assert.equal(await exit, how === 'exits' ? 3 : 1);
  }
  assert.ok((await collected(before)) <= before, `${live()} left of ${before}`);
});
