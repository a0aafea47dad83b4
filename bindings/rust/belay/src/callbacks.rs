//! Closures as C's callbacks: a context, a function for its kind, and one that frees it.
//!
//! A closure of an operator belongs to all subscriptions of its signal, which may be on several
//! threads. It is dropped with the last of them, on any thread. So it is `Fn`, `Send` and `Sync`. A
//! closure that is called once is `FnOnce` and `Send`.
//!
//! Each callback of C has parameters of its own, so functions of the same bounds are repeated here.
use std::cell::Cell;
use std::os::raw::{c_int, c_void};
use std::ptr;

use belay_sys::*;

use crate::edge;
use crate::error::{check, Error, Result};
use crate::signal::Signal;
use crate::value::{Dynamic, Items, Outcome, Value};

/// The context of a closure, which [`free`] frees.
pub(crate) fn ctx<F>(closure: F) -> *mut c_void {
    Box::into_raw(Box::new(closure)) as *mut c_void
}

pub(crate) unsafe extern "C" fn free<F>(ctx: *mut c_void) {
    edge::quietly(|| drop(Box::from_raw(ctx as *mut F)));
}

/// Sets a hook of the process by `set`, a function of C. `call` is the callback that calls the
/// closure; without a closure, the hook goes.
pub(crate) fn set_hook<F, C: Default>(
    set: unsafe extern "C" fn(C, *mut c_void, belay_free_fn) -> c_int,
    hook: Option<F>,
    call: C,
) -> Result<()> {
    let code = match hook {
        None => unsafe { set(C::default(), ptr::null_mut(), None) },
        Some(hook) => unsafe { set(call, ctx(hook), Some(free::<F>)) },
    };
    check(code).map(drop)
}

/// The closure of a context that is being called, and so is alive.
unsafe fn closure<'a, F>(ctx: *mut c_void) -> &'a F {
    &*(ctx as *const F)
}

/// Reads a value that is lent.
unsafe fn read<T: Value>(value: &belay_value) -> Result<T> {
    T::from_dynamic(Dynamic::lent(value))
}

/// Makes of each value another.
pub(crate) unsafe extern "C" fn map<T, R, F>(ctx: *mut c_void, value: belay_value) -> belay_value
where
    T: Value,
    R: Outcome,
    F: Fn(T) -> R,
{
    edge::value(|| Ok(closure::<F>(ctx)(read(&value)?).outcome()?.into_dynamic()))
}

/// Makes a value of one that is looked at.
pub(crate) unsafe extern "C" fn key<T, R, F>(ctx: *mut c_void, value: belay_value) -> belay_value
where
    T: Value,
    R: Outcome,
    F: Fn(&T) -> R,
{
    edge::value(|| Ok(closure::<F>(ctx)(&read(&value)?).outcome()?.into_dynamic()))
}

/// Says yes or no to a value.
pub(crate) unsafe extern "C" fn predicate<T, R, F>(ctx: *mut c_void, value: belay_value) -> c_int
where
    T: Value,
    R: Outcome<Value = bool>,
    F: Fn(&T) -> R,
{
    edge::int(|| closure::<F>(ctx)(&read(&value)?).outcome().map(c_int::from))
}

/// Does something with a value, or fails.
pub(crate) unsafe extern "C" fn attempt<T, R, F>(ctx: *mut c_void, value: belay_value) -> c_int
where
    T: Value,
    R: Outcome<Value = ()>,
    F: Fn(&T) -> R,
{
    edge::int(|| closure::<F>(ctx)(&read(&value)?).outcome().map(|()| 0))
}

/// Compares two values.
pub(crate) unsafe extern "C" fn compare<T, R, F>(
    ctx: *mut c_void,
    a: belay_value,
    b: belay_value,
) -> c_int
where
    T: Value,
    R: Outcome<Value = bool>,
    F: Fn(&T, &T) -> R,
{
    edge::int(|| closure::<F>(ctx)(&read(&a)?, &read(&b)?).outcome().map(c_int::from))
}

/// Makes the next accumulated value of the last one and a value.
pub(crate) unsafe extern "C" fn scan<S, T, R, F>(
    ctx: *mut c_void,
    accumulated: belay_value,
    value: belay_value,
) -> belay_value
where
    S: Value,
    T: Value,
    R: Outcome<Value = S>,
    F: Fn(S, T) -> R,
{
    edge::value(|| {
        let next = closure::<F>(ctx)(read(&accumulated)?, read(&value)?);
        Ok(next.outcome()?.into_dynamic())
    })
}

/// Makes a value of several.
pub(crate) unsafe extern "C" fn combine<I, R, F>(
    ctx: *mut c_void,
    values: *const belay_value,
    count: usize,
) -> belay_value
where
    I: Items,
    R: Outcome,
    F: Fn(I) -> R,
{
    edge::value(|| {
        let items = lent(values, count);
        Ok(closure::<F>(ctx)(I::from_items(items)?).outcome()?.into_dynamic())
    })
}

/// Makes a value of one and several others.
pub(crate) unsafe extern "C" fn combine_first<T, I, R, F>(
    ctx: *mut c_void,
    values: *const belay_value,
    count: usize,
) -> belay_value
where
    T: Value,
    I: Items,
    R: Outcome,
    F: Fn(T, I) -> R,
{
    edge::value(|| {
        let items = lent(values, count);
        let (first, others) = items.split_first().ok_or(crate::Code::ERANGE)?;
        let made = closure::<F>(ctx)(T::from_dynamic(first)?, I::from_items(others)?);
        Ok(made.outcome()?.into_dynamic())
    })
}

/// Several values that are lent.
pub(crate) unsafe fn lent<'a>(values: *const belay_value, count: usize) -> &'a [Dynamic] {
    if count == 0 {
        return &[];
    }
    // The same layout.
    std::slice::from_raw_parts(values as *const Dynamic, count)
}

/// Makes a signal of a value.
pub(crate) unsafe extern "C" fn flat_map<T, U, R, F>(
    ctx: *mut c_void,
    value: belay_value,
) -> *mut belay_signal
where
    T: Value,
    U: Value,
    R: Outcome<Value = Signal<U>>,
    F: Fn(T) -> R,
{
    signal(|| closure::<F>(ctx)(read(&value)?).outcome())
}

/// Makes a signal of nothing.
pub(crate) unsafe extern "C" fn make_signal<U, R, F>(ctx: *mut c_void) -> *mut belay_signal
where
    U: Value,
    R: Outcome<Value = Signal<U>>,
    F: Fn() -> R,
{
    signal(|| closure::<F>(ctx)().outcome())
}

/// Makes a signal in an error's place.
pub(crate) unsafe extern "C" fn recover<U, R, F>(
    ctx: *mut c_void,
    error: *const belay_error,
) -> *mut belay_signal
where
    U: Value,
    R: Outcome<Value = Signal<U>>,
    F: Fn(Error) -> R,
{
    signal(|| {
        let error = Error::retaining(error).ok_or_else(Error::last)?;
        closure::<F>(ctx)(error).outcome()
    })
}

/// Makes a signal of one that is lent.
pub(crate) unsafe extern "C" fn when<E, U, R, F>(
    ctx: *mut c_void,
    events: *mut belay_signal,
) -> *mut belay_signal
where
    E: Value,
    U: Value,
    R: Outcome<Value = Signal<U>>,
    F: Fn(Signal<E>) -> R,
{
    signal(|| closure::<F>(ctx)(Signal::made(belay_signal_retain(events))).outcome())
}

/// Makes a signal of one that is given away.
pub(crate) unsafe extern "C" fn compose<T, U, R, F>(
    ctx: *mut c_void,
    source: *mut belay_signal,
) -> *mut belay_signal
where
    T: Value,
    U: Value,
    R: Outcome<Value = Signal<U>>,
    F: Fn(Signal<T>) -> R,
{
    let source = Signal::made(source);
    signal(|| closure::<F>(ctx)(source).outcome())
}

/// A signal for C. An error that a closure answers is a signal that fails with it: so it keeps its
/// domain, its value and its cause, which a failure would not.
fn signal<U: Value>(body: impl FnOnce() -> Result<Signal<U>>) -> *mut belay_signal {
    edge::caught(body).unwrap_or_else(|error| Signal::error(&error)).into_raw()
}

/// Makes another error of an error.
pub(crate) unsafe extern "C" fn map_error<E, F>(
    ctx: *mut c_void,
    error: *const belay_error,
) -> *mut belay_error
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
    F: Fn(Error) -> E,
{
    edge::pointer(|| {
        let error = Error::retaining(error).ok_or_else(Error::last)?;
        Ok(Error::from_any(closure::<F>(ctx)(error)).into_raw())
    })
}

/// Makes a value of nothing.
pub(crate) unsafe extern "C" fn produce<R, F>(ctx: *mut c_void) -> belay_value
where
    R: Outcome,
    F: Fn() -> R,
{
    edge::value(|| Ok(closure::<F>(ctx)().outcome()?.into_dynamic()))
}

/// Does something; a panic goes to the hook for errors that nobody handles.
pub(crate) unsafe extern "C" fn action<F: Fn()>(ctx: *mut c_void) {
    let (closure, site) = closure::<(F, crate::site::Site)>(ctx);
    edge::reported(*site, closure);
}

/// A closure that is called at most once, with the place that made it.
pub(crate) type Once<F> = (Cell<Option<F>>, crate::site::Site);

/// The context of a closure that is called at most once.
#[track_caller]
pub(crate) fn once<F: FnOnce() + Send + 'static>(closure: F) -> *mut c_void {
    let once: Once<F> = (Cell::new(Some(closure)), crate::site::Site::here());
    ctx(once)
}

/// Does something, once.
pub(crate) unsafe extern "C" fn call_once<F: FnOnce()>(ctx: *mut c_void) {
    let (cell, site) = closure::<Once<F>>(ctx);
    if let Some(closure) = cell.take() {
        edge::reported(*site, closure);
    }
}
