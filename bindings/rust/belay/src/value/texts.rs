//! Strings and paths.
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use belay_sys::*;

use crate::error::Result;
use crate::value::{Dynamic, Value};

impl Value for String {
    fn into_dynamic(self) -> Dynamic {
        Dynamic::from(self.as_str())
    }

    fn from_dynamic(value: &Dynamic) -> Result<String> {
        value.as_str().map(str::to_owned).ok_or_else(|| value.is_no("a string"))
    }
}

impl Value for PathBuf {
    /// A string where it is UTF-8, bytes where it is not.
    fn into_dynamic(self) -> Dynamic {
        match self.to_str() {
            Some(text) => Dynamic::from(text),
            None => Dynamic::from(self.as_os_str().as_bytes()),
        }
    }

    fn from_dynamic(value: &Dynamic) -> Result<PathBuf> {
        let bytes = value.as_bytes().ok_or_else(|| value.is_no("a path"))?;
        Ok(PathBuf::from(OsStr::from_bytes(bytes)))
    }
}

impl From<&str> for Dynamic {
    /// A copy.
    fn from(text: &str) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_string_n(text.as_ptr() as *const _, text.len())) }
    }
}

impl From<&[u8]> for Dynamic {
    /// A copy.
    fn from(bytes: &[u8]) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_bytes(bytes.as_ptr() as *const _, bytes.len())) }
    }
}
