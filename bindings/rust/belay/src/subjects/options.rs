//! Options of sources and of replays.
use std::ptr;
use std::time::Duration;

use belay_sys::*;

use crate::disposable::seconds_or_forever;
use crate::loops::{LoopHandle, Scheduler};
use crate::operators::count_of;
use crate::site::{self, home_option, label_option, Site};

/// The fate of a value that is sent from inside a delivery of the same source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reentrancy {
    /// It is delivered after the event in progress has reached everybody.
    Queue,
    /// It is delivered at once; to a subscription that is being called, when that has returned.
    DepthFirst,
    /// It is queued, but only the latest is kept.
    Latest,
    /// It is refused: [`Code::EREENTRANT`](crate::Code::EREENTRANT).
    Reject,
}

/// How a source is made: by default at home here, for any number of subscribers, with room for 1024
/// values that wait.
#[derive(Clone, Copy)]
pub struct SourceOptions<'a> {
    label: Option<&'static str>,
    home: Option<&'a LoopHandle>,
    reentrancy: Reentrancy,
    capacity: usize,
    shared: bool,
    site: Site,
}

impl Default for SourceOptions<'_> {
    #[track_caller]
    fn default() -> Self {
        SourceOptions {
            label: None,
            home: None,
            reentrancy: Reentrancy::Queue,
            capacity: 0,
            shared: false,
            site: Site::here(),
        }
    }
}

impl<'a> SourceOptions<'a> {
    /// The defaults.
    #[track_caller]
    pub fn new() -> Self {
        Self::default()
    }

    label_option!();
    home_option!("The loop that is its home.");

    /// Says what happens to a value that is sent from inside a delivery.
    pub fn reentrancy(mut self, reentrancy: Reentrancy) -> Self {
        self.reentrancy = reentrancy;
        self
    }

    /// How many values wait while one is delivered; 0: 1024.
    pub fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// Without a home: the sender's thread delivers, one value at a time.
    pub fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    pub(crate) fn raw(&self) -> belay_source_options {
        belay_source_options {
            label: site::label(self.label),
            site: self.site.text(),
            r#loop: self.home.map_or(std::ptr::null_mut(), LoopHandle::as_raw),
            reentrancy: match self.reentrancy {
                Reentrancy::Queue => BELAY_REENTRANCY_QUEUE,
                Reentrancy::DepthFirst => BELAY_REENTRANCY_DEPTH_FIRST,
                Reentrancy::Latest => BELAY_REENTRANCY_LATEST,
                Reentrancy::Reject => BELAY_REENTRANCY_REJECT,
            },
            capacity: self.capacity,
            shared: self.shared.into(),
            ..belay_source_options::default()
        }
    }
}

/// Which values a replay keeps: by default all.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplayOptions<'a> {
    count: Option<usize>,
    age: Option<Duration>,
    scheduler: Option<&'a Scheduler>,
}

impl<'a> ReplayOptions<'a> {
    /// All values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The last `count` values; `None`: all of them.
    pub(crate) fn of(count: impl Into<Option<usize>>) -> Self {
        ReplayOptions { count: count.into(), ..Self::default() }
    }

    /// At most so many values, the last ones.
    pub fn count(mut self, count: usize) -> Self {
        self.count = Some(count);
        self
    }

    /// Values that are not older than that.
    pub fn age(mut self, age: Duration) -> Self {
        self.age = Some(age);
        self
    }

    /// The scheduler whose clock tells the age, in place of the monotonic clock.
    pub fn clock(mut self, scheduler: &'a Scheduler) -> Self {
        self.scheduler = Some(scheduler);
        self
    }

    /// The three arguments that C takes for it.
    pub(crate) fn raw(&self) -> (*mut belay_scheduler, f64, usize) {
        let scheduler = self.scheduler.map_or(ptr::null_mut(), Scheduler::as_raw);
        (scheduler, seconds_or_forever(self.age), count_of(self.count))
    }
}
