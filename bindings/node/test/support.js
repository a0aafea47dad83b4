'use strict';
const { setFlagsFromString } = require('v8');
const { runInNewContext } = require('vm');
const path = require('path');
const { live } = require('libbelay');

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/* Lets the loop turn so many times. */
async function turns(count = 1) {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/* Collects until no more than `wanted` things of Belay's are left, and answers how many are. */
async function collected(wanted, kind) {
  for (let i = 0; i < 50 && live(kind) > wanted; i++) {
    gc();
    await turns(2);
  }
  return live(kind);
}

/* The events of a signal that ends, as strings. */
function events(signal) {
  return new Promise((resolve) => {
    const all = [];
    signal.subscribe({
      next: (value) => all.push(value),
      error: (error) => all.push(`error ${error.code ?? error.message}`),
      complete: () => all.push('|'),
      disposed: () => resolve(all),
    });
  });
}

const addon = path.join(
  path.dirname(require.resolve('libbelay')),
  `prebuilds/${process.platform}-${process.arch}/libbelay.node`,
);
/* The add-on with the threads, which test.sh builds. */
const sender = () => require(process.env.BELAY_NODE_SENDER);

module.exports = { addon, collected, events, gc, sender, turns };
