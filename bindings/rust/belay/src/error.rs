//! Errors, of calls and of signals.
use std::any::Any;
use std::borrow::Cow;
use std::ffi::CStr;
use std::fmt::{self, Display};
use std::os::raw::{c_char, c_int};
use std::ptr::{self, NonNull};

use belay_sys::*;

use crate::code::Code;
use crate::handle::c_text;
use crate::value::{Dynamic, Value};

/// What a call answers that may fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error: a code, a domain, a message, perhaps a value and a cause. Cloning it counts a
/// reference. It is immutable, and belongs to no thread.
pub struct Error {
    raw: NonNull<belay_error>,
}

// Errors are immutable, and counted atomically.
unsafe impl Send for Error {}
unsafe impl Sync for Error {}

impl Error {
    /// An error with a message.
    pub fn new(code: Code, message: impl AsRef<str>) -> Error {
        Error::with(code, "belay", message, None, None)
    }

    /// An error with all its parts.
    pub fn with(
        code: Code,
        domain: impl AsRef<str>,
        message: impl AsRef<str>,
        value: Option<Dynamic>,
        cause: Option<&Error>,
    ) -> Error {
        let (domain, message) = (c_text(domain.as_ref()), c_text(message.as_ref()));
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

    /// What it says.
    pub fn message(&self) -> Cow<'_, str> {
        self.text(belay_error_message)
    }

    /// The value that it was made with; null for none.
    pub fn value(&self) -> Dynamic {
        unsafe { Dynamic::retaining(belay_error_payload(self.raw.as_ptr())) }
    }

    /// What it came of.
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

    /// Another reference to what was lent.
    ///
    /// # Safety
    /// `raw` is NULL or an error.
    pub unsafe fn retaining(raw: *const belay_error) -> Option<Error> {
        NonNull::new(belay_error_retain(raw)).map(|raw| Error { raw })
    }

    /// Takes a reference over that is not NULL.
    unsafe fn taking(raw: *mut belay_error) -> Error {
        debug_assert!(!raw.is_null());
        Error { raw: NonNull::new_unchecked(raw) }
    }

    /// The C handle with a reference, which the caller has to give back.
    pub fn into_raw(self) -> *mut belay_error {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
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

    /// What a panic said.
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

    /// An error of Rust's. One of Belay's stays what it is, one of the system keeps its code.
    pub fn from_any<E: Display + 'static>(error: E) -> Error {
        let any: &dyn Any = &error;
        if let Some(error) = any.downcast_ref::<Error>() {
            return error.clone();
        }
        let errno = any.downcast_ref::<std::io::Error>().and_then(|error| error.raw_os_error());
        Error::new(errno.map_or(Code::EINVAL, |errno| Code::new(-errno)), error.to_string())
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
        unsafe { belay_error_release(self.raw.as_ptr()) }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code().name(), self.message())
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Error {}

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
