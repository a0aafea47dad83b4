//! Streams: bytes in both directions.
mod listener;
mod opening;
mod options;

use std::os::raw::c_char;
use std::ptr;

use belay_sys::*;

pub use listener::Listener;
pub use options::{Direction, StreamOptions};

use crate::code::Code;
use crate::disposable::Disposable;
use crate::error::{check, Result};
use crate::handle::{any_thread, handle, handle_value, rust_text};
use crate::sent::Sent;
use crate::signal::Signal;
use crate::value::{Dynamic, Value};

handle! {
    /// Bytes in both directions, at home on a loop: a connection, a pipe, a FIFO or a terminal.
    ///
    /// It is open until [`close`](Stream::close), until its last reference is dropped, or until its
    /// loop closes; its signals and their subscriptions are references. A stream that a signal sends
    /// is closed when the closure drops it.
    ///
    /// A piece that it has sent counts until the last reference to it goes, in queues and frames of
    /// Belay's as well: its bytes, and some more. When [`read_high`](StreamOptions::read_high)
    /// bytes are held, the stream stops reading, and so the peer has to wait. A `Vec<u8>` or a
    /// `String` is a copy, which does not count; a [`Dynamic`] does.
    ///
    /// Errors have libuv's codes, with the address in the message. No write raises SIGPIPE.
    ///
    /// ```
    /// use belay::{Loop, Signal, StreamOptions};
    ///
    /// # fn main() -> belay::Result<()> {
    /// let main = Loop::new()?;
    /// let options = StreamOptions::new();
    /// let listener = belay::Listener::tcp(&main, Some("127.0.0.1"), 0, options)?;
    /// let echo = listener.connections().take(1).flat_map(|it| it.write_all(&it.read()));
    /// echo.subscribe(|()| ())?;
    /// let answers = Signal::tcp_connect(&main, "localhost", listener.port().unwrap(), options)
    ///     .flat_map(|server| {
    ///         server.write("hello\nbye\n")?;
    ///         server.shutdown()?;
    ///         Ok::<_, belay::Error>(server.lines(1000))
    ///     });
    /// answers.subscribe(|line| println!("{line}"))?;
    /// main.run()?;
    /// # Ok(())
    /// # }
    /// ```
    Stream: belay_stream, belay_stream_retain, belay_stream_release
}
any_thread!(Stream);
handle_value! {
    Stream: belay_value_from_stream, belay_value_get_stream, BELAY_KIND_STREAM, "a stream"
}

impl Stream {
    /// The bytes that come, until the peer has ended its side. A subscription reads, and its
    /// disposal stops that. There is one at a time; another one gets the error
    /// [`Code::EBUSY`](crate::Code::EBUSY).
    pub fn read(&self) -> Signal<Vec<u8>> {
        unsafe { Signal::made(belay_stream_read(self.as_raw())) }
    }

    /// The lines of that as text, without their ends. A line of more than `limit` bytes is the error
    /// `EMSGSIZE`, bytes that are not UTF-8 [`Code::EILSEQ`].
    pub fn lines(&self, limit: usize) -> Signal<String> {
        self.read().utf8().lines(limit).cast()
    }

    /// Writes a copy of the bytes. [`Sent::Delivered`] when the system has all of it,
    /// [`Sent::Queued`] when it waits: [`drained`](Stream::drained) tells of its end.
    /// [`Code::EAGAIN`](crate::Code::EAGAIN) when [`write_high`](StreamOptions::write_high) bytes
    /// wait already, and this is dropped; [`Code::EENDED`](crate::Code::EENDED) after
    /// [`shutdown`](Stream::shutdown); [`Code::ECANCELED`](crate::Code::ECANCELED) after the close;
    /// else the code with which writing has failed. From another thread it is written at the loop's
    /// next turn, in the order of that thread's calls; a failure there shows in later calls.
    pub fn write(&self, bytes: impl AsRef<[u8]>) -> Result<Sent> {
        let value = Dynamic::from(bytes.as_ref()).into_raw();
        Sent::of(unsafe { belay_stream_write(self.as_raw(), value) })
    }

    /// Writes each value of `source`, bytes or strings. Completes after `source`, when its values
    /// have been written. A piece of a stream is not refused: it goes on counting there,
    /// so that stream waits for this one. Other values are the error
    /// [`Code::EAGAIN`](crate::Code::EAGAIN) when `write_high` bytes wait already.
    pub fn write_all<T: Value>(&self, source: &Signal<T>) -> Signal<()> {
        unsafe { Signal::made(belay_stream_write_all(self.as_raw(), source.retained())) }
    }

    /// Completes when at most `limit` of the bytes that wait at its beginning still do. The error of
    /// the stream when that cannot be any more.
    pub fn drained(&self, limit: usize) -> Signal<()> {
        unsafe { Signal::made(belay_stream_drained(self.as_raw(), limit)) }
    }

    /// Ends the writing side after what waits. A socket's peer sees the end, and may go on writing.
    /// A stream that is only written, such as a child's input, is closed by it.
    pub fn shutdown(&self) -> Result<()> {
        check(unsafe { belay_stream_shutdown(self.as_raw()) }).map(drop)
    }

    /// Closes it at once, from another thread at the loop's next turn. Bytes that wait to be
    /// written are dropped.
    pub fn close(&self) -> Result<()> {
        check(unsafe { belay_stream_close(self.as_raw()) }).map(drop)
    }

    /// A disposable that closes it, for an owner or a bag.
    pub fn disposable(&self) -> Disposable {
        unsafe { Disposable::made(belay_stream_create_disposable(self.as_raw())) }
    }

    /// How many bytes wait to be written.
    pub fn waiting(&self) -> usize {
        unsafe { belay_stream_waiting(self.as_raw()) }
    }

    /// How much of what was read is held.
    pub fn held(&self) -> usize {
        unsafe { belay_stream_held(self.as_raw()) }
    }

    /// "127.0.0.1:80", "\[::1\]:80", the path of a Unix socket, or "".
    /// [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD) on another thread than that of the loop.
    pub fn local_address(&self) -> Result<String> {
        self.address(belay_stream_local_address)
    }

    /// The same of the other side.
    pub fn peer_address(&self) -> Result<String> {
        self.address(belay_stream_peer_address)
    }

    fn address(
        &self,
        read: unsafe extern "C" fn(*mut belay_stream) -> *const c_char,
    ) -> Result<String> {
        // A call for an address answers "" on another thread, which may be an address, too. This
        // call answers with a code, and looks at the thread before anything else.
        let code =
            unsafe { belay_stream_window_size(self.as_raw(), ptr::null_mut(), ptr::null_mut()) };
        match check(code) {
            Err(error) if error.code() == Code::EWRONGTHREAD => Err(error),
            // The text lives as long as the stream.
            _ => Ok(unsafe { rust_text(read(self.as_raw())) }),
        }
    }

    /// Of a terminal: turns line editing, echo and signal keys off; `false`, and the close, restore
    /// what was there. [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD) on another thread, the
    /// system's `ENOTTY` for another stream.
    pub fn set_raw(&self, raw: bool) -> Result<()> {
        check(unsafe { belay_stream_set_raw(self.as_raw(), raw.into()) }).map(drop)
    }

    /// Of a terminal: how many columns and rows its window has. The errors are those of
    /// [`set_raw`](Stream::set_raw).
    pub fn window_size(&self) -> Result<(i32, i32)> {
        let (mut columns, mut rows) = (0, 0);
        check(unsafe { belay_stream_window_size(self.as_raw(), &mut columns, &mut rows) })?;
        Ok((columns, rows))
    }

    /// Of a terminal: the columns and rows, again each time that they have changed. SIGWINCH is
    /// waited for as by [`Signal::posix_signal`]; the system tells of changes of the controlling
    /// terminal. The system's error `ENOTTY` for another stream.
    pub fn window_sizes(&self) -> Signal<(i32, i32)> {
        unsafe { Signal::made(belay_stream_window_sizes(self.as_raw())) }
    }
}
