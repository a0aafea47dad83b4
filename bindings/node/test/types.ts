/* Compiled by tsc --strict and not run: what an editor tells. */
import {
  BehaviorSubject, BelayError, Command, Compound, CompoundKey, Loop, Owner, Property, ReplaySubject, Request, Signal,
  Source, Subject, Subscription, VirtualScheduler, deliveryStack, live, onOverlap, onSlowCallback, ownerOf,
} from 'libbelay';
import { Drawing, marbles } from 'libbelay/testing';

/* Fails to compile unless both are the same type. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
function is<A, B>(_same: Same<A, B>): void {}
type Of<S> = S extends Signal<infer T> ? T : never;

const numbers = Signal.of(1, 2, 3);
is<typeof numbers, Signal<number>>(true);

const texts = numbers.map((n) => `${n}`).filter((text) => text.length > 1);
is<typeof texts, Signal<string>>(true);
const pairs = Signal.zip(numbers, texts);
is<Of<typeof pairs>, [number, string]>(true);
const joined = Signal.combineLatest(numbers, texts, (n: number, text: string) => ({ n, text }));
is<typeof joined, Signal<{ n: number; text: string }>>(true);
const latest = numbers.withLatestFrom(texts);
is<Of<typeof latest>, [number, string]>(true);
const arrays = numbers.buffer(2);
is<typeof arrays, Signal<number[]>>(true);
const flat = numbers.flatMap((n) => [n, `${n}`]);
is<typeof flat, Signal<string | number>>(true);
const awaited = numbers.flatMap(async (n) => ({ n }));
is<typeof awaited, Signal<{ n: number }>>(true);
const windows = numbers.window(2).concatAll();
is<typeof windows, Signal<number>>(true);
const events = numbers.materialize().dematerialize();
is<typeof events, Signal<number>>(true);
const counted = texts.count();
is<typeof counted, Signal<number>>(true);
const merged = numbers.merge(texts);
is<typeof merged, Signal<string | number>>(true);
const several = Signal.merge(numbers, ['text'], Promise.resolve(true));
is<typeof several, Signal<string | number | boolean>>(true);
is<typeof several, ReturnType<typeof several.distinct>>(true);
const alike = Signal.race(...[numbers, numbers]);
is<typeof alike, Signal<number>>(true);
const mixed = Signal.of(1, 'text').startWith(null, true).endWith(1n);
is<typeof mixed, Signal<string | number | boolean | bigint | null>>(true);
const appended = numbers.concat(texts, [true]).mergeDelayError();
is<typeof appended, Signal<string | number | boolean>>(true);
const explicit: Signal<string | number> = numbers.merge<string>(texts);
const decoded = Signal.of(new Uint8Array(1)).lines(80).utf8();
is<typeof decoded, Signal<string>>(true);
const until: Signal<number> = numbers.takeUntil(texts).debounce(0.1, { scheduler: new VirtualScheduler() });
const piped = until.pipe((s) => s.map((n) => n > 1), (s) => s.not());
is<typeof piped, Signal<boolean>>(true);
const same = (s: Signal<number>) => s.skip(1);
const six = numbers.pipe(same, same, same, same, same, (s) => s.map(String));
is<typeof six, Signal<string>>(true);
const seven: Signal<string> = numbers.pipe(same, same, same, same, same, same, (s: Signal<number>) => s.map(String));
const totals = numbers.scan({ sum: 0 }, ({ sum }, n) => ({ sum: sum + n }));
is<typeof totals, Signal<{ sum: number }>>(true);

const subscription: Subscription = numbers.subscribe(
  { next: (n) => n.toFixed(), error: (e) => e.code, complete() {}, disposed() {} },
  { owner: {}, signal: new AbortController().signal },
);
numbers.subscribe({ nextBatch: (all) => all.length + [...all].length });
// @ts-expect-error: an observer gets single values or batches.
numbers.subscribe({ next: (n) => n, nextBatch: (all) => all });
numbers.subscribe(new Subject<number | string>(), { label: 'to a subject' });
Signal.create<number>((subscriber) => numbers.tap(new Subject<number>()).subscribe(subscriber));
// @ts-expect-error: a subject of texts takes no numbers.
numbers.subscribe(new Subject<string>());
subscription.dispose();
subscription[Symbol.dispose]();

const subject = new Subject<string>({ reentrancy: 'latest' });
const sent: boolean = subject.next('text');
// @ts-expect-error: a number is no string.
subject.next(3);
// @ts-expect-error: nothing else is a policy.
new Subject({ reentrancy: 'sometimes' });
// @ts-expect-error: a map is a function.
numbers.map(3);
// @ts-expect-error: only booleans have an opposite.
numbers.not();
// @ts-expect-error: a signal is no promise.
numbers.then(() => {});

const behavior = new BehaviorSubject(1);
is<typeof behavior.value, number>(true);
const replay: Signal<number> = new ReplaySubject<number>(3, { seconds: 1 });
const property = new Property('a');
property.value = 'b';
texts.bind(property, { owner: ownerOf({}) });
texts.bind(subject);
const key: CompoundKey = new Compound(subscription).add(() => {});
new Compound().remove(key);
// @ts-expect-error: not every bigint is a key.
new Compound().remove(1n);
const command = new Command((path: string) => Signal.fileLines(path));
is<ReturnType<typeof command.execute>, Signal<string | Uint8Array>>(true);
const request = new Request(true, (all: boolean, one: boolean) => all && one);
request.subscribe((file: unknown) => file !== null);
is<ReturnType<typeof request.send>, boolean>(true);

async function waits(source: Source<number>): Promise<number> {
  for await (const n of Signal.from(source)) if (n > 3) return n;
  for await (const n of Signal.from(source).values({ policy: 'latest', capacity: 3 })) if (n > 3) return n;
  try {
    return await replay.toPromise({ signal: new AbortController().signal });
  } catch (error) {
    if (error instanceof BelayError && error.code === 'ENOENT') return error.errno;
    throw error;
  }
}
waits(numbers).then(() => Loop.current.ref().unref());
new Owner({ label: 'x' }).watch({}, 'changed', () => live('owners'));
marbles((test) => test.expect(test.cold('-1|').map((n) => n), '-1|'));
const drawn: string = new Drawing().toSVG();
onOverlap((kind, source, sender) => kind === 'nested' && source.length > (sender?.length ?? 0));
onSlowCallback(0.1, (taken, name) => taken.toFixed() + name);
onSlowCallback(0, null);
const frames: Signal<Uint8Array> = Signal.of(new Uint8Array(1)).framesDelimited('\n').framesPrefixed(2, { limit: 9 }).byContent();
// @ts-expect-error: a length has 1, 2, 4 or 8 bytes.
frames.framesPrefixed(3);
void [explicit, seven, sent, drawn, deliveryStack().length];
