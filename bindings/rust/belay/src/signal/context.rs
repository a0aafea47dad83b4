//! The context of a subscription, which C keeps.
use std::cell::{Cell, RefCell, UnsafeCell};
use std::collections::VecDeque;
use std::os::raw::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::Arc;

use belay_sys::*;

use crate::callbacks::lent;
use crate::disposable::Disposable;
use crate::edge;
use crate::error::Error;
use crate::signal::hear::Hear;
use crate::site::Site;
use crate::value::{Dynamic, Value};

/// Closures for an error and for an end.
pub(super) type OnError = Box<dyn FnOnce(Error) + Send>;
pub(super) type OnEnd = Box<dyn FnOnce() + Send>;

enum Event {
    Next(Dynamic),
    Error(Error),
    Completed,
    Disposed,
}

/// `next` is running: an event that arrives now waits.
const RUNNING: u8 = 1;
/// An event waits.
const WAITING: u8 = 2;
/// The end has come, or waits.
const ENDED: u8 = 4;
/// No value is delivered any more.
const OVER: u8 = 8;

/// The context of a subscription. C keeps it until the subscription is over, and `subscribe` keeps
/// it until it returns.
pub(super) struct Context<N> {
    next: UnsafeCell<N>,
    error: Cell<Option<OnError>>,
    completed: Cell<Option<OnEnd>>,
    disposed: Cell<Option<OnEnd>>,
    state: Cell<u8>,
    /// Events that arrive before `next` has returned. A depth-first subject sends such events.
    waiting: RefCell<VecDeque<Event>>,
    /// The handle, borrowed, as C gives it: read by the thread that subscribes, which is in the
    /// call. During a callback it is alive.
    early: Cell<*mut belay_disposable>,
    /// The same, for all threads, when the call has returned.
    handle: AtomicPtr<belay_disposable>,
    /// `next` has failed where neither handle could be read. The subscribing thread then disposes.
    has_failed: AtomicBool,
    thread: usize,
    site: Site,
}

impl<N> Context<N> {
    pub(super) fn new(
        next: N,
        error: Option<OnError>,
        completed: Option<OnEnd>,
        disposed: Option<OnEnd>,
        site: Site,
    ) -> Context<N> {
        Context {
            next: UnsafeCell::new(next),
            error: Cell::new(error),
            completed: Cell::new(completed),
            disposed: Cell::new(disposed),
            state: Cell::new(0),
            waiting: RefCell::default(),
            early: Cell::new(ptr::null_mut()),
            handle: AtomicPtr::new(ptr::null_mut()),
            has_failed: AtomicBool::new(false),
            thread: this_thread(),
            site,
        }
    }

    /// An observer that takes it over.
    pub(super) fn into_observer<T: Value>(self: Arc<Self>) -> belay_observer
    where
        N: Hear<T>,
    {
        let error = self.error.take();
        let is_handled = error.is_some();
        self.error.set(error);
        belay_observer {
            next: (!N::IS_FOR_BATCHES).then_some(on_next::<T, N> as _),
            next_batch: N::IS_FOR_BATCHES.then_some(on_batch::<T, N> as _),
            // Without one the hook for errors that nobody handles is called.
            error: is_handled.then_some(on_error::<T, N> as _),
            completed: Some(on_completed::<T, N>),
            disposed: Some(on_disposed::<T, N>),
            site: self.site.text(),
            ctx: Arc::into_raw(self) as *mut c_void,
            ctx_free: Some(free::<T, N>),
            ..belay_observer::default()
        }
    }

    /// Where C puts the handle.
    pub(super) fn place(&self) -> *mut *mut belay_disposable {
        self.early.as_ptr()
    }

    /// The call that subscribes has returned.
    pub(super) fn has_begun(&self, subscription: &Disposable) {
        self.handle.store(subscription.as_raw(), Ordering::SeqCst);
        if self.has_failed.load(Ordering::SeqCst) {
            subscription.dispose();
        }
    }

    fn is(&self, bit: u8) -> bool {
        self.state.get() & bit != 0
    }

    fn set(&self, bit: u8) {
        self.state.set(self.state.get() | bit);
    }

    fn clear(&self, bit: u8) {
        self.state.set(self.state.get() & !bit);
    }

    /// Delivers an event, unless one is being delivered: then that does it, when it has been.
    fn deliver<T: Value>(&self, event: Event)
    where
        N: Hear<T>,
    {
        if self.is(RUNNING) {
            self.waiting.borrow_mut().push_back(event);
            self.set(WAITING);
        } else {
            self.run(|| self.call(event));
        }
    }

    /// Runs `body`, which may call the closure, then delivers the events that have arrived
    /// meanwhile.
    #[inline]
    fn run<T: Value>(&self, body: impl FnOnce())
    where
        N: Hear<T>,
    {
        self.set(RUNNING);
        body();
        if self.is(WAITING) {
            self.deliver_waiting();
        }
        self.clear(RUNNING);
    }

    #[cold]
    fn deliver_waiting<T: Value>(&self)
    where
        N: Hear<T>,
    {
        loop {
            // No borrow is held while something is called, or dropped.
            let event = self.waiting.borrow_mut().pop_front();
            match event {
                Some(event) => self.call(event),
                None => break,
            }
        }
        self.clear(WAITING);
    }

    fn call<T: Value>(&self, event: Event)
    where
        N: Hear<T>,
    {
        match event {
            Event::Disposed => self.dispose(),
            _ if self.is(OVER) => {}
            Event::Next(value) => self.hear(std::slice::from_ref(&value)),
            Event::Error(error) => self.fail(error),
            Event::Completed => {
                self.set(OVER);
                if let Some(completed) = self.completed.take() {
                    edge::reported(self.site, completed);
                }
            }
        }
    }

    fn dispose(&self) {
        self.set(OVER);
        if let Some(disposed) = self.disposed.take() {
            edge::reported(self.site, disposed);
        }
    }

    #[inline]
    fn hear<T: Value>(&self, values: &[Dynamic])
    where
        N: Hear<T>,
    {
        // `RUNNING` keeps a second call out.
        let next = unsafe { &mut *self.next.get() };
        let called = edge::caught(|| next.hear(values));
        if let Err(error) = called {
            self.broke(error);
        }
    }

    /// Ends the subscription with the error of its closure.
    #[cold]
    fn broke(&self, error: Error) {
        self.fail(error);
        self.end();
    }

    /// Disposes of the subscription.
    fn end(&self) {
        let mut handle = self.handle.load(Ordering::SeqCst);
        if handle.is_null() && self.thread == this_thread() {
            handle = self.early.get();
        }
        if handle.is_null() {
            // Either this thread sees the handle, or the thread that stores it sees this.
            self.has_failed.store(true, Ordering::SeqCst);
            handle = self.handle.load(Ordering::SeqCst);
        }
        if !handle.is_null() {
            unsafe { belay_disposable_dispose(handle) };
        }
    }

    fn fail(&self, error: Error) {
        if self.is(OVER) {
            return;
        }
        self.set(OVER);
        match self.error.take() {
            Some(handler) => edge::reported(self.site, || handler(error)),
            None => edge::report(&error, self.site),
        }
    }
}

/// A number that no other thread has that is running.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.try_with(|place| place as *const u8 as usize).unwrap_or(0)
}

unsafe fn context<'a, N>(ctx: *mut c_void) -> &'a Context<N> {
    &*(ctx as *const Context<N>)
}

unsafe extern "C" fn on_next<T: Value, N: Hear<T>>(ctx: *mut c_void, value: belay_value) {
    let context = context::<N>(ctx);
    if context.is(RUNNING) {
        context.deliver(Event::Next(Dynamic::retaining(value)));
    } else if !context.is(OVER) {
        // A lent value need not be retained.
        context.run(|| context.hear(std::slice::from_ref(Dynamic::lent(&value))));
    }
}

/// Never entered from inside.
unsafe extern "C" fn on_batch<T: Value, N: Hear<T>>(
    ctx: *mut c_void,
    values: *const belay_value,
    count: usize,
) {
    let context = context::<N>(ctx);
    if !context.is(OVER | RUNNING) {
        context.run(|| context.hear(lent(values, count)));
    }
}

unsafe extern "C" fn on_error<T: Value, N: Hear<T>>(ctx: *mut c_void, error: *const belay_error) {
    let context = context::<N>(ctx);
    context.set(ENDED);
    if let Some(error) = Error::retaining(error) {
        context.deliver(Event::Error(error));
    }
}

unsafe extern "C" fn on_completed<T: Value, N: Hear<T>>(ctx: *mut c_void) {
    let context = context::<N>(ctx);
    context.set(ENDED);
    context.deliver(Event::Completed);
}

unsafe extern "C" fn on_disposed<T: Value, N: Hear<T>>(ctx: *mut c_void) {
    let context = context::<N>(ctx);
    if context.is(ENDED) {
        context.deliver(Event::Disposed);
    } else {
        // This is at once, also inside `next`. Waiting events are not delivered.
        context.dispose();
    }
}

unsafe extern "C" fn free<T: Value, N: Hear<T>>(ctx: *mut c_void) {
    edge::quietly(|| drop(Arc::from_raw(ctx as *const Context<N>)));
}
