//! Types of objects: descriptions of their fields.
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr;

use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle};
use crate::member::{for_good, Member};
use crate::operators::{private, Variable};
use crate::owners::{Owner, WeakOwner};
use crate::site::lasting;
use crate::value::Dynamic;

/// A type of which Belay knows fields: numbers, [`Dynamic`] for a value of any kind, `Option<Owner>`
/// and `Option<WeakOwner>` for references to other objects, and `*mut c_void`.
///
/// # Safety
/// The kind is that of the type in object.h.
pub unsafe trait FieldType {
    /// The kind.
    #[doc(hidden)]
    const KIND: belay_kind;
}

unsafe impl<V: Variable> FieldType for V {
    const KIND: belay_kind = <V as private::Variable>::KIND;
}

macro_rules! field_type {
    ($($type:ty: $kind:ident),*) => {
        $(unsafe impl FieldType for $type {
            const KIND: belay_kind = $kind;
        })*
    };
}

field_type! {
    Dynamic: BELAY_KIND_NULL, Option<Owner>: BELAY_KIND_OWNER, Option<WeakOwner>: BELAY_KIND_WEAK,
    *mut c_void: BELAY_KIND_POINTER
}

/// A field of objects of type `S`. [`field!`](crate::field) makes it of a member.
pub struct Field<S> {
    raw: belay_field,
    object: std::marker::PhantomData<fn(S)>,
}

impl<S> Field<S> {
    /// The field that a member of the object is.
    pub fn of<M: FieldType>(member: Member<S, M>) -> Field<S> {
        Field::with(belay_field {
            name: member.name(),
            kind: M::KIND,
            offset: member.offset(),
            ..belay_field::default()
        })
    }

    /// A field that functions of C read and write. Without `set` it is read-only. The name ends before
    /// a NUL.
    ///
    /// # Safety
    /// The functions take the object of any owner with the type that has this field, on any thread.
    /// `get` gives its result away.
    pub unsafe fn computed(
        name: &'static str,
        get: unsafe extern "C" fn(object: *mut c_void) -> belay_value,
        set: Option<unsafe extern "C" fn(object: *mut c_void, value: belay_value) -> c_int>,
    ) -> Field<S> {
        Field::with(belay_field {
            name: lasting(name),
            get: Some(get),
            set,
            ..belay_field::default()
        })
    }

    /// The names of the fields that this one is computed from, which stand before it in the type: it
    /// changes whenever one of them does.
    pub fn depends_on(mut self, names: &[&'static str]) -> Self {
        let names = names.iter().map(|name| lasting(name)).chain([ptr::null()]);
        self.raw.depends_on = for_good(names.collect::<Vec<*const c_char>>());
        self
    }

    fn with(raw: belay_field) -> Field<S> {
        Field { raw, object: std::marker::PhantomData }
    }
}

/// Describes a field: `field!(Session, user)` for `struct Session { user: Option<Owner> }`.
#[macro_export]
macro_rules! field {
    ($struct:path, $member:ident) => {
        $crate::Field::of($crate::member!($struct, $member))
    };
}

handle! {
    /// The type of objects with fields: a description of memory of type `S`. A program describes a
    /// type once, for the description stays for good.
    ObjectType<S>: belay_type, belay_type_retain, belay_type_release
}
any_thread!(ObjectType<S>);

impl<S> ObjectType<S> {
    /// Describes objects that have these fields. [`Code::EINVAL`](crate::Code::EINVAL) for a name
    /// that stands twice and for a dependence on anything but an earlier field,
    /// [`Code::ERANGE`](crate::Code::ERANGE) beyond 64 fields.
    pub fn new(fields: Vec<Field<S>>) -> Result<ObjectType<S>> {
        ObjectType::with(fields, 0)
    }

    /// The same for objects that have, besides these fields, any property that somebody sets by name.
    pub fn dynamic(fields: Vec<Field<S>>) -> Result<ObjectType<S>> {
        ObjectType::with(fields, BELAY_TYPE_DYNAMIC)
    }

    fn with(fields: Vec<Field<S>>, flags: c_uint) -> Result<ObjectType<S>> {
        let fields: Vec<belay_field> = fields.into_iter().map(|field| field.raw).collect();
        let count = fields.len();
        unsafe { ObjectType::from_raw(belay_type_create(for_good(fields), count, flags)) }
            .ok_or_else(Error::last)
    }

    /// Says that the object of `owner` has this type, for good. From then on its fields have keys.
    /// [`Code::EASSIGNED`](crate::Code::EASSIGNED) when it has another type,
    /// [`Code::EINVAL`](crate::Code::EINVAL) for an owner without an object when there are fields,
    /// [`Code::EDEAD`](crate::Code::EDEAD) when it is dying.
    ///
    /// # Safety
    /// The object is an `S` with all fields initialised, and lives until the fourth step of the
    /// owner's death. From now on Belay reads and writes the fields on any thread. Nobody else
    /// touches them without being synchronised with that, and no reference of Rust's covers them
    /// meanwhile.
    pub unsafe fn describe(&self, owner: &Owner) -> Result<()> {
        check(belay_object_set_type(owner.as_raw(), self.as_raw())).map(drop)
    }
}
