'use strict';
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { readdirSync } = require('node:fs');
const net = require('node:net');
const { after, afterEach, beforeEach } = require('node:test');
const { isMainThread } = require('node:worker_threads');
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

const descriptors = () => readdirSync('/proc/self/fd').length;

/* Node opens what it needs for connections at the first one, and keeps it. */
async function connectOnce() {
  const server = net.createServer((peer) => peer.destroy()).listen(0);
  await once(server, 'listening');
  const socket = net.connect(server.address().port).resume();
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
}

/* Each test leaves as many descriptors as it found. What it has let go of may be about to close.
   That is looked at when the next one begins, or behind the last: a test's own hooks have run by then. */
function keepsDescriptors() {
  const names = [];
  let before;
  let last;
  async function check() {
    if (before === undefined) {
      await connectOnce();
      before = descriptors();
    }
    for (let i = 0; i < 1000 && descriptors() !== before; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const wanted = before;
    before = descriptors();
    assert.equal(before, wanted, `descriptors behind: ${last}`);
  }
  beforeEach(async (t) => {
    if (names.length === 0) {
      await check();
      last = t.name;
    }
    names.push(t.name);
  });
  afterEach(() => {
    names.pop();
  });
  after(check);
}
/* A Worker that loads this file counts nothing, nor does a program that a test starts. */
if (isMainThread && require.main?.filename.endsWith('.test.js')) keepsDescriptors();

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
