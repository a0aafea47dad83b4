//! Disposables: each ends one piece of work, once.
mod bag;
mod containers;

use std::time::Duration;

use belay_sys::*;

pub use bag::Bag;
pub use containers::{Compound, Key, RefCounted, Serial, SingleAssignment};

use crate::callbacks::{call_once, free, once, Once};
use crate::error::{check, Result};
use crate::handle::{any_thread, handle, handle_value};
use crate::loops::Scheduler;
use crate::site::{self, Site};

handle! {
    /// Ends a piece of work, once: from any thread, and from inside any closure.
    ///
    /// A subscription is a disposable. A clone is the same one. Dropping the last ends nothing,
    /// except for a [`Scoped`] one and a [`Bag`].
    Disposable: belay_disposable, belay_disposable_retain, belay_disposable_release
}
any_thread!(Disposable);

/// Seconds for C, where none are forever.
pub(crate) fn seconds_or_forever(timeout: Option<Duration>) -> f64 {
    timeout.map_or(-1.0, |timeout| timeout.as_secs_f64())
}

impl Disposable {
    /// One whose disposal calls `action`, once. A panic in it goes to the hook for errors that
    /// nobody handles.
    #[track_caller]
    pub fn new<F: FnOnce() + Send + 'static>(action: F) -> Disposable {
        unsafe {
            let ctx = once(action);
            Disposable::made(belay_disposable_create(
                Some(call_once::<F>),
                ctx,
                Some(free::<Once<F>>),
            ))
        }
    }

    /// One that does nothing, and always counts as disposed.
    pub fn nop() -> Disposable {
        unsafe { Disposable::made(belay_nop_create()) }
    }

    /// One that only remembers whether it was disposed.
    pub fn boolean() -> Disposable {
        unsafe { Disposable::made(belay_boolean_create()) }
    }

    /// Disposes `first`, then `second`.
    pub fn binary(first: &Disposable, second: &Disposable) -> Disposable {
        unsafe { Disposable::made(belay_binary_create(first.as_raw(), second.as_raw())) }
    }

    /// Disposes `inner` on `scheduler`; several disposals enqueue once.
    pub fn scheduled(scheduler: &Scheduler, inner: &Disposable) -> Disposable {
        unsafe { Disposable::made(belay_scheduled_create(scheduler.as_raw(), inner.as_raw())) }
    }

    /// The disposable that C makes, which is not NULL for arguments that are not.
    pub(crate) unsafe fn made(raw: *mut belay_disposable) -> Disposable {
        Disposable::from_raw(raw).expect("a disposable can always be made")
    }

    /// Ends the work. For a subscription, at its home: when this returns none of its closures runs
    /// any more but those on the caller's own stack. Elsewhere none begins after; the teardown
    /// follows at home's next turn.
    pub fn dispose(&self) {
        unsafe { belay_disposable_dispose(self.as_raw()) }
    }

    /// Disposes, then waits until none of its closures runs or will, and they have been dropped, for
    /// at most `timeout`. [`Code::EINPROGRESS`](crate::Code::EINPROGRESS) at once from inside one of
    /// its own closures, [`Code::EDEADLK`](crate::Code::EDEADLK) when the wait would close a cycle of
    /// such waits, [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT). It is disposed in every case.
    pub fn dispose_sync(&self, timeout: Option<Duration>) -> Result<()> {
        let seconds = seconds_or_forever(timeout);
        check(unsafe { belay_disposable_dispose_sync(self.as_raw(), seconds) }).map(drop)
    }

    /// Whether it has been disposed of, or has ended.
    pub fn is_disposed(&self) -> bool {
        unsafe { belay_disposable_is_disposed(self.as_raw()) == 1 }
    }

    /// Gives scheduled work ([`Scheduler::after`] and its kin) a name, under which its loop's close
    /// lists it with the place of this call. [`Code::EKIND`](crate::Code::EKIND) for another
    /// disposable; a subscription is named by [`label`](crate::Observing::label).
    #[track_caller]
    pub fn set_label(&self, label: &'static str) -> Result<()> {
        let (label, site) = (site::label(Some(label)), Site::here().text());
        check(unsafe { belay_disposable_set_label(self.as_raw(), label, site) }).map(drop)
    }

    /// Ends the work when the result is dropped.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let subject = belay::Subject::new();
    /// {
    ///     let _guard = subject.subscribe(|n: i32| println!("{n}"))?.scoped();
    ///     subject.next(1)?;
    /// }
    /// assert_eq!(subject.count(), 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn scoped(self) -> Scoped {
        Scoped(self)
    }

    /// Makes a container end it: with `subscribe(…)?.add_to(&bag)?`.
    pub fn add_to(self, bag: &Bag) -> Result<()> {
        bag.add(&self)
    }

    /// A disposable that is disposed of when its last reference goes, in C as well.
    pub(crate) fn scoped_in_c(&self) -> Disposable {
        unsafe { Disposable::made(belay_scoped_create(self.as_raw())) }
    }
}

handle_value! {
    Disposable: belay_value_from_disposable, belay_value_get_disposable, BELAY_KIND_DISPOSABLE,
    "a disposable"
}

/// Work that ends when this is dropped: on that thread, if the work is at home there, else as
/// [`Disposable::dispose`] says.
#[must_use = "dropped at once, it ends at once"]
#[derive(Debug)]
pub struct Scoped(Disposable);

impl Scoped {
    /// Takes the work out: it goes on when this is gone.
    pub fn keep(self) -> Disposable {
        let this = std::mem::ManuallyDrop::new(self);
        // It is moved out, and not dropped there.
        unsafe { std::ptr::read(&this.0) }
    }

    /// The same for references that are shared, as values are: the last of them ends the work.
    pub fn shared(self) -> Disposable {
        self.keep().scoped_in_c()
    }
}

impl std::ops::Deref for Scoped {
    type Target = Disposable;

    fn deref(&self) -> &Disposable {
        &self.0
    }
}

impl Drop for Scoped {
    fn drop(&mut self) {
        self.0.dispose();
    }
}
