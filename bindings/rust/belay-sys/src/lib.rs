//! Declarations of Belay's C API: functions, types and constants as `belay/belay.h` has them, with
//! its comments. They are generated from the headers, and compared with them by tests; what is
//! inline in C is written anew, and compared by its results.
//!
//! Nothing here is safe to call but the makers of scalars. The crate `belay` is.
#![deny(missing_docs)]
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod declarations;
mod inline;

pub use declarations::*;
pub use inline::*;
