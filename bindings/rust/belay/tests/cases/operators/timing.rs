//! Time, under virtual time: marbles. And where events are delivered.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{case, Trace};
use belay::{Backoff, Marbles, QueueOptions, QueuePolicy, Signal, Throttle, VirtualScheduler};

const MS: Duration = Duration::from_millis(1);

/// What an operator makes of a diagram.
fn makes(diagram: &str, expected: &str, make: impl Fn(&Signal<i32>, &Marbles) -> Signal<i32>) {
    // All of it stays on this thread.
    let mut test = unsafe { Marbles::new() };
    let source = test.cold::<i32>(diagram).unwrap();
    let made = make(&source, &test);
    test.expect(&made, None, expected).unwrap();
    if let Err(error) = test.run() {
        panic!("{error}");
    }
}

#[test]
fn operators_of_time() {
    case(|| {
        makes("12--3---|", "---2--3-|", |s, t| s.debounce(&t.scheduler(), 2 * MS));
        makes("12--3---|", "1--2--3-|", |s, t| s.debounce_if(&t.scheduler(), 2 * MS, |n| *n > 1));
        makes("123---|", "1-----|", |s, t| s.throttle(&t.scheduler(), 4 * MS));
        makes("123---|", "----3-|", |s, t| {
            s.throttle_with(&t.scheduler(), 4 * MS, Throttle::Trailing)
        });
        makes("123---|", "1---3-|", |s, t| s.throttle_with(&t.scheduler(), 4 * MS, Throttle::Both));
        makes("123---|", "---3--|", |s, t| s.audit(&t.scheduler(), 3 * MS));
        makes("1-2--|", "---2-|", |s, t| s.sample_time(&t.scheduler(), 3 * MS));
        makes("1-2--|", "---2-|", |s, t| s.sample(&t.cold::<i32>("---1").unwrap()));
        makes("1-2|", "--1-2|", |s, t| s.delay(&t.scheduler(), 2 * MS));
        makes("1-2|", "--1-2|", |s, t| s.delay_subscription(&t.scheduler(), 2 * MS));
        makes("1----|", "1--#", |s, t| s.timeout(&t.scheduler(), 3 * MS));
        makes("1----|", "1--(9|)", |s, t| s.timeout_to(&t.scheduler(), 3 * MS, &Signal::just(9)));
        makes("1-2-3|", "1-2|", |s, t| s.take_for(&t.scheduler(), 3 * MS));
        makes("1-2-3|", "----3|", |s, t| s.skip_for(&t.scheduler(), 3 * MS));
        makes("1-2-3|", "--2-3|", |s, t| s.skip_until(&t.cold::<i32>("-1").unwrap()));
        makes("1-2-3|", "1|", |s, t| s.take_until(&t.cold::<i32>("-1").unwrap()));
        let held = |s: &Signal<i32>, t: &Marbles| {
            s.throttle_while(&t.cold::<i32>("1--0").unwrap().map(|n| n == 1))
        };
        makes("-1---2|", "---1-2|", held);
        makes("1-#", "1----1-#", |s, t| {
            s.retry_backoff(&t.scheduler(), Backoff::new(3 * MS).attempts(2))
        });
        makes("1#", "1--1--(1|)", |s, t| {
            let waits = Backoff::new(2 * MS).longest(9 * MS).attempts(2).reset_on_value();
            s.retry_backoff(&t.scheduler(), waits).take(3)
        });
    });
}

#[test]
fn a_queue_between_schedulers_has_a_policy() {
    case(|| {
        static MARK: AtomicUsize = AtomicUsize::new(0);
        let run = |policy, capacity| {
            let time = unsafe { VirtualScheduler::new() };
            let trace = Trace::new();
            let options = QueueOptions::new().policy(policy).capacity(capacity).high_water(&MARK);
            let queued = Signal::range(1, 4).observe_on_with(&time, options);
            let into = trace.clone();
            let observing = queued.observe().next(trace.each());
            observing.error(move |error| into.add(error.code().name())).subscribe().unwrap();
            time.flush().unwrap();
            trace.take()
        };
        assert_eq!(run(QueuePolicy::Error, 2), "1 2 EAGAIN");
        assert_eq!(run(QueuePolicy::DropOldest, 2), "3 4");
        assert_eq!(run(QueuePolicy::DropNewest, 2), "1 2");
        assert_eq!(run(QueuePolicy::Latest, 2), "4");
        assert_eq!(run(QueuePolicy::Block, 2), "1 2 EAGAIN");
        assert_eq!(run(QueuePolicy::Error, 0), "1 2 3 4");
        assert_eq!(MARK.load(Ordering::Relaxed), 4);
    });
}
