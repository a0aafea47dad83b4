//! Polling.
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::error::Result;
use crate::value::Value;
use crate::values::Values;

/// A sequence whose next item may have to be waited for: what `Stream` is elsewhere, without a
/// dependency. Any executor will do.
pub trait Stream {
    /// What it is a sequence of.
    type Item;

    /// The next item, `None` at the end; pending when there is none yet, and then the context's
    /// waker is woken when there may be.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Self::Item>>;

    /// The next item as a future. Dropped before it is ready, it has taken nothing.
    fn next(&mut self) -> Next<'_, Self>
    where
        Self: Sized,
    {
        Next { stream: self }
    }
}

/// The next item of a [`Stream`].
#[derive(Debug)]
#[must_use = "a future does nothing until it is polled"]
pub struct Next<'a, S> {
    stream: &'a mut S,
}

impl<S: Stream> Future for Next<'_, S> {
    type Output = Option<S::Item>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.stream.poll_next(context)
    }
}

impl<T: Value> Stream for Values<T> {
    type Item = Result<T>;

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        self.poll(context)
    }
}

impl<S: Stream + ?Sized> Stream for &mut S {
    type Item = S::Item;

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        (**self).poll_next(context)
    }
}
