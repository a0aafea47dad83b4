//! Sources: files, POSIX signals.
use std::path::Path;

use belay_sys::*;

use crate::code::Code;
use crate::error::Error;
use crate::loops::Loop;
use crate::signal::Signal;

/// How a file is read by [`Signal::file_lines`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines {
    flags: u32,
}

impl Lines {
    /// From the beginning to the end, which completes.
    pub fn all() -> Lines {
        Lines { flags: 0 }
    }

    /// Goes on as the file grows, through truncation and rotation, and does not complete.
    pub fn follow(self) -> Lines {
        Lines { flags: self.flags | BELAY_FILE_FOLLOW }
    }

    /// Begins at the end: sends the lines that are appended.
    pub fn from_end(self) -> Lines {
        Lines { flags: self.flags | BELAY_FILE_FROM_END }
    }
}

impl Signal<String> {
    /// The lines of a file, without their ends. Its home is `on`. A file that cannot be opened or
    /// read is an error event with the system's code; a line that is not UTF-8 one with
    /// [`Code::EKIND`], unless the lines are taken as bytes, by `cast::<Vec<u8>>()`.
    pub fn file_lines(on: &Loop, path: impl AsRef<Path>, lines: Lines) -> Signal<String> {
        use std::os::unix::ffi::OsStrExt;
        let path = path.as_ref().as_os_str().as_bytes();
        match std::ffi::CString::new(path) {
            Ok(path) => unsafe {
                Signal::made(belay_file_lines(on.as_raw(), path.as_ptr(), lines.flags))
            },
            Err(_) => Signal::error(&Error::new(Code::EINVAL, "a path has no NUL in it")),
        }
    }
}

impl Signal<i32> {
    /// The number, each time the process gets that POSIX signal. Its home is `on`.
    pub fn posix_signal(on: &Loop, number: i32) -> Signal<i32> {
        unsafe { Signal::made(belay_posix_signal(on.as_raw(), number)) }
    }
}
