//! Objects with observable fields, whose owners know them. See object.h and binding.h.
mod adopting;
mod associations;
mod binding;
mod changes;
mod types;

pub use adopting::Destroy;
pub use associations::Association;
pub use binding::Side;
pub use changes::{Change, ObserveOptions};
pub use types::{Field, FieldType, ObjectType};

use belay_sys::*;

use crate::error::{check, Result};
use crate::handle::c_text;
use crate::owners::Owner;
use crate::signal::Signal;
use crate::value::{Dynamic, Value};

/// Keys and paths. An object has the keys that its [`ObjectType`] describes, in Rust or in C. A path
/// leads from key to key through the objects that the fields hold: "session.user.name". All of these
/// may be called on any thread.
///
/// An owner of Rust's needs no memory of C's layout for that: [`dynamic`](crate::OwnerBuilder::dynamic)
/// gives it properties by name.
///
/// ```
/// use belay::Owner;
///
/// # fn main() -> belay::Result<()> {
/// let user = Owner::build().dynamic().create()?;
/// user.set("name", "Ada".to_string())?;
/// let session = Owner::build().dynamic().create()?;
/// session.set("user", user.clone())?;
/// let name = session.observe::<Option<String>>("user.name");
/// name.subscribe(|name| println!("{name:?}"))?; // Some("Ada")
/// user.set("name", "Grace".to_string())?; // Some("Grace")
/// session.set("user", ())?; // None
/// # Ok(())
/// # }
/// ```
impl Owner {
    /// The value that a path leads to now; null where a hop of the path is null, which an `Option`
    /// reads. [`Code::ENOENT`](crate::Code::ENOENT) for an unknown key,
    /// [`Code::EKIND`](crate::Code::EKIND) for a hop that is no object.
    pub fn get<T: Value>(&self, path: &str) -> Result<T> {
        let (path, mut value) = (c_text(path)?, belay_null());
        check(unsafe { belay_object_get(self.as_raw(), path.as_ptr(), &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }

    /// Sets the field that a path leads to, and notifies its observers. Numbers convert where they
    /// fit. Fails as [`get`](Owner::get), with [`Code::EINVAL`](crate::Code::EINVAL) for a field
    /// that is read-only, with [`Code::EKIND`](crate::Code::EKIND) or
    /// [`Code::ERANGE`](crate::Code::ERANGE) for a value that does not fit, or with the failure of
    /// the setter.
    pub fn set(&self, path: &str, value: impl Value) -> Result<()> {
        let (path, value) = (c_text(path)?, value.into_dynamic().into_raw());
        check(unsafe { belay_object_set(self.as_raw(), path.as_ptr(), value) }).map(drop)
    }

    /// A signal of the value that a path leads to, whichever objects are on it: the present one,
    /// then each new one; null where a hop is null. It completes when this owner begins to die.
    /// When the path reaches an unknown key, or a hop that is no object, the signal fails as `get`.
    pub fn observe<T: Value>(&self, path: &str) -> Signal<T> {
        self.observe_path(path, BELAY_OBSERVE_INITIAL, None)
    }

    /// The same with options: also until another owner dies, without the present value, or with
    /// null at the owner's death.
    pub fn observe_with<T: Value>(&self, path: &str, options: ObserveOptions<'_>) -> Signal<T> {
        let flags = options.flags & (BELAY_OBSERVE_INITIAL | BELAY_OBSERVE_DEATH);
        self.observe_path(path, flags, options.observer)
    }

    /// A signal of the records of changes along a path.
    pub fn changes(&self, path: &str, options: ObserveOptions<'_>) -> Signal<Change> {
        self.observe_path(path, options.flags | BELAY_OBSERVE_CHANGES, options.observer)
    }

    fn observe_path<T: Value>(
        &self,
        path: &str,
        flags: belay_observe_flags,
        observer: Option<&Owner>,
    ) -> Signal<T> {
        let options = belay_observe_options {
            flags,
            observer: observer.map_or(std::ptr::null_mut(), Owner::as_raw),
            ..belay_observe_options::default()
        };
        match c_text(path) {
            Ok(path) => unsafe {
                Signal::made(belay_object_observe(self.as_raw(), path.as_ptr(), &options))
            },
            Err(error) => Signal::error(&error),
        }
    }
}
