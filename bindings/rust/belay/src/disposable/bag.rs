//! Bags.
use belay_sys::*;

use crate::disposable::Disposable;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle};
use crate::value::{Dynamic, Value};

handle! {
    /// Disposes of what it holds, in the order of adding, when its last reference is dropped. What
    /// ends by itself leaves it.
    Bag: belay_bag, belay_bag_retain, belay_bag_release
}
any_thread!(Bag);

impl Bag {
    /// An empty bag.
    pub fn new() -> Bag {
        unsafe { Bag::from_raw(belay_bag_create()) }.expect("a bag can always be made")
    }

    /// Puts something in; what is disposed already is ignored.
    pub fn add(&self, member: &Disposable) -> Result<()> {
        check(unsafe { belay_bag_add(self.as_raw(), member.as_raw()) }).map(drop)
    }

    /// How much is in it.
    pub fn count(&self) -> usize {
        unsafe { belay_bag_count(self.as_raw()) }
    }
}

impl Default for Bag {
    fn default() -> Bag {
        Bag::new()
    }
}

impl Value for Bag {
    fn into_dynamic(self) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_value_from_bag(self.as_raw())) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<Bag> {
        value.expect(BELAY_KIND_BAG, "a bag")?;
        unsafe { Bag::from_raw(belay_bag_retain(belay_value_get_bag(value.as_raw()))) }
            .ok_or_else(Error::last)
    }
}
