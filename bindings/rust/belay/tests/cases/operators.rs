//! Each operator once or more: what it makes of its types.
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::Arc;

use crate::support::{case, error, told, Trace};
use belay::{Code, Error, Event, Owner, ShareRules, Signal, Subject, Tap};

fn numbers() -> Signal<i64> {
    Signal::range(1, 4)
}

fn failing() -> Signal<i64> {
    Signal::range(1, 2).concat([&Signal::error(&error("none"))])
}

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

#[test]
fn filtering() {
    case(|| {
        assert_eq!(told(&numbers().filter(|n| n % 2 == 0)), "2 4 |");
        assert_eq!(
            told(&numbers().filter(|n| if *n < 2 { Ok(true) } else { Err("no") })),
            "1 EINVAL"
        );
        assert_eq!(told(&numbers().take(2)), "1 2 |");
        assert_eq!(told(&numbers().skip(3)), "4 |");
        assert_eq!(told(&numbers().take_last(2)), "3 4 |");
        assert_eq!(told(&numbers().skip_last(2)), "1 2 |");
        assert_eq!(told(&numbers().take_while(|n| *n < 3)), "1 2 |");
        assert_eq!(told(&numbers().take_while_inclusive(|n| *n < 3)), "1 2 3 |");
        assert_eq!(told(&numbers().skip_while(|n| *n < 3)), "3 4 |");
        assert_eq!(told(&numbers().take_until(&Signal::just("now".to_string()))), "|");
        assert_eq!(told(&numbers().skip_until(&Signal::just(()))), "1 2 3 4 |");
        assert_eq!(told(&numbers().take_until_replacement(&Signal::just(9))), "9 |");
        let owner = Owner::new();
        let during = numbers().take_during(&owner);
        assert_eq!(told(&during), "1 2 3 4 |");
        drop(owner);
        assert_eq!(told(&during), "|");
        assert_eq!(told(&numbers().element_at(2)), "3 |");
        assert_eq!(told(&numbers().element_at(9)), "ERANGE");
        assert_eq!(told(&numbers().element_at_or(9, -1)), "-1 |");
        assert_eq!(told(&numbers().first()), "1 |");
        assert_eq!(told(&numbers().first_where(|n| *n > 1)), "2 |");
        assert_eq!(told(&numbers().last()), "4 |");
        assert_eq!(told(&numbers().last_where(|n| *n < 4)), "3 |");
        assert_eq!(told(&numbers().last_where(|n| *n > 4)), "ENOENT");
        assert_eq!(told(&numbers().single()), "ERANGE");
        assert_eq!(told(&numbers().single_where(|n| *n == 3)), "3 |");
        assert_eq!(told(&numbers().find(|n| *n == 9)), "|");
        assert_eq!(told(&numbers().ignore_elements()), "|");
        assert_eq!(told(&numbers().ignore(2)), "1 3 4 |");
        assert_eq!(told(&Signal::from_values([Some(1), None]).ignore_none()), "1 |");
        let again = Signal::from_values([1, 1, 2, 1]);
        assert_eq!(told(&again.distinct()), "1 2 |");
        assert_eq!(told(&numbers().distinct_by(|n| n % 2)), "1 2 |");
        assert_eq!(told(&again.distinct_until_changed()), "1 2 1 |");
        assert_eq!(told(&numbers().distinct_until_changed_by(|a, b| a / 2 == b / 2)), "1 2 4 |");
        let (even, odd) = numbers().partition(|n| n % 2 == 0);
        assert_eq!((told(&even), told(&odd)), ("2 4 |".into(), "1 3 |".into()));
    });
}

#[test]
fn aggregating() {
    case(|| {
        let none = Signal::<i64>::empty();
        assert_eq!(told(&none.default_if_empty(7)), "7 |");
        assert_eq!(told(&none.switch_if_empty(&Signal::just(8))), "8 |");
        assert_eq!(told(&numbers().contains(3)), "true |");
        assert_eq!(told(&numbers().any(|n| *n > 9)), "false |");
        assert_eq!(told(&numbers().all(|n| *n > 0)), "true |");
        assert_eq!(told(&none.is_empty()), "true |");
        assert_eq!(told(&numbers().count()), "4 |");
        assert_eq!(told(&numbers().min()), "1 |");
        assert_eq!(told(&numbers().max()), "4 |");
        assert_eq!(told(&numbers().min_by(|a, b| a % 3 < b % 3)), "3 |");
        assert_eq!(told(&numbers().max_by(|a, b| a % 3 < b % 3)), "2 |");
        assert_eq!(told(&numbers().sum()), "10 |");
        assert_eq!(told(&Signal::from_values([0.5, 1.0]).sum()), "1.5 |");
        assert_eq!(told(&numbers().average()), "2.5 |");
        let text = numbers().reduce(String::new(), |text, n| format!("{text}{n}"));
        assert_eq!(told(&text), "\"1234\" |");
        assert_eq!(told(&numbers().collect()), "[1, 2, 3, 4] |");
        assert_eq!(told(&Signal::from_values([1_u8, 2]).collect()), "[1, 2] |");
    });
}

#[test]
fn transforming() {
    case(|| {
        assert_eq!(told(&numbers().map(|n| n as f64 / 2.0).take(2)), "0.5 1.0 |");
        assert_eq!(told(&numbers().map(|n| if n < 3 { Ok(n) } else { Err("big") })), "1 2 EINVAL");
        assert_eq!(told(&numbers().map_to("x".to_string()).take(1)), "\"x\" |");
        assert_eq!(told(&numbers().compact_map(|n| (n % 2 == 0).then_some(n * 10))), "20 40 |");
        let renamed = failing().map_error(|error| Error::new(Code::EBUSY, error.message()));
        assert_eq!(told(&renamed), "1 2 EBUSY");
        assert_eq!(told(&failing().map_error(|error| format!("{error}!"))), "1 2 EINVAL");
        assert_eq!(told(&numbers().scan(0, |sum, n| sum + n)), "1 3 6 10 |");
        assert_eq!(told(&numbers().start_with([0]).end_with([5, 6])), "0 1 2 3 4 5 6 |");
        assert_eq!(told(&numbers().enumerated().take(2)), "(0, 1) (1, 2) |");
        assert_eq!(told(&numbers().pairwise()), "(1, 2) (2, 3) (3, 4) |");
        let owner = Owner::new();
        let with = numbers().with_owner(&owner).map(|(owner, n)| !owner.is_dying() && n > 0);
        assert_eq!(told(&with.take(1)), "true |");
        assert_eq!(told(&numbers().buffer(3)), "[1, 2, 3] [4] |");
        assert_eq!(told(&numbers().buffer_skip(2, 3)), "[1, 2] [4] |");
        let windows = numbers().window(2, 2).flat_map(|window| window.collect());
        assert_eq!(told(&windows), "[1, 2] [3, 4] [] |");
        let groups = numbers().group_by(|n| n % 2 == 0).flat_map(|group| {
            let key = *group.key();
            group.collect().map(move |all| (key, all))
        });
        assert_eq!(told(&groups), "(false, [1, 3]) (true, [2, 4]) |");
        let events = failing().materialize().collect().take(1);
        let all = events.iter().unwrap().next().unwrap().unwrap();
        assert_eq!(all, [Event::Next(1), Event::Next(2), Event::Error(error("none"))]);
        assert_eq!(told(&failing().materialize().dematerialize()), "1 2 ENOENT");
        let events = Signal::from_values([Event::Next(1), Event::Completed, Event::Next(2)]);
        assert_eq!(told(&events.dematerialize()), "1 |");
    });
}

#[test]
fn windows_open_and_close() {
    case(|| {
        let (trace, source) = (Trace::new(), Subject::new());
        let (opens, closes) = (Subject::new(), Subject::<()>::new());
        let until = closes.signal();
        let windows = source.window_toggle(&opens, move |_: i32| until.clone());
        let collected = windows.flat_map(|window| window.collect());
        let subscription =
            collected.map(|all: Vec<i32>| format!("{all:?}")).subscribe(trace.each()).unwrap();
        source.next(1).unwrap();
        opens.next(0).unwrap();
        source.next(2).unwrap();
        source.next(3).unwrap();
        closes.next(()).unwrap();
        source.next(4).unwrap();
        assert_eq!(trace.take(), "[2, 3]");
        subscription.dispose();
    });
}

#[test]
fn combining() {
    case(|| {
        let (a, b) = (Signal::range(1, 2), Signal::from_values(["x".to_string(), "y".to_string()]));
        assert_eq!(told(&Signal::zip((&a, &b))), "(1, \"x\") (2, \"y\") |");
        assert_eq!(
            told(&Signal::zip_with((&a, &b), |(n, s)| format!("{n}{s}"))),
            "\"1x\" \"2y\" |"
        );
        assert_eq!(told(&Signal::combine_latest((&a, &b))), "(2, \"x\") (2, \"y\") |");
        let sum =
            Signal::combine_latest_with([a.clone(), a.clone()], |all| all.iter().sum::<i64>());
        assert_eq!(told(&sum), "3 4 |");
        assert_eq!(told(&Signal::combine_latest(vec![a.clone(), a.clone()])), "[2, 1] [2, 2] |");
        assert_eq!(told(&a.with_latest_from(&b)), "(1, \"y\") (2, \"y\") |");
        let with = a.with_latest_from_with((&a, &b), |n, (m, s)| format!("{n}{m}{s}"));
        assert_eq!(told(&with), "\"12y\" \"22y\" |");
        assert_eq!(told(&Signal::race([&Signal::never(), &a])), "1 2 |");
        assert_eq!(told(&a.sequence_equal(&Signal::range(1, 2))), "true |");
        assert_eq!(
            told(&a.sequence_equal_by(&Signal::range(11, 2), |x, y| x % 10 == y % 10)),
            "true |"
        );
        let (yes, no) = (Signal::just(true), Signal::just(false));
        assert_eq!(told(&yes.if_then_else(&a, &Signal::never())), "1 2 |");
        assert_eq!(told(&Signal::and([&yes, &no])), "false |");
        assert_eq!(told(&Signal::or([&yes, &no])), "true |");
        assert_eq!(told(&yes.not()), "false |");
        let keys = Signal::just("two".to_string());
        let (one, two) = (Signal::just(1), Signal::just(2));
        let cases = || [("one".to_string(), &one), ("two".to_string(), &two)];
        assert_eq!(told(&Signal::switch_on(&keys, cases(), None)), "2 |");
        let other = Signal::just("three".to_string());
        assert_eq!(told(&Signal::switch_on(&other, cases(), None)), "EINVAL");
        assert_eq!(told(&Signal::switch_on(&other, cases(), Some(&Signal::just(3)))), "3 |");
        let pairs = Signal::from_values([(1, 2), (3, 4)]);
        assert_eq!(told(&pairs.reduce_each(|(a, b)| a * b)), "2 12 |");
        assert_eq!(told(&a.merge([&Signal::just(9)])), "1 2 9 |");
        assert_eq!(told(&Signal::merge_of([&a, &Signal::just(9)])), "1 2 9 |");
        assert_eq!(told(&failing().merge_delay_error([&a])), "1 2 1 2 ENOENT");
        assert_eq!(told(&Signal::merge_delay_error_of([&failing(), &a])), "1 2 1 2 ENOENT");
    });
}

#[test]
fn flattening() {
    case(|| {
        let two = Signal::range(1, 2);
        let pair = |n: i64| Signal::from_values([n * 10, n * 10 + 1]);
        assert_eq!(told(&two.flat_map(pair)), "10 11 20 21 |");
        assert_eq!(told(&two.flat_map_at_most(1, pair)), "10 11 20 21 |");
        assert_eq!(told(&two.concat_map(pair)), "10 11 20 21 |");
        assert_eq!(told(&two.switch_map(pair)), "10 11 20 21 |");
        assert_eq!(told(&two.exhaust_map(pair)), "10 11 20 21 |");
        assert_eq!(
            told(&two.flat_map(|n| if n < 2 { Ok(Signal::just(n)) } else { Err("no") })),
            "1 EINVAL"
        );
        let tree =
            Signal::just(1)
                .expand(None, |n| if n < 8 { Signal::just(n * 2) } else { Signal::empty() });
        assert_eq!(told(&tree), "1 2 4 8 |");
        let signals = Signal::from_values([two.clone(), Signal::just(9)]);
        assert_eq!(told(&signals.merge_all(None)), "1 2 9 |");
        assert_eq!(told(&signals.concat_all()), "1 2 9 |");
        assert_eq!(told(&signals.switch_to_latest()), "1 2 9 |");
        assert_eq!(told(&Signal::concat_of([&two, &two])), "1 2 1 2 |");
        assert_eq!(told(&two.then(&Signal::just("end".to_string()))), "\"end\" |");
        assert_eq!(told(&two.repeat(2)), "1 2 1 2 |");
        assert_eq!(told(&two.repeat(None).take(3)), "1 2 1 |");
        assert_eq!(told(&two.repeat_when(|ends| ends.take(2))), "1 2 1 2 |");
        assert_eq!(
            told(&failing().catch(|error| Signal::just(-error.code().number() as i64))),
            "1 2 2 |"
        );
        assert_eq!(told(&failing().catch(Err::<Signal<i64>, _>)), "1 2 ENOENT");
        assert_eq!(told(&failing().catch_to(0)), "1 2 0 |");
        assert_eq!(told(&failing().retry(2)), "1 2 1 2 ENOENT");
        assert_eq!(told(&failing().retry(None).take(5)), "1 2 1 2 1 |");
        assert_eq!(told(&failing().retry_when(|errors| errors.take(2))), "1 2 1 2 |");
        assert_eq!(told(&two.attempt(|n| if *n < 2 { Ok(()) } else { Err("no") })), "1 EINVAL");
    });
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
fn sharing() {
    case(|| {
        let (trace, subscribed) = (Trace::new(), Arc::new(AtomicI64::new(0)));
        let count = subscribed.clone();
        let source = numbers().initially(move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        let times = || subscribed.swap(0, Ordering::Relaxed);
        let published = source.publish();
        published.subscribe(trace.each()).unwrap();
        published.subscribe(trace.each()).unwrap();
        assert_eq!((times(), trace.take()), (0, String::new()));
        let connection = published.connect().unwrap();
        assert!(connection.map_or(true, |connection| connection.is_disposed()));
        assert_eq!((times(), trace.take()), (1, "1 1 2 2 3 3 4 4".into()));

        let replayed = source.replay(Some(2), None, None);
        replayed.connect().unwrap();
        assert_eq!((told(&replayed), times()), ("3 4 |".into(), 1));
        let last = Subject::last_only(belay::SourceOptions::new()).unwrap();
        let through = source.multicast(&last);
        through.connect().unwrap();
        assert_eq!((told(&through), times()), ("4 |".into(), 1));

        assert_eq!((told(&source.publish().ref_count()), times()), ("1 2 3 4 |".into(), 1));
        assert_eq!((told(&source.publish().auto_connect(1)), times()), ("1 2 3 4 |".into(), 1));
        assert_eq!(told(&source.publish().auto_connect(0)), "EINVAL");
        let shared = source.share(ShareRules::KEEP_COMPLETED | ShareRules::KEEP_ERROR);
        assert_eq!((told(&shared), told(&shared), times()), ("1 2 3 4 |".into(), "|".into(), 1));
        let kept = source.share_replay(Some(1), None, None, ShareRules::KEEP_COMPLETED);
        assert_eq!((told(&kept), told(&kept), times()), ("1 2 3 4 |".into(), "4 |".into(), 1));
        let subject = Subject::new();
        subject.subscribe(trace.each::<i64>()).unwrap();
        source.bind(&subject).unwrap();
        assert_eq!(trace.take(), "1 2 3 4");
    });
}

#[test]
fn effects() {
    case(|| {
        let trace = Trace::new();
        let into = trace.clone();
        let tapped = failing()
            .tap(move |n| into.add(n))
            .tap_events(Tap::new().error(trace_error(&trace)).disposed(trace.note("torn down")))
            .finally(trace.note("finally"))
            .initially(trace.note("initially"));
        assert_eq!(told(&tapped), "1 2 ENOENT");
        assert_eq!(trace.take(), "initially 1 2 none finally torn down");
        let completed = numbers().tap_events(Tap::new().completed(trace.note("completed")));
        assert_eq!(told(&completed.log("quiet").take(0)), "|");
        assert_eq!(told(&completed), "1 2 3 4 |");
        assert_eq!(trace.take(), "completed");

        let into = trace.clone();
        let logged = Signal::just(1).log_to("one", move |line| into.add(line));
        assert_eq!(told(&logged), "1 |");
        let said = trace.take();
        assert!(said.contains("operators.rs:") && said.contains("one: next 1"), "{said}");

        let into = trace.clone();
        let stopping = failing().breakpoint(move |event| {
            into.add(match event {
                Event::Next(n) => n.to_string(),
                Event::Error(error) => error.message().into_owned(),
                Event::Completed => "completed".into(),
            });
            false
        });
        assert_eq!(told(&stopping), "1 2 ENOENT");
        assert_eq!(trace.take(), "1 2 none");
        assert_eq!(told(&numbers().breakpoint(|_| false).breakpoint_on_error()), "1 2 3 4 |");
        assert_eq!(told(&numbers().compose(|n| n.take(1))), "1 |");
    });
}

fn trace_error(trace: &Trace) -> impl Fn(&Error) + Send + Sync + 'static {
    let trace = trace.clone();
    move |error| trace.add(error)
}

#[test]
fn what_cannot_be_made_fails_with_the_reason() {
    case(|| {
        assert_eq!(told(&numbers().buffer(0)), "EINVAL");
        assert_eq!(told(&numbers().window(0, 0).map(|_| 1)), "EINVAL");
        assert_eq!(told(&numbers().retry(0)), "EINVAL");
        let error =
            numbers().buffer(0).filter(|_| true).iter().unwrap().next().unwrap().unwrap_err();
        assert!(!error.message().is_empty());
        let not_finite = f64::NAN;
        let zero = std::time::Duration::ZERO;
        let now = belay::Scheduler::immediate();
        let backoff = numbers().retry_backoff(&now, zero, not_finite, zero, 0.0, None);
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
