//! Bags.
use belay_sys::*;

use crate::disposable::Disposable;
use crate::error::{check, Result};
use crate::handle::{any_thread, handle, handle_value};

handle! {
    /// Disposes of its members, in the order of adding, when its last reference is dropped. A
    /// member that ends by itself leaves it.
    Bag: belay_bag, belay_bag_retain, belay_bag_release
}
any_thread!(Bag);

impl Bag {
    /// An empty bag.
    pub fn new() -> Bag {
        unsafe { Bag::from_raw(belay_bag_create()) }.expect("a bag can always be made")
    }

    /// Adds a member, unless that is disposed of already.
    pub fn add(&self, member: &Disposable) -> Result<()> {
        check(unsafe { belay_bag_add(self.as_raw(), member.as_raw()) }).map(drop)
    }

    /// The number of its members.
    pub fn count(&self) -> usize {
        unsafe { belay_bag_count(self.as_raw()) }
    }
}

impl Default for Bag {
    fn default() -> Bag {
        Bag::new()
    }
}

handle_value! { Bag: belay_value_from_bag, belay_value_get_bag, BELAY_KIND_BAG, "a bag" }
