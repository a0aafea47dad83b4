//! Disposables that hold others.
use std::ops::Deref;

use belay_sys::*;

use crate::callbacks::{call_once, free, once, Once};
use crate::disposable::Disposable;
use crate::error::{check, Result};

/// Defines a kind of disposable, which is used as one.
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident: $(#[$make_doc:meta])* $create:ident) => {
        kind!($(#[$doc])* $name);

        impl $name {
            $(#[$make_doc])*
            pub fn new() -> $name {
                $name(unsafe { Disposable::made($create()) })
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::new()
            }
        }
    };
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(Disposable);

        impl Deref for $name {
            type Target = Disposable;

            fn deref(&self) -> &Disposable {
                &self.0
            }
        }
    };
}

kind! {
    /// Disposables that are disposed of together, in the order of adding. A member that ends by
    /// itself leaves it.
    Compound:
    /// An empty one.
    belay_compound_create
}

/// The key by which a member is taken out of a [`Compound`]. No two are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Compound {
    /// The compound of an owner, if it is alive.
    pub(crate) unsafe fn retaining(raw: *mut belay_disposable) -> Option<Compound> {
        Disposable::retaining(raw).map(Compound)
    }

    /// Adds a member; disposes of it at once when the compound has been disposed of. `None` when it
    /// did not stay. [`Code::EINVAL`](crate::Code::EINVAL) for one that holds this compound.
    pub fn add(&self, member: &Disposable) -> Result<Option<Key>> {
        let mut key = 0;
        check(unsafe { belay_compound_add(self.as_raw(), member.as_raw(), &mut key) })?;
        Ok((key != 0).then_some(Key(key)))
    }

    /// Adds something to do.
    #[track_caller]
    pub fn add_action<F: FnOnce() + Send + 'static>(&self, action: F) -> Result<Option<Key>> {
        let mut key = 0;
        check(unsafe {
            let (ctx, free) = (once(action), free::<Once<F>>);
            belay_compound_add_action(
                self.as_raw(),
                Some(call_once::<F>),
                ctx,
                Some(free),
                &mut key,
            )
        })?;
        Ok((key != 0).then_some(Key(key)))
    }

    /// Takes a member out without disposing of it; [`Code::ENOENT`](crate::Code::ENOENT) when it has
    /// left.
    pub fn remove(&self, key: Key) -> Result<()> {
        check(unsafe { belay_compound_remove(self.as_raw(), key.0) }).map(drop)
    }

    /// How many members there are.
    pub fn count(&self) -> usize {
        unsafe { belay_compound_count(self.as_raw()) }
    }
}

kind! {
    /// Holds one disposable at a time.
    Serial:
    /// An empty one.
    belay_serial_create
}

impl Serial {
    /// Puts `next` in, and disposes of the former disposable.
    pub fn set(&self, next: Option<&Disposable>) -> Result<()> {
        let next = next.map_or(std::ptr::null_mut(), Disposable::as_raw);
        check(unsafe { belay_serial_set(self.as_raw(), next) }).map(drop)
    }

    /// Puts `next` in, and returns the former disposable.
    pub fn swap(&self, next: Option<&Disposable>) -> Result<Option<Disposable>> {
        let next = next.map_or(std::ptr::null_mut(), Disposable::as_raw);
        let mut previous = std::ptr::null_mut();
        check(unsafe { belay_serial_swap(self.as_raw(), next, &mut previous) })?;
        Ok(unsafe { Disposable::from_raw(previous) })
    }
}

kind! {
    /// Holds a disposable that is assigned to it, once.
    SingleAssignment:
    /// One without a disposable.
    belay_single_assignment_create
}

impl SingleAssignment {
    /// Assigns; [`Code::EASSIGNED`](crate::Code::EASSIGNED) the second time. Disposes of `inner` at
    /// once when it has been disposed of itself.
    pub fn set(&self, inner: &Disposable) -> Result<()> {
        check(unsafe { belay_single_assignment_set(self.as_raw(), inner.as_raw()) }).map(drop)
    }
}

kind! {
    /// Disposes of the underlying disposable when it itself and all its dependents have been
    /// disposed of.
    RefCounted
}

impl RefCounted {
    /// One for `underlying`.
    pub fn new(underlying: &Disposable) -> RefCounted {
        RefCounted(unsafe { Disposable::made(belay_ref_counted_create(underlying.as_raw())) })
    }

    /// A new dependent; one that does nothing once the underlying has been disposed of.
    pub fn dependent(&self) -> Disposable {
        unsafe { Disposable::made(belay_ref_counted_create_dependent(self.as_raw())) }
    }
}
