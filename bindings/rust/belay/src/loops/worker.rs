//! Workers.
use belay_sys::*;

use crate::error::{Error, Result};
use crate::handle::{any_thread, handle};
use crate::loops::Scheduler;
use crate::site::{self, label_option, Site};

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

/// How a worker is made. Its label is the name of its thread, too, of which Linux keeps 15 bytes.
#[derive(Clone, Copy)]
pub struct WorkerOptions {
    label: Option<&'static str>,
    capacity: usize,
    priority: i32,
    site: Site,
}

impl Default for WorkerOptions {
    #[track_caller]
    fn default() -> Self {
        WorkerOptions { label: None, capacity: 0, priority: 0, site: Site::here() }
    }
}

impl WorkerOptions {
    /// The defaults. Reports name the place of this call.
    #[track_caller]
    pub fn new() -> Self {
        Self::default()
    }

    label_option!();

    /// How much work of other threads waits at most; 0: 1024. Ends and disposals are not counted.
    pub fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// The nice value of its thread, from -20 to 19.
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }
}

impl Worker {
    /// Starts one; `label` names its loop in reports. libuv's error when there is no thread.
    #[track_caller]
    pub fn new(label: Option<&'static str>) -> Result<Worker> {
        Worker::with_priority(label, 0)
    }

    /// Starts one whose thread has a nice value, from -20 to 19. The system's code when it refuses
    /// that.
    #[track_caller]
    pub fn with_priority(label: Option<&'static str>, priority: i32) -> Result<Worker> {
        Worker::with(WorkerOptions { label, priority, ..WorkerOptions::default() })
    }

    /// Starts one with options. libuv's error when there is no thread; the system's code when it refuses
    /// the priority.
    pub fn with(options: WorkerOptions) -> Result<Worker> {
        let options = belay_worker_options {
            label: site::label(options.label),
            site: options.site.text(),
            capacity: options.capacity,
            priority: options.priority,
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
