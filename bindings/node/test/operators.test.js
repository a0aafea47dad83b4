'use strict';
/* Each operator: its events for the events of a source. The tests in C look at what an operator
   does; here, that it is reached with its arguments. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const {
  AsyncSubject, BehaviorSubject, Owner, ReplaySubject, Signal, Subject, VirtualScheduler,
} = require('libbelay');
const { Drawing, marbles } = require('libbelay/testing');
const { events } = require('./support');

const fail = Object.assign(new Error('no'), { code: 'NO' });
const bytes = (...numbers) => Buffer.from(numbers);
const even = (value) => value % 2 === 0;
const less = (a, b) => a < b;
const of = (...values) => Signal.of(...values);
const failing = (...values) => of(...values).concat(Signal.error(fail));
const once = (events) => events.enumerated().takeWhile(([index]) => index < 1);
const flat = (signal) => signal.flatMap((inner) => inner.collect());
/* Keys of which Belay gets another value each time, and others. */
const keyed = [{}, [], () => {}, Symbol('key'), Symbol.for('key'), 2n ** 70n, 1n, NaN, 0, 'key', null, undefined, true];
/* As values of Belay's, some of these are equal. */
const halves = ['\ud800', '\udc00', 'a\ud83d', '\ufffd', 'a\ufffd', '\ud83d\ude00'];

const CASES = [
  // transforming
  ['map', of(1, 2).map((x) => x + 1), [2, 3]],
  ['mapTo', of(1, 2).mapTo('a'), ['a', 'a']],
  ['compactMap', of(1, 2, 3).compactMap((x) => (even(x) ? x : null)), [2]],
  ['mapError', failing(1).mapError(() => new Error('other')), [1, 'error other']],
  ['scan', of(1, 2, 3).scan(0, (sum, x) => sum + x), [1, 3, 6]],
  ['enumerated', of('a', 'b').enumerated(), [[0, 'a'], [1, 'b']]],
  ['pairwise', of(1, 2, 3).pairwise(), [[1, 2], [2, 3]]],
  ['lines', of('one\ntw', 'o').lines(9), ['one', 'two']],
  ['framesFixed', of('abc', 'de').framesFixed(2), ['ab', 'cd', 'e']],
  ['utf8', of('abc').utf8(), ['abc']],
  ['utf8 of cut characters', of(bytes(0xc3), bytes(0xa4, 0x62)).utf8(), ['äb']],
  ['lines of Buffers', of(bytes(97, 10, 98), new Uint8Array([99])).lines(9), [bytes(97), bytes(98, 99)]],
  ['framesFixed of Buffers', of(bytes(1, 2, 3)).framesFixed(2), [bytes(1, 2), bytes(3)]],
  ['framesDelimited', of('a--b', '-', '-c').framesDelimited('--'), ['a', 'b', 'c']],
  ['framesDelimited by bytes', of(bytes(1, 0, 2)).framesDelimited(bytes(0)), [bytes(1), bytes(2)]],
  ['framesDelimited, too long', of('abcd-').framesDelimited('-', 2), ['error EMSGSIZE']],
  ['framesPrefixed', of(bytes(0, 1, 7), bytes(0, 0)).framesPrefixed(2), [bytes(7), bytes()]],
  ['framesPrefixed, little-endian', of(bytes(1, 0, 7)).framesPrefixed(2, { littleEndian: true }), [bytes(7)]],
  ['frames of an object', of({}).utf8(), ['error EKIND']],
  ['buffer', of(1, 2, 3).buffer(2), [[1, 2], [3]]],
  ['buffer with a skip', of(1, 2, 3).buffer(2, 1), [[1, 2], [2, 3], [3]]],
  ['bufferTime', of(1, 2, 3).bufferTime(10, 2), [[1, 2], [3]]],
  ['window', flat(of(1, 2, 3).window(2)), [[1, 2], [3]]],
  ['windowTime', flat(of(1, 2, 3).windowTime(10, 2)), [[1, 2], [3]]],
  ['windowToggle', flat(of(1, 2).windowToggle(of(0), () => Signal.never())), [[1, 2]]],
  ['windowBy', flat(of(1, 2).windowBy(Signal.never())), [[1, 2]]],
  ['groupByUntil', of(1, 2, 3, 4, 5, 6)
    .groupByUntil(even, (group) => group.skip(group.key ? 9 : 1)).flatMap((group) => group.sum()),
  [4, 12, 5]],
  ['groupBy, by what', of(...keyed, ...keyed).groupBy((key) => key)
    .flatMap((group) => group.collect().map((all) => all.length > 1 && all.every((each) => Object.is(each, group.key)))),
  keyed.map(() => true)],
  ['groupByUntil, by what', of(...keyed, ...keyed, ...keyed).groupByUntil((key) => key, (group) => group.skip(1))
    .flatMap((group) => group.count()), [...keyed.map(() => 2), ...keyed.map(() => 1)]],
  ['groupBy, by halves of characters', of(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5).groupBy((i) => halves[i])
    .flatMap((group) => group.collect().map((all) => [...new Set(all)].map((i) => halves[i] === group.key))),
  halves.map(() => [true])],
  ['groupByUntil, by halves of characters', of(0, 1, 0, 1).groupByUntil((i) => halves[i], (group) => group.skip(1))
    .flatMap((group) => group.collect()), [[0, 0], [1, 1]]],
  ['groupBy, a failing key', of(1).groupBy(() => { throw fail; }), ['error NO']],
  ['groupBy', of(1, 2, 3).groupBy(even).flatMap((group) => group.collect().map((all) => [group.key, all])), [[false, [1, 3]], [true, [2]]]],
  ['materialize', failing(1).materialize(), [[0, 1], [1, fail]]],
  ['dematerialize', failing(1).materialize().dematerialize(), [1, 'error NO']],
  ['pipe', of(1, 2).pipe((s) => s.map((x) => -x), (s) => s.take(1)), [-1]],
  ['timestamp', of(1).timestamp(new VirtualScheduler()), [[0, 1]]],
  ['timeInterval', of(1).timeInterval(new VirtualScheduler()), [[0, 1]]],
  // filtering
  ['filter', of(1, 2, 3).filter(even), [2]],
  ['take', of(1, 2, 3).take(2), [1, 2]],
  ['skip', of(1, 2, 3).skip(2), [3]],
  ['takeLast', of(1, 2, 3).takeLast(2), [2, 3]],
  ['skipLast', of(1, 2, 3).skipLast(2), [1]],
  ['takeWhile', of(1, 2, 3).takeWhile((x) => x < 2), [1]],
  ['takeWhile, inclusive', of(1, 2, 3).takeWhile((x) => x < 2, { inclusive: true }), [1, 2]],
  ['skipWhile', of(1, 2, 1).skipWhile((x) => x < 2), [2, 1]],
  ['takeUntil', Signal.never().takeUntil(of(0)), []],
  ['skipUntil', of(1, 2).skipUntil(of(0)), [1, 2]],
  ['takeUntilReplacement', of(1).takeUntilReplacement(of(2)), [2]],
  ['takeFor', Signal.never().takeFor(0.001), []],
  ['skipFor', of(1).skipFor(1), []],
  ['elementAt', of(1, 2).elementAt(1), [2]],
  ['elementAt, missing', of(1).elementAt(1), ['error ERANGE']],
  ['elementAt, with a fallback', of(1).elementAt(1, undefined), [undefined]],
  ['first', of(1, 2, 3).first(even), [2]],
  ['last', of(1, 2, 3).last(), [3]],
  ['single', of(1, 2).single(), ['error ERANGE']],
  ['find', of(1, 3).find(even), []],
  ['ignoreElements', failing(1).ignoreElements(), ['error NO']],
  ['ignore', of(1, fail, NaN).ignore(fail).ignore(NaN), [1]],
  ['distinct', of(1, fail, 1, fail, 2).distinct(), [1, fail, 2]],
  ['distinct by a key', of(1, 3, 2).distinct(even), [1, 2]],
  ['distinctUntilChanged', of(fail, fail, 1, 1, fail).distinctUntilChanged(), [fail, 1, fail]],
  ['partition', Signal.concat(...of(1, 2, 3).partition(even)), [2, 1, 3]],
  // combining
  ['combineLatest', Signal.combineLatest([1], [2], (a, b) => a + b), [3]],
  ['combineLatest, an array', Signal.combineLatest(of(1), of(fail)), [[1, fail]]],
  ['zip', Signal.zip([1, 2], ['a', 'b']), [[1, 'a'], [2, 'b']]],
  ['withLatestFrom', of(1).withLatestFrom(of(2), (a, b) => [b, a]), [[2, 1]]],
  ['race', Signal.race(Signal.never(), of(1)), [1]],
  ['and', Signal.and(of(true), of(false)), [false]],
  ['or', Signal.or(of(true), of(false)), [true]],
  ['not', of(true).not(), [false]],
  ['ifThenElse', Signal.ifThenElse(of(true), of(1), of(2)), [1]],
  ['switchOn', Signal.switchOn(of('b', 'z'), new Map([['a', of(1)], ['b', of(2)]]), of(3)), [2, 3]],
  ['switchOn, by what', Signal.switchOn(of(...keyed), keyed.map((key, index) => [key, of(index)])), [...keyed.keys()]],
  ['switchOn, the first of equal cases', Signal.switchOn(of('a'), [['a', of(1)], ['a', of(2)]]), [1]],
  ['switchOn without a case', Signal.switchOn(of('b'), [['a', of(1)]]), ['error EINVAL']],
  ['startWith', of(1).startWith(fail, 0), [fail, 0, 1]],
  ['endWith', of(1).endWith(2), [1, 2]],
  ['sequenceEqual', of(1, fail).sequenceEqual([1, fail]), [true]],
  ['reduceEach', of([1, 2]).reduceEach((a, b) => a + b), [3]],
  // aggregating
  ['defaultIfEmpty', Signal.empty().defaultIfEmpty(fail), [fail]],
  ['switchIfEmpty', Signal.empty().switchIfEmpty([1]), [1]],
  ['contains', of(1, fail).contains(fail), [true]],
  ['any', of(1).any(even), [false]],
  ['all', of(2).all(even), [true]],
  ['isEmpty', of(2).isEmpty(), [false]],
  ['count', of(1, 1).count(), [2]],
  ['min', of(3, 1, 2).min(), [1]],
  ['max', of({ a: 1 }, { a: 2 }).max((a, b) => less(a.a, b.a)), [{ a: 2 }]],
  ['sum', of(1, 2.5).sum(), [3.5]],
  ['sum of bigints', of(1n, 2n).sum(), [3n]],
  ['sum of bigints that is zero', of(1n, -1n).sum(), [0n]],
  ['sum of the bigint zero', of(0n).sum(), [0n]],
  ['sum of nothing', Signal.empty().sum(), [0]],
  ['average', of(1, 2).average(), [1.5]],
  ['reduce', of(1, 2).reduce([], (all, x) => [...all, x]), [[1, 2]]],
  ['collect', of(1, 2).collect(), [[1, 2]]],
  // flattening
  ['flatMap', of(1, 2).flatMap((x) => [x, x]), [1, 1, 2, 2]],
  ['flatMap of promises', of(1, 2).flatMap(async (x) => x * 2, { limit: 1 }), [2, 4]],
  ['concatMap', of(1, 2).concatMap((x) => of(x)), [1, 2]],
  ['switchMap', of(1, 2).switchMap((x) => Signal.timer(0).map(() => x)), [2]],
  ['exhaustMap', of(1, 2).exhaustMap((x) => Signal.timer(0).map(() => x)), [1]],
  ['expand', of(1).expand((x) => (x < 3 ? [x + 1] : [])), [1, 2, 3]],
  ['mergeAll', of(of(1), of(2)).mergeAll(), [1, 2]],
  ['switchToLatest', of(Signal.never(), of(2)).switchToLatest(), [2]],
  ['merge', of(1).merge(of(2), [3]), [1, 2, 3]],
  ['Signal.merge', Signal.merge(of(1), of(2)), [1, 2]],
  ['mergeDelayError', failing(1).mergeDelayError(of(2)), [1, 2, 'error NO']],
  ['Signal.mergeDelayError', Signal.mergeDelayError(failing(1), of(2)), [1, 2, 'error NO']],
  ['concat', of(1).concat([2]), [1, 2]],
  ['andThen', of(1).andThen(of(2)), [2]],
  ['repeat', of(1).repeat(2), [1, 1]],
  ['repeatWhen', of(1).repeatWhen(once), [1, 1]],
  ['catch', failing(1).catch((error) => of(error)), [1, fail]],
  ['catchTo', failing(1).catchTo(2), [1, 2]],
  ['retry', failing(1).retry(2), [1, 1, 'error NO']],
  ['retryWhen', failing(1).retryWhen(once), [1, 1]],
  ['retryBackoff', failing(1).retryBackoff(0, { attempts: 2 }), [1, 1, 'error NO']],
  [
    'retryBackoff with a reset',
    failing(1).retryBackoff(0, { attempts: 2, resetOnValue: true }).take(3),
    [1, 1, 1],
  ],
  ['attempt', of(1).attempt(() => { throw fail; }), ['error NO']],
  // timing
  ['debounce', of(1, 2).debounce(0.001), [2]],
  ['debounce with waits', of(1, 2).debounce(0.001, { waits: even }), [1, 2]],
  ['throttle', of(1, 2).throttle(10), [1]],
  ['audit', of(1, 2).audit(0.001), [2]],
  ['sample', of(1).concat(Signal.timer(0.002)).sample(Signal.timer(0.001)), [1]],
  ['sampleTime', of(1).concat(Signal.timer(0.005)).sampleTime(0.001).first(), [1]],
  ['delay', of(1).delay(0.001), [1]],
  ['delaySubscription', of(1).delaySubscription(0.001), [1]],
  ['timeout', Signal.never().timeout(0.001), ['error ETIMEDOUT']],
  ['timeout with a fallback', Signal.never().timeout(0.001, { fallback: [1] }), [1]],
  ['throttleWhile', of(1).throttleWhile(of(false)), [1]],
  ['observeOn', of(1, 2).observeOn(undefined, { capacity: 2, policy: 'latest' }), [2]],
  ['subscribeOn', of(1).subscribeOn(), [1]],
  // sharing
  ['share', of(1).share(), [1]],
  ['shareUntil', of(1).shareUntil({ completed: Signal.never(), replayed: 1 }), [1]],
  ['shareReplay', of(1).shareReplay(1), [1]],
  ['refCount', of(1).publish().refCount(), [1]],
  ['autoConnect', of(1).replay().autoConnect(), [1]],
  ['multicast', of(1).multicast(new Subject()).refCount(), [1]],
  // effects
  ['finally', of(1).finally(() => {}), [1]],
  ['initially', of(1).initially(() => {}), [1]],
  // creating
  ['just', Signal.just(null), [null]],
  ['range', Signal.range(-1, 3), [-1, 0, 1]],
  ['repeatValue', Signal.repeatValue(fail, 2), [fail, fail]],
  ['generate', Signal.generate(1, (x) => x < 3, (x) => x + 1, (x) => x * 10), [10, 20]],
  ['defer', Signal.defer(() => [1]), [1]],
  ['start', Signal.start(() => 1), [1]],
  ['startEagerly', Signal.startEagerly(() => 1), [1]],
  ['timer', Signal.timer(0), [0]],
  ['interval', Signal.interval(0.001).take(2), [0, 1]],
  ['fileLines', Signal.fileLines(__filename).take(1), ["'use strict';"]],
  ['fileLines of no file', Signal.fileLines('/nowhere'), ['error ENOENT']],
];

test('each operator', async (t) => {
  for (const [name, signal, expected] of CASES) {
    const seen = await events(signal);
    assert.deepEqual(seen.at(-1) === '|' ? seen.slice(0, -1) : seen, expected, name);
  }
  t.diagnostic(`${CASES.length} cases`);
});

test('every operator of the table has a method', () => {
  const { readFileSync } = require('node:fs');
  const table = `${process.env.BELAY_SOURCE}/docs/operators.tsv`;
  const renamed = {
    then: 'andThen', buffer_skip: 'buffer', debounce_if: 'debounce', element_at_or: 'elementAt',
    with_owner: 'withOwner', compose: 'pipe', breakpoint: 'tap', wait_first: 'toPromise',
    wait_last: 'toPromise', from_optional: 'from', from_result: 'just', from_iterator: 'from',
    bind_property: 'bind', bind_variable: 'subscribe',
  };
  const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  let count = 0;
  for (const row of readFileSync(table, 'utf8').split('\n').slice(1)) {
    const found = /^belay_(?:op|signal)_(\w+)$/.exec(row.split('\t')[1]);
    if (!found) continue;
    const name = renamed[found[1]] ?? camel(found[1]);
    assert.ok(name in Signal.prototype || name in Signal, name);
    count++;
  }
  assert.ok(count > 100);
});

test('effects see every event', async () => {
  const seen = [];
  const lines = [];
  const observer = {
    seen,
    next(value) { this.seen.push(value); },
    complete() { this.seen.push('|'); },
    disposed() { this.seen.push('disposed'); },
  };
  const signal = of(1).do(observer).log('here', (line) => lines.push(line));
  await signal.initially(() => seen.push('initially')).finally(() => seen.push('finally')).toPromise();
  assert.deepEqual(seen, ['initially', 1, '|', 'finally', 'disposed']);
  assert.match(lines.join('\n'), /here: next 1\.0\nhere: completed/);
});

test('a subject and a subscriber listen, each value on its own', async () => {
  const sources = [
    [() => Signal.of(1, 2), () => {}],
    [(subject) => subject, (subject) => { subject.next(1); subject.nextBatch([2]); subject.complete(); }],
    [(subject) => subject.map((n) => n), (subject) => { subject.nextBatch([1, 2]); subject.complete(); }],
    [(subject) => subject.delay(0), (subject) => { subject.nextBatch([1, 2]); subject.complete(); }],
  ];
  for (const [make, send] of sources) {
    for (const to of [new Subject(), new BehaviorSubject(0), new ReplaySubject(), new AsyncSubject()]) {
      const source = new Subject();
      const heard = events(to);
      make(source).subscribe(to);
      send(source);
      const all = { BehaviorSubject: [0, 1, 2, '|'], AsyncSubject: [2, '|'] }[to.constructor.name] ?? [1, 2, '|'];
      assert.deepEqual(await heard, all);
    }
    const source = new Subject();
    const heard = events(Signal.create((subscriber) => make(source).subscribe(subscriber)));
    send(source);
    assert.deepEqual(await heard, [1, 2, '|']);
  }
  const failed = events(Signal.create((subscriber) => Signal.error(new Error('boom')).subscribe(subscriber)));
  assert.deepEqual(await failed, ['error boom']);
});

test('a mark is one letter', () => {
  for (const mark of ['', 'ab', 'ä', 'a\0']) assert.throws(() => marbles(() => {}, { [mark]: 1 }), TypeError);
});

test('a subclass may have static methods of the same names', async () => {
  class Store extends Subject {
    static create = () => assert.fail();
    static defer = () => assert.fail();
  }
  for (const apply of [
    (store) => store.startWith(1).distinct(),
    (store) => store.distinct().startWith(1),
    (store) => store.groupBy((value) => value).mergeAll().startWith(1),
    (store) => store.groupByUntil((value) => value, () => Signal.never()).mergeAll().startWith(1),
    (store) => store.materialize().dematerialize().startWith(1),
    (store) => store.map((value) => [0, value]).dematerialize().startWith(1),
  ]) {
    const store = new Store();
    const heard = events(apply(store));
    store.next(2);
    store.complete();
    assert.deepEqual(await heard, [1, 2, '|']);
  }
});

test('using ends its resource', async () => {
  const { Disposable } = require('libbelay');
  let isEnded = false;
  const make = () => new Disposable(() => (isEnded = true));
  assert.equal(await Signal.using(make, () => of(1)).toPromise(), 1);
  assert.equal(isEnded, true);
  for (const bad of [{}, { dispose: true }, Object.create(null), () => {}, 5, null, undefined, Symbol('bad')]) {
    const signal = Signal.using(() => bad, assert.fail);
    await assert.rejects(signal.toPromise(), { name: 'TypeError', message: /has no dispose/ });
  }
});

test('connecting', () => {
  const source = new Subject();
  const published = source.publish();
  const seen = [];
  published.subscribe((value) => seen.push(value));
  source.next(1);
  const connection = published.connect();
  source.next(2);
  connection.dispose();
  source.next(3);
  assert.deepEqual(seen, [2]);
});

test('the queue of an operator', () => {
  const [fast, slow, seen] = [new Subject(), new Subject(), []];
  const pairs = Signal.zip(fast, slow).setQueue({ policy: 'dropOldest', capacity: 2 });
  pairs.subscribe((pair) => seen.push(pair));
  [1, 2, 3, 4].forEach((value) => fast.next(value));
  slow.next(0);
  assert.deepEqual(seen, [[3, 0]]);
  assert.equal(pairs.queueHighWater, 2);
  assert.throws(() => pairs.setQueue(), { code: 'EBUSY' });
  assert.throws(() => fast.setQueue(), { code: 'EINVAL' });
  assert.throws(() => pairs.setQueue({ policy: 'none' }), TypeError);
});

test('a POSIX signal', async () => {
  const heard = Signal.posixSignal('SIGUSR2').first().toPromise();
  process.kill(process.pid, 'SIGUSR2');
  assert.equal(await heard, 12);
});

test('the wall clock', async () => {
  const due = new Date(Date.now() + 20);
  assert.equal(await Signal.wallTimer(due).toPromise(), null);
  assert.ok(new Date() >= due);
  assert.throws(() => Signal.wallTimer(new Date(NaN)), { code: 'EINVAL' });
});

test('marbles', () => {
  marbles((test) => {
    const source = test.cold('--1--2--3|');
    test.expect(source.map((x) => x + 1).filter((x) => x !== 3), '--2-----4|');
    test.expectSubscriptions(source, '^--------!');
    test.expect(test.hot('-a-^-b-c|').delay(0.001, test.scheduler), '---x-y|');
  }, { x: 'b', y: 'c' });
  assert.throws(
    () => marbles((test) => test.expect(test.cold('-1|'), '-2|')),
    { code: 'EMISMATCH', message: /-1\|/ },
  );
  assert.throws(() => marbles((test) => test.cold('-(')), { code: 'EINVAL' });
});

test('marbles are compared by content', () => {
  const marks = { a: [1, 2], b: [2, 3], c: { x: [1] }, d: Buffer.from('ab'), e: [0, 1], f: [2], n: NaN, u: undefined };
  marbles((test) => {
    test.expect(test.cold('1-2-3|').pairwise(), '--a-b|');
    test.expect(Signal.zip(test.cold('1|'), test.cold('2|')), 'a|');
    test.expect(Signal.combineLatest(test.cold('1|'), test.cold('2|')), 'a|');
    test.expect(test.cold('1-2|').collect(), '---(a|)');
    test.expect(test.cold('1-2|').collect().byContent(), '---(a|)');
    test.expect(test.cold('1-2-3|').buffer(2), '--a--(g|)');
    test.expect(test.cold('1|').materialize(), 'e(f|)');
    test.expect(test.cold('1-3|').map((n) => (n === 1 ? { x: [n] } : Buffer.from('ab'))), 'c-d|');
    test.expect(test.cold('a-h|').map((each) => each), 'h-a|');
    test.expect(test.cold('1-2|').map((n) => (n === 1 ? NaN : undefined)), 'n-u|');
    test.expect(test.cold('a-c-n|'), 'a-c-n|');
    test.expect(test.cold('s|').map((half) => half), 's|');
  }, { ...marks, g: [3], h: [1, 2], s: '\ud800' });
  const signals = [Signal.never(), Signal.never()];
  for (const [value, mark] of [[[1, 3], [1, 2]], [[1], [1, 2]], [{ x: 1 }, { x: 2 }], [signals[0], signals[1]],
    [[signals[0]], [signals[1]]], [[new Owner()], [new Owner()]]]) {
    assert.throws(() => marbles((test) => test.expect(test.cold('1|').map(() => value), 'a|'), { a: mark }), {
      code: 'EMISMATCH',
    });
  }
});

test('drawings', () => {
  const time = new VirtualScheduler();
  const drawing = new Drawing();
  drawing.define('a', 'A');
  drawing.diagram('source', '-a|');
  drawing.box('map');
  drawing.record(Signal.timer(0.002, time), 'timer', time).subscribe(() => {});
  time.flush();
  assert.match(String(drawing), /source +-A\|/);
  assert.match(drawing.toSVG(), /<svg/);
  assert.throws(() => new Drawing(0), { code: 'EINVAL' });
  assert.equal(new Owner().isDying, false);
});
