//! Iterating.
use std::iter::FusedIterator;
use std::task::Poll;

use crate::code::Code;
use crate::error::{Error, Result};
use crate::loops::Loop;
use crate::signal::Signal;
use crate::value::Value;
use crate::values::{arrive, Values};

/// The values of a signal that sends them while it is subscribed to.
#[derive(Debug)]
pub struct Immediate<T: Value> {
    values: Values<T>,
}

/// The values of a signal, for which a loop is run.
#[derive(Debug)]
pub struct Blocking<'a, T: Value> {
    values: Values<T>,
    on: &'a Loop,
}

impl<T: Value> Signal<T> {
    /// Iterates over what the signal sends while it is subscribed to, and its error. One that has
    /// not ended by then is [`Code::EAGAIN`], after its values: it needs a loop
    /// ([`iter_blocking`](Signal::iter_blocking)). One that never ends by itself needs a
    /// [`take`](Signal::take).
    #[track_caller]
    pub fn iter(&self) -> Result<Immediate<T>> {
        let values = self.values()?;
        arrive(&values.inbox, |arrived| arrived.end(Some(Error::from(Code::EAGAIN))));
        values.subscription.dispose();
        Ok(Immediate { values })
    }

    /// Iterates over what the signal sends, and its error. While there is nothing, it runs `on`, at
    /// which it subscribes; when that has nothing left to wait for, it is [`Code::ECANCELED`].
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// use std::time::Duration;
    /// let main = belay::Loop::new()?;
    /// let ticks = belay::Signal::interval(&main.scheduler(), Duration::from_millis(1)).take(3);
    /// let seen: belay::Result<Vec<u64>> = ticks.iter_blocking(&main)?.collect();
    /// assert_eq!(seen?, [0, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn iter_blocking<'a>(&self, on: &'a Loop) -> Result<Blocking<'a, T>> {
        let values = Values::new(self, Some(&on.handle()), usize::MAX)?;
        Ok(Blocking { values, on })
    }
}

impl<T: Value> Iterator for Immediate<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.values.try_next()
    }
}

impl<T: Value> FusedIterator for Immediate<T> {}

impl<T: Value> Iterator for Blocking<'_, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        loop {
            if let Poll::Ready(next) = self.values.take() {
                return next;
            }
            let is_over = match self.on.run_once() {
                Ok(is_left) => (!is_left).then(|| Error::from(Code::ECANCELED)),
                Err(error) => Some(error),
            };
            if let Some(error) = is_over {
                // The values of the last turn come first.
                arrive(&self.values.inbox, |arrived| arrived.end(Some(error)));
                self.values.subscription.dispose();
            }
        }
    }
}

impl<T: Value> FusedIterator for Blocking<'_, T> {}
