//! One value of a whole signal.
use std::ptr;

use belay_sys::*;

use crate::callbacks::{compare, ctx, free};
use crate::signal::Signal;
use crate::value::{Outcome, Value};

impl<T: Value> Signal<T> {
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
    /// [`Code::EKIND`](crate::Code::EKIND) for a value that is no number.
    pub fn sum(&self) -> Signal<T> {
        unsafe { self.with(belay_op_sum()) }
    }

    accumulating! {
        /// Sends at the completion the last result of `step`, which is given its last result, at
        /// first `seed`, and each value.
        reduce: belay_op_reduce
    }
}

impl<T: Value> Signal<T> {
    // [operators aggregating] written by `scripts/api write` from docs/operators.tsv
    /// Passes on the values of the source. Sends `fallback` when there were none.
    pub fn default_if_empty(&self, fallback: T) -> Signal<T> {
        unsafe { self.with(belay_op_default_if_empty(fallback.into_dynamic().into_raw())) }
    }

    /// Passes on the values of the source. Continues with `other` when there were none.
    pub fn switch_if_empty(&self, other: &Signal<T>) -> Signal<T> {
        unsafe { self.with(belay_op_switch_if_empty(other.retained())) }
    }

    /// Sends true at the first value that equals `wanted` by belay_value_equal(), else false.
    pub fn contains(&self, wanted: T) -> Signal<bool> {
        unsafe { self.with(belay_op_contains(wanted.into_dynamic().into_raw())) }
    }

    /// Sends true at the first value for which `wanted` returns true, else false.
    pub fn any<R, F>(&self, wanted: F) -> Signal<bool>
    where
        R: crate::value::Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::predicate::<T, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe { self.with(belay_op_any(Some(call), crate::callbacks::ctx(wanted), Some(free))) }
    }

    /// Sends false at the first value for which `right` returns false, else true.
    pub fn all<R, F>(&self, right: F) -> Signal<bool>
    where
        R: crate::value::Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::predicate::<T, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe { self.with(belay_op_all(Some(call), crate::callbacks::ctx(right), Some(free))) }
    }

    /// Sends false at the first value, else true.
    pub fn is_empty(&self) -> Signal<bool> {
        unsafe { self.with(belay_op_is_empty()) }
    }

    /// Sends the number of values, as a uint64.
    pub fn count(&self) -> Signal<u64> {
        unsafe { self.with(belay_op_count()) }
    }

    /// Sends the mean of the values, as a double. Only completes when there were no values. Ends
    /// with [`Code::EKIND`](crate::Code::EKIND) at a value that is not a number.
    pub fn average(&self) -> Signal<f64> {
        unsafe { self.with(belay_op_average()) }
    }

    /// Sends all values as one array at completion, and nothing on an error. Keeps every value
    /// until then.
    pub fn collect(&self) -> Signal<Vec<T>> {
        unsafe { self.with(belay_op_collect()) }
    }
    // [end]
}
