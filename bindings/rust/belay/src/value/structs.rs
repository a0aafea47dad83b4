//! Structs of C, as values by content.
use std::mem::MaybeUninit;

use belay_sys::*;

use crate::error::{check, Result};
use crate::site::lasting;
use crate::value::Dynamic;

/// A struct that C and Rust both know, which signals carry as its bytes.
/// [`value_by_struct!`](crate::value_by_struct) makes it a [`Value`](crate::Value).
///
/// # Safety
/// The type is laid out as C's struct of that name (`#[repr(C)]`), has no padding, and any bytes that
/// C stores make a valid one.
pub unsafe trait Struct: Copy + Send + Sync + 'static {
    /// The name of the C struct, which readers compare: `"point"` where C says
    /// `BELAY_STRUCT(point, &p)`.
    const NAME: &'static str;
}

impl Dynamic {
    /// A copy of a struct.
    pub fn of_struct<S: Struct>(content: &S) -> Dynamic {
        let (content, size) = (content as *const S, std::mem::size_of::<S>());
        unsafe { Dynamic::from_raw(belay_struct(lasting(S::NAME), content.cast(), size)) }
    }

    /// A struct of that name; [`Code::EKIND`](crate::Code::EKIND) for any other value,
    /// [`Code::ERANGE`](crate::Code::ERANGE) when it has another size.
    pub fn get_struct<S: Struct>(&self) -> Result<S> {
        let mut content = MaybeUninit::<S>::uninit();
        let (out, size) = (content.as_mut_ptr().cast(), std::mem::size_of::<S>());
        check(unsafe { belay_value_get_struct(self.as_raw(), lasting(S::NAME), out, size) })?;
        // The call has filled it.
        Ok(unsafe { content.assume_init() })
    }
}

/// Lets signals carry a [`Struct`].
///
/// ```
/// #[repr(C)]
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Point { x: f64, y: f64 }
/// unsafe impl belay::Struct for Point { const NAME: &'static str = "point"; }
/// belay::value_by_struct!(Point);
///
/// # fn main() -> belay::Result<()> {
/// let point = belay::Signal::just(Point { x: 1.0, y: 2.0 }).iter()?.next();
/// assert_eq!(point.unwrap()?, Point { x: 1.0, y: 2.0 });
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! value_by_struct {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::Value for $type {
            fn into_dynamic(self) -> $crate::Dynamic {
                $crate::Dynamic::of_struct(&self)
            }

            fn from_dynamic(value: &$crate::Dynamic) -> $crate::Result<Self> {
                value.get_struct()
            }
        }
    )*};
}
