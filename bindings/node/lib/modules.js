'use strict';
/* What the package consists of, once for each global object. These files may be evaluated again: by Jest, which
   forgets modules, or in a second bundle. Its classes are those of the first evaluation then. The add-on keeps
   them as long as their global object, which is that of all functions that Belay may call. */
const made = require('./addon').modules;

function evaluate() {
  require('./environment');
  return {
    core: require('./core'),
    diagnostics: require('./diagnostics'),
    disposables: require('./disposables'),
    loops: require('./loops'),
    owners: require('./owners'),
    properties: require('./properties'),
    signal: require('./signal'),
    subjects: require('./subjects'),
    testing: require('./testing'),
  };
}

if (!made.has(globalThis)) made.set(globalThis, evaluate());
module.exports = made.get(globalThis);
