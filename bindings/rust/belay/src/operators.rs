//! Operators: methods of [`Signal`](crate::Signal) that make another of it.

/// Defines an operator that makes a value of its last result and each value.
macro_rules! accumulating {
    ($(#[$doc:meta])* $name:ident: $function:ident) => {
        $(#[$doc])*
        pub fn $name<S, R, F>(&self, seed: S, step: F) -> Signal<S>
        where
            S: Value,
            R: Outcome<Value = S>,
            F: Fn(S, T) -> R + Send + Sync + 'static,
        {
            let (call, free) = (crate::callbacks::scan::<S, T, R, F>, free::<F>);
            let seed = seed.into_dynamic().into_raw();
            unsafe { self.with($function(seed, Some(call), ctx(step), Some(free))) }
        }
    };
}

mod aggregating;
mod binding;
mod combining;
mod effects;
mod filtering;
mod flattening;
mod sharing;
mod timing;
mod transforming;

pub(crate) use binding::private;
pub use binding::Variable;
pub use combining::Signals;
pub use effects::Tap;
pub use flattening::Backoff;
pub use sharing::{Connectable, ShareResets, ShareRules};
pub use timing::{QueueOptions, QueuePolicy, Throttle};
pub use transforming::{Event, Group};

/// A count for C, where none is no limit.
pub(crate) fn count_of(count: impl Into<Option<usize>>) -> usize {
    count.into().unwrap_or(belay_sys::BELAY_UNLIMITED)
}
