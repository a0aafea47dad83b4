//! Choosing among a signal's values.
use std::ptr;

use belay_sys::*;

use crate::callbacks::{compare, ctx, free, key, predicate};
use crate::signal::Signal;
use crate::value::{Outcome, Value};

/// Operators that ask a closure about a value.
macro_rules! asking {
    ($($(#[$doc:meta])* $name:ident: $op:ident;)*) => {
        impl<T: Value> Signal<T> {
            $($(#[$doc])*
            pub fn $name<R, F>(&self, asked: F) -> Signal<T>
            where
                R: Outcome<Value = bool>,
                F: Fn(&T) -> R + Send + Sync + 'static,
            {
                let call = predicate::<T, R, F>;
                unsafe { self.with($op(Some(call), ctx(asked), Some(free::<F>))) }
            })*
        }
    };
}

asking! {
    /// The first value for which the closure answers true; [`Code::ENOENT`](crate::Code::ENOENT) when
    /// there is none.
    first_where: belay_op_first;
    /// The last value for which it does; [`Code::ENOENT`](crate::Code::ENOENT).
    last_where: belay_op_last;
    /// The only value for which it does; [`Code::ENOENT`](crate::Code::ENOENT), or
    /// [`Code::ERANGE`](crate::Code::ERANGE) as soon as there is a second.
    single_where: belay_op_single;
}

impl<T: Value> Signal<T> {
    /// Values while the closure answers true, then completed.
    pub fn take_while<R, F>(&self, keep: F) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        self.take_while_either(keep, 0)
    }

    /// The same, and the first for which it does not, too.
    pub fn take_while_inclusive<R, F>(&self, keep: F) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        self.take_while_either(keep, 1)
    }

    fn take_while_either<R, F>(&self, keep: F, inclusive: i32) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = predicate::<T, R, F>;
        unsafe { self.with(belay_op_take_while(Some(call), ctx(keep), Some(free::<F>), inclusive)) }
    }

    /// Until `owner` begins to die, then completed. Keeps it not.
    pub fn take_during(&self, owner: &crate::Owner) -> Signal<T> {
        unsafe { self.with(belay_op_take_during(owner.as_raw())) }
    }

    /// The value at `index`, from 0, or `fallback`.
    pub fn element_at_or(&self, index: u64, fallback: T) -> Signal<T> {
        let fallback = fallback.into_dynamic().into_raw();
        unsafe { self.with(belay_op_element_at_or(index, fallback)) }
    }

    /// The first value; [`Code::ENOENT`](crate::Code::ENOENT) when there is none.
    pub fn first(&self) -> Signal<T> {
        unsafe { self.with(belay_op_first(None, ptr::null_mut(), None)) }
    }

    /// The last value; [`Code::ENOENT`](crate::Code::ENOENT) when there is none.
    pub fn last(&self) -> Signal<T> {
        unsafe { self.with(belay_op_last(None, ptr::null_mut(), None)) }
    }

    /// The only value; [`Code::ENOENT`](crate::Code::ENOENT) when there is none,
    /// [`Code::ERANGE`](crate::Code::ERANGE) as soon as there is a second.
    pub fn single(&self) -> Signal<T> {
        unsafe { self.with(belay_op_single(None, ptr::null_mut(), None)) }
    }

    /// Drops values that were there before, as equal as Belay's values are (an `Arc` is equal to
    /// nothing but the value that was made of it once). Keeps each different one.
    pub fn distinct(&self) -> Signal<T> {
        unsafe { self.with(belay_op_distinct(None, ptr::null_mut(), None)) }
    }

    /// Drops values whose key was there before.
    pub fn distinct_by<R, F>(&self, of: F) -> Signal<T>
    where
        R: Outcome,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = key::<T, R, F>;
        unsafe { self.with(belay_op_distinct(Some(call), ctx(of), Some(free::<F>))) }
    }

    /// Drops a value that equals the one before it; see [`Signal::distinct`].
    pub fn distinct_until_changed(&self) -> Signal<T> {
        unsafe { self.with(belay_op_distinct_until_changed(None, ptr::null_mut(), None)) }
    }

    /// Drops a value that equals the one before it, by a closure.
    pub fn distinct_until_changed_by<R, F>(&self, equal: F) -> Signal<T>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T, &T) -> R + Send + Sync + 'static,
    {
        let (call, free) = (compare::<T, R, F>, free::<F>);
        unsafe { self.with(belay_op_distinct_until_changed(Some(call), ctx(equal), Some(free))) }
    }

    /// Two signals: of the values for which the closure answers true, and of the others. Each
    /// subscription to either asks by itself.
    pub fn partition<R, F>(&self, is_first: F) -> (Signal<T>, Signal<T>)
    where
        R: Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let (call, free) = (predicate::<T, R, F>, free::<F>);
        let (mut yes, mut no) = (ptr::null_mut(), ptr::null_mut());
        unsafe {
            let (source, ctx) = (self.retained(), ctx(is_first));
            belay_signal_partition(source, Some(call), ctx, Some(free), &mut yes, &mut no);
            (Signal::made(yes), Signal::made(no))
        }
    }
}

impl<T: Value> Signal<Option<T>> {
    /// Drops `None`.
    pub fn ignore_none(&self) -> Signal<T> {
        unsafe { self.with(belay_op_ignore(belay_null())) }
    }
}

impl<T: Value> Signal<T> {
    // [operators filtering] written by `scripts/api write` from docs/operators.tsv
    /// Passes on the values for which `keep` returns true.
    pub fn filter<R, F>(&self, keep: F) -> Signal<T>
    where
        R: crate::value::Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::predicate::<T, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe { self.with(belay_op_filter(Some(call), crate::callbacks::ctx(keep), Some(free))) }
    }

    /// Passes on the first `count` values. With the last of them it completes, and then ends its
    /// source. 0 completes at once, without subscribing.
    pub fn take(&self, count: u64) -> Signal<T> {
        unsafe { self.with(belay_op_take(count)) }
    }

    /// Drops the first `count` values.
    pub fn skip(&self, count: u64) -> Signal<T> {
        unsafe { self.with(belay_op_skip(count)) }
    }

    /// Sends the last `count` values when the source has completed. Keeps up to `count` values. An
    /// error drops them. 0 completes at once, without subscribing.
    pub fn take_last(&self, count: u64) -> Signal<T> {
        unsafe { self.with(belay_op_take_last(count)) }
    }

    /// Drops the last `count` values: each value is sent when `count` more have come. Keeps up to
    /// `count` values.
    pub fn skip_last(&self, count: u64) -> Signal<T> {
        unsafe { self.with(belay_op_skip_last(count)) }
    }

    /// Drops values while `drop` returns true. Passes on the first other value and all values after
    /// it, without asking again.
    pub fn skip_while<R, F>(&self, drop: F) -> Signal<T>
    where
        R: crate::value::Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::predicate::<T, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_skip_while(Some(call), crate::callbacks::ctx(drop), Some(free)))
        }
    }

    /// Passes on values until `trigger` sends a value; then it completes. If `trigger` completes
    /// without a value, nothing changes; its error is passed on.
    pub fn take_until<U: Value>(&self, trigger: &Signal<U>) -> Signal<T> {
        unsafe { self.with(belay_op_take_until(trigger.retained())) }
    }

    /// Drops values until `trigger` sends one; it then disposes of `trigger`. If `trigger`
    /// completes without a value, only the end of the source is passed on. The error of `trigger`
    /// is passed on.
    pub fn skip_until<U: Value>(&self, trigger: &Signal<U>) -> Signal<T> {
        unsafe { self.with(belay_op_skip_until(trigger.retained())) }
    }

    /// Passes on the values of the source until `replacement` sends anything, a value or an end.
    /// From then on it passes on the events of `replacement` alone and disposes of the source. An
    /// error of the source ends the result. A completion of the source does not, because the
    /// replacement may still send.
    pub fn take_until_replacement(&self, replacement: &Signal<T>) -> Signal<T> {
        unsafe { self.with(belay_op_take_until_replacement(replacement.retained())) }
    }

    /// Passes on values for `time` after the subscription, then completes.
    pub fn take_for(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_take_for(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Drops values for `time` after the subscription.
    pub fn skip_for(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_skip_for(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Sends the values of the last `time` before the completion, at the completion. A value that
    /// is as old as `time` is dropped. Keeps the values of that time: 1024, unless
    /// belay_signal_set_queue() says otherwise; then it ends with
    /// [`Code::EAGAIN`](crate::Code::EAGAIN).
    pub fn take_last_for(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_take_last_for(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Sends the values except those of the last `time` before the completion: each one with the
    /// first value, or the completion, that comes when it is as old as that. Keeps the values of
    /// that time.
    pub fn skip_last_for(
        &self,
        scheduler: &crate::loops::Scheduler,
        time: std::time::Duration,
    ) -> Signal<T> {
        unsafe { self.with(belay_op_skip_last_for(scheduler.as_raw(), time.as_secs_f64())) }
    }

    /// Sends the value at `index`, counted from 0, then completes. Ends with
    /// [`Code::ERANGE`](crate::Code::ERANGE) when there is none.
    pub fn element_at(&self, index: u64) -> Signal<T> {
        unsafe { self.with(belay_op_element_at(index)) }
    }

    /// Sends the first value for which `wanted` returns true, then completes. Only completes when
    /// there is none.
    pub fn find<R, F>(&self, wanted: F) -> Signal<T>
    where
        R: crate::value::Outcome<Value = bool>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::predicate::<T, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe { self.with(belay_op_find(Some(call), crate::callbacks::ctx(wanted), Some(free))) }
    }

    /// Drops all values and passes on the end.
    pub fn ignore_elements(&self) -> Signal<T> {
        unsafe { self.with(belay_op_ignore_elements()) }
    }

    /// Drops values that equal `unwanted` by belay_value_equal().
    pub fn ignore(&self, unwanted: T) -> Signal<T> {
        unsafe { self.with(belay_op_ignore(unwanted.into_dynamic().into_raw())) }
    }
    // [end]
}
