'use strict';
/* Options that are wrong, and arguments in the place of options. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const {
  AsyncSubject, BehaviorSubject, Command, Owner, Property, ReplaySubject, Signal, Subject, VirtualScheduler,
} = require('libbelay');

const clock = new VirtualScheduler();
const one = Signal.of(1);
const direct = new Subject();
const same = (value) => value;
const never = () => Signal.never();
const emitter = { on() {}, off() {} };

/* Each call by its options, and those that it knows. */
const CALLS = {
  Subject: [(options) => new Subject(options), { label: 'a', reentrancy: 'queue', capacity: 9, shared: false }],
  BehaviorSubject: [(options) => new BehaviorSubject(1, options), { label: 'a', reentrancy: 'latest' }],
  AsyncSubject: [(options) => new AsyncSubject(options), { capacity: 9 }],
  ReplaySubject: [(options) => new ReplaySubject(1, options), { label: 'a', seconds: 1, scheduler: clock }],
  Owner: [(options) => new Owner(options), { label: 'a', deinit() {} }],
  Property: [(options) => new Property(1, options), { label: 'a', capacity: 9 }],
  Command: [(options) => new Command(never, options), { enabled: Signal.of(true) }],
  every: [(options) => clock.every(1, same, options), { first: 1, leeway: 0 }],
  create: [(options) => Signal.create(() => {}, options), { label: 'a' }],
  fileLines: [(options) => Signal.fileLines('/dev/null', options), { follow: false }],
  subscribe: [(options) => one.subscribe(same, options), { owner: {}, label: 'a', signal: AbortSignal.abort() }],
  'subscribe to a subject': [(options) => direct.subscribe(same, options), { owner: {}, label: 'a' }],
  'subscribe behind a step': [(options) => direct.map(same).subscribe(same, options), { owner: {} }],
  'subscribe to events': [(options) => Signal.fromEvent(emitter, 'x').subscribe(same, options), { owner: {} }],
  values: [(options) => one.values(options), { owner: {}, signal: AbortSignal.abort(), policy: 'latest', capacity: 9 }],
  toPromise: [(options) => one.toPromise(options), { owner: {}, signal: undefined }],
  setQueue: [(options) => one.delay(0).setQueue(options), { policy: 'error', capacity: 9 }],
  bind: [(options) => one.bind(new Property(1), options), { owner: {} }],
  'bind to a subject': [(options) => one.bind(new Subject(), options), { owner: {} }],
  takeWhile: [(options) => one.takeWhile(same, options), { inclusive: true }],
  'takeWhile of a subject': [(options) => direct.takeWhile(same, options), { inclusive: true }],
  framesPrefixed: [(options) => one.framesPrefixed(1, options), { littleEndian: true, limit: 9 }],
  flatMap: [(options) => one.flatMap(never, options), { limit: 1 }],
  expand: [(options) => one.expand(never, options), { limit: 1 }],
  mergeAll: [(options) => one.mergeAll(options), { limit: 1 }],
  retryBackoff: [(options) => one.retryBackoff(1, options),
    { factor: 1, longest: 1, jitter: 0, attempts: 1, resetOnValue: true, scheduler: clock }],
  share: [(options) => one.share(options), { keepError: true, keepCompleted: true, keepConnection: true }],
  replay: [(options) => one.replay(1, options), { seconds: 1, scheduler: clock }],
  shareReplay: [(options) => one.shareReplay(1, options), { keepError: true, seconds: 1, scheduler: clock }],
  shareUntil: [(options) => one.shareUntil(options), { error: one, completed: one, unused: one, replayed: 1 }],
  debounce: [(options) => one.debounce(1, options), { waits: same, scheduler: clock }],
  throttle: [(options) => one.throttle(1, options), { leading: true, trailing: true, scheduler: clock }],
  throttleWhen: [(options) => one.throttleWhen(never, options), { leading: true, trailing: true }],
  timeout: [(options) => one.timeout(1, options), { fallback: one, scheduler: clock }],
  timeoutWhen: [(options) => one.timeoutWhen(never, options), { first: one, fallback: one }],
  observeOn: [(options) => one.observeOn(clock, options), { policy: 'error', capacity: 9 }],
};

const OTHERS = [
  3, 0, 'text', true, false, null, same, [], [1], new Map(), new AbortController().signal, clock, one, direct, new Owner(),
  new (class View {})(), Object.create({ other: 'inherited' }),
];

const refuses = async (call, ...patterns) => {
  let made;
  try {
    made = call();
  } catch (error) {
    made = Promise.reject(error);
  }
  await assert.rejects(Promise.resolve(made), (error) => {
    assert.equal(error.constructor, TypeError);
    for (const pattern of patterns) assert.match(error.message, pattern);
    return true;
  });
};

test('an option that a call does not know is refused, by its name', async () => {
  for (const [name, [call, known]] of Object.entries(CALLS)) {
    for (const right of [undefined, {}, Object.create(null), known, Object.assign(Object.create(null), known)]) {
      await Promise.resolve(call(right)).catch((error) => assert.fail(`${name}: ${error.stack}`));
    }
    const called = new RegExp(`^(new )?${name.split(' ')[0]}\\(\\)`);
    for (const key of Object.keys(known)) {
      await refuses(() => call({ ...known, [`${key}s`]: 1 }), called, new RegExp(`\`${key}s\``), new RegExp(`\\b${key}\\b`));
    }
  }
});

test('what are no options is refused in their place', async () => {
  for (const [name, [call]] of Object.entries(CALLS)) {
    for (const other of OTHERS) {
      const called = new RegExp(`^((new )?${name.split(' ')[0]}|subscribe)\\(\\) (takes|has no option)`);
      await refuses(() => call(other), called);
    }
  }
});

test('options may be inherited, and getters of a class', () => {
  class Settings {
    limit = 1;
  }
  class Labelled {
    get label() {
      return 'its class';
    }
  }
  one.flatMap(never, new Settings());
  for (const options of [new Labelled(), new (class extends Labelled {})()]) {
    assert.equal(new Subject(options).name, 'its class');
    assert.throws(() => one.flatMap(never, options), TypeError);
  }
  assert.equal(new Subject(Object.create({ label: 'inherited' })).name, 'inherited');
  assert.throws(() => new Subject(Object.create({ labels: 'inherited' })), /`labels`/);
  Object.prototype.everywhere = 1;
  try {
    assert.equal(new Subject({ label: 'own' }).name, 'own');
  } finally {
    delete Object.prototype.everywhere;
  }
});

test('each call whose declaration has options is among these', () => {
  const library = path.dirname(require.resolve('libbelay'));
  const families = fs.readdirSync(path.join(library, 'lib/operators')).filter((name) => name.endsWith('.d.ts'));
  const found = new Set();
  for (const name of ['index.d.ts', ...families.map((each) => `lib/operators/${each}`)]) {
    const text = fs.readFileSync(path.join(library, name), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    let [around, call] = [];
    for (const line of text.split('\n')) {
      around = /(?:class|interface) (\w+)/.exec(line)?.[1] ?? around;
      call = /^  (?:static )?(\w+)[(<]/.exec(line)?.[1] ?? call;
      if (/\b(options|kept|resets)\??: /.test(line)) found.add(call === 'constructor' ? around : call);
    }
  }
  assert.ok(found.size > 25);
  for (const call of found) assert.ok(Object.hasOwn(CALLS, call), call);
});

test('functions behind the first one are refused', () => {
  const [next, nothing, subject] = [() => {}, undefined, new Subject()];
  for (const source of [one, subject, subject.map(same), Signal.fromEvent(emitter, 'x')]) {
    for (const given of [[next, next], [next, nothing, next], [nothing, next], [next, next, next], [{ next }, {}, next]]) {
      assert.throws(() => source.subscribe(...given), { name: 'TypeError', message: /^subscribe\(\) takes one function/ });
      assert.throws(() => source.tap(...given), { name: 'TypeError', message: /^tap\(\) takes one function/ });
      assert.throws(() => source.do(...given), { name: 'TypeError', message: /^do\(\) takes one function/ });
    }
  }
  assert.equal(subject.observerCount, 0);
});
