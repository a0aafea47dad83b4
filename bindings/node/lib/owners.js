'use strict';
const { Handle, bare, callable, handleIn, makers, native, optional, optionsOf } = require('./core');
const { Subscription } = require('./disposables');

/* Owners of every copy of this package have it. */
const OWNER = Symbol.for('libbelay.owner');

/* The handle of a dead owner. Of what has been released nothing is left to ask. */
function dead(label) {
  const [parent, child] = [native.owner_create(), native.owner_create(undefined, label)];
  native.owner_add_child(parent, child);
  native.give_back(parent); // with it the child dies, and its handle stays
  return child;
}

/* Subscriptions are bound to it, and end with it. */
class Owner extends Handle {
  #isReleased = false;
  #label;
  #dead;

  constructor(options, handle) {
    const { deinit, label } = optionsOf('new Owner', options, ['deinit', 'label']);
    super(handle ?? native.owner_create(optional(deinit), label));
  }

  /* After the release that of an owner that is as dead. */
  get _handle() {
    if (!this.#isReleased) return super._handle;
    return (this.#dead ??= dead(this.#label));
  }

  get isDying() {
    return native.owner_is_dying(this._handle) === 1;
  }

  get label() {
    return native.owner_label(this._handle);
  }

  get deallocating() {
    return makers.signal(native.owner_deallocating(this._handle));
  }

  get deallocated() {
    return makers.signal(native.owner_deallocated(this._handle));
  }

  /* Gives the reference back at once, and with it, as a rule, ends the owner. */
  release() {
    if (this.#isReleased) return;
    this.#label = this.label;
    this.#isReleased = true;
    native.give_back(super._handle);
  }

  add(disposable) {
    if (typeof disposable === 'function') native.owner_add_action(this._handle, disposable);
    else native.owner_add(this._handle, handleIn(disposable, Subscription));
  }

  addChild(child) {
    native.owner_add_child(this._handle, handleOf(child));
  }

  removeChild(child) {
    native.owner_remove_child(this._handle, handleOf(child));
  }

  watch(source, name, handler, level = 0) {
    const from = handleOf(source);
    native.owner_event_watch(this._handle, from, name, level, callable(handler));
  }

  unwatch(source, name, level) {
    const me = this._handle;
    if (source === undefined) native.owner_event_unwatch_all(me);
    else if (name === undefined) native.owner_event_unwatch_source(me, handleOf(source));
    else if (level === undefined) native.owner_event_unwatch_name(me, handleOf(source), name);
    else native.owner_event_unwatch(me, handleOf(source), name, level);
  }

  post(name, info = null) {
    native.owner_event_post(this._handle, name, info);
  }

  setNotice(name, notify) {
    native.notice_set(this._handle, name, callable(notify));
  }

  removeNotice(name) {
    native.notice_remove(this._handle, name);
  }

  get notices() {
    return native.notice_each(this._handle);
  }
}

/* An owner is reachable from its object alone: with the object its handle is collected, which is the
   owner's death. */
const owners = new WeakMap();

function ownerOf(object) {
  if (object instanceof Owner) return object;
  if (Object(object) !== object) throw new TypeError(`an owner is an object, and not ${String(object)}`);
  let owner = owners.get(object);
  if (!owner) {
    if (object[OWNER]) throw new TypeError('an owner of another copy of libbelay');
    const name = object.constructor?.name;
    owner = new Owner({ label: typeof name === 'string' ? name : undefined });
    owners.set(object, owner);
  }
  return owner;
}

function handleOf(object) {
  return object === undefined || object === null ? undefined : ownerOf(object)._handle;
}

Owner.prototype[OWNER] = true;
bare.add(Owner.prototype);
makers.owner = (handle) => new Owner(undefined, handle);

module.exports = { Owner, handleOf, ownerOf };
