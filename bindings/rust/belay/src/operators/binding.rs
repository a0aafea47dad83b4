//! Binding: the values go to a subject, a property or a variable.
use std::os::raw::c_void;

use belay_sys::*;

use crate::disposable::Disposable;
use crate::error::Result;
use crate::loops::given;
use crate::property::Property;
use crate::signal::Signal;
use crate::subjects::Subject;
use crate::value::Value;

impl<T: Value> Signal<T> {
    /// Sends all that this signal sends, an end included, into `subject`, at its home. Ends when the
    /// result is disposed of, and when the subject's queue is full.
    pub fn bind(&self, subject: &Subject<T>) -> Result<Disposable> {
        given(|out| unsafe { belay_signal_bind(self.as_raw(), subject.as_raw(), out) })
    }

    /// Sets `property` to each value, at its home, which it does not keep; ends with the property,
    /// and with the owner if one is given.
    pub fn bind_property<'a>(
        &self,
        property: &Property<T>,
        owner: impl Into<Option<&'a crate::Owner>>,
    ) -> Result<Disposable> {
        let (signal, property, owner) = (self.as_raw(), property.as_raw(), raw_owner(owner));
        given(|out| unsafe { belay_signal_bind_property(signal, property, owner, out) })
    }

    /// Stores each value into a variable at `address`. [`Property`], or a closure that stores into
    /// an atomic, is the safe way. The binding ends with the owner, if one is given.
    ///
    /// # Safety
    /// The variable lives until the binding has ended, and nobody else reads or writes it while the
    /// binding writes, at this thread's loop or on this thread.
    pub unsafe fn bind_variable<'a, V: Variable>(
        &self,
        address: *mut V,
        owner: impl Into<Option<&'a crate::Owner>>,
    ) -> Result<Disposable> {
        let (signal, address, owner) = (self.as_raw(), address as *mut c_void, raw_owner(owner));
        given(|out| belay_signal_bind_variable(signal, V::KIND, address, owner, out))
    }
}

fn raw_owner<'a>(owner: impl Into<Option<&'a crate::Owner>>) -> *mut belay_owner {
    owner.into().map_or(std::ptr::null_mut(), crate::Owner::as_raw)
}

/// A type of which C knows variables.
pub trait Variable: private::Variable {}

pub(crate) mod private {
    pub trait Variable {
        const KIND: belay_sys::belay_kind;
    }
}

macro_rules! variable {
    ($($type:ty: $kind:ident),*) => {$(
        impl private::Variable for $type {
            const KIND: belay_kind = $kind;
        }
        impl Variable for $type {}
    )*};
}

variable! {
    i8: BELAY_KIND_INT8, i16: BELAY_KIND_INT16, i32: BELAY_KIND_INT32, i64: BELAY_KIND_INT64,
    u8: BELAY_KIND_UINT8, u16: BELAY_KIND_UINT16, u32: BELAY_KIND_UINT32, u64: BELAY_KIND_UINT64,
    f32: BELAY_KIND_FLOAT, f64: BELAY_KIND_DOUBLE
}
