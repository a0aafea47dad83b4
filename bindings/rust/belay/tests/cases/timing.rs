//! Operators about time, under virtual time.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{case, told, Trace};
use belay::{
    Code, Drawing, Marbles, Mark, QueueOptions, QueuePolicy, Signal, Subject, Throttle,
    VirtualScheduler,
};

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
        makes("123---|", "1-----|", |s, t| s.throttle(&t.scheduler(), 4 * MS, Throttle::Leading));
        makes("123---|", "----3-|", |s, t| s.throttle(&t.scheduler(), 4 * MS, Throttle::Trailing));
        makes("123---|", "1---3-|", |s, t| s.throttle(&t.scheduler(), 4 * MS, Throttle::Both));
        makes("123---|", "---3--|", |s, t| s.audit(&t.scheduler(), 3 * MS));
        makes("1-2--|", "---2-|", |s, t| s.sample_time(&t.scheduler(), 3 * MS));
        makes("1-2--|", "---2-|", |s, t| s.sample(&t.cold::<i32>("---1").unwrap()));
        makes("1-2|", "--1-2|", |s, t| s.delay(&t.scheduler(), 2 * MS));
        makes("1-2|", "--1-2|", |s, t| s.delay_subscription(&t.scheduler(), 2 * MS));
        makes("1----|", "1--#", |s, t| s.timeout(&t.scheduler(), 3 * MS, None));
        makes("1----|", "1--(9|)", |s, t| {
            s.timeout(&t.scheduler(), 3 * MS, Some(&Signal::just(9)))
        });
        makes("1-2-3|", "1-2|", |s, t| s.take_for(&t.scheduler(), 3 * MS));
        makes("1-2-3|", "----3|", |s, t| s.skip_for(&t.scheduler(), 3 * MS));
        makes("1-2-3|", "--2-3|", |s, t| s.skip_until(&t.cold::<i32>("-1").unwrap()));
        makes("1-2-3|", "1|", |s, t| s.take_until(&t.cold::<i32>("-1").unwrap()));
        let held = |s: &Signal<i32>, t: &Marbles| {
            s.throttle_while(&t.cold::<i32>("1--0").unwrap().map(|n| n == 1))
        };
        makes("-1---2|", "---1-2|", held);
        makes("1-#", "1----1-#", |s, t| {
            s.retry_backoff(&t.scheduler(), 3 * MS, 1.0, 3 * MS, 0.0, Some(2))
        });
    });
}

#[test]
fn times_are_durations() {
    case(|| {
        let time = unsafe { VirtualScheduler::new() };
        let (trace, subject) = (Trace::new(), Subject::new());
        let stamped =
            subject.timestamp(&time).map(|(at, n): (Duration, i32)| (at.as_millis() as u64, n));
        stamped.map(|pair| format!("{pair:?}")).subscribe(trace.each()).unwrap();
        let since = subject.time_interval(&time).map(|(at, _)| at.as_millis() as u64);
        since.subscribe(trace.each()).unwrap();
        time.advance(5 * MS).unwrap();
        subject.next(1).unwrap();
        time.advance(7 * MS).unwrap();
        subject.next(2).unwrap();
        assert_eq!(trace.take(), "(5, 1) 5 (12, 2) 7");
        assert_eq!(time.now(), 12 * MS);
    });
}

#[test]
fn virtual_time_passes_when_it_is_told_to() {
    case(|| {
        let time = unsafe { VirtualScheduler::new() };
        let trace = Trace::new();
        Signal::timer(&time, 3 * MS).subscribe(trace.each()).unwrap();
        let ticks = Signal::interval(&time, 2 * MS).map(|n| n + 10);
        let ticking = ticks.subscribe(trace.each()).unwrap();
        time.advance(4 * MS).unwrap();
        assert_eq!(trace.take(), "10 0 11");
        assert_eq!(time.step(1).unwrap(), 1);
        assert_eq!(trace.take(), "12");
        ticking.dispose();
        let again = time.every(MS, MS, MS, trace.note("again")).unwrap();
        time.advance(2 * MS).unwrap();
        again.dispose();
        time.flush().unwrap();
        assert_eq!(trace.take(), "again again");
        assert_eq!(time.schedule(trace.note("now")).map(drop), Ok(()));
        time.flush().unwrap();
        assert_eq!(trace.take(), "now");
    });
}

#[test]
fn buffers_and_windows_of_time() {
    case(|| {
        let time = unsafe { VirtualScheduler::new() };
        let (trace, subject) = (Trace::new(), Subject::<i32>::new());
        let text = |all: Vec<i32>| format!("{all:?}");
        let buffers = subject.buffer_time(&time, 2 * MS, Some(2)).map(text);
        let first = buffers.subscribe(trace.each()).unwrap();
        let windows = subject.window_time(&time, 2 * MS, None).flat_map(|w| w.collect()).map(text);
        let second = windows.subscribe(trace.each()).unwrap();
        subject.next(1).unwrap();
        time.advance(2 * MS).unwrap();
        assert_eq!(trace.take(), "[1] [1]");
        subject.next_batch([2, 3]).unwrap();
        time.advance(2 * MS).unwrap();
        let said = trace.take();
        assert!(said.starts_with("[2, 3]") && said.contains("[2, 3] ["), "{said}");
        first.dispose();
        second.dispose();
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
            let queued = Signal::range(1, 4).observe_on(&time, options);
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

#[test]
fn marbles_tell_what_was_expected() {
    case(|| {
        let mut test = unsafe { Marbles::new() };
        test.define('x', "word".to_string()).unwrap();
        assert_eq!(test.define('é', 1).unwrap_err().code(), Code::EINVAL);
        let hot = test.hot::<belay::Dynamic>("-x-^-x-|").unwrap();
        test.expect(&hot, Some("-^--!"), "---x-").unwrap();
        test.expect_subscriptions(&hot, &["-^--!"]).unwrap();
        let error = test.run().unwrap_err();
        assert_eq!(error.code(), Code::EMISMATCH);
        assert!(error.message().contains("expected"), "{error}");
        let malformed = test.cold::<i32>("--(1").unwrap_err();
        assert_eq!(malformed.code(), Code::EINVAL);
    });
}

#[test]
fn drawings_show_a_run() {
    case(|| {
        let time = unsafe { VirtualScheduler::new() };
        let drawing = Drawing::new(MS).unwrap();
        let ticks = Signal::interval(&time, 2 * MS).take(2);
        drawing.boxed("recorded").unwrap();
        drawing.record(&ticks, "ticks", &time).subscribe(drop).unwrap();
        time.flush().unwrap();
        drawing.row("by hand").unwrap();
        drawing.mark(Mark::Subscribed, Duration::ZERO, "").unwrap();
        drawing.mark(Mark::Next, MS, "x").unwrap();
        drawing.mark(Mark::Error, 3 * MS, "broken").unwrap();
        drawing.define('k', "key").unwrap();
        drawing.diagram("told", "-k-|").unwrap();
        let text = drawing.text();
        for part in ["recorded", "--0-(1|)", "by hand", "broken", "key"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(drawing.svg().starts_with("<svg"));
        let empty = Drawing::new(MS).unwrap();
        let error = empty.mark(Mark::Completed, MS, "").unwrap_err();
        assert_eq!(error.code(), Code::ENOENT);
        let end = Mark::Unsubscribed;
        assert!(empty.mark(end, MS, "").is_err());
        assert_eq!(told(&Signal::just(1)), "1 |");
    });
}
