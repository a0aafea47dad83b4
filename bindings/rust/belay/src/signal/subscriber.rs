//! Where the producer of a cold signal sends.
use std::time::Duration;

use belay_sys::*;

use crate::disposable::{seconds_or_forever, Disposable};
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle, handle_value};
use crate::sent::{Given, Sent};
use crate::signal::raw_values;
use crate::value::Value;

handle! {
    /// Where a producer sends, on any thread. When the last clone goes without an end, the
    /// subscription is interrupted.
    Subscriber<T>: belay_subscriber, belay_subscriber_retain, belay_subscriber_release
}
any_thread!(Subscriber<T>);
handle_value! {
    Subscriber<T>: belay_value_from_subscriber, belay_value_get_subscriber, BELAY_KIND_SUBSCRIBER,
    "a subscriber"
}

// C has functions of its own to send to a subscriber and to a subject, which answer other codes. So
// the methods of `Subject` are here again, with their own descriptions.
impl<T: Value> Subscriber<T> {
    /// Sends a value; [`Code::EENDED`](crate::Code::EENDED) when it has ended or nobody listens any
    /// more, [`Code::EAGAIN`](crate::Code::EAGAIN) when a queue is full,
    /// [`Code::ENOHOME`](crate::Code::ENOHOME) on another thread than the subscription's when that
    /// has no loop, [`Code::ECANCELED`](crate::Code::ECANCELED) when its loop is closed.
    pub fn next(&self, value: impl Given<T>) -> Result<Sent> {
        let value = value.into_dynamic().into_raw();
        Sent::of(unsafe { belay_subscriber_next(self.as_raw(), value) })
    }

    /// Sends a value like [`next`](Subscriber::next). While the queue is full, waits for room;
    /// without a limit for `None`. Instead of EAGAIN it answers
    /// [`Code::ETIMEDOUT`](crate::Code::ETIMEDOUT); or [`Code::EDEADLK`](crate::Code::EDEADLK) at
    /// once, at home, on a thread that has a loop, and in work of a pool, because others may wait
    /// for that loop or work; and when the home's thread waits for this one.
    pub fn next_wait(&self, value: impl Given<T>, timeout: Option<Duration>) -> Result<Sent> {
        let (value, timeout) = (value.into_dynamic().into_raw(), seconds_or_forever(timeout));
        Sent::of(unsafe { belay_subscriber_next_wait(self.as_raw(), value, timeout) })
    }

    /// Sends several as one batch. The answer for the last one, or for the first that was refused,
    /// whose successors are dropped.
    pub fn next_batch(&self, values: impl IntoIterator<Item = T>) -> Result<Sent> {
        let (values, to) = (raw_values(values), self.as_raw());
        Sent::of(unsafe { belay_subscriber_next_batch(to, values.as_ptr(), values.len()) })
    }

    /// Ends with an error.
    pub fn error(&self, error: &Error) -> Result<Sent> {
        Sent::of(unsafe { belay_subscriber_error(self.as_raw(), error.as_raw()) })
    }

    /// Ends.
    pub fn completed(&self) -> Result<Sent> {
        Sent::of(unsafe { belay_subscriber_completed(self.as_raw()) })
    }

    /// Makes `disposable` end with the subscription, beside the result of the producer.
    pub fn add(&self, disposable: &Disposable) -> Result<()> {
        check(unsafe { belay_subscriber_add(self.as_raw(), disposable.as_raw()) }).map(drop)
    }

    /// Whether nobody listens any more.
    pub fn is_disposed(&self) -> bool {
        unsafe { belay_subscriber_is_disposed(self.as_raw()) == 1 }
    }
}

/// The result of a producer: nothing, or a disposable that ends its work.
pub trait IntoTeardown {
    /// The disposable that is disposed of when the subscription ends.
    fn into_teardown(self) -> Option<Disposable>;
}

impl IntoTeardown for () {
    fn into_teardown(self) -> Option<Disposable> {
        None
    }
}

impl IntoTeardown for Disposable {
    fn into_teardown(self) -> Option<Disposable> {
        Some(self)
    }
}

impl IntoTeardown for Option<Disposable> {
    fn into_teardown(self) -> Option<Disposable> {
        self
    }
}
