//! Cold signals: a producer runs once for each subscription.
use std::os::raw::c_void;
use std::ptr;

use belay_sys::*;

use crate::callbacks::{ctx, free};
use crate::disposable::Disposable;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle};
use crate::sent::{Given, Sent};
use crate::signal::{raw_values, Signal};
use crate::value::Value;
use crate::{edge, site};

handle! {
    /// Where a producer sends, on any thread. When the last clone goes without an end, the
    /// subscription is interrupted.
    Subscriber<T>: belay_subscriber, belay_subscriber_retain, belay_subscriber_release
}
any_thread!(Subscriber<T>);

impl<T: Value> Subscriber<T> {
    /// Sends a value; [`Code::EENDED`](crate::Code::EENDED) when it has ended or nobody listens any
    /// more, [`Code::EAGAIN`](crate::Code::EAGAIN) when a queue is full,
    /// [`Code::ENOHOME`](crate::Code::ENOHOME) on another thread than the subscription's when that
    /// has no loop, [`Code::ECANCELED`](crate::Code::ECANCELED) when its loop is closed.
    pub fn next(&self, value: impl Given<T>) -> Result<Sent> {
        let value = value.into_dynamic().into_raw();
        Sent::of(unsafe { belay_subscriber_next(self.as_raw(), value) })
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

    /// Makes `disposable` end with the subscription, beside what the producer answers.
    pub fn add(&self, disposable: &Disposable) -> Result<()> {
        check(unsafe { belay_subscriber_add(self.as_raw(), disposable.as_raw()) }).map(drop)
    }

    /// Whether nobody listens any more.
    pub fn is_disposed(&self) -> bool {
        unsafe { belay_subscriber_is_disposed(self.as_raw()) == 1 }
    }
}

/// What a producer may answer: nothing, or what ends its work.
pub trait IntoTeardown {
    /// What is disposed of when the subscription ends.
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

impl<T: Value> Signal<T> {
    /// A cold signal: `produce` runs once for each subscription, at its home, and sends into its
    /// subscriber, which it may keep, and use on any thread. What it answers is disposed of when the
    /// subscription ends. A panic is the error event.
    ///
    /// ```
    /// use belay::{Disposable, Signal};
    /// # fn main() -> belay::Result<()> {
    /// let hello = Signal::create(|subscriber| {
    ///     let _ = subscriber.next("hello");
    ///     let _ = subscriber.completed();
    ///     Disposable::new(|| println!("torn down"))
    /// });
    /// hello.subscribe(|text: String| println!("{text}"))?;
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn create<D, F>(produce: F) -> Signal<T>
    where
        D: IntoTeardown,
        F: Fn(Subscriber<T>) -> D + Send + Sync + 'static,
    {
        let site = site::Site::here().text();
        let options = belay_source_options { site, ..belay_source_options::default() };
        unsafe {
            let call = run_producer::<T, D, F>;
            Signal::made(belay_signal_create(Some(call), ctx(produce), Some(free::<F>), &options))
        }
    }
}

unsafe extern "C" fn run_producer<T, D, F>(
    ctx: *mut c_void,
    subscriber: *mut belay_subscriber,
) -> *mut belay_disposable
where
    T: Value,
    D: IntoTeardown,
    F: Fn(Subscriber<T>) -> D,
{
    let made = edge::caught(|| {
        let subscriber = Subscriber::from_raw(belay_subscriber_retain(subscriber));
        let subscriber = subscriber.ok_or_else(Error::last)?;
        Ok((*(ctx as *const F))(subscriber).into_teardown())
    });
    match made {
        Ok(teardown) => teardown.map_or(ptr::null_mut(), Disposable::into_raw),
        Err(error) => {
            belay_subscriber_error(subscriber, error.as_raw());
            ptr::null_mut()
        }
    }
}
