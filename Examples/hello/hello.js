'use strict';
/* hello: a window listens to numbers, and a timer closes the window. */
const { Owner, Signal, Subject } = require('libbelay');

const numbers = new Subject();
const window = new Owner({ deinit: () => console.log('window is closed') });
const squares = numbers.filter((n) => n % 2 === 0).map((n) => n * n);
squares.subscribe((n) => console.log(`window sees ${n}`), { owner: window });

for (const n of [1, 2, 3, 4]) numbers.next(n);
Signal.timer(0.1).subscribe(() => {
  window.release(); // the window goes, and its subscription with it
  console.log(`${numbers.observerCount} are listening`);
});
