//! What closures answer: a value, or a value or an error.
use std::fmt::Display;

use crate::error::{Error, Result};
use crate::value::Value;

/// What a closure of an operator may answer: a value, or a `Result` of one, whose error becomes the
/// subscription's.
///
/// ```
/// # fn main() -> belay::Result<()> {
/// let texts = belay::Signal::from_values(vec!["1".to_string(), "x".to_string()]);
/// let numbers = texts.map(|text| text.parse::<i64>());
/// let seen: Vec<_> = numbers.iter()?.collect();
/// assert_eq!(seen[0], Ok(1));
/// assert!(seen[1].is_err());
/// # Ok(())
/// # }
/// ```
///
/// An error may be of any type that can be displayed. Of one of Belay's the code is kept, and of an
/// `std::io::Error` the system's number; any other is [`Code::EINVAL`](crate::Code::EINVAL).
pub trait Outcome {
    /// The value, when there is one.
    type Value: Value;

    /// Either of the two.
    fn outcome(self) -> Result<Self::Value>;
}

impl<T: Value> Outcome for T {
    type Value = T;

    fn outcome(self) -> Result<T> {
        Ok(self)
    }
}

impl<T: Value, E: Display + 'static> Outcome for std::result::Result<T, E> {
    type Value = T;

    fn outcome(self) -> Result<T> {
        self.map_err(Error::from_any)
    }
}
