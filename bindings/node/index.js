'use strict';
/* Belay for Node: see index.d.ts for what everything does. */
const modules = require('./lib/modules');
const { BelayError } = modules.core;
const { Signal, Subscriber } = modules.signal;
const { Subject, BehaviorSubject, ReplaySubject, AsyncSubject } = modules.subjects;
const { Bag, Compound, Disposable, Serial, SingleAssignment, Subscription } = modules.disposables;
const { Owner, ownerOf } = modules.owners;
const { Command, Property, Request } = modules.properties;
const { Loop, Recursion, Scheduler, VirtualScheduler } = modules.loops;
const { deliveryStack, live, lost, misuses, onOverlap, onSlowCallback, version } = modules.diagnostics;

module.exports = {
  AsyncSubject, Bag, BehaviorSubject, BelayError, Command, Compound, Disposable, Loop, Owner,
  Property, Recursion, ReplaySubject, Request, Scheduler, Serial, Signal, SingleAssignment, Subject,
  Subscriber, Subscription, VirtualScheduler, deliveryStack, live, lost, misuses, onOverlap, onSlowCallback,
  ownerOf, version,
};
