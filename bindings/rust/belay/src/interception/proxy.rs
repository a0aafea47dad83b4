//! Proxies: delegates whose calls can be intercepted. See proxy.h.
use std::ptr;

use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle};
use crate::interception::{Function, Method, Slot};
use crate::owners::Owner;

handle! {
    /// The delegate that Belay stands in for: the object calls a table of Belay's, and each method of
    /// that table is a slot. [`Interface::proxy`](crate::Interface::proxy) makes it. It lives as long
    /// as the object, and then gives the original's table back.
    Proxy<T>: belay_proxy, belay_proxy_retain, belay_proxy_release
}
any_thread!(Proxy<T>);

impl<T> Proxy<T> {
    /// Returns the slot of a method. Every call returns the same slot.
    /// [`Code::ENOENT`](crate::Code::ENOENT) for a method that the interface does not have,
    /// [`Code::EDEAD`](crate::Code::EDEAD) when the object is dying.
    pub fn slot<F: Function>(&self, method: &Method<T, F>) -> Result<Slot<F>> {
        let name = method.raw().name;
        unsafe { Slot::from_raw(belay_slot_create_in_proxy(self.as_raw(), name)) }
            .ok_or_else(Error::last)
    }

    /// The table that the object was given. It lives as long as the proxy, and only Belay writes to
    /// it.
    pub fn table(&self) -> *const T {
        unsafe { belay_proxy_table(self.as_raw()) as *const T }
    }

    /// Sets the original delegate: calls are passed on to `table`, until
    /// [`forward_to_none`](Proxy::forward_to_none), or until the owner `delegate` dies.
    /// [`Code::EASSIGNED`](crate::Code::EASSIGNED) when there is a delegate already.
    ///
    /// # Safety
    /// The table and its functions are there until calls are no longer passed on, and calls that are
    /// in them have returned. The functions accept the object with which this delegate is called.
    pub unsafe fn forward_to(&self, table: *const T, delegate: Option<&Owner>) -> Result<()> {
        let delegate = delegate.map_or(ptr::null_mut(), Owner::as_raw);
        check(belay_proxy_forward_to(self.as_raw(), table.cast(), delegate)).map(drop)
    }

    /// Takes the original delegate away.
    pub fn forward_to_none(&self) -> Result<()> {
        check(unsafe { belay_proxy_forward_to(self.as_raw(), ptr::null(), ptr::null_mut()) })
            .map(drop)
    }
}
