//! Errors that nobody handles.
use std::os::raw::{c_char, c_void};

use belay_sys::*;

use crate::callbacks::set_hook;
use crate::edge;
use crate::error::{Error, Result};
use crate::handle::rust_text;

/// An error event that reached a subscription which has no closure for it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unhandled<'a> {
    /// The error.
    pub error: &'a Error,
    /// The name of the signal that was subscribed to.
    pub signal: &'a str,
    /// Where that was: "src/main.rs:12".
    pub site: &'a str,
}

/// Sets the process's hook for errors that nobody handles; `None` puts back the one that prints a
/// line on stderr. It is called at the subscription's home, on whatever thread that is.
pub fn on_unhandled_error<F>(hook: Option<F>) -> Result<()>
where
    F: Fn(&Unhandled<'_>) + Send + Sync + 'static,
{
    set_hook(belay_on_unhandled_error, hook, Some(call::<F>))
}

pub(crate) unsafe extern "C" fn call<F: Fn(&Unhandled<'_>)>(
    ctx: *mut c_void,
    error: *const belay_error,
    signal: *const c_char,
    site: *const c_char,
) {
    // A hook that panics has told of it by that.
    edge::quietly(|| {
        if let Some(error) = Error::retaining(error) {
            let (signal, site) = (rust_text(signal), rust_text(site));
            let unhandled = Unhandled { error: &error, signal: &signal, site: &site };
            (*(ctx as *const F))(&unhandled);
        }
    });
}
