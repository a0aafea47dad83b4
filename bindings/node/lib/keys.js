'use strict';
/* Keys as Belay compares them. Of an object it compares the value that refers to it, and a new one would refer
   to it each time. */
const { Handle, native } = require('./core');

/* Whether equal ones have equal values in Belay. */
function isComparable(key) {
  switch (typeof key) {
    case 'number': return !Number.isNaN(key);
    case 'bigint': return BigInt.asIntN(64, key) === key || BigInt.asUintN(64, key) === key;
    case 'object': return key === null;
    default: return typeof key !== 'function' && typeof key !== 'symbol';
  }
}

/* Whether Belay also tells it from all others. Of half a surrogate pair in a string it makes U+FFFD. */
function isExact(key) {
  return typeof key === 'string' ? key.isWellFormed() : isComparable(key);
}

/* The keys of one subscription, equal as those of a Map are. */
class Keys {
  #all = new Map(); // by key, the handle of the value that stands for it, and how many groups have it

  /* What Belay gets for a key. The group's key is the key itself again. */
  toNative(key) {
    if (isExact(key)) return key;
    let found = this.#all.get(key);
    if (!found) this.#all.set(key, (found = { handle: new Handle(native.key(key)), groups: 0 }));
    return found.handle;
  }

  /* For a group that begins. Returns what is called when it has ended in any way. */
  hold(key) {
    const found = this.#all.get(key);
    if (!found) return () => {};
    found.groups++;
    return () => {
      if (--found.groups === 0) this.#all.delete(key);
    };
  }
}

/* Whether a value, or its key, comes for the first time. It does not mention the source, whose last reference
   going is its end. */
function unseen(key) {
  const seen = new Set();
  return (value) => {
    const found = key ? key(value) : value;
    return !seen.has(found) && Boolean(seen.add(found));
  };
}

module.exports = { Keys, isComparable, unseen };
