//! The types of the functions in a table.
use std::mem::transmute;
use std::os::raw::c_char;

use belay_sys::belay_function;

use crate::value::{Dynamic, Value};

/// The type of an argument or a result, and its letter in a shape (interface.h).
///
/// # Safety
/// The letter is that of the type, and `Boxed` reads the values that C makes of it.
pub unsafe trait Argument {
    /// The letter.
    const LETTER: u8;
    /// The type in which signals send it. A C string comes as text, and a pointer as [`Dynamic`].
    type Boxed: Value;
}

macro_rules! argument {
    ($($letter:literal $type:ty: $boxed:ty),*) => {
        $(unsafe impl Argument for $type {
            const LETTER: u8 = $letter;
            type Boxed = $boxed;
        })*
    };
}

argument!(b'B' bool: bool, b'c' i8: i8, b'C' u8: u8, b's' i16: i16, b'S' u16: u16, b'i' i32: i32,
    b'I' u32: u32, b'q' i64: i64, b'Q' u64: u64, b'f' f32: f32, b'd' f64: f64,
    b'*' *const c_char: Option<String>);

unsafe impl<T> Argument for *mut T {
    const LETTER: u8 = b'p';
    type Boxed = Dynamic;
}

/// The type of a member of a table: an `Option` of an `unsafe extern "C" fn` whose first parameter,
/// a `*mut C`, is the object that the function is called for.
///
/// # Safety
/// The shape is that of the function.
pub unsafe trait Function {
    /// The shape, followed by a NUL.
    const SHAPE: &'static [u8];
    /// The values that a signal sends before a call.
    type Arguments: Value;
    /// The values that a signal sends after a call.
    type Invoked: Value;
    /// The result.
    type Result: Value;
    /// The same function, as C passes functions of any type.
    #[doc(hidden)]
    fn into_c(self) -> belay_function;
    /// A function of this type.
    #[doc(hidden)]
    fn from_c(function: belay_function) -> Self;
}

/// Pointers to functions are alike, and `None` is NULL in all of them.
macro_rules! any_function {
    () => {
        fn into_c(self) -> belay_function {
            unsafe { transmute::<Self, belay_function>(self) }
        }

        fn from_c(function: belay_function) -> Self {
            unsafe { transmute::<belay_function, Self>(function) }
        }
    };
}

macro_rules! function {
    ($arguments:ty, $invoked:ty $(, $item:ident)*) => {
        unsafe impl<C, R: Argument $(, $item: Argument)*> Function
            for Option<unsafe extern "C" fn(*mut C $(, $item)*) -> R>
        {
            const SHAPE: &'static [u8] = &[R::LETTER, b'@' $(, $item::LETTER)*, 0];
            type Arguments = $arguments;
            type Invoked = $invoked;
            type Result = R::Boxed;
            any_function!();
        }

        unsafe impl<C $(, $item: Argument)*> Function
            for Option<unsafe extern "C" fn(*mut C $(, $item)*)>
        {
            const SHAPE: &'static [u8] = &[b'v', b'@' $(, $item::LETTER)*, 0];
            type Arguments = $arguments;
            type Invoked = $arguments;
            type Result = ();
            any_function!();
        }
    };
}

// Without arguments an array is empty.
function!(Vec<Dynamic>, (R::Boxed,));
function!((A::Boxed,), (A::Boxed, R::Boxed), A);
function!((A::Boxed, B::Boxed), (A::Boxed, B::Boxed, R::Boxed), A, B);
function!((A::Boxed, B::Boxed, D::Boxed), (A::Boxed, B::Boxed, D::Boxed, R::Boxed), A, B, D);
function!(
    (A::Boxed, B::Boxed, D::Boxed, E::Boxed),
    (A::Boxed, B::Boxed, D::Boxed, E::Boxed, R::Boxed),
    A,
    B,
    D,
    E
);
