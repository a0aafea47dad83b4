'use strict';
/* The add-on: one binary for every Node since 20. */
const { platform, arch } = process;
module.exports = require(`../prebuilds/${platform}-${arch}/libbelay.node`);
