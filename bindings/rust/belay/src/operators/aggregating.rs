//! One value of a whole signal.
use std::ptr;

use belay_sys::*;

use crate::callbacks::{compare, ctx, free, predicate, scan};
use crate::signal::Signal;
use crate::value::{Outcome, Value};

impl<T: Value> Signal<T> {
    /// The signal's values; `fallback` when there were none.
    pub fn default_if_empty(&self, fallback: T) -> Signal<T> {
        unsafe { self.with(belay_op_default_if_empty(fallback.into_dynamic().into_raw())) }
    }

    /// The signal's values; those of `other` when there were none.
    pub fn switch_if_empty(&self, other: &Signal<T>) -> Signal<T> {
        unsafe { self.with(belay_op_switch_if_empty(other.retained())) }
    }

    /// Whether a value equals `wanted`; as soon as that is known.
    pub fn contains(&self, wanted: T) -> Signal<bool> {
        unsafe { self.with(belay_op_contains(wanted.into_dynamic().into_raw())) }
    }

    /// Whether the closure answers true for a value; as soon as that is known.
    pub fn any<R, F>(&self, wanted: F) -> Signal<bool>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = predicate::<T, R, F>;
        unsafe { self.with(belay_op_any(Some(call), ctx(wanted), Some(free::<F>))) }
    }

    /// Whether the closure answers true for all values; as soon as that is known.
    pub fn all<R, F>(&self, right: F) -> Signal<bool>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = predicate::<T, R, F>;
        unsafe { self.with(belay_op_all(Some(call), ctx(right), Some(free::<F>))) }
    }

    /// Whether there are no values; as soon as that is known.
    pub fn is_empty(&self) -> Signal<bool> {
        unsafe { self.with(belay_op_is_empty()) }
    }

    /// How many values there were.
    pub fn count(&self) -> Signal<u64> {
        unsafe { self.with(belay_op_count()) }
    }

    /// The smallest value, the first of equals; nothing when there were none. Numbers and strings,
    /// anything else is [`Code::EKIND`](crate::Code::EKIND).
    pub fn min(&self) -> Signal<T> {
        unsafe { self.with(belay_op_min(None, ptr::null_mut(), None)) }
    }

    /// The same by a closure, which says whether the first comes before the second.
    pub fn min_by<R, F>(&self, less: F) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T, &T) -> R + Send + Sync + 'static,
    {
        let call = compare::<T, R, F>;
        unsafe { self.with(belay_op_min(Some(call), ctx(less), Some(free::<F>))) }
    }

    /// The largest value, the first of equals; as [`Signal::min`].
    pub fn max(&self) -> Signal<T> {
        unsafe { self.with(belay_op_max(None, ptr::null_mut(), None)) }
    }

    /// The same by a closure, which says whether the first comes before the second.
    pub fn max_by<R, F>(&self, less: F) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T, &T) -> R + Send + Sync + 'static,
    {
        let call = compare::<T, R, F>;
        unsafe { self.with(belay_op_max(Some(call), ctx(less), Some(free::<F>))) }
    }

    /// The sum; [`Code::ERANGE`](crate::Code::ERANGE) when it does not fit,
    /// [`Code::EKIND`](crate::Code::EKIND) for what is no number.
    pub fn sum(&self) -> Signal<T> {
        unsafe { self.with(belay_op_sum()) }
    }

    /// The mean; nothing when there were no values.
    pub fn average(&self) -> Signal<f64> {
        unsafe { self.with(belay_op_average()) }
    }

    /// What `step` has made of all values, beginning with `seed`.
    pub fn reduce<S, R, F>(&self, seed: S, step: F) -> Signal<S>
    where
        S: Value,
        R: Outcome<Value = S>,
        F: Fn(S, T) -> R + Send + Sync + 'static,
    {
        let (call, free) = (scan::<S, T, R, F>, free::<F>);
        let seed = seed.into_dynamic().into_raw();
        unsafe { self.with(belay_op_reduce(seed, Some(call), ctx(step), Some(free))) }
    }

    /// All values as one, at completion.
    pub fn collect(&self) -> Signal<Vec<T>> {
        unsafe { self.with(belay_op_collect()) }
    }
}
