//! Subscribing.
use std::ptr;
use std::sync::Arc;

use belay_sys::*;

use crate::disposable::Disposable;
use crate::error::{check, Error, Result};
use crate::loops::LoopHandle;
use crate::owners::Owner;
use crate::signal::context::{Context, OnEnd, OnError};
use crate::signal::hear::{Batch, Each, Hear};
use crate::signal::Signal;
use crate::site::{self, Site};
use crate::value::Value;

/// A subscription that is being described: [`Signal::observe`] begins one.
///
/// Its closures run at the subscription's home: the loop it was given, else the loop bound to the
/// subscribing thread, else that thread. They are called one at a time, and go with the
/// subscription. A value that is sent to it from inside its own [`next`](Observing::next), which
/// takes a depth-first subject, is delivered when that has returned.
///
/// A [`next`](Observing::next) that panics, or a value that is no `T`, ends the subscription, and is
/// its error event. An error that it has no closure for goes to the hook for errors that nobody
/// handles ([`on_unhandled_error`](crate::on_unhandled_error)); so does a panic in the others.
#[must_use = "nothing is subscribed to until `subscribe` is called"]
pub struct Observing<'a, T, N> {
    signal: &'a Signal<T>,
    next: N,
    error: Option<OnError>,
    completed: Option<OnEnd>,
    disposed: Option<OnEnd>,
    home: Option<&'a LoopHandle>,
    owner: Option<&'a Owner>,
    label: Option<&'static str>,
}

impl<T: Value> Signal<T> {
    /// Calls `next` with each value, from now on. The subscription ends with the signal, or by
    /// [`Disposable::dispose`]; that the disposable is dropped ends nothing: see
    /// [`Disposable::scoped`]. It needs `Ok` only to be sure that it has begun:
    /// [`Code::ENOHOME`](crate::Code::ENOHOME) when the source is at home on another thread that has
    /// no loop.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let subject = belay::Subject::new();
    /// let subscription = subject.subscribe(|n: i32| println!("{n}"))?;
    /// subject.next(1)?;
    /// subscription.dispose();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The captures of the closure have to be `Send`, because the source may be at home elsewhere:
    ///
    /// ```compile_fail
    /// let count = std::rc::Rc::new(std::cell::Cell::new(0));
    /// let _ = belay::Signal::range(0, 9).subscribe(move |n| count.set(n));
    /// ```
    #[track_caller]
    pub fn subscribe<N>(&self, next: N) -> Result<Disposable>
    where
        N: FnMut(T) + Send + 'static,
    {
        self.observe().next(next).subscribe()
    }

    /// Describes a subscription.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// belay::Signal::range(1, 2)
    ///     .observe()
    ///     .next(|n| println!("{n}"))
    ///     .error(|error| println!("failed: {error}"))
    ///     .completed(|| println!("completed"))
    ///     .disposed(|| println!("over"))
    ///     .subscribe()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn observe(&self) -> Observing<'_, T, Each<fn(T)>> {
        Observing {
            signal: self,
            next: Each(|_| ()),
            error: None,
            completed: None,
            disposed: None,
            home: None,
            owner: None,
            label: None,
        }
    }
}

impl<'a, T: Value, N> Observing<'a, T, N> {
    /// Calls `next` with each value.
    pub fn next<M: FnMut(T) + Send + 'static>(self, next: M) -> Observing<'a, T, Each<M>> {
        self.hearing(Each(next))
    }

    /// Calls `next` with the values that come together, in place of one by one: what
    /// [`from_values`](Signal::from_values), [`range`](Signal::range), a replay,
    /// [`Subject::next_batch`](crate::Subject::next_batch) or one read of a file send, and what
    /// reaches a loop in one turn, up to 256; any other value comes alone.
    pub fn next_batch<M>(self, next: M) -> Observing<'a, T, Batch<M>>
    where
        M: FnMut(Vec<T>) + Send + 'static,
    {
        self.hearing(Batch(next))
    }

    pub(crate) fn hearing<H>(self, next: H) -> Observing<'a, T, H> {
        let Observing { signal, error, completed, disposed, home, owner, label, .. } = self;
        Observing { signal, next, error, completed, disposed, home, owner, label }
    }

    /// Calls `error` when it ends with an error.
    pub fn error(mut self, error: impl FnOnce(Error) + Send + 'static) -> Self {
        self.error = Some(Box::new(error));
        self
    }

    /// Calls `completed` when it has completed.
    pub fn completed(mut self, completed: impl FnOnce() + Send + 'static) -> Self {
        self.completed = Some(Box::new(completed));
        self
    }

    /// Calls `disposed` once, whichever way it ended.
    pub fn disposed(mut self, disposed: impl FnOnce() + Send + 'static) -> Self {
        self.disposed = Some(Box::new(disposed));
        self
    }

    /// Makes that loop its home.
    pub fn at(mut self, home: &'a LoopHandle) -> Self {
        self.home = Some(home);
        self
    }

    /// Makes it end with `owner`; if that is dying, at once.
    pub fn owned_by(mut self, owner: &'a Owner) -> Self {
        self.owner = Some(owner);
        self
    }

    /// Names it in reports.
    pub fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Subscribes. See [`Signal::subscribe`].
    #[track_caller]
    pub fn subscribe(self) -> Result<Disposable>
    where
        N: Hear<T>,
    {
        let site = Site::here();
        let context =
            Arc::new(Context::new(self.next, self.error, self.completed, self.disposed, site));
        let observer = belay_observer {
            label: site::label(self.label),
            r#loop: self.home.map_or(ptr::null_mut(), LoopHandle::as_raw),
            owner: self.owner.map_or(ptr::null_mut(), Owner::as_raw),
            ..context.clone().into_observer()
        };
        // The handle is put where a callback finds it that comes before this returns.
        let subscription = context.place();
        let signal = self.signal.as_raw();
        check(unsafe { belay_signal_subscribe(signal, &observer, subscription) })?;
        let made = unsafe { Disposable::from_raw(*subscription) }.ok_or_else(Error::last)?;
        context.has_begun(&made);
        Ok(made)
    }
}
