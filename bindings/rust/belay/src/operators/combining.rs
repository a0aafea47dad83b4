//! Several signals that become one by their values.
use std::os::raw::c_void;
use std::ptr;

use belay_sys::*;

use crate::callbacks::{combine, combine_first, compare, ctx, free};
use crate::signal::{raw_values, retained_all, retained_or_null, Signal};
use crate::value::{Items, Outcome, Value};

/// Several signals: a tuple of references to signals of any types, whose values become tuples, or a
/// slice or `Vec` of signals of one type, whose values become `Vec`s.
///
/// The types above are all that implement it:
///
/// ```compile_fail,E0277
/// struct Mine;
/// impl belay::Signals for Mine {
///     type Values = Vec<i32>;
///     fn retained(&self) -> Vec<*mut belay::sys::belay_signal> { vec![8 as *mut _] }
/// }
/// ```
pub trait Signals: private::Sealed {
    /// A value of each.
    type Values: Items;

    /// Their handles, retained for a call that takes them over.
    #[doc(hidden)]
    fn retained(&self) -> Vec<*mut belay_signal>;
}

// C trusts the handles.
mod private {
    pub trait Sealed {}
    impl<T> Sealed for [super::Signal<T>] {}
    impl<T> Sealed for Vec<super::Signal<T>> {}
    impl<T, const N: usize> Sealed for [super::Signal<T>; N] {}
    impl<S: Sealed + ?Sized> Sealed for &S {}
}

impl<T: Value> Signals for [Signal<T>] {
    type Values = Vec<T>;

    fn retained(&self) -> Vec<*mut belay_signal> {
        self.iter().map(Signal::retained).collect()
    }
}

impl<T: Value> Signals for Vec<Signal<T>> {
    type Values = Vec<T>;

    fn retained(&self) -> Vec<*mut belay_signal> {
        self.as_slice().retained()
    }
}

impl<T: Value, const N: usize> Signals for [Signal<T>; N] {
    type Values = Vec<T>;

    fn retained(&self) -> Vec<*mut belay_signal> {
        self.as_slice().retained()
    }
}

impl<S: Signals + ?Sized> Signals for &S {
    type Values = S::Values;

    fn retained(&self) -> Vec<*mut belay_signal> {
        (**self).retained()
    }
}

macro_rules! signals {
    ($($index:tt $item:ident),*) => {
        impl<$($item),*> private::Sealed for ($(&Signal<$item>,)*) {}

        impl<$($item: Value),*> Signals for ($(&Signal<$item>,)*) {
            type Values = ($($item,)*);

            fn retained(&self) -> Vec<*mut belay_signal> {
                vec![$(self.$index.retained()),*]
            }
        }
    };
}

signals!(0 A);
signals!(0 A, 1 B);
signals!(0 A, 1 B, 2 C);
signals!(0 A, 1 B, 2 C, 3 D);
signals!(0 A, 1 B, 2 C, 3 D, 4 E);
signals!(0 A, 1 B, 2 C, 3 D, 4 E, 5 F);

/// A function of C's that combines signals by a closure.
type Combine = unsafe extern "C" fn(
    *const *mut belay_signal,
    usize,
    belay_combine_fn,
    *mut c_void,
    belay_free_fn,
) -> *mut belay_signal;

/// Defines a way to combine signals by a closure.
macro_rules! combining_by {
    ($(#[$doc:meta])* $name:ident: $function:ident) => {
        $(#[$doc])*
        pub fn $name<S, R, F>(signals: S, make: F) -> Signal<T>
        where
            S: Signals,
            R: Outcome<Value = T>,
            F: Fn(S::Values) -> R + Send + Sync + 'static,
        {
            combined($function, signals, make)
        }
    };
}

/// The signal that `combine_by` makes of `signals` and the closure `make`.
fn combined<S, R, F>(combine_by: Combine, signals: S, make: F) -> Signal<R::Value>
where
    S: Signals,
    R: Outcome,
    F: Fn(S::Values) -> R + Send + Sync + 'static,
{
    let raw = signals.retained();
    let (call, free) = (combine::<S::Values, R, F>, free::<F>);
    unsafe { Signal::made(combine_by(raw.as_ptr(), raw.len(), Some(call), ctx(make), Some(free))) }
}

impl<T: Items> Signal<T> {
    /// The latest values of all, each time that one of them sends, once all have sent.
    ///
    /// ```
    /// # use belay::Signal;
    /// # fn main() -> belay::Result<()> {
    /// let (width, height) = (Signal::just(3), Signal::just(4));
    /// let area = Signal::combine_latest((&width, &height)).map(|(w, h): (i32, i32)| w * h);
    /// assert_eq!(area.iter()?.next(), Some(Ok(12)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn combine_latest<S: Signals<Values = T>>(signals: S) -> Signal<T> {
        let raw = signals.retained();
        let (raw, count) = (raw.as_ptr(), raw.len());
        unsafe {
            Signal::made(belay_signal_combine_latest(raw, count, None, ptr::null_mut(), None))
        }
    }

    /// The first values of all, then the second, and so on. Of each, 1024 that are ahead may wait: see
    /// [`queued`](Signal::queued).
    pub fn zip<S: Signals<Values = T>>(signals: S) -> Signal<T> {
        let raw = signals.retained();
        let (raw, count) = (raw.as_ptr(), raw.len());
        unsafe { Signal::made(belay_signal_zip(raw, count, None, ptr::null_mut(), None)) }
    }

    /// The results of a closure of the items of each value.
    pub fn reduce_each<R, F>(&self, reduce: F) -> Signal<R::Value>
    where
        R: Outcome,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = combine::<T, R, F>;
        unsafe { self.with(belay_op_reduce_each(Some(call), ctx(reduce), Some(free::<F>))) }
    }
}

impl<T: Value> Signal<T> {
    combining_by! {
        /// The results of a closure of the latest values; see [`combine_latest`](Signal::combine_latest).
        combine_latest_with: belay_signal_combine_latest
    }

    combining_by! {
        /// The results of a closure of the first values, then of the second; see [`zip`](Signal::zip).
        zip_with: belay_signal_zip
    }

    /// Each value, with the latest of `other`. A value that comes before that has sent is dropped.
    pub fn with_latest_from<U: Value>(&self, other: &Signal<U>) -> Signal<(T, U)> {
        let other = other.retained();
        unsafe { self.with(belay_op_with_latest_from(&other, 1, None, ptr::null_mut(), None)) }
    }

    /// The results of a closure of each value and the latest of several signals.
    pub fn with_latest_from_with<S, R, F>(&self, others: S, make: F) -> Signal<R::Value>
    where
        S: Signals,
        R: Outcome,
        F: Fn(T, S::Values) -> R + Send + Sync + 'static,
    {
        let raw = others.retained();
        let (call, free) = (combine_first::<T, S::Values, R, F>, free::<F>);
        let (raw, count, ctx) = (raw.as_ptr(), raw.len(), ctx(make));
        unsafe { self.with(belay_op_with_latest_from(raw, count, Some(call), ctx, Some(free))) }
    }

    /// The events of whichever signal is the first to send one. (amb.)
    pub fn race<'a>(signals: impl IntoIterator<Item = &'a Signal<T>>) -> Signal<T> {
        let signals = retained_all(signals);
        unsafe { Signal::made(belay_signal_race(signals.as_ptr(), signals.len())) }
    }

    /// Whether this signal and `other` send equal values in the same order and complete.
    pub fn sequence_equal(&self, other: &Signal<T>) -> Signal<bool> {
        let other = other.retained();
        unsafe { self.with(belay_op_sequence_equal(other, None, ptr::null_mut(), None)) }
    }

    /// The same by a closure.
    pub fn sequence_equal_by<R, F>(&self, other: &Signal<T>, equal: F) -> Signal<bool>
    where
        R: Outcome<Value = bool>,
        F: Fn(&T, &T) -> R + Send + Sync + 'static,
    {
        let (call, free) = (compare::<T, R, F>, free::<F>);
        let other = other.retained();
        unsafe { self.with(belay_op_sequence_equal(other, Some(call), ctx(equal), Some(free))) }
    }

    /// The values of the one of `cases` whose key the latest of `keys` is, else those of
    /// `otherwise`; without that a key without a case is [`Code::EINVAL`](crate::Code::EINVAL).
    pub fn switch_on<'a, K: Value>(
        keys: &Signal<K>,
        cases: impl IntoIterator<Item = (K, &'a Signal<T>)>,
        otherwise: Option<&Signal<T>>,
    ) -> Signal<T> {
        let (values, signals): (Vec<K>, Vec<_>) = cases.into_iter().unzip();
        let (values, signals) = (raw_values(values), retained_all(signals));
        let otherwise = retained_or_null(otherwise);
        unsafe {
            let (cases, count) = (values.as_ptr(), values.len());
            let keys = keys.retained();
            Signal::made(belay_signal_switch_on(keys, cases, signals.as_ptr(), count, otherwise))
        }
    }

    /// Values first.
    pub fn start_with(&self, values: impl IntoIterator<Item = T>) -> Signal<T> {
        let values = raw_values(values);
        unsafe { self.with(belay_op_start_with(values.as_ptr(), values.len())) }
    }

    /// Values last, before it completes.
    pub fn end_with(&self, values: impl IntoIterator<Item = T>) -> Signal<T> {
        let values = raw_values(values);
        unsafe { self.with(belay_op_end_with(values.as_ptr(), values.len())) }
    }
}

impl Signal<bool> {
    /// The values of `yes` while the latest of this signal is true, those of `no` while it is false.
    pub fn if_then_else<T: Value>(&self, yes: &Signal<T>, no: &Signal<T>) -> Signal<T> {
        let (condition, yes, no) = (self.retained(), yes.retained(), no.retained());
        unsafe { Signal::made(belay_signal_if_then_else(condition, yes, no)) }
    }

    /// Whether the latest values of all signals are true.
    pub fn and<'a>(signals: impl IntoIterator<Item = &'a Signal<bool>>) -> Signal<bool> {
        let signals = retained_all(signals);
        unsafe { Signal::made(belay_signal_and(signals.as_ptr(), signals.len())) }
    }

    /// Whether the latest value of at least one is.
    pub fn or<'a>(signals: impl IntoIterator<Item = &'a Signal<bool>>) -> Signal<bool> {
        let signals = retained_all(signals);
        unsafe { Signal::made(belay_signal_or(signals.as_ptr(), signals.len())) }
    }

    /// The opposite of each value.
    pub fn not(&self) -> Signal<bool> {
        unsafe { self.with(belay_op_not()) }
    }
}

impl<T: Value> Signal<T> {
    // [operators combining] written by `scripts/api write` from docs/operators.tsv
    // [end]
}
