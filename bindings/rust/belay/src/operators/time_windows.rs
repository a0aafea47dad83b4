//! Several values together, by time.
use std::time::Duration;

use belay_sys::*;

use crate::loops::Scheduler;
use crate::operators::count_of;
use crate::signal::Signal;
use crate::value::Value;

impl<T: Value> Signal<T> {
    /// What has come, every `interval`, none included; with a `count`, as soon as there are as many,
    /// which starts the time anew.
    pub fn buffer_time(
        &self,
        scheduler: &Scheduler,
        interval: Duration,
        count: Option<usize>,
    ) -> Signal<Vec<T>> {
        let (seconds, count) = (interval.as_secs_f64(), count_of(count));
        unsafe { self.with(belay_op_buffer_time(scheduler.as_raw(), seconds, count)) }
    }

    /// A window every `interval`; with a `count`, as soon as as many values have come, which starts
    /// the time anew. See [`Signal::window`].
    pub fn window_time(
        &self,
        scheduler: &Scheduler,
        interval: Duration,
        count: Option<usize>,
    ) -> Signal<Signal<T>> {
        let (seconds, count) = (interval.as_secs_f64(), count_of(count));
        unsafe { self.with(belay_op_window_time(scheduler.as_raw(), seconds, count)) }
    }
}
