//! Signals that pass from one copy of the library to another, in one process.
use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::handle::rust_text;
use crate::signal::Signal;
use crate::value::Value;

/// An exchange that refers to nothing.
const NONE: belay_exchange = belay_exchange {
    version: 0,
    signal: std::ptr::null_mut(),
    retain: None,
    release: None,
    name: None,
    subscribe: None,
};

/// A reference to a signal that any copy of Belay understands.
///
/// A process may hold several copies of the library: the system's, one in a Python wheel, an archive
/// in a plug-in. A [`Signal`] of one copy means nothing to the others. A function of C that takes or
/// gives a `belay_exchange` carries the signal over. Drop gives the reference back, whichever copy
/// made it.
///
/// Values pass by content, errors with their causes, and signals as other exports. A subscription
/// that meets a handle of another kind ends with [`Code::EKIND`](crate::Code::EKIND). Each copy needs
/// a loop of its own on a thread where it delivers. An exchange may be used on any thread.
///
/// ```
/// # use belay::{Exchange, Signal};
/// # fn main() -> belay::Result<()> {
/// let exported = Exchange::export(&Signal::range(1, 3))?;
/// let raw = exported.into_raw(); // A function of C passes this struct to the other copy.
/// let imported = unsafe { Exchange::from_raw(raw) }.to_signal::<i64>()?;
/// assert_eq!(imported.iter()?.collect::<belay::Result<Vec<_>>>()?, [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
pub struct Exchange {
    raw: belay_exchange,
}

// The functions of an exchange may be called on any thread, and what a signal holds is Send and Sync.
unsafe impl Send for Exchange {}
unsafe impl Sync for Exchange {}

impl Exchange {
    /// Exports a signal, and retains it.
    pub fn export<T: Value>(signal: &Signal<T>) -> Result<Exchange> {
        let mut raw = NONE;
        check(unsafe { belay_signal_export(signal.as_raw(), &mut raw) })?;
        Ok(Exchange { raw })
    }

    /// Makes a cold signal that subscribes to the exported one, or gives the exported signal itself
    /// in the copy that exported it. Whether the values are of type `T` is checked when they are
    /// read, as after [`cast`](Signal::cast).
    ///
    /// Fails with [`Code::ENOTSUP`](crate::Code::ENOTSUP) for a version that this copy does not
    /// know, and with [`Code::EINVAL`](crate::Code::EINVAL) for an exchange that lacks a function.
    pub fn to_signal<T: Value>(&self) -> Result<Signal<T>> {
        unsafe { Signal::from_raw(belay_signal_import(&self.raw)) }.ok_or_else(Error::last)
    }

    /// Takes over the reference that a struct of C's holds.
    ///
    /// # Safety
    /// `raw` is zeroed, or holds a reference that is the caller's. The exported values may be used
    /// on any thread.
    pub unsafe fn from_raw(raw: belay_exchange) -> Exchange {
        Exchange { raw }
    }

    /// The struct, borrowed, for another copy to import.
    pub fn as_raw(&self) -> *const belay_exchange {
        &self.raw
    }

    /// The struct with its reference, which `belay_exchange_release()` of any copy gives back.
    pub fn into_raw(self) -> belay_exchange {
        std::mem::ManuallyDrop::new(self).raw
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        unsafe { belay_exchange_release(&mut self.raw) }
    }
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.raw.name.map(|name| unsafe { rust_text(name(self.raw.signal)) });
        f.debug_struct("Exchange").field("version", &self.raw.version).field("name", &name).finish()
    }
}
