//! Results of sending.
use std::os::raw::c_int;

use belay_sys::BELAY_QUEUED;

use crate::error::{check, Result};
use crate::value::{Dynamic, Value};

/// The result of sending an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Everybody has been called.
    Delivered,
    /// It is delivered later: after the event in progress, or at home.
    Queued,
}

impl Sent {
    #[inline]
    pub(crate) fn of(code: c_int) -> Result<Sent> {
        check(code).map(|code| if code == BELAY_QUEUED { Sent::Queued } else { Sent::Delivered })
    }
}

/// Arguments of calls that send a `T`: a `T`, and for strings and bytes a slice, which is copied
/// once.
pub trait Given<T> {
    /// The value.
    fn into_dynamic(self) -> Dynamic;
}

impl<T: Value> Given<T> for T {
    #[inline]
    fn into_dynamic(self) -> Dynamic {
        Value::into_dynamic(self)
    }
}

impl Given<String> for &str {
    fn into_dynamic(self) -> Dynamic {
        Dynamic::from(self)
    }
}

impl Given<Vec<u8>> for &[u8] {
    fn into_dynamic(self) -> Dynamic {
        Dynamic::from(self)
    }
}
