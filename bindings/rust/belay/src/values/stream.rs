//! Polling.
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::error::Result;
use crate::value::Value;
use crate::values::Values;

/// The next value as a future; see [`Values::next`].
#[derive(Debug)]
#[must_use = "a future does nothing until it is polled"]
pub struct Next<'a, T: Value> {
    values: &'a mut Values<T>,
}

impl<T: Value> Future for Next<'_, T> {
    type Output = Option<Result<T>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.values.poll(context)
    }
}

// Nothing in it is pinned.
impl<T: Value> Unpin for Values<T> {}

impl<T: Value> Values<T> {
    /// The next value, the error that ends them, or `None` at the end. When there is none yet, the
    /// last `context`'s waker is woken as soon as there may be one, from any thread.
    ///
    /// It has the signature of `Stream::poll_next` of the crate futures-core, so that a program that
    /// uses this crate makes its streams in a few lines:
    ///
    /// ```
    /// # mod futures_core {
    /// #     use std::{pin::Pin, task::{Context, Poll}};
    /// #     pub trait Stream {
    /// #         type Item;
    /// #         fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>>;
    /// #     }
    /// # }
    /// use std::{pin::Pin, task::{Context, Poll}};
    ///
    /// struct Streamed<T: belay::Value>(belay::Values<T>);
    ///
    /// impl<T: belay::Value> futures_core::Stream for Streamed<T> {
    ///     type Item = belay::Result<T>;
    ///
    ///     fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    ///         Pin::new(&mut self.0).poll_next(cx)
    ///     }
    /// }
    /// ```
    pub fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<T>>> {
        self.poll(context)
    }

    /// The next value as a future. Dropped before it is ready, it has taken nothing.
    // Streams have it under this name, too.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Next<'_, T> {
        Next { values: self }
    }
}
