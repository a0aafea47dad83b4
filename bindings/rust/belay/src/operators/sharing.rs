//! One subscription to a source for all subscribers; and waiting.
use std::ops::{BitOr, Deref};
use std::os::raw::c_int;
use std::time::Duration;

use belay_sys::*;

use crate::disposable::{seconds_or_forever, Disposable};
use crate::error::{check, Error, Result};
use crate::loops::Loop;
use crate::signal::{retained_or_null, Signal};
use crate::subjects::{ReplayOptions, Subject};
use crate::value::{Dynamic, Value};

/// A function of C's that runs a loop until a signal has a value.
type Wait =
    unsafe extern "C" fn(*mut belay_signal, *mut belay_loop, f64, *mut belay_value) -> c_int;

/// The parts of a shared signal that outlive an end. Combine them by `|`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareRules(u32);

impl ShareRules {
    /// Nothing.
    pub const RESET: ShareRules = ShareRules(BELAY_SHARE_RESET);
    /// A subscriber that comes after an error gets the replayed values and the error, instead of a
    /// new subscription to the source.
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

/// Signals that end what a shared signal keeps, each by its first value: see
/// [`Signal::share_until`]. Without a signal nothing is kept.
#[derive(Clone, Debug, Default)]
pub struct ShareResets([Option<Signal<Dynamic>>; 3]);

impl ShareResets {
    /// Nothing is kept.
    pub fn new() -> ShareResets {
        ShareResets::default()
    }

    /// A subscriber that comes after an error gets the error until `signal` sends.
    pub fn error<U: Value>(self, signal: &Signal<U>) -> ShareResets {
        self.with(0, signal)
    }

    /// A subscriber that comes after the completion gets it until `signal` sends.
    pub fn completed<U: Value>(self, signal: &Signal<U>) -> ShareResets {
        self.with(1, signal)
    }

    /// The source stays subscribed when nobody listens any more, until `signal` sends.
    pub fn unused<U: Value>(self, signal: &Signal<U>) -> ShareResets {
        self.with(2, signal)
    }

    fn with<U: Value>(mut self, index: usize, signal: &Signal<U>) -> ShareResets {
        self.0[index] = unsafe { Signal::from_raw(signal.retained()) };
        self
    }
}

/// A signal that subscribes to its source when it is connected, once for all subscribers.
#[derive(Clone, Debug)]
#[must_use = "a connectable signal does nothing until it is connected"]
pub struct Connectable<T: Value> {
    /// Fails with the reason where none could be made.
    signal: Signal<T>,
    refused: Option<Error>,
}

impl<T: Value> Deref for Connectable<T> {
    type Target = Signal<T>;

    fn deref(&self) -> &Signal<T> {
        &self.signal
    }
}

impl<T: Value> Connectable<T> {
    /// The connectable signal that C has made; else one that fails with the reason.
    ///
    /// # Safety
    /// `raw` is NULL or a reference that is the caller's, to a connectable signal of `T`s.
    unsafe fn made(raw: *mut belay_signal) -> Connectable<T> {
        match Signal::from_raw(raw) {
            Some(signal) => Connectable { signal, refused: None },
            None => {
                let reason = Error::last();
                Connectable { signal: Signal::error(&reason), refused: Some(reason) }
            }
        }
    }

    /// Subscribes to the source, unless it is subscribed. The result disconnects; `None` when the
    /// source has ended.
    pub fn connect(&self) -> Result<Option<Disposable>> {
        if let Some(reason) = &self.refused {
            return Err(reason.clone());
        }
        let mut connection = std::ptr::null_mut();
        check(unsafe { belay_signal_connect(self.as_raw(), &mut connection) })?;
        Ok(unsafe { Disposable::from_raw(connection) })
    }

    /// Connects with the first subscription, disconnects with the last.
    pub fn ref_count(&self) -> Signal<T> {
        self.connected_by(|| unsafe { belay_op_ref_count() })
    }

    /// Connects with the `count`th subscription, once, for good.
    pub fn auto_connect(&self, count: usize) -> Signal<T> {
        self.connected_by(|| unsafe { belay_op_auto_connect(count) })
    }

    /// `op` makes an operator that takes connectable signals.
    fn connected_by(&self, op: impl FnOnce() -> *mut belay_op) -> Signal<T> {
        match self.refused {
            None => unsafe { self.with(op()) },
            Some(_) => self.signal.clone(),
        }
    }
}

impl<T: Value> Signal<T> {
    /// Connectable: a subscriber gets the values that come while it is subscribed.
    pub fn publish(&self) -> Connectable<T> {
        unsafe { Connectable::made(belay_signal_publish(self.retained())) }
    }

    /// Connectable: a later subscriber gets the values first that `kept` keeps.
    pub fn replay(&self, kept: ReplayOptions<'_>) -> Connectable<T> {
        let (scheduler, age, count) = kept.raw();
        let source = self.retained();
        unsafe { Connectable::made(belay_signal_replay(source, scheduler, age, count)) }
    }

    /// Connectable, through a subject of any kind, the same for every connection.
    pub fn multicast(&self, subject: &Subject<T>) -> Connectable<T> {
        let (source, subject) = (self.retained(), subject.retained());
        unsafe { Connectable::made(belay_signal_multicast(source, subject)) }
    }

    /// Shares one subscription to the source among all subscribers: it begins with the first of
    /// them and ends with the last. A subscriber that comes after an end subscribes anew.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let numbers = belay::Subject::new();
    /// let squares = numbers.map(|n: i32| n * n).share();
    /// squares.subscribe(|n| println!("one {n}"))?;
    /// squares.subscribe(|n| println!("two {n}"))?;
    /// assert_eq!(numbers.count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn share(&self) -> Signal<T> {
        self.share_with(ShareRules::RESET)
    }

    /// Shares one subscription. `rules` say which parts outlive an end.
    pub fn share_with(&self, rules: ShareRules) -> Signal<T> {
        unsafe { self.with(belay_op_share(rules.0)) }
    }

    /// Shares one subscription, and keeps it until signals send a value. Sends the last `replayed`
    /// values to a later subscriber first.
    pub fn share_until(&self, replayed: usize, resets: ShareResets) -> Signal<T> {
        let [error, completed, unused] = resets.0.map(|each| retained_or_null(each.as_ref()));
        unsafe { self.with(belay_op_share_until(replayed, error, completed, unused)) }
    }

    /// Shares one subscription, and sends the last `count` values to a later subscriber first
    /// (`None`: all of them). After an end it replays to nobody.
    pub fn share_replay(&self, count: impl Into<Option<usize>>) -> Signal<T> {
        self.share_replay_with(ReplayOptions::of(count), ShareRules::RESET)
    }

    /// Shares one subscription, and sends to a later subscriber first the values that `kept` keeps.
    /// `rules` say which parts outlive an end.
    pub fn share_replay_with(&self, kept: ReplayOptions<'_>, rules: ShareRules) -> Signal<T> {
        let (scheduler, age, count) = kept.raw();
        unsafe { self.with(belay_op_share_replay(scheduler, age, count, rules.0)) }
    }

    /// Subscribes at `on`, and runs it until the first value, for at most `timeout`. The signal's
    /// error; [`Code::EENDED`](crate::Code::EENDED) when it completed without a value,
    /// [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT), [`Code::ECANCELED`](crate::Code::ECANCELED) when
    /// it was interrupted, or nothing was left to wait for.
    pub fn wait_first(&self, on: &Loop, timeout: Option<Duration>) -> Result<T> {
        self.wait(belay_signal_wait_first, on, timeout)
    }

    /// The same for the last value before the completion.
    pub fn wait_last(&self, on: &Loop, timeout: Option<Duration>) -> Result<T> {
        self.wait(belay_signal_wait_last, on, timeout)
    }

    fn wait(&self, wait: Wait, on: &Loop, timeout: Option<Duration>) -> Result<T> {
        let mut value = belay_null();
        let seconds = seconds_or_forever(timeout);
        check(unsafe { wait(self.as_raw(), on.as_raw(), seconds, &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }
}

impl<T: Value> Signal<T> {
    // [operators sharing] written by `scripts/api write` from docs/operators.tsv
    // [end]
}
