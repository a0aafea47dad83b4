//! Objects of Rust's: owned pointers, whose type is checked when they are read.
use std::any::Any;
use std::os::raw::{c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::Arc;

use belay_sys::*;

use crate::edge;
use crate::error::Result;
use crate::site;
use crate::value::{Dynamic, Value};

/// The content of a pointer with [`type_name`].
type Holder = Arc<dyn Any + Send + Sync>;

/// The name of the pointers of this copy of the crate. It does not read the pointers of another
/// copy, because another compiler may have laid them out.
fn type_name() -> *const c_char {
    static NAME: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());
    let known = NAME.load(Ordering::Acquire);
    if !known.is_null() {
        return known;
    }
    let drop_holder = drop_holder as unsafe extern "C" fn(*mut c_void);
    let made = site::lasting(&format!("rust {:p}", drop_holder));
    NAME.store(made as *mut c_char, Ordering::Release);
    made
}

unsafe extern "C" fn drop_holder(pointer: *mut c_void) {
    edge::quietly(|| drop(Box::from_raw(pointer as *mut Holder)));
}

/// Borrows the content of a value that was made of an `Arc`, if it has that type.
///
/// # Safety
/// `value` is alive for as long as the result.
pub(crate) unsafe fn borrowed<'a, T: Any>(value: belay_value) -> Option<&'a T> {
    let mut pointer: *mut c_void = ptr::null_mut();
    if belay_value_try_typed(value, type_name(), &mut pointer) < 0 {
        return None;
    }
    // This crate has made the pointer.
    let holder = &*(pointer as *const Holder);
    holder.downcast_ref()
}

impl<T: Any + Send + Sync> Value for Arc<T> {
    fn into_dynamic(self) -> Dynamic {
        let holder: Holder = self;
        let pointer = Box::into_raw(Box::new(holder)) as *mut c_void;
        unsafe { Dynamic::from_raw(belay_pointer_typed(type_name(), pointer, Some(drop_holder))) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<Arc<T>> {
        let mut pointer: *mut c_void = ptr::null_mut();
        if unsafe { belay_value_try_typed(value.as_raw(), type_name(), &mut pointer) } < 0 {
            return Err(value.is_no("a pointer of Rust's"));
        }
        // This crate has made it, and it lives as long as the value.
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
