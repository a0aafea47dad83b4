//! Signals that pass between copies of the library.
use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_void};
use std::sync::{Arc, Mutex};

use crate::support::case;
use belay::sys::*;
use belay::{Code, Exchange, Signal, Subject, Value};

#[test]
fn an_export_keeps_its_signal_until_it_is_dropped() {
    case(|| {
        let source: Subject<String> = Subject::new();
        let exported = Exchange::export(&source).unwrap();
        let imported = exported.to_signal::<String>().unwrap();
        assert_eq!(imported.as_raw(), source.as_raw());
        drop(exported);
        let (send, receive) = std::sync::mpsc::channel();
        let listening = imported.subscribe(move |text| send.send(text).unwrap()).unwrap();
        source.next("one").unwrap();
        assert_eq!(receive.recv().unwrap(), "one");
        listening.dispose();
    });
}

#[test]
fn an_export_passes_through_a_struct_of_c() {
    case(|| {
        let exported = Exchange::export(&Signal::range(1, 3)).unwrap();
        assert_eq!(unsafe { (*exported.as_raw()).version }, 1);
        assert!(format!("{exported:?}").contains("version: 1"));
        let raw = exported.into_raw();
        let again = unsafe { Exchange::from_raw(raw) };
        let moved = std::thread::spawn(move || again.to_signal::<i64>().unwrap());
        let values: Vec<_> = moved.join().unwrap().iter().unwrap().flatten().collect();
        assert_eq!(values, [1, 2, 3]);
    });
}

#[test]
fn types_are_checked_and_versions_too() {
    case(|| {
        let mut exported = Exchange::export(&Signal::just(7)).unwrap();
        let texts = exported.to_signal::<String>().unwrap();
        assert_eq!(texts.iter().unwrap().next().unwrap().unwrap_err().code(), Code::EKIND);
        let raw = belay_exchange { version: 99, ..exported.into_raw() };
        exported = unsafe { Exchange::from_raw(raw) };
        assert_eq!(exported.to_signal::<i32>().unwrap_err().code(), Code::ENOTSUP);
        let raw = belay_exchange { version: 1, name: None, ..exported.into_raw() };
        let lacking = unsafe { Exchange::from_raw(raw) };
        assert_eq!(lacking.to_signal::<i32>().unwrap_err().code(), Code::EINVAL);
    });
}

/// The first functions of `other_copy` of Tests/C/support/other_copy.h.
#[repr(C)]
struct OtherCopy {
    give: unsafe extern "C" fn(*mut belay_signal, *mut belay_exchange) -> c_int,
    take: unsafe extern "C" fn(*const belay_exchange) -> *mut belay_signal,
    create_subject: unsafe extern "C" fn(*const belay_source_options) -> *mut belay_signal,
    next: unsafe extern "C" fn(*mut belay_signal, belay_value) -> c_int,
    completed: unsafe extern "C" fn(*mut belay_signal) -> c_int,
    subscribers: unsafe extern "C" fn(*mut belay_signal) -> usize,
    release: unsafe extern "C" fn(*mut belay_signal),
    subscribe: unsafe extern "C" fn(
        *mut belay_signal,
        *const belay_observer,
        *mut *mut belay_disposable,
    ) -> c_int,
}

extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The copy in the plug-in that CMake's tests build, if there is one.
fn other_copy() -> Option<&'static OtherCopy> {
    let path = CString::new(std::env::var("BELAY_OTHER_PLUGIN").ok()?).unwrap();
    let name = CString::new("other_copy_functions").unwrap();
    unsafe {
        let plugin = dlopen(path.as_ptr(), 2);
        assert!(!plugin.is_null(), "{path:?}");
        let found = dlsym(plugin, name.as_ptr());
        assert!(!found.is_null());
        let functions: extern "C" fn() -> &'static OtherCopy = std::mem::transmute(found);
        Some(functions())
    }
}

#[test]
fn a_signal_passes_to_another_copy_of_the_library_and_back() {
    let other = match other_copy() {
        Some(other) => other,
        None => return println!("skipped: BELAY_OTHER_PLUGIN names no plug-in"),
    };
    case(|| unsafe {
        // One of theirs, which is heard here until it is disposed of.
        let theirs = (other.create_subject)(std::ptr::null());
        let mut raw = std::mem::zeroed();
        assert_eq!((other.give)(theirs, &mut raw), 0);
        let numbers = Exchange::from_raw(raw).to_signal::<i32>().unwrap();
        assert_ne!(numbers.as_raw(), theirs);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&seen);
        let listening =
            numbers.map(|n| n * 2).subscribe(move |n: i32| heard.lock().unwrap().push(n)).unwrap();
        assert_eq!((other.subscribers)(theirs), 1);
        assert_eq!((other.next)(theirs, 2.into_dynamic().into_raw()), 0);
        assert_eq!(*seen.lock().unwrap(), [4]);
        listening.dispose();
        assert_eq!((other.subscribers)(theirs), 0);
        drop(numbers);
        (other.release)(theirs);

        // One of ours, which is heard there.
        let ours: Subject<i32> = Subject::new();
        let given = Exchange::export(&ours).unwrap();
        let taken = (other.take)(given.as_raw());
        assert!(!taken.is_null());
        drop(given);
        unsafe extern "C" fn hear(ctx: *mut c_void, value: belay_value) {
            let mut number = 0;
            belay_value_get_int32(value, &mut number);
            (*(ctx as *mut Vec<i32>)).push(number);
        }
        let mut numbers: Vec<i32> = Vec::new();
        let observer = belay_observer {
            next: Some(hear),
            ctx: &mut numbers as *mut Vec<i32> as *mut c_void,
            ..belay_observer::default()
        };
        assert_eq!((other.subscribe)(taken, &observer, std::ptr::null_mut()), 0);
        assert_eq!(ours.count(), 1);
        ours.next(7).unwrap();
        ours.completed().unwrap();
        assert_eq!(numbers, [7]);
        (other.release)(taken);
    });
}
