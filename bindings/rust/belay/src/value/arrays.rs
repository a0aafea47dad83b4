//! Arrays: of one type, and of several.
use belay_sys::BELAY_KIND_ARRAY;

use crate::code::Code;
use crate::error::{Error, Result};
use crate::value::{Dynamic, Value};

/// Types that are made of several values: tuples, and `Vec<T>`.
pub trait Items: Value {
    /// Reads them; [`Code::ERANGE`] when there are not as many.
    fn from_items(items: &[Dynamic]) -> Result<Self>;
}

impl<T: Value> Value for Vec<T> {
    fn into_dynamic(self) -> Dynamic {
        T::many_into_dynamic(self)
    }

    fn from_dynamic(value: &Dynamic) -> Result<Vec<T>> {
        T::many_from_dynamic(value)
    }
}

impl<T: Value> Items for Vec<T> {
    fn from_items(items: &[Dynamic]) -> Result<Vec<T>> {
        items.iter().map(T::from_dynamic).collect()
    }
}

impl<T: Value> Value for Option<T> {
    /// `None` is null. So `Some(None)` comes back as `None`.
    fn into_dynamic(self) -> Dynamic {
        self.map_or_else(Dynamic::null, Value::into_dynamic)
    }

    fn from_dynamic(value: &Dynamic) -> Result<Option<T>> {
        if value.is_null() {
            Ok(None)
        } else {
            T::from_dynamic(value).map(Some)
        }
    }
}

fn expect_count(count: usize, expected: usize) -> Result<()> {
    if count == expected {
        return Ok(());
    }
    let message = format!("{expected} items were expected, and there are {count}");
    Err(Error::new(Code::ERANGE, message))
}

macro_rules! tuple {
    ($count:literal: $($index:tt $item:ident),*) => {
        impl<$($item: Value),*> Value for ($($item,)*) {
            fn into_dynamic(self) -> Dynamic {
                Dynamic::array(vec![$(self.$index.into_dynamic()),*])
            }

            fn from_dynamic(value: &Dynamic) -> Result<Self> {
                value.expect(BELAY_KIND_ARRAY, "an array")?;
                expect_count(value.len(), $count)?;
                Ok(($(value.read_item($index, $item::from_dynamic)?,)*))
            }
        }

        impl<$($item: Value),*> Items for ($($item,)*) {
            fn from_items(items: &[Dynamic]) -> Result<Self> {
                expect_count(items.len(), $count)?;
                Ok(($($item::from_dynamic(&items[$index])?,)*))
            }
        }
    };
}

tuple!(1: 0 A);
tuple!(2: 0 A, 1 B);
tuple!(3: 0 A, 1 B, 2 C);
tuple!(4: 0 A, 1 B, 2 C, 3 D);
tuple!(5: 0 A, 1 B, 2 C, 3 D, 4 E);
tuple!(6: 0 A, 1 B, 2 C, 3 D, 4 E, 5 F);
