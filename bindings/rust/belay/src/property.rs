//! Properties, commands and requests.
use std::cell::Cell;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

use belay_sys::*;

use crate::callbacks::{ctx, flat_map, free, map, scan};
use crate::disposable::Disposable;
use crate::edge;
use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle};
use crate::loops::given;
use crate::sent::{Given, Sent};
use crate::signal::{retained_or_null, Signal};
use crate::subjects::SourceOptions;
use crate::value::{Dynamic, Outcome, Value};

handle! {
    /// A box with a current value and a signal of it. A clone is the same; with the last its signal
    /// completes.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let width = belay::Property::new(3);
    /// width.signal().subscribe(|w| println!("{w}"))?;
    /// width.set(4)?;
    /// width.modify(|w| w + 1)?;
    /// assert_eq!(width.get()?, 5);
    /// # Ok(())
    /// # }
    /// ```
    Property<T>: belay_property, belay_property_retain, belay_property_release
}
any_thread!(Property<T>);

impl<T: Value> Property<T> {
    /// A property, at home here.
    #[track_caller]
    pub fn new(initial: T) -> Property<T> {
        let made = Property::with(initial, SourceOptions::default());
        made.expect("a property can always be made")
    }

    /// The same with options; it is not shared and queues: else
    /// [`Code::EINVAL`](crate::Code::EINVAL).
    pub fn with(initial: T, options: SourceOptions<'_>) -> Result<Property<T>> {
        let initial = initial.into_dynamic().into_raw();
        unsafe { Property::from_raw(belay_property_create(initial, &options.raw())) }
            .ok_or_else(Error::last)
    }

    /// The value that was set last. Any thread. A value that is set away from home counts when it
    /// has arrived there.
    pub fn get(&self) -> Result<T> {
        let mut value = belay_null();
        check(unsafe { belay_property_get(self.as_raw(), &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }

    /// Sets the value, and sends it, also when it is the same. Any thread; fails as
    /// [`Subject::next`](crate::Subject::next).
    pub fn set(&self, value: impl Given<T>) -> Result<Sent> {
        let value = value.into_dynamic().into_raw();
        Sent::of(unsafe { belay_property_set(self.as_raw(), value) })
    }

    /// Sets the result of `change` for the present value. When `change` fails, sets nothing and
    /// returns its error. A panic goes on from here. At home only:
    /// [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD).
    pub fn modify<R, F>(&self, change: F) -> Result<Sent>
    where
        R: Outcome<Value = T>,
        F: FnOnce(T) -> R,
    {
        let call = Change { change: Cell::new(Some(change)), outcome: Cell::new(None) };
        let ctx = &call as *const Change<F> as *mut c_void;
        let code =
            unsafe { belay_property_modify(self.as_raw(), Some(run_change::<T, R, F>), ctx) };
        match call.outcome.take() {
            Some(Failed::Panic(payload)) => resume_unwind(payload),
            Some(Failed::Error(error)) => Err(error),
            None => Sent::of(code),
        }
    }

    /// A signal of the value: the present one, then each that is set. It does not keep the property.
    pub fn signal(&self) -> Signal<T> {
        unsafe { Signal::made(belay_property_signal(self.as_raw())) }
    }

    /// Makes two properties follow each other, beginning with this one's value; a value that comes
    /// through is not sent back. Keeps neither. Both have to be at home on this thread:
    /// [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD).
    pub fn channel(&self, other: &Property<T>) -> Result<Disposable> {
        given(|out| unsafe { belay_property_channel(self.as_raw(), other.as_raw(), out) })
    }
}

/// A change that is called during one call, and how it failed.
struct Change<F> {
    change: Cell<Option<F>>,
    outcome: Cell<Option<Failed>>,
}

enum Failed {
    Error(Error),
    Panic(Box<dyn std::any::Any + Send>),
}

unsafe extern "C" fn run_change<T, R, F>(ctx: *mut c_void, value: belay_value) -> belay_value
where
    T: Value,
    R: Outcome<Value = T>,
    F: FnOnce(T) -> R,
{
    let call = &*(ctx as *const Change<F>);
    let run = || {
        let change = call.change.take().ok_or(crate::Code::EREENTRANT)?;
        Ok(change(T::from_dynamic(Dynamic::lent(&value))?).outcome()?.into_dynamic())
    };
    let failed = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(made)) => return made.into_raw(),
        Ok(Err(error)) => Failed::Error(error),
        Err(payload) => Failed::Panic(payload),
    };
    call.outcome.set(Some(failed));
    edge::value(|| Err(crate::Code::ECANCELED.into()))
}

handle! {
    /// An action that runs once at a time, and may be disabled. `I` is the type of its input, `O`
    /// the type of the values that an execution sends.
    Command<I, O>: belay_command, belay_command_retain, belay_command_release
}
any_thread!(Command<I, O>);

impl<I: Value, O: Value> Command<I, O> {
    /// A command, at home here. `execute` makes the signal of an execution; `enabled` says whether
    /// it may be executed, until its first value it may.
    pub fn new<R, F>(enabled: Option<&Signal<bool>>, execute: F) -> Result<Command<I, O>>
    where
        R: Outcome<Value = Signal<O>>,
        F: Fn(I) -> R + Send + Sync + 'static,
    {
        unsafe {
            let (call, free) = (flat_map::<I, O, R, F>, free::<F>);
            let enabled = retained_or_null(enabled);
            let raw = belay_command_create(enabled, Some(call), ctx(execute), Some(free));
            Command::from_raw(raw).ok_or_else(Error::last)
        }
    }

    /// Begins an execution, and gives a signal of all it sends, also to later subscribers.
    /// [`Code::EBUSY`](crate::Code::EBUSY) while it executes or is disabled,
    /// [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD) away from its home, and the error of the
    /// closure.
    pub fn execute(&self, input: impl Given<I>) -> Result<Signal<O>> {
        let input = input.into_dynamic().into_raw();
        unsafe { Signal::from_raw(belay_command_execute(self.as_raw(), input)) }
            .ok_or_else(Error::last)
    }

    /// Whether it is executing: now, and whenever that changes.
    pub fn executing(&self) -> Signal<bool> {
        unsafe { Signal::made(belay_command_executing(self.as_raw())) }
    }

    /// Whether it may be executed: now, and whenever that changes.
    pub fn enabled(&self) -> Signal<bool> {
        unsafe { Signal::made(belay_command_enabled(self.as_raw())) }
    }

    /// The values of all executions.
    pub fn values(&self) -> Signal<O> {
        unsafe { Signal::made(belay_command_values(self.as_raw())) }
    }

    /// The errors of all executions, as values.
    pub fn errors(&self) -> Signal<Error> {
        unsafe { Signal::made(belay_command_errors(self.as_raw())) }
    }
}

handle! {
    /// A source of questions that its listeners answer. Their answers are accumulated. A clone is
    /// the same; with the last the listeners end.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// let may_close = belay::Request::<i32, bool>::new(true, |all, one| all && one);
    /// may_close.subscribe(|unsaved| unsaved == 0)?;
    /// assert!(!may_close.send(3)?);
    /// # Ok(())
    /// # }
    /// ```
    Request<Q, A>: belay_request, belay_request_retain, belay_request_release
}
any_thread!(Request<Q, A>);

impl<Q: Value, A: Value> Request<Q, A> {
    /// A request, at home here. `accumulate` makes the next result of the one so far, at first
    /// `initial`, and an answer.
    pub fn new<R, F>(initial: A, accumulate: F) -> Request<Q, A>
    where
        R: Outcome<Value = A>,
        F: Fn(A, A) -> R + Send + Sync + 'static,
    {
        let initial = initial.into_dynamic().into_raw();
        let (call, free) = (scan::<A, A, R, F>, free::<F>);
        let raw = unsafe { belay_request_create(initial, Some(call), ctx(accumulate), Some(free)) };
        unsafe { Request::from_raw(raw) }.expect("a request can always be made")
    }

    /// Has `answer` answer each question, at the request's home, until the result is disposed of.
    pub fn subscribe<R, F>(&self, answer: F) -> Result<Disposable>
    where
        R: Outcome<Value = A>,
        F: Fn(Q) -> R + Send + Sync + 'static,
    {
        let (call, free) = (map::<Q, R, F>, free::<F>);
        given(|out| unsafe {
            belay_request_subscribe(self.as_raw(), Some(call), ctx(answer), Some(free), out)
        })
    }

    /// Asks every listener, and gives what was made of the answers, or the first error of a
    /// listener; no other listener is asked then. At home only:
    /// [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD).
    pub fn send(&self, question: impl Given<Q>) -> Result<A> {
        let mut answer = belay_null();
        let question = question.into_dynamic().into_raw();
        check(unsafe { belay_request_send(self.as_raw(), question, &mut answer) })?;
        unsafe { Dynamic::from_raw(answer) }.get()
    }
}
