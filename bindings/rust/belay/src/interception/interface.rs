//! Interfaces: descriptions of tables of C functions. See interface.h.
use std::mem::transmute;
use std::os::raw::{c_int, c_void};

use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::handle::{any_thread, handle};
use crate::interception::method::kept;
use crate::interception::{Function, Method, Proxy, Slot};
use crate::member::Member;
use crate::owners::Owner;
use crate::site::lasting;
use crate::value::{Dynamic, Value};

handle! {
    /// The description of a table `T` of C functions. One [`Method`] is enough for a slot in a table;
    /// slots of one object, proxies and messages need an interface.
    ///
    /// ```
    /// use belay::{method, Interface};
    ///
    /// #[repr(C)]
    /// struct Ops { add: Option<unsafe extern "C" fn(*mut u8, i32) -> i32> }
    ///
    /// # fn main() -> belay::Result<()> {
    /// let ops = Interface::<Ops>::build("ops").method(method!(Ops, add)).create()?;
    /// # drop(ops);
    /// # Ok(())
    /// # }
    /// ```
    Interface<T>: belay_interface, belay_interface_retain, belay_interface_release
}
any_thread!(Interface<T>);

/// Gives a table to an object, which keeps the pointer as that of its delegate. NULL takes the
/// delegate away. Returns 0, or a failure.
pub type Install<O, T> = unsafe extern "C" fn(object: *mut O, table: *const T) -> c_int;

/// Returns the table that an object has now, whoever made it, or NULL.
pub type Installed<O, T> = unsafe extern "C" fn(object: *mut O) -> *const T;

/// How an interface is made.
#[must_use = "an interface is made by `create`"]
pub struct InterfaceBuilder<T> {
    raw: belay_interface_description,
    methods: Vec<belay_method>,
    table: std::marker::PhantomData<fn(T)>,
}

impl<T> InterfaceBuilder<T> {
    /// Adds a method.
    pub fn method<F: Function>(mut self, method: Method<T, F>) -> Self {
        self.methods.push(method.raw());
        self
    }

    /// The member in which an object keeps the pointer to its table:
    /// `.table_at(member!(Stream, ops))`. Slots of one object need it.
    pub fn table_at<O>(mut self, member: Member<O, *const T>) -> Self {
        self.raw.table_offset = member.offset();
        self
    }

    /// How an object of type `O` is given another table, which proxies need. `install` returns 0, or
    /// a failure, after which the object has the table that it had. `installed` returns the table
    /// that the object has now, whoever made it.
    pub fn delegate<O>(
        mut self,
        install: Install<O, T>,
        installed: Option<Installed<O, T>>,
    ) -> Self {
        // Pointers to whatever type are passed in the same way.
        unsafe {
            self.raw.install = Some(transmute::<Install<O, T>, Install<c_void, c_void>>(install));
            self.raw.installed =
                transmute::<Option<Installed<O, T>>, Option<Installed<c_void, c_void>>>(installed);
        }
        self
    }

    /// Makes the interface. [`Code::EINVAL`](crate::Code::EINVAL) for a method that stands twice in
    /// it, [`Code::ENOTSUP`](crate::Code::ENOTSUP) in a build without interception.
    pub fn create(mut self) -> Result<Interface<T>> {
        self.raw.method_count = self.methods.len();
        self.raw.methods = kept(self.methods);
        unsafe { Interface::from_raw(belay_interface_create(&self.raw)) }.ok_or_else(Error::last)
    }
}

impl<T> Interface<T> {
    /// Describes an interface. The name is for messages.
    pub fn build(name: &'static str) -> InterfaceBuilder<T> {
        let raw = belay_interface_description {
            name: lasting(name),
            table_size: std::mem::size_of::<T>(),
            table_offset: BELAY_NO_TABLE,
            ..belay_interface_description::default()
        };
        InterfaceBuilder { raw, methods: Vec::new(), table: std::marker::PhantomData }
    }

    /// The interface of one method, which has its name.
    pub(super) fn of_one<F: Function>(method: &Method<T, F>) -> Result<Interface<T>> {
        let mut builder = Interface::build("").method(*method);
        builder.raw.name = method.raw().name;
        builder.create()
    }

    /// Returns the slot of a method in a table in memory, which all objects with that table use.
    /// Every call returns the same slot. A slot of a table in read-only memory fails with
    /// [`Code::EROFS`](crate::Code::EROFS) when it is used.
    ///
    /// # Safety
    /// `table` stays where it is until [`table_gone`](crate::table_gone) has been called for it. A
    /// thread that calls through it meanwhile loads the pointer in one piece. Its functions and
    /// their callers keep the rules of a [`Slot`].
    pub unsafe fn slot_in<F: Function>(
        &self,
        table: *mut T,
        method: &Method<T, F>,
    ) -> Result<Slot<F>> {
        self.slot(|name| belay_slot_create_in_table(self.as_raw(), table.cast(), name, 0), method)
    }

    /// Does what [`slot_in`](Interface::slot_in) does, for a table that may be in read-only memory:
    /// Belay makes the page writable while it writes.
    ///
    /// # Safety
    /// As for [`slot_in`](Interface::slot_in). The compiler has not assumed the contents of the table:
    /// the table is not a constant of Rust's.
    pub unsafe fn slot_in_constant<F: Function>(
        &self,
        table: *const T,
        method: &Method<T, F>,
    ) -> Result<Slot<F>> {
        let (table, flags) = (table as *mut c_void, BELAY_SLOT_UNPROTECT);
        self.slot(|name| belay_slot_create_in_table(self.as_raw(), table, name, flags), method)
    }

    /// Returns the slot of a method of one object. While it is intercepted, the table pointer of the
    /// object points to a private copy of its table. Every call returns the same slot, which ends
    /// when the owner dies.
    ///
    /// [`Code::EINVAL`](crate::Code::EINVAL) for an interface without
    /// [`table_at`](InterfaceBuilder::table_at) and for an owner without an object,
    /// [`Code::EDEAD`](crate::Code::EDEAD) for an owner that is dying.
    ///
    /// # Safety
    /// The object of the owner is of the type that `table_at` named. It lives until the fourth step
    /// of the owner's death. A thread that calls through its table loads both pointers in one
    /// piece. The functions of the table and their callers keep the rules of a [`Slot`].
    pub unsafe fn slot_of<F: Function>(
        &self,
        object: &Owner,
        method: &Method<T, F>,
    ) -> Result<Slot<F>> {
        let object = object.as_raw();
        self.slot(|name| belay_slot_create_in_object(self.as_raw(), object, name), method)
    }

    unsafe fn slot<F: Function>(
        &self,
        create: impl FnOnce(*const std::os::raw::c_char) -> *mut belay_slot,
        method: &Method<T, F>,
    ) -> Result<Slot<F>> {
        Slot::from_raw(create(method.raw().name)).ok_or_else(Error::last)
    }

    /// Returns the proxy of an object, which gives it a table of Belay's. Every call returns the same
    /// proxy. The first call installs it.
    ///
    /// [`Code::EINVAL`](crate::Code::EINVAL) for an interface without
    /// [`delegate`](InterfaceBuilder::delegate) and for an owner without an object,
    /// [`Code::EDEAD`](crate::Code::EDEAD) for an owner that is dying, or the failure of `install`.
    ///
    /// # Safety
    /// The object of the owner is of the type that `delegate` named. It lives until the fourth step
    /// of the owner's death. It checks the pointers in its table for NULL, and may be given a table on
    /// any thread that uses the proxy. The callers of the table keep the rules of a [`Slot`].
    pub unsafe fn proxy(&self, object: &Owner) -> Result<Proxy<T>> {
        let raw = belay_proxy_create(object.as_raw(), self.as_raw());
        Proxy::from_raw(raw).ok_or_else(Error::last)
    }

    /// Says that the object has the methods of `table`, to which [`send`](Interface::send) sends
    /// calls. Replaces the table that was given before.
    ///
    /// # Safety
    /// The table lives as long as the object of the owner, and its functions take that object.
    pub unsafe fn respond_to(&self, object: &Owner, table: *const T) -> Result<()> {
        let responder = belay_responder {
            interface: self.as_raw(),
            table: table.cast(),
            ..belay_responder::default()
        };
        check(belay_object_set_responder(object.as_raw(), &responder)).map(drop)
    }

    /// Sends a call to an object whose owner has a responder, in C or by
    /// [`respond_to`](Interface::respond_to), and returns its result.
    /// [`Code::ENOENT`](crate::Code::ENOENT) when nothing handles the method,
    /// [`Code::EKIND`](crate::Code::EKIND) when the function that was found has other types.
    ///
    /// # Safety
    /// The function may be called with these arguments, on this thread.
    pub unsafe fn send<F: Function>(
        &self,
        object: &Owner,
        method: &Method<T, F>,
        arguments: F::Arguments,
    ) -> Result<F::Result> {
        let raw = belay_invocation_create(self.as_raw(), method.raw().name);
        let message = Message(std::ptr::NonNull::new(raw).ok_or_else(Error::last)?);
        for (index, argument) in Dynamic::new(arguments).items().enumerate() {
            check(belay_invocation_set(message.0.as_ptr(), index, argument.into_raw()))?;
        }
        check(belay_invocation_send(message.0.as_ptr(), object.as_raw()))?;
        F::Result::from_dynamic(&Dynamic::from_raw(belay_invocation_result(message.0.as_ptr())))
    }
}

impl Owner {
    /// Whether the object has a method of that name, by [`Interface::respond_to`] or in C.
    pub fn responds(&self, method: &str) -> bool {
        crate::handle::c_text(method).map_or(false, |method| unsafe {
            belay_object_responds(self.as_raw(), method.as_ptr()) == 1
        })
    }
}

/// A call that is sent, which this thread owns.
struct Message(std::ptr::NonNull<belay_invocation>);

impl Drop for Message {
    fn drop(&mut self) {
        unsafe { belay_invocation_release(self.0.as_ptr()) }
    }
}
