//! Threads: what is sent between them, where closures run, what stays.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crate::support::{case, silently, told, Trace};
use belay::{
    Code, Disposable, Dynamic, Error, Local, Loop, LoopHandle, LoopOptions, Owner, Property,
    Scheduler, Sent, Signal, SourceOptions, Subject, Subscriber, Values, Worker, WorkerOptions,
};

const LONG: Option<Duration> = Some(Duration::from_secs(20));

#[test]
fn handles_values_and_closures_may_go_anywhere() {
    fn anywhere<T: Send + Sync>() {}
    anywhere::<Signal<String>>();
    anywhere::<Subject<Arc<AtomicUsize>>>();
    anywhere::<Subscriber<i32>>();
    anywhere::<Disposable>();
    anywhere::<Dynamic>();
    anywhere::<Error>();
    anywhere::<Owner>();
    anywhere::<LoopHandle>();
    anywhere::<Scheduler>();
    anywhere::<Worker>();
    anywhere::<Property<i32>>();
    anywhere::<Values<String>>();
    anywhere::<Local<*mut ()>>();
    anywhere::<belay::Interface<*mut ()>>();
    anywhere::<belay::ObjectType<*mut ()>>();
    anywhere::<belay::Association<String>>();
}

/// Does not compile for a type that implements the trait: then there are two to choose from.
macro_rules! is_not {
    ($type:ty: $trait:path) => {
        const _: fn() = || {
            trait Either<Which> {
                fn one() {}
            }
            struct If;
            impl<T: ?Sized> Either<()> for T {}
            impl<T: ?Sized + $trait> Either<If> for T {}
            let _ = <$type as Either<_>>::one;
        };
    };
}

is_not!(Loop: Send);
is_not!(Loop: Sync);
is_not!(belay::VirtualScheduler: Send);
is_not!(belay::VirtualScheduler: Sync);
is_not!(belay::Marbles: Send);
is_not!(belay::Marbles: Sync);
is_not!(belay::Association<std::rc::Rc<i32>>: Sync);
is_not!(belay::Association<std::cell::Cell<i32>>: Sync);
is_not!(belay::Side<'static, i32>: Send);
is_not!(std::rc::Rc<i32>: belay::Value);
is_not!(Arc<std::cell::Cell<i32>>: belay::Value);
is_not!(*mut u8: belay::Value);
is_not!(&'static str: belay::Value);

/// A loop's thread, with a subject at home there.
fn at_home<R>(body: impl FnOnce(&Subject<i32>, &LoopHandle, ThreadId) -> R) -> R {
    let (send, receive) = channel();
    let runner = thread::spawn(move || {
        let main = Loop::with(LoopOptions::new().persistent()).unwrap();
        let subject = Subject::new();
        send.send((subject, main.handle())).unwrap();
        drop(send);
        main.run().unwrap();
        main.close().unwrap();
    });
    let (subject, handle) = receive.recv().unwrap();
    let id = runner.thread().id();
    let result = body(&subject, &handle, id);
    handle.stop().unwrap();
    runner.join().unwrap();
    result
}

#[test]
fn what_is_sent_elsewhere_is_delivered_at_home() {
    case(|| {
        at_home(|subject, handle, home| {
            let (send, receive) = channel();
            let send = Mutex::new(send);
            let observing = subject.map(|n| n + 1).cast::<i32>();
            let subscription = observing
                .observe()
                .next(move |n| {
                    send.lock().unwrap().send((n, thread::current().id())).unwrap();
                })
                .at(handle)
                .subscribe()
                .unwrap();
            assert_eq!(subject.next(1), Ok(Sent::Queued));
            assert_eq!(receive.recv_timeout(LONG.unwrap()).unwrap(), (2, home));
            subscription.dispose_sync(LONG).unwrap();
            subject.next(2).unwrap();
            // The closure has gone, and what it had.
            assert!(receive.recv().is_err());
        });
    });
}

#[test]
fn several_send_and_one_is_called_one_at_a_time() {
    case(|| {
        at_home(|subject, handle, _| {
            let (seen, inside) = (Arc::new(AtomicUsize::new(0)), AtomicBool::new(false));
            let count = seen.clone();
            // It would not compile were it not FnMut, nor hold were it called twice at once.
            let mut sum = 0;
            let observing = subject.observe().next(move |n: i32| {
                assert!(!inside.swap(true, Ordering::SeqCst));
                sum += n;
                count.store(sum as usize, Ordering::SeqCst);
                inside.store(false, Ordering::SeqCst);
            });
            let subscription = observing.at(handle).subscribe().unwrap();
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..500 {
                            while let Err(error) = subject.next(1) {
                                assert_eq!(error.code(), Code::EAGAIN);
                                thread::yield_now();
                            }
                        }
                    });
                }
            });
            while seen.load(Ordering::SeqCst) < 2000 {
                thread::yield_now();
            }
            subscription.dispose_sync(LONG).unwrap();
        });
    });
}

#[test]
fn a_signal_is_subscribed_to_on_several_threads_at_once() {
    case(|| {
        let calls = Arc::new(AtomicUsize::new(0));
        let count = calls.clone();
        let signal = Signal::range(0, 500).map(move |n| {
            count.fetch_add(1, Ordering::Relaxed);
            n.to_string()
        });
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!(signal.iter().unwrap().count(), 500);
                    }
                });
            }
        });
        assert_eq!(calls.load(Ordering::Relaxed), 4 * 20 * 500);
    });
}

#[test]
fn a_home_without_a_loop_refuses_what_comes_from_elsewhere() {
    case(|| {
        let subject = Subject::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                assert_eq!(subject.next(1).unwrap_err().code(), Code::ENOHOME);
                assert_eq!(subject.subscribe(drop).map(drop).unwrap_err().code(), Code::ENOHOME);
            });
        });
        let shared = Subject::with(SourceOptions::new().shared()).unwrap();
        let trace = Trace::new();
        let subscription = shared.subscribe(trace.each::<i32>()).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| assert_eq!(shared.next(1), Ok(Sent::Delivered)));
        });
        assert_eq!(trace.take(), "1");
        subscription.dispose();
    });
}

#[test]
fn workers_and_pools_run_what_is_above_and_below() {
    case(|| {
        let main = Loop::new().unwrap();
        let worker = Worker::new(None).unwrap();
        let here = thread::current().id();
        let where_it_is = |signal: Signal<i64>| signal.map(move |_| thread::current().id() == here);
        let above = where_it_is(Signal::just(1)).subscribe_on(&worker.scheduler());
        let both = above.map(move |elsewhere| (elsewhere, thread::current().id() == here));
        assert_eq!(both.wait_first(&main, LONG), Ok((false, true)));
        let pool = Scheduler::pool(&main).unwrap();
        let started = Signal::start(&pool, move || thread::current().id() == here);
        assert_eq!(started.wait_first(&main, LONG), Ok(false));
        // Below observe_on it is the worker's thread, which is no loop of this one's.
        let (send, receive) = channel();
        let send = Mutex::new(send);
        let below = Signal::range(1, 3).observe_on(&worker.scheduler());
        below
            .observe()
            .next(move |n| {
                let is_here = thread::current().id() == here;
                send.lock().unwrap().send((n, is_here)).unwrap();
            })
            .subscribe()
            .unwrap();
        let said: Vec<_> = receive.iter().collect();
        assert_eq!(said, [(1, false), (2, false), (3, false)]);
        assert!(worker.scheduler().queue_high_water() > 0);
        let also = Scheduler::subscription(&worker.scheduler()).unwrap();
        assert_eq!(Signal::just(7).subscribe_on(&also).wait_first(&main, LONG), Ok(7));
        let refused = worker.scheduler();
        drop(worker);
        assert_eq!(refused.schedule(|| ()).map(drop).unwrap_err().code(), Code::ECANCELED);
        drop(pool);
        main.close().unwrap();
    });
}

#[test]
fn a_worker_has_options() {
    case(|| {
        let options = WorkerOptions::new().label("helper").capacity(2).priority(19);
        let worker = Worker::with(options).unwrap();
        let scheduler = worker.scheduler();
        let ((runs, running), (go, going)) = (channel(), channel::<()>());
        let work = scheduler.schedule(move || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            runs.send(stat).unwrap();
            let _ = going.recv();
        });
        let stat = running.recv().unwrap();
        assert!(stat.contains("(helper)"), "{stat}");
        // Behind the name, the nice value is the 17th.
        assert_eq!(stat.rsplit(')').next().unwrap().split_whitespace().nth(16), Some("19"));
        let waiting: Vec<_> = (0..2).map(|_| scheduler.schedule(|| ()).unwrap()).collect();
        assert_eq!(scheduler.schedule(|| ()).map(drop).unwrap_err().code(), Code::EAGAIN);
        waiting.iter().for_each(|each| each.dispose());
        drop((work, go));
    });
}

#[test]
fn posts_come_in_order_and_a_closed_loop_refuses_them() {
    case(|| {
        let main = Loop::with(LoopOptions::new().capacity(3).label("main")).unwrap();
        let (trace, handle) = (Trace::new(), main.handle());
        let into = trace.clone();
        let from_elsewhere = handle.clone();
        thread::spawn(move || {
            for n in 0..3 {
                let into = into.clone();
                from_elsewhere.post(move || into.add(n)).unwrap();
            }
            let refused = from_elsewhere.post(|| ()).unwrap_err();
            assert_eq!(refused.code(), Code::EAGAIN);
        })
        .join()
        .unwrap();
        main.run_nowait().unwrap();
        assert_eq!(trace.take(), "0 1 2");
        assert_eq!(handle.queue_high_water(), 3);
        main.close().unwrap();
        assert_eq!(handle.post(|| ()).unwrap_err().code(), Code::ECANCELED);
        // The last reference may go anywhere.
        thread::spawn(move || drop(handle)).join().unwrap();
    });
}

#[test]
fn senders_wait_for_room() {
    case(|| {
        let main = Loop::with(LoopOptions::new().capacity(2)).unwrap();
        let (trace, subject) = (Trace::new(), Subject::new());
        let seen = Arc::new(AtomicUsize::new(0));
        let count = seen.clone();
        let subscription = subject
            .observe()
            .next(move |n: i32| assert_eq!(count.fetch_add(1, Ordering::SeqCst), n as usize))
            .subscribe()
            .unwrap();
        let late: Subject<i32> = Subject::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                for n in 0..100 {
                    assert_eq!(subject.next_wait(n, None), Ok(Sent::Queued));
                }
            });
            while seen.load(Ordering::SeqCst) < 100 {
                main.run_nowait().unwrap();
            }
        });
        let code = |it: belay::Result<Sent>| it.unwrap_err().code();
        let full = |n: i32| {
            for _ in 0..2 {
                late.next_wait(n, LONG).unwrap();
            }
            trace.add(format!("{:?}", code(late.next_wait(n, Some(Duration::new(0, 0))))));
        };
        thread::scope(|scope| drop(scope.spawn(|| full(1)).join()));
        thread::scope(|scope| {
            scope.spawn(|| {
                let own = Loop::new().unwrap();
                trace.add(format!("{:?}", code(late.next_wait(2, None))));
                own.close().unwrap();
            });
        });
        assert_eq!(trace.take(), format!("{:?} {:?}", Code::ETIMEDOUT, Code::EDEADLK));
        main.run_nowait().unwrap();
        drop((subscription, late));
        main.close().unwrap();
    });
}

#[test]
fn a_loop_moves_with_what_lives_there() {
    case(|| {
        let main = Loop::new().unwrap();
        let trace = Trace::new();
        let scheduler = main.scheduler();
        let elsewhere = trace.clone();
        let here = thread::current().id();
        let ticks = Signal::timer(&scheduler, Duration::from_millis(1));
        ticks.subscribe(move |_| elsewhere.add(thread::current().id() == here)).unwrap();
        let unbound = main.unbind();
        thread::spawn(move || {
            // The thread that had it waits for this one.
            let main = unsafe { unbound.bind() }.unwrap();
            main.run().unwrap();
            drop(main);
        })
        .join()
        .unwrap();
        assert_eq!(trace.take(), "false");
        drop((ticks, scheduler));
        // This thread is free for another.
        assert!(LoopHandle::current().is_none());
        drop(Loop::new().unwrap());
    });
}

#[test]
fn a_loop_that_is_not_bound_again_is_closed() {
    /// What lives as long as a subscription at a loop, which it makes and unbinds.
    fn unbound(kept: &Arc<()>) -> belay::Unbound {
        let (main, kept) = (Loop::new().unwrap(), kept.clone());
        let ticks = Signal::timer(&main.scheduler(), Duration::from_secs(3600));
        ticks.subscribe(move |_| drop(kept.clone())).unwrap();
        main.unbind()
    }
    case(|| {
        let kept = Arc::new(());
        drop(unbound(&kept));
        assert_eq!(Arc::strong_count(&kept), 1);
        // Its thread has ended.
        let elsewhere = kept.clone();
        let made = thread::spawn(move || unbound(&elsewhere)).join().unwrap();
        assert_eq!(Arc::strong_count(&kept), 2);
        drop(made);
        assert_eq!(Arc::strong_count(&kept), 1);
        // This thread has another.
        let other = Loop::new().unwrap();
        let elsewhere = kept.clone();
        let made = thread::spawn(move || unbound(&elsewhere)).join().unwrap();
        assert_eq!(unsafe { made.bind() }.unwrap_err().code(), Code::EBOUND);
        assert_eq!(Arc::strong_count(&kept), 1);
        drop(other);
    });
}

#[test]
fn a_local_is_out_of_reach_elsewhere() {
    case(|| {
        let count = std::rc::Rc::new(std::cell::Cell::new(0));
        let mine = Arc::new(Local::new(count.clone()));
        let also = mine.clone();
        let signal = Signal::just(1).map(move |n| {
            also.get().set(also.get().get() + n);
            n
        });
        assert_eq!(told(&signal), "1 |");
        silently(|| {
            thread::scope(|scope| {
                scope.spawn(|| {
                    assert_eq!(told(&signal), "PANIC");
                    assert_eq!(mine.try_get().unwrap_err().code(), Code::EWRONGTHREAD);
                });
            });
        });
        assert_eq!(count.get(), 1);
        drop((signal, mine));
        assert_eq!(std::rc::Rc::strong_count(&count), 1);
        // Dropped elsewhere it is leaked.
        let lost = Local::new(count.clone());
        thread::spawn(move || drop(lost)).join().unwrap();
        assert_eq!(std::rc::Rc::strong_count(&count), 2);
    });
}

#[test]
fn a_subscriber_sends_from_another_thread() {
    case(|| {
        let main = Loop::new().unwrap();
        let signal = Signal::create(|subscriber: Subscriber<i32>| {
            let sender = thread::spawn(move || {
                for n in 0..3 {
                    subscriber.next(n).unwrap();
                }
                subscriber.completed().unwrap();
            });
            Disposable::new(move || sender.join().unwrap())
        });
        let all: belay::Result<Vec<i32>> = {
            let far = main.scheduler().after(LONG.unwrap(), || ()).unwrap().scoped();
            let all = signal.iter_blocking(&main).unwrap().collect();
            drop(far);
            all
        };
        assert_eq!(all.unwrap(), [0, 1, 2]);
        main.close().unwrap();
    });
}

#[test]
fn disposal_races_emission() {
    case(|| {
        at_home(|subject, handle, _| {
            for _ in 0..200 {
                let freed = Arc::new(AtomicBool::new(false));
                struct Sets(Arc<AtomicBool>);
                impl Drop for Sets {
                    fn drop(&mut self) {
                        self.0.store(true, Ordering::SeqCst);
                    }
                }
                let sets = Sets(freed.clone());
                let observing = subject.observe().next(move |_| {
                    assert!(!sets.0.load(Ordering::SeqCst));
                });
                let subscription = observing.at(handle).subscribe().unwrap();
                subject.next(1).unwrap();
                subscription.dispose_sync(LONG).unwrap();
                assert!(freed.load(Ordering::SeqCst));
            }
        });
    });
}
