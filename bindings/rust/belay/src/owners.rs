//! Owners: subscriptions end when their owner dies.
mod events;
mod notices;

use std::cell::Cell;
use std::os::raw::c_void;
use std::ptr;

use belay_sys::*;

pub use events::{OwnerEvent, LEVEL};

use crate::callbacks::{call_once, free, once, Once};
use crate::disposable::{Compound, Disposable};
use crate::edge;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle, handle_value, rust_text};
use crate::loops::{LoopHandle, Scheduler};
use crate::objects::ObjectType;
use crate::signal::Signal;
use crate::site::{self, home_option, label_option, Site};

handle! {
    /// Stands for an object: subscriptions end when their owner dies. A clone is the same owner. It
    /// dies with the last clone, on the thread that drops it. As a field it makes a struct an
    /// owner:
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
    /// Its death has eight steps: weak references read `None`;
    /// [`deallocating`](Owner::deallocating) sends; everything that is bound is disposed of; its
    /// `deinit` runs; its notices are told; its associated objects go; `deallocating` completes and
    /// [`deallocated`](Owner::deallocated) sends; its `dealloc` runs. While a closure that is bound
    /// to it runs, from the fourth on they wait.
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
    scheduler: Option<&'a Scheduler>,
    hooks: Hooks,
    dynamic: bool,
}

/// The object that an owner stands for. It is first, so that the address of both is the same.
#[repr(C)]
struct Held<T> {
    object: T,
    hooks: Hooks,
}

/// Closures that run at the fourth and at the eighth step, and the place that gave them.
struct Hooks {
    deinit: Cell<Option<Box<dyn FnOnce() + Send>>>,
    dealloc: Cell<Option<Box<dyn FnOnce() + Send>>>,
    site: Site,
}

impl<'a> OwnerBuilder<'a> {
    label_option!();
    home_option!("The loop on whose thread it dies.");

    /// In the place of a loop: the scheduler at whose home it dies, that of a loop, a worker or a
    /// pool, or a [`HostScheduler`](crate::HostScheduler).
    pub fn on(mut self, scheduler: &'a Scheduler) -> Self {
        self.scheduler = Some(scheduler);
        self
    }

    /// Runs `deinit` at the fourth step, when everything that was bound has ended.
    pub fn deinit(mut self, deinit: impl FnOnce() + Send + 'static) -> Self {
        self.hooks.deinit = Cell::new(Some(Box::new(deinit)));
        self
    }

    /// Runs `dealloc` last.
    pub fn dealloc(mut self, dealloc: impl FnOnce() + Send + 'static) -> Self {
        self.hooks.dealloc = Cell::new(Some(Box::new(dealloc)));
        self
    }

    /// Gives the owner properties by name: [`Owner::set`] makes them, [`Owner::observe`] observes
    /// them.
    pub fn dynamic(mut self) -> Self {
        self.dynamic = true;
        self
    }

    /// Makes the owner; [`Code::ECLOSED`](crate::Code::ECLOSED) for a home that is closed,
    /// [`Code::EINVAL`](crate::Code::EINVAL) for two of them, and for a scheduler without one.
    pub fn create(self) -> Result<Owner> {
        self.create_for(())
    }

    /// Makes the owner of an object, to which [`Owner::object`] points. The object is dropped at the
    /// eighth step. With an [`ObjectType`](crate::ObjectType) its fields can be observed.
    pub fn create_for<T: Send + 'static>(self, object: T) -> Result<Owner> {
        let options = belay_owner_options {
            label: site::label(self.label),
            site: self.hooks.site.text(),
            r#loop: self.home.map_or(ptr::null_mut(), LoopHandle::as_raw),
            scheduler: self.scheduler.map_or(ptr::null_mut(), Scheduler::as_raw),
            ..belay_owner_options::default()
        };
        let held = Box::into_raw(Box::new(Held { object, hooks: self.hooks }));
        let (deinit, dealloc) = (deinit::<T>, dealloc::<T>);
        let owner = unsafe {
            let raw =
                belay_owner_create(held as *mut c_void, Some(deinit), Some(dealloc), &options);
            Owner::from_raw(raw).ok_or_else(|| {
                let error = Error::last();
                // When it fails neither hook runs.
                drop(Box::from_raw(held));
                error
            })?
        };
        if self.dynamic {
            // It describes no field.
            unsafe { ObjectType::<()>::dynamic(Vec::new())?.describe(&owner)? };
        }
        Ok(owner)
    }
}

unsafe extern "C" fn deinit<T>(object: *mut c_void) {
    // Others may have pointers to the object beside it.
    let hooks = &*ptr::addr_of!((*(object as *const Held<T>)).hooks);
    if let Some(deinit) = hooks.deinit.take() {
        edge::reported(hooks.site, deinit);
    }
}

unsafe extern "C" fn dealloc<T>(object: *mut c_void) {
    let Held { object, hooks } = *Box::from_raw(object as *mut Held<T>);
    edge::reported(hooks.site, || drop(object));
    // It runs, whatever the object's destructor has done.
    if let Some(dealloc) = hooks.dealloc.take() {
        edge::reported(hooks.site, dealloc);
    }
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
        OwnerBuilder { label: None, home: None, scheduler: None, hooks, dynamic: false }
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

    /// Sends at the second step of its death, and completes at the seventh; also to late
    /// subscribers.
    pub fn deallocating(&self) -> Signal<()> {
        unsafe { Signal::made(belay_owner_deallocating(self.as_raw())) }
    }

    /// Sends and completes at the seventh step; also to late subscribers.
    pub fn deallocated(&self) -> Signal<()> {
        unsafe { Signal::made(belay_owner_deallocated(self.as_raw())) }
    }

    /// The container of everything that is bound to it, from which members can be taken. `None`
    /// when it is dying.
    pub fn compound(&self) -> Option<Compound> {
        unsafe { Compound::retaining(belay_owner_get_compound(self.as_raw())) }
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

    /// Makes `child` die whole at its turn in the third step, even while others hold references to
    /// it. [`Code::EINVAL`](crate::Code::EINVAL) for one that this descends from,
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

handle_value! { Owner: belay_value_from_owner, belay_value_get_owner, BELAY_KIND_OWNER, "an owner" }

handle_value! {
    WeakOwner: belay_value_from_weak, belay_value_get_weak, BELAY_KIND_WEAK, "a weak reference"
}
