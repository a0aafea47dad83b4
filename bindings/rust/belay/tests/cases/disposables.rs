//! Disposables and their containers.
use std::time::Duration;

use crate::support::{case, Dropped, Trace};
use belay::{
    Bag, Code, Compound, Disposable, RefCounted, Scheduler, Serial, SingleAssignment, Subject,
};

#[test]
fn an_action_runs_once_and_goes() {
    case(|| {
        let trace = Trace::new();
        let kept = Dropped(trace.clone(), "dropped");
        let into = trace.clone();
        let disposable = Disposable::new(move || {
            let _kept = kept;
            into.add("action");
        });
        let also = disposable.clone();
        assert!(!disposable.is_disposed());
        disposable.dispose();
        also.dispose();
        assert!(also.is_disposed());
        assert_eq!(trace.take(), "action dropped");
        // One that is never disposed of lets go of what it has.
        let kept = Dropped(trace.clone(), "dropped");
        drop(Disposable::new(move || drop(kept)));
        assert_eq!(trace.take(), "dropped");
    });
}

#[test]
fn the_kinds() {
    case(|| {
        let trace = Trace::new();
        assert!(Disposable::nop().is_disposed());
        let (a, b) = (Disposable::new(trace.note("a")), Disposable::boolean());
        Disposable::binary(&a, &b).dispose();
        assert!(b.is_disposed());

        let serial = Serial::new();
        serial.set(Some(&Disposable::new(trace.note("b")))).unwrap();
        serial.set(Some(&Disposable::new(trace.note("c")))).unwrap();
        let taken = serial.swap(None).unwrap().unwrap();
        serial.dispose();
        taken.dispose();
        serial.set(Some(&Disposable::new(trace.note("d")))).unwrap();

        let single = SingleAssignment::new();
        single.set(&Disposable::new(trace.note("e"))).unwrap();
        let second = single.set(&Disposable::new(trace.note("never"))).unwrap_err();
        assert_eq!(second.code(), Code::EASSIGNED);
        single.dispose();

        let counted = RefCounted::new(&Disposable::new(trace.note("f")));
        let dependent = counted.dependent();
        counted.dispose();
        dependent.dispose();

        let now = Scheduler::immediate();
        Disposable::scheduled(&now, &Disposable::new(trace.note("g"))).dispose();
        Scheduler::trampoline().schedule(trace.note("h")).unwrap();
        assert_eq!(trace.take(), "a b c d e f g h");
    });
}

#[test]
fn compounds_and_bags() {
    case(|| {
        let trace = Trace::new();
        let compound = Compound::new();
        let key = compound.add(&Disposable::new(trace.note("never"))).unwrap().unwrap();
        compound.add(&Disposable::new(trace.note("a"))).unwrap();
        let action = compound.add_action(trace.note("b")).unwrap();
        assert_ne!(Some(key), action);
        assert_eq!(compound.count(), 3);
        compound.remove(key).unwrap();
        assert_eq!(compound.remove(key).unwrap_err().code(), Code::ENOENT);
        assert_eq!(compound.add(&compound).unwrap_err().code(), Code::EINVAL);
        compound.dispose();
        assert_eq!(compound.add(&Disposable::new(trace.note("c"))).unwrap(), None);
        assert_eq!(trace.take(), "a b c");

        let (bag, subject) = (Bag::default(), Subject::new());
        subject.subscribe(trace.each::<i32>()).unwrap().add_to(&bag).unwrap();
        bag.add(&Disposable::new(trace.note("out"))).unwrap();
        assert_eq!(bag.count(), 2);
        subject.next(1).unwrap();
        drop(bag.clone());
        subject.next(2).unwrap();
        drop(bag);
        subject.next(3).unwrap();
        assert_eq!(trace.take(), "1 2 out");
    });
}

#[test]
fn waiting_for_oneself_is_answered() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        let serial = Serial::new();
        let (own, into) = (serial.clone(), trace.clone());
        let subscription = subject.subscribe(move |_: i32| {
            let inner = own.swap(None).unwrap().unwrap();
            let waited = inner.dispose_sync(Some(Duration::from_secs(20)));
            into.add(waited.unwrap_err().code().name());
        });
        serial.set(Some(&subscription.unwrap())).unwrap();
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "EINPROGRESS");
        assert_eq!(Disposable::boolean().dispose_sync(None), Ok(()));
    });
}
