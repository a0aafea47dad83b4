'use strict';
/* What ends a piece of work, and what holds several of it. */
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Compound, Disposable } = require('libbelay');

test('the key of a member is exact, however many have been there', () => {
  const [compound, member] = [new Compound(), new Disposable()];
  let before = 0n;
  for (let i = 0; i < 2 ** 21 + 10; i++) { // a double has room for so many of one place
    const key = compound.add(member);
    if (key === before) assert.fail(`${key} twice`);
    before = key;
    compound.remove(key);
  }
  const [first, second] = [compound.add(member), compound.add(() => {})];
  assert.ok(first > 2n ** 53n);
  compound.remove(first);
  assert.equal(compound.count, 1);
  assert.throws(() => compound.remove(first), { code: 'ENOENT' });
  compound.remove(second);
  assert.equal(compound.count, 0);
});

test('what is no key is refused', () => {
  const compound = new Compound();
  const key = compound.add(() => {});
  for (const bad of [Number(key), 0, String(key), undefined, null, {}, -1n, -key, key + 2n ** 64n, 2n ** 70n]) {
    assert.throws(() => compound.remove(bad), { name: 'TypeError', message: /not a key/ }, String(bad));
  }
  assert.equal(compound.count, 1);
  compound.remove(key);
  compound.dispose();
  assert.equal(compound.add(() => {}), 0n); // it did not stay
  assert.throws(() => compound.remove(0n), { code: 'ENOENT' });
});
