//! What `value.h` has as inline functions: values in which nothing is allocated.
use core::ffi::c_void;
use std::os::raw::c_int;

use crate::declarations::*;

#[inline]
const fn scalar(payload: u64, kind: belay_kind) -> belay_value {
    belay_value { payload_: payload, tag_: kind as u64 }
}

/// The null value.
#[inline]
pub const fn belay_null() -> belay_value {
    scalar(0, BELAY_KIND_NULL)
}

/// A boolean: anything but 0 is true.
#[inline]
pub const fn belay_bool(x: c_int) -> belay_value {
    scalar((x != 0) as u64, BELAY_KIND_BOOL)
}

/// Defines the functions for integers: a signed one is extended to 64 bits by its sign.
macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident: $type:ty as $wide:ty, $kind:ident;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub const fn $name(x: $type) -> belay_value {
            scalar(x as $wide as u64, $kind)
        }
    )*};
}

integers! {
    /// An integer of 8 bits.
    belay_int8: i8 as i64, BELAY_KIND_INT8;
    /// An integer of 16 bits.
    belay_int16: i16 as i64, BELAY_KIND_INT16;
    /// An integer of 32 bits.
    belay_int32: i32 as i64, BELAY_KIND_INT32;
    /// An integer of 64 bits.
    belay_int64: i64 as i64, BELAY_KIND_INT64;
    /// An unsigned integer of 8 bits.
    belay_uint8: u8 as u64, BELAY_KIND_UINT8;
    /// An unsigned integer of 16 bits.
    belay_uint16: u16 as u64, BELAY_KIND_UINT16;
    /// An unsigned integer of 32 bits.
    belay_uint32: u32 as u64, BELAY_KIND_UINT32;
    /// An unsigned integer of 64 bits.
    belay_uint64: u64 as u64, BELAY_KIND_UINT64;
}

/// A float.
#[inline]
pub fn belay_float(x: f32) -> belay_value {
    scalar(u64::from(x.to_bits()), BELAY_KIND_FLOAT)
}

/// A double.
#[inline]
pub fn belay_double(x: f64) -> belay_value {
    scalar(x.to_bits(), BELAY_KIND_DOUBLE)
}

/// A pointer that Belay carries and never follows or frees.
#[inline]
pub fn belay_pointer(p: *const c_void) -> belay_value {
    scalar(p as usize as u64, BELAY_KIND_POINTER)
}
