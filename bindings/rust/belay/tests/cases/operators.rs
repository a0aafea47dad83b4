//! Each operator once or more, by family: what it makes of its types. And what holds for all of them.
mod aggregating;
mod combining;
mod creating;
mod effects;
mod filtering;
mod flattening;
mod sharing;
mod timing;
mod transforming;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

use crate::support::{case, error, told};
use belay::{Code, Error, Signal};

fn numbers() -> Signal<i64> {
    Signal::range(1, 4)
}

fn failing() -> Signal<i64> {
    Signal::range(1, 2).concat([&Signal::error(&error("none"))])
}

#[test]
fn an_error_that_a_closure_answers_keeps_all_of_its_parts() {
    case(|| {
        let mine = || Error::with(Code::EBUSY, "mine", "busy", Some(belay::Dynamic::new(7)), None);
        let one = Signal::just(1);
        for signal in [
            one.flat_map(move |_| Err::<Signal<i32>, _>(mine())),
            one.map(move |_| Err::<i32, _>(mine())),
            one.filter(move |_| Err::<bool, _>(mine())),
        ] {
            let error = signal.iter().unwrap().next().unwrap().unwrap_err();
            assert_eq!(error.domain(), "mine");
            assert_eq!(error.value().get::<i32>(), Ok(7));
        }
    });
}

#[test]
fn what_cannot_be_made_fails_with_the_reason() {
    case(|| {
        assert_eq!(told(&numbers().buffer(0)), "EINVAL");
        assert_eq!(told(&numbers().window(0).map(|_| 1)), "EINVAL");
        assert_eq!(told(&numbers().retry(0)), "EINVAL");
        let error =
            numbers().buffer(0).filter(|_| true).iter().unwrap().next().unwrap().unwrap_err();
        assert!(!error.message().is_empty());
        let not_finite = f64::NAN;
        let zero = std::time::Duration::ZERO;
        let now = belay::Scheduler::immediate();
        let backoff = numbers().retry_backoff(&now, belay::Backoff::new(zero).factor(not_finite));
        assert_eq!(told(&backoff), "EINVAL");
    });
}

#[test]
fn a_signal_is_one_for_several_who_subscribe() {
    case(|| {
        let counter = Arc::new(AtomicI64::new(0));
        let shared = counter.clone();
        let signal = numbers().map(move |n| shared.fetch_add(n, Ordering::Relaxed) + n);
        assert_eq!(told(&signal), "1 3 6 10 |");
        assert_eq!(told(&signal.clone()), "11 13 16 20 |");
        drop(signal);
        assert_eq!(Arc::strong_count(&counter), 1);
    });
}
