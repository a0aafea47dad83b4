//! Tables of C functions that are intercepted.
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::case;
use std::os::raw::{c_int, c_void};

use belay::{member, method, table_gone, Code, Interface, Owner};

struct Adder {
    base: i32,
}

#[repr(C)]
struct Ops {
    close: Option<unsafe extern "C" fn(*mut Adder)>,
    add: Option<unsafe extern "C" fn(*mut Adder, i32, f64) -> i32>,
    missing: Option<unsafe extern "C" fn(*mut Adder) -> i32>,
}

unsafe extern "C" fn close(adder: *mut Adder) {
    (*adder).base = 0;
}

fn adders_table() -> *mut Ops {
    Box::into_raw(Box::new(Ops { close: Some(close), add: Some(add), missing: None }))
}

unsafe extern "C" fn add(adder: *mut Adder, n: i32, scale: f64) -> i32 {
    (*adder).base + (f64::from(n) * scale) as i32
}

#[test]
fn calls_are_seen_changed_and_refused() {
    case(|| {
        let mut adder = Adder { base: 10 };
        let table = adders_table();
        let slot = unsafe { method!(Ops, add).slot_in(table) }.unwrap();
        let mut call = |n| unsafe { (*table).add.unwrap()(&mut adder, n, 2.0) };
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (before, after) = (seen.clone(), seen.clone());
        let sent =
            slot.sent().subscribe(move |(n, scale)| before.lock().unwrap().push((n, scale, 0)));
        let invoked = slot.invoked().subscribe(move |event| after.lock().unwrap().push(event));
        assert_eq!(call(1), 12);
        assert_eq!(*seen.lock().unwrap(), [(1, 2.0, 0), (1, 2.0, 12)]);
        sent.unwrap().dispose();
        invoked.unwrap().dispose();

        let around = slot.around(|call| {
            assert!(!call.context().is_null());
            let n = call.argument::<i32>(0)?;
            if n < 0 {
                return call.set_result(-1);
            }
            assert_eq!(call.argument::<i32>(2).unwrap_err().code(), Code::ERANGE);
            assert_eq!(call.set_argument(0, "text".to_string()).unwrap_err().code(), Code::EKIND);
            call.set_argument(0, n + 1)?;
            call.proceed()?;
            let sum = call.result()?;
            call.set_result(sum * 100)
        });
        assert_eq!((call(1), call(-5)), (1400, -1));
        around.unwrap().dispose();
        assert_eq!(call(1), 12);
        slot.status().unwrap();
        unsafe { table_gone(table) }.unwrap();
        assert_eq!(slot.status().unwrap_err().code(), Code::EDEAD);
        drop(unsafe { Box::from_raw(table) });
    });
}

#[test]
fn empty_slots_are_answered() {
    case(|| {
        let mut adder = Adder { base: 10 };
        let table = adders_table();
        let missing = unsafe { method!(Ops, missing).slot_in(table) }.unwrap();
        let closing = unsafe { method!(Ops, close).slot_in(table) }.unwrap();
        let veto = closing.around(|_| ()).unwrap();
        unsafe { (*table).close.unwrap()(&mut adder) };
        assert_eq!(adder.base, 10);
        veto.dispose();
        let responding = missing.respond(|_| 7).unwrap();
        assert_eq!(unsafe { (*table).missing.unwrap()(&mut adder) }, 7);
        responding.dispose();
        assert!(unsafe { (*table).missing }.is_none());
        missing.set_default(5).unwrap();
        let listening =
            missing.sent().subscribe(|arguments| assert!(arguments.is_empty())).unwrap();
        assert_eq!(unsafe { (*table).missing.unwrap()(&mut adder) }, 5);
        listening.dispose();
        unsafe { table_gone(table) }.unwrap();
        assert_eq!(unsafe { table_gone(table) }.unwrap_err().code(), Code::ENOENT);
        drop(unsafe { Box::from_raw(table) });
    });
}

/// An object of C's kind: it has a table, and a delegate that it calls.
#[repr(C)]
struct Stream {
    ops: *const Ops,
    base: i32,
}

// The tables of the cases may be read on any thread.
unsafe impl Send for Stream {}

fn ops() -> Box<Ops> {
    Box::new(Ops { close: Some(close), add: Some(add_to_stream), missing: None })
}

unsafe extern "C" fn add_to_stream(stream: *mut Adder, n: i32, _: f64) -> i32 {
    (*(stream as *mut Stream)).base + n
}

unsafe fn call(stream: *mut Stream, n: i32) -> i32 {
    let ops = (*stream).ops;
    (*ops).add.map_or(-1, |add| add(stream as *mut Adder, n, 0.0))
}

// The functions of the table take an `Adder`, as those of a base class do.
unsafe extern "C" fn install(stream: *mut Stream, ops: *const Ops) -> c_int {
    (*stream).ops = ops;
    0
}

unsafe extern "C" fn installed(stream: *mut Stream) -> *const Ops {
    (*stream).ops
}

fn interface() -> Interface<Ops> {
    Interface::build("ops")
        .method(method!(Ops, close))
        .method(method!(Ops, add))
        .method(method!(Ops, missing))
        .table_at(member!(Stream, ops))
        .delegate(install, Some(installed))
        .create()
        .unwrap()
}

#[test]
fn an_interface_without_methods() {
    case(|| {
        let none = || Interface::<Ops>::build("none").create().unwrap();
        drop((none(), interface(), none()));
    });
}

#[test]
fn one_object_is_intercepted_and_its_table_shared() {
    case(|| {
        let (table, interface) = (ops(), interface());
        let owners =
            [1, 2].map(|base| Owner::build().create_for(Stream { ops: &*table, base }).unwrap());
        let [one, two] = [0, 1].map(|index: usize| owners[index].object() as *mut Stream);
        let slot = unsafe { interface.slot_of(&owners[0], &method!(Ops, add)) }.unwrap();
        slot.around(|call| call.set_result(100)).unwrap();
        assert_eq!(unsafe { (call(one, 5), call(two, 5)) }, (100, 7));
        assert!(slot.original().is_some());
        let unknown = unsafe { interface.slot_of(&Owner::new(), &method!(Ops, add)) };
        assert_eq!(unknown.unwrap_err().code(), Code::EINVAL);
        drop(owners);
        assert_eq!(slot.status().unwrap_err().code(), Code::EDEAD);
    });
}

#[test]
fn a_proxy_stands_in_for_a_delegate() {
    case(|| {
        let (table, interface) = (ops(), interface());
        let stream = Stream { ops: std::ptr::null(), base: 10 };
        let owner = Owner::build().create_for(stream).unwrap();
        let stream = owner.object() as *mut Stream;
        let proxy = unsafe { interface.proxy(&owner) }.unwrap();
        assert_eq!(proxy.table(), unsafe { (*stream).ops });
        assert_eq!(unsafe { call(stream, 1) }, -1);
        let slot = proxy.slot(&method!(Ops, add)).unwrap();
        let answers = [slot.respond(|call| call.argument::<i32>(0)), slot.respond(|_| 20)];
        assert_eq!(unsafe { call(stream, 1) }, 1);
        slot.set_combiner(|all: Vec<i32>| all.iter().sum::<i32>()).unwrap();
        assert_eq!(unsafe { call(stream, 1) }, 21);
        unsafe { proxy.forward_to(&*table, None) }.unwrap();
        assert_eq!(unsafe { call(stream, 1) }, 32);
        let again = unsafe { proxy.forward_to(&*table, None) };
        assert_eq!(again.unwrap_err().code(), Code::EASSIGNED);
        proxy.forward_to_none().unwrap();
        answers.into_iter().for_each(|answer| answer.unwrap().dispose());
        assert_eq!(unsafe { call(stream, 1) }, -1);
        assert!(unsafe { interface.proxy(&Owner::new()) }.is_err());
    });
}

#[test]
fn functions_of_c_are_connected_and_constants_intercepted() {
    static TABLE: Constant = Constant(Ops { close: None, add: Some(add), missing: None });
    unsafe extern "C" fn note(sum: *mut c_void, n: i32, _: f64) -> i32 {
        *(sum as *mut i32) += n;
        0
    }
    case(|| {
        let (mut adder, mut sum, interface) = (Adder { base: 10 }, 0_i32, interface());
        // The compiler does not see what the table contains.
        let table = AtomicPtr::new(&TABLE.0 as *const Ops as *mut Ops).load(Ordering::SeqCst);
        let load = || unsafe { std::ptr::addr_of!((*table).add).read_volatile() };
        let mut call = |n| unsafe { load().unwrap()(&mut adder, n, 1.0) };
        let slot = unsafe { interface.slot_in_constant(table, &method!(Ops, add)) }.unwrap();
        let noting: Option<unsafe extern "C" fn(*mut c_void, i32, f64) -> i32> = Some(note);
        let context = &mut sum as *mut i32 as *mut c_void;
        let connected = unsafe { slot.connect(noting, context) }.unwrap();
        assert_eq!((call(1), call(2)), (11, 12));
        connected.dispose();
        assert_eq!((call(3), sum), (13, 3));
        let other = unsafe { slot.connect(ops().close, context) };
        assert_eq!(other.unwrap_err().code(), Code::EKIND);
        unsafe { table_gone(table) }.unwrap();
    });
}

struct Constant(Ops);

// It holds functions.
unsafe impl Sync for Constant {}

#[test]
fn messages_find_the_methods_of_an_object() {
    case(|| {
        let (interface, table) = (interface(), Ops { add: Some(add), ..*ops() });
        let owner = Owner::build().create_for(Adder { base: 40 }).unwrap();
        let send = |n| unsafe { interface.send(&owner, &method!(Ops, add), (n, 2.0)) };
        assert_eq!(send(1).unwrap_err().code(), Code::ENOENT);
        assert!(!owner.responds("add"));
        unsafe { interface.respond_to(&owner, &table) }.unwrap();
        assert!(owner.responds("add") && !owner.responds("missing"));
        assert_eq!(send(1).unwrap(), 42);
        let missing = unsafe { interface.send(&owner, &method!(Ops, missing), Vec::new()) };
        assert_eq!(missing.unwrap_err().code(), Code::ENOENT);
    });
}

#[test]
fn a_method_that_ends_its_object_ends_its_owner() {
    unsafe extern "C" fn free(stream: *mut Adder) {
        (*(stream as *mut Stream)).base = -1;
    }
    case(|| {
        let table = Ops { close: Some(free), ..*ops() };
        let closing = method!(Ops, close).ends_object();
        let interface = Interface::build("ops")
            .method(closing)
            .method(method!(Ops, add))
            .table_at(member!(Stream, ops))
            .create()
            .unwrap();
        let mut stream = Stream { ops: &table, base: 1 };
        let owner = unsafe { Owner::adopt(&mut stream) }.unwrap();
        let slot = unsafe { interface.slot_of(&owner, &method!(Ops, add)) }.unwrap();
        slot.around(|_| ()).unwrap();
        unsafe { (*stream.ops).close.unwrap()(&mut stream as *mut Stream as *mut Adder) };
        assert!(owner.is_dying());
        assert_eq!(stream.base, -1);
    });
}
