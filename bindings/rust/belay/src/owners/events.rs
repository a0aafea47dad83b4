//! Events by name, between owners.
use std::os::raw::c_void;

use belay_sys::*;

use crate::callbacks::{ctx, free};
use crate::edge;
use crate::error::{check, Result};
use crate::handle::{c_text, rust_text};
use crate::owners::Owner;
use crate::sent::Sent;
use crate::site::Site;
use crate::value::{Dynamic, Value};

/// The usual level of a watch.
pub const LEVEL: i32 = BELAY_OWNER_EVENT_LEVEL;

/// An event, as a watcher gets it.
#[derive(Debug)]
#[non_exhaustive]
pub struct OwnerEvent<'a> {
    /// The event's name.
    pub name: &'a str,
    /// The value that was posted with it.
    pub info: &'a Dynamic,
}

impl Owner {
    /// Has `handler` called for each event of that name that `source` posts from now on, as long as
    /// both live: at this owner's loop, else at that of this thread, else on the thread that posts.
    /// Of one event the watchers of higher level are called first. The same source, event and level
    /// again replace the handler. [`Code::EDEAD`](crate::Code::EDEAD) when either is dying.
    #[track_caller]
    pub fn watch<F>(&self, source: &Owner, name: &str, level: i32, handler: F) -> Result<()>
    where
        F: Fn(&OwnerEvent<'_>) + Send + Sync + 'static,
    {
        let (name, ctx) = (c_text(name)?, ctx((handler, Site::here())));
        check(unsafe {
            let (source, free) = (source.as_raw(), free::<(F, Site)>);
            let (call, name) = (call::<F>, name.as_ptr());
            belay_owner_event_watch(self.as_raw(), source, name, level, Some(call), ctx, Some(free))
        })
        .map(drop)
    }

    /// Ends the watch of one level; [`Code::ENOENT`](crate::Code::ENOENT) when there is none.
    pub fn unwatch(&self, source: &Owner, name: &str, level: i32) -> Result<()> {
        let name = c_text(name)?;
        let (watcher, source) = (self.as_raw(), source.as_raw());
        check(unsafe { belay_owner_event_unwatch(watcher, source, name.as_ptr(), level) }).map(drop)
    }

    /// Ends the watches of one event, whatever their level.
    pub fn unwatch_name(&self, source: &Owner, name: &str) -> Result<()> {
        let (watcher, name) = (self.as_raw(), c_text(name)?);
        check(unsafe { belay_owner_event_unwatch_name(watcher, source.as_raw(), name.as_ptr()) })
            .map(drop)
    }

    /// Ends the watches of all events of `source`.
    pub fn unwatch_source(&self, source: &Owner) -> Result<()> {
        check(unsafe { belay_owner_event_unwatch_source(self.as_raw(), source.as_raw()) }).map(drop)
    }

    /// Ends all that it watches.
    pub fn unwatch_all(&self) -> Result<()> {
        check(unsafe { belay_owner_event_unwatch_all(self.as_raw()) }).map(drop)
    }

    /// Posts an event; [`Code::EAGAIN`](crate::Code::EAGAIN) when 1024 wait,
    /// [`Code::EDEAD`](crate::Code::EDEAD) when it is dying.
    pub fn post(&self, name: &str, info: impl Value) -> Result<Sent> {
        let name = c_text(name)?;
        let info = info.into_dynamic().into_raw();
        Sent::of(unsafe { belay_owner_event_post(self.as_raw(), name.as_ptr(), info) })
    }
}

unsafe extern "C" fn call<F: Fn(&OwnerEvent<'_>)>(
    ctx: *mut c_void,
    event: *const belay_owner_event,
) {
    let (handler, site) = &*(ctx as *const (F, Site));
    edge::reported(*site, || {
        let name = rust_text((*event).name);
        let info = Dynamic::lent(&(*event).user_info);
        handler(&OwnerEvent { name: &name, info });
    });
}
