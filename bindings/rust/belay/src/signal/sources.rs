//! Sources: files, POSIX signals, ticks, descriptors, the wall clock, hosts, work on libuv's pool.
use std::ffi::CString;
use std::os::raw::c_char;
use std::os::unix::io::{AsFd, AsRawFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use belay_sys::*;

use crate::callbacks::{self, ctx, free};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::shown_text;
use crate::loops::{Loop, LoopHandle};
use crate::signal::Signal;
use crate::value::{Outcome, Value};

impl<T: Value> Signal<T> {
    /// The events of this source at the loop `on`, from a signal that keeps `kept` as long as itself
    /// and its subscriptions, and until the source has ended.
    ///
    /// A subscription whose home is elsewhere may have gone before the source has ended at its loop.
    /// So that subscription has another one there, which keeps it, too.
    pub(crate) fn keeping<K: Send + Sync + 'static>(&self, kept: K, on: &Loop) -> Signal<T> {
        let here = self.map(move |value: T| {
            let _ = &kept;
            value
        });
        let elsewhere = here.subscribe_on(&on.scheduler());
        let place = on.uv() as usize;
        let made = Signal::defer(move || {
            let home = LoopHandle::current().map(|it| unsafe { belay_loop_uv(it.as_raw()) });
            let is_here = home.map_or(false, |home| home as usize == place);
            if is_here { &here } else { &elsewhere }.clone()
        });
        // No other thread has it yet. A signal takes any name.
        unsafe { belay_signal_set_name(made.as_raw(), shown_text(&self.name()).as_ptr()) };
        made
    }
}

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

/// A text for C; [`Code::EINVAL`] where it has a NUL in it.
pub(crate) fn text(text: &str) -> Result<CString> {
    path_text(text)
}

/// The same for a path, or another text of the system's.
pub(crate) fn path_text(path: impl AsRef<Path>) -> Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = path.as_ref().as_os_str().as_bytes();
    CString::new(bytes).map_err(|_| Error::new(Code::EINVAL, "a NUL inside of a text"))
}

/// A signal that `make` makes of a path.
fn at<T: Value>(
    path: impl AsRef<Path>,
    make: impl FnOnce(*const c_char) -> *mut belay_signal,
) -> Signal<T> {
    match path_text(path) {
        Ok(path) => unsafe { Signal::made(make(path.as_ptr())) },
        Err(error) => Signal::error(&error),
    }
}

impl Signal<String> {
    /// The lines of a file, without their ends. Its home is `on`. A file that cannot be opened or
    /// read is an error event with the system's code; a line that is not UTF-8 one with
    /// [`Code::EKIND`], unless the lines are taken as bytes, by `cast::<Vec<u8>>()`.
    pub fn file_lines(on: &Loop, path: impl AsRef<Path>, lines: Lines) -> Signal<String> {
        at(path, |path| unsafe { belay_file_lines(on.as_raw(), path, lines.flags) })
    }
}

impl Signal<i32> {
    /// The number, each time the process gets that POSIX signal. Its home is `on`.
    pub fn posix_signal(on: &Loop, number: i32) -> Signal<i32> {
        unsafe { Signal::made(belay_posix_signal(on.as_raw(), number)) }
    }
}

/// A place in a loop's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// In each turn, before the others; the loop then never waits.
    Idle,
    /// Before the loop waits.
    Prepare,
    /// After the loop has waited.
    Check,
}

impl Signal<u64> {
    /// The number of the tick, each time that the loop comes to that place in its turn.
    pub fn ticks(on: &Loop, place: Tick) -> Signal<u64> {
        let place = match place {
            Tick::Idle => BELAY_TICK_IDLE,
            Tick::Prepare => BELAY_TICK_PREPARE,
            Tick::Check => BELAY_TICK_CHECK,
        };
        unsafe { Signal::made(belay_ticks(on.as_raw(), place)) }
    }
}

impl Signal<u32> {
    /// The readiness of a descriptor, in each turn in which it is, of `BELAY_POLL_READABLE` and its
    /// like. It becomes non-blocking, and stays open as long as the signal and its subscriptions. A
    /// program that goes on using what has the descriptor gives a copy of it, or an `Arc` (from
    /// Rust 1.64 on):
    ///
    /// ```
    /// use std::{io::Read, os::unix::net::UnixStream};
    /// use belay::{sys::BELAY_POLL_READABLE, Loop, Signal};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let main = Loop::new()?;
    /// let (ours, theirs) = UnixStream::pair()?;
    /// let copy = ours.try_clone()?;
    /// let polled = Signal::poll(&main, copy, BELAY_POLL_READABLE).take_while(move |_| {
    ///     // It reads 0 bytes when the other side is closed.
    ///     Ok::<bool, std::io::Error>((&ours).read(&mut [0; 100])? > 0)
    /// });
    /// polled.subscribe(|_| println!("some bytes"))?;
    /// drop(theirs);
    /// main.run()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// One that is only borrowed may be closed too early:
    ///
    /// ```compile_fail,E0597
    /// use std::os::unix::{io::AsFd, net::UnixStream};
    /// let main = belay::Loop::new().unwrap();
    /// let (ours, _theirs) = UnixStream::pair().unwrap();
    /// let _polled = belay::Signal::poll(&main, ours.as_fd(), belay::sys::BELAY_POLL_READABLE);
    /// ```
    pub fn poll<F>(on: &Loop, fd: F, events: u32) -> Signal<u32>
    where
        F: AsFd + Send + Sync + 'static,
    {
        // The lender of the descriptor stays where it is from here on.
        let fd = Arc::new(fd);
        let number = fd.as_fd().as_raw_fd();
        unsafe { Signal::made(belay_poll(on.as_raw(), number, events)) }.keeping(fd, on)
    }
}

impl Signal<Vec<u8>> {
    /// All bytes of a file.
    pub fn file_read(on: &Loop, path: impl AsRef<Path>) -> Signal<Vec<u8>> {
        at(path, |path| unsafe { belay_file_read(on.as_raw(), path) })
    }

    /// The bytes of a file in pieces of at most 64 KiB. `how` is as for [`Signal::file_lines`].
    pub fn file_chunks(on: &Loop, path: impl AsRef<Path>, how: Lines) -> Signal<Vec<u8>> {
        at(path, |path| unsafe { belay_file_chunks(on.as_raw(), path, how.flags) })
    }
}

impl Signal<()> {
    /// A unit once the wall clock shows `date`, even if the clock is set before that.
    pub fn wall_timer(on: &Loop, date: SystemTime) -> Signal<()> {
        let since = match date.duration_since(UNIX_EPOCH) {
            Ok(since) => since.as_secs_f64(),
            Err(before) => -before.duration().as_secs_f64(),
        };
        unsafe { Signal::made(belay_wall_timer(on.as_raw(), since)) }
    }

    /// Writes a whole file at once. Sends one unit, when it is on the disk.
    pub fn file_write(on: &Loop, path: impl AsRef<Path>, content: &[u8]) -> Signal<()> {
        at(path, |path| unsafe {
            let content = belay_bytes(content.as_ptr().cast(), content.len());
            belay_file_write(on.as_raw(), path, content)
        })
    }
}

impl Signal<Vec<(PathBuf, i32)>> {
    /// The entries of a directory: names, and kinds as `BELAY_ENTRY_FILE` and its like number them.
    pub fn directory_list(on: &Loop, path: impl AsRef<Path>) -> Signal<Vec<(PathBuf, i32)>> {
        at(path, |path| unsafe { belay_directory_list(on.as_raw(), path) })
    }
}

/// The names come with one of `BELAY_FILE_CREATED` and its like.
impl Signal<(PathBuf, u32)> {
    /// The events of a file, or of the entries of a directory.
    pub fn file_events(on: &Loop, path: impl AsRef<Path>) -> Signal<(PathBuf, u32)> {
        at(path, |path| unsafe { belay_file_events(on.as_raw(), path) })
    }

    /// The same by a look at the file from time to time.
    pub fn file_poll(
        on: &Loop,
        path: impl AsRef<Path>,
        interval: Duration,
    ) -> Signal<(PathBuf, u32)> {
        at(path, |path| unsafe { belay_file_poll(on.as_raw(), path, interval.as_secs_f64()) })
    }

    /// The events of the entries of a directory, and of all directories below it.
    pub fn tree_events(on: &Loop, path: impl AsRef<Path>) -> Signal<(PathBuf, u32)> {
        at(path, |path| unsafe { belay_tree_events(on.as_raw(), path) })
    }
}

impl Signal<(String, u16)> {
    /// The addresses of a host: numeric hosts and ports. Without a service, the port is 0.
    pub fn lookup(on: &Loop, host: &str, service: Option<&str>) -> Signal<(String, u16)> {
        let service = service.map(CString::new).transpose();
        match (CString::new(host), service) {
            (Ok(host), Ok(service)) => unsafe {
                let service = service.as_ref().map_or(std::ptr::null(), |it| it.as_ptr());
                Signal::made(belay_lookup(on.as_raw(), host.as_ptr(), service))
            },
            _ => Signal::error(&Error::new(Code::EINVAL, "a host has no NUL in it")),
        }
    }
}

impl Signal<String> {
    /// The name of the host that has an address.
    pub fn host_name(on: &Loop, address: &str) -> Signal<String> {
        at(address, |address| unsafe { belay_host_name(on.as_raw(), address) })
    }
}

impl<T: Value> Signal<T> {
    /// Runs `work` on a thread of libuv's pool for each subscription, and sends its result.
    pub fn work<R, F>(on: &Loop, work: F) -> Signal<T>
    where
        R: Outcome<Value = T>,
        F: Fn() -> R + Send + Sync + 'static,
    {
        let (call, free) = (callbacks::produce::<R, F>, free::<F>);
        unsafe { Signal::made(belay_work(on.as_raw(), Some(call), ctx(work), Some(free))) }
    }
}
