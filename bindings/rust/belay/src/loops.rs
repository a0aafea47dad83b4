//! Loops, and where and when work runs.
mod block_on;
mod handle;
mod host;
mod options;
mod recursion;
mod scheduler;
mod virtual_time;
mod worker;

use std::marker::PhantomData;
use std::os::raw::{c_int, c_void};
use std::os::unix::io::BorrowedFd;
use std::time::Duration;

use belay_sys::*;

pub use handle::LoopHandle;
pub use host::{HostLoop, HostScheduler, HostWork};
pub use options::LoopOptions;
pub use recursion::Recursion;
pub(crate) use scheduler::given;
pub use scheduler::Scheduler;
pub use virtual_time::VirtualScheduler;
pub use worker::{Worker, WorkerOptions};

use crate::callbacks::{ctx, free};
use crate::edge;
use crate::error::{check, Error, Result};
use crate::handle::rust_text;

/// One user of the libuv loop that is bound to this thread. All users on a thread share the loop.
///
/// It stays on its thread; other threads use its [`LoopHandle`]. When it is dropped, its
/// subscriptions and the work of its scheduler end, and a line on stderr tells of each that was
/// still alive ([`Loop::close`] returns them instead). The last user that is dropped closes the
/// loop.
///
/// ```
/// use std::time::Duration;
/// # fn main() -> belay::Result<()> {
/// let main = belay::Loop::new()?;
/// belay::Signal::timer(&main.scheduler(), Duration::from_millis(1)).subscribe(|_| println!("now"))?;
/// main.run()?;
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail
/// # fn main() -> belay::Result<()> {
/// let main = belay::Loop::new()?;
/// std::thread::spawn(move || main.run());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Loop {
    handle: LoopHandle,
    /// Not `Send`, not `Sync`.
    here: PhantomData<*mut ()>,
}

/// Something that was still open on a loop that was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenResource {
    /// "subscription", "timer", "stream", "work", "uv_tcp", …
    pub kind: String,
    /// Its label.
    pub label: String,
    /// Where it was made.
    pub site: String,
    /// The host's, which was left as it is; else Belay's, which was ended.
    pub is_foreign: bool,
}

impl Loop {
    /// The loop of this thread, of which this is one more user, else a new one.
    #[track_caller]
    pub fn new() -> Result<Loop> {
        Loop::with(LoopOptions::default())
    }

    /// The same with options.
    #[track_caller]
    pub fn with(options: LoopOptions) -> Result<Loop> {
        unsafe { Loop::made(belay_loop_create(&options.raw())) }
    }

    /// Belay on a loop of the host's, which the host goes on running.
    ///
    /// # Safety
    /// `uv` is a libuv loop of this thread, and lives until this has been dropped and the loop has
    /// been run after that, until the close is over.
    #[track_caller]
    pub unsafe fn adopt(uv: *mut uv_loop_s, options: LoopOptions) -> Result<Loop> {
        Loop::made(belay_loop_adopt(uv, &options.raw()))
    }

    unsafe fn made(raw: *mut belay_loop) -> Result<Loop> {
        let handle = LoopHandle::from_raw(raw).ok_or_else(Error::last)?;
        Ok(Loop { handle, here: PhantomData })
    }

    /// Its handle, for other threads, and for choosing it as a home.
    pub fn handle(&self) -> LoopHandle {
        self.handle.clone()
    }

    /// Its scheduler.
    pub fn scheduler(&self) -> Scheduler {
        unsafe { Scheduler::retaining(belay_loop_get_scheduler(self.as_raw())) }
            .expect("a loop has a scheduler")
    }

    /// Runs it until nothing is left to wait for, or [`LoopHandle::stop`]: scheduled work and
    /// sources in use are waited for, subscriptions to subjects alone are not. Whether something is
    /// left. [`Code::EBUSY`](crate::Code::EBUSY) while another thread runs it.
    pub fn run(&self) -> Result<bool> {
        self.run_in(BELAY_RUN_DEFAULT)
    }

    /// One turn, which waits for something to do.
    pub fn run_once(&self) -> Result<bool> {
        self.run_in(BELAY_RUN_ONCE)
    }

    /// One turn, which does not wait.
    pub fn run_nowait(&self) -> Result<bool> {
        self.run_in(BELAY_RUN_NOWAIT)
    }

    fn run_in(&self, mode: belay_run_mode) -> Result<bool> {
        check(unsafe { belay_loop_run(self.as_raw(), mode) }).map(|left| left == 1)
    }

    /// Whether there is something to wait for.
    pub fn is_alive(&self) -> bool {
        unsafe { belay_loop_alive(self.as_raw()) == 1 }
    }

    /// The time on the monotonic clock, read once a turn.
    pub fn now(&self) -> Duration {
        Duration::from_secs_f64(unsafe { belay_loop_now(self.as_raw()) }.max(0.0))
    }

    /// How often it has come back from waiting.
    pub fn turns(&self) -> u64 {
        unsafe { belay_loop_turns(self.as_raw()) }
    }

    /// The libuv loop inside, borrowed.
    pub fn uv(&self) -> *mut uv_loop_s {
        unsafe { belay_loop_uv(self.as_raw()) }
    }

    /// One descriptor for all: readable whenever the loop has something to do. The loop owns it.
    pub fn fd(&self) -> Result<BorrowedFd<'_>> {
        self.lent(unsafe { belay_loop_fd(self.as_raw()) })
    }

    /// The backend's descriptor, to be polled for reading as long as
    /// [`backend_timeout`](Loop::backend_timeout) says.
    pub fn backend_fd(&self) -> Result<BorrowedFd<'_>> {
        self.lent(unsafe { belay_loop_backend_fd(self.as_raw()) })
    }

    fn lent(&self, fd: c_int) -> Result<BorrowedFd<'_>> {
        // The loop is open as long as this user of it.
        check(fd).map(|fd| unsafe { BorrowedFd::borrow_raw(fd) })
    }

    /// How long to wait at most; `None`: without a limit. Ask again after every run, and after what
    /// may arm something.
    pub fn backend_timeout(&self) -> Option<Duration> {
        let seconds = unsafe { belay_loop_backend_timeout(self.as_raw()) };
        (seconds >= 0.0).then(|| Duration::from_secs_f64(seconds))
    }

    /// The loop's hook for errors that nobody handles, in place of the process's
    /// ([`on_unhandled_error`](crate::on_unhandled_error)).
    pub fn on_unhandled_error<F>(&self, hook: F) -> Result<()>
    where
        F: Fn(&crate::Unhandled<'_>) + Send + Sync + 'static,
    {
        check(unsafe {
            let (call, free) = (crate::unhandled::call::<F>, free::<F>);
            belay_loop_on_unhandled_error(self.as_raw(), Some(call), ctx(hook), Some(free))
        })
        .map(drop)
    }

    /// Ends everything on it, and returns the resources that were still open. From inside a run,
    /// and on an adopted loop, they are known only later, and the result is empty.
    pub fn close(self) -> Result<Vec<OpenResource>> {
        let resources = closing(|closed, list, free| unsafe {
            belay_loop_close(self.as_raw(), closed, list, free)
        })?;
        drop(self.into_handle());
        Ok(resources)
    }

    /// Lets another thread have it. Everything that is at home there goes along.
    pub fn unbind(self) -> Unbound {
        Unbound { handle: self.into_handle() }
    }

    /// The handle of a loop that is not closed by this.
    fn into_handle(self) -> LoopHandle {
        let this = std::mem::ManuallyDrop::new(self);
        // It is moved out, and not dropped there.
        unsafe { std::ptr::read(&this.handle) }
    }

    /// The C handle, borrowed. Its references are counted by [`Loop::handle`].
    pub fn as_raw(&self) -> *mut belay_loop {
        self.handle.as_raw()
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        // This is its thread; the last handle may be dropped elsewhere. A closed loop stays closed.
        unsafe {
            if belay_loop_close(self.as_raw(), None, std::ptr::null_mut(), None) < 0 {
                drop(Error::retaining(belay_last_error()));
            }
        }
    }
}

/// A loop on its way to another thread. Dropped on the way, it is closed, at the latest when the
/// thread that it was made on ends or looks for a loop.
#[derive(Debug)]
#[must_use = "a loop that is not bound again is closed"]
pub struct Unbound {
    handle: LoopHandle,
}

impl Unbound {
    /// Binds it to this thread; [`Code::EBOUND`](crate::Code::EBOUND) when this has another one,
    /// [`Code::EBUSY`](crate::Code::EBUSY) while it runs.
    ///
    /// # Safety
    /// Until this has returned, the thread that had the loop is in no call of this crate's that
    /// concerns it, but [`LoopHandle::post`] and [`LoopHandle::stop`]: it sends to nothing that is
    /// at home there, disposes of nothing there, and is in no closure of a subscription there. And
    /// no other [`Loop`] of it is left there, which could take it back. Nothing checks this. Where
    /// that thread has ended, or waits until this one has told it, it holds.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let made = std::thread::spawn(|| belay::Loop::new().map(belay::Loop::unbind));
    /// let unbound = made.join().expect("it does not panic")?;
    /// // The thread that had it has ended.
    /// let main = unsafe { unbound.bind()? };
    /// main.run()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// ```compile_fail,E0133
    /// # fn main() -> belay::Result<()> {
    /// let unbound = belay::Loop::new()?.unbind();
    /// std::thread::spawn(move || unbound.bind().map(drop));
    /// # Ok(())
    /// # }
    /// ```
    pub unsafe fn bind(self) -> Result<Loop> {
        check(belay_loop_bind(self.handle.as_raw()))?;
        Ok(Loop { handle: self.handle, here: PhantomData })
    }
}

type OpenResources = std::sync::Arc<std::sync::Mutex<Vec<OpenResource>>>;

fn lock(list: &OpenResources) -> std::sync::MutexGuard<'_, Vec<OpenResource>> {
    list.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Closes by `close`, and returns what was still open.
fn closing(
    close: impl FnOnce(belay_closed_fn, *mut c_void, belay_free_fn) -> c_int,
) -> Result<Vec<OpenResource>> {
    let list: OpenResources = Default::default();
    check(close(Some(take_resources), ctx(list.clone()), Some(free::<OpenResources>)))?;
    let resources = std::mem::take(&mut *lock(&list));
    Ok(resources)
}

unsafe extern "C" fn take_resources(
    ctx: *mut c_void,
    resources: *const *const belay_open_resource,
    count: usize,
) {
    edge::quietly(|| {
        let mut list = lock(&*(ctx as *const OpenResources));
        for index in 0..count {
            let resource = *resources.add(index);
            list.push(OpenResource {
                kind: rust_text(belay_open_resource_kind(resource)),
                label: rust_text(belay_open_resource_label(resource)),
                site: rust_text(belay_open_resource_site(resource)),
                is_foreign: belay_open_resource_is_foreign(resource) != 0,
            });
        }
    });
}
