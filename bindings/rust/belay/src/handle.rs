//! Handles, which count references.

/// Text for C; an error of `EINVAL` where it has a NUL in it, for C would read another text.
pub(crate) fn c_text(text: &str) -> crate::Result<std::ffi::CString> {
    crate::signal::path_text(text)
}

/// Text for C that is only shown, up to the first NUL.
pub(crate) fn shown_text(text: &str) -> std::ffi::CString {
    let bytes = text.bytes().take_while(|byte| *byte != 0).collect::<Vec<u8>>();
    // There is no NUL left.
    unsafe { std::ffi::CString::from_vec_unchecked(bytes) }
}

/// A string of C. Bytes that are not UTF-8 are replaced.
///
/// # Safety
/// `text` is NULL or ends with a NUL.
pub(crate) unsafe fn rust_text(text: *const std::os::raw::c_char) -> String {
    if text.is_null() {
        String::new()
    } else {
        std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

/// Defines a type for a counted reference to a C object: `Clone` retains, `Drop` releases. It is laid
/// out as the C handle, and `None` as NULL.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident$(<$($parameter:ident),*>)?: $raw:ident, $retain:ident, $release:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name$(<$($parameter),*>)? {
            raw: std::ptr::NonNull<belay_sys::$raw>,
            $(values: std::marker::PhantomData<fn() -> ($($parameter,)*)>,)?
        }

        impl$(<$($parameter),*>)? $name$(<$($parameter),*>)? {
            /// Takes over a reference that C has given; `None` for NULL.
            ///
            /// # Safety
            /// `raw` is NULL or a reference that is the caller's, to an object of this kind. It and
            /// what it holds may be used on any thread.
            #[allow(dead_code)]
            pub unsafe fn from_raw(raw: *mut belay_sys::$raw) -> Option<Self> {
                std::ptr::NonNull::new(raw).map(|raw| Self {
                    raw,
                    $(values: std::marker::PhantomData::<fn() -> ($($parameter,)*)>,)?
                })
            }

            /// Another reference to an object that C has lent; `None` for NULL.
            ///
            /// # Safety
            /// `raw` is NULL or an object of this kind that is alive. It and what it holds may be
            /// used on any thread.
            #[allow(dead_code)]
            pub unsafe fn retaining(raw: *mut belay_sys::$raw) -> Option<Self> {
                Self::from_raw(belay_sys::$retain(raw))
            }

            /// The C handle, borrowed.
            pub fn as_raw(&self) -> *mut belay_sys::$raw {
                self.raw.as_ptr()
            }

            /// The C handle with a reference, which the caller has to give back.
            #[allow(dead_code)]
            pub fn into_raw(self) -> *mut belay_sys::$raw {
                let raw = self.raw.as_ptr();
                std::mem::forget(self);
                raw
            }

            /// A reference of one's own, for a call that takes it over.
            #[allow(dead_code)]
            pub(crate) fn retained(&self) -> *mut belay_sys::$raw {
                // It is alive as long as this handle.
                unsafe { belay_sys::$retain(self.as_raw()) }
            }
        }

        impl$(<$($parameter),*>)? Clone for $name$(<$($parameter),*>)? {
            fn clone(&self) -> Self {
                self.retained();
                Self {
                    raw: self.raw,
                    $(values: std::marker::PhantomData::<fn() -> ($($parameter,)*)>,)?
                }
            }
        }

        impl$(<$($parameter),*>)? Drop for $name$(<$($parameter),*>)? {
            fn drop(&mut self) {
                // It has one reference.
                unsafe { belay_sys::$release(self.as_raw()) }
            }
        }

        impl$(<$($parameter),*>)? std::fmt::Debug for $name$(<$($parameter),*>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:p})"), self.raw)
            }
        }
    };
}

/// Says that a handle may be used on any thread. The header of its functions says so.
macro_rules! any_thread {
    ($name:ident$(<$($parameter:ident),*>)?) => {
        // Its functions may be called on any thread, and what it holds is Send and Sync.
        unsafe impl$(<$($parameter),*>)? Send for $name$(<$($parameter),*>)? {}
        unsafe impl$(<$($parameter),*>)? Sync for $name$(<$($parameter),*>)? {}
    };
}

/// Lets signals carry a handle: the value has a reference of its own.
macro_rules! handle_value {
    ($(#[$doc:meta])* $name:ident$(<$parameter:ident>)?: $from:ident, $get:ident, $kind:ident, $what:literal) => {
        impl$(<$parameter: $crate::Value>)? $crate::Value for $name$(<$parameter>)? {
            fn into_dynamic(self) -> $crate::Dynamic {
                unsafe { $crate::Dynamic::from_raw(belay_sys::$from(self.as_raw())) }
            }

            $(#[$doc])*
            fn from_dynamic(value: &$crate::Dynamic) -> $crate::Result<Self> {
                value.expect(belay_sys::$kind, $what)?;
                // The value lends it.
                unsafe { Self::retaining(belay_sys::$get(value.as_raw())) }
                    .ok_or_else($crate::Error::last)
            }
        }
    };
}

pub(crate) use {any_thread, handle, handle_value};

/// The text that a function of C writes, which cuts it to a buffer and returns the length of the
/// whole.
pub(crate) fn written(write: impl Fn(*mut std::os::raw::c_char, usize) -> usize) -> String {
    let mut buffer = vec![0_u8; 256];
    loop {
        let length = write(buffer.as_mut_ptr() as *mut _, buffer.len());
        if length < buffer.len() {
            buffer.truncate(length);
            return String::from_utf8_lossy(&buffer).into_owned();
        }
        buffer.resize(length + 1, 0);
    }
}
