//! A loop as the executor of one future.
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake};
use std::time::Duration;

use crate::disposable::Disposable;
use crate::error::Result;
use crate::loops::{Loop, Scheduler};

/// Wakes the loop that polls.
struct Waker {
    on: Scheduler,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_woken: bool,
    /// Nobody polls any more.
    is_over: bool,
    /// Work that does nothing but make the loop turn. It is disposed of when it is not needed any
    /// more; what a close finds in the queue would be a loss.
    turn: Option<Disposable>,
}

impl Waker {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Whether it has been woken since the last time.
    fn is_woken(&self) -> bool {
        let mut state = self.lock();
        let turn = state.turn.take();
        let is_woken = std::mem::take(&mut state.is_woken);
        drop(state);
        if let Some(turn) = turn {
            turn.dispose();
        }
        is_woken
    }
}

impl Wake for Waker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut state = self.lock();
        if !state.is_woken && !state.is_over {
            state.is_woken = true;
            // The turn ends, and the future is polled. A full queue makes the loop turn, too. (This
            // calls nothing of the program's while the lock is held.)
            state.turn = self.on.schedule(|| ()).ok();
        }
    }
}

/// Ends the wakes when it goes, also by a panic of the future.
struct Waking(Arc<Waker>);

impl Drop for Waking {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.is_woken();
    }
}

impl Loop {
    /// Runs the loop until `future` is ready, which is polled on this thread. It may be woken from
    /// any thread, and may wait for other things than the loop's.
    /// A callback of the loop may call it, too: the run is nested then.
    /// [`Code::EBUSY`](crate::Code::EBUSY) while another thread runs the loop.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// use belay::Signal;
    /// let main = belay::Loop::new()?;
    /// let sum = main.block_on(async {
    ///     let mut numbers = Signal::range(1, 3).values()?;
    ///     let mut sum = 0;
    ///     while let Some(number) = numbers.next().await {
    ///         sum += number?;
    ///     }
    ///     Ok::<i64, belay::Error>(sum)
    /// })??;
    /// assert_eq!(sum, 6);
    /// # Ok(())
    /// # }
    /// ```
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output> {
        // A loop with nothing of its own to wait for would not wait for the waker.
        let (far, leeway) = (Duration::from_secs(1 << 30), Duration::ZERO);
        let _alive = self.scheduler().every(far, far, leeway, || ())?.scoped();
        let state = Mutex::new(State { is_woken: true, ..State::default() });
        let waker = Arc::new(Waker { on: self.scheduler(), state });
        let as_waker = waker.clone().into();
        let waking = Waking(waker);
        let mut context = Context::from_waker(&as_waker);
        let mut future = future;
        // It is not moved from here on.
        let mut future = unsafe { Pin::new_unchecked(&mut future) };
        loop {
            if waking.0.is_woken() {
                if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                    return Ok(output);
                }
            } else {
                self.run_once()?;
            }
        }
    }
}
