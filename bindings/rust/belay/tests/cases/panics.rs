//! Panics never unwind into C: they are errors.
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{case, silently, told, unhandled, Dropped, Trace};
use belay::{
    Code, Disposable, Loop, Owner, Property, Reentrancy, Signal, SourceOptions, Subject, Tap,
    Worker,
};

/// Runs a case in which panics are meant.
fn case_of_panics(body: impl FnOnce()) {
    case(|| silently(body));
}

#[test]
fn in_an_operator_it_is_the_error_event() {
    case_of_panics(|| {
        let numbers = Signal::range(1, 3);
        assert_eq!(told(&numbers.map(|n| 4 / (n - 2))), "-4 PANIC");
        assert_eq!(told(&numbers.filter(|n| *n < 2 || panic!("no"))), "1 PANIC");
        assert_eq!(told(&numbers.flat_map(|_| -> Signal<i32> { panic!("no") })), "PANIC");
        assert_eq!(told(&numbers.scan(0, |_, _| -> i64 { panic!("no") })), "PANIC");
        assert_eq!(told(&numbers.tap::<(), _>(|_| panic!("no"))), "PANIC");
        let both = Signal::<i32>::zip_with((&numbers, &numbers), |_| -> i32 { panic!("no") });
        assert_eq!(told(&both), "PANIC");
        assert_eq!(told(&Signal::<i32>::defer(|| -> Signal<i32> { panic!("no") })), "PANIC");
        assert_eq!(told(&numbers.group_by(|_| -> i32 { panic!("no") })), "PANIC");
        assert_eq!(told(&numbers.min_by(|_, _| -> bool { panic!("no") })), "PANIC");
        assert_eq!(told(&numbers.compose(|_| -> Signal<i32> { panic!("no") })), "PANIC");
        let failing = numbers.map(|_| -> belay::Result<i64> { Err(Code::EBUSY.into()) });
        assert_eq!(told(&failing.catch(|_| -> Signal<i64> { panic!("no") })), "PANIC");
        assert_eq!(told(&failing.map_error(|_| -> String { panic!("no") })), "PANIC");
    });
}

#[test]
fn its_message_is_the_errors() {
    case_of_panics(|| {
        let signal = Signal::just(7).map(|n| -> i32 { panic!("{n} is too many") });
        let error = signal.iter().unwrap().next().unwrap().unwrap_err();
        assert!(error.is_panic());
        assert_eq!(error.message(), "7 is too many");
        // A message with a NUL in it is cut there.
        let cut = Signal::just(7).map(|_| -> i32 { panic!("one\0two") });
        assert_eq!(cut.iter().unwrap().next().unwrap().unwrap_err().message(), "one");
    });
}

#[test]
fn in_next_it_ends_the_subscription_and_is_its_error() {
    case_of_panics(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        let kept = Dropped(trace.clone(), "dropped");
        let into = trace.clone();
        let subscription = subject
            .observe()
            .next(move |n: i32| {
                let _kept = &kept;
                into.add(n);
                assert!(n < 2, "no more");
            })
            .error(trace.each())
            .disposed(trace.note("disposed"))
            .subscribe()
            .unwrap();
        for n in 1..4 {
            subject.next(n).unwrap();
        }
        assert_eq!(trace.take(), "1 2 no more (PANIC) disposed dropped");
        assert!(subscription.is_disposed());
        assert_eq!(subject.count(), 0);
    });
}

#[test]
fn in_next_it_ends_a_source_that_would_not_end_by_itself() {
    case_of_panics(|| {
        let trace = Trace::new();
        let endless = Signal::repeat_value(1, None);
        let observing = endless.observe().next(|_| panic!("enough"));
        observing.error(trace.each()).subscribe().unwrap();
        // And one whose values come together.
        let observing = endless.observe().next_batch(|_| panic!("enough"));
        observing.error(trace.each()).subscribe().unwrap();
        assert_eq!(trace.take(), "enough (PANIC) enough (PANIC)");
    });
}

#[test]
fn in_next_while_a_subject_replays() {
    case_of_panics(|| {
        let trace = Trace::new();
        let subject = Subject::replay(None).unwrap();
        subject.next_batch([1, 2, 3]).unwrap();
        let into = trace.clone();
        let observing = subject.observe().next(move |n: i32| {
            into.add(n);
            panic!("enough");
        });
        let subscription = observing.error(trace.each()).subscribe().unwrap();
        assert!(subscription.is_disposed());
        subject.next(4).unwrap();
        assert_eq!(trace.take(), "1 enough (PANIC)");
    });
}

#[test]
fn in_next_entered_from_inside() {
    case_of_panics(|| {
        let options = SourceOptions::new().reentrancy(Reentrancy::DepthFirst);
        let (trace, subject) = (Trace::new(), Subject::with(options).unwrap());
        let (into, back) = (trace.clone(), subject.clone());
        let observing = subject.observe().next(move |n: i32| {
            into.add(n);
            back.next(n + 1).unwrap();
            panic!("at {n}");
        });
        observing.error(trace.each()).subscribe().unwrap();
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "1 at 1 (PANIC)");
    });
}

#[test]
fn where_nobody_handles_it_the_hook_is_called() {
    case_of_panics(|| {
        let trace = Trace::new();
        unhandled(&trace, || {
            let numbers = Signal::range(1, 1);
            numbers.subscribe(|_| panic!("no")).unwrap();
            numbers.observe().completed(|| panic!("no")).subscribe().unwrap();
            numbers.observe().disposed(|| panic!("no")).subscribe().unwrap();
            let failing = Signal::<i32>::error(&crate::support::error("none"));
            failing.observe().error(|_| panic!("no")).subscribe().unwrap();
            numbers.finally(|| panic!("no")).subscribe(drop).unwrap();
            numbers.tap_events(Tap::new().completed(|| panic!("no"))).subscribe(drop).unwrap();
            Disposable::new(|| panic!("no")).dispose();
            drop(Owner::build().deinit(|| panic!("no")).dealloc(|| panic!("no")).create().unwrap());
            let owner = Owner::new();
            owner.set_notice("end", |_| panic!("no")).unwrap();
        });
        assert_eq!(trace.take(), ["PANIC@panics.rs"; 10].join(" "));
    });
}

#[test]
fn in_work_and_posts_it_goes_to_the_hook_and_the_loop_runs_on() {
    case_of_panics(|| {
        let trace = Trace::new();
        unhandled(&trace, || {
            let main = Loop::new().unwrap();
            let scheduler = main.scheduler();
            main.handle().post(|| panic!("no")).unwrap();
            scheduler.schedule(|| panic!("no")).unwrap();
            scheduler.recursive(|_| panic!("no")).unwrap();
            let into = trace.clone();
            scheduler.schedule(move || into.add("on")).unwrap();
            main.run().unwrap();
        });
        let said = trace.take();
        assert_eq!(said.matches("PANIC@panics.rs").count(), 3, "{said}");
        assert!(said.ends_with("on"), "{said}");
    });
}

#[test]
fn in_a_producer_and_in_an_iterator() {
    case_of_panics(|| {
        let cold = Signal::<i32>::create(|subscriber| {
            subscriber.next(1).unwrap();
            if subscriber.next(2).is_ok() {
                panic!("no");
            }
        });
        assert_eq!(told(&cold), "1 2 PANIC");
        let pulled = Signal::from_iterator((0..3).map(|n| 1 / (1 - n)));
        assert_eq!(told(&pulled), "1 PANIC");
        let resource =
            Signal::<i32>::using(|| -> belay::Result<i32> { panic!("no") }, |_| Signal::just(1));
        assert_eq!(told(&resource), "PANIC");
    });
}

#[test]
fn in_a_change_of_a_property_it_goes_on_from_there() {
    case_of_panics(|| {
        let property = Property::new(1);
        let result = catch_unwind(AssertUnwindSafe(|| {
            let _ = property.modify(|_| -> i32 { panic!("changed my mind") });
        }));
        assert_eq!(*result.unwrap_err().downcast::<&str>().unwrap(), "changed my mind");
        assert_eq!(property.get().unwrap(), 1);
        let error = property.modify(|_| -> Result<i32, &str> { Err("rather not") }).unwrap_err();
        assert_eq!(error.message(), "rather not");
        property.modify(|n| n + 1).unwrap();
        assert_eq!(property.get().unwrap(), 2);
    });
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("dropped");
        }
    }
}

#[test]
fn what_a_closure_captures_may_panic_when_it_goes() {
    case_of_panics(|| {
        let subject = Subject::<i32>::new();
        let (mine, also) = (PanicsWhenDropped, PanicsWhenDropped);
        let mapped = subject.map(move |n| {
            let _mine = &mine;
            n
        });
        let subscription = mapped
            .subscribe(move |_| {
                let _also = &also;
            })
            .unwrap();
        drop(mapped);
        subscription.dispose();
        subject.next(1).unwrap();
        // A value that is dropped inside a closure that panics, too, and the payload of the panic.
        let bomb = Signal::just(1).map(|_| -> i32 { std::panic::panic_any(PanicsWhenDropped) });
        assert_eq!(told(&bomb), "PANIC");
        drop(belay::Dynamic::new(Arc::new(PanicsWhenDropped)));
    });
}

#[test]
fn an_object_may_panic_when_it_goes_and_its_owner_still_calls_dealloc() {
    case_of_panics(|| {
        let trace = Trace::new();
        unhandled(&trace, || {
            let owner = Owner::build().dealloc(trace.note("dealloc"));
            drop(owner.create_for(PanicsWhenDropped).unwrap());
            let inside = trace.clone();
            let owner = Owner::build().dealloc(move || {
                inside.add("dealloc");
                panic!("and this");
            });
            drop(owner.create_for(PanicsWhenDropped).unwrap());
        });
        let all = "PANIC@panics.rs dealloc PANIC@panics.rs dealloc PANIC@panics.rs";
        assert_eq!(trace.take(), all);
    });
}

#[test]
fn on_another_thread_it_comes_home() {
    case_of_panics(|| {
        let main = Loop::new().unwrap();
        let worker = Worker::new(Some("careless")).unwrap();
        let signal = Signal::range(1, 3).map(|n| 1 / (2 - n)).subscribe_on(&worker.scheduler());
        let error = signal.wait_last(&main, Some(Duration::from_secs(20))).unwrap_err();
        assert!(error.is_panic(), "{error:?}");
        let error = main.block_on(async { signal.last_value()?.await }).unwrap().unwrap_err();
        assert!(error.is_panic(), "{error:?}");
        drop(worker);
        main.close().unwrap();
    });
}

#[test]
fn a_poisoned_lock_says_that_a_closure_panicked() {
    case_of_panics(|| {
        let state = Arc::new(Mutex::new(0));
        let shared = state.clone();
        let signal = Signal::range(0, 2).map(move |n| {
            let mut state = shared.lock().map_err(|error| error.to_string())?;
            *state += 1;
            assert!(n < 1, "no");
            Ok::<i64, String>(n)
        });
        assert_eq!(told(&signal), "0 PANIC");
        assert_eq!(told(&signal), "EINVAL");
    });
}
