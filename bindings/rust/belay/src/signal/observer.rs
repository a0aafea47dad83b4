//! Subscribing.
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
use crate::error::{check, Error, Result};
use crate::loops::LoopHandle;
use crate::owners::Owner;
use crate::signal::Signal;
use crate::site::{self, Site};
use crate::value::{Dynamic, Value};

/// What becomes of an error, and of an end.
type OnError = Box<dyn FnOnce(Error) + Send>;
type OnEnd = Box<dyn FnOnce() + Send>;

/// What hears values: a closure for each, or for those that come together.
pub trait Hear<T>: private::Sealed + Send + 'static {
    /// Whether it is for several.
    #[doc(hidden)]
    const IS_FOR_BATCHES: bool;

    /// Calls it.
    #[doc(hidden)]
    fn hear(&mut self, values: &[Dynamic]) -> Result<()>;
}

mod private {
    pub trait Sealed {}
    impl<N> Sealed for super::Each<N> {}
    impl<N> Sealed for super::Batch<N> {}
}

/// A closure that is called with each value: [`Observing::next`].
pub struct Each<N>(N);

/// A closure that is called with those that come together: [`Observing::next_batch`].
pub struct Batch<N>(N);

impl<T: Value, N: FnMut(T) + Send + 'static> Hear<T> for Each<N> {
    const IS_FOR_BATCHES: bool = false;

    fn hear(&mut self, values: &[Dynamic]) -> Result<()> {
        for value in values {
            (self.0)(T::from_dynamic(value)?);
        }
        Ok(())
    }
}

impl<T: Value, N: FnMut(Vec<T>) + Send + 'static> Hear<T> for Batch<N> {
    const IS_FOR_BATCHES: bool = true;

    fn hear(&mut self, values: &[Dynamic]) -> Result<()> {
        let mut read = Vec::with_capacity(values.len());
        let mut failed = Ok(());
        for value in values {
            match T::from_dynamic(value) {
                Ok(value) => read.push(value),
                Err(error) => {
                    failed = Err(error);
                    break;
                }
            }
        }
        // What comes before a value that is no `T` has come.
        if !read.is_empty() {
            (self.0)(read);
        }
        failed
    }
}

/// A subscription that is being described: [`Signal::observe`] begins one.
///
/// Its closures run at the subscription's home: the loop it was given, else the loop bound to the
/// subscribing thread, else that thread. They are called one at a time, and go with the
/// subscription. A value that is sent to it from inside its own [`next`](Observing::next), which
/// takes a depth-first subject, is delivered when that has returned.
///
/// A [`next`](Observing::next) that panics, or a value that is no `T`, ends the subscription, and is
/// its error event. An error that it has no closure for goes to the hook for errors that nobody
/// handles ([`on_unhandled_error`](crate::on_unhandled_error)); so does a panic in the others.
#[must_use = "nothing is subscribed to until `subscribe` is called"]
pub struct Observing<'a, T, N> {
    signal: &'a Signal<T>,
    next: N,
    error: Option<OnError>,
    completed: Option<OnEnd>,
    disposed: Option<OnEnd>,
    home: Option<&'a LoopHandle>,
    owner: Option<&'a Owner>,
    label: Option<&'static str>,
}

impl<T: Value> Signal<T> {
    /// Calls `next` with each value, from now on. The subscription ends with the signal, or by
    /// [`Disposable::dispose`]; that the disposable is dropped ends nothing: see
    /// [`Disposable::scoped`]. It needs `Ok` only to be sure that it has begun:
    /// [`Code::ENOHOME`](crate::Code::ENOHOME) when the source is at home on another thread that has
    /// no loop.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let subject = belay::Subject::new();
    /// let subscription = subject.subscribe(|n: i32| println!("{n}"))?;
    /// subject.next(1)?;
    /// subscription.dispose();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// What the closure captures has to be `Send`, for the source may be at home elsewhere:
    ///
    /// ```compile_fail
    /// let count = std::rc::Rc::new(std::cell::Cell::new(0));
    /// let _ = belay::Signal::range(0, 9).subscribe(move |n| count.set(n));
    /// ```
    #[track_caller]
    pub fn subscribe<N>(&self, next: N) -> Result<Disposable>
    where
        N: FnMut(T) + Send + 'static,
    {
        self.observe().next(next).subscribe()
    }

    /// Describes a subscription.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// belay::Signal::range(1, 2)
    ///     .observe()
    ///     .next(|n| println!("{n}"))
    ///     .error(|error| println!("failed: {error}"))
    ///     .completed(|| println!("completed"))
    ///     .disposed(|| println!("over"))
    ///     .subscribe()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn observe(&self) -> Observing<'_, T, Each<fn(T)>> {
        Observing {
            signal: self,
            next: Each(|_| ()),
            error: None,
            completed: None,
            disposed: None,
            home: None,
            owner: None,
            label: None,
        }
    }
}

impl<'a, T: Value, N> Observing<'a, T, N> {
    /// Calls `next` with each value.
    pub fn next<M: FnMut(T) + Send + 'static>(self, next: M) -> Observing<'a, T, Each<M>> {
        self.hearing(Each(next))
    }

    /// Calls `next` with the values that come together, in place of one by one: what
    /// [`from_values`](Signal::from_values), [`range`](Signal::range), a replay,
    /// [`Subject::next_batch`](crate::Subject::next_batch) or one read of a file send, and what
    /// reaches a loop in one turn, up to 256; any other value comes alone.
    pub fn next_batch<M>(self, next: M) -> Observing<'a, T, Batch<M>>
    where
        M: FnMut(Vec<T>) + Send + 'static,
    {
        self.hearing(Batch(next))
    }

    fn hearing<H>(self, next: H) -> Observing<'a, T, H> {
        let Observing { signal, error, completed, disposed, home, owner, label, .. } = self;
        Observing { signal, next, error, completed, disposed, home, owner, label }
    }

    /// Calls `error` when it ends with an error.
    pub fn error(mut self, error: impl FnOnce(Error) + Send + 'static) -> Self {
        self.error = Some(Box::new(error));
        self
    }

    /// Calls `completed` when it has completed.
    pub fn completed(mut self, completed: impl FnOnce() + Send + 'static) -> Self {
        self.completed = Some(Box::new(completed));
        self
    }

    /// Calls `disposed` once, whichever way it ended.
    pub fn disposed(mut self, disposed: impl FnOnce() + Send + 'static) -> Self {
        self.disposed = Some(Box::new(disposed));
        self
    }

    /// Makes that loop its home.
    pub fn at(mut self, home: &'a LoopHandle) -> Self {
        self.home = Some(home);
        self
    }

    /// Makes it end with `owner`; if that is dying, at once.
    pub fn owned_by(mut self, owner: &'a Owner) -> Self {
        self.owner = Some(owner);
        self
    }

    /// Names it in reports.
    pub fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Subscribes. See [`Signal::subscribe`].
    #[track_caller]
    pub fn subscribe(self) -> Result<Disposable>
    where
        N: Hear<T>,
    {
        let site = Site::here();
        let is_handled = self.error.is_some();
        let context = Arc::new(Context {
            next: UnsafeCell::new(self.next),
            error: Cell::new(self.error),
            completed: Cell::new(self.completed),
            disposed: Cell::new(self.disposed),
            state: Cell::new(0),
            waiting: RefCell::default(),
            early: Cell::new(ptr::null_mut()),
            handle: AtomicPtr::new(ptr::null_mut()),
            has_failed: AtomicBool::new(false),
            thread: this_thread(),
            site,
        });
        let observer = belay_observer {
            next: (!N::IS_FOR_BATCHES).then_some(on_next::<T, N> as _),
            next_batch: N::IS_FOR_BATCHES.then_some(on_batch::<T, N> as _),
            // Without one the hook for errors that nobody handles is called.
            error: is_handled.then_some(on_error::<T, N> as _),
            completed: Some(on_completed::<T, N>),
            disposed: Some(on_disposed::<T, N>),
            ctx: Arc::into_raw(context.clone()) as *mut c_void,
            ctx_free: Some(free::<T, N>),
            label: site::label(self.label),
            site: site.text(),
            r#loop: self.home.map_or(ptr::null_mut(), LoopHandle::as_raw),
            ..belay_observer::default()
        };
        // The handle is put where a callback finds it that comes before this returns.
        let subscription = context.early.as_ptr();
        let signal = self.signal.as_raw();
        let code = unsafe {
            match self.owner {
                Some(owner) => {
                    belay_signal_subscribe_owned(signal, owner.as_raw(), &observer, subscription)
                }
                None => belay_signal_subscribe(signal, &observer, subscription),
            }
        };
        check(code)?;
        let made = unsafe { Disposable::from_raw(*subscription) }.ok_or_else(Error::last)?;
        context.handle.store(made.as_raw(), Ordering::SeqCst);
        if context.has_failed.load(Ordering::SeqCst) {
            made.dispose();
        }
        Ok(made)
    }
}

enum Event {
    Next(Dynamic),
    Error(Error),
    Completed,
    Disposed,
}

/// `next` is running, so what comes now waits.
const RUNNING: u8 = 1;
/// Something does.
const WAITING: u8 = 2;
/// The end has come, or waits.
const ENDED: u8 = 4;
/// No value is delivered any more.
const OVER: u8 = 8;

/// What C keeps for a subscription, until it is over; and `subscribe`, until it returns.
struct Context<N> {
    next: UnsafeCell<N>,
    error: Cell<Option<OnError>>,
    completed: Cell<Option<OnEnd>>,
    disposed: Cell<Option<OnEnd>>,
    state: Cell<u8>,
    /// What is called before `next` has returned, as a depth-first subject does.
    waiting: RefCell<VecDeque<Event>>,
    /// The handle, borrowed, as C gives it: read by the thread that subscribes, which is in the
    /// call. During a callback it is alive.
    early: Cell<*mut belay_disposable>,
    /// The same, for all threads, when the call has returned.
    handle: AtomicPtr<belay_disposable>,
    /// `next` has failed where neither could be read: who subscribes disposes then.
    has_failed: AtomicBool,
    thread: usize,
    site: Site,
}

impl<N> Context<N> {
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

    /// Runs what may call the closure, then delivers what has come meanwhile.
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

    /// Ends the subscription with what its closure has failed with.
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
            // Either this sees the handle, or who stores it sees this.
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
        // What is lent need not be retained.
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
        // From inside, too, at once; what waits is not delivered.
        context.dispose();
    }
}

unsafe extern "C" fn free<T: Value, N: Hear<T>>(ctx: *mut c_void) {
    edge::quietly(|| drop(Arc::from_raw(ctx as *const Context<N>)));
}
