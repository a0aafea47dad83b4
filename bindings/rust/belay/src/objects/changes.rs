//! Records of changes, and changes that the program makes itself.
use belay_sys::*;

use crate::error::{check, Result};
use crate::handle::c_text;
use crate::owners::Owner;
use crate::value::{Dynamic, Value};

/// How a path is observed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObserveOptions<'a> {
    pub(super) flags: belay_observe_flags,
    pub(super) observer: Option<&'a Owner>,
}

impl<'a> ObserveOptions<'a> {
    /// Sends changes from now on.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends also the value at the moment of subscribing.
    pub fn initial(mut self) -> Self {
        self.flags |= BELAY_OBSERVE_INITIAL;
        self
    }

    /// Records have the old value.
    pub fn old(mut self) -> Self {
        self.flags |= BELAY_OBSERVE_OLD;
        self
    }

    /// Sends one more record before each change.
    pub fn prior(mut self) -> Self {
        self.flags |= BELAY_OBSERVE_PRIOR;
        self
    }

    /// Sends null before the completion when the object dies.
    pub fn death(mut self) -> Self {
        self.flags |= BELAY_OBSERVE_DEATH;
        self
    }

    /// An owner whose death completes the signal.
    pub fn until(mut self, observer: &'a Owner) -> Self {
        self.observer = Some(observer);
        self
    }
}

/// The record of a change along a path.
#[derive(Clone)]
pub struct Change {
    record: Dynamic,
}

impl Change {
    /// The new value; before a change, the old one.
    pub fn value<T: Value>(&self) -> Result<T> {
        self.read(|change| T::from_dynamic(unsafe { Dynamic::lent(&change.value) }))
    }

    /// The old value; null unless [`ObserveOptions::old`] has asked for it.
    pub fn old<T: Value>(&self) -> Result<T> {
        self.read(|change| T::from_dynamic(unsafe { Dynamic::lent(&change.old) }))
    }

    /// Whether nothing has changed: this is the value at the moment of subscribing.
    pub fn is_initial(&self) -> bool {
        self.has(BELAY_CHANGE_INITIAL)
    }

    /// Whether the change is about to happen.
    pub fn is_prior(&self) -> bool {
        self.has(BELAY_CHANGE_PRIOR)
    }

    /// Whether the object, or one that a key refers to, is dying.
    pub fn is_death(&self) -> bool {
        self.has(BELAY_CHANGE_DEATH)
    }

    /// Whether the last key of the path has changed, and no earlier one.
    pub fn is_only_last(&self) -> bool {
        self.has(BELAY_CHANGE_ONLY_LAST)
    }

    fn has(&self, flag: belay_change_flags) -> bool {
        self.read(|change| Ok(change.flags & flag != 0)).unwrap_or(false)
    }

    /// Reads the record, which lends its content.
    fn read<R>(&self, read: impl FnOnce(&belay_change) -> Result<R>) -> Result<R> {
        let mut change = belay_change::default();
        check(unsafe { belay_change_get(self.record.as_raw(), &mut change) })?;
        read(&change)
    }
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Change");
        shown
            .field("value", &self.value::<Dynamic>().ok())
            .field("old", &self.old::<Dynamic>().ok());
        shown.field("is_prior", &self.is_prior()).field("is_death", &self.is_death()).finish()
    }
}

impl Value for Change {
    fn into_dynamic(self) -> Dynamic {
        self.record
    }

    fn from_dynamic(value: &Dynamic) -> Result<Change> {
        let change = Change { record: value.clone() };
        change.read(|_| Ok(()))?;
        Ok(change)
    }
}

/// Calls its closure at the end of a change, also after a panic.
struct Over<F: FnMut()>(F);

impl<F: FnMut()> Drop for Over<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl Owner {
    /// Runs `write`, which writes the field itself, and notifies its observers. [`set`](Owner::set)
    /// writes and notifies at once. Calls nest: the outermost notifies.
    /// [`Code::ENOENT`](crate::Code::ENOENT) for an unknown key, and then `write` has not run.
    pub fn change<R>(&self, key: &str, write: impl FnOnce() -> R) -> Result<R> {
        let key = c_text(key)?;
        check(unsafe { belay_object_will_change(self.as_raw(), key.as_ptr()) })?;
        let _over = Over(|| {
            // It fails for an owner that has died meanwhile, and then nobody observes it.
            unsafe { belay_object_did_change(self.as_raw(), key.as_ptr()) };
        });
        Ok(write())
    }

    /// Runs `body`, whose changes of this object are notified when it has returned, once for each
    /// key. Calls nest. [`Code::ENOENT`](crate::Code::ENOENT) for an object without a type, and then
    /// `body` has not run.
    pub fn group_changes<R>(&self, body: impl FnOnce() -> R) -> Result<R> {
        check(unsafe { belay_object_begin_changes(self.as_raw()) })?;
        let _over = Over(|| {
            unsafe { belay_object_end_changes(self.as_raw()) };
        });
        Ok(body())
    }
}
