//! Something else of values and ends.
use std::time::Duration;

use super::{failing, numbers};
use crate::support::{case, error, told, Trace};
use belay::{Code, Error, Event, Group, Owner, Signal, Subject, VirtualScheduler};

const MS: Duration = Duration::from_millis(1);

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
        let texts = || Signal::from_values(["one;tw", "o;"].map(String::from));
        assert_eq!(told(&texts().lines(9)), "\"one;two;\" |");
        assert_eq!(told(&texts().frames_delimited(b";", 9)), "\"one\" \"two\" |");
        assert_eq!(told(&texts().frames_fixed(4)), "\"one;\" \"two;\" |");
        assert_eq!(told(&texts().frames_prefixed(1, 9, false)), "EMSGSIZE");
        assert_eq!(told(&texts().utf8()), "\"one;tw\" \"o;\" |");
        let owner = Owner::new();
        let with = numbers().with_owner(&owner).map(|(owner, n)| !owner.is_dying() && n > 0);
        assert_eq!(told(&with.take(1)), "true |");
        assert_eq!(told(&numbers().buffer(3)), "[1, 2, 3] [4] |");
        assert_eq!(told(&numbers().buffer_skip(2, 3)), "[1, 2] [4] |");
        let windows = numbers().window(2).flat_map(|window| window.collect());
        assert_eq!(told(&windows), "[1, 2] [3, 4] [] |");
        let groups = numbers().group_by(|n| n % 2 == 0).flat_map(|group| {
            let key = *group.key();
            group.collect().map(move |all| (key, all))
        });
        assert_eq!(told(&groups), "(false, [1, 3]) (true, [2, 4]) |");
        let until = |group: Group<bool, i64>| group.skip(if *group.key() { 9 } else { 0 });
        let ending = numbers().group_by_until(|n| n % 2 == 0, until);
        assert_eq!(told(&ending.flat_map(|group| group.collect())), "[1] [3] [2, 4] |");
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
fn buffers_and_windows_of_time() {
    case(|| {
        let time = unsafe { VirtualScheduler::new() };
        let (trace, subject) = (Trace::new(), Subject::<i32>::new());
        let text = |all: Vec<i32>| format!("{all:?}");
        let buffers = subject.buffer_time_at_most(&time, 2 * MS, 2).map(text);
        let first = buffers.subscribe(trace.each()).unwrap();
        let windows = subject.window_time(&time, 2 * MS).flat_map(|w| w.collect()).map(text);
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
        let buffers = subject.buffer_time(&time, 2 * MS).map(text);
        let buffered = buffers.subscribe(trace.each()).unwrap();
        subject.next_batch([4, 5, 6]).unwrap();
        time.advance(2 * MS).unwrap();
        time.advance(2 * MS).unwrap();
        buffered.dispose();
        let windows = subject.window_time_at_most(&time, 2 * MS, 1);
        let sizes = windows.flat_map(|window| window.count()).subscribe(trace.each()).unwrap();
        assert_eq!(trace.take(), "[4, 5, 6] []");
        subject.next_batch([7, 8]).unwrap();
        sizes.dispose();
        assert_eq!(trace.take(), "1 1");
    });
}
