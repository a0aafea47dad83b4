//! Values: there and back, and what is no such value.
use std::ffi::OsStr;
use std::fmt::Debug;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::support::{case, silently, told, Dropped, Trace};
use belay::{
    Bag, Code, Disposable, Dynamic, Error, Event, Items, Kind, Owner, Result, Signal, Value,
};

/// There and back, also as the second reference to it.
fn same<T: Value + Clone + PartialEq + Debug>(value: T, kind: Kind) {
    let dynamic = Dynamic::new(value.clone());
    assert_eq!(dynamic.kind(), kind, "{value:?}");
    let other = dynamic.clone();
    drop(dynamic);
    assert_eq!(other.get::<T>(), Ok(value));
}

fn is_no<T: Value + Debug>(value: impl Value, code: Code) {
    let error = Dynamic::new(value).get::<T>().unwrap_err();
    assert_eq!(error.code(), code, "{error}");
}

#[test]
fn there_and_back() {
    case(|| {
        same((), Kind::Null);
        same(true, Kind::Bool);
        same(false, Kind::Bool);
        for n in [i8::MIN, -1, 0, i8::MAX] {
            same(n, Kind::Int8);
        }
        same(i16::MIN, Kind::Int16);
        same(i32::MIN, Kind::Int32);
        same(i64::MIN, Kind::Int64);
        same(isize::MIN, Kind::Int64);
        same(u8::MAX, Kind::UInt8);
        same(u16::MAX, Kind::UInt16);
        same(u32::MAX, Kind::UInt32);
        same(u64::MAX, Kind::UInt64);
        same(usize::MAX, Kind::UInt64);
        same(-1.5_f32, Kind::Float);
        same(1e300_f64, Kind::Double);
        same(Duration::from_millis(1500), Kind::Double);
        same(String::new(), Kind::String);
        same("grüße \0 und mehr".to_string(), Kind::String);
        same(PathBuf::from("grüße"), Kind::String);
        same(PathBuf::from(OsStr::from_bytes(b"\xff")), Kind::Bytes);
        same(vec![0_u8, 255, 0], Kind::Bytes);
        same(Vec::<u8>::new(), Kind::Bytes);
        same(vec![1, 2, 3], Kind::Array);
        same(Vec::<i64>::new(), Kind::Array);
        same(vec![vec!["a".to_string()], vec![]], Kind::Array);
        same(Some(1), Kind::Int32);
        same(None::<i32>, Kind::Null);
        same((1, "two".to_string(), 3.0), Kind::Array);
        same(((1_u8,), (2_i64, true, None::<bool>, 5_u16)), Kind::Array);
        same(Error::new(Code::EBUSY, "busy"), Kind::Error);
        same(Event::Next(1), Kind::Array);
        same(Event::<i32>::Error(Code::ERANGE.into()), Kind::Array);
        same(Event::<i32>::Completed, Kind::Array);
    });
}

#[test]
fn numbers_read_as_any_type_that_holds_them() {
    case(|| {
        assert_eq!(Dynamic::new(7_u8).get::<i64>(), Ok(7));
        assert_eq!(Dynamic::new(7_i64).get::<u8>(), Ok(7));
        assert_eq!(Dynamic::new(-7_i8).get::<i16>(), Ok(-7));
        assert_eq!(Dynamic::new(7_i32).get::<f64>(), Ok(7.0));
        assert_eq!(Dynamic::new(0.5_f32).get::<f64>(), Ok(0.5));
        is_no::<u8>(256, Code::ERANGE);
        is_no::<i8>(128, Code::ERANGE);
        is_no::<i16>(40_000, Code::ERANGE);
        is_no::<u16>(-1, Code::ERANGE);
        is_no::<u64>(-1, Code::ERANGE);
        is_no::<i64>(u64::MAX, Code::ERANGE);
        is_no::<Duration>(-1.0, Code::ERANGE);
        is_no::<Duration>(f64::NAN, Code::ERANGE);
        is_no::<Duration>(f64::INFINITY, Code::ERANGE);
        is_no::<i32>(1.0, Code::EKIND);
        is_no::<bool>(1, Code::EKIND);
    });
}

#[test]
fn what_is_of_another_kind_is_refused_everywhere() {
    case(|| {
        is_no::<()>(1, Code::EKIND);
        is_no::<String>(1, Code::EKIND);
        is_no::<PathBuf>(1, Code::EKIND);
        is_no::<i32>("1".to_string(), Code::EKIND);
        is_no::<Vec<i32>>(1, Code::EKIND);
        is_no::<Vec<i32>>(vec!["a".to_string()], Code::EKIND);
        is_no::<Vec<u8>>(vec![1, 256], Code::ERANGE);
        is_no::<(i32, i32)>(vec![1, 2, 3], Code::ERANGE);
        is_no::<(i32, i32)>(vec![1], Code::ERANGE);
        is_no::<(i32, i32)>((1, "2".to_string()), Code::EKIND);
        is_no::<(i32,)>("bytes are no array".to_string(), Code::EKIND);
        is_no::<Signal<i32>>(1, Code::EKIND);
        is_no::<Disposable>(1, Code::EKIND);
        is_no::<Bag>(1, Code::EKIND);
        is_no::<Owner>(1, Code::EKIND);
        is_no::<belay::WeakOwner>(Owner::new(), Code::EKIND);
        is_no::<Error>(1, Code::EKIND);
        is_no::<Event<i32>>(vec![9, 1], Code::EKIND);
        is_no::<Event<i32>>(vec![0], Code::ERANGE);
        is_no::<Event<i32>>(1, Code::EKIND);
        let error = Dynamic::new(1).get::<String>().unwrap_err();
        assert_eq!(error.message(), "a string was expected, and is int32");
    });
}

#[test]
fn a_pointer_is_read_as_what_was_put_in_and_as_nothing_else() {
    case(|| {
        let trace = Trace::new();
        let shared = Arc::new(Dropped(trace.clone(), "dropped"));
        let dynamic = Dynamic::new(shared.clone());
        assert_eq!(dynamic.kind(), Kind::Pointer);
        assert_eq!(dynamic.get::<Arc<u8>>().unwrap_err().code(), Code::EKIND);
        assert_eq!(dynamic.get::<Arc<Arc<Dropped>>>().unwrap_err().code(), Code::EKIND);
        assert_eq!(dynamic.get::<String>().unwrap_err().code(), Code::EKIND);
        assert!(Arc::ptr_eq(&dynamic.get::<Arc<Dropped>>().unwrap(), &shared));
        assert_eq!(Arc::strong_count(&shared), 2);
        is_no::<Arc<u8>>(1, Code::EKIND);
        let elsewhere = std::thread::spawn(move || drop(dynamic));
        drop(shared);
        elsewhere.join().unwrap();
        assert_eq!(trace.take(), "dropped");
        // Of C's, whatever they lead to.
        let mut object = 7;
        let foreign =
            unsafe { belay::sys::belay_pointer_owned(&mut object as *mut i32 as _, None) };
        let foreign = unsafe { Dynamic::from_raw(foreign) };
        assert_eq!(foreign.get::<Arc<i32>>().unwrap_err().code(), Code::EKIND);
        // Of no size.
        assert!(Dynamic::new(Arc::new(())).get::<Arc<()>>().is_ok());
    });
}

#[test]
fn handles_are_values() {
    case(|| {
        let signal = Dynamic::new(Signal::range(1, 2)).get::<Signal<i64>>().unwrap();
        assert_eq!(told(&signal), "1 2 |");
        let owner = Owner::new();
        let weak = Dynamic::new(owner.downgrade()).get::<belay::WeakOwner>().unwrap();
        let also = Dynamic::new(owner.clone()).get::<Owner>().unwrap();
        drop(owner);
        assert!(weak.upgrade().is_some());
        drop(also);
        assert!(weak.upgrade().is_none());
        let disposable = Disposable::boolean();
        Dynamic::new(disposable.clone()).get::<Disposable>().unwrap().dispose();
        assert!(disposable.is_disposed());
        assert_eq!(Dynamic::new(Bag::new()).get::<Bag>().unwrap().count(), 0);
    });
}

#[test]
fn dynamic_values_can_be_looked_at() {
    case(|| {
        let array = Dynamic::new((1, "two".to_string(), vec![3_u8]));
        assert_eq!(array.len(), 3);
        assert!(!array.is_empty());
        assert_eq!(array.item(1).unwrap().as_str(), Some("two"));
        assert_eq!(array.item(2).unwrap().as_bytes(), Some(&[3_u8][..]));
        assert_eq!(array.item(3).unwrap_err().code(), Code::ERANGE);
        assert_eq!(array.items().count(), 3);
        assert_eq!(array.item(0).unwrap(), Dynamic::new(1));
        assert_ne!(array.item(0).unwrap(), Dynamic::new(1_i64));
        assert_eq!(Dynamic::from("x"), Dynamic::new("x".to_string()));
        assert_eq!(Dynamic::from(&[1_u8][..]), Dynamic::new(vec![1_u8]));
        assert!(Dynamic::null().is_null());
        assert_eq!(Dynamic::new(1).as_str(), None);
        assert_eq!(format!("{}", Dynamic::new(1.5)), "1.5");
        assert_eq!(format!("{:?}", Dynamic::new(7)), "int32(7)");
        let long = "x".repeat(1000);
        assert!(Dynamic::new(long.clone()).to_string().contains(&long));
        assert_eq!(Vec::<i32>::from_items(&[Dynamic::new(1), Dynamic::new(2)]), Ok(vec![1, 2]));
    });
}

#[test]
fn a_wrong_type_in_a_signal_is_an_error_event() {
    case(|| {
        let mixed: Signal<Dynamic> =
            Signal::from_values([Dynamic::new(1), Dynamic::new("two".to_string())]);
        let numbers = mixed.cast::<i32>();
        assert_eq!(told(&numbers), "1 EKIND");
        assert_eq!(told(&numbers.map(|n| n + 1)), "2 EKIND");
        assert_eq!(told(&numbers.filter(|_| true).cast::<Dynamic>().count()), "EKIND");
        assert_eq!(told(&mixed.cast::<Signal<i32>>().merge_all()), "EKIND");
        let trace = Trace::new();
        let observing = numbers.observe().next(trace.each()).error(trace.each());
        observing.disposed(trace.note("disposed")).subscribe().unwrap();
        assert_eq!(trace.take(), "1 wrong kind disposed".replace("wrong kind", &kind_text()));
    });
}

fn kind_text() -> String {
    Dynamic::new("two".to_string()).get::<i32>().unwrap_err().to_string()
}

#[derive(Clone, Debug, PartialEq)]
struct Point(i32, i32);
belay::value_by_clone!(Point);

#[derive(Debug, PartialEq)]
struct Size(f64, f64);

impl Value for Size {
    fn into_dynamic(self) -> Dynamic {
        (self.0, self.1).into_dynamic()
    }

    fn from_dynamic(value: &Dynamic) -> Result<Size> {
        Value::from_dynamic(value).map(|(width, height)| Size(width, height))
    }
}

#[test]
fn types_of_ones_own() {
    case(|| {
        let points = Signal::from_values([Point(1, 2), Point(3, 4)]);
        assert_eq!(told(&points.map(|p| Point(p.1, p.0))), "Point(2, 1) Point(4, 3) |");
        let sizes = Signal::just(Size(1.0, 2.0));
        assert_eq!(told(&sizes.map(|size| size.0 * size.1)), "2.0 |");
        assert_eq!(told(&sizes.collect().map(|all: Vec<Size>| all.len())), "1 |");
    });
}

#[test]
fn errors_of_rusts_become_belays() {
    case(|| {
        let missing = std::fs::read("/nowhere").unwrap_err();
        let error = Error::from(missing);
        assert_eq!(error.code(), Code::ENOENT);
        let error = Error::from_any("1x".parse::<i32>().unwrap_err());
        assert_eq!(
            (error.code(), error.message().into_owned().as_str()),
            (Code::EINVAL, "invalid digit found in string")
        );
        let kept = Error::with(Code::EBUSY, "mine", "busy", None, None);
        assert_eq!(Error::from_any(kept).domain(), "mine");
        assert_eq!(Code::new(7), Code::EINVAL);
        assert_eq!(
            format!("{:?} {}", Code::EAGAIN, Code::PANIC),
            "EAGAIN (-11) a closure panicked"
        );
        let boxed: Box<dyn std::error::Error> = Box::new(error);
        assert_eq!(boxed.to_string(), "invalid digit found in string (EINVAL)");
    });
}

/// An error of a program's own, with a source.
#[derive(Debug)]
struct Broken(std::num::ParseIntError);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn broken() -> Broken {
    Broken("1x".parse::<i32>().unwrap_err())
}

fn last_error<T: Value>(signal: Signal<T>) -> Error {
    signal.iter().unwrap().last().unwrap().err().unwrap()
}

#[test]
fn an_error_of_rusts_is_that_type_again_after_c() {
    case(|| {
        let number = Signal::just(1);
        let errors = [
            last_error(number.map(|_| Err::<i32, _>(broken()))),
            last_error(number.filter(|_| Err::<bool, _>(broken()))),
            last_error(number.tap(|_| Err::<(), _>(broken()))),
            last_error(number.flat_map(|_| Err::<Signal<i32>, _>(broken()))),
            last_error(Signal::<i32>::error(&Error::new(Code::EBUSY, "")).map_error(|_| broken())),
            last_error(number.map(|_| Err::<i32, _>(broken())).materialize().dematerialize()),
        ];
        for error in errors {
            assert_eq!(error.downcast_ref::<Broken>().unwrap().to_string(), "broken");
            assert!(error.downcast_ref::<std::io::Error>().is_none());
            let source = std::error::Error::source(&error).unwrap();
            assert!(source.is::<std::num::ParseIntError>());
        }
        let missing = Error::from(std::fs::read("/nowhere").unwrap_err());
        let kind = missing.downcast_ref::<std::io::Error>().unwrap().kind();
        assert_eq!(kind, std::io::ErrorKind::NotFound);
        assert_eq!(Error::from_any(Code::EBUSY), Error::from(Code::EBUSY));
        assert_eq!(Error::from_any("text").message(), "text");
        assert!(Error::from(Code::EBUSY).downcast_ref::<Broken>().is_none());
    });
}

#[test]
fn the_source_of_an_error_is_its_cause() {
    case(|| {
        let first = Error::new(Code::ENOENT, "no file");
        let second = Error::with(Code::EINVAL, "belay", "no settings", None, Some(&first));
        let error = Error::with(Code::EBUSY, "belay", "no window", None, Some(&second));
        let mut told = Vec::new();
        let mut next: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = next {
            told.push(error.to_string());
            next = error.source();
        }
        assert_eq!(told, ["no window (EBUSY)", "no settings (EINVAL)", "no file (ENOENT)"]);
        // All threads borrow the same box.
        let places: Vec<usize> = std::thread::scope(|scope| {
            let ask =
                || std::error::Error::source(&error).unwrap() as *const _ as *const () as usize;
            let threads = [scope.spawn(ask), scope.spawn(ask)];
            threads.map(|thread| thread.join().unwrap()).to_vec()
        });
        assert_eq!(places[0], places[1]);
        let raw = error.clone().into_raw();
        assert_eq!(unsafe { Error::from_raw(raw) }, Some(error));
    });
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    width: u32,
    height: u32,
}

unsafe impl belay::Struct for Extent {
    const NAME: &'static str = "size";
}

belay::value_by_struct!(Extent);

#[test]
fn structs_of_c_travel_by_content() {
    case(|| {
        let size = Extent { width: 2, height: 3 };
        assert_eq!(told(&Signal::just(size)), "Extent { width: 2, height: 3 } |");
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        struct Wide([u64; 2]);
        unsafe impl belay::Struct for Wide {
            const NAME: &'static str = "size";
        }
        let value = Dynamic::new(size);
        assert_eq!(value.kind(), Kind::Struct);
        assert_eq!(value.get_struct::<Wide>().unwrap_err().code(), Code::ERANGE);
        assert_eq!(Dynamic::new(1).get_struct::<Extent>().unwrap_err().code(), Code::EKIND);
    });
}

#[test]
fn handles_and_pointers_are_values() {
    case(|| {
        let main = belay::Loop::new().unwrap();
        let read = Dynamic::new(main.handle()).get::<belay::LoopHandle>().unwrap();
        assert_eq!(read.as_raw(), main.as_raw());
        let scheduler = belay::Scheduler::immediate();
        let read = Dynamic::new(scheduler.clone()).get::<belay::Scheduler>().unwrap();
        assert_eq!(read.as_raw(), scheduler.as_raw());
        let error = Dynamic::new(1).get::<belay::Scheduler>().unwrap_err();
        assert_eq!(error.message(), "a scheduler was expected, and is int32");
        let sent = Signal::<i32>::create(|to| {
            let read = Dynamic::new(to).get::<belay::Subscriber<i32>>().unwrap();
            let _ = (read.next(7), read.completed());
        });
        assert_eq!(told(&sent), "7 |");
        let mut place = 1;
        let pointer = Dynamic::pointer(&mut place);
        assert_eq!(pointer.as_pointer().unwrap() as *mut i32, &mut place as *mut i32);
        assert!(Dynamic::pointer(std::ptr::null_mut::<u8>()).is_null());
        assert!(Dynamic::null().as_pointer().unwrap().is_null());
        assert!(Dynamic::new(1).as_pointer().is_none());
    });
}

#[test]
fn an_iterator_that_panics_leaves_nothing() {
    case(|| {
        let texts = || {
            (0..4).map(
                |n| if n < 3 { "a text that is not kept in place".repeat(n) } else { panic!() },
            )
        };
        let signal = Signal::just(1);
        silently(|| {
            let caught = |body: fn(&Signal<i32>)| {
                let body = std::panic::AssertUnwindSafe(|| body(&signal));
                assert!(std::panic::catch_unwind(body).is_err());
            };
            assert!(std::panic::catch_unwind(|| Signal::from_values(texts())).is_err());
            caught(|one| {
                drop(Signal::merge_of((0..3).map(|n| if n < 2 { one } else { panic!() })))
            });
            caught(|one| {
                let keys = Signal::just(1);
                let cases = (0..3).map(|n| if n < 2 { (n, one) } else { panic!() });
                drop(Signal::switch_on(&keys, cases, Some(one)));
            });
        });
    });
}
