//! Null, booleans, numbers, times.
use std::time::Duration;

use belay_sys::*;

use crate::code::Code;
use crate::error::{check, Error, Result};
use crate::value::{Dynamic, Value};

impl Value for () {
    fn into_dynamic(self) -> Dynamic {
        Dynamic::null()
    }

    fn from_dynamic(value: &Dynamic) -> Result<()> {
        value.expect(BELAY_KIND_NULL, "null")
    }
}

impl Value for bool {
    fn into_dynamic(self) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_bool(self.into())) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<bool> {
        let mut out = 0;
        check(unsafe { belay_value_get_bool(value.as_raw(), &mut out) })?;
        Ok(out != 0)
    }
}

/// Numbers: one that is of the type's own kind is read where it is, any other by the getter.
macro_rules! number {
    ($($type:ty: $make:ident, $kind:ident, $get:ident -> $wide:ty;)*) => {$(
        impl Value for $type {
            #[inline]
            fn into_dynamic(self) -> Dynamic {
                unsafe { Dynamic::from_raw($make(self)) }
            }

            #[inline]
            fn from_dynamic(value: &Dynamic) -> Result<$type> {
                let raw = value.as_raw();
                if raw.tag_ == $kind as u64 {
                    return Ok(raw.payload_ as $type);
                }
                let mut out: $wide = 0;
                check(unsafe { $get(raw, &mut out) })?;
                <$type>::try_from(out).map_err(|_| Error::from(Code::ERANGE))
            }
        }
    )*};
}

number! {
    i8: belay_int8, BELAY_KIND_INT8, belay_value_get_int32 -> i32;
    i16: belay_int16, BELAY_KIND_INT16, belay_value_get_int32 -> i32;
    i32: belay_int32, BELAY_KIND_INT32, belay_value_get_int32 -> i32;
    i64: belay_int64, BELAY_KIND_INT64, belay_value_get_int64 -> i64;
    u16: belay_uint16, BELAY_KIND_UINT16, belay_value_get_uint32 -> u32;
    u32: belay_uint32, BELAY_KIND_UINT32, belay_value_get_uint32 -> u32;
    u64: belay_uint64, BELAY_KIND_UINT64, belay_value_get_uint64 -> u64;
}

/// `isize` and `usize` travel as 64 bits.
macro_rules! size {
    ($($type:ty as $wide:ty;)*) => {$(
        impl Value for $type {
            fn into_dynamic(self) -> Dynamic {
                (self as $wide).into_dynamic()
            }

            fn from_dynamic(value: &Dynamic) -> Result<$type> {
                let wide = <$wide>::from_dynamic(value)?;
                <$type>::try_from(wide).map_err(|_| Error::from(Code::ERANGE))
            }
        }
    )*};
}

size! {
    isize as i64;
    usize as u64;
}

impl Value for u8 {
    fn into_dynamic(self) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_uint8(self)) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<u8> {
        u8::try_from(u32::from_dynamic(value)?).map_err(|_| Error::from(Code::ERANGE))
    }

    fn many_into_dynamic(items: Vec<u8>) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_bytes(items.as_ptr() as *const _, items.len())) }
    }

    fn many_from_dynamic(value: &Dynamic) -> Result<Vec<u8>> {
        match value.as_bytes() {
            Some(bytes) => Ok(bytes.to_vec()),
            // What `collect` makes of a signal of bytes.
            None => value.read_items(|_, item| u8::from_dynamic(item)),
        }
    }
}

macro_rules! float {
    ($($type:ty: $make:ident, $get:ident;)*) => {$(
        impl Value for $type {
            fn into_dynamic(self) -> Dynamic {
                unsafe { Dynamic::from_raw($make(self)) }
            }

            fn from_dynamic(value: &Dynamic) -> Result<$type> {
                let mut out = 0.0;
                check(unsafe { $get(value.as_raw(), &mut out) })?;
                Ok(out)
            }
        }
    )*};
}

float! {
    f32: belay_float, belay_value_get_float;
    f64: belay_double, belay_value_get_double;
}

impl Value for Duration {
    fn into_dynamic(self) -> Dynamic {
        self.as_secs_f64().into_dynamic()
    }

    fn from_dynamic(value: &Dynamic) -> Result<Duration> {
        let seconds = f64::from_dynamic(value)?;
        // `from_secs_f64` panics beyond.
        if (0.0..1e18).contains(&seconds) {
            Ok(Duration::from_secs_f64(seconds))
        } else {
            Err(Error::from(Code::ERANGE))
        }
    }
}
