//! Loops of the program's own as schedulers, without libuv.
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::raw::c_void;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use belay_sys::*;

use super::{closing, LoopOptions, OpenResource, Scheduler};
use crate::callbacks::{ctx, free};
use crate::edge;
use crate::error::{Error, Result};

/// Work that a loop of the program's own has been given. It is run once, on the loop's thread; a loop
/// that ends drops what it has not run.
#[must_use = "work that is dropped and not run ends its loop"]
pub struct HostWork {
    action: belay_action_fn,
    work: *mut c_void,
    free: belay_free_fn,
}

// Belay counts its references on any thread, and does nothing when it is run on a wrong one.
unsafe impl Send for HostWork {}

impl HostWork {
    /// Runs it, on the loop's thread.
    pub fn run(self) {
        if let Some(action) = self.action {
            unsafe { action(self.work) }
        }
    }
}

impl Drop for HostWork {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            unsafe { free(self.work) }
        }
    }
}

/// A loop of the program's own: a game's, another framework's. [`HostScheduler`] schedules there.
///
/// Its functions must not wait, call Belay, or run the work inside of the call. Work that is run on
/// another thread does nothing, and a line on stderr says so. When work of `schedule` is dropped
/// before it has been run, the loop counts as ended, and refuses everything with
/// [`Code::ECANCELED`](crate::Code::ECANCELED). One that panics has dropped its work.
pub trait HostLoop: Send + Sync + 'static {
    /// Runs the work soon. Any thread calls this, and perhaps again before the work has been run.
    fn schedule(&self, work: HostWork);

    /// Runs the work after `delay`. The loop's thread calls this. At most one such work waits.
    fn after(&self, delay: Duration, work: HostWork);

    /// Drops the work of `after` that waits. The loop's thread calls this.
    fn cancel(&self);

    /// The time of its clock, which never goes back. Any thread calls this.
    fn now(&self) -> Duration {
        static START: Mutex<Option<Instant>> = Mutex::new(None);
        let mut start = START.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        start.get_or_insert_with(Instant::now).elapsed()
    }
}

impl<L: HostLoop> HostLoop for Arc<L> {
    fn schedule(&self, work: HostWork) {
        (**self).schedule(work)
    }
    fn after(&self, delay: Duration, work: HostWork) {
        (**self).after(delay, work)
    }
    fn cancel(&self) {
        (**self).cancel()
    }
    fn now(&self) -> Duration {
        (**self).now()
    }
}

/// The scheduler of a loop that the program runs on this thread: the home of what is made and
/// subscribed to there, without libuv.
///
/// It stays on its thread. When it is dropped, what is at home there ends, and a line on stderr tells
/// of each that was still alive ([`HostScheduler::close`] returns them instead).
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use std::time::Duration;
/// use belay::{HostLoop, HostScheduler, HostWork, Subject};
///
/// #[derive(Default)]
/// struct Frames {
///     work: Mutex<Vec<HostWork>>,
///     timer: Mutex<Option<HostWork>>,
/// }
///
/// impl HostLoop for Frames {
///     fn schedule(&self, work: HostWork) {
///         self.work.lock().unwrap().push(work);
///     }
///     fn after(&self, _delay: Duration, work: HostWork) {
///         *self.timer.lock().unwrap() = Some(work);
///     }
///     fn cancel(&self) {
///         self.timer.lock().unwrap().take();
///     }
/// }
///
/// # fn main() -> belay::Result<()> {
/// let frames = Arc::new(Frames::default());
/// let scheduler = HostScheduler::new(frames.clone())?;
/// let numbers = Subject::<i32>::new();
/// numbers.subscribe(|number| println!("{number}"))?;
/// std::thread::spawn(move || numbers.next(1)).join().unwrap()?;
/// // The next frame: the value has come home.
/// let work = std::mem::take(&mut *frames.work.lock().unwrap());
/// work.into_iter().for_each(HostWork::run);
/// scheduler.close()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct HostScheduler {
    scheduler: Scheduler,
    /// Not `Send`, not `Sync`.
    here: PhantomData<*mut ()>,
}

impl HostScheduler {
    /// Binds the loop to this thread. [`Code::EBOUND`](crate::Code::EBOUND) when this thread has another
    /// one.
    #[track_caller]
    pub fn new(on: impl HostLoop) -> Result<HostScheduler> {
        HostScheduler::with(on, LoopOptions::default())
    }

    /// The same with a label, a capacity and quietness.
    pub fn with<L: HostLoop>(on: L, options: LoopOptions) -> Result<HostScheduler> {
        let options = options.raw();
        let table = belay_scheduler_table {
            label: options.label,
            site: options.site,
            capacity: options.capacity,
            quiet: options.quiet,
            schedule: Some(schedule::<L>),
            after: Some(after::<L>),
            cancel: Some(cancel::<L>),
            now: Some(now::<L>),
            ..belay_scheduler_table::default()
        };
        let made = unsafe { belay_scheduler_create_host(&table, ctx(on), Some(free::<L>)) };
        let scheduler = unsafe { Scheduler::from_raw(made) }.ok_or_else(Error::last)?;
        Ok(HostScheduler { scheduler, here: PhantomData })
    }

    /// Ends everything that is at home there, and returns the resources that were still open.
    pub fn close(self) -> Result<Vec<OpenResource>> {
        let resources = closing(|closed, list, free| unsafe {
            belay_scheduler_close(self.as_raw(), closed, list, free)
        })?;
        let this = ManuallyDrop::new(self);
        // It is moved out: what is closed is not closed again.
        drop(unsafe { std::ptr::read(&this.scheduler) });
        Ok(resources)
    }
}

impl Deref for HostScheduler {
    type Target = Scheduler;
    fn deref(&self) -> &Scheduler {
        &self.scheduler
    }
}

impl Drop for HostScheduler {
    fn drop(&mut self) {
        unsafe {
            if belay_scheduler_close(self.as_raw(), None, std::ptr::null_mut(), None) < 0 {
                drop(Error::retaining(belay_last_error()));
            }
        }
    }
}

unsafe extern "C" fn schedule<L: HostLoop>(
    host: *mut c_void,
    action: belay_action_fn,
    work: *mut c_void,
    free: belay_free_fn,
) {
    let work = HostWork { action, work, free };
    edge::quietly(|| (*(host as *const L)).schedule(work));
}

unsafe extern "C" fn after<L: HostLoop>(
    host: *mut c_void,
    seconds: f64,
    action: belay_action_fn,
    work: *mut c_void,
    free: belay_free_fn,
) -> *mut c_void {
    let work = HostWork { action, work, free };
    // Belay sets a timer that is early again.
    let delay = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
    edge::quietly(|| (*(host as *const L)).after(delay, work));
    // There is only one timer.
    host
}

unsafe extern "C" fn cancel<L: HostLoop>(host: *mut c_void, _timer: *mut c_void) {
    edge::quietly(|| (*(host as *const L)).cancel());
}

unsafe extern "C" fn now<L: HostLoop>(host: *mut c_void) -> f64 {
    let mut time = 0.0;
    edge::quietly(|| time = (*(host as *const L)).now().as_secs_f64());
    time
}
