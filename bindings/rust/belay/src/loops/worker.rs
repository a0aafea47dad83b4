//! Workers.
use belay_sys::*;

use crate::error::{Error, Result};
use crate::handle::{any_thread, handle};
use crate::loops::Scheduler;
use crate::site;

handle! {
    /// A thread of its own with a loop of its own, for work that must not hold up another. With the
    /// last reference it finishes what it is at, and its thread has ended when that drop returns.
    ///
    /// ```
    /// use belay::{Signal, Worker};
    /// # fn main() -> belay::Result<()> {
    /// let main = belay::Loop::new()?;
    /// let worker = Worker::new(Some("hasher"))?;
    /// let sum = Signal::range(1, 1000)
    ///     .subscribe_on(&worker.scheduler())
    ///     .reduce(0, |sum, n: i64| sum + n);
    /// assert_eq!(sum.wait_first(&main, None)?, 500_500);
    /// # Ok(())
    /// # }
    /// ```
    Worker: belay_worker, belay_worker_retain, belay_worker_release
}
any_thread!(Worker);

impl Worker {
    /// Starts one; `label` names its loop in reports. libuv's error when there is no thread.
    pub fn new(label: Option<&'static str>) -> Result<Worker> {
        Worker::with_priority(label, 0)
    }

    /// Starts one whose thread has a nice value, from -20 to 19. The system's code when it refuses
    /// that.
    pub fn with_priority(label: Option<&'static str>, priority: i32) -> Result<Worker> {
        let options = belay_worker_options {
            label: site::label(label),
            priority,
            ..belay_worker_options::default()
        };
        unsafe { Worker::from_raw(belay_worker_create(&options)) }.ok_or_else(Error::last)
    }

    /// Its scheduler, which refuses work when the worker has gone.
    pub fn scheduler(&self) -> Scheduler {
        unsafe { Scheduler::retaining(belay_worker_get_scheduler(self.as_raw())) }
            .expect("a worker has a scheduler")
    }
}
