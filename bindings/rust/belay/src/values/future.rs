//! The first and the last value as futures.
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::code::Code;
use crate::error::{Error, Result};
use crate::signal::Signal;
use crate::value::Value;
use crate::values::Values;

/// A signal's first value, to be awaited; dropped, it disposes.
#[derive(Debug)]
#[must_use = "dropped at once, it ends at once"]
pub struct FirstValue<T: Value> {
    values: Values<T>,
}

/// A signal's last value, to be awaited; dropped, it disposes.
#[derive(Debug)]
#[must_use = "dropped at once, it ends at once"]
pub struct LastValue<T: Value> {
    values: Values<T>,
}

/// Its answer when a signal has ended without a value.
fn ended() -> Error {
    Error::from(Code::EENDED)
}

impl<T: Value> Signal<T> {
    /// Subscribes, and waits for the first value: [`Code::EENDED`] when the signal completes without
    /// one. It is woken from the subscription's home, and may be polled by any executor, on any
    /// thread.
    #[track_caller]
    pub fn first_value(&self) -> Result<FirstValue<T>> {
        self.take(1).values().map(|values| FirstValue { values })
    }

    /// The same for the last value before the completion.
    #[track_caller]
    pub fn last_value(&self) -> Result<LastValue<T>> {
        self.take_last(1).values().map(|values| LastValue { values })
    }
}

// Nothing in them is pinned.
impl<T: Value> Unpin for FirstValue<T> {}
impl<T: Value> Unpin for LastValue<T> {}

impl<T: Value> Future for FirstValue<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        self.values.poll(context).map(|next| next.unwrap_or_else(|| Err(ended())))
    }
}

impl<T: Value> Future for LastValue<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        self.values.poll(context).map(|next| next.unwrap_or_else(|| Err(ended())))
    }
}
