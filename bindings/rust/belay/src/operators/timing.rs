//! Time, and where events are delivered.
use std::ptr::null_mut;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use belay_sys::*;

use crate::callbacks::{ctx, flat_map, free, predicate};
use crate::loops::Scheduler;
use crate::signal::Signal;
use crate::value::{Outcome, Value};

/// Which values of a time are sent by [`Signal::throttle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throttle {
    /// The first, which begins the time.
    Leading,
    /// The last of those that came meanwhile, when it is over.
    Trailing,
    /// Both.
    Both,
}

/// The fate of a value for which a queue has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePolicy {
    /// The signal ends with [`Code::EAGAIN`](crate::Code::EAGAIN), after the waiting values.
    Error,
    /// The oldest that waits makes room.
    DropOldest,
    /// It is dropped.
    DropNewest,
    /// Only the latest that waits is kept.
    Latest,
    /// Its sender sleeps until there is room; on a thread with a loop, and in work of a pool, as
    /// [`QueuePolicy::Error`].
    Block,
}

/// How an operator queues: 1024 values, and then an error.
#[derive(Clone, Copy, Debug)]
pub struct QueueOptions {
    policy: QueuePolicy,
    capacity: usize,
    high_water: Option<&'static AtomicUsize>,
}

impl Default for QueueOptions {
    fn default() -> QueueOptions {
        QueueOptions { policy: QueuePolicy::Error, capacity: 0, high_water: None }
    }
}

impl QueueOptions {
    /// The defaults.
    pub fn new() -> QueueOptions {
        QueueOptions::default()
    }

    /// Says what happens to a value for which there is no room.
    pub fn policy(mut self, policy: QueuePolicy) -> QueueOptions {
        self.policy = policy;
        self
    }

    /// How many values wait at most; 0: 1024.
    pub fn capacity(mut self, capacity: usize) -> QueueOptions {
        self.capacity = capacity;
        self
    }

    /// The mark that is raised to the most that ever waited.
    pub fn high_water(mut self, mark: &'static AtomicUsize) -> QueueOptions {
        self.high_water = Some(mark);
        self
    }

    pub(crate) fn raw(&self) -> belay_queue_options {
        belay_queue_options {
            policy: match self.policy {
                QueuePolicy::Error => BELAY_QUEUE_ERROR,
                QueuePolicy::DropOldest => BELAY_QUEUE_DROP_OLDEST,
                QueuePolicy::DropNewest => BELAY_QUEUE_DROP_NEWEST,
                QueuePolicy::Latest => BELAY_QUEUE_LATEST,
                QueuePolicy::Block => BELAY_QUEUE_BLOCK,
            },
            capacity: self.capacity,
            // C stores into it atomically.
            high_water: self
                .high_water
                .map_or(std::ptr::null_mut(), |mark| mark as *const AtomicUsize as *mut usize),
            ..belay_queue_options::default()
        }
    }
}

impl<T: Value> Signal<T> {
    /// The same as [`debounce`](Signal::debounce) for values for which the closure answers true.
    /// Any other is sent at once, and drops the value that waits.
    pub fn debounce_if<R, F>(&self, scheduler: &Scheduler, time: Duration, waits: F) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let (call, free) = (predicate::<T, R, F>, free::<F>);
        let (scheduler, time) = (scheduler.as_raw(), time.as_secs_f64());
        unsafe {
            self.with(belay_op_debounce_if(scheduler, time, Some(call), ctx(waits), Some(free)))
        }
    }

    /// Sends a value, and drops those that come within `time` after it.
    pub fn throttle(&self, scheduler: &Scheduler, time: Duration) -> Signal<T> {
        self.throttle_with(scheduler, time, Throttle::Leading)
    }

    /// Sends at most the first and the last value of each `time`, as `which` says.
    pub fn throttle_with(
        &self,
        scheduler: &Scheduler,
        time: Duration,
        which: Throttle,
    ) -> Signal<T> {
        let leading = (which != Throttle::Trailing).into();
        let trailing = (which != Throttle::Leading).into();
        let (scheduler, time) = (scheduler.as_raw(), time.as_secs_f64());
        unsafe { self.with(belay_op_throttle(scheduler, time, leading, trailing)) }
    }

    /// Ends with [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT) when no value has come for `time`.
    pub fn timeout(&self, scheduler: &Scheduler, time: Duration) -> Signal<T> {
        unsafe { self.with(belay_op_timeout(scheduler.as_raw(), time.as_secs_f64(), null_mut())) }
    }

    /// Continues with `fallback` when no value has come for `time`.
    pub fn timeout_to(
        &self,
        scheduler: &Scheduler,
        time: Duration,
        fallback: &Signal<T>,
    ) -> Signal<T> {
        let (scheduler, fallback) = (scheduler.as_raw(), fallback.retained());
        unsafe { self.with(belay_op_timeout(scheduler, time.as_secs_f64(), fallback)) }
    }

    /// Sends a value, and drops those that come until the signal that `period` makes of it sends one
    /// or completes. (RxJS's throttle.)
    pub fn throttle_when<U, R, F>(&self, period: F) -> Signal<T>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        self.throttle_when_with(Throttle::Leading, period)
    }

    /// Sends the first and the last value of each period, as `which` says. A value begins a period,
    /// which ends when the signal that `period` makes of it sends one or completes. A period that
    /// completes drops its last value. (RxJS's throttle.)
    pub fn throttle_when_with<U, R, F>(&self, which: Throttle, period: F) -> Signal<T>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let leading = (which != Throttle::Trailing).into();
        let trailing = (which != Throttle::Leading).into();
        let (call, free) = (flat_map::<T, U, R, F>, free::<F>);
        unsafe {
            let period = ctx(period);
            self.with(belay_op_throttle_when(Some(call), period, Some(free), leading, trailing))
        }
    }

    /// Ends with [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT) when the signal that `period` makes of
    /// a value sends one before the next value has come. Nothing limits the time before the first.
    pub fn timeout_when<U, R, F>(&self, period: F) -> Signal<T>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        self.timeout_when_with(None::<&Signal<U>>, None, period)
    }

    /// Continues with `fallback` when a time is over, or ends with
    /// [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT). `first` limits the time before the first value,
    /// and the signal that `period` makes of a value the time before the next one.
    pub fn timeout_when_with<U, V, R, F>(
        &self,
        first: Option<&Signal<U>>,
        fallback: Option<&Signal<T>>,
        period: F,
    ) -> Signal<T>
    where
        U: Value,
        V: Value,
        R: Outcome<Value = Signal<V>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let first = first.map_or(null_mut(), Signal::retained);
        let fallback = fallback.map_or(null_mut(), Signal::retained);
        let (call, free) = (flat_map::<T, V, R, F>, free::<F>);
        unsafe {
            let period = ctx(period);
            self.with(belay_op_timeout_when(first, fallback, Some(call), period, Some(free)))
        }
    }

    /// Delivers events by work on `scheduler`, in their order, from a queue with room for 1024
    /// values. On the scheduler of a loop or a pool, the operators below run there; those above run
    /// where the program subscribed. A full queue is [`Code::EAGAIN`](crate::Code::EAGAIN).
    pub fn observe_on(&self, scheduler: &Scheduler) -> Signal<T> {
        self.observe_on_with(scheduler, QueueOptions::default())
    }

    /// Delivers events by work on `scheduler`, from a queue that `options` describe.
    pub fn observe_on_with(&self, scheduler: &Scheduler, options: QueueOptions) -> Signal<T> {
        unsafe { self.with(belay_op_observe_on(scheduler.as_raw(), &options.raw())) }
    }
}

impl<T: Value> Signal<T> {
    // [operators timing] written by `scripts/api write` from docs/operators.tsv
    /// Sends the last value when no other has come for `time` (> 0). A completion sends the value
    /// that waits first. Keeps one value.
    pub fn debounce(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_debounce(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Starts a time of `time` (> 0) at a value, and sends the last value that has come when the
    /// time is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.)
    pub fn audit(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_audit(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Sends the latest value each time that `notifier` sends one, if a new value has come since
    /// the last time. Ends when the source ends, without sending the value that waits. An error of
    /// `notifier` ends the signal too; its completion changes nothing. Keeps one value.
    pub fn sample<U: Value>(&self, notifier: &Signal<U>) -> Signal<T> {
        unsafe { self.with(belay_op_sample(notifier.retained())) }
    }

    /// Sends the latest value every `time` (> 0), if a new value has come since the last time. Ends
    /// when the source ends, without sending the value that waits. Keeps one value.
    pub fn sample_time(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_sample_time(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Sends values and the completion `time` later (negative counts as 0), in their order. Sends
    /// an error at once. Keeps the values of the last `time`.
    pub fn delay(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_delay(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Subscribes to the source after `time` (negative counts as 0).
    pub fn delay_subscription(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_delay_subscription(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Holds the latest value back while the last value of `condition` is true, and sends it when
    /// that becomes false. Before the first value of `condition` all values pass. A value of
    /// `condition` that is not a bool is the error event [`Code::EKIND`](crate::Code::EKIND). Ends
    /// when the source ends, without sending the value that waits. An error of `condition` ends the
    /// signal too; its completion changes nothing. Keeps one value.
    pub fn throttle_while(&self, condition: &Signal<bool>) -> Signal<T> {
        unsafe { self.with(belay_op_throttle_while(condition.retained())) }
    }

    /// Makes a signal of each value, and sends the last value when the signal made of it sends one,
    /// unless another value has come before. A completion sends the value that waits first. The
    /// completion of a signal that was made changes nothing; its error ends the signal. Keeps one
    /// value. (RxJS's debounce.)
    pub fn debounce_when<U, R, F>(&self, period: F) -> Signal<T>
    where
        U: Value,
        R: crate::value::Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::flat_map::<T, U, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_debounce_when(Some(call), crate::callbacks::ctx(period), Some(free)))
        }
    }

    /// Makes a signal of a value, and when that sends one, sends the last value that has come. A
    /// completion waits for that value. If the signal completes without a value, the last value
    /// waits for the next one. An error of the signal ends this one. Keeps one value. (RxJS's
    /// audit.)
    pub fn audit_when<U, R, F>(&self, period: F) -> Signal<T>
    where
        U: Value,
        R: crate::value::Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::flat_map::<T, U, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_audit_when(Some(call), crate::callbacks::ctx(period), Some(free)))
        }
    }

    /// Makes a signal of each value, and sends the value when that signal sends one: values may
    /// change their order. Drops the value if its signal completes without one. Completes with the
    /// source and all of these signals, and ends with the first error. 1024 values may wait;
    /// belay_signal_set_queue() changes that. (RxJS's delayWhen.)
    pub fn delay_when<U, R, F>(&self, period: F) -> Signal<T>
    where
        U: Value,
        R: crate::value::Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::flat_map::<T, U, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_delay_when(Some(call), crate::callbacks::ctx(period), Some(free)))
        }
    }

    /// Subscribes to the source by work on `scheduler`. When that is the scheduler of another loop
    /// or a pool, the source and the operators above run there, and their events are queued to the
    /// home of the subscription: 1024 values, then the error [`Code::EAGAIN`](crate::Code::EAGAIN),
    /// unless belay_signal_set_queue() says otherwise. That home has to be a loop too
    /// ([`Code::ENOHOME`](crate::Code::ENOHOME)).
    pub fn subscribe_on(&self, scheduler: &crate::loops::Scheduler) -> Signal<T> {
        unsafe { self.with(belay_op_subscribe_on(scheduler.as_raw())) }
    }
    // [end]
}
