'use strict';
/* Collects garbage all the time. Loaded by --require before a test. */
const { gc } = require('./support');

setInterval(gc, 1).unref();
