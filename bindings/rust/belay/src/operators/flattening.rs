//! From one signal to others.
use std::time::Duration;

use belay_sys::*;

use super::count_of;
use crate::callbacks::{attempt, ctx, flat_map, free, recover, when};
use crate::error::Error;
use crate::loops::Scheduler;
use crate::signal::{retained_all, Signal};
use crate::value::{Outcome, Value};

/// How [`Signal::retry_backoff`] waits: each further time twice as long, but never longer than a
/// minute, without end.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    first: Duration,
    factor: f64,
    longest: Duration,
    jitter: f64,
    attempts: Option<usize>,
    resets_on_value: bool,
}

impl Backoff {
    /// Waits `first` after the first error.
    pub fn new(first: Duration) -> Backoff {
        Backoff {
            first,
            factor: 2.0,
            longest: Duration::from_secs(60),
            jitter: 0.0,
            attempts: None,
            resets_on_value: false,
        }
    }

    /// How many times as long as the one before each further wait is.
    pub fn factor(mut self, factor: f64) -> Backoff {
        self.factor = factor;
        self
    }

    /// No wait is longer.
    pub fn longest(mut self, longest: Duration) -> Backoff {
        self.longest = longest;
        self
    }

    /// The part of each wait that is left to chance, from 0 to 1.
    pub fn jitter(mut self, part: f64) -> Backoff {
        self.jitter = part;
        self
    }

    /// How often it subscribes in all; then the error is passed on.
    pub fn attempts(mut self, count: usize) -> Backoff {
        self.attempts = Some(count);
        self
    }

    /// A value lets the waits and the count begin anew.
    pub fn reset_on_value(mut self) -> Backoff {
        self.resets_on_value = true;
        self
    }
}

impl<T: Value> Signal<T> {
    /// The values of all signals that the closure makes, as they come.
    pub fn flat_map<U, R, F>(&self, make: F) -> Signal<U>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        self.flat_map_at_most(BELAY_UNLIMITED, make)
    }

    /// The same with at most `limit` signals at a time; later ones wait.
    pub fn flat_map_at_most<U, R, F>(&self, limit: usize, make: F) -> Signal<U>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = flat_map::<T, U, R, F>;
        unsafe { self.with(belay_op_flat_map(limit, Some(call), ctx(make), Some(free::<F>))) }
    }

    /// Sends each value, and expands the values of the signal that the closure makes of it in the
    /// same way.
    pub fn expand<R, F>(&self, make: F) -> Signal<T>
    where
        R: Outcome<Value = Signal<T>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        self.expand_at_most(BELAY_UNLIMITED, make)
    }

    /// The same with at most `limit` signals at a time; later ones wait.
    pub fn expand_at_most<R, F>(&self, limit: usize, make: F) -> Signal<T>
    where
        R: Outcome<Value = Signal<T>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = flat_map::<T, T, R, F>;
        unsafe { self.with(belay_op_expand(limit, Some(call), ctx(make), Some(free::<F>))) }
    }

    /// The values of several signals, one after the other.
    pub fn concat_of<'a>(signals: impl IntoIterator<Item = &'a Signal<T>>) -> Signal<T> {
        let signals = retained_all(signals);
        unsafe { Signal::made(belay_signal_concat(signals.as_ptr(), signals.len())) }
    }

    /// The values of several signals, as they come.
    pub fn merge_of<'a>(signals: impl IntoIterator<Item = &'a Signal<T>>) -> Signal<T> {
        let signals = retained_all(signals);
        unsafe { Signal::made(belay_signal_merge(signals.as_ptr(), signals.len())) }
    }

    /// The same as [`merge_of`](Signal::merge_of), but an error waits until all have ended.
    pub fn merge_delay_error_of<'a>(signals: impl IntoIterator<Item = &'a Signal<T>>) -> Signal<T> {
        let signals = retained_all(signals);
        unsafe { Signal::made(belay_signal_merge_delay_error(signals.as_ptr(), signals.len())) }
    }

    /// Subscribes again after each completion, `count` times with the first (`None`: without end).
    pub fn repeat(&self, count: impl Into<Option<usize>>) -> Signal<T> {
        unsafe { self.with(belay_op_repeat(count_of(count))) }
    }

    /// Subscribes again whenever the signal that the closure makes of the completions sends a value;
    /// completes with it.
    pub fn repeat_when<U, R, F>(&self, answer: F) -> Signal<T>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(Signal<()>) -> R + Send + Sync + 'static,
    {
        let call = when::<(), U, R, F>;
        unsafe { self.with(belay_op_repeat_when(Some(call), ctx(answer), Some(free::<F>))) }
    }

    /// After an error goes on with the signal that the closure makes of it.
    pub fn catch<R, F>(&self, with: F) -> Signal<T>
    where
        R: Outcome<Value = Signal<T>>,
        F: Fn(Error) -> R + Send + Sync + 'static,
    {
        let call = recover::<T, R, F>;
        unsafe { self.with(belay_op_catch(Some(call), ctx(with), Some(free::<F>))) }
    }

    /// Subscribes again after each error, `count` times with the first (`None`: without end).
    pub fn retry(&self, count: impl Into<Option<usize>>) -> Signal<T> {
        unsafe { self.with(belay_op_retry(count_of(count))) }
    }

    /// Subscribes again whenever the signal that the closure makes of the errors sends a value; its
    /// end ends.
    pub fn retry_when<U, R, F>(&self, answer: F) -> Signal<T>
    where
        U: Value,
        R: Outcome<Value = Signal<U>>,
        F: Fn(Signal<Error>) -> R + Send + Sync + 'static,
    {
        let call = when::<Error, U, R, F>;
        unsafe { self.with(belay_op_retry_when(Some(call), ctx(answer), Some(free::<F>))) }
    }

    /// Subscribes again after errors, when times have passed that grow.
    pub fn retry_backoff(&self, scheduler: &Scheduler, waits: Backoff) -> Signal<T> {
        let (wait, longest) = (waits.first.as_secs_f64(), waits.longest.as_secs_f64());
        let attempts = count_of(waits.attempts);
        unsafe {
            self.with(belay_op_retry_backoff(
                scheduler.as_raw(),
                wait,
                waits.factor,
                longest,
                waits.jitter,
                attempts,
                waits.resets_on_value.into(),
            ))
        }
    }

    /// Calls `action` with each value before it is passed on; ends with its error when it fails.
    pub fn attempt<R, F>(&self, action: F) -> Signal<T>
    where
        R: Outcome<Value = ()>,
        F: Fn(&T) -> R + Send + Sync + 'static,
    {
        let call = attempt::<T, R, F>;
        unsafe { self.with(belay_op_attempt(Some(call), ctx(action), Some(free::<F>))) }
    }
}

impl<T: Value> Signal<Signal<T>> {
    /// Sends the values of all of them as they come.
    pub fn merge_all(&self) -> Signal<T> {
        self.merge_all_at_most(BELAY_UNLIMITED)
    }

    /// The same with at most `limit` signals at a time; later ones wait.
    pub fn merge_all_at_most(&self, limit: usize) -> Signal<T> {
        unsafe { self.with(belay_op_merge_all(limit)) }
    }

    /// The values of one after the other.
    pub fn concat_all(&self) -> Signal<T> {
        unsafe { self.with(belay_op_concat_all()) }
    }

    /// The values of the one that came last.
    pub fn switch_to_latest(&self) -> Signal<T> {
        unsafe { self.with(belay_op_switch_to_latest()) }
    }
}

impl<T: Value> Signal<T> {
    // [operators flattening] written by `scripts/api write` from docs/operators.tsv
    /// Makes a signal of each value and sends the values of one signal after the other: a flat_map
    /// with a limit of 1.
    pub fn concat_map<U, R, F>(&self, map: F) -> Signal<U>
    where
        U: Value,
        R: crate::value::Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::flat_map::<T, U, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_concat_map(Some(call), crate::callbacks::ctx(map), Some(free)))
        }
    }

    /// Makes a signal of each value and sends the values of the latest one. The one before is
    /// disposed of.
    pub fn switch_map<U, R, F>(&self, map: F) -> Signal<U>
    where
        U: Value,
        R: crate::value::Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::flat_map::<T, U, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_switch_map(Some(call), crate::callbacks::ctx(map), Some(free)))
        }
    }

    /// Makes a signal of a value and sends the values of that signal. Drops values that come while
    /// it is active.
    pub fn exhaust_map<U, R, F>(&self, map: F) -> Signal<U>
    where
        U: Value,
        R: crate::value::Outcome<Value = Signal<U>>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        let call = crate::callbacks::flat_map::<T, U, R, F>;
        let free = crate::callbacks::free::<F>;
        unsafe {
            self.with(belay_op_exhaust_map(Some(call), crate::callbacks::ctx(map), Some(free)))
        }
    }

    /// Sends the values of the source and of `others` as they come. Completes when all of them have
    /// completed. Ends with the first error.
    pub fn merge<'a>(&self, others: impl IntoIterator<Item = &'a Signal<T>>) -> Signal<T> {
        let others = crate::signal::retained_all(others);
        unsafe { self.with(belay_op_merge(others.as_ptr(), others.len())) }
    }

    /// Sends the values of all signals as they come, but holds an error back until all of them have
    /// ended. Of several errors, the first one is passed on.
    pub fn merge_delay_error<'a>(
        &self,
        others: impl IntoIterator<Item = &'a Signal<T>>,
    ) -> Signal<T> {
        let others = crate::signal::retained_all(others);
        unsafe { self.with(belay_op_merge_delay_error(others.as_ptr(), others.len())) }
    }

    /// Sends the values of the source, then those of `others`, one after the other.
    pub fn concat<'a>(&self, others: impl IntoIterator<Item = &'a Signal<T>>) -> Signal<T> {
        let others = crate::signal::retained_all(others);
        unsafe { self.with(belay_op_concat(others.as_ptr(), others.len())) }
    }

    /// Drops the values of the source. Sends those of `next` after its completion.
    pub fn then<U: Value>(&self, next: &Signal<U>) -> Signal<U> {
        unsafe { self.with(belay_op_then(next.retained())) }
    }

    /// Sends `value` in place of an error, and completes.
    pub fn catch_to(&self, value: T) -> Signal<T> {
        unsafe { self.with(belay_op_catch_to(value.into_dynamic().into_raw())) }
    }
    // [end]
}
