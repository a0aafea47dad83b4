//! Fields and properties that follow each other, or a signal.
use std::ffi::CString;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::ptr;

use belay_sys::*;

use crate::callbacks::{ctx, free};
use crate::disposable::Disposable;
use crate::edge;
use crate::error::Result;
use crate::handle::c_text;
use crate::loops::given;
use crate::owners::Owner;
use crate::property::Property;
use crate::signal::Signal;
use crate::value::{Dynamic, Outcome, Value};

/// One side of a binding, whose values are `T`s: a path of an object, or a property.
///
/// ```
/// use belay::{Owner, Property, Side};
///
/// # fn main() -> belay::Result<()> {
/// let user = Owner::build().dynamic().create()?;
/// user.set("age", 36)?;
/// let shown = Property::new(String::new());
/// let age = Side::<i32>::path(&user, "age");
/// age.bind_with(&Side::property(&shown), |age| format!("{age} years"))?;
/// user.set("age", 37)?;
/// assert_eq!(shown.get()?, "37 years");
/// # Ok(())
/// # }
/// ```
///
/// A binding sets the other side now, and whenever this side changes. It keeps neither alive. It ends
/// when one of them goes, when a conversion or a write fails (the error goes to the hook for errors
/// that nobody handles), and when the result is disposed of. A property has to be at home on this
/// thread: [`Code::EWRONGTHREAD`](crate::Code::EWRONGTHREAD).
pub struct Side<'a, T> {
    object: *mut belay_owner,
    path: Result<CString>,
    property: *mut belay_property,
    lent: PhantomData<&'a Owner>,
    values: PhantomData<fn() -> T>,
}

impl<'a, T: Value> Side<'a, T> {
    /// The field that a path of an object leads to.
    pub fn path(object: &'a Owner, path: &str) -> Side<'a, T> {
        let (object, path) = (object.as_raw(), c_text(path));
        Side { object, path, property: ptr::null_mut(), lent: PhantomData, values: PhantomData }
    }

    /// A property.
    pub fn property(property: &'a Property<T>) -> Side<'a, T> {
        let (object, path) = (ptr::null_mut(), Ok(CString::default()));
        Side { object, path, property: property.as_raw(), lent: PhantomData, values: PhantomData }
    }

    /// Makes `to` follow this side.
    pub fn bind(&self, to: &Side<'_, T>) -> Result<Disposable> {
        self.bound(to, None, None, (), false)
    }

    /// Makes `to` follow the results of `convert` for this side's values.
    pub fn bind_with<U, R, F>(&self, to: &Side<'_, U>, convert: F) -> Result<Disposable>
    where
        U: Value,
        R: Outcome<Value = U>,
        F: Fn(T) -> R + Send + Sync + 'static,
    {
        self.bound(to, Some(forth::<T, R, F, ()>), None, (convert, ()), false)
    }

    /// Makes both sides follow each other, beginning with the value of this one. A value from the
    /// other side is not passed back.
    pub fn bind_both(&self, to: &Side<'_, T>) -> Result<Disposable> {
        self.bound(to, None, None, (), true)
    }

    /// The same with a conversion in each direction.
    pub fn bind_both_with<U, R, F, S, G>(
        &self,
        to: &Side<'_, U>,
        there: F,
        back_here: G,
    ) -> Result<Disposable>
    where
        U: Value,
        R: Outcome<Value = U>,
        F: Fn(T) -> R + Send + Sync + 'static,
        S: Outcome<Value = T>,
        G: Fn(U) -> S + Send + Sync + 'static,
    {
        let (there_fn, back_fn) = (forth::<T, R, F, G>, back::<U, S, F, G>);
        self.bound(to, Some(there_fn), Some(back_fn), (there, back_here), true)
    }

    fn bound<U: Value, C: Send + Sync + 'static>(
        &self,
        to: &Side<'_, U>,
        there: belay_map_fn,
        back: belay_map_fn,
        conversions: C,
        both_ways: bool,
    ) -> Result<Disposable> {
        let (from, to) = (self.raw(there)?, to.raw(back)?);
        let binding = belay_binding {
            from: &from,
            to: &to,
            both_ways: both_ways.into(),
            ctx: ctx(conversions),
            ctx_free: Some(free::<C>),
            ..belay_binding::default()
        };
        given(|out| unsafe { belay_bind(&binding, out) })
    }

    fn raw(&self, convert: belay_map_fn) -> Result<belay_bindable> {
        let path = self.path.as_ref().map_err(Clone::clone)?;
        let path = if self.object.is_null() { ptr::null() } else { path.as_ptr() };
        Ok(belay_bindable {
            object: self.object,
            path,
            property: self.property,
            convert,
            ..belay_bindable::default()
        })
    }
}

/// Converts by the first of two closures.
unsafe extern "C" fn forth<T, R, F, G>(ctx: *mut c_void, value: belay_value) -> belay_value
where
    T: Value,
    R: Outcome,
    F: Fn(T) -> R,
{
    let (convert, _) = &*(ctx as *const (F, G));
    converted(convert, &value)
}

/// Converts by the second.
unsafe extern "C" fn back<T, R, F, G>(ctx: *mut c_void, value: belay_value) -> belay_value
where
    T: Value,
    R: Outcome,
    G: Fn(T) -> R,
{
    let (_, convert) = &*(ctx as *const (F, G));
    converted(convert, &value)
}

unsafe fn converted<T: Value, R: Outcome>(
    convert: &impl Fn(T) -> R,
    value: &belay_value,
) -> belay_value {
    let value = Dynamic::lent(value);
    edge::value(|| Ok(convert(T::from_dynamic(value)?).outcome()?.into_dynamic()))
}

impl<T: Value> Signal<T> {
    /// Sets the field that a path leads to, to each value. The binding ends with the signal, with the
    /// object, when a write fails, and when the result is disposed of.
    pub fn bind_path(&self, object: &Owner, path: &str) -> Result<Disposable> {
        let (signal, object, path) = (self.as_raw(), object.as_raw(), c_text(path)?);
        given(|out| unsafe { belay_signal_bind_object(signal, object, path.as_ptr(), out) })
    }
}
