//! Loops of the program's own, without libuv.
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{case, silently};
use belay::{
    misuse_count, Code, HostLoop, HostScheduler, HostWork, LoopOptions, Scheduler, Subject,
};

const MS: Duration = Duration::from_millis(1);

/// A queue and one timer.
#[derive(Default)]
struct OwnLoop {
    work: Mutex<Vec<HostWork>>,
    timer: Mutex<Option<(Instant, HostWork)>>,
    cancelled: AtomicI32,
}

impl HostLoop for OwnLoop {
    fn schedule(&self, work: HostWork) {
        self.work.lock().unwrap().push(work);
    }
    fn after(&self, delay: Duration, work: HostWork) {
        let old = self.timer.lock().unwrap().replace((Instant::now() + delay, work));
        assert!(old.is_none());
    }
    fn cancel(&self) {
        assert!(self.timer.lock().unwrap().take().is_some());
        self.cancelled.fetch_add(1, Ordering::SeqCst);
    }
}

impl OwnLoop {
    /// Runs what has come by now, and the timer if it is due.
    fn turn(&self) {
        let work = std::mem::take(&mut *self.work.lock().unwrap());
        work.into_iter().for_each(HostWork::run);
        let mut timer = self.timer.lock().unwrap();
        if matches!(&*timer, Some((due, _)) if *due <= Instant::now()) {
            let (_, work) = timer.take().unwrap();
            drop(timer);
            work.run();
        }
    }
}

#[test]
fn a_loop_of_the_programs_own_is_a_home() {
    case(|| {
        let own = Arc::new(OwnLoop::default());
        let scheduler = HostScheduler::new(own.clone()).unwrap();
        assert_eq!(Scheduler::current().unwrap().as_raw(), scheduler.as_raw());
        let second = HostScheduler::new(OwnLoop::default()).unwrap_err();
        assert_eq!(second.code(), Code::EBOUND);
        let (numbers, home) = (Subject::<i32>::new(), thread::current().id());
        let sum = Arc::new(AtomicI32::new(0));
        let added = sum.clone();
        let subscription = numbers.subscribe(move |number| {
            assert_eq!(thread::current().id(), home);
            added.fetch_add(number, Ordering::SeqCst);
        });
        thread::spawn(move || (1..=100).for_each(|n| assert!(numbers.next(n).is_ok())))
            .join()
            .unwrap();
        assert_eq!(sum.load(Ordering::SeqCst), 0);
        own.turn();
        assert_eq!(sum.load(Ordering::SeqCst), 5050);
        drop(subscription);
        let begun = scheduler.now();
        let over = Arc::new(AtomicI32::new(0));
        let set = over.clone();
        let once = scheduler.after(MS, move || set.store(1, Ordering::SeqCst)).unwrap();
        while over.load(Ordering::SeqCst) == 0 {
            own.turn();
        }
        assert!(scheduler.now() >= begun + MS);
        drop(once);
        let hour = 3600 * MS * 1000;
        scheduler.every(hour, hour, Duration::ZERO, || ()).unwrap();
        scheduler.after(hour, || ()).unwrap().dispose();
        let left = scheduler.close().unwrap();
        assert_eq!(left.iter().map(|each| &*each.kind).collect::<Vec<_>>(), ["timer"]);
        assert!(own.timer.lock().unwrap().is_none());
        assert!(own.cancelled.load(Ordering::SeqCst) > 0);
        own.turn();
        assert_eq!(Arc::strong_count(&own), 1);
    });
}

#[test]
fn it_is_closed_once() {
    case(|| {
        let before = misuse_count();
        let own = Arc::new(OwnLoop::default());
        let scheduler = HostScheduler::new(own.clone()).unwrap();
        assert!(scheduler.close().unwrap().is_empty());
        drop(HostScheduler::new(own.clone()).unwrap());
        own.turn();
        assert_eq!(misuse_count(), before);
        assert_eq!(Arc::strong_count(&own), 1);
    });
}

#[test]
fn a_loop_that_drops_work_has_ended() {
    struct Drops;
    impl HostLoop for Drops {
        fn schedule(&self, work: HostWork) {
            drop(work);
        }
        fn after(&self, _: Duration, _: HostWork) {
            panic!("no timers");
        }
        fn cancel(&self) {}
    }
    case(|| {
        let options = LoopOptions::new().label("drops").quiet();
        let scheduler = HostScheduler::with(Drops, options).unwrap();
        drop(scheduler.schedule(|| unreachable!()));
        assert_eq!(scheduler.schedule(|| ()).unwrap_err().code(), Code::ECANCELED);
        drop(scheduler);
        // A panic loses the timer, and nothing else.
        let scheduler = HostScheduler::with(Drops, options).unwrap();
        silently(|| drop(scheduler.after(MS, || unreachable!())));
        scheduler.close().unwrap();
    });
}

#[test]
fn work_that_is_run_elsewhere_does_nothing() {
    case(|| {
        let own = Arc::new(OwnLoop::default());
        let scheduler = HostScheduler::with(own.clone(), LoopOptions::new().quiet()).unwrap();
        let ran = Arc::new(AtomicI32::new(0));
        let count = ran.clone();
        let work = scheduler.schedule(move || count.store(1, Ordering::SeqCst));
        let stolen = own.clone();
        thread::spawn(move || stolen.turn()).join().unwrap();
        assert_eq!(ran.load(Ordering::SeqCst), 0);
        drop(work);
        drop(scheduler);
        own.turn();
        assert_eq!(ran.load(Ordering::SeqCst), 0);
    });
}
