'use strict';
/* The add-on's functions, for this evaluation of the package. They are called as its properties: when this object
   is collected, Belay leaves the loop, and a function alone does not keep it. */
module.exports = require('./addon').open();
