//! Binding to a subject, and waiting.
use std::time::Duration;

use belay_sys::*;

use crate::disposable::{seconds_or_forever, Disposable};
use crate::error::{check, Result};
use crate::loops::{given, Loop};
use crate::signal::Signal;
use crate::subjects::Subject;
use crate::value::{Dynamic, Value};

impl<T: Value> Signal<T> {
    /// Sends all that this signal sends, an end included, into `subject`, at its home. Ends when the
    /// result is disposed of, and when the subject's queue is full.
    pub fn bind(&self, subject: &Subject<T>) -> Result<Disposable> {
        given(|out| unsafe { belay_signal_bind(self.as_raw(), subject.as_raw(), out) })
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
