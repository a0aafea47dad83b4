'use strict';
/* The environment's loop, which is adopted once and for all. */
const core = require('./core');
const { Loop } = require('./loops');

const [major, minor, patch] = process.versions.uv.split('.').map((part) => parseInt(part, 10));
const { Handle, wrap, makeError } = core;
const handle = core.native.setup({ Handle, wrap, makeError }, (major << 16) | (minor << 8) | patch);
core.loop = new Loop(handle);
