//! Slots: places of function pointers that are intercepted. See slot.h.
use std::os::raw::{c_char, c_int, c_void};

use belay_sys::*;

use crate::callbacks::{combine, ctx, free};
use crate::disposable::Disposable;
use crate::edge;
use crate::error::{check, Result};
use crate::handle::{any_thread, handle};
use crate::interception::{Call, Function};
use crate::loops::given;
use crate::signal::Signal;
use crate::value::{Dynamic, Outcome};

/// Ends the slots of a table, before its memory goes, and puts the original functions back.
/// [`Code::ENOENT`](crate::Code::ENOENT) for a table without a slot,
/// [`Code::EMISMATCH`](crate::Code::EMISMATCH) when somebody else has written to it.
///
/// # Safety
/// The table is still there.
pub unsafe fn table_gone<T>(table: *mut T) -> Result<()> {
    check(belay_table_gone(table.cast())).map(drop)
}

handle! {
    /// The place of a function pointer in a table, which can be intercepted. While it has a listener
    /// or an interceptor, it contains Belay's function, which calls the one that was there. Handles
    /// that are left after its end do nothing.
    ///
    /// Rules. A program that has the slot may read the arguments of its functions, on any thread,
    /// and may change arguments and results to anything that their types hold, also to null. The
    /// `unsafe` function that makes the slot is the promise that the functions and their callers
    /// bear that. Where they do not, only code that leaves such values alone may be given the slot.
    Slot<F>: belay_slot, belay_slot_retain, belay_slot_release
}
any_thread!(Slot<F>);

impl<F: Function> Slot<F> {
    /// Sends the arguments before each call, without the context.
    pub fn sent(&self) -> Signal<F::Arguments> {
        unsafe { Signal::made(belay_slot_sent(self.as_raw())) }
    }

    /// Sends the arguments after each call, followed by the result, unless that is void.
    pub fn invoked(&self) -> Signal<F::Invoked> {
        unsafe { Signal::made(belay_slot_invoked(self.as_raw())) }
    }

    /// Calls `around` in place of the method, on the thread that calls. Without
    /// [`proceed`](Call::proceed) that is a veto. Its error is recorded for the calling thread. The
    /// result ends the interception; dropping it does not.
    pub fn around<R, A>(&self, around: A) -> Result<Disposable>
    where
        R: Outcome<Value = ()>,
        A: Fn(&mut Call<'_, F>) -> R + Send + Sync + 'static,
    {
        let (call, freed) = (intercept::<F, R, A>, free::<A>);
        given(|out| unsafe {
            belay_slot_around(self.as_raw(), Some(call), ctx(around), Some(freed), out)
        })
    }

    /// Answers calls where the slot is empty. The result ends this; dropping it does not.
    pub fn respond<R, A>(&self, respond: A) -> Result<Disposable>
    where
        R: Outcome<Value = F::Result>,
        A: Fn(&mut Call<'_, F>) -> R + Send + Sync + 'static,
    {
        let (call, freed) = (answer::<F, R, A>, free::<A>);
        given(|out| unsafe {
            belay_slot_respond(self.as_raw(), Some(call), ctx(respond), Some(freed), out)
        })
    }

    /// Sets the answer for calls that nothing answers.
    pub fn set_default(&self, answer: F::Result) -> Result<()> {
        let answer = Dynamic::new(answer).into_raw();
        check(unsafe { belay_slot_set_default(self.as_raw(), answer) }).map(drop)
    }

    /// Sets the closure that makes one of several answers, and replaces the previous one. It gets the
    /// answer of the original, if there is one, then those of the responders in the order in which
    /// they were added. Without it the first answer counts.
    pub fn set_combiner<R, C>(&self, combiner: C) -> Result<()>
    where
        R: Outcome<Value = F::Result>,
        C: Fn(Vec<F::Result>) -> R + Send + Sync + 'static,
    {
        let (call, freed) = (combine::<Vec<F::Result>, R, C>, free::<C>);
        check(unsafe {
            belay_slot_set_combiner(self.as_raw(), Some(call), ctx(combiner), Some(freed))
        })
        .map(drop)
    }

    /// Calls a C function before each call, with the arguments as C passes them and `context` in
    /// place of the object. Its result is ignored. The result ends this; dropping it does not.
    /// [`Code::EKIND`](crate::Code::EKIND) for a function whose other arguments, or whose result, are
    /// of other types. For closures there is [`sent`](Slot::sent).
    ///
    /// # Safety
    /// The function can be called with `context`, on any thread that calls the method, until this
    /// has ended and no call is in it.
    pub unsafe fn connect<G: Function>(
        &self,
        function: G,
        context: *mut c_void,
    ) -> Result<Disposable> {
        let (shape, function) = (G::SHAPE.as_ptr() as *const c_char, function.into_c());
        given(|out| belay_slot_connect(self.as_raw(), shape, function, context, None, out))
    }

    /// The function that would be in the slot without Belay. It is valid until the slot ends.
    pub fn original(&self) -> F {
        F::from_c(unsafe { belay_slot_original(self.as_raw()) })
    }

    /// Fails with [`Code::EMISMATCH`](crate::Code::EMISMATCH) when somebody else has written over
    /// Belay's function, and with [`Code::EDEAD`](crate::Code::EDEAD) when the slot has ended.
    pub fn status(&self) -> Result<()> {
        check(unsafe { belay_slot_status(self.as_raw()) }).map(drop)
    }
}

unsafe extern "C" fn intercept<F, R, A>(ctx: *mut c_void, call: *mut belay_invocation) -> c_int
where
    F: Function,
    R: Outcome<Value = ()>,
    A: Fn(&mut Call<'_, F>) -> R,
{
    edge::int(|| (*(ctx as *const A))(&mut Call::lent(call)).outcome().map(|()| 0))
}

unsafe extern "C" fn answer<F, R, A>(ctx: *mut c_void, call: *mut belay_invocation) -> belay_value
where
    F: Function,
    R: Outcome<Value = F::Result>,
    A: Fn(&mut Call<'_, F>) -> R,
{
    edge::value(|| Ok(Dynamic::new((*(ctx as *const A))(&mut Call::lent(call)).outcome()?)))
}
