//! How streams are made.
use std::time::Duration;

use belay_sys::*;

use crate::site::{self, Site};

/// In which direction a device is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// For reading.
    Read,
    /// For writing.
    Write,
    /// For both.
    Both,
}

impl Direction {
    pub(crate) fn flags(self) -> u32 {
        match self {
            Direction::Read => BELAY_STREAM_READ,
            Direction::Write => BELAY_STREAM_WRITE,
            Direction::Both => BELAY_STREAM_READ | BELAY_STREAM_WRITE,
        }
    }
}

/// How a stream is made, or those of a listener.
#[derive(Clone, Copy, Debug, Default)]
pub struct StreamOptions {
    raw: belay_stream_options,
}

// Its strings stay, and are never written.
unsafe impl Send for StreamOptions {}
unsafe impl Sync for StreamOptions {}

impl StreamOptions {
    /// The defaults. Reports of what a loop's close finds open name the place of this call.
    #[track_caller]
    pub fn new() -> Self {
        let mut made = Self::default();
        made.raw.site = Site::here().text();
        made
    }

    /// The name in reports, also of a listener's streams.
    pub fn label(mut self, label: &'static str) -> Self {
        self.raw.label = site::label(Some(label));
        self
    }

    /// Stops reading when so many bytes are held; 0: 65536.
    pub fn read_high(mut self, bytes: usize) -> Self {
        self.raw.read_high = bytes;
        self
    }

    /// Goes on when at most so many are; 0: half of `read_high`.
    pub fn read_low(mut self, bytes: usize) -> Self {
        self.raw.read_low = bytes;
        self
    }

    /// Refuses writes when so many bytes wait; 0: 65536.
    pub fn write_high(mut self, bytes: usize) -> Self {
        self.raw.write_high = bytes;
        self
    }

    /// TCP: asks the peer after so long a silence, of up to 32767 seconds.
    pub fn keepalive(mut self, silence: Duration) -> Self {
        self.raw.keepalive = silence.as_secs_f64();
        self
    }

    /// TCP: sends small writes at once.
    pub fn nodelay(mut self) -> Self {
        self.raw.nodelay = 1;
        self
    }

    /// Listeners: how many connections may wait; 0: 511.
    pub fn backlog(mut self, connections: i32) -> Self {
        self.raw.backlog = connections;
        self
    }

    /// TCP listeners: several may have the port.
    pub fn reuse_port(mut self) -> Self {
        self.raw.reuse_port = 1;
        self
    }

    /// TCP listeners: no IPv4 at an IPv6 address.
    pub fn ipv6_only(mut self) -> Self {
        self.raw.ipv6_only = 1;
        self
    }

    pub(crate) fn raw(&self) -> &belay_stream_options {
        &self.raw
    }
}
