//! Owners, notices, events between owners.
use std::sync::{Arc, Mutex};

use crate::support::{case, Trace};
use belay::{Code, Disposable, Loop, Owner, Scheduler, Sent, Subject, Worker, LEVEL};

#[test]
fn the_steps_of_a_death() {
    case(|| {
        let trace = Trace::new();
        let owner = Owner::build()
            .label("view")
            .deinit(trace.note("deinit"))
            .dealloc(trace.note("dealloc"))
            .create()
            .unwrap();
        assert_eq!(owner.label(), "view");
        let into = trace.clone();
        owner.deallocating().subscribe(move |()| into.add("deallocating")).unwrap();
        let into = trace.clone();
        owner.deallocated().subscribe(move |()| into.add("deallocated")).unwrap();
        owner.add_action(trace.note("bound")).unwrap();
        owner.add(&Disposable::new(trace.note("also bound"))).unwrap();
        let into = trace.clone();
        owner.set_notice("gone", move |name| into.add(name)).unwrap();
        owner.set_notice("never", |_| panic!("it was taken back")).unwrap();
        assert_eq!(owner.notices(), ["gone", "never"]);
        owner.remove_notice("never").unwrap();
        assert_eq!(owner.remove_notice("never").unwrap_err().code(), Code::ENOENT);
        let weak = owner.downgrade();
        drop(weak.upgrade().unwrap());
        drop(owner);
        assert!(weak.upgrade().is_none());
        assert_eq!(trace.take(), "deallocating bound also bound deinit gone deallocated dealloc");
    });
}

#[test]
fn children_die_at_their_turn() {
    case(|| {
        let trace = Trace::new();
        let parent = Owner::build().deinit(trace.note("parent")).create().unwrap();
        let child = Owner::build().deinit(trace.note("child")).create().unwrap();
        let free = Owner::new();
        parent.add_child(&child).unwrap();
        parent.add_child(&free).unwrap();
        parent.remove_child(&free).unwrap();
        assert_eq!(parent.remove_child(&free).unwrap_err().code(), Code::ENOENT);
        assert_eq!(child.add_child(&parent).unwrap_err().code(), Code::EINVAL);
        assert_eq!(Owner::new().add_child(&child).unwrap_err().code(), Code::EASSIGNED);
        drop(parent);
        assert!(child.is_dying() && !free.is_dying());
        assert_eq!(trace.take(), "child parent");
        child.add_action(trace.note("at once")).unwrap();
        assert_eq!(trace.take(), "at once");
    });
}

#[test]
fn an_owner_with_a_loop_dies_there() {
    case(|| {
        let main = Loop::new().unwrap();
        let (trace, handle) = (Trace::new(), main.handle());
        let here = std::thread::current().id();
        let into = trace.clone();
        let deinit = move || into.add(std::thread::current().id() == here);
        let owner = Owner::build().at(&handle).deinit(deinit).create().unwrap();
        std::thread::spawn(move || drop(owner)).join().unwrap();
        main.run_nowait().unwrap();
        assert_eq!(trace.take(), "true");
        main.close().unwrap();
        let refused = Owner::build().at(&handle).deinit(trace.note("never")).create();
        assert!(refused.is_err());
        assert_eq!(trace.take(), "");
    });
}

#[test]
fn an_owner_with_a_scheduler_dies_at_its_home() {
    case(|| {
        let worker = Worker::new(Some("helper")).unwrap();
        let scheduler = worker.scheduler();
        let (send, receive) = std::sync::mpsc::channel();
        let deinit = move || send.send(std::thread::current().id()).unwrap();
        drop(Owner::build().on(&scheduler).deinit(deinit).create().unwrap());
        assert_ne!(receive.recv().unwrap(), std::thread::current().id());
        let refused = |owner: belay::OwnerBuilder| owner.create().map(drop).unwrap_err().code();
        let main = Loop::new().unwrap();
        let both = Owner::build().on(&scheduler).at(&main.handle()).create();
        assert_eq!(both.map(drop).unwrap_err().code(), Code::EINVAL);
        assert_eq!(refused(Owner::build().on(&Scheduler::immediate())), Code::EINVAL);
        main.close().unwrap();
        drop(worker);
        assert_eq!(refused(Owner::build().on(&scheduler)), Code::ECLOSED);
    });
}

#[test]
fn events_between_owners() {
    case(|| {
        let trace = Trace::new();
        let (watcher, source) = (Owner::new(), Owner::new());
        let watch = |name: &str, level, what: &'static str| {
            let into = trace.clone();
            let handler = move |event: &belay::OwnerEvent<'_>| {
                into.add(format!("{what}:{}:{}", event.name, event.info));
            };
            watcher.watch(&source, name, level, handler).unwrap();
        };
        watch("saved", LEVEL, "usual");
        watch("saved", LEVEL + 1, "first");
        watch("closed", LEVEL, "closed");
        assert_eq!(source.post("saved", 7), Ok(Sent::Delivered));
        assert_eq!(trace.take(), "first:saved:7 usual:saved:7");
        watcher.unwatch(&source, "saved", LEVEL).unwrap();
        assert!(watcher.unwatch(&source, "saved", LEVEL).is_err());
        source.post("saved", 8).unwrap();
        source.post("closed", ()).unwrap();
        assert_eq!(trace.take(), "first:saved:8 closed:closed:null");
        watcher.unwatch_name(&source, "saved").unwrap();
        watcher.unwatch_source(&source).unwrap();
        assert!(watcher.unwatch_all().is_err() || source.post("closed", 1).is_ok());
        assert_eq!(trace.take(), "");
    });
}

#[test]
fn a_name_with_a_nul_is_refused() {
    case(|| {
        let (source, watcher) = (Owner::new(), Owner::new());
        let is_refused = |result: belay::Result<()>| {
            assert_eq!(result.unwrap_err().code(), Code::EINVAL);
        };
        is_refused(watcher.watch(&source, "closed\0", LEVEL, |_| unreachable!()));
        is_refused(watcher.unwatch(&source, "closed\0", LEVEL));
        is_refused(watcher.unwatch_name(&source, "closed\0"));
        is_refused(source.post("closed\0", ()).map(drop));
        is_refused(source.set_notice("gone\0", |_| unreachable!()));
        is_refused(source.remove_notice("gone\0"));
        assert!(!source.responds("add\0"));
        assert!(source.notices().is_empty());
    });
}

#[test]
fn a_death_inside_a_bound_closure_waits_for_it() {
    case(|| {
        let (trace, subject) = (Trace::new(), Subject::new());
        let owner = Owner::build().deinit(trace.note("deinit")).create().unwrap();
        let held = Arc::new(Mutex::new(None));
        let (into, drops) = (trace.clone(), held.clone());
        let observing = subject.observe().next(move |_: i32| {
            let owner: Option<Owner> = drops.lock().unwrap().take();
            drop(owner);
            into.add("still here");
        });
        observing.owned_by(&owner).subscribe().unwrap();
        *held.lock().unwrap() = Some(owner);
        subject.next(1).unwrap();
        assert_eq!(trace.take(), "still here deinit");
    });
}

#[test]
fn what_ends_with_an_owner_can_be_taken_out() {
    case(|| {
        let (owner, trace) = (Owner::new(), Trace::new());
        let compound = owner.compound().unwrap();
        let key = compound.add(&Disposable::new(trace.note("taken out"))).unwrap().unwrap();
        owner.add(&Disposable::new(trace.note("bound"))).unwrap();
        compound.remove(key).unwrap();
        assert_eq!((compound.count(), trace.take()), (1, String::new()));
        let (parent, child) = (Owner::new(), owner.clone());
        parent.add_child(&child).unwrap();
        drop(parent);
        assert!(child.compound().is_none());
        assert_eq!(trace.take(), "bound");
    });
}
