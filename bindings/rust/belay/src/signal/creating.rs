//! Signals that are made of something.
use std::cell::Cell;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use belay_sys::*;

use crate::callbacks::{self, ctx, free};
use crate::code::Code;
use crate::disposable::Disposable;
use crate::error::{Error, Result};
use crate::loops::Scheduler;
use crate::signal::{raw_values, IntoTeardown, Signal, Subscriber};
use crate::value::{Dynamic, Outcome, Value};
use crate::{edge, site};

impl Signal<i64> {
    /// `count` numbers from `start` on.
    pub fn range(start: i64, count: u64) -> Signal<i64> {
        unsafe { Signal::made(belay_signal_range(start, count)) }
    }
}

impl Signal<u64> {
    /// One 0 after `delay`, then completed.
    pub fn timer(scheduler: &Scheduler, delay: Duration) -> Signal<u64> {
        unsafe { Signal::made(belay_signal_timer(scheduler.as_raw(), delay.as_secs_f64())) }
    }

    /// 0, 1, 2, … every `interval`, the first after one.
    pub fn interval(scheduler: &Scheduler, interval: Duration) -> Signal<u64> {
        unsafe { Signal::made(belay_signal_interval(scheduler.as_raw(), interval.as_secs_f64())) }
    }
}

impl<T: Value> Signal<T> {
    /// A cold signal: `produce` runs once for each subscription, at its home, and sends into its
    /// subscriber, which it may keep, and use on any thread. Its answer is disposed of when the
    /// subscription ends. A panic is the error event.
    ///
    /// ```
    /// use belay::{Disposable, Signal};
    /// # fn main() -> belay::Result<()> {
    /// let hello = Signal::create(|subscriber| {
    ///     let _ = subscriber.next("hello");
    ///     let _ = subscriber.completed();
    ///     Disposable::new(|| println!("torn down"))
    /// });
    /// hello.subscribe(|text: String| println!("{text}"))?;
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn create<D, F>(produce: F) -> Signal<T>
    where
        D: IntoTeardown,
        F: Fn(Subscriber<T>) -> D + Send + Sync + 'static,
    {
        let site = site::Site::here().text();
        let options = belay_source_options { site, ..belay_source_options::default() };
        unsafe {
            let call = run_producer::<T, D, F>;
            Signal::made(belay_signal_create(Some(call), ctx(produce), Some(free::<F>), &options))
        }
    }

    /// One value.
    pub fn just(value: T) -> Signal<T> {
        unsafe { Signal::made(belay_signal_just(value.into_dynamic().into_raw())) }
    }

    /// Several values. (ReactiveX's from.) See [`Signal::from_iterator`], which makes them one by
    /// one.
    pub fn from_values(values: impl IntoIterator<Item = T>) -> Signal<T> {
        let values = raw_values(values);
        unsafe { Signal::made(belay_signal_from(values.as_ptr(), values.len())) }
    }

    /// Completes at once.
    pub fn empty() -> Signal<T> {
        unsafe { Signal::made(belay_signal_empty()) }
    }

    /// Nothing, ever.
    pub fn never() -> Signal<T> {
        unsafe { Signal::made(belay_signal_never()) }
    }

    /// Fails at once. (ReactiveX's throw.)
    pub fn error(error: &Error) -> Signal<T> {
        unsafe { Signal::from_raw(belay_signal_error(error.as_raw())) }
            .expect("a signal that fails can always be made")
    }

    /// A value, or nothing.
    pub fn from_optional(value: Option<T>) -> Signal<T> {
        match value {
            Some(value) => Signal::just(value),
            None => unsafe { Signal::made(belay_signal_from_optional(belay_null())) },
        }
    }

    /// A value, or an error.
    pub fn from_result<R: Outcome<Value = T>>(result: R) -> Signal<T> {
        match result.outcome() {
            Ok(value) => unsafe {
                Signal::made(belay_signal_from_result(value.into_dynamic().into_raw()))
            },
            Err(error) => Signal::error(&error),
        }
    }

    /// A value again and again: `count` times; `None`: until nobody listens.
    pub fn repeat_value(value: T, count: Option<usize>) -> Signal<T> {
        let value = value.into_dynamic().into_raw();
        unsafe { Signal::made(belay_signal_repeat_value(value, crate::operators::count_of(count))) }
    }

    /// The signal that `make` returns, for each subscription anew.
    pub fn defer<R, F>(make: F) -> Signal<T>
    where
        R: Outcome<Value = Signal<T>>,
        F: Fn() -> R + Send + Sync + 'static,
    {
        let call = callbacks::make_signal::<T, R, F>;
        unsafe { Signal::made(belay_signal_defer(Some(call), ctx(make), Some(free::<F>))) }
    }

    /// Sends the items of an iterator, one by one, as long as somebody listens. Each subscription
    /// iterates over a clone. The items may be results, as those of closures may.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let squares = belay::Signal::from_iterator((1..).map(|n: i32| n * n)).take(3);
    /// let seen: Result<Vec<_>, _> = squares.iter()?.collect();
    /// assert_eq!(seen?, [1, 4, 9]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_iterator<I>(values: I) -> Signal<T>
    where
        I: IntoIterator + Clone + Send + Sync + 'static,
        I::IntoIter: Send,
        I::Item: Outcome<Value = T>,
    {
        // A clone is made under no lock, and belongs to one subscription.
        Signal::defer(move || {
            let iterator = Mutex::new(values.clone().into_iter());
            Signal::pull(move || {
                // It is locked only if it pulls itself.
                let mut iterator = iterator.try_lock().map_err(|_| Code::EREENTRANT)?;
                iterator.next().map(Outcome::outcome).transpose()
            })
        })
    }

    /// Sends the values that `next` returns, until it returns `None`. All subscriptions call the
    /// same closure: [`Signal::defer`] gives each its own.
    pub fn pull<F>(next: F) -> Signal<T>
    where
        F: Fn() -> Result<Option<T>> + Send + Sync + 'static,
    {
        let call = pull::<T, F>;
        unsafe { Signal::made(belay_signal_from_iterator(Some(call), ctx(next), Some(free::<F>))) }
    }

    /// A loop: begins with the state `initial`, sends `result` of each state, and goes on to the
    /// state that `next` returns, while `condition` returns true.
    pub fn generate<S, C, N, R, F>(initial: S, condition: C, next: N, result: F) -> Signal<T>
    where
        S: Value,
        C: Fn(&S) -> bool + Send + Sync + 'static,
        N: Fn(S) -> S + Send + Sync + 'static,
        R: Outcome<Value = T>,
        F: Fn(S) -> R + Send + Sync + 'static,
    {
        type All<C, N, F> = (C, N, F);
        unsafe extern "C" fn go<S: Value, C: Fn(&S) -> bool, N, F>(
            ctx: *mut c_void,
            value: belay_value,
        ) -> c_int {
            let all = &*(ctx as *const All<C, N, F>);
            edge::int(|| Ok((all.0)(&S::from_dynamic(Dynamic::lent(&value))?).into()))
        }
        unsafe extern "C" fn step<S: Value, C, N: Fn(S) -> S, F>(
            ctx: *mut c_void,
            value: belay_value,
        ) -> belay_value {
            let all = &*(ctx as *const All<C, N, F>);
            edge::value(|| Ok((all.1)(S::from_dynamic(Dynamic::lent(&value))?).into_dynamic()))
        }
        unsafe extern "C" fn make<S: Value, C, N, R: Outcome, F: Fn(S) -> R>(
            ctx: *mut c_void,
            value: belay_value,
        ) -> belay_value {
            let all = &*(ctx as *const All<C, N, F>);
            edge::value(|| {
                Ok((all.2)(S::from_dynamic(Dynamic::lent(&value))?).outcome()?.into_dynamic())
            })
        }
        unsafe {
            Signal::made(belay_signal_generate(
                initial.into_dynamic().into_raw(),
                Some(go::<S, C, N, F>),
                Some(step::<S, C, N, F>),
                Some(make::<S, C, N, R, F>),
                ctx((condition, next, result)),
                Some(free::<All<C, N, F>>),
            ))
        }
    }

    /// For each subscription makes a resource and the signal that uses it; the resource is dropped
    /// with the subscription.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// use belay::Signal;
    /// let lines = Signal::using(|| Ok(vec![1, 2, 3]), |numbers| Signal::from_values(numbers.clone()));
    /// assert_eq!(lines.iter()?.count(), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn using<X, R, M, U>(make: M, using: U) -> Signal<T>
    where
        X: Send + 'static,
        R: Outcome<Value = Signal<T>>,
        M: Fn() -> Result<X> + Send + Sync + 'static,
        U: Fn(&X) -> R + Send + Sync + 'static,
    {
        unsafe {
            let (make_it, use_it) = (make_resource::<X, M, U>, use_resource::<X, T, R, M, U>);
            let (ctx, free) = (ctx((make, using)), free::<(M, U)>);
            Signal::made(belay_signal_using(Some(make_it), Some(use_it), ctx, Some(free)))
        }
    }

    /// Runs `work` on `scheduler` for each subscription, and sends its result.
    pub fn start<R, F>(scheduler: &Scheduler, work: F) -> Signal<T>
    where
        R: Outcome<Value = T>,
        F: Fn() -> R + Send + Sync + 'static,
    {
        let (call, free) = (callbacks::produce::<R, F>, free::<F>);
        unsafe {
            let scheduler = scheduler.as_raw();
            Signal::made(belay_signal_start(scheduler, Some(call), ctx(work), Some(free)))
        }
    }

    /// Runs `work` on `scheduler` once, whether or not somebody listens, and sends its result, also
    /// to later subscribers.
    pub fn start_eagerly<R, F>(scheduler: &Scheduler, work: F) -> Signal<T>
    where
        R: Outcome<Value = T>,
        F: FnOnce() -> R + Send + 'static,
    {
        type Work<F> = Cell<Option<F>>;
        unsafe extern "C" fn call<R: Outcome, F: FnOnce() -> R>(ctx: *mut c_void) -> belay_value {
            edge::value(|| {
                let work = (*(ctx as *const Work<F>)).take().ok_or(Code::EENDED)?;
                Ok(work().outcome()?.into_dynamic())
            })
        }
        let work: Work<F> = Cell::new(Some(work));
        unsafe {
            let (scheduler, free) = (scheduler.as_raw(), free::<Work<F>>);
            let (call, ctx) = (call::<R, F>, ctx(work));
            Signal::made(belay_signal_start_eagerly(scheduler, Some(call), ctx, Some(free)))
        }
    }
}

unsafe extern "C" fn run_producer<T, D, F>(
    ctx: *mut c_void,
    subscriber: *mut belay_subscriber,
) -> *mut belay_disposable
where
    T: Value,
    D: IntoTeardown,
    F: Fn(Subscriber<T>) -> D,
{
    let made = edge::caught(|| {
        let subscriber = Subscriber::retaining(subscriber);
        let subscriber = subscriber.ok_or_else(Error::last)?;
        Ok((*(ctx as *const F))(subscriber).into_teardown())
    });
    match made {
        Ok(teardown) => teardown.map_or(ptr::null_mut(), Disposable::into_raw),
        Err(error) => {
            belay_subscriber_error(subscriber, error.as_raw());
            ptr::null_mut()
        }
    }
}

unsafe extern "C" fn pull<T, F>(ctx: *mut c_void, out: *mut belay_value) -> c_int
where
    T: Value,
    F: Fn() -> Result<Option<T>>,
{
    edge::int(|| match (*(ctx as *const F))()? {
        Some(value) => {
            *out = value.into_dynamic().into_raw();
            Ok(1)
        }
        None => Ok(0),
    })
}

unsafe extern "C" fn make_resource<X, M, U>(
    ctx: *mut c_void,
    resource: *mut *mut c_void,
) -> *mut belay_disposable
where
    X: Send + 'static,
    M: Fn() -> Result<X>,
{
    edge::pointer(|| {
        let made = callbacks::ctx(Arc::new((*(ctx as *const (M, U))).0()?));
        *resource = made;
        // The disposable drops it.
        Ok(belay_disposable_create(None, made, Some(free::<Arc<X>>)))
    })
}

unsafe extern "C" fn use_resource<X, T, R, M, U>(
    ctx: *mut c_void,
    resource: *mut c_void,
) -> *mut belay_signal
where
    T: Value,
    R: Outcome<Value = Signal<T>>,
    U: Fn(&X) -> R,
{
    let using = &(*(ctx as *const (M, U))).1;
    // The closure may end the subscription, and the resource with it.
    let kept = Arc::clone(&*(resource as *const Arc<X>));
    edge::caught(move || using(&kept).outcome())
        .unwrap_or_else(|error| Signal::error(&error))
        .into_raw()
}
