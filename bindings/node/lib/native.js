'use strict';
/* The add-on's functions, for this evaluation of the package. */
module.exports = require('./addon').open();
