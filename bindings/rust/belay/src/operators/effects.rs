//! Doing something beside the flow.
use std::os::raw::{c_char, c_int, c_void};
use std::ptr;

use belay_sys::*;

use crate::callbacks::{action, attempt, ctx, free};
use crate::edge;
use crate::error::{Error, Result};
use crate::handle::{rust_text, shown_text};
use crate::signal::Signal;
use crate::site::Site;
use crate::value::{Dynamic, Outcome, Value};

type OnError = Box<dyn Fn(&Error) + Send + Sync>;
type OnEnd = Box<dyn Fn() + Send + Sync>;

/// The closures that [`Signal::tap_events`] calls.
#[derive(Default)]
pub struct Tap {
    error: Option<OnError>,
    completed: Option<OnEnd>,
    disposed: Option<OnEnd>,
}

impl Tap {
    /// Nothing.
    pub fn new() -> Tap {
        Tap::default()
    }

    /// Calls `error` before an error is passed on.
    pub fn error(mut self, error: impl Fn(&Error) + Send + Sync + 'static) -> Tap {
        self.error = Some(Box::new(error));
        self
    }

    /// Calls `completed` before the completion is passed on.
    pub fn completed(mut self, completed: impl Fn() + Send + Sync + 'static) -> Tap {
        self.completed = Some(Box::new(completed));
        self
    }

    /// Calls `disposed` at the teardown.
    pub fn disposed(mut self, disposed: impl Fn() + Send + Sync + 'static) -> Tap {
        self.disposed = Some(Box::new(disposed));
        self
    }
}

type TapContext = (Tap, Site);

unsafe fn tap<'a>(ctx: *mut c_void) -> &'a TapContext {
    &*(ctx as *const TapContext)
}

unsafe extern "C" fn tap_error(ctx: *mut c_void, error: *const belay_error) {
    if let (Tap { error: Some(call), .. }, site) = tap(ctx) {
        edge::reported(*site, || {
            if let Some(error) = Error::retaining(error) {
                call(&error);
            }
        });
    }
}

unsafe extern "C" fn tap_completed(ctx: *mut c_void) {
    if let (Tap { completed: Some(call), .. }, site) = tap(ctx) {
        edge::reported(*site, call);
    }
}

unsafe extern "C" fn tap_disposed(ctx: *mut c_void) {
    if let (Tap { disposed: Some(call), .. }, site) = tap(ctx) {
        edge::reported(*site, call);
    }
}

impl<T: Value> Signal<T> {
    /// Calls the closure with each value before it is passed on. (ReactiveX's do.) Its answer may
    /// be an error, as of [`attempt`](Signal::attempt).
    pub fn tap<R, F>(&self, action: F) -> Signal<T>
    where
        R: Outcome<Value = ()>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = attempt::<T, R, F>;
        unsafe { self.with(belay_op_attempt(Some(call), ctx(action), Some(free::<F>))) }
    }

    /// Calls closures at the ends. A panic in them goes to the hook for errors that nobody handles.
    #[track_caller]
    pub fn tap_events(&self, tap: Tap) -> Signal<T> {
        let site = Site::here();
        let observer = belay_observer {
            error: tap.error.is_some().then_some(tap_error as _),
            completed: Some(tap_completed),
            disposed: Some(tap_disposed),
            ctx: ctx::<TapContext>((tap, site)),
            ctx_free: Some(free::<TapContext>),
            site: site.text(),
            ..belay_observer::default()
        };
        unsafe { self.with(belay_op_do(&observer)) }
    }

    /// Calls the closure once at the end of each subscription, however it comes.
    #[track_caller]
    pub fn finally<F: Fn() + Send + Sync + 'static>(&self, call: F) -> Signal<T> {
        let ctx = ctx((call, Site::here()));
        unsafe { self.with(belay_op_finally(Some(action::<F>), ctx, Some(free::<(F, Site)>))) }
    }

    /// Calls the closure each time before the signal is subscribed to.
    #[track_caller]
    pub fn initially<F: Fn() + Send + Sync + 'static>(&self, call: F) -> Signal<T> {
        let ctx = ctx((call, Site::here()));
        unsafe { self.with(belay_op_initially(Some(action::<F>), ctx, Some(free::<(F, Site)>))) }
    }

    /// Tells of each event and end on stderr: "src/main.rs:12: label: next 1". The label ends before
    /// a NUL.
    #[track_caller]
    pub fn log(&self, label: &str) -> Signal<T> {
        let (label, site) = (shown_text(label), Site::here().text());
        unsafe { self.with(belay_op_log(label.as_ptr(), site, None, ptr::null_mut(), None)) }
    }

    /// The same, line by line, to a closure.
    #[track_caller]
    pub fn log_to<F>(&self, label: &str, sink: F) -> Signal<T>
    where
        F: Fn(&str) + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F: Fn(&str)>(ctx: *mut c_void, line: *const c_char) {
            let (sink, site) = &*(ctx as *const (F, Site));
            edge::reported(*site, || sink(&rust_text(line)));
        }
        let (label, site) = (shown_text(label), Site::here());
        let ctx = ctx((sink, site));
        unsafe {
            let (label, site, free) = (label.as_ptr(), site.text(), free::<(F, Site)>);
            self.with(belay_op_log(label, site, Some(call::<F>), ctx, Some(free)))
        }
    }

    /// Stops in the debugger (SIGTRAP) before an event is passed on for which the closure answers
    /// true: it is shown values, errors and the completion.
    pub fn breakpoint<F>(&self, stops: F) -> Signal<T>
    where
        F: Fn(&crate::Event<T>) -> bool + Send + Sync + 'static,
    {
        let (next, error) = (stop_next::<T, F>, stop_error::<T, F>);
        let (completed, ctx, free) = (stop_completed::<T, F>, ctx(stops), free::<F>);
        unsafe {
            self.with(belay_op_breakpoint(
                Some(next),
                Some(error),
                Some(completed),
                ctx,
                Some(free),
            ))
        }
    }
}

unsafe fn stop<T: Value, F: Fn(&crate::Event<T>) -> bool>(
    ctx: *mut c_void,
    event: impl FnOnce() -> Result<crate::Event<T>>,
) -> c_int {
    edge::int(|| Ok((*(ctx as *const F))(&event()?).into()))
}

unsafe extern "C" fn stop_next<T: Value, F: Fn(&crate::Event<T>) -> bool>(
    ctx: *mut c_void,
    value: belay_value,
) -> c_int {
    stop::<T, F>(ctx, || T::from_dynamic(Dynamic::lent(&value)).map(crate::Event::Next))
}

unsafe extern "C" fn stop_error<T: Value, F: Fn(&crate::Event<T>) -> bool>(
    ctx: *mut c_void,
    error: *const belay_error,
) -> c_int {
    stop::<T, F>(ctx, || Error::retaining(error).map(crate::Event::Error).ok_or_else(Error::last))
}

unsafe extern "C" fn stop_completed<T: Value, F: Fn(&crate::Event<T>) -> bool>(
    ctx: *mut c_void,
) -> c_int {
    stop::<T, F>(ctx, || Ok(crate::Event::Completed))
}

impl<T: Value> Signal<T> {
    // [operators effects] written by `scripts/api write` from docs/operators.tsv
    /// Raises SIGTRAP on the thread of the callbacks before it passes on an error. A debugger stops
    /// there. A process without a debugger and without a handler ends.
    pub fn breakpoint_on_error(&self) -> Signal<T> {
        unsafe { self.with(belay_op_breakpoint_on_error()) }
    }
    // [end]
}
