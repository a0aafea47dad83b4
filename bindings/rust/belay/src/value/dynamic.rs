//! Values whose kind is known at run time.
use std::fmt;
use std::mem::ManuallyDrop;
use std::os::raw::c_void;
use std::{slice, str};

use belay_sys::*;

use crate::code::Code;
use crate::error::{check, Error, Result};
use crate::value::Value;

/// A value of any kind. Cloning counts a reference; values are immutable, and belong to no thread.
#[repr(transparent)]
pub struct Dynamic {
    raw: belay_value,
}

// Values are immutable, and what Rust puts into them is Send and Sync.
unsafe impl Send for Dynamic {}
unsafe impl Sync for Dynamic {}

/// The kind of a [`Dynamic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Kind {
    Null,
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float,
    Double,
    Pointer,
    Failure,
    String,
    Bytes,
    Struct,
    Array,
    Signal,
    Subscriber,
    Disposable,
    Bag,
    Owner,
    Weak,
    Loop,
    Scheduler,
    Error,
    Stream,
    Unknown,
}

/// The kinds, in the order of their numbers.
const KINDS: [Kind; BELAY_KIND_STREAM as usize + 1] = [
    Kind::Null,
    Kind::Bool,
    Kind::Int8,
    Kind::Int16,
    Kind::Int32,
    Kind::Int64,
    Kind::UInt8,
    Kind::UInt16,
    Kind::UInt32,
    Kind::UInt64,
    Kind::Float,
    Kind::Double,
    Kind::Pointer,
    Kind::Failure,
    Kind::String,
    Kind::Bytes,
    Kind::Struct,
    Kind::Array,
    Kind::Signal,
    Kind::Subscriber,
    Kind::Disposable,
    Kind::Bag,
    Kind::Owner,
    Kind::Weak,
    Kind::Loop,
    Kind::Scheduler,
    Kind::Error,
    Kind::Stream,
];

impl Dynamic {
    /// The null value.
    pub fn null() -> Dynamic {
        Dynamic { raw: belay_null() }
    }

    /// Any value.
    pub fn new(value: impl Value) -> Dynamic {
        value.into_dynamic()
    }

    /// An array.
    pub fn array(items: Vec<Dynamic>) -> Dynamic {
        let items = ManuallyDrop::new(items);
        // They are laid out as C's values, which are taken over; the buffer is freed below.
        unsafe {
            let raw = belay_array_of(items.as_ptr() as *const belay_value, items.len());
            let mut items = ManuallyDrop::into_inner(items);
            items.set_len(0);
            Dynamic { raw }
        }
    }

    /// Reads it as a `T`.
    pub fn get<T: Value>(&self) -> Result<T> {
        T::from_dynamic(self)
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        KINDS.get(self.kind_number() as usize).copied().unwrap_or(Kind::Unknown)
    }

    /// Whether it is the null value.
    pub fn is_null(&self) -> bool {
        self.kind_number() == BELAY_KIND_NULL
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        let mut view = belay_view { data: std::ptr::null(), size: 0 };
        // It lives as long as the value, which the result borrows.
        unsafe {
            (belay_value_try(self.raw, BELAY_KIND_STRING, std::ptr::addr_of_mut!(view).cast()) == 0)
                .then(|| bytes(view))
                .and_then(|bytes| str::from_utf8(bytes).ok())
        }
    }

    /// Bytes, or those of a string.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let mut view = belay_view { data: std::ptr::null(), size: 0 };
        // They live as long as the value, which the result borrows.
        unsafe {
            (belay_value_try(self.raw, BELAY_KIND_BYTES, std::ptr::addr_of_mut!(view).cast()) == 0)
                .then(|| bytes(view))
        }
    }

    /// A pointer, which Belay never follows or frees. NULL becomes null, as C passes it.
    pub fn pointer<T>(pointer: *mut T) -> Dynamic {
        if pointer.is_null() {
            return Dynamic::null();
        }
        Dynamic { raw: belay_pointer(pointer as *const c_void) }
    }

    /// A pointer, whatever it leads to; null reads as NULL.
    pub fn as_pointer(&self) -> Option<*mut c_void> {
        let mut pointer: *mut c_void = std::ptr::null_mut();
        let out = std::ptr::addr_of_mut!(pointer).cast();
        let code = unsafe { belay_value_try(self.raw, BELAY_KIND_POINTER, out) };
        (code == 0 || self.is_null()).then_some(pointer)
    }

    /// How many items an array has; 0 for any other kind.
    pub fn len(&self) -> usize {
        unsafe { belay_value_count(self.raw) }
    }

    /// Whether it has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An item of an array; [`Code::ERANGE`] past the end.
    pub fn item(&self, index: usize) -> Result<Dynamic> {
        self.read_item(index, |item| Ok(item.clone()))
    }

    /// The items of an array.
    pub fn items(&self) -> impl Iterator<Item = Dynamic> + '_ {
        (0..self.len()).map_while(move |index| self.item(index).ok())
    }

    /// Reads an item that is lent.
    pub(crate) fn read_item<R>(
        &self,
        index: usize,
        read: impl FnOnce(&Dynamic) -> Result<R>,
    ) -> Result<R> {
        let mut item = belay_null();
        check(unsafe { belay_value_get_item(self.raw, index, &mut item) })?;
        // It lives as long as the array, which is borrowed.
        read(unsafe { Dynamic::lent(&item) })
    }

    /// Reads all items of an array.
    pub(crate) fn read_items<R>(
        &self,
        read: impl Fn(usize, &Dynamic) -> Result<R>,
    ) -> Result<Vec<R>> {
        self.expect(BELAY_KIND_ARRAY, "an array")?;
        (0..self.len()).map(|index| self.read_item(index, |item| read(index, item))).collect()
    }

    pub(crate) fn kind_number(&self) -> belay_kind {
        unsafe { belay_value_kind(self.raw) }
    }

    /// [`Code::EKIND`] unless it is of that kind.
    pub(crate) fn expect(&self, kind: belay_kind, what: &str) -> Result<()> {
        if self.kind_number() == kind {
            Ok(())
        } else {
            Err(self.is_no(what))
        }
    }

    /// [`Code::EKIND`], for a value that is something else than `what`.
    pub(crate) fn is_no(&self, what: &str) -> Error {
        Error::new(Code::EKIND, format!("{what} was expected, and is {}", self.kind_name()))
    }

    fn kind_name(&self) -> &'static str {
        // The name is static, in ASCII.
        unsafe { std::ffi::CStr::from_ptr(belay_kind_name(self.kind_number())) }
            .to_str()
            .unwrap_or("unknown")
    }

    /// A view of a value that C has lent.
    ///
    /// # Safety
    /// `raw` is a value, and lives as long as the reference. Its content may be used and freed on
    /// any thread.
    #[inline]
    pub unsafe fn lent(raw: &belay_value) -> &Dynamic {
        // The same layout.
        &*(raw as *const belay_value as *const Dynamic)
    }

    /// Takes over a reference that C has given.
    ///
    /// # Safety
    /// `raw` is a value with a reference that is the caller's. Its content may be used and freed on
    /// any thread.
    #[inline]
    pub unsafe fn from_raw(raw: belay_value) -> Dynamic {
        Dynamic { raw }
    }

    /// A new reference to a value that C has lent.
    ///
    /// # Safety
    /// `raw` is a value that is alive. Its content may be used and freed on any thread.
    pub unsafe fn retaining(raw: belay_value) -> Dynamic {
        Dynamic { raw: belay_value_retain(raw) }
    }

    /// The C value, borrowed.
    #[inline]
    pub fn as_raw(&self) -> belay_value {
        self.raw
    }

    /// The C value, for a call that takes it over.
    #[inline]
    pub fn into_raw(self) -> belay_value {
        ManuallyDrop::new(self).raw
    }
}

/// The bytes of a view.
///
/// # Safety
/// The view is of something that lives as long as the result.
unsafe fn bytes<'a>(view: belay_view) -> &'a [u8] {
    if view.size == 0 {
        &[]
    } else {
        slice::from_raw_parts(view.data as *const u8, view.size)
    }
}

impl Clone for Dynamic {
    fn clone(&self) -> Dynamic {
        unsafe { Dynamic::retaining(self.raw) }
    }
}

impl Drop for Dynamic {
    #[inline]
    fn drop(&mut self) {
        // Those below hold nothing.
        if self.raw.tag_ > BELAY_KIND_DOUBLE as u64 {
            unsafe { belay_value_release(self.raw) }
        }
    }
}

impl PartialEq for Dynamic {
    /// Of one kind and equal: floats by `==`, boxes by content, handles by identity.
    fn eq(&self, other: &Dynamic) -> bool {
        unsafe { belay_value_equal(self.raw, other.raw) == 1 }
    }
}

impl fmt::Display for Dynamic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |buffer, size| unsafe { belay_value_describe(self.raw, buffer, size) };
        f.write_str(&crate::handle::written(write))
    }
}

impl fmt::Debug for Dynamic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", self.kind_name())
    }
}

impl Value for Dynamic {
    fn into_dynamic(self) -> Dynamic {
        self
    }

    fn from_dynamic(value: &Dynamic) -> Result<Dynamic> {
        Ok(value.clone())
    }
}
