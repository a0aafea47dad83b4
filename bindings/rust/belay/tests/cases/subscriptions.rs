//! Subscribing: order, ends, what is captured, what is sent from inside.
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{case, error, told, unhandled, Dropped, Trace};
use belay::{
    BehaviorSubject, Code, Disposable, Live, Overlap, Owner, Reentrancy, Sent, Signal,
    SourceOptions, Subject,
};

fn depth_first<T: belay::Value>() -> Subject<T> {
    Subject::with(SourceOptions::new().reentrancy(Reentrancy::DepthFirst)).unwrap()
}

#[test]
fn values_then_the_end_then_disposed_then_the_closures_go() {
    case(|| {
        let trace = Trace::new();
        let kept = Dropped(trace.clone(), "dropped");
        let values = trace.each();
        let subscription = Signal::range(1, 2)
            .observe()
            .next(move |n| {
                let _kept = &kept;
                values(n);
            })
            .completed(trace.note("completed"))
            .disposed(trace.note("disposed"))
            .subscribe()
            .unwrap();
        assert_eq!(trace.take(), "1 2 completed disposed dropped");
        assert!(subscription.is_disposed());
    });
}

#[test]
fn an_error_has_its_parts() {
    case(|| {
        let trace = Trace::new();
        let cause = error("cause");
        let value = belay::Dynamic::new(7);
        let made =
            belay::Error::with(Code::ERANGE, "maps", "no such place", Some(value), Some(&cause));
        let into = trace.clone();
        Signal::<i32>::error(&made)
            .observe()
            .error(move |error| {
                into.add(error.domain());
                into.add(error.message());
                into.add(error.value());
                into.add(error.cause().unwrap());
            })
            .subscribe()
            .unwrap();
        assert_eq!(trace.take(), "maps no such place 7 cause (ENOENT)");
    });
}

#[test]
fn a_dropped_handle_ends_nothing_and_a_scoped_one_does() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        drop(subject.subscribe(trace.each::<i32>()).unwrap());
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "1");
        {
            let _guard = subject.subscribe(trace.each()).unwrap().scoped();
            subject.next(2).unwrap();
        }
        subject.next(3).unwrap();
        assert_eq!(trace.take(), "2 2 3");
        let kept = subject.subscribe(trace.each()).unwrap().scoped().keep();
        subject.next(4).unwrap();
        assert_eq!(trace.take(), "4 4");
        kept.dispose();
        let shared = subject.subscribe(trace.each()).unwrap().scoped().shared();
        drop(shared.clone());
        subject.next(5).unwrap();
        drop(shared);
        subject.next(6).unwrap();
        assert_eq!(trace.take(), "5 5 6");
    });
}

#[test]
fn disposed_from_inside_next_is_over_at_once() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        let own: Arc<Mutex<Option<Disposable>>> = Arc::default();
        let (mine, into) = (own.clone(), trace.clone());
        let kept = Dropped(trace.clone(), "dropped");
        let subscription = subject
            .observe()
            .next(move |n: i32| {
                let _kept = &kept;
                into.add(n);
                mine.lock().unwrap().take().unwrap().dispose();
                into.add("still here");
            })
            .disposed(trace.note("disposed"))
            .subscribe()
            .unwrap();
        *own.lock().unwrap() = Some(subscription);
        subject.next(1).unwrap();
        subject.next(2).unwrap();
        assert_eq!(trace.take(), "1 disposed still here dropped");
    });
}

#[test]
fn what_a_depth_first_subject_sends_from_inside_waits_for_next_to_return() {
    case(|| {
        let (trace, subject) = (Trace::new(), depth_first());
        let (into, back) = (trace.clone(), subject.clone());
        let mut calls = 0;
        subject
            .observe()
            .next(move |n: i32| {
                // A closure that is called one at a time may change what it captures.
                calls += 1;
                into.add(format!("<{n}/{calls}"));
                if n < 3 {
                    assert_eq!(back.next(n + 1), Ok(Sent::Delivered));
                } else {
                    back.completed().unwrap();
                }
                into.add(">");
            })
            .completed(trace.note("completed"))
            .disposed(trace.note("disposed"))
            .subscribe()
            .unwrap();
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "<1/1 > <2/2 > <3/3 > completed disposed");
    });
}

#[test]
fn what_waits_is_dropped_when_it_is_disposed_from_inside() {
    case(|| {
        let (trace, subject) = (Trace::new(), depth_first());
        let own: Arc<Mutex<Option<Disposable>>> = Arc::default();
        let (mine, into, back) = (own.clone(), trace.clone(), subject.clone());
        let subscription = subject.subscribe(move |n: i32| {
            into.add(n);
            back.next(n + 1).unwrap();
            mine.lock().unwrap().take().unwrap().dispose();
        });
        *own.lock().unwrap() = Some(subscription.unwrap());
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "1");
    });
}

#[test]
fn by_default_what_is_sent_from_inside_is_queued() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        let (into, back) = (trace.clone(), subject.clone());
        let subscription = subject.subscribe(move |n: i32| {
            into.add(n);
            if n < 3 {
                assert_eq!(back.next(n + 1), Ok(Sent::Queued));
            }
        });
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "1 2 3");
        // The closure has the subject that has the closure.
        subscription.unwrap().dispose();
    });
}

#[test]
fn a_signal_is_named() {
    case(|| {
        let trace = Trace::new();
        let subject: Subject<i32> = Subject::new();
        let before = subject.name();
        let named = subject.map(|n| n + 1).named("prices");
        assert_eq!(named.name(), "prices");
        assert_eq!(named.clone().name(), "prices");
        assert_eq!(named.filter(|n| *n > 1).name(), "prices.filter");
        assert_eq!(subject.name(), before);
        let into = trace.clone();
        let subscription = named.subscribe(move |n| into.add(n)).unwrap();
        subject.next(1).unwrap();
        subject.next(2).unwrap();
        assert_eq!(trace.take(), "2 3");
        subscription.dispose();
    });
}

#[test]
fn kinds_of_live_things_have_names() {
    assert_eq!(Live::Subscriptions.name(), "subscriptions");
    assert_eq!(Live::Classes.name(), "classes");
    assert_eq!(Live::All.name(), "all");
}

#[test]
fn a_rejecting_subject_and_one_that_has_ended_say_so() {
    case(|| {
        let options = SourceOptions::new().reentrancy(Reentrancy::Reject).label("picky");
        let subject = Subject::with(options).unwrap();
        assert_eq!(subject.name(), "picky");
        let back = subject.clone();
        let subscription = subject
            .subscribe(move |n: i32| {
                assert_eq!(back.next(n).unwrap_err().code(), Code::EREENTRANT);
            })
            .unwrap();
        subject.next(1).unwrap();
        subscription.dispose();
        subject.error(&error("over")).unwrap();
        assert_eq!(subject.next(2).unwrap_err().code(), Code::EENDED);
        assert_eq!(told(&subject), "ENOENT");
    });
}

#[test]
fn batches_come_together_and_one_by_one() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        let into = trace.clone();
        let together = subject.observe().next_batch(move |values| into.add(format!("{values:?}")));
        together.subscribe().unwrap();
        subject.subscribe(trace.each::<i32>()).unwrap();
        subject.next_batch([1, 2, 3]).unwrap();
        subject.next(4).unwrap();
        subject.completed().unwrap();
        let mut said: Vec<String> = trace.take().split(' ').map(String::from).collect();
        said.sort();
        assert_eq!(said.join(" "), "1 2 2, 3 3] 4 [1, [4]");
        let sizes: Arc<Mutex<Vec<usize>>> = Arc::default();
        let into = sizes.clone();
        let batch = Signal::range(0, 300);
        let batch = batch.observe();
        batch
            .next_batch(move |values| into.lock().unwrap().push(values.len()))
            .subscribe()
            .unwrap();
        assert_eq!(*sizes.lock().unwrap(), [256, 44]);
    });
}

#[test]
fn subjects_remember_what_is_their_kinds() {
    case(|| {
        let now = BehaviorSubject::new("a".to_string());
        now.next("b").unwrap();
        assert_eq!(now.value().unwrap(), "b");
        assert_eq!(told(&now.take(1)), "\"b\" |");

        let replay = Subject::replay(2).unwrap();
        replay.next_batch([1, 2, 3]).unwrap();
        replay.completed().unwrap();
        assert_eq!(told(&replay), "2 3 |");

        let last = Subject::last_only();
        last.next_batch([1, 2]).unwrap();
        last.completed().unwrap();
        assert_eq!(told(&last), "2 |");
    });
}

#[test]
fn the_last_clone_of_a_subject_interrupts() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::<i32>::new());
        let observing = subject.observe().completed(trace.note("completed"));
        observing.disposed(trace.note("disposed")).subscribe().unwrap();
        drop(subject.clone());
        assert_eq!(trace.take(), "");
        drop(subject);
        assert_eq!(trace.take(), "disposed");
    });
}

#[test]
fn an_error_that_nobody_handles_goes_to_the_hook_with_its_place() {
    case(|| {
        let trace = Trace::new();
        unhandled(&trace, || {
            Signal::<i32>::error(&error("lost")).subscribe(drop).unwrap();
        });
        assert_eq!(trace.take(), "ENOENT@subscriptions.rs");
    });
}

#[test]
fn overlaps_are_told_once() {
    case(|| {
        let trace = Trace::new();
        let subject = Subject::with(SourceOptions::new().label("fed")).unwrap();
        let (into, seen) = (subject.clone(), trace.clone());
        let fed = subject
            .take(3)
            .subscribe(move |n: i32| {
                into.next(n + 1).unwrap();
            })
            .unwrap();
        let hook = move |it: &Overlap<'_>| {
            assert!(belay::delivery_stack().starts_with("fed.take subscribed at "));
            seen.add(format!("{:?} {} {}", it.kind, it.source, it.sender));
        };
        belay::on_overlap(Some(hook)).unwrap();
        subject.next(0).unwrap();
        belay::on_overlap(None::<fn(&Overlap<'_>)>).unwrap();
        assert_eq!(trace.take(), "Nested fed fed.take");
        drop(fed);
    });
}

#[test]
fn slow_callbacks_are_told() {
    case(|| {
        let trace = Trace::new();
        let subject = Subject::with(SourceOptions::new().label("numbers")).unwrap();
        let heard = subject.take(3).subscribe(|_: i32| {}).unwrap();
        let seen = trace.clone();
        let hook = move |_: Duration, name: &str| seen.add(name);
        belay::on_slow_callback(Duration::ZERO, Some(hook.clone())).unwrap();
        subject.next(0).unwrap();
        belay::on_slow_callback(Duration::from_secs(3600), Some(hook)).unwrap();
        subject.next(0).unwrap();
        belay::on_slow_callback(Duration::ZERO, None::<fn(Duration, &str)>).unwrap();
        assert_eq!(trace.take(), "numbers.take");
        drop(heard);
    });
}

#[test]
fn a_producer_sends_later_and_is_torn_down() {
    case(|| {
        let trace = Trace::new();
        let kept: Arc<Mutex<Option<belay::Subscriber<i32>>>> = Arc::default();
        let (store, into) = (kept.clone(), trace.clone());
        let signal = Signal::create(move |subscriber| {
            subscriber.next(1).unwrap();
            *store.lock().unwrap() = Some(subscriber);
            Disposable::new(into.note("torn down"))
        });
        let subscription = signal.subscribe(trace.each()).unwrap();
        let subscriber = kept.lock().unwrap().take().unwrap();
        subscriber.next(2).unwrap();
        subscriber.next_batch([3, 4]).unwrap();
        subscriber.add(&Disposable::new(trace.note("and this"))).unwrap();
        assert!(!subscriber.is_disposed());
        subscription.dispose();
        assert!(subscriber.is_disposed());
        assert_eq!(subscriber.next(5).unwrap_err().code(), Code::EENDED);
        let said = trace.take();
        assert!(said.starts_with("1 2 3 4 ") && said.contains("torn down"), "{said}");
        assert!(said.contains("and this"), "{said}");
    });
}

#[test]
fn a_subscriber_that_is_dropped_interrupts() {
    case(|| {
        let trace = Trace::new();
        let signal = Signal::<i32>::create(drop);
        let observing = signal.observe().completed(trace.note("completed"));
        observing.disposed(trace.note("disposed")).subscribe().unwrap();
        assert_eq!(trace.take(), "disposed");
    });
}

#[test]
fn an_owner_ends_it_and_a_dying_one_lets_it_not_begin() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::<i32>::new());
        let owner = Owner::new();
        let observe = |owner: &Owner| {
            let observing = subject.observe().next(trace.each()).disposed(trace.note("disposed"));
            observing.owned_by(owner).label("owned").subscribe().unwrap()
        };
        let subscription = observe(&owner);
        subject.next(1).unwrap();
        let (weak, into) = (owner.downgrade(), trace.clone());
        owner.deallocating().subscribe(move |()| into.add(weak.upgrade().is_none())).unwrap();
        drop(owner);
        assert!(subscription.is_disposed());
        subject.next(2).unwrap();
        assert_eq!(trace.take(), "1 true disposed");
    });
}

#[test]
fn handles_of_c_are_lent_given_and_taken() {
    case(|| {
        let subject = Subject::<i32>::new();
        let again = unsafe { Signal::<i32>::retaining(subject.as_raw()) }.unwrap();
        assert_eq!(again.as_raw(), subject.as_raw());
        let trace = Trace::new();
        again.subscribe(trace.each()).unwrap();
        drop(again);
        let raw = subject.into_raw();
        let subject = unsafe { Subject::<i32>::from_raw(raw) }.unwrap();
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "1");
        assert!(unsafe { Subject::<i32>::from_raw(std::ptr::null_mut()) }.is_none());
        assert!(unsafe { Signal::<i32>::retaining(std::ptr::null_mut()) }.is_none());
    });
}
