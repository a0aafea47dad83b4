//! Signals that are made of something.
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use crate::support::{case, error, told};
use belay::{Error, Signal};

#[test]
fn creating() {
    case(|| {
        assert_eq!(told(&Signal::just(1)), "1 |");
        assert_eq!(told(&Signal::from_values(vec![1, 2])), "1 2 |");
        assert_eq!(told(&Signal::<i32>::empty()), "|");
        assert_eq!(told(&Signal::<i32>::never()), "EAGAIN");
        assert_eq!(told(&Signal::<i32>::error(&error("none"))), "ENOENT");
        assert_eq!(told(&Signal::from_optional(None::<i32>)), "|");
        assert_eq!(told(&Signal::from_optional(Some(1))), "1 |");
        // The null value is a value.
        assert_eq!(told(&Signal::from_optional(Some(()))), "() |");
        assert_eq!(told(&Signal::from_optional(Some(None::<i32>))), "None |");
        assert_eq!(told(&Signal::from_result("7".parse::<i32>())), "7 |");
        assert_eq!(told(&Signal::from_result("x".parse::<i32>())), "EINVAL");
        assert_eq!(told(&Signal::repeat_value(1, Some(3))), "1 1 1 |");
        assert_eq!(told(&Signal::repeat_value(1, Some(0))), "|");
        assert_eq!(told(&Signal::repeat_value(1, None).take(2)), "1 1 |");
        let powers = Signal::generate(1, |n| *n < 100, |n| n * 3, |n| Ok::<_, Error>(n * 10));
        assert_eq!(told(&powers), "10 30 90 270 810 |");
        let made = Arc::new(AtomicU32::new(0));
        let make = made.clone();
        let deferred = Signal::defer(move || Signal::just(make.fetch_add(1, Ordering::Relaxed)));
        assert_eq!((told(&deferred), told(&deferred)), ("0 |".into(), "1 |".into()));
        let failed = Signal::<i32>::defer(|| Err::<Signal<i32>, _>(error("not made")));
        assert_eq!(told(&failed), "ENOENT");
        let letters = Signal::from_iterator("ab".chars().map(String::from).collect::<Vec<_>>());
        assert_eq!(
            (told(&letters), told(&letters)),
            ("\"a\" \"b\" |".into(), "\"a\" \"b\" |".into())
        );
        assert_eq!(told(&Signal::from_iterator(["1", "x"].map(str::parse::<u8>))), "1 EINVAL");
        assert_eq!(told(&Signal::<i32>::pull(|| Ok(None))), "|");
        let now = belay::Scheduler::immediate();
        assert_eq!(told(&Signal::start(&now, || 7)), "7 |");
        let eager = Signal::start_eagerly(&now, || "7".parse::<i32>());
        assert_eq!((told(&eager), told(&eager)), ("7 |".into(), "7 |".into()));
        let far = Signal::range(i64::MAX, 3);
        assert_eq!(told(&far), "ERANGE");
    });
}
