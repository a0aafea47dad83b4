//! Owners of objects whose end C declares.
use std::cell::Cell;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;

use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::owners::Owner;

/// The function that destroys an object of type `T`, as a table of functions holds it.
pub type Destroy<T> = Option<unsafe extern "C" fn(object: *mut T)>;

impl Owner {
    /// The object that this owner stands for: that of
    /// [`create_for`](crate::OwnerBuilder::create_for), or one of C. NULL when there is none, or
    /// when its death has begun.
    pub fn object(&self) -> *mut c_void {
        unsafe { belay_owner_object(self.as_raw()) }
    }

    /// Returns the owner of an object of C. The first call makes it; later calls return the same
    /// owner until the end of the object is declared. It does not keep the object.
    /// [`Code::EINVAL`](crate::Code::EINVAL) for NULL.
    ///
    /// # Safety
    /// The object is alive, and its end is declared before its memory goes: by
    /// [`end`](Owner::end), by [`will_end`](Owner::will_end) and [`did_end`](Owner::did_end), or by
    /// the functions of C that these are.
    pub unsafe fn adopt<T>(object: *mut T) -> Result<Owner> {
        Owner::from_raw(belay_owner_adopt(object.cast(), ptr::null())).ok_or_else(Error::last)
    }

    /// Adopts an object that a function in the table of its class destroys. `slot` is the place of
    /// that function. Belay replaces it, for good, by one that declares the end around it.
    ///
    /// [`Code::ENOENT`](crate::Code::ENOENT) for an empty slot,
    /// [`Code::EMISMATCH`](crate::Code::EMISMATCH) when somebody else has replaced the function,
    /// EACCES for a table that cannot be written to. After a failure the end of the object has to be
    /// declared as for [`adopt`](Owner::adopt).
    ///
    /// # Safety
    /// The object is alive, and only this function destroys it. The table stays where it is, and a
    /// thread that calls through it meanwhile loads the pointer in one piece.
    pub unsafe fn adopt_slot<T>(object: *mut T, slot: *mut Destroy<T>) -> Result<Owner> {
        let mut owner = ptr::null_mut();
        // Pointers to whatever type are passed in the same way.
        let slot = slot as *mut belay_destroy_fn;
        let code = belay_owner_adopt_slot(object.cast(), slot, ptr::null(), &mut owner);
        let owner = Owner::from_raw(owner);
        check(code)?;
        owner.ok_or_else(Error::last)
    }

    /// Declares the end of an object that [`adopt`](Owner::adopt) was given, or that was never
    /// adopted: runs the steps of its death with `destroy` as the fourth. A panic of `destroy` goes on
    /// from here. [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD) when its owner has a loop on
    /// another thread, and [`Code::EDEAD`](crate::Code::EDEAD) when its end has begun; `destroy` has
    /// not run then.
    ///
    /// # Safety
    /// The object is alive, and no closure that the death waits for waits for this thread. When
    /// `destroy` has run nobody uses the object.
    pub unsafe fn end<T>(object: *mut T, destroy: impl FnOnce()) -> Result<()> {
        let end = End { destroy: Cell::new(Some(destroy)), panic: Cell::new(None) };
        let code = end.declare(object.cast());
        if let Some(payload) = end.panic.take() {
            resume_unwind(payload);
        }
        check(code).map(drop)
    }

    /// Declares the first half of an object's end, before its destructor: runs the first three steps
    /// of its death.
    ///
    /// # Safety
    /// As for [`end`](Owner::end); [`did_end`](Owner::did_end) follows on this thread.
    pub unsafe fn will_end<T>(object: *mut T) -> Result<()> {
        check(belay_owner_will_end(object.cast())).map(drop)
    }

    /// Declares the second half, when the destructor has returned: runs the last four steps.
    /// [`Code::ENOENT`](crate::Code::ENOENT) when this thread has not declared the first.
    ///
    /// # Safety
    /// Nobody uses the object any more.
    pub unsafe fn did_end<T>(object: *mut T) -> Result<()> {
        check(belay_owner_did_end(object.cast())).map(drop)
    }
}

/// An end that is being declared, and how its fourth step failed.
struct End<F> {
    destroy: Cell<Option<F>>,
    panic: Cell<Option<Box<dyn std::any::Any + Send>>>,
}

impl<F: FnOnce()> End<F> {
    unsafe fn declare(&self, object: *mut c_void) -> std::os::raw::c_int {
        let ctx = self as *const End<F> as *mut c_void;
        belay_owner_end(object, Some(destroy::<F>), ctx)
    }
}

unsafe extern "C" fn destroy<F: FnOnce()>(ctx: *mut c_void) {
    let end = &*(ctx as *const End<F>);
    if let Some(destroy) = end.destroy.take() {
        end.panic.set(catch_unwind(AssertUnwindSafe(destroy)).err());
    }
}
