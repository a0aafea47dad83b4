//! Values that signals carry: of Rust types, and of kinds that are known at run time.
mod arrays;
mod dynamic;
mod outcome;
mod scalars;
mod shared;
mod structs;
mod texts;

pub use arrays::Items;
pub use dynamic::{Dynamic, Kind};
pub use outcome::Outcome;
pub(crate) use shared::borrowed;
pub use structs::Struct;

use crate::error::Result;

/// A type whose values signals can carry.
///
/// | Rust | Belay |
/// |---|---|
/// | `()`, `None` | null |
/// | `bool`, integers, `f32`, `f64` | the kind of that name |
/// | `String` | string |
/// | `PathBuf` | string, or bytes where it is not UTF-8 (and reads both) |
/// | `Vec<u8>` | bytes (and reads strings, and arrays of integers) |
/// | `Vec<T>`, tuples | array |
/// | `Duration` | double, in seconds |
/// | [`Signal`](crate::Signal), [`Error`](crate::Error), [`Owner`](crate::Owner), … | the handle |
/// | `Arc<T>` of any `T` | an owned pointer, whose type is checked when it is read |
/// | [`Dynamic`] | any |
///
/// Reading follows the getters of the C API: an integer reads as any integer type that holds it, and
/// as `f64` while exact. Nothing else converts; a value of another kind is
/// [`Code::EKIND`](crate::Code::EKIND), and in an operator that is an error event.
///
/// A value may be read on any thread, more than once, and at several subscriptions: so it is `Send`
/// and `Sync`, and each reader makes its own of it. A type of one's own is made of others:
///
/// ```
/// use belay::{Dynamic, Result, Value};
///
/// struct Point { x: f64, y: f64 }
///
/// impl Value for Point {
///     fn into_dynamic(self) -> Dynamic { (self.x, self.y).into_dynamic() }
///     fn from_dynamic(value: &Dynamic) -> Result<Point> {
///         let (x, y) = Value::from_dynamic(value)?;
///         Ok(Point { x, y })
///     }
/// }
/// ```
///
/// or goes as it is, behind an `Arc`, or as clones of one ([`value_by_clone!`](crate::value_by_clone)),
/// or as the bytes of a struct that C knows, too ([`value_by_struct!`](crate::value_by_struct)).
pub trait Value: Sized + Send + Sync + 'static {
    /// Makes a value of it.
    fn into_dynamic(self) -> Dynamic;

    /// Reads a value; [`Code::EKIND`](crate::Code::EKIND) for one of another kind,
    /// [`Code::ERANGE`](crate::Code::ERANGE) for a number that does not fit.
    fn from_dynamic(value: &Dynamic) -> Result<Self>;

    /// Makes one value of several; bytes are more than an array of numbers.
    #[doc(hidden)]
    fn many_into_dynamic(items: Vec<Self>) -> Dynamic {
        Dynamic::array(items.into_iter().map(Value::into_dynamic).collect())
    }

    /// Reads several.
    #[doc(hidden)]
    fn many_from_dynamic(value: &Dynamic) -> Result<Vec<Self>> {
        value.read_items(|_, item| Self::from_dynamic(item))
    }
}
