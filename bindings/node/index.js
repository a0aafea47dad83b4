'use strict';
/* Belay for Node: see index.d.ts for what everything does. */
require('./lib/environment');
const { BelayError } = require('./lib/core');
const { Signal, Subscriber } = require('./lib/signal');
const { Subject, BehaviorSubject, ReplaySubject, AsyncSubject } = require('./lib/subjects');
const { Bag, Compound, Disposable, Serial, SingleAssignment, Subscription } = require('./lib/disposables');
const { Owner, ownerOf } = require('./lib/owners');
const { Command, Property, Request } = require('./lib/properties');
const { Loop, Recursion, Scheduler, VirtualScheduler } = require('./lib/loops');
const {
  deliveryStack, live, lost, misuses, onOverlap, onSlowCallback, version,
} = require('./lib/diagnostics');

module.exports = {
  AsyncSubject, Bag, BehaviorSubject, BelayError, Command, Compound, Disposable, Loop, Owner,
  Property, Recursion, ReplaySubject, Request, Scheduler, Serial, Signal, SingleAssignment, Subject,
  Subscriber, Subscription, VirtualScheduler, deliveryStack, live, lost, misuses, onOverlap, onSlowCallback,
  ownerOf, version,
};
