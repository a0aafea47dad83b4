//! Errors, of calls and of signals.
use std::any::Any;
use std::borrow::Cow;
use std::error::Error as StdError;
use std::ffi::CStr;
use std::fmt;
use std::os::raw::{c_char, c_int};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::Arc;

use belay_sys::*;

use crate::code::Code;
use crate::handle::shown_text;
use crate::value::{borrowed, Dynamic, Value};

/// The result of a call that may fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: a code, a domain, a message, perhaps a value and a cause. Cloning it counts a
/// reference. It is immutable, and belongs to no thread.
///
/// It prints its message and its code, and [`source`](std::error::Error::source) is its cause. An
/// error that a closure returned as a type of Rust's is that type again:
///
/// ```
/// # fn main() -> belay::Result<()> {
/// use std::num::ParseIntError;
/// let numbers = belay::Signal::just("x".to_string()).map(|text| text.parse::<i32>());
/// let error = numbers.iter()?.next().unwrap().unwrap_err();
/// assert!(error.downcast_ref::<ParseIntError>().is_some());
/// assert_eq!(error.to_string(), "invalid digit found in string (EINVAL)");
/// # Ok(())
/// # }
/// ```
pub struct Error {
    raw: NonNull<belay_error>,
    /// The cause in a box, once `source` has been asked for it.
    cause: AtomicPtr<Error>,
}

/// An error of Rust's, which travels as the value of one of Belay's.
struct Foreign(Box<dyn StdError + Send + Sync>);

// Errors are immutable, and counted atomically.
unsafe impl Send for Error {}
unsafe impl Sync for Error {}

impl Error {
    /// An error with a message, which ends before a NUL.
    pub fn new(code: Code, message: impl AsRef<str>) -> Error {
        Error::with(code, "belay", message, None, None)
    }

    /// An error with all its parts. Its texts end before a NUL.
    pub fn with(
        code: Code,
        domain: impl AsRef<str>,
        message: impl AsRef<str>,
        value: Option<Dynamic>,
        cause: Option<&Error>,
    ) -> Error {
        let (domain, message) = (shown_text(domain.as_ref()), shown_text(message.as_ref()));
        let value = value.map_or(belay_null(), Dynamic::into_raw);
        let cause = cause.map_or(ptr::null(), |cause| cause.raw.as_ptr() as *const _);
        // The texts are copied, the value is given away; the result is never NULL.
        unsafe {
            let (domain, message) = (domain.as_ptr(), message.as_ptr());
            Error::taking(belay_error_create(code.number(), domain, message, value, cause))
        }
    }

    /// Its code.
    pub fn code(&self) -> Code {
        Code::new(unsafe { belay_error_code(self.raw.as_ptr()) })
    }

    /// Whose error it is: "belay", unless it was made with another.
    pub fn domain(&self) -> Cow<'_, str> {
        self.text(belay_error_domain)
    }

    /// Its message.
    pub fn message(&self) -> Cow<'_, str> {
        self.text(belay_error_message)
    }

    /// The value that it was made with; null for none.
    pub fn value(&self) -> Dynamic {
        unsafe { Dynamic::retaining(belay_error_payload(self.raw.as_ptr())) }
    }

    /// Its cause.
    pub fn cause(&self) -> Option<Error> {
        unsafe { Error::retaining(belay_error_cause(self.raw.as_ptr())) }
    }

    /// Whether it tells of a closure that panicked.
    pub fn is_panic(&self) -> bool {
        self.code() == Code::PANIC
    }

    /// Whether it tells that the source went without an end, or its loop was closed.
    pub fn is_canceled(&self) -> bool {
        self.code() == Code::ECANCELED
    }

    /// The C handle, borrowed.
    pub fn as_raw(&self) -> *const belay_error {
        self.raw.as_ptr()
    }

    /// Another reference to an error that is lent.
    ///
    /// # Safety
    /// `raw` is NULL or an error.
    pub unsafe fn retaining(raw: *const belay_error) -> Option<Error> {
        NonNull::new(belay_error_retain(raw)).map(Error::owning)
    }

    /// Takes a reference over that is not NULL.
    unsafe fn taking(raw: *mut belay_error) -> Error {
        debug_assert!(!raw.is_null());
        Error::owning(NonNull::new_unchecked(raw))
    }

    fn owning(raw: NonNull<belay_error>) -> Error {
        Error { raw, cause: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Takes over a reference that C has given; `None` for NULL.
    ///
    /// # Safety
    /// `raw` is NULL or an error with a reference that is the caller's.
    pub unsafe fn from_raw(raw: *mut belay_error) -> Option<Error> {
        NonNull::new(raw).map(Error::owning)
    }

    /// The C handle with a reference, which the caller has to give back.
    pub fn into_raw(self) -> *mut belay_error {
        unsafe { belay_error_retain(self.raw.as_ptr()) }
    }

    /// The error of Rust's that this one was made from, if it was of that type.
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        self.foreign()?.0.downcast_ref()
    }

    fn foreign(&self) -> Option<&Foreign> {
        // The error keeps its value as long as it lives, and this borrows it.
        unsafe { borrowed(belay_error_payload(self.raw.as_ptr())) }
    }

    fn text(
        &self,
        part: unsafe extern "C" fn(*const belay_error) -> *const c_char,
    ) -> Cow<'_, str> {
        // It lives as long as the error, which the result borrows.
        unsafe { CStr::from_ptr(part(self.raw.as_ptr())) }.to_string_lossy()
    }

    /// The failure that this thread has recorded, if it has that code, else one of the code alone.
    pub(crate) fn of(code: c_int) -> Error {
        let last = unsafe { Error::retaining(belay_last_error()) };
        match last {
            Some(last) if last.code().number() == code => last,
            _ => Error::new(Code::new(code), Code::new(code).text()),
        }
    }

    /// The failure of a call that has answered NULL.
    pub(crate) fn last() -> Error {
        unsafe { Error::retaining(belay_last_error()) }
            .unwrap_or_else(|| Error::new(Code::EINVAL, Code::EINVAL.text()))
    }

    /// The error of a panic, with its message.
    pub(crate) fn panic(payload: Box<dyn Any + Send>) -> Error {
        let said = if let Some(text) = payload.downcast_ref::<&'static str>() {
            text
        } else if let Some(text) = payload.downcast_ref::<String>() {
            text
        } else {
            "a closure panicked"
        };
        let error = Error::new(Code::PANIC, said);
        crate::edge::quietly(|| drop(payload));
        error
    }

    /// An error of Rust's, or a text. One of Belay's stays what it is. One of the system keeps its
    /// code, any other has [`Code::EINVAL`]. [`Error::downcast_ref`] gives it back.
    pub fn from_any(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let error = match error.into().downcast::<Error>() {
            Ok(ours) => return *ours,
            Err(error) => error,
        };
        if let Some(code) = error.downcast_ref::<Code>() {
            return Error::from(*code);
        }
        let errno = error.downcast_ref::<std::io::Error>().and_then(|error| error.raw_os_error());
        let code = errno.map_or(Code::EINVAL, |errno| Code::new(-errno));
        let message = error.to_string();
        let value = Arc::new(Foreign(error)).into_dynamic();
        Error::with(code, "belay", message, Some(value), None)
    }
}

/// 0 and above is an answer, below is an error.
#[inline]
pub(crate) fn check(code: c_int) -> Result<c_int> {
    if code < 0 {
        Err(Error::of(code))
    } else {
        Ok(code)
    }
}

impl Clone for Error {
    fn clone(&self) -> Error {
        unsafe { Error::taking(belay_error_retain(self.raw.as_ptr())) }
    }
}

impl Drop for Error {
    fn drop(&mut self) {
        let cause = *self.cause.get_mut();
        if !cause.is_null() {
            // `source` has made the box, and whoever borrowed it borrowed this error.
            drop(unsafe { Box::from_raw(cause) });
        }
        unsafe { belay_error_release(self.raw.as_ptr()) }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code().name(), self.message())
    }
}

impl fmt::Display for Error {
    /// The message and the code's name. The cause is the [`source`](std::error::Error::source).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message(), self.code().name())
    }
}

impl StdError for Error {
    /// The cause; else the source of the error of Rust's that this one was made from.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let known = self.cause.load(Ordering::Acquire);
        if !known.is_null() {
            // The box lives as long as this error.
            return Some(unsafe { &*known });
        }
        let cause = match self.cause() {
            Some(cause) => Box::into_raw(Box::new(cause)),
            None => return self.foreign()?.0.source(),
        };
        let stored = self.cause.compare_exchange(
            ptr::null_mut(),
            cause,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        Some(match stored {
            Ok(_) => unsafe { &*cause },
            Err(first) => unsafe {
                // Another thread was first: everybody borrows its box.
                drop(Box::from_raw(cause));
                &*first
            },
        })
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::from_any(error)
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Error {
        Error::new(code, code.text())
    }
}

impl PartialEq for Error {
    /// By code and message.
    fn eq(&self, other: &Error) -> bool {
        self.code() == other.code() && self.message() == other.message()
    }
}

impl Value for Error {
    fn into_dynamic(self) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_value_from_error(self.as_raw())) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<Error> {
        value.expect(BELAY_KIND_ERROR, "an error")?;
        unsafe { Error::retaining(belay_value_get_error(value.as_raw())) }.ok_or_else(Error::last)
    }
}
