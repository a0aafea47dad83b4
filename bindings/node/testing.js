'use strict';
/* Belay for tests: marbles and drawings. */
const { Drawing, Marbles, marbles } = require('./lib/modules').testing;

module.exports = { Drawing, Marbles, marbles };
