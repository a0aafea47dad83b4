//! One subscription to a source for all who listen; and waiting.
use std::ops::{BitOr, Deref};
use std::time::Duration;

use belay_sys::*;

use crate::disposable::{seconds_or_forever, Disposable};
use crate::error::{check, Result};
use crate::loops::{Loop, Scheduler};
use crate::signal::Signal;
use crate::subjects::{replay_arguments, Subject};
use crate::value::{Dynamic, Value};

/// What of a shared signal outlives an end; put together by `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareRules(u32);

impl ShareRules {
    /// Nothing.
    pub const RESET: ShareRules = ShareRules(BELAY_SHARE_RESET);
    /// Who comes after an error gets what is replayed and the error; else subscribes anew.
    pub const KEEP_ERROR: ShareRules = ShareRules(BELAY_SHARE_KEEP_ERROR);
    /// The same, for completion.
    pub const KEEP_COMPLETED: ShareRules = ShareRules(BELAY_SHARE_KEEP_COMPLETED);
    /// The source stays subscribed when nobody listens any more.
    pub const KEEP_CONNECTION: ShareRules = ShareRules(BELAY_SHARE_KEEP_CONNECTION);
}

impl BitOr for ShareRules {
    type Output = ShareRules;

    fn bitor(self, other: ShareRules) -> ShareRules {
        ShareRules(self.0 | other.0)
    }
}

/// A signal that subscribes to its source when it is connected, once for all who listen.
#[derive(Clone, Debug)]
#[must_use = "a connectable signal does nothing until it is connected"]
pub struct Connectable<T: Value>(Signal<T>);

impl<T: Value> Deref for Connectable<T> {
    type Target = Signal<T>;

    fn deref(&self) -> &Signal<T> {
        &self.0
    }
}

impl<T: Value> Connectable<T> {
    /// Subscribes to the source, unless it is subscribed. What disconnects; `None` when the source
    /// has ended.
    pub fn connect(&self) -> Result<Option<Disposable>> {
        let mut connection = std::ptr::null_mut();
        check(unsafe { belay_signal_connect(self.as_raw(), &mut connection) })?;
        Ok(unsafe { Disposable::from_raw(connection) })
    }

    /// Connects with the first subscription, disconnects with the last.
    pub fn ref_count(&self) -> Signal<T> {
        unsafe { self.with(belay_op_ref_count()) }
    }

    /// Connects with the `count`th subscription, once, for good.
    pub fn auto_connect(&self, count: usize) -> Signal<T> {
        unsafe { self.with(belay_op_auto_connect(count)) }
    }
}

impl<T: Value> Signal<T> {
    /// Connectable: who listens gets what comes while he does.
    pub fn publish(&self) -> Connectable<T> {
        Connectable(unsafe { Signal::made(belay_signal_publish(self.retained())) })
    }

    /// Connectable: who comes later gets first what has been kept, as of a
    /// [`Subject::replay`](crate::Subject::replay).
    pub fn replay(
        &self,
        count: Option<usize>,
        age: Option<Duration>,
        scheduler: Option<&Scheduler>,
    ) -> Connectable<T> {
        let (scheduler, age, count) = replay_arguments(count, age, scheduler);
        let source = self.retained();
        Connectable(unsafe { Signal::made(belay_signal_replay(source, scheduler, age, count)) })
    }

    /// Connectable, through a subject of any kind, the same for every connection.
    pub fn multicast(&self, subject: &Subject<T>) -> Connectable<T> {
        let (source, subject) = (self.retained(), subject.retained());
        Connectable(unsafe { Signal::made(belay_signal_multicast(source, subject)) })
    }

    /// One subscription for all: from the first who listens to the last.
    pub fn share(&self, rules: ShareRules) -> Signal<T> {
        unsafe { self.with(belay_op_share(rules.0)) }
    }

    /// The same, and who comes later gets first what has been kept.
    pub fn share_replay(
        &self,
        count: Option<usize>,
        age: Option<Duration>,
        scheduler: Option<&Scheduler>,
        rules: ShareRules,
    ) -> Signal<T> {
        let (scheduler, age, count) = replay_arguments(count, age, scheduler);
        unsafe { self.with(belay_op_share_replay(scheduler, age, count, rules.0)) }
    }

    /// Subscribes at `on`, and runs it until the first value, for at most `timeout`. The signal's
    /// error; [`Code::EENDED`](crate::Code::EENDED) when it completed without a value,
    /// [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT), [`Code::ECANCELED`](crate::Code::ECANCELED) when
    /// it was interrupted, or nothing was left to wait for.
    pub fn wait_first(&self, on: &Loop, timeout: Option<Duration>) -> Result<T> {
        let mut value = belay_null();
        let seconds = seconds_or_forever(timeout);
        let (signal, on) = (self.as_raw(), on.as_raw());
        check(unsafe { belay_signal_wait_first(signal, on, seconds, &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }

    /// The same for the last value before the completion.
    pub fn wait_last(&self, on: &Loop, timeout: Option<Duration>) -> Result<T> {
        let mut value = belay_null();
        let seconds = seconds_or_forever(timeout);
        let (signal, on) = (self.as_raw(), on.as_raw());
        check(unsafe { belay_signal_wait_last(signal, on, seconds, &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }
}

impl<T: Value> Signal<T> {
    // [operators sharing] written by `scripts/api write` from docs/operators.tsv
    // [end]
}
