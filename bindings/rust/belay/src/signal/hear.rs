//! Receivers of values.
use crate::edge;
use crate::error::Result;
use crate::value::{Dynamic, Value};

/// Receives the values of a subscription: a closure for each value, or for the values that arrive
/// together.
pub trait Hear<T>: private::Sealed + Send + 'static {
    /// Whether it is for several.
    #[doc(hidden)]
    const IS_FOR_BATCHES: bool;

    /// Calls it.
    #[doc(hidden)]
    fn hear(&mut self, values: &[Dynamic]) -> Result<()>;
}

mod private {
    pub trait Sealed {}
    impl<N> Sealed for super::Each<N> {}
    impl<N> Sealed for super::Batch<N> {}
    impl<N> Sealed for super::Filling<N> {}
}

/// A closure that is called with each value: [`Observing::next`](crate::Observing::next).
pub struct Each<N>(pub(super) N);

/// A closure that is called with the values that arrive together:
/// [`Observing::next_batch`](crate::Observing::next_batch).
pub struct Batch<N>(pub(super) N);

/// A closure that is lent the values that arrive together, unread, and whose error ends the
/// subscription.
pub struct Filling<N>(pub(crate) N);

impl<T: Value, N: FnMut(T) + Send + 'static> Hear<T> for Each<N> {
    const IS_FOR_BATCHES: bool = false;

    fn hear(&mut self, values: &[Dynamic]) -> Result<()> {
        for value in values {
            (self.0)(T::from_dynamic(value)?);
        }
        Ok(())
    }
}

impl<T: Value, N: FnMut(Vec<T>) + Send + 'static> Hear<T> for Batch<N> {
    const IS_FOR_BATCHES: bool = true;

    fn hear(&mut self, values: &[Dynamic]) -> Result<()> {
        // The values before one that is no `T`, or whose reading panics, have arrived.
        let mut read = Vec::with_capacity(values.len());
        let all = edge::caught(|| {
            for value in values {
                read.push(T::from_dynamic(value)?);
            }
            Ok(())
        });
        if !read.is_empty() {
            (self.0)(read);
        }
        all
    }
}

impl<T: Value, N: FnMut(&[Dynamic]) -> Result<()> + Send + 'static> Hear<T> for Filling<N> {
    const IS_FOR_BATCHES: bool = true;

    fn hear(&mut self, values: &[Dynamic]) -> Result<()> {
        (self.0)(values)
    }
}
