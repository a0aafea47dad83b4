//! Objects that an owner holds for others. See association.h.
use std::os::raw::c_void;
use std::sync::{Arc, Mutex, MutexGuard};

use belay_sys::*;

use crate::edge;
use crate::error::{check, Result};
use crate::owners::Owner;

/// A key under which any owner holds a `T`, which goes at the sixth step of its death. For objects
/// of your own a field is simpler; this is for objects of others.
///
/// ```
/// use std::sync::Arc;
/// use belay::{Association, Owner};
///
/// static NOTES: Association<String> = Association::new();
///
/// # fn main() -> belay::Result<()> {
/// let owner = Owner::new();
/// NOTES.set(&owner, Arc::new("keep".to_string()))?;
/// assert_eq!(*NOTES.get(&owner).unwrap(), "keep");
/// # Ok(())
/// # }
/// ```
pub struct Association<T: 'static> {
    reading: Mutex<Reading<T>>,
}

/// Threads that look a content up. Another thread may replace the content before they have a
/// reference of their own, so a replaced content stays until they have.
struct Reading<T: 'static> {
    threads: usize,
    // A reader has the address of a box.
    #[allow(clippy::vec_box)]
    replaced: Vec<Box<Held<T>>>,
}

/// The content that an owner holds.
struct Held<T: 'static> {
    content: Arc<T>,
    key: &'static Association<T>,
}

impl<T: 'static> Association<T> {
    /// A key, which differs from all others.
    pub const fn new() -> Association<T> {
        Association { reading: Mutex::new(Reading { threads: 0, replaced: Vec::new() }) }
    }

    fn lock(&self) -> MutexGuard<'_, Reading<T>> {
        self.reading.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn key(&'static self) -> *const c_void {
        self as *const Association<T> as *const c_void
    }
}

impl<T: Send + Sync + 'static> Association<T> {
    /// Makes `owner` hold `content`, in place of the former content under this key.
    /// [`Code::EDEAD`](crate::Code::EDEAD) from the sixth step of its death on.
    pub fn set(&'static self, owner: &Owner, content: Arc<T>) -> Result<()> {
        let held = Box::new(Held { content, key: self });
        let association = belay_association {
            key: self.key(),
            object: Box::into_raw(held) as *mut c_void,
            policy: BELAY_ASSOCIATION_ASSIGN,
            free: Some(free::<T>),
            ..belay_association::default()
        };
        check(unsafe { belay_association_set(owner.as_raw(), &association) }).map(drop)
    }

    /// The content that `owner` holds under this key.
    pub fn get(&'static self, owner: &Owner) -> Option<Arc<T>> {
        self.lock().threads += 1;
        // A content that this finds is freed only after this thread was counted, which keeps it.
        let found = unsafe {
            let held = belay_association_get(owner.as_raw(), self.key(), std::ptr::null());
            (held as *const Held<T>).as_ref().map(|held| held.content.clone())
        };
        let mut reading = self.lock();
        reading.threads -= 1;
        let is_last = reading.threads == 0;
        let replaced = if is_last { std::mem::take(&mut reading.replaced) } else { Vec::new() };
        drop(reading);
        edge::quietly(|| drop(replaced));
        found
    }

    /// Takes the content away; [`Code::ENOENT`](crate::Code::ENOENT) when there is none.
    pub fn remove(&'static self, owner: &Owner) -> Result<()> {
        let (owner, key) = (owner.as_raw(), self.key());
        check(unsafe { belay_association_remove(owner, key, std::ptr::null()) }).map(drop)
    }
}

impl<T: 'static> Default for Association<T> {
    fn default() -> Self {
        Self::new()
    }
}

unsafe extern "C" fn free<T: 'static>(held: *mut c_void) {
    let mut reading = (*(held as *const Held<T>)).key.lock();
    if reading.threads > 0 {
        // The box goes with its content, because a reader may be at it.
        reading.replaced.push(Box::from_raw(held as *mut Held<T>));
    } else {
        drop(reading);
        edge::quietly(|| drop(Box::from_raw(held as *mut Held<T>)));
    }
}
