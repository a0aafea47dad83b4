//! How a source is made.
use belay_sys::*;

use crate::loops::LoopHandle;
use crate::site::{self, Site};

/// What becomes of a value that is sent from inside a delivery of the same source.
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

    /// Its name in reports.
    pub fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// The loop that is its home.
    pub fn at(mut self, home: &'a LoopHandle) -> Self {
        self.home = Some(home);
        self
    }

    /// What becomes of what is sent from inside.
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
