//! Signals.
mod context;
mod creating;
mod hear;
mod observer;
mod sources;
mod subscriber;

use std::ptr;

use belay_sys::*;

pub(crate) use hear::Filling;
pub use hear::{Batch, Each, Hear};
pub use observer::Observing;
pub(crate) use sources::{path_text, text};
pub use sources::{Lines, Tick};
pub use subscriber::{IntoTeardown, Subscriber};

use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle, handle_value, rust_text, shown_text};
use crate::operators::QueueOptions;
use crate::value::{Dynamic, Value};

handle! {
    /// Values over time: `next* (error | completed)?`, then disposal, then nothing.
    ///
    /// A signal is a recipe; it does nothing until somebody subscribes. It is a counted reference:
    /// a clone is the same signal. Operators are methods that make a new one and leave this one as
    /// it is.
    ///
    /// Signals may be sent to other threads and shared by them, and so may the closures in them: the
    /// subscriptions of one signal may be at work on several threads at once. Where a program has
    /// one thread, [`Local`](crate::Local) is a way around that.
    ///
    /// An operator that cannot be made, such as a `buffer(0)`, is a signal that fails at once with
    /// the reason.
    #[must_use = "a signal does nothing until somebody subscribes"]
    Signal<T>: belay_signal, belay_signal_retain, belay_signal_release
}
any_thread!(Signal<T>);

impl<T: Value> Signal<T> {
    /// The signal that C has made; else a signal that fails with the reason.
    ///
    /// # Safety
    /// `raw` is NULL or a reference that is the caller's, to a signal of `T`s.
    pub(crate) unsafe fn made(raw: *mut belay_signal) -> Signal<T> {
        match Signal::from_raw(raw) {
            Some(signal) => signal,
            None => Signal::error(&Error::last()),
        }
    }

    /// This signal with an operator applied, which is taken over.
    ///
    /// # Safety
    /// `op` is NULL or the caller's, and makes signals of `U`s.
    pub(crate) unsafe fn with<U: Value>(&self, op: *mut belay_op) -> Signal<U> {
        Signal::made(belay_signal_chain_n(self.retained(), &op, 1))
    }

    /// The same signal for values of another type: whether they are is found when they are read.
    ///
    /// ```
    /// # use belay::{Code, Signal};
    /// # fn main() -> belay::Result<()> {
    /// let mixed = Signal::just(7).cast::<belay::Dynamic>();
    /// assert_eq!(mixed.cast::<u8>().iter()?.next(), Some(Ok(7)));
    /// let error = mixed.cast::<String>().iter()?.next().unwrap().unwrap_err();
    /// assert_eq!(error.code(), Code::EKIND);
    /// # Ok(())
    /// # }
    /// ```
    pub fn cast<U: Value>(&self) -> Signal<U> {
        unsafe { Signal::made(self.retained()) }
    }

    /// Its name in reports: its label, or a name that is built from its chain.
    pub fn name(&self) -> String {
        unsafe { rust_text(belay_signal_name(self.as_raw())) }
    }

    /// The same events, from a signal with a name of its own. This one keeps its name, for other
    /// threads may be reading it. The name ends before a NUL.
    pub fn named(&self, name: &str) -> Signal<T> {
        let made = self.skip(0);
        // No other thread has it yet. A signal takes any name.
        unsafe { belay_signal_set_name(made.as_raw(), shown_text(name).as_ptr()) };
        made
    }

    /// The same signal, with a bound for the queues that its own operator keeps: without it, each
    /// takes 1024 values, and one more is an error. `usize::MAX` lets them grow. An error of `EINVAL`
    /// where the operator keeps none, of `EBUSY` after the first subscription.
    ///
    /// ```
    /// # use belay::{QueueOptions, QueuePolicy, Signal, Subject};
    /// # fn main() -> belay::Result<()> {
    /// let numbers = Subject::<i32>::new();
    /// let newest = QueueOptions::new().policy(QueuePolicy::DropOldest).capacity(2);
    /// let slow = numbers.concat_map(|_| Signal::<i32>::never()).queued(newest)?;
    /// let _disposable = slow.subscribe(|_| ())?;
    /// for number in 0..5 {
    ///     numbers.next(number)?;
    /// }
    /// assert_eq!(slow.queue_high_water(), 2);
    /// assert!(slow.queued(newest).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn queued(&self, options: QueueOptions) -> Result<Signal<T>> {
        check(unsafe { belay_signal_set_queue(self.as_raw(), &options.raw()) })?;
        Ok(self.clone())
    }

    /// The largest number of values that ever waited in a queue of its own operator.
    pub fn queue_high_water(&self) -> usize {
        unsafe { belay_signal_queue_high_water(self.as_raw()) }
    }
}

/// The handles of several signals, retained for a call that takes them over.
pub(crate) fn retained_all<'a, T: 'a>(
    signals: impl IntoIterator<Item = &'a Signal<T>>,
) -> Vec<*mut belay_signal> {
    // A panic of the iterator drops the items that there are so far.
    let signals: Vec<Signal<T>> = signals.into_iter().cloned().collect();
    signals.into_iter().map(Signal::into_raw).collect()
}

/// A handle that may be missing, retained for a call that takes it over.
pub(crate) fn retained_or_null<T>(signal: Option<&Signal<T>>) -> *mut belay_signal {
    signal.map_or(ptr::null_mut(), Signal::retained)
}

/// Values for a call that takes them over.
pub(crate) fn raw_values<T: Value>(values: impl IntoIterator<Item = T>) -> Vec<belay_value> {
    // A panic of the iterator drops the items that there are so far.
    let values: Vec<Dynamic> = values.into_iter().map(Value::into_dynamic).collect();
    values.into_iter().map(Dynamic::into_raw).collect()
}

handle_value! {
    /// The types of that signal's values are checked when they are read.
    Signal<T>: belay_value_from_signal, belay_value_get_signal, BELAY_KIND_SIGNAL, "a signal"
}
