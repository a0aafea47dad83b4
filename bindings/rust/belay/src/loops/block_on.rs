//! A loop as the executor of one future.
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::time::Duration;

use crate::error::Result;
use crate::loops::{Loop, LoopHandle};

/// Wakes the loop that polls.
struct Waker {
    on: LoopHandle,
    is_woken: AtomicBool,
}

impl Wake for Waker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_woken.swap(true, Ordering::AcqRel) {
            // Its turn ends, and the future is polled. A full queue makes it turn, too.
            let _ = self.on.post(|| ());
        }
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
        let waker = Arc::new(Waker { on: self.handle(), is_woken: AtomicBool::new(true) });
        let as_waker = waker.clone().into();
        let mut context = Context::from_waker(&as_waker);
        let mut future = future;
        // It is not moved from here on.
        let mut future = unsafe { Pin::new_unchecked(&mut future) };
        loop {
            if waker.is_woken.swap(false, Ordering::AcqRel) {
                if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                    return Ok(output);
                }
            } else {
                self.run_once()?;
            }
        }
    }
}
