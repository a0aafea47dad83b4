//! Marble tests: signals under virtual time, as diagrams.
use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::handle::c_text;
use crate::loops::Scheduler;
use crate::signal::Signal;
use crate::value::Value;

/// A marble test. The notation is RxJS's, and that of `belay/marbles.h`: a digit is a number, a
/// letter a string, a dash a millisecond. A source belongs to the run that follows.
///
/// ```
/// # fn main() -> belay::Result<()> {
/// // All of it stays on this thread.
/// let mut test = unsafe { belay::Marbles::new() };
/// let source = test.cold::<i32>("--1--2--|")?;
/// test.expect(&source.map(|n| n * 2), None, "--2--4--|")?;
/// test.run()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Marbles {
    raw: NonNull<belay_marbles>,
    here: PhantomData<*mut ()>,
}

impl Marbles {
    /// An empty test.
    ///
    /// # Safety
    /// It belongs to this thread, and so do its signals, its scheduler and all signals on its time:
    /// they are not used on another.
    pub unsafe fn new() -> Marbles {
        let raw = NonNull::new(belay_marbles_create()).expect("a test can always be made");
        Marbles { raw, here: PhantomData }
    }

    /// Its virtual time, for operators that take a scheduler.
    pub fn scheduler(&self) -> Scheduler {
        unsafe { Scheduler::retaining(belay_marbles_get_scheduler(self.raw.as_ptr())) }
            .expect("a test has a scheduler")
    }

    /// Gives a letter or digit a meaning.
    pub fn define(&mut self, mark: char, value: impl Value) -> Result<()> {
        let value = value.into_dynamic().into_raw();
        // A mark that is not ASCII is no letter or digit.
        let mark = if mark.is_ascii() { mark as u8 } else { 0 };
        check(unsafe { belay_marbles_define(self.raw.as_ptr(), mark as _, value) }).map(drop)
    }

    /// A signal that sends the diagram to each subscription, from its beginning on.
    /// [`Code::EINVAL`](crate::Code::EINVAL) for a malformed one, and the message says where.
    pub fn cold<T: Value>(&self, diagram: &str) -> Result<Signal<T>> {
        let diagram = c_text(diagram)?;
        unsafe { Signal::from_raw(belay_marbles_cold(self.raw.as_ptr(), diagram.as_ptr())) }
            .ok_or_else(Error::last)
    }

    /// A signal whose events happen whether or not somebody listens; `^` is where the test begins.
    pub fn hot<T: Value>(&self, diagram: &str) -> Result<Signal<T>> {
        let diagram = c_text(diagram)?;
        unsafe { Signal::from_raw(belay_marbles_hot(self.raw.as_ptr(), diagram.as_ptr())) }
            .ok_or_else(Error::last)
    }

    /// Expects `signal` to do what the diagram says, subscribed to and disposed of as
    /// `subscription` says ("--^----!").
    pub fn expect<T: Value>(
        &mut self,
        signal: &Signal<T>,
        subscription: Option<&str>,
        diagram: &str,
    ) -> Result<()> {
        let (subscription, diagram) = (subscription.map(c_text).transpose()?, c_text(diagram)?);
        let subscription = subscription.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        let (test, signal) = (self.raw.as_ptr(), signal.retained());
        check(unsafe { belay_marbles_expect(test, signal, subscription, diagram.as_ptr()) })
            .map(drop)
    }

    /// Expects the subscriptions to `source` to be these, in the order of their beginning.
    pub fn expect_subscriptions<T: Value>(
        &mut self,
        source: &Signal<T>,
        subscriptions: &[&str],
    ) -> Result<()> {
        let texts: Vec<CString> =
            subscriptions.iter().map(|text| c_text(text)).collect::<Result<_>>()?;
        let texts: Vec<_> = texts.iter().map(|text| text.as_ptr()).collect();
        let (test, source) = (self.raw.as_ptr(), source.as_raw());
        check(unsafe {
            belay_marbles_expect_subscriptions(test, source, texts.as_ptr(), texts.len())
        })
        .map(drop)
    }

    /// Lets an hour pass and compares: [`Code::EMISMATCH`](crate::Code::EMISMATCH), whose message
    /// draws what was expected and what happened.
    pub fn run(&mut self) -> Result<()> {
        check(unsafe { belay_marbles_run(self.raw.as_ptr()) }).map(drop)
    }
}

impl Drop for Marbles {
    fn drop(&mut self) {
        unsafe { belay_marbles_release(self.raw.as_ptr()) }
    }
}
