//! UDP sockets as signals.
use std::ffi::CString;
use std::os::raw::c_char;
use std::ptr;

use belay_sys::*;

use crate::error::{Error, Result};
use crate::loops::Loop;
use crate::signal::{text, Signal};
use crate::value::{Dynamic, Value};

/// Bytes, a numeric host and a port.
pub type Datagram = (Vec<u8>, String, u16);

/// How a UDP socket is made. Hosts are numeric addresses, of IPv4 or IPv6: see [`Signal::lookup`].
/// By default it has any address of IPv4 and a port that is free.
#[derive(Clone, Debug, Default)]
pub struct UdpOptions {
    host: Option<Result<CString>>,
    port: u16,
    remote_host: Option<Result<CString>>,
    remote_port: u16,
    groups: Vec<Result<CString>>,
    interface: Option<Result<CString>>,
    flags: u32,
    multicast_ttl: u32,
}

impl UdpOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Its own address.
    pub fn host(mut self, host: &str) -> Self {
        self.host = Some(text(host));
        self
    }

    /// Its own port; 0: any that is free.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The address that it sends to, and from which alone it receives.
    pub fn remote(mut self, host: &str, port: u16) -> Self {
        self.remote_host = Some(text(host));
        self.remote_port = port;
        self
    }

    /// Adds a multicast group, which it joins, and leaves at its end.
    pub fn group(mut self, host: &str) -> Self {
        self.groups.push(text(host));
        self
    }

    /// The address of the interface for multicast.
    pub fn interface(mut self, host: &str) -> Self {
        self.interface = Some(text(host));
        self
    }

    /// Other sockets may have the same address and port.
    pub fn share(mut self) -> Self {
        self.flags |= BELAY_UDP_SHARE;
        self
    }

    /// It may send to broadcast addresses.
    pub fn broadcast(mut self) -> Self {
        self.flags |= BELAY_UDP_BROADCAST;
        self
    }

    /// This machine does not get the socket's own multicast datagrams.
    pub fn no_loop(mut self) -> Self {
        self.flags |= BELAY_UDP_NO_LOOP;
        self
    }

    /// How many routers a multicast datagram may pass, up to 255; 0: 1.
    pub fn multicast_ttl(mut self, routers: u32) -> Self {
        self.multicast_ttl = routers;
        self
    }

    fn signal(&self, on: &Loop, outgoing: *mut belay_signal) -> Result<Signal<UdpEvent>> {
        let groups = self.groups.iter().map(|it| it.as_ref().map(|it| it.as_ptr()));
        let groups = groups.chain([Ok(ptr::null())]).collect::<std::result::Result<Vec<_>, _>>();
        let groups = groups.map_err(Clone::clone)?;
        let raw = belay_udp_options {
            host: pointer(&self.host)?,
            remote_host: pointer(&self.remote_host)?,
            groups: if self.groups.is_empty() { ptr::null() } else { groups.as_ptr() },
            interface_host: pointer(&self.interface)?,
            port: self.port,
            remote_port: self.remote_port,
            flags: self.flags,
            multicast_ttl: self.multicast_ttl,
            ..belay_udp_options::default()
        };
        Ok(unsafe { Signal::made(belay_udp(on.as_raw(), outgoing, &raw)) })
    }
}

fn pointer(text: &Option<Result<CString>>) -> Result<*const c_char> {
    match text {
        None => Ok(ptr::null()),
        Some(Ok(text)) => Ok(text.as_ptr()),
        Some(Err(error)) => Err(error.clone()),
    }
}

/// The events of a UDP socket.
#[derive(Clone, Debug, PartialEq)]
pub enum UdpEvent {
    /// It is open, at that host and port.
    Open(String, u16),
    /// A datagram, and its sender.
    Received(Datagram),
    /// A datagram was not sent to that host and port, if they are known, or was refused there.
    Failed(Error, Option<(String, u16)>),
}

impl Value for UdpEvent {
    fn into_dynamic(self) -> Dynamic {
        match self {
            UdpEvent::Open(host, port) => ((), host, port).into_dynamic(),
            UdpEvent::Received(datagram) => datagram.into_dynamic(),
            UdpEvent::Failed(error, address) => {
                let (host, port) = address.map_or((None, 0), |it| (Some(it.0), it.1));
                (error, host, port).into_dynamic()
            }
        }
    }

    fn from_dynamic(value: &Dynamic) -> Result<UdpEvent> {
        let (what, host, port): (Dynamic, Option<String>, u16) = Value::from_dynamic(value)?;
        if let Ok(error) = what.get::<Error>() {
            return Ok(UdpEvent::Failed(error, host.map(|host| (host, port))));
        }
        let host = host.unwrap_or_default();
        if what.is_null() {
            return Ok(UdpEvent::Open(host, port));
        }
        Ok(UdpEvent::Received((what.get()?, host, port)))
    }
}

impl Signal<UdpEvent> {
    /// Opens a UDP socket for each subscription, which only receives, and closes it at the
    /// subscription's end. A socket that cannot be opened is the error, with libuv's code and the
    /// address.
    pub fn udp(on: &Loop, options: &UdpOptions) -> Signal<UdpEvent> {
        let made = options.signal(on, ptr::null_mut());
        made.unwrap_or_else(|error| Signal::error(&error))
    }

    /// The same; it sends the values of `outgoing`, which is subscribed to when the socket is open:
    /// each a [`Datagram`], or bytes or a string alone for a socket with a
    /// [`remote`](UdpOptions::remote) address. The error of `outgoing` is this signal's; its
    /// completion does nothing. A datagram for which the system has no room is not sent, and comes
    /// as one that was refused, with the system's error `EAGAIN`.
    ///
    /// ```
    /// use belay::{Loop, Signal, Subject, UdpEvent, UdpOptions};
    ///
    /// # fn main() -> belay::Result<()> {
    /// let main = Loop::new()?;
    /// let outgoing = Subject::new();
    /// let to_itself = outgoing.clone();
    /// let options = UdpOptions::new().host("127.0.0.1");
    /// Signal::udp_sending(&main, &options, &outgoing).take(2).subscribe(move |event| {
    ///     match event {
    ///         UdpEvent::Open(host, port) => drop(to_itself.next((b"text".to_vec(), host, port))),
    ///         UdpEvent::Received((bytes, ..)) => assert_eq!(bytes, b"text"),
    ///         UdpEvent::Failed(error, _) => panic!("{error}"),
    ///     }
    /// })?;
    /// main.run()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn udp_sending<T: Value>(
        on: &Loop,
        options: &UdpOptions,
        outgoing: &Signal<T>,
    ) -> Signal<UdpEvent> {
        options.signal(on, outgoing.as_raw()).unwrap_or_else(|error| Signal::error(&error))
    }
}
