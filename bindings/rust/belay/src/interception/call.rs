//! Calls in progress.
use std::marker::PhantomData;
use std::os::raw::c_void;

use belay_sys::*;

use crate::error::{check, Result};
use crate::interception::Function;
use crate::value::{Dynamic, Value};

/// A call in progress of a method of type `F`. Arguments are numbered from 0, without the context.
pub struct Call<'a, F> {
    raw: *mut belay_invocation,
    types: PhantomData<&'a F>,
}

impl<F: Function> Call<'_, F> {
    /// # Safety
    /// `raw` is alive for as long as the result.
    pub(crate) unsafe fn lent(raw: *mut belay_invocation) -> Self {
        Call { raw, types: PhantomData }
    }

    /// The object that the method is called for.
    pub fn context(&self) -> *mut c_void {
        unsafe { belay_invocation_context(self.raw) }
    }

    /// An argument; [`Code::ERANGE`](crate::Code::ERANGE) past the end.
    pub fn argument<A: Value>(&self, index: usize) -> Result<A> {
        let mut value = belay_null();
        check(unsafe { belay_invocation_get(self.raw, index, &mut value) })?;
        unsafe { Dynamic::from_raw(value) }.get()
    }

    /// Changes an argument; [`Code::EKIND`](crate::Code::EKIND) or
    /// [`Code::ERANGE`](crate::Code::ERANGE) for a value that does not fit.
    pub fn set_argument(&mut self, index: usize, value: impl Value) -> Result<()> {
        let value = Dynamic::new(value).into_raw();
        check(unsafe { belay_invocation_set(self.raw, index, value) }).map(drop)
    }

    /// The result so far; zero before.
    pub fn result(&self) -> Result<F::Result> {
        unsafe { Dynamic::from_raw(belay_invocation_result(self.raw)) }.get()
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: F::Result) -> Result<()> {
        let result = Dynamic::new(result).into_raw();
        check(unsafe { belay_invocation_set_result(self.raw, result) }).map(drop)
    }

    /// Goes on with the call; its result becomes [`result`](Call::result).
    pub fn proceed(&mut self) -> Result<()> {
        check(unsafe { belay_invocation_proceed(self.raw) }).map(drop)
    }
}
