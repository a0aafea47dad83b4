'use strict';
const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { addon } = require('./support');

const SOURCE = process.env.BELAY_SOURCE;
const APP = path.dirname(__dirname);

test('it has been installed from the package, which needs no compiler', () => {
  assert.equal(path.dirname(require.resolve('libbelay')), path.join(APP, 'node_modules/libbelay'));
  const files = fs.readdirSync(path.join(APP, 'node_modules/libbelay'));
  assert.deepEqual(files.filter((name) => name !== 'LICENSE.libffi').sort(), [
    'LICENSE', 'README.md', 'index.d.ts', 'index.js', 'lib', 'package.json', 'prebuilds',
    'testing.d.ts', 'testing.js',
  ]);
  const { scripts, dependencies } = require('libbelay/package.json');
  assert.equal(scripts ?? dependencies, undefined);
});

test('an ES module imports it', () => {
  const program = "import { Signal } from 'libbelay'; console.log(await Signal.of(1, 2).sum().toPromise());";
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: APP, encoding: 'utf8' });
  assert.equal(out, '3\n');
});

test('the add-on has Belay inside, and calls the libuv of Node', (t) => {
  if (process.env.SANITIZE) return t.skip('the sanitizer is a library more');
  const nm = spawnSync('nm', ['-D', addon], { encoding: 'utf8' });
  if (nm.status !== 0) return t.skip('there is no nm');
  assert.match(nm.stdout, / U uv_async_init\n/);
  assert.match(nm.stdout, / T belay_subject_next\n/);
  const needed = spawnSync('readelf', ['-d', addon], { encoding: 'utf8' }).stdout;
  const libraries = [...needed.matchAll(/NEEDED.*\[(.*)\]/g)].map((found) => found[1]);
  for (const each of libraries) assert.match(each, /^(libc|libm|libpthread|ld-linux-x86-64)\.so/);
});

test('the declarations, by tsc --strict', (t) => {
  if (spawnSync('tsc', ['--version']).status !== 0) return t.skip('there is no tsc');
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'node16'];
  const types = ['--moduleResolution', 'node16', '--lib', 'es2022,dom', '--typeRoots', 'test'];
  const told = spawnSync('tsc', [...flags, ...types, 'test/types.ts'], { cwd: APP, encoding: 'utf8' });
  assert.equal(told.stdout, '');
  assert.equal(told.status, 0);
});

test('each method is declared, and each declaration has a method', () => {
  const { Signal, ...rest } = require('libbelay');
  const library = path.dirname(require.resolve('libbelay'));
  const families = fs.readdirSync(path.join(library, 'lib/operators')).filter((name) => name.endsWith('.d.ts'));
  const text = [...families.map((name) => `lib/operators/${name}`), 'index.d.ts']
    .map((name) => fs.readFileSync(path.join(library, name), 'utf8').replace(/\/\*[^]*?\*\//g, ''))
    .join('\n');
  const own = (object) => Object.getOwnPropertyNames(object).filter((name) => /^[a-z]/.test(name) && name !== 'constructor');
  const statics = own(Signal).filter((name) => !['length', 'name', 'prototype'].includes(name));
  for (const name of [...own(Signal.prototype), ...statics]) assert.match(text, new RegExp(`\\b${name}\\b`), name);
  for (const name of Object.keys(rest)) assert.match(text, new RegExp(`declare (class|function|const) ${name}\\b`), name);
  const declared = [...text.matchAll(/^  (?:static )?(\w+)(?:<[^\n(]*>)?\(/gm)].map((found) => found[1]);
  const all = [Signal, ...Object.values(rest)].flatMap((each) => [each, each.prototype]).filter(Boolean);
  for (const name of new Set(declared)) {
    if (!['constructor', 'next', 'nextBatch', 'error', 'complete', 'disposed'].includes(name))
      assert.ok(all.some((each) => name in each), name);
  }
});

/* The programs of a page, each as it stands there. */
function programs(page) {
  return [...fs.readFileSync(page, 'utf8').matchAll(/```js\n([^]*?)```/g)].map((found) => found[1]);
}

test('the programs of the pages print what they say', () => {
  for (const page of ['README.md', 'docs/tutorial.md']) {
    const all = programs(`${SOURCE}/bindings/node/${page}`);
    assert.ok(all.length > 0, page);
    for (const program of all) {
      const expected = [...program.matchAll(/\/\/ prints: (.*)\n/g)].map((found) => `${found[1]}\n`).join('');
      fs.writeFileSync(path.join(APP, 'page.mjs'), program);
      const out = spawnSync(process.execPath, ['page.mjs'], {
        cwd: APP, encoding: 'utf8', timeout: 20000,
      });
      assert.equal(out.stderr + out.stdout, expected, `${page}:\n${program}`);
    }
  }
});

for (const name of ['hello', 'wordcount']) {
  test(`${name}, the example in JavaScript`, () => {
    const folder = `${SOURCE}/Examples/${name}`;
    fs.copyFileSync(`${folder}/${name}.js`, path.join(APP, `${name}.js`));
    const run = ['test.sh', process.execPath, path.join(APP, `${name}.js`)];
    const told = spawnSync('sh', run, { cwd: folder, encoding: 'utf8' });
    assert.equal(told.stdout + told.stderr, '');
    assert.equal(told.status, 0);
  });
}
