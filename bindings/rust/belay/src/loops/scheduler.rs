//! Schedulers.
use std::time::Duration;

use belay_sys::*;

use crate::callbacks::{action, call_once, ctx, free, once, Once};
use crate::disposable::Disposable;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle, handle_value};
use crate::loops::recursion::{self, Recursion};
use crate::loops::Loop;
use crate::site::Site;

handle! {
    /// Where and when work runs: a loop's, a worker's, a pool's, or at once. A clone is the same.
    Scheduler: belay_scheduler, belay_scheduler_retain, belay_scheduler_release
}
any_thread!(Scheduler);
handle_value! {
    Scheduler: belay_value_from_scheduler, belay_value_get_scheduler, BELAY_KIND_SCHEDULER,
    "a scheduler"
}

impl Scheduler {
    /// Runs work at once, in the call; it has no clock.
    pub fn immediate() -> Scheduler {
        unsafe { Scheduler::retaining(belay_scheduler_immediate()) }.expect("it is static")
    }

    /// Runs work on the calling thread: at once, or, inside work of this scheduler, after it.
    pub fn trampoline() -> Scheduler {
        unsafe { Scheduler::retaining(belay_scheduler_trampoline()) }.expect("it is static")
    }

    /// Runs work on threads of libuv's pool, one piece after the other. `on` takes it there, and has
    /// to run.
    pub fn pool(on: &Loop) -> Result<Scheduler> {
        unsafe { Scheduler::from_raw(belay_scheduler_create_pool(on.as_raw())) }
            .ok_or_else(Error::last)
    }

    /// Runs work at once where there is a current scheduler, else on `background`.
    pub fn subscription(background: &Scheduler) -> Result<Scheduler> {
        let made = unsafe { belay_scheduler_create_subscription(background.as_raw()) };
        unsafe { Scheduler::from_raw(made) }.ok_or_else(Error::last)
    }

    /// The scheduler whose work is running on this thread, else that of this thread's loop.
    pub fn current() -> Option<Scheduler> {
        unsafe { Scheduler::retaining(belay_scheduler_current()) }
    }

    /// The time on its clock, read once a turn on a loop.
    pub fn now(&self) -> Duration {
        Duration::from_secs_f64(unsafe { belay_scheduler_now(self.as_raw()) }.max(0.0))
    }

    /// The most that ever waited in its queue; 0 for one that has none.
    pub fn queue_high_water(&self) -> usize {
        unsafe { belay_scheduler_queue_high_water(self.as_raw()) }
    }

    /// Runs `work` as soon as it can, in the order of scheduling. Disposed of before it starts, it
    /// does not run. A panic goes to the hook for errors that nobody handles.
    /// [`Code::ECANCELED`](crate::Code::ECANCELED) when the loop is closed,
    /// [`Code::EAGAIN`](crate::Code::EAGAIN) when its queue is full.
    #[track_caller]
    pub fn schedule<F: FnOnce() + Send + 'static>(&self, work: F) -> Result<Disposable> {
        let ctx = once(work);
        given(|out| unsafe {
            let (call, free) = (call_once::<F>, free::<Once<F>>);
            belay_scheduler_schedule(self.as_raw(), Some(call), ctx, Some(free), out)
        })
    }

    /// Runs `work` once, no earlier than `delay` from now.
    #[track_caller]
    pub fn after<F>(&self, delay: Duration, work: F) -> Result<Disposable>
    where
        F: FnOnce() + Send + 'static,
    {
        let ctx = once(work);
        given(|out| unsafe {
            let (call, free, delay) = (call_once::<F>, free::<Once<F>>, delay.as_secs_f64());
            belay_scheduler_after(self.as_raw(), delay, Some(call), ctx, Some(free), out)
        })
    }

    /// Runs `work` after `delay`, and then every `interval`, each time at most `leeway` late, so
    /// that timers can share a wake-up. Intervals that are missed are skipped.
    #[track_caller]
    pub fn every<F>(
        &self,
        delay: Duration,
        interval: Duration,
        leeway: Duration,
        work: F,
    ) -> Result<Disposable>
    where
        F: Fn() + Send + Sync + 'static,
    {
        let ctx = ctx((work, Site::here()));
        let (delay, interval) = (delay.as_secs_f64(), interval.as_secs_f64());
        given(|out| unsafe {
            let (call, free) = (action::<F>, free::<(F, Site)>);
            let leeway = leeway.as_secs_f64();
            let raw = self.as_raw();
            belay_scheduler_every(raw, delay, interval, leeway, Some(call), ctx, Some(free), out)
        })
    }

    /// Runs `work` as soon as it can, and once more for each [`Recursion::again`]; the stack does
    /// not grow.
    #[track_caller]
    pub fn recursive<F>(&self, work: F) -> Result<Disposable>
    where
        F: Fn(&Recursion) + Send + Sync + 'static,
    {
        let ctx = ctx((work, Site::here()));
        given(|out| unsafe {
            let (call, free) = (recursion::call::<F>, free::<(F, Site)>);
            belay_scheduler_recursive(self.as_raw(), Some(call), ctx, Some(free), out)
        })
    }
}

/// The disposable that a call of C gives.
pub(crate) fn given(
    call: impl FnOnce(*mut *mut belay_disposable) -> std::os::raw::c_int,
) -> Result<Disposable> {
    let mut out = std::ptr::null_mut();
    check(call(&mut out))?;
    unsafe { Disposable::from_raw(out) }.ok_or_else(Error::last)
}
