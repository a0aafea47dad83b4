//! A loop from elsewhere.
use belay_sys::*;

use crate::callbacks::{call_once, free, once, Once};
use crate::error::{check, Result};
use crate::handle::{any_thread, handle, handle_value};

handle! {
    /// The handle of a loop for other threads, and for choosing it as a home. It keeps the memory
    /// of the loop, and not the loop open: that is its [`Loop`](crate::Loop)'s.
    LoopHandle: belay_loop, belay_loop_retain, belay_loop_release
}
any_thread!(LoopHandle);
handle_value! {
    LoopHandle: belay_value_from_loop, belay_value_get_loop, BELAY_KIND_LOOP, "a loop"
}

impl LoopHandle {
    /// The loop bound to this thread.
    pub fn current() -> Option<LoopHandle> {
        unsafe { LoopHandle::retaining(belay_loop_current()) }
    }

    /// Runs `action` on the loop's thread, at its next turn, in the order of posting. A panic in it
    /// goes to the hook for errors that nobody handles.
    /// [`Code::EAGAIN`](crate::Code::EAGAIN) when the queue is full,
    /// [`Code::ECANCELED`](crate::Code::ECANCELED) when the loop is closed.
    #[track_caller]
    pub fn post<F: FnOnce() + Send + 'static>(&self, action: F) -> Result<()> {
        check(unsafe {
            let (ctx, free) = (once(action), free::<Once<F>>);
            belay_loop_post(self.as_raw(), Some(call_once::<F>), ctx, Some(free))
        })
        .map(drop)
    }

    /// Makes a run return after the turn in progress; before a run, makes the next one return at
    /// once.
    pub fn stop(&self) -> Result<()> {
        check(unsafe { belay_loop_stop(self.as_raw()) }).map(drop)
    }

    /// The most that ever waited in the queue from other threads.
    pub fn queue_high_water(&self) -> usize {
        unsafe { belay_loop_queue_high_water(self.as_raw()) }
    }
}
