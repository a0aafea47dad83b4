//! Time that passes when it is told to.
use std::marker::PhantomData;
use std::ops::Deref;
use std::time::Duration;

use belay_sys::*;

use crate::error::{check, Result};
use crate::loops::Scheduler;

/// A scheduler whose time passes only when it is told to: for tests. Its work runs on the thread
/// that advances it, in the order of due times.
#[derive(Debug)]
pub struct VirtualScheduler {
    scheduler: Scheduler,
    here: PhantomData<*mut ()>,
}

impl VirtualScheduler {
    /// A scheduler at time 0.
    ///
    /// # Safety
    /// It is not made for several threads: neither it, nor a clone of the [`Scheduler`] that it is,
    /// nor a signal on its time, is used on another thread.
    pub unsafe fn new() -> VirtualScheduler {
        let scheduler = Scheduler::from_raw(belay_scheduler_create_virtual());
        let scheduler = scheduler.expect("a virtual scheduler can always be made");
        VirtualScheduler { scheduler, here: PhantomData }
    }

    /// Lets time pass: runs what is due, what is scheduled meanwhile included.
    pub fn advance(&self, by: Duration) -> Result<()> {
        check(unsafe { belay_scheduler_advance(self.as_raw(), by.as_secs_f64()) }).map(drop)
    }

    /// Runs the next `count` pieces of work, whenever they are due. How many there were.
    pub fn step(&self, count: usize) -> Result<usize> {
        check(unsafe { belay_scheduler_step(self.as_raw(), count) }).map(|ran| ran as usize)
    }

    /// Runs all that there is; [`Code::EAGAIN`](crate::Code::EAGAIN) when a million runs are not
    /// enough.
    pub fn flush(&self) -> Result<()> {
        check(unsafe { belay_scheduler_flush(self.as_raw()) }).map(drop)
    }
}

impl Deref for VirtualScheduler {
    type Target = Scheduler;

    fn deref(&self) -> &Scheduler {
        &self.scheduler
    }
}
