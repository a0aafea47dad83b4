//! Subjects: signals that one sends into.
mod options;

use std::ops::Deref;
use std::time::Duration;

use belay_sys::*;

pub use options::{Reentrancy, ReplayOptions, SourceOptions};

use crate::disposable::seconds_or_forever;
use crate::error::{check, Error, Result};
use crate::sent::{Given, Sent};
use crate::signal::{raw_values, Signal};
use crate::value::{Dynamic, Value};

/// A signal that one sends into. A clone is the same subject; with the last of them its
/// subscriptions are interrupted.
///
/// It is used as the signal that it is, too.
///
/// ```
/// # fn main() -> belay::Result<()> {
/// let subject = belay::Subject::new();
/// subject.map(|n: i32| n * 2).subscribe(|n| println!("{n}"))?;
/// subject.next(21)?;
/// subject.completed()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Subject<T: Value>(Signal<T>);

impl<T: Value> Subject<T> {
    /// A subject without memory, at home here: at this thread's loop, or this thread.
    #[track_caller]
    pub fn new() -> Subject<T> {
        // Only options can be wrong.
        Subject::with(SourceOptions::default()).expect("a subject can always be made")
    }

    /// A subject without memory.
    #[track_caller]
    pub fn with(options: SourceOptions<'_>) -> Result<Subject<T>> {
        Subject::made(unsafe { belay_subject_create(&options.raw()) })
    }

    /// A subject at home here that keeps its last `count` values (`None`: all of them). A subscriber
    /// gets them first, then the end if there was one. (ReplaySubject.)
    /// [`Code::EINVAL`](crate::Code::EINVAL) for a count of 0.
    #[track_caller]
    pub fn replay(count: impl Into<Option<usize>>) -> Result<Subject<T>> {
        Subject::replay_with(ReplayOptions::of(count), SourceOptions::default())
    }

    /// A subject that keeps the values that `kept` says, as [`Subject::replay`].
    #[track_caller]
    pub fn replay_with(kept: ReplayOptions<'_>, options: SourceOptions<'_>) -> Result<Subject<T>> {
        let (scheduler, age, count) = kept.raw();
        let options = options.raw();
        Subject::made(unsafe { belay_subject_create_replay(scheduler, age, count, &options) })
    }

    /// A subject at home here that sends its last value when it completes, also to later
    /// subscribers; after an error it sends only that. (AsyncSubject.)
    #[track_caller]
    pub fn last_only() -> Subject<T> {
        let made = Subject::last_only_with(SourceOptions::default());
        made.expect("a subject can always be made")
    }

    /// The same with options.
    #[track_caller]
    pub fn last_only_with(options: SourceOptions<'_>) -> Result<Subject<T>> {
        Subject::made(unsafe { belay_subject_create_async(&options.raw()) })
    }

    /// Takes over a reference that C has given; `None` for NULL.
    ///
    /// # Safety
    /// `raw` is NULL or a reference that is the caller's, to a subject.
    pub unsafe fn from_raw(raw: *mut belay_signal) -> Option<Subject<T>> {
        Signal::from_raw(raw).map(Subject)
    }

    /// The C handle with a reference, which the caller has to give back. It is a signal of C's.
    pub fn into_raw(self) -> *mut belay_signal {
        self.0.into_raw()
    }

    fn made(raw: *mut belay_signal) -> Result<Subject<T>> {
        unsafe { Signal::from_raw(raw) }.map(Subject).ok_or_else(Error::last)
    }

    /// The signal, without the way in.
    pub fn signal(&self) -> Signal<T> {
        self.0.clone()
    }

    /// Sends a value to everybody, from any thread; [`Code::EENDED`](crate::Code::EENDED) after the
    /// end, [`Code::EREENTRANT`](crate::Code::EREENTRANT) from inside a delivery where that is
    /// refused, [`Code::EAGAIN`](crate::Code::EAGAIN) when a queue is full; from another thread than
    /// its home's [`Code::ENOHOME`](crate::Code::ENOHOME) when that has no loop, and
    /// [`Code::ECANCELED`](crate::Code::ECANCELED) when its loop is closed.
    pub fn next(&self, value: impl Given<T>) -> Result<Sent> {
        let value = value.into_dynamic().into_raw();
        Sent::of(unsafe { belay_subject_next(self.as_raw(), value) })
    }

    /// Sends a value like [`next`](Subject::next). While a queue is full, waits for room; without a
    /// limit for `None`. Instead of EAGAIN it answers
    /// [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT); or [`Code::EDEADLK`](crate::Code::EDEADLK) at
    /// once, at the subject's home, on a thread that has a loop, and in work of a pool, because
    /// others may wait for that loop or work; and when the home's thread waits for this one.
    pub fn next_wait(&self, value: impl Given<T>, timeout: Option<Duration>) -> Result<Sent> {
        let (value, timeout) = (value.into_dynamic().into_raw(), seconds_or_forever(timeout));
        Sent::of(unsafe { belay_subject_next_wait(self.as_raw(), value, timeout) })
    }

    /// Sends several as one batch, which [`next_batch`](crate::Observing::next_batch) hears
    /// together. The answer for the last one, or for the first that was refused, whose successors
    /// are dropped.
    pub fn next_batch(&self, values: impl IntoIterator<Item = T>) -> Result<Sent> {
        let values = raw_values(values);
        Sent::of(unsafe { belay_subject_next_batch(self.as_raw(), values.as_ptr(), values.len()) })
    }

    /// Ends it with an error.
    pub fn error(&self, error: &Error) -> Result<Sent> {
        Sent::of(unsafe { belay_subject_error(self.as_raw(), error.as_raw()) })
    }

    /// Ends it.
    pub fn completed(&self) -> Result<Sent> {
        Sent::of(unsafe { belay_subject_completed(self.as_raw()) })
    }

    /// How many are subscribed; on another thread than its home's an estimate.
    pub fn count(&self) -> usize {
        unsafe { belay_subject_count(self.as_raw()) }
    }
}

impl<T: Value> Default for Subject<T> {
    #[track_caller]
    fn default() -> Subject<T> {
        Subject::new()
    }
}

impl<T: Value> Deref for Subject<T> {
    type Target = Signal<T>;

    fn deref(&self) -> &Signal<T> {
        &self.0
    }
}

/// A subject with a current value, which a subscriber gets first. (BehaviorSubject.)
#[derive(Clone, Debug)]
pub struct BehaviorSubject<T: Value>(Subject<T>);

impl<T: Value> BehaviorSubject<T> {
    /// A subject whose value is `initial`, at home here.
    #[track_caller]
    pub fn new(initial: T) -> BehaviorSubject<T> {
        let made = BehaviorSubject::with(initial, SourceOptions::default());
        made.expect("a subject can always be made")
    }

    /// The same with options.
    #[track_caller]
    pub fn with(initial: T, options: SourceOptions<'_>) -> Result<BehaviorSubject<T>> {
        let initial = initial.into_dynamic().into_raw();
        let raw = unsafe { belay_subject_create_behavior(initial, &options.raw()) };
        Subject::made(raw).map(BehaviorSubject)
    }

    /// The value that was delivered last; inside a delivery the one being delivered. Any thread.
    pub fn value(&self) -> Result<T> {
        let mut value = belay_null();
        check(unsafe { belay_subject_get(self.as_raw(), &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }
}

impl<T: Value> Deref for BehaviorSubject<T> {
    type Target = Subject<T>;

    fn deref(&self) -> &Subject<T> {
        &self.0
    }
}
