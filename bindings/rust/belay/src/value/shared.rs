//! Objects of Rust's: owned pointers, whose type is checked when they are read.
use std::any::Any;
use std::os::raw::c_void;
use std::sync::Arc;

use belay_sys::*;

use crate::edge;
use crate::error::{check, Result};
use crate::value::{Dynamic, Value};

/// What the pointer of a value leads to. This crate makes no other pointers.
type Holder = Arc<dyn Any + Send + Sync>;

unsafe extern "C" fn drop_holder(pointer: *mut c_void) {
    edge::quietly(|| drop(Box::from_raw(pointer as *mut Holder)));
}

impl<T: Any + Send + Sync> Value for Arc<T> {
    fn into_dynamic(self) -> Dynamic {
        let holder: Holder = self;
        let pointer = Box::into_raw(Box::new(holder)) as *mut c_void;
        unsafe { Dynamic::from_raw(belay_pointer_owned(pointer, Some(drop_holder))) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<Arc<T>> {
        let mut pointer: *mut c_void = std::ptr::null_mut();
        check(unsafe { belay_value_get_pointer(value.as_raw(), &mut pointer) })?;
        // It lives as long as the value.
        let holder = unsafe { &*(pointer as *const Holder) };
        if holder.is::<T>() {
            // It is of that type, so nothing is lost here.
            return holder.clone().downcast().map_err(|_| value.is_no("another type"));
        }
        Err(value.is_no(&format!("a pointer to {}", std::any::type_name::<T>())))
    }
}

/// Lets signals carry a type that can be cloned: it travels behind an `Arc`, and each reader gets a
/// clone.
///
/// ```
/// #[derive(Clone, Debug, PartialEq)]
/// struct Point { x: i32, y: i32 }
/// belay::value_by_clone!(Point);
///
/// # fn main() -> belay::Result<()> {
/// let points = belay::Subject::new();
/// points.subscribe(|point: Point| assert_eq!(point, Point { x: 1, y: 2 }))?;
/// points.next(Point { x: 1, y: 2 })?;
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! value_by_clone {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::Value for $type {
            fn into_dynamic(self) -> $crate::Dynamic {
                $crate::Value::into_dynamic(::std::sync::Arc::new(self))
            }

            fn from_dynamic(value: &$crate::Dynamic) -> $crate::Result<Self> {
                let shared: ::std::sync::Arc<$type> = $crate::Value::from_dynamic(value)?;
                Ok((*shared).clone())
            }
        }
    )*};
}
