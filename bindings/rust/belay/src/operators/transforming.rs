//! Something else of values and ends.
use std::error::Error as StdError;
use std::ops::Deref;
use std::os::raw::c_void;
use std::time::Duration;

use belay_sys::*;

use crate::callbacks::{self, ctx, free, map};
use crate::error::{Error, Result};
use crate::loops::Scheduler;
use crate::signal::Signal;
use crate::value::{Dynamic, Outcome, Value};

/// An event as a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<T> {
    /// A value.
    Next(T),
    /// An end with an error.
    Error(Error),
    /// An end.
    Completed,
}

impl<T: Value> Value for Event<T> {
    fn into_dynamic(self) -> Dynamic {
        let (number, content) = match self {
            Event::Next(value) => (BELAY_EVENT_NEXT, Some(value.into_dynamic())),
            Event::Error(error) => (BELAY_EVENT_ERROR, Some(error.into_dynamic())),
            Event::Completed => (BELAY_EVENT_COMPLETED, None),
        };
        let mut items = vec![(number as i32).into_dynamic()];
        items.extend(content);
        Dynamic::array(items)
    }

    fn from_dynamic(value: &Dynamic) -> Result<Event<T>> {
        value.expect(BELAY_KIND_ARRAY, "an event")?;
        match value.read_item(0, u32::from_dynamic)? {
            BELAY_EVENT_NEXT => value.read_item(1, T::from_dynamic).map(Event::Next),
            BELAY_EVENT_ERROR => value.read_item(1, Error::from_dynamic).map(Event::Error),
            BELAY_EVENT_COMPLETED => Ok(Event::Completed),
            _ => Err(value.is_no("an event")),
        }
    }
}

/// A signal of the values that have one key.
#[derive(Clone, Debug)]
pub struct Group<K, T> {
    key: K,
    signal: Signal<T>,
}

impl<K: Value, T: Value> Group<K, T> {
    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }
}

impl<K, T> Deref for Group<K, T> {
    type Target = Signal<T>;

    fn deref(&self) -> &Signal<T> {
        &self.signal
    }
}

impl<K: Value, T: Value> Value for Group<K, T> {
    fn into_dynamic(self) -> Dynamic {
        self.signal.into_dynamic()
    }

    fn from_dynamic(value: &Dynamic) -> Result<Group<K, T>> {
        let signal: Signal<T> = value.get()?;
        // It is borrowed from the group.
        let key = unsafe { Dynamic::retaining(belay_signal_key(signal.as_raw())) };
        Ok(Group { key: key.get()?, signal })
    }
}

impl<T: Value> Signal<T> {
    /// The results of a closure of each value.
    ///
    /// As that of every operator, the closure is shared by all subscriptions of the signal, on
    /// whatever threads they are:
    ///
    /// ```
    /// use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
    /// let count = AtomicI64::new(0);
    /// let numbered = belay::Signal::range(0, 9).map(move |_| count.fetch_add(1, Relaxed));
    /// # let _ = numbered;
    /// ```
    ///
    /// ```compile_fail
    /// let count = std::cell::Cell::new(0);
    /// let numbered = belay::Signal::range(0, 9).map(move |_| count.replace(count.get() + 1));
    /// ```
    ///
    /// ```compile_fail
    /// let mut count = 0;
    /// let numbered = belay::Signal::range(0, 9).map(move |_| { count += 1; count });
    /// ```
    pub fn map<R, F>(&self, make: F) -> Signal<R::Value>
    where
        R: Outcome,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        unsafe { self.with(belay_op_map(Some(map::<T, R, F>), ctx(make), Some(free::<F>))) }
    }

    /// The results of a closure of each value, without those that are `None`, or `Some` of the null
    /// value: of `()` or another `None`.
    pub fn compact_map<U, R, F>(&self, make: F) -> Signal<U>
    where
        U: Value,
        R: Outcome<Value = Option<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = map::<T, R, F>;
        unsafe { self.with(belay_op_compact_map(Some(call), ctx(make), Some(free::<F>))) }
    }

    /// Replaces an error by the result of a closure.
    pub fn map_error<E, F>(&self, make: F) -> Signal<T>
    where
        E: Into<Box<dyn StdError + Send + Sync>>,
        F: Fn(Error) -> E + Send + Sync + 'static,
    {
        let call = callbacks::map_error::<E, F>;
        unsafe { self.with(belay_op_map_error(Some(call), ctx(make), Some(free::<F>))) }
    }

    accumulating! {
        /// Sends each result of `step`, which is given its last result, at first `seed`, and a
        /// value.
        scan: belay_op_scan
    }

    /// Each value with `owner`, until that begins to die, which completes. A pair keeps the owner,
    /// the operator does not.
    pub fn with_owner(&self, owner: &crate::Owner) -> Signal<(crate::Owner, T)> {
        unsafe { self.with(belay_op_with_owner(owner.as_raw())) }
    }

    /// Sends what is between the delimiters. A frame of more than `limit` bytes is `EMSGSIZE`.
    pub fn frames_delimited(&self, delimiter: &[u8], limit: usize) -> Signal<T> {
        let data = delimiter.as_ptr().cast();
        unsafe { self.with(belay_op_frames_delimited(data, delimiter.len(), limit)) }
    }

    /// Sends frames that have their length in front: a number of `width` bytes, with the highest
    /// first unless it is little-endian.
    pub fn frames_prefixed(&self, width: u32, limit: usize, little_endian: bool) -> Signal<T> {
        unsafe { self.with(belay_op_frames_prefixed(width, limit, little_endian.into())) }
    }

    /// `count` values together, of which some begin with every `skip`th.
    pub fn buffer_skip(&self, count: usize, skip: usize) -> Signal<Vec<T>> {
        unsafe { self.with(belay_op_buffer_skip(count, skip)) }
    }

    /// Sends the values of each `interval` as one `Vec`, also an empty one. The scheduler is named, as
    /// for all that needs time: see [the crate's page](crate#a-first-program).
    pub fn buffer_time(&self, scheduler: &Scheduler, interval: Duration) -> Signal<Vec<T>> {
        self.buffer_time_at_most(scheduler, interval, BELAY_UNLIMITED)
    }

    /// Sends the values of each `interval` as one `Vec`. It also sends one as soon as it has `count`
    /// values, which starts the time anew.
    pub fn buffer_time_at_most(
        &self,
        scheduler: &Scheduler,
        interval: Duration,
        count: usize,
    ) -> Signal<Vec<T>> {
        let (scheduler, seconds) = (scheduler.as_raw(), interval.as_secs_f64());
        unsafe { self.with(belay_op_buffer_time(scheduler, seconds, count)) }
    }

    /// Sends signals of `count` values each. A window keeps nothing: subscribe to it when it is
    /// sent.
    pub fn window(&self, count: usize) -> Signal<Signal<T>> {
        self.window_skip(count, count)
    }

    /// Sends signals of `count` values each, of which one begins with every `skip`th value. See
    /// [`Signal::window`].
    pub fn window_skip(&self, count: usize, skip: usize) -> Signal<Signal<T>> {
        unsafe { self.with(belay_op_window(count, skip)) }
    }

    /// Sends a signal of the values of each `interval`. See [`Signal::window`].
    pub fn window_time(&self, scheduler: &Scheduler, interval: Duration) -> Signal<Signal<T>> {
        self.window_time_at_most(scheduler, interval, BELAY_UNLIMITED)
    }

    /// Sends a signal of the values of each `interval`. It also sends the next one as soon as
    /// `count` values have come, which starts the time anew. See [`Signal::window`].
    pub fn window_time_at_most(
        &self,
        scheduler: &Scheduler,
        interval: Duration,
        count: usize,
    ) -> Signal<Signal<T>> {
        let (scheduler, seconds) = (scheduler.as_raw(), interval.as_secs_f64());
        unsafe { self.with(belay_op_window_time(scheduler, seconds, count)) }
    }

    /// A window for each value of `openings`, until the signal that `closing` makes of it sends.
    pub fn window_toggle<O, U, R, F>(&self, openings: &Signal<O>, closing: F) -> Signal<Signal<T>>
    where
        O: Value,
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(O) -> R + Send + Sync + 'static,
    {
        let (call, free) = (callbacks::flat_map::<O, U, R, F>, free::<F>);
        let openings = openings.retained();
        unsafe { self.with(belay_op_window_toggle(openings, Some(call), ctx(closing), Some(free))) }
    }

    /// Windows that follow each other: each value of `notifier` ends one and begins another.
    pub fn window_by<U: Value>(&self, notifier: &Signal<U>) -> Signal<Signal<T>> {
        unsafe { self.with(belay_op_window_by(notifier.retained())) }
    }

    /// A signal for each key that the closure answers, with its values. All groups are held until
    /// the end: keys should be few.
    pub fn group_by<R, F>(&self, key: F) -> Signal<Group<R::Value, T>>
    where
        R: Outcome,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = callbacks::key::<T, R, F>;
        unsafe { self.with(belay_op_group_by(Some(call), ctx(key), Some(free::<F>))) }
    }

    /// Groups as [`Signal::group_by`] does. A group completes, and is forgotten, when the signal that
    /// `until` makes of it sends or completes. `until` is called before the group is sent.
    pub fn group_by_until<R, F, U, S, G>(&self, key: F, until: G) -> Signal<Group<R::Value, T>>
    where
        R: Outcome,
        F: Fn(&T) -> R + Send + Sync + 'static,
        U: Value,
        S: Outcome<Value = Signal<U>>,
        G: Fn(Group<R::Value, T>) -> S + Send + Sync + 'static,
    {
        unsafe extern "C" fn key_of<T: Value, R: Outcome, F: Fn(&T) -> R, G>(
            ctx: *mut c_void,
            value: belay_value,
        ) -> belay_value {
            let all = &*(ctx as *const (F, G));
            callbacks::key::<T, R, F>(&all.0 as *const F as *mut c_void, value)
        }
        unsafe extern "C" fn end_of<K, T, U, S, F, G>(
            ctx: *mut c_void,
            value: belay_value,
        ) -> *mut belay_signal
        where
            K: Value,
            T: Value,
            U: Value,
            S: Outcome<Value = Signal<U>>,
            G: Fn(Group<K, T>) -> S,
        {
            let all = &*(ctx as *const (F, G));
            callbacks::flat_map::<Group<K, T>, U, S, G>(&all.1 as *const G as *mut c_void, value)
        }
        let (key_of, end_of) = (key_of::<T, R, F, G>, end_of::<R::Value, T, U, S, F, G>);
        let (all, free) = (ctx((key, until)), free::<(F, G)>);
        unsafe { self.with(belay_op_group_by_until(Some(key_of), Some(end_of), all, Some(free))) }
    }

    /// The events as values, then completed, also after an error.
    pub fn materialize(&self) -> Signal<Event<T>> {
        unsafe { self.with(belay_op_materialize()) }
    }

    /// A signal that lets `make` make another of this one; for chains of operators that have a name.
    ///
    /// ```
    /// # use belay::Signal;
    /// # fn main() -> belay::Result<()> {
    /// fn squares(numbers: Signal<i64>) -> Signal<i64> {
    ///     numbers.filter(|n| n % 2 == 0).map(|n| n * n)
    /// }
    /// let seen: Result<Vec<_>, _> = Signal::range(1, 4).compose(squares).iter()?.collect();
    /// assert_eq!(seen?, [4, 16]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn compose<U, R, F>(&self, make: F) -> Signal<U>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(Signal<T>) -> R + Send + Sync + 'static,
    {
        unsafe {
            let call = callbacks::compose::<T, U, R, F>;
            self.with(belay_op_compose(Some(call), ctx(make), Some(free::<F>)))
        }
    }
}

impl<T: Value> Signal<Event<T>> {
    /// The values as events again.
    pub fn dematerialize(&self) -> Signal<T> {
        unsafe { self.with(belay_op_dematerialize()) }
    }
}

impl<T: Value> Signal<T> {
    // [operators transforming] written by `scripts/api write` from docs/operators.tsv
    /// Sends `value` in place of each value.
    pub fn map_to<U: Value>(&self, value: U) -> Signal<U> {
        unsafe { self.with(belay_op_map_to(value.into_dynamic().into_raw())) }
    }

    /// Sends \[index value] for each value. The index counts from 0.
    pub fn enumerated(&self) -> Signal<(u64, T)> {
        unsafe { self.with(belay_op_enumerated()) }
    }

    /// Sends \[previous current] for each value except the first.
    pub fn pairwise(&self) -> Signal<(T, T)> {
        unsafe { self.with(belay_op_pairwise()) }
    }

    /// Sends \[previous current] for each value. Before the first value stands `start`.
    /// (combinePrevious with an initial value in ReactiveSwift.)
    pub fn pairwise_from(&self, start: T) -> Signal<(T, T)> {
        unsafe { self.with(belay_op_pairwise_from(start.into_dynamic().into_raw())) }
    }

    /// Sends arrays of `count` values. The last array may be shorter and is sent before the end. An
    /// error drops the values that have been collected. A count of 0 is
    /// [`Code::EINVAL`](crate::Code::EINVAL).
    pub fn buffer(&self, count: usize) -> Signal<Vec<T>> {
        unsafe { self.with(belay_op_buffer(count)) }
    }

    /// Sends an array of the values that came, also when it is empty, with each value of `notifier`
    /// and at the completion. The subscription to the source comes first. The completion of
    /// `notifier` changes nothing; its error ends the signal. An error drops what has been
    /// collected. Keeps the values of an array, without a bound. (RxJS's buffer.)
    pub fn buffer_by<U: Value>(&self, notifier: &Signal<U>) -> Signal<Vec<T>> {
        unsafe { self.with(belay_op_buffer_by(notifier.retained())) }
    }

    /// Sends \[seconds value]: the time on the scheduler's clock at which the value came.
    pub fn timestamp(
        &self,
        scheduler: &crate::loops::Scheduler,
    ) -> Signal<(std::time::Duration, T)> {
        unsafe { self.with(belay_op_timestamp(scheduler.as_raw())) }
    }

    /// Sends \[seconds value]: the time since the value before it; for the first value, since the
    /// subscription.
    pub fn time_interval(
        &self,
        scheduler: &crate::loops::Scheduler,
    ) -> Signal<(std::time::Duration, T)> {
        unsafe { self.with(belay_op_time_interval(scheduler.as_raw())) }
    }

    /// Sends the lines without their ends, LF or CR LF. The last one needs no end; a CR at its end
    /// goes, too.
    pub fn lines(&self, limit: usize) -> Signal<T> {
        unsafe { self.with(belay_op_lines(limit)) }
    }

    /// Sends frames of `size` bytes. The last one may be shorter.
    pub fn frames_fixed(&self, size: usize) -> Signal<T> {
        unsafe { self.with(belay_op_frames_fixed(size)) }
    }

    /// Sends strings instead of bytes, one for each value. A character that is cut is put together
    /// with the next value. Bytes that are not UTF-8 are the error
    /// [`Code::EILSEQ`](crate::Code::EILSEQ).
    pub fn utf8(&self) -> Signal<T> {
        unsafe { self.with(belay_op_utf8()) }
    }
    // [end]
}
