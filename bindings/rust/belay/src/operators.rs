//! Operators: methods of [`Signal`](crate::Signal) that make another of it.
mod aggregating;
mod binding;
mod combining;
mod effects;
mod filtering;
mod flattening;
mod sharing;
mod timing;
mod transforming;

pub use binding::Variable;
pub use combining::Signals;
pub use effects::Tap;
pub use sharing::{Connectable, ShareRules};
pub use timing::{QueueOptions, QueuePolicy, Throttle};
pub use transforming::{Event, Group};

/// A count for C, where none is no limit.
pub(crate) fn count_of(count: impl Into<Option<usize>>) -> usize {
    count.into().unwrap_or(belay_sys::BELAY_UNLIMITED)
}
