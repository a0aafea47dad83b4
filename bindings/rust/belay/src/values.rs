//! Signals as sequences: polled, awaited, iterated.
mod future;
mod iterator;
mod stream;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

pub use future::{FirstValue, LastValue};
pub use iterator::{Blocking, Immediate};
pub use stream::Next;

use crate::code::Code;
use crate::disposable::Scoped;
use crate::error::{Error, Result};
use crate::loops::LoopHandle;
use crate::signal::{Filling, Signal};
use crate::value::Value;

/// The values of a signal as they come, and its error, if it ends with one; dropped, it disposes.
///
/// It subscribes when it is made, at the loop of this thread or at this thread, and keeps what has
/// not been asked for: without a bound, unless it is given one. It may be polled on any thread.
/// A signal that goes without an end is [`Code::ECANCELED`].
///
/// It is no `Stream` of the crate futures-core, on which this one does not depend:
/// [`poll_next`](Values::poll_next) says how a program makes it one.
#[must_use = "dropped at once, it ends at once"]
#[derive(Debug)]
pub struct Values<T: Value> {
    inbox: Inbox<T>,
    subscription: Scoped,
}

type Inbox<T> = Arc<Mutex<Arrived<T>>>;

#[derive(Debug)]
struct Arrived<T> {
    values: VecDeque<T>,
    capacity: usize,
    end: Option<Option<Error>>,
    waker: Option<Waker>,
}

fn lock<T>(inbox: &Mutex<Arrived<T>>) -> MutexGuard<'_, Arrived<T>> {
    // Nothing is called while it is locked but `clone` and `will_wake` of a waker.
    inbox.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Changes the inbox, then wakes the task that waits. The result of the change may have anybody's
/// destructor, which may panic: it is dropped last, and outside of the lock.
fn arrive<T, R>(inbox: &Mutex<Arrived<T>>, change: impl FnOnce(&mut Arrived<T>) -> R) -> R {
    let mut arrived = lock(inbox);
    let rest = change(&mut arrived);
    let waker = arrived.waker.take();
    drop(arrived);
    if let Some(waker) = waker {
        waker.wake();
    }
    rest
}

impl<T> Arrived<T> {
    /// Ends it, unless it has ended; then the error is handed back.
    fn end(&mut self, error: Option<Error>) -> Option<Error> {
        if self.end.is_some() {
            return error;
        }
        self.end = Some(error);
        None
    }

    /// Keeps values; those that there is no room for end it, and are handed back.
    fn keep(&mut self, mut values: Vec<T>) -> Vec<T> {
        let room = if self.end.is_none() { self.capacity - self.values.len() } else { 0 };
        let rest = values.split_off(values.len().min(room));
        self.values.extend(values);
        if !rest.is_empty() {
            let _ = self.end(Some(Error::from(Code::EAGAIN)));
        }
        rest
    }

    /// Takes the next value, then the error once, then nothing. Pending while there is none.
    fn take(&mut self) -> Poll<Option<Result<T>>> {
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
    /// [`Code::EAGAIN`] after its values.
    #[track_caller]
    pub fn values_at_most(&self, capacity: usize) -> Result<Values<T>> {
        Values::new(self, None, capacity)
    }
}

impl<T: Value> Values<T> {
    #[track_caller]
    fn new(signal: &Signal<T>, home: Option<&LoopHandle>, capacity: usize) -> Result<Values<T>> {
        let arrived = Arrived { values: VecDeque::new(), capacity, end: None, waker: None };
        let inbox: Inbox<T> = Arc::new(Mutex::new(arrived));
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
            .hearing(Filling(move |values| {
                // A value for which there is no room ends it.
                let rest = arrive(&into, |arrived| arrived.keep(values));
                let has_room = rest.is_empty();
                // Where that panics, the compiler would leak a result that has been made.
                drop(rest);
                if has_room {
                    Ok(())
                } else {
                    Err(Error::from(Code::EAGAIN))
                }
            }))
            .subscribe()?
            .scoped();
        Ok(Values { inbox, subscription })
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
        lock(&self.inbox).take()
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let mut arrived = lock(&self.inbox);
        let next = arrived.take();
        let is_known =
            arrived.waker.as_ref().map_or(false, |waker| waker.will_wake(context.waker()));
        if next.is_ready() || is_known {
            return next;
        }
        let former = arrived.waker.replace(context.waker().clone());
        // Its destructor may be anybody's code.
        drop(arrived);
        drop(former);
        next
    }
}
