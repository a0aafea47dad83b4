//! Signals as sequences: polled, awaited, iterated.
mod future;
mod iterator;
mod stream;

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

pub use future::{FirstValue, LastValue};
pub use iterator::{Blocking, Immediate};
pub use stream::Next;

use crate::code::Code;
use crate::disposable::Scoped;
use crate::edge;
use crate::error::{Error, Result};
use crate::loops::LoopHandle;
use crate::signal::{Filling, Signal};
use crate::value::{Dynamic, Value};

/// The values of a signal as they come, and its error, if it ends with one; dropped, it disposes.
///
/// It subscribes when it is made, at the loop of this thread or at this thread, and keeps what has
/// not been asked for: without a bound, unless it is given one. It may be polled on any thread.
/// A signal that goes without an end is [`Code::ECANCELED`].
///
/// A value is kept as it came, and becomes a `T` when it is taken; one that is no `T` ends it then,
/// as does one whose reading panics. So what a stream or a file has sent goes on counting at its
/// marks ([`StreamOptions::read_high`](crate::StreamOptions::read_high)) until it is taken, and the
/// peer waits for a program that takes it slowly.
///
/// It is no `Stream` of the crate futures-core, on which this one does not depend:
/// [`poll_next`](Values::poll_next) says how a program makes it one.
#[must_use = "dropped at once, it ends at once"]
#[derive(Debug)]
pub struct Values<T: Value> {
    inbox: Inbox,
    subscription: Scoped,
    read_as: PhantomData<fn() -> T>,
}

type Inbox = Arc<Mutex<Arrived>>;

#[derive(Debug)]
struct Arrived {
    values: VecDeque<Dynamic>,
    capacity: usize,
    end: Option<Option<Error>>,
    waker: Option<Waker>,
}

fn lock(inbox: &Mutex<Arrived>) -> MutexGuard<'_, Arrived> {
    // Nothing of a program's is called while it is locked but `clone` and `will_wake` of a waker.
    inbox.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Changes the inbox, then wakes the task that waits. The result of the change may have anybody's
/// destructor: it is dropped last, and outside of the lock.
fn arrive<R>(inbox: &Mutex<Arrived>, change: impl FnOnce(&mut Arrived) -> R) -> R {
    let mut arrived = lock(inbox);
    let rest = change(&mut arrived);
    let waker = arrived.waker.take();
    drop(arrived);
    if let Some(waker) = waker {
        waker.wake();
    }
    rest
}

impl Arrived {
    /// Ends it, unless it has ended; then the error is handed back.
    fn end(&mut self, error: Option<Error>) -> Option<Error> {
        if self.end.is_some() {
            return error;
        }
        self.end = Some(error);
        None
    }

    /// Keeps the values that there is room for; another one ends it.
    fn keep(&mut self, values: &[Dynamic]) -> Result<()> {
        let room = if self.end.is_none() { self.capacity - self.values.len() } else { 0 };
        self.values.extend(values.iter().take(room).cloned());
        if values.len() <= room {
            return Ok(());
        }
        let _ = self.end(Some(Error::from(Code::EAGAIN)));
        Err(Error::from(Code::EAGAIN))
    }

    /// Takes the next value, then the error once, then nothing. Pending while there is none.
    fn take(&mut self) -> Poll<Option<Result<Dynamic>>> {
        if let Some(value) = self.values.pop_front() {
            return Poll::Ready(Some(Ok(value)));
        }
        match self.end.as_mut() {
            Some(end) => Poll::Ready(end.take().map(Err)),
            None => Poll::Pending,
        }
    }
}

impl<T: Value> Signal<T> {
    /// Subscribes, and keeps the values to be polled, awaited or iterated over. See
    /// [`Values::poll_next`] and [`Values::next`].
    #[track_caller]
    pub fn values(&self) -> Result<Values<T>> {
        Values::new(self, None, usize::MAX)
    }

    /// The same with room for `capacity` values. One more disposes of the source, and it ends with
    /// [`Code::EAGAIN`] after its values. It is for a source that nothing slows: a stream waits by
    /// itself, when the bytes of its [`values`](Signal::values) are at its mark.
    #[track_caller]
    pub fn values_at_most(&self, capacity: usize) -> Result<Values<T>> {
        Values::new(self, None, capacity)
    }
}

impl<T: Value> Values<T> {
    #[track_caller]
    fn new(signal: &Signal<T>, home: Option<&LoopHandle>, capacity: usize) -> Result<Values<T>> {
        let arrived = Arrived { values: VecDeque::new(), capacity, end: None, waker: None };
        let inbox: Inbox = Arc::new(Mutex::new(arrived));
        let (at_error, at_completion, at_end) = (inbox.clone(), inbox.clone(), inbox.clone());
        let into = inbox.clone();
        let mut observing = signal.observe();
        if let Some(home) = home {
            observing = observing.at(home);
        }
        let subscription = observing
            .error(move |error| drop(arrive(&at_error, |arrived| arrived.end(Some(error)))))
            .completed(move || drop(arrive(&at_completion, |arrived| arrived.end(None))))
            .disposed(move || {
                drop(arrive(&at_end, |arrived| arrived.end(Some(Error::from(Code::ECANCELED)))))
            })
            .hearing(Filling(move |values: &[Dynamic]| {
                arrive(&into, |arrived| arrived.keep(values))
            }))
            .subscribe()?
            .scoped();
        Ok(Values { inbox, subscription, read_as: PhantomData })
    }

    /// A value that has arrived, or the error; `None` when there is none, or no more.
    pub fn try_next(&mut self) -> Option<Result<T>> {
        match self.take() {
            Poll::Ready(next) => next,
            Poll::Pending => None,
        }
    }

    /// Whether it has ended, and all has been taken.
    pub fn is_finished(&self) -> bool {
        let arrived = lock(&self.inbox);
        arrived.values.is_empty() && matches!(arrived.end, Some(None))
    }

    fn take(&mut self) -> Poll<Option<Result<T>>> {
        let next = lock(&self.inbox).take();
        next.map(|next| next.map(|next| next.and_then(|value| self.read(&value))))
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let mut arrived = lock(&self.inbox);
        let next = arrived.take();
        if let Poll::Ready(next) = next {
            drop(arrived);
            return Poll::Ready(next.map(|next| next.and_then(|value| self.read(&value))));
        }
        let is_known =
            arrived.waker.as_ref().map_or(false, |waker| waker.will_wake(context.waker()));
        if is_known {
            return Poll::Pending;
        }
        let former = arrived.waker.replace(context.waker().clone());
        // Its destructor may be anybody's code.
        drop(arrived);
        drop(former);
        Poll::Pending
    }

    /// Reads a value that has been taken. One that cannot be read is the end, in place of what comes
    /// behind it.
    fn read(&self, value: &Dynamic) -> Result<T> {
        let read = edge::caught(|| T::from_dynamic(value));
        if read.is_err() {
            let mut arrived = lock(&self.inbox);
            let behind = (mem::take(&mut arrived.values), arrived.end.replace(None));
            // Their destructors may be anybody's code.
            drop(arrived);
            drop(behind);
            self.subscription.dispose();
        }
        read
    }
}
