//! Work that runs itself again.
use std::os::raw::c_void;

use belay_sys::*;

use crate::edge;
use crate::error::{check, Result};
use crate::handle::{any_thread, handle};
use crate::site::Site;

handle! {
    /// The handle by which recursive work runs itself again. A clone that is kept lets it go on
    /// later; with the last the work is over.
    Recursion: belay_recursion, belay_recursion_retain, belay_recursion_release
}
any_thread!(Recursion);

impl Recursion {
    /// Asks for one more run: inside the work, after it has returned.
    /// [`Code::ECANCELED`](crate::Code::ECANCELED) when the work has been disposed of or its loop is
    /// closed.
    pub fn again(&self) -> Result<()> {
        check(unsafe { belay_recursion_again(self.as_raw()) }).map(drop)
    }
}

pub(crate) unsafe extern "C" fn call<F: Fn(&Recursion)>(
    ctx: *mut c_void,
    recursion: *mut belay_recursion,
) {
    let (closure, site) = &*(ctx as *const (F, Site));
    if let Some(recursion) = Recursion::retaining(recursion) {
        edge::reported(*site, || closure(&recursion));
    }
}
