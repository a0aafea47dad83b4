//! How a loop is made.
use belay_sys::*;

use crate::site::{self, label_option, Site};

/// How a loop is made.
#[derive(Clone, Copy)]
pub struct LoopOptions {
    label: Option<&'static str>,
    capacity: usize,
    persistent: bool,
    quiet: bool,
    uv_version: u32,
    site: Site,
}

impl Default for LoopOptions {
    #[track_caller]
    fn default() -> Self {
        LoopOptions {
            label: None,
            capacity: 0,
            persistent: false,
            quiet: false,
            uv_version: 0,
            site: Site::here(),
        }
    }
}

impl LoopOptions {
    /// The defaults.
    #[track_caller]
    pub fn new() -> Self {
        Self::default()
    }

    label_option!();

    /// How much waits that comes from other threads; 0: 1024. Ends and disposals are not counted.
    pub fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// A run goes on until [`LoopHandle::stop`](crate::LoopHandle::stop): waiting for other threads
    /// counts as something to wait for.
    pub fn persistent(mut self) -> Self {
        self.persistent = true;
        self
    }

    /// Prints nothing about open resources when the loop is dropped.
    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// The version of the host's libuv, as `UV_VERSION_HEX` or `uv_version()` says it: where Belay
    /// runs with one of another major version, or an older one, that is
    /// [`Code::ENOTSUP`](crate::Code::ENOTSUP).
    pub fn uv_version(mut self, version: u32) -> Self {
        self.uv_version = version;
        self
    }

    pub(crate) fn raw(&self) -> belay_loop_options {
        belay_loop_options {
            label: site::label(self.label),
            site: self.site.text(),
            capacity: self.capacity,
            persistent: self.persistent.into(),
            quiet: self.quiet.into(),
            uv_version: self.uv_version,
            ..belay_loop_options::default()
        }
    }
}
