'use strict';
/* Belay for tests: marbles and drawings. */
require('./index');
module.exports = require('./lib/testing');
