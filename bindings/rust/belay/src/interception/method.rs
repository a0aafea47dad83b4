//! Methods: members of tables of C functions.
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::{c_char, c_uint};
use std::sync::Mutex;

use belay_sys::*;

use crate::error::Result;
use crate::interception::{Function, Interface, Slot};
use crate::member::{for_good, Member};

/// A method of a table `T` of C functions: a member of type `F`. [`method!`](crate::method) makes it.
pub struct Method<T, F> {
    raw: belay_method,
    types: PhantomData<fn(T) -> F>,
}

// Its pointers are to static texts.
unsafe impl<T, F> Send for Method<T, F> {}
unsafe impl<T, F> Sync for Method<T, F> {}

impl<T, F: Function> Method<T, F> {
    /// The method that a member of the table is.
    pub fn of(member: Member<T, F>) -> Method<T, F> {
        let raw = belay_method {
            name: member.name(),
            offset: member.offset(),
            shape: F::SHAPE.as_ptr() as *const c_char,
            ..belay_method::default()
        };
        Method { raw, types: PhantomData }
    }

    /// Says that the object of a call no longer exists when the function has returned: a destructor,
    /// a `close`. An [`Interface`] that has this method ends the owner of the object around the call.
    pub fn ends_object(mut self) -> Self {
        self.raw.flags |= BELAY_METHOD_ENDS_OBJECT as c_uint;
        self
    }

    /// Returns the slot of this method in a table in memory, which all objects with that table use.
    /// Every call returns the same slot.
    ///
    /// # Safety
    /// `table` stays where it is until [`table_gone`](crate::table_gone) has been called for it. A
    /// thread that calls through it meanwhile loads the pointer in one piece. Its functions and
    /// their callers keep the rules of a [`Slot`].
    pub unsafe fn slot_in(&self, table: *mut T) -> Result<Slot<F>> {
        Interface::of_one(self)?.slot_in(table, self)
    }

    pub(crate) fn raw(&self) -> belay_method {
        self.raw
    }
}

impl<T, F> Clone for Method<T, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, F> Copy for Method<T, F> {}

impl<T, F> fmt::Debug for Method<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The name is that of a member, and static.
        write!(f, "Method({:?})", unsafe { std::ffi::CStr::from_ptr(self.raw.name) })
    }
}

/// Descriptions for good: C never copies them, and a slot may outlive every handle. There is one for
/// each list of methods that the program names.
pub(super) fn kept(methods: Vec<belay_method>) -> *const belay_method {
    static ALL: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
    if methods.is_empty() {
        return std::ptr::null();
    }
    let mut all = ALL.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(found) = all.iter().find(|kept| kept.is(&methods)) {
        return found.first;
    }
    let count = methods.len();
    let first = for_good(methods);
    all.push(Kept { first, count });
    first
}

struct Kept {
    first: *const belay_method,
    count: usize,
}

// It points to descriptions that stay, and that nobody writes to.
unsafe impl Send for Kept {}

impl Kept {
    fn is(&self, methods: &[belay_method]) -> bool {
        let kept = unsafe { std::slice::from_raw_parts(self.first, self.count) };
        let same = |(a, b): (&belay_method, &belay_method)| {
            (a.name, a.offset, a.shape, a.flags) == (b.name, b.offset, b.shape, b.flags)
        };
        kept.len() == methods.len() && kept.iter().zip(methods).all(same)
    }
}

/// Describes a method of a table: `method!(Ops, read)` for `struct Ops { read: Option<unsafe extern
/// "C" fn(*mut Stream, i32) -> i32> }`. The compiler finds the types of the function.
#[macro_export]
macro_rules! method {
    ($table:path, $member:ident) => {
        $crate::Method::of($crate::member!($table, $member))
    };
}
