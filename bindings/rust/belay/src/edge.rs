//! The edge between C and Rust: no panic crosses it.
//!
//! A closure that panics fails, as one that answers an error does, with [`Code::PANIC`](crate::Code::PANIC).
use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

use belay_sys::*;

use crate::error::{Error, Result};
use crate::value::Dynamic;

/// Runs `body`; a panic is its failure.
///
/// State that `body` left half changed can be seen again only through locks, which are then
/// poisoned.
#[inline]
pub(crate) fn caught<R>(body: impl FnOnce() -> Result<R>) -> Result<R> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Error::panic(payload)))
}

/// Runs `body` where a failure has nowhere to go. The panic hook has printed its message.
pub(crate) fn quietly(body: impl FnOnce()) {
    let mut rest = catch_unwind(AssertUnwindSafe(body)).err();
    // The payload of a panic may panic when it is dropped, though hardly for ever.
    for _ in 0..8 {
        match rest.take() {
            Some(payload) => rest = catch_unwind(AssertUnwindSafe(|| drop(payload))).err(),
            None => return,
        }
    }
    std::mem::forget(rest);
}

/// Returns the result of `body` from a callback that returns a value.
pub(crate) fn value(body: impl FnOnce() -> Result<Dynamic>) -> belay_value {
    match caught(body) {
        Ok(value) => value.into_raw(),
        Err(error) => unsafe { belay_value_failure_with(error.as_raw()) },
    }
}

/// Returns the result of `body` from a callback that returns an int.
pub(crate) fn int(body: impl FnOnce() -> Result<c_int>) -> c_int {
    caught(body).unwrap_or_else(|error| fail(&error))
}

/// Returns the result of `body` from a callback that returns a handle.
pub(crate) fn pointer<T>(body: impl FnOnce() -> Result<*mut T>) -> *mut T {
    caught(body).unwrap_or_else(|error| {
        fail(&error);
        ptr::null_mut()
    })
}

fn fail(error: &Error) -> c_int {
    unsafe { belay_fail_with(error.as_raw()) }
}

/// Runs `body`, whose failure goes to the hook for errors that nobody handles, as that of a
/// subscription from `site`.
pub(crate) fn reported(site: crate::site::Site, body: impl FnOnce()) {
    if let Err(error) = caught(|| {
        body();
        Ok(())
    }) {
        report(&error, site);
    }
}

/// Hands an error to the hook for errors that nobody handles: it is the event of a subscription that
/// has no use for it.
pub(crate) fn report(error: &Error, site: crate::site::Site) {
    let observer = belay_observer { site: site.text(), ..belay_observer::default() };
    unsafe {
        let signal = belay_signal_error(error.as_raw());
        belay_signal_subscribe(signal, &observer, ptr::null_mut());
        belay_signal_release(signal);
    }
}
