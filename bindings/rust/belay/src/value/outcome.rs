//! Results of closures: values, and `Result`s of values.
use std::error::Error as StdError;

use crate::error::{Error, Result};
use crate::value::Value;

/// The answer of a closure of an operator: a value, or a `Result` of one, whose error becomes the
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
/// An error may be a text, or of any type that `Box<dyn Error + Send + Sync>` can be made from. The
/// subscription's error has the code of an error of Belay's or of the system, else
/// [`Code::EINVAL`](crate::Code::EINVAL), and can be downcast to that type.
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

impl<T: Value, E: Into<Box<dyn StdError + Send + Sync>>> Outcome for std::result::Result<T, E> {
    type Value = T;

    fn outcome(self) -> Result<T> {
        self.map_err(Error::from_any)
    }
}
