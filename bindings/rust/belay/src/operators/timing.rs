//! Time, and where events are delivered.
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use belay_sys::*;

use crate::callbacks::{ctx, free, predicate};
use crate::loops::Scheduler;
use crate::signal::{retained_or_null, Signal};
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

/// What becomes of a value for which a queue has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePolicy {
    /// The signal ends with [`Code::EAGAIN`](crate::Code::EAGAIN), after what waits.
    Error,
    /// The oldest that waits makes room.
    DropOldest,
    /// It is dropped.
    DropNewest,
    /// Only the latest that waits is kept.
    Latest,
    /// Its sender sleeps until there is room; on a thread with a loop as [`QueuePolicy::Error`].
    Block,
}

/// How [`Signal::observe_on`] queues: 1024 values, and then an error.
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

    /// What becomes of a value for which there is no room.
    pub fn policy(mut self, policy: QueuePolicy) -> QueueOptions {
        self.policy = policy;
        self
    }

    /// How many values wait at most; 0: 1024.
    pub fn capacity(mut self, capacity: usize) -> QueueOptions {
        self.capacity = capacity;
        self
    }

    /// What is raised to the most that ever waited.
    pub fn high_water(mut self, mark: &'static AtomicUsize) -> QueueOptions {
        self.high_water = Some(mark);
        self
    }

    fn raw(&self) -> belay_queue_options {
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
    /// The same as [`debounce`](Signal::debounce) for values for which the closure answers true. Any
    /// other is sent at once, and drops what waits.
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

    /// At most one value in so long a time.
    pub fn throttle(&self, scheduler: &Scheduler, time: Duration, which: Throttle) -> Signal<T> {
        let leading = (which != Throttle::Trailing).into();
        let trailing = (which != Throttle::Leading).into();
        let (scheduler, time) = (scheduler.as_raw(), time.as_secs_f64());
        unsafe { self.with(belay_op_throttle(scheduler, time, leading, trailing)) }
    }

    /// When nothing has come for so long, goes on with `fallback`; without one ends with
    /// [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT).
    pub fn timeout(
        &self,
        scheduler: &Scheduler,
        time: Duration,
        fallback: Option<&Signal<T>>,
    ) -> Signal<T> {
        let fallback = retained_or_null(fallback);
        unsafe { self.with(belay_op_timeout(scheduler.as_raw(), time.as_secs_f64(), fallback)) }
    }

    /// Events are delivered by work on `scheduler`, in their order, from a bounded queue. What is
    /// below runs there, when that is a loop's or a pool's; what is above where one subscribed.
    pub fn observe_on(&self, scheduler: &Scheduler, options: QueueOptions) -> Signal<T> {
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

    /// Subscribes to the source by work on `scheduler`. When that is the scheduler of another loop
    /// or a pool, the source and the operators above run there, and their events are queued to the
    /// home of the subscription (1024 values, then the error
    /// [`Code::EAGAIN`](crate::Code::EAGAIN)). That home has to be a loop too
    /// ([`Code::ENOHOME`](crate::Code::ENOHOME)).
    pub fn subscribe_on(&self, scheduler: &crate::loops::Scheduler) -> Signal<T> {
        unsafe { self.with(belay_op_subscribe_on(scheduler.as_raw())) }
    }
    // [end]
}
