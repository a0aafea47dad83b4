//! Signals that pass between copies of the library.
use crate::support::case;
use belay::sys::belay_exchange;
use belay::{Code, Exchange, Signal, Subject};

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
