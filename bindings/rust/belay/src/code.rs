//! Codes of errors.
use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_int;

/// The code of an error, a negative number: errno's, libuv's, or one of Belay's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(c_int);

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $value:ident;)*) => {
        impl Code {
            $($(#[$doc])* pub const $name: Code = Code(belay_sys::$value);)*
        }
    };
}

codes! {
    /// An argument that cannot be.
    EINVAL = BELAY_EINVAL;
    /// A queue is full.
    EAGAIN = BELAY_EAGAIN;
    /// In use.
    EBUSY = BELAY_EBUSY;
    /// Cancelled: interrupted, or the loop is closed.
    ECANCELED = BELAY_ECANCELED;
    /// Waiting would never end.
    EDEADLK = BELAY_EDEADLK;
    /// Text that is not UTF-8.
    EILSEQ = BELAY_EILSEQ;
    /// A callback waits for itself.
    EINPROGRESS = BELAY_EINPROGRESS;
    /// There is none.
    ENOENT = BELAY_ENOENT;
    /// No memory.
    ENOMEM = BELAY_ENOMEM;
    /// This build or system cannot.
    ENOTSUP = BELAY_ENOTSUP;
    /// Not permitted.
    EPERM = BELAY_EPERM;
    /// Does not fit.
    ERANGE = BELAY_ERANGE;
    /// Memory that is read-only.
    EROFS = BELAY_EROFS;
    /// Out of time.
    ETIMEDOUT = BELAY_ETIMEDOUT;
    /// Sent from elsewhere to a home without a loop.
    ENOHOME = BELAY_ENOHOME;
    /// May be called on its loop's thread only.
    EWRONGTHREAD = BELAY_EWRONGTHREAD;
    /// A value or a handle of another kind.
    EKIND = BELAY_EKIND;
    /// The signal has ended, or its subscription has.
    EENDED = BELAY_EENDED;
    /// Disposed already.
    EDISPOSED = BELAY_EDISPOSED;
    /// Assigned already.
    EASSIGNED = BELAY_EASSIGNED;
    /// Sent from inside a delivery, where the policy rejects it.
    EREENTRANT = BELAY_EREENTRANT;
    /// The owner is dying or dead.
    EDEAD = BELAY_EDEAD;
    /// The loop has been closed.
    ECLOSED = BELAY_ECLOSED;
    /// Released already (checked builds).
    ERELEASED = BELAY_ERELEASED;
    /// The thread, or the loop, is bound to another one.
    EBOUND = BELAY_EBOUND;
    /// The content differs from the expected one.
    EMISMATCH = BELAY_EMISMATCH;
}

impl Code {
    /// A closure panicked. This binding's own code; the message is that of the panic.
    pub const PANIC: Code = Code(-21000);

    /// A code by its number, which is negative: anything else becomes [`Code::EINVAL`].
    pub const fn new(number: i32) -> Code {
        if number < 0 {
            Code(number)
        } else {
            Code::EINVAL
        }
    }

    /// Its number.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// Its name: "EINVAL", "ENOHOME"; "UNKNOWN" for one that is none.
    pub fn name(self) -> &'static str {
        if self == Code::PANIC {
            return "PANIC";
        }
        // The name is static, in ASCII.
        unsafe { CStr::from_ptr(belay_sys::belay_error_name(self.0)) }.to_str().unwrap_or("")
    }

    /// Its meaning, in English.
    pub fn text(self) -> &'static str {
        if self == Code::PANIC {
            return "a closure panicked";
        }
        // The text is static, in ASCII.
        unsafe { CStr::from_ptr(belay_sys::belay_error_text(self.0)) }.to_str().unwrap_or("")
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.0)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Code {}
