//! Sockets that listen.
use std::ffi::CString;
use std::path::Path;

use belay_sys::*;

use super::{Stream, StreamOptions};
use crate::disposable::Disposable;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle, rust_text};
use crate::loops::Loop;
use crate::signal::{path_text, text, Signal};

handle! {
    /// A socket that listens from when it is made, until [`close`](Listener::close), until its last
    /// reference is dropped, or until its loop closes.
    Listener: belay_listener, belay_listener_retain, belay_listener_release
}
any_thread!(Listener);

impl Listener {
    /// Listens at a TCP address, at once: what connects waits in the system until somebody
    /// subscribes. `host` is an address, and no name; `None`: every address of this machine. With
    /// `port` 0 the system chooses one. The error has libuv's code, such as `EADDRINUSE`.
    pub fn tcp(
        on: &Loop,
        host: Option<&str>,
        port: u16,
        options: StreamOptions,
    ) -> Result<Listener> {
        let host = host.map(text).transpose()?;
        let host = host.as_ref().map_or(std::ptr::null(), |host: &CString| host.as_ptr());
        unsafe {
            let raw = belay_tcp_listen(on.as_raw(), host, port, options.raw());
            Listener::from_raw(raw).ok_or_else(Error::last)
        }
    }

    /// Listens at a Unix socket, whose file it makes. A file that nobody listens at is replaced. The
    /// close removes the file if it is still the same one.
    pub fn unix(on: &Loop, path: impl AsRef<Path>, options: StreamOptions) -> Result<Listener> {
        let path = path_text(path)?;
        unsafe {
            let raw = belay_unix_listen(on.as_raw(), path.as_ptr(), options.raw());
            Listener::from_raw(raw).ok_or_else(Error::last)
        }
    }

    /// A stream for each connection. There is one subscription at a time; another one gets the error
    /// [`Code::EBUSY`](crate::Code::EBUSY). A disposal stops accepting, and the listener goes on
    /// listening. Without room for another descriptor, the hook for errors that nobody handles is
    /// told so once, and accepting goes on when there is room.
    pub fn connections(&self) -> Signal<Stream> {
        unsafe { Signal::made(belay_listener_connections(self.as_raw())) }
    }

    /// Stops listening; a subscription is interrupted.
    pub fn close(&self) -> Result<()> {
        check(unsafe { belay_listener_close(self.as_raw()) }).map(drop)
    }

    /// A disposable that closes it, for an owner or a bag.
    pub fn disposable(&self) -> Disposable {
        unsafe { Disposable::made(belay_listener_create_disposable(self.as_raw())) }
    }

    /// "127.0.0.1:80", "\[::\]:80", or the path.
    pub fn address(&self) -> String {
        // The text lives as long as the listener.
        unsafe { rust_text(belay_listener_address(self.as_raw())) }
    }

    /// The port; `None` for a Unix socket.
    pub fn port(&self) -> Option<u16> {
        // It is -1 for those.
        u16::try_from(unsafe { belay_listener_port(self.as_raw()) }).ok()
    }
}
