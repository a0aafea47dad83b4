'use strict';
/* The first that comes goes first. Array.prototype.shift() moves all that stay, in a long array. */

const FEW = 64;

class Queue {
  size = 0;
  #items = [];
  #gone = 0; // how many at the beginning have been taken

  push(item) {
    this.size = this.#items.push(item) - this.#gone;
  }

  shift() {
    const item = this.#items[this.#gone];
    this.#items[this.#gone++] = undefined; // nothing keeps it here
    this.size--;
    if (this.size === 0 || (this.#gone >= FEW && this.#gone >= this.size)) {
      this.#items.splice(0, this.#gone);
      this.#gone = 0;
    }
    return item;
  }

  clear() {
    this.#items = [];
    this.#gone = this.size = 0;
  }
}

module.exports = { Queue };
