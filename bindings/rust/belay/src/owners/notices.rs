//! Notices: closures with names that are called when an owner has died.
use std::cell::Cell;
use std::os::raw::{c_char, c_void};

use belay_sys::*;

use crate::callbacks::{ctx, free, Once};
use crate::edge;
use crate::error::{check, Result};
use crate::handle::{c_text, rust_text};
use crate::owners::Owner;
use crate::site::Site;

impl Owner {
    /// Sets the notice of that name, behind those that are set: `notice` is called with it at the
    /// fifth step. One of the same name is replaced, and never told.
    /// [`Code::EDEAD`](crate::Code::EDEAD) from the fifth step on.
    #[track_caller]
    pub fn set_notice<F>(&self, name: &str, notice: F) -> Result<()>
    where
        F: FnOnce(&str) + Send + 'static,
    {
        let once: Once<F> = (Cell::new(Some(notice)), Site::here());
        let name = c_text(name)?;
        check(unsafe {
            let (info, free) = (ctx(once), free::<Once<F>>);
            belay_notice_set(self.as_raw(), name.as_ptr(), Some(tell::<F>), info, Some(free))
        })
        .map(drop)
    }

    /// Takes a notice back; [`Code::ENOENT`](crate::Code::ENOENT) when there is none of that name.
    pub fn remove_notice(&self, name: &str) -> Result<()> {
        let name = c_text(name)?;
        check(unsafe { belay_notice_remove(self.as_raw(), name.as_ptr()) }).map(drop)
    }

    /// The names of the notices that are set, in the order of setting.
    pub fn notices(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let ctx = &mut names as *mut Vec<String> as *mut c_void;
        unsafe { belay_notice_each(self.as_raw(), Some(note), ctx) };
        names
    }
}

unsafe extern "C" fn note(ctx: *mut c_void, name: *const c_char, _: *mut c_void) {
    edge::quietly(|| (*(ctx as *mut Vec<String>)).push(rust_text(name)));
}

unsafe extern "C" fn tell<F: FnOnce(&str)>(info: *mut c_void, name: *const c_char, _: *mut c_void) {
    let (cell, site) = &*(info as *const Once<F>);
    if let Some(notice) = cell.take() {
        edge::reported(*site, || notice(&rust_text(name)));
    }
}
