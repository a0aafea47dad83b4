//! Streams of what is there: descriptors, devices, servers.
use std::os::unix::io::{AsRawFd, IntoRawFd, OwnedFd};
use std::path::Path;

use belay_sys::*;

use super::{Direction, Stream, StreamOptions};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::loops::Loop;
use crate::signal::{path_text, text, Signal};

impl Stream {
    /// Of a socket, a pipe or a terminal, which it closes with itself, also when this fails.
    /// [`Code::EPERM`](crate::Code::EPERM) for what cannot be waited for, such as a file on a disk.
    pub fn open(on: &Loop, fd: impl Into<OwnedFd>, options: StreamOptions) -> Result<Stream> {
        let fd = fd.into();
        let made = unsafe {
            let raw = belay_stream_open(on.as_raw(), fd.as_raw_fd(), options.raw());
            Stream::from_raw(raw).ok_or_else(Error::last)
        };
        match &made {
            // Not taken over: it is closed here.
            Err(error) if matches!(error.code(), Code::EWRONGTHREAD | Code::ECLOSED) => drop(fd),
            _ => drop(fd.into_raw_fd()),
        }
        made
    }

    /// Of standard input, output or error: 0, 1 or 2, which it never closes.
    /// [`Code::EPERM`](crate::Code::EPERM) for a file on a disk and `/dev/null`, as after `prog <file`:
    /// read the lines of the file "/dev/stdin" then.
    pub fn standard(on: &Loop, number: u8, options: StreamOptions) -> Result<Stream> {
        if number > 2 {
            return Err(Error::new(Code::EINVAL, "a standard stream is 0, 1 or 2"));
        }
        unsafe {
            let raw = belay_stream_open(on.as_raw(), number.into(), options.raw());
            Stream::from_raw(raw).ok_or_else(Error::last)
        }
    }

    /// Opens a FIFO, a terminal or another device, without waiting. A
    /// FIFO that is read sends nothing until somebody writes, and completes when the last writer has
    /// gone; for writing alone it needs a reader (the system's `ENXIO`).
    pub fn open_path(
        on: &Loop,
        path: impl AsRef<Path>,
        direction: Direction,
        options: StreamOptions,
    ) -> Result<Stream> {
        let path = path_text(path)?;
        let flags = direction.flags();
        unsafe {
            let raw = belay_stream_open_path(on.as_raw(), path.as_ptr(), flags, options.raw());
            Stream::from_raw(raw).ok_or_else(Error::last)
        }
    }
}

impl Signal<Stream> {
    /// Connects to a TCP server for each subscription: sends a stream and completes. `host` is an
    /// address, or a name whose addresses are tried in turn; the error is that of the last one, with
    /// host and port. A disposal gives up.
    pub fn tcp_connect(on: &Loop, host: &str, port: u16, options: StreamOptions) -> Signal<Stream> {
        match text(host) {
            Ok(host) => unsafe {
                let host = host.as_ptr();
                Signal::made(belay_tcp_connect(on.as_raw(), host, port, options.raw()))
            },
            Err(error) => Signal::error(&error),
        }
    }

    /// Connects to a Unix socket in the same way.
    pub fn unix_connect(
        on: &Loop,
        path: impl AsRef<Path>,
        options: StreamOptions,
    ) -> Signal<Stream> {
        match path_text(path) {
            Ok(path) => unsafe {
                Signal::made(belay_unix_connect(on.as_raw(), path.as_ptr(), options.raw()))
            },
            Err(error) => Signal::error(&error),
        }
    }
}
