'use strict';
/* The package's files are evaluated more than once in one environment. */
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { test } = require('node:test');
const { createContext, runInContext } = require('node:vm');
const { Worker } = require('node:worker_threads');
const { Loop, Signal, Subject } = require('libbelay');
const testing = require('libbelay/testing');
const { collected, events, gc, turns } = require('./support');

const folder = path.dirname(require.resolve('libbelay'));

/* Forgets the package's files: of JavaScript alone, or the add-on, too. */
function forget(isAll) {
  for (const name of Object.keys(require.cache)) {
    if (name.startsWith(folder) && (isAll || !name.endsWith('.node'))) delete require.cache[name];
  }
}

/* The package as Jest evaluates it: its files in a vm context, and the add-on outside. */
function evaluated(context) {
  const modules = new Map();
  const load = (file) => {
    if (modules.has(file)) return modules.get(file).exports;
    const module = { exports: {} };
    modules.set(file, module);
    const outside = createRequire(file);
    const inside = (name) => {
      const found = outside.resolve(name);
      return path.isAbsolute(found) && found.endsWith('.js') ? load(found) : outside(name);
    };
    const text = `(function (module, exports, require, process) {${fs.readFileSync(file, 'utf8')}\n})`;
    runInContext(text, context, { filename: file })(module, module.exports, inside, process);
    return module.exports;
  };
  return load(path.join(folder, 'index.js'));
}

test('files of JavaScript that are evaluated again give the same classes', async () => {
  forget(false);
  const again = require('libbelay');
  assert.equal(again.Signal, Signal);
  assert.equal(again.Loop.current, Loop.current);
  assert.equal(require('libbelay/testing').Marbles, testing.Marbles);
  assert.equal((await import('libbelay')).Subject, Subject);
  assert.deepEqual(await events(Signal.of(again.Signal.of(7)).switchToLatest()), [7, '|']);
  assert.deepEqual(await events(again.Signal.of(Signal.of(7)).delay(0.001).switchToLatest()), [7, '|']);
});

test('with its add-on the package is another one', async () => {
  forget(true);
  const other = require('libbelay');
  assert.notEqual(other.Signal, Signal);
  for (const [here, there] of [[{ Signal, Subject }, other], [other, { Signal, Subject }]]) {
    assert.deepEqual(await events(here.Signal.of(here.Signal.of(7)).switchToLatest()), [7, '|']);
    assert.deepEqual(await events(here.Signal.from(there.Signal.of({}, 1).delay(0.001)).skip(1)), [1, '|']);
    const heard = [];
    const subject = new there.Subject();
    // Promises wait for the end of the outer call, whoever calls.
    subject.skip(0).subscribe((value) => Promise.resolve().then(() => heard.push(value)));
    here.Signal.of(1).tap((value) => subject.next(value)).tap(() => heard.push('after')).subscribe();
    await null;
    assert.deepEqual(heard, ['after', 1]);
  }
});

test('an environment in which it is evaluated twice ends', async () => {
  const program = `
    const folder = ${JSON.stringify(folder)};
    const load = () => {
      const { Signal, Subject } = require(folder);
      Signal.interval(0.001).map(() => ({})).buffer(2).subscribe(() => {}, { owner: {} });
      const subject = new Subject();
      subject.delay(0.001).subscribe(() => {});
      subject.next({});
      return Signal;
    };
    for (const isAll of [false, true]) {
      load();
      for (const name of Object.keys(require.cache)) {
        if (name.startsWith(folder) && (isAll || !name.endsWith('.node'))) delete require.cache[name];
      }
    }
    load().timer(0.01).subscribe(() => process.exit(3));`;
  const out = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.deepEqual([out.status, out.signal, out.stderr], [3, null, '']);
  for (let i = 0; i < 3; i++) {
    const worker = new Worker(program, { eval: true });
    assert.equal(await new Promise((resolve) => worker.once('exit', resolve)), 3);
  }
  for (const isAll of [false, true]) {
    const short = `require(${JSON.stringify(folder)});
      for (const name of Object.keys(require.cache)) if (${isAll} || !name.endsWith('.node')) delete require.cache[name];
      require(${JSON.stringify(folder)});`;
    const ended = spawnSync(process.execPath, ['-e', short], { encoding: 'utf8' });
    assert.deepEqual([ended.status, ended.signal, ended.stderr], [0, null, '']);
  }
});

test('an environment ends while some of its vm contexts have gone', async () => {
  const program = `
    const { createContext, runInContext } = require('node:vm');
    const { createRequire } = require('node:module');
    const fs = require('node:fs');
    const path = require('node:path');
    const folder = ${JSON.stringify(folder)};
    const { Subject, Signal } = require(folder);
    const support = require(${JSON.stringify(require.resolve('./support'))});
    ${evaluated}
    const subject = new Subject();
    const use = (isKept) => {
      const inside = evaluated(createContext({ AbortController, Buffer, process, queueMicrotask }));
      const own = new inside.Subject();
      Signal.from(own.delay(0)).subscribe(() => {});
      Signal.from(inside.Signal.interval(0.001).map(() => ({}))).subscribe(() => {});
      if (isKept) inside.Signal.from(subject).delay(0).subscribe(() => {});
      inside.Signal.timer(0).subscribe(() => {});
    };
    (async () => {
      for (let i = 0; i < 6; i++) {
        use(i % 2 === 0);
        await support.turns(2);
        support.gc();
        subject.next(i);
      }
      process.exit(3);
    })();`;
  for (let i = 0; i < 3; i++) {
    const worker = new Worker(program, { eval: true });
    assert.equal(await new Promise((resolve) => worker.once('exit', resolve)), 3);
  }
  const out = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.deepEqual([out.status, out.signal, out.stderr], [3, null, '']);
});

/* How many handles are on the loop. */
function handles() {
  process.report.excludeNetwork = true;
  return process.report.getReport().libuv.filter((each) => each.type !== 'loop').length;
}

test('each vm context has classes of its own, which go with it', async () => {
  const before = await collected(0);
  const open = handles();
  const contexts = [];
  const use = async () => {
    const context = createContext({ AbortController, Buffer, process, queueMicrotask });
    const inside = evaluated(context);
    const { Error: InsideError, globalThis: global } = runInContext('({ Error, globalThis })', context);
    contexts.push(new WeakRef(global));
    assert.notEqual(inside.Signal, Signal);
    assert.equal(evaluated(context).Signal, inside.Signal);
    const failed = inside.Signal.of(1).delay(0).skip(1).first();
    const isOurs = (error) => error instanceof InsideError && error instanceof inside.BelayError;
    await assert.rejects(failed.toPromise(), isOurs);
    const nested = inside.Signal.of(inside.Signal.of(1)).delay(0.001);
    assert.ok((await nested.toPromise()) instanceof inside.Signal);
    assert.deepEqual(await events(Signal.from(nested.switchToLatest())), [1, '|']);
  };
  for (let i = 0; i < 4; i++) await use();
  assert.deepEqual(await events(Signal.of(Signal.of(7)).switchToLatest()), [7, '|']);
  const left = () => contexts.filter((each) => each.deref()).length;
  for (let i = 0; i < 50 && left() > 1; i++) {
    await turns(2);
    gc();
  }
  assert.ok(left() <= 1, `${left()} left`);
  assert.ok((await collected(before)) <= before);
  for (let i = 0; i < 50 && handles() > open + 2; i++) await turns(2);
  assert.ok(handles() <= open + 2, `${handles() - open} handles more`); // those of the last one
  // The last one had taken the errors that nobody handles.
  const others = process.rawListeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const unhandled = new Promise((resolve) => process.once('uncaughtException', resolve));
  Signal.timer(0).skip(1).first().subscribe();
  const error = await unhandled;
  for (const each of others) process.on('uncaughtException', each);
  assert.deepEqual([error.code, error.message], ['ENOENT', 'not found']);
});
