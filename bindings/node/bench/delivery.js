'use strict';
/* Delivery of a million numbers to a JavaScript function, as a ratio to EventEmitter's time in the same
   run. Prints nanoseconds of this process's own time a value, the least of several turns. `next` is
   called for each number, `nextBatch` for 256. */
const { EventEmitter } = require('events');
const { Signal, Subject } = require('..');

const COUNT = 1_000_000;
const TURNS = 9;
let sum = 0;
const add = (value) => {
  sum += value;
};

const emitter = new EventEmitter().on('value', add);
const addAll = (values) => {
  for (let i = 0; i < values.length; i++) add(values[i]);
};
const [subject, batched, staged, belays] = Array.from({ length: 4 }, () => new Subject());
subject.subscribe(add);
batched.subscribe({ nextBatch: addAll });
staged.map((value) => value + 1).filter((value) => value > 1).subscribe(add);
belays.startWith(1).subscribe(add);
const source = new EventEmitter();
Signal.fromEvent(source, 'value').map((value) => value + 1).subscribe(add);
const numbers = Float64Array.from({ length: COUNT }, (_, index) => index);
const array = Array.from(numbers);

const ways = {
  'EventEmitter.emit': () => {
    for (let i = 0; i < COUNT; i++) emitter.emit('value', i);
  },
  'subject.next': () => {
    for (let i = 0; i < COUNT; i++) subject.next(i);
  },
  'Signal.fromEvent through map': () => {
    for (let i = 0; i < COUNT; i++) source.emit('value', i);
  },
  'nextBatch of a Float64Array': () => batched.nextBatch(numbers),
  'nextBatch of an array': () => batched.nextBatch(array),
  'nextBatch of Signal.range': () => Signal.range(0, COUNT).subscribe({ nextBatch: addAll }),
  'next of Signal.range': () => Signal.range(0, COUNT).subscribe(add),
  'subject.next through map and filter': () => {
    for (let i = 0; i < COUNT; i++) staged.next(i);
  },
  'subject.next through startWith': () => {
    for (let i = 0; i < COUNT; i++) belays.next(i);
  },
};

const least = {};
for (let turn = 0; turn < TURNS; turn++) {
  for (const [name, run] of Object.entries(ways)) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    const each = ((user + system) * 1000) / COUNT;
    least[name] = Math.min(least[name] ?? Infinity, each);
  }
}
for (const [name, each] of Object.entries(least)) {
  const ratio = each / least['EventEmitter.emit'];
  console.log(`${name.padEnd(36)} ${each.toFixed(1).padStart(6)} ns  ${ratio.toFixed(2)}`);
}
