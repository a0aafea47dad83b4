'use strict';
/* What every file needs: handles, conversions of arguments, errors. */
const native = require('./native');

/* The kinds of handles, in the order of native/internal.h. */
const KINDS = [
  'signal', 'subscriber', 'disposable', 'bag', 'owner', 'loop', 'scheduler', 'property',
  'command', 'request', 'recursion', 'marbles', 'drawing',
];
/* What makes an object of a kind around a handle; each file adds its own. */
const makers = {};

/* Signals of every copy of this package have it. */
const SIGNAL = Symbol.for('libbelay.signal');
/* An option of subscribe() that only this package gives: the handle that the subscription gets. */
const MADE = Symbol('made');
/* Subjects and subscribers of every copy have it. */
const SENDS = Symbol.for('libbelay.sends');

/* The prototypes of objects that are no more than their handles: one that is made around the handle is the same. */
const bare = new Set();

/* An object that stands for a handle of Belay's. The handle goes when the object is collected. */
class Handle {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  get _handle() {
    return this.#handle;
  }

  /* What Belay gets where it is a value. An object of another class, such as a subject or one of the program's
     classes, is passed by reference: what is made around its handle would be less. */
  get _sent() {
    return bare.has(Object.getPrototypeOf(this)) ? this._handle : undefined;
  }

  /* Of the thing itself, where `_handle` is what one listens to. */
  get _own() {
    return this._handle;
  }
}

bare.add(Handle.prototype);

class BelayError extends Error {
  constructor(errno, code, domain, message, value, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.errno = errno;
    this.code = code;
    this.domain = domain;
    this.value = value;
  }
}
BelayError.prototype.name = 'BelayError';

function wrap(kind, handle) {
  return makers[KINDS[kind]](handle);
}

function makeError(...parts) {
  return new BelayError(...parts);
}

function callable(call) {
  if (typeof call !== 'function') throw new TypeError(`${String(call)} is not a function`);
  return call;
}

function isGiven(argument) {
  return argument !== undefined && argument !== null;
}

function optional(call) {
  return isGiven(call) ? callable(call) : undefined;
}

const NONE = Object.freeze({});

/* Whether an object is of no class, as one in braces. */
function isPlain(object) {
  const parent = Object.getPrototypeOf(object);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/* Whether an object has one of these, its own or its class's, such as a getter. What an object of this package has by
   such a name is no option. */
function hasAny(object, names) {
  return !(object instanceof Handle) && names.some((name) => name in object);
}

/* The options of a call. What it does not know would change nothing: it is refused, and so is anything that is no
   object of options, such as a number or a scheduler in its place. */
function optionsOf(call, given, known) {
  if (given === undefined) return NONE;
  if (typeof given === 'object' && given !== null) {
    for (const key in given) {
      if (known.includes(key) || key in Object.prototype) continue;
      throw new TypeError(`${call}() has no option \`${key}\`: { ${known.join(', ')} }`);
    }
    if (isPlain(given) || hasAny(given, known)) return given;
  }
  throw new TypeError(`${call}() takes its options in an object: { ${known.join(', ')} }`);
}

/* Refuses functions behind an observer, where others have the one for errors and the one for the end. */
function observing(call, second, third) {
  if (typeof second === 'function' || typeof third === 'function') {
    throw new TypeError(`${call}() takes one function, or an observer: { next, error, complete, disposed }`);
  }
}

/* The handle of an object of that class. To Belay, anything else would be as if nothing were given. */
function handleIn(given, of) {
  const found = given instanceof of ? given._handle : undefined;
  if (found === undefined) throw new TypeError(`${String(given)} is no ${of.name}`);
  return found;
}

/* A method of an observer's. A function alone is its `next`. */
function bound(observer, name) {
  if (typeof observer === 'function') return name === 'next' ? observer : undefined;
  if (isGiven(observer) && typeof observer !== 'object') {
    throw new TypeError(`an observer is an object or a function, and not ${String(observer)}`);
  }
  return optional(observer?.[name])?.bind(observer);
}

/* The handle of a signal, or of what becomes one. */
function handle(source) {
  return source instanceof Handle ? source._handle : makers.from(source)._handle;
}

function handles(sources) {
  return sources.map(handle);
}

/* A function that gives a signal, for Belay. */
function making(call) {
  callable(call);
  return (...given) => handle(call(...given));
}

const CAPACITY = 1024; // Belay's, for 0 too
const POLICIES = ['error', 'dropOldest', 'dropNewest', 'latest'];

const QUEUE = ['policy', 'capacity'];

/* Options of a queue, as the add-on reads them. */
function queueOptions(call, given, known = QUEUE) {
  const { policy = 'error', capacity } = optionsOf(call, given, known);
  const chosen = POLICIES.indexOf(policy);
  if (chosen < 0) throw new TypeError(`a policy is one of ${POLICIES.join(', ')}`);
  return { policy: chosen, capacity };
}

/* The scheduler of the environment's loop, unless another is given. */
function scheduler(given) {
  return isGiven(given) ? handleIn(given, core.Scheduler) : core.loop.scheduler._handle;
}

const core = {
  BelayError, CAPACITY, Handle, MADE, POLICIES, QUEUE, SENDS, SIGNAL, Scheduler: null, bare, bound, callable, handle,
  handleIn, handles, isGiven, loop: null, makeError, makers, making, native, observing, optional, optionsOf,
  queueOptions, scheduler, wrap,
};
module.exports = core;
