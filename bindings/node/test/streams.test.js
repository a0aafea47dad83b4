'use strict';
/* Streams of Node's as sources. */
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { PassThrough } = require('node:stream');
const { test } = require('node:test');
const { Owner, Signal } = require('libbelay');
const { turns } = require('./support');

/* Both ends of a connection over which nothing comes. */
async function connected(t) {
  const server = net.createServer().listen(0);
  await once(server, 'listening');
  const socket = net.connect(server.address().port);
  const [peer] = await once(server, 'connection');
  server.close();
  t.after(() => socket.destroy());
  return [socket, peer];
}

test('the end of a subscription destroys a stream, also an idle one', async (t) => {
  const ends = {
    dispose: (signal) => signal.subscribe(assert.fail).dispose(),
    'a disposal later': async (signal) => {
      const subscription = signal.map(String).subscribe(assert.fail);
      await turns(5);
      subscription.dispose();
    },
    timeout: (signal) => assert.rejects(signal.lines(80).timeout(0.01).toPromise(), { code: 'ETIMEDOUT' }),
    abort: async (signal) => {
      const controller = new AbortController();
      const waiting = signal.toPromise({ signal: controller.signal });
      await turns(5);
      controller.abort();
      await assert.rejects(waiting, { name: 'AbortError' });
    },
    owner: async (signal) => {
      const owner = new Owner();
      signal.subscribe(assert.fail, { owner });
      await turns(5);
      owner.release();
    },
    'return()': async (signal) => {
      const values = signal.values();
      const asked = values.next();
      await turns(5);
      await values.return();
      assert.deepEqual(await asked, { done: true, value: undefined });
    },
    takeUntil: (signal) => assert.rejects(signal.takeUntil(Signal.timer(0.01)).toPromise(), { code: 'ENOENT' }),
  };
  for (const [name, end] of Object.entries(ends)) {
    const [socket, peer] = await connected(t);
    const isClosed = once(peer, 'close');
    peer.resume();
    await end(Signal.from(socket));
    await turns();
    assert.equal(socket.destroyed, true, name);
    await isClosed;
  }
  const through = new PassThrough();
  through.on('error', assert.fail);
  Signal.from(through).subscribe(assert.fail).dispose();
  await turns();
  assert.equal(through.destroyed, true);
});

test('a process whose subscription to an idle socket has ended exits', () => {
  const program = `
    const { Signal } = require('libbelay');
    const net = require('net');
    const server = net.createServer((peer) => peer.write('hi\\n')).listen(0, () => {
      const subscription = Signal.from(net.connect(server.address().port)).lines(9).utf8().subscribe((line) => {
        console.log(line);
        setTimeout(() => subscription.dispose(), 5);
      });
      server.unref();
    });`;
  const { status, stdout } = spawnSync(process.execPath, ['-e', program], {
    cwd: __dirname, encoding: 'utf8', timeout: 10000,
  });
  assert.deepEqual([status, stdout], [0, 'hi\n']);
});

test('another asynchronous iterable is left when its next() has come', async () => {
  let wake;
  const told = [];
  async function* idle() {
    try {
      await new Promise((resolve) => (wake = resolve));
      yield 1;
    } finally {
      told.push('left');
    }
  }
  Signal.from(idle()).subscribe(assert.fail).dispose();
  await turns(2);
  assert.deepEqual(told, []);
  wake();
  await turns(2);
  assert.deepEqual(told, ['left']);
  // What has a destroy() is no stream for that.
  const source = { [Symbol.asyncIterator]: idle, destroy: assert.fail };
  Signal.from(source).subscribe(assert.fail).dispose();
  wake();
  await turns(2);
  assert.deepEqual(told, ['left', 'left']);
});
