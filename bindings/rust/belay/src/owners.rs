//! Owners: what subscriptions end with.
mod events;
mod notices;

use std::cell::Cell;
use std::os::raw::c_void;
use std::ptr;

use belay_sys::*;

pub use events::{OwnerEvent, LEVEL};

use crate::callbacks::{call_once, free, once, Once};
use crate::disposable::Disposable;
use crate::edge;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle, rust_text};
use crate::loops::LoopHandle;
use crate::signal::Signal;
use crate::site::{self, Site};
use crate::value::{Dynamic, Value};

handle! {
    /// What subscriptions end with. A clone is the same owner; with the last of them it dies, on the
    /// thread that drops it, and what is bound to it ends. As a field it makes a struct an owner:
    ///
    /// ```
    /// use belay::{Owner, Subject};
    /// # fn main() -> belay::Result<()> {
    /// struct View { owner: Owner }
    ///
    /// let titles: Subject<String> = Subject::new();
    /// let view = View { owner: Owner::new() };
    /// titles.observe().next(|title| println!("{title}")).owned_by(&view.owner).subscribe()?;
    /// drop(view);
    /// assert_eq!(titles.count(), 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Its death has eight steps: weak references read `None`; [`deallocating`](Owner::deallocating)
    /// sends; what is bound is disposed of; its `deinit` runs; its notices are told; its associated
    /// objects go; `deallocating` completes and [`deallocated`](Owner::deallocated) sends; its
    /// `dealloc` runs. While a closure that is bound to it runs, from the fourth on they wait.
    Owner: belay_owner, belay_owner_retain, belay_owner_release
}
any_thread!(Owner);

handle! {
    /// A reference that keeps no owner from dying.
    WeakOwner: belay_weak, belay_weak_retain, belay_weak_release
}
any_thread!(WeakOwner);

/// How an owner is made.
#[must_use = "an owner is made by `create`"]
pub struct OwnerBuilder<'a> {
    label: Option<&'static str>,
    home: Option<&'a LoopHandle>,
    hooks: Hooks,
}

/// What runs at the fourth and at the eighth step, and the place that said so.
struct Hooks {
    deinit: Cell<Option<Box<dyn FnOnce() + Send>>>,
    dealloc: Cell<Option<Box<dyn FnOnce() + Send>>>,
    site: Site,
}

impl<'a> OwnerBuilder<'a> {
    /// Its name in reports.
    pub fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// The loop on whose thread it dies.
    pub fn at(mut self, home: &'a LoopHandle) -> Self {
        self.home = Some(home);
        self
    }

    /// What runs at the fourth step, when what was bound has ended.
    pub fn deinit(mut self, deinit: impl FnOnce() + Send + 'static) -> Self {
        self.hooks.deinit = Cell::new(Some(Box::new(deinit)));
        self
    }

    /// What runs last.
    pub fn dealloc(mut self, dealloc: impl FnOnce() + Send + 'static) -> Self {
        self.hooks.dealloc = Cell::new(Some(Box::new(dealloc)));
        self
    }

    /// Makes the owner; [`Code::ECLOSED`](crate::Code::ECLOSED) for a loop that is closed.
    pub fn create(self) -> Result<Owner> {
        let options = belay_owner_options {
            label: site::label(self.label),
            site: self.hooks.site.text(),
            r#loop: self.home.map_or(ptr::null_mut(), LoopHandle::as_raw),
            ..belay_owner_options::default()
        };
        let hooks = Box::into_raw(Box::new(self.hooks));
        unsafe {
            let raw =
                belay_owner_create(hooks as *mut c_void, Some(deinit), Some(dealloc), &options);
            Owner::from_raw(raw).ok_or_else(|| {
                // When it fails neither hook runs.
                drop(Box::from_raw(hooks));
                Error::last()
            })
        }
    }
}

unsafe extern "C" fn deinit(object: *mut c_void) {
    let hooks = &*(object as *const Hooks);
    if let Some(deinit) = hooks.deinit.take() {
        edge::reported(hooks.site, deinit);
    }
}

unsafe extern "C" fn dealloc(object: *mut c_void) {
    let hooks = Box::from_raw(object as *mut Hooks);
    let site = hooks.site;
    edge::reported(site, move || {
        if let Some(dealloc) = hooks.dealloc.take() {
            dealloc();
        }
    });
}

impl Owner {
    /// An owner that dies wherever its last reference is dropped.
    pub fn new() -> Owner {
        unsafe { Owner::from_raw(belay_owner_create(ptr::null_mut(), None, None, ptr::null())) }
            .expect("an owner without options can always be made")
    }

    /// Describes an owner.
    #[track_caller]
    pub fn build<'a>() -> OwnerBuilder<'a> {
        let hooks = Hooks { deinit: Cell::new(None), dealloc: Cell::new(None), site: Site::here() };
        OwnerBuilder { label: None, home: None, hooks }
    }

    /// Whether its death has begun.
    pub fn is_dying(&self) -> bool {
        unsafe { belay_owner_is_dying(self.as_raw()) == 1 }
    }

    /// Its name in reports.
    pub fn label(&self) -> String {
        unsafe { rust_text(belay_owner_label(self.as_raw())) }
    }

    /// A reference that does not keep it.
    pub fn downgrade(&self) -> WeakOwner {
        unsafe { WeakOwner::from_raw(belay_weak_create(self.as_raw())) }
            .expect("a weak reference can always be made")
    }

    /// Sends at the second step of its death, and completes at the seventh; also to who comes late.
    pub fn deallocating(&self) -> Signal<()> {
        unsafe { Signal::made(belay_owner_deallocating(self.as_raw())) }
    }

    /// Sends and completes at the seventh step; also to who comes late.
    pub fn deallocated(&self) -> Signal<()> {
        unsafe { Signal::made(belay_owner_deallocated(self.as_raw())) }
    }

    /// Makes `member` end with it; at once, when it is dying.
    pub fn add(&self, member: &Disposable) -> Result<()> {
        check(unsafe { belay_owner_add(self.as_raw(), member.as_raw()) }).map(drop)
    }

    /// Makes `action` run at the third step; at once, when it is dying.
    #[track_caller]
    pub fn add_action<F: FnOnce() + Send + 'static>(&self, action: F) -> Result<()> {
        check(unsafe {
            let (ctx, free) = (once(action), free::<Once<F>>);
            belay_owner_add_action(self.as_raw(), Some(call_once::<F>), ctx, Some(free))
        })
        .map(drop)
    }

    /// Makes `child` die whole at its turn in the third step, whoever has references to it.
    /// [`Code::EINVAL`](crate::Code::EINVAL) for one that this descends from,
    /// [`Code::EASSIGNED`](crate::Code::EASSIGNED) for one that has another parent,
    /// [`Code::ERANGE`](crate::Code::ERANGE) above a height of 1000.
    pub fn add_child(&self, child: &Owner) -> Result<()> {
        check(unsafe { belay_owner_add_child(self.as_raw(), child.as_raw()) }).map(drop)
    }

    /// Sets a child free; [`Code::ENOENT`](crate::Code::ENOENT) for one that is none.
    pub fn remove_child(&self, child: &Owner) -> Result<()> {
        check(unsafe { belay_owner_remove_child(self.as_raw(), child.as_raw()) }).map(drop)
    }
}

impl Default for Owner {
    fn default() -> Owner {
        Owner::new()
    }
}

impl WeakOwner {
    /// The owner, which that keeps from dying; `None` once it is.
    pub fn upgrade(&self) -> Option<Owner> {
        unsafe { Owner::from_raw(belay_weak_upgrade(self.as_raw())) }
    }
}

impl Value for Owner {
    fn into_dynamic(self) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_value_from_owner(self.as_raw())) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<Owner> {
        value.expect(BELAY_KIND_OWNER, "an owner")?;
        unsafe { Owner::from_raw(belay_owner_retain(belay_value_get_owner(value.as_raw()))) }
            .ok_or_else(Error::last)
    }
}

impl Value for WeakOwner {
    fn into_dynamic(self) -> Dynamic {
        unsafe { Dynamic::from_raw(belay_value_from_weak(self.as_raw())) }
    }

    fn from_dynamic(value: &Dynamic) -> Result<WeakOwner> {
        value.expect(BELAY_KIND_WEAK, "a weak reference")?;
        unsafe { WeakOwner::from_raw(belay_weak_retain(belay_value_get_weak(value.as_raw()))) }
            .ok_or_else(Error::last)
    }
}
