//! One subscription to a source for all who listen.
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

use super::numbers;
use crate::support::{case, told, Trace};
use belay::{Code, ReplayOptions, ShareResets, ShareRules, Signal, Subject};

#[test]
fn shared_until_signals_send() {
    case(|| {
        let (source, reset) = (Subject::<i64>::new(), Subject::<bool>::new());
        let shared = source.share_until(1, ShareResets::new().unused(&reset));
        shared.subscribe(|_| ()).unwrap().dispose();
        source.next(7).unwrap();
        assert_eq!((told(&shared.take(1)), source.count()), ("7 |".into(), 1));
        reset.next(true).unwrap();
        assert_eq!(source.count(), 0);
        let kept = ShareResets::new().error(&Signal::<i64>::never()).completed(&reset);
        let ended = numbers().share_until(0, kept);
        assert_eq!((told(&ended), told(&ended)), ("1 2 3 4 |".into(), "|".into()));
        reset.next(true).unwrap();
        assert_eq!(told(&ended), "1 2 3 4 |");
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

        let replayed = source.replay(ReplayOptions::new().count(2));
        replayed.connect().unwrap();
        assert_eq!((told(&replayed), times()), ("3 4 |".into(), 1));
        let last = Subject::last_only();
        let through = source.multicast(&last);
        through.connect().unwrap();
        assert_eq!((told(&through), times()), ("4 |".into(), 1));

        assert_eq!((told(&source.publish().ref_count()), times()), ("1 2 3 4 |".into(), 1));
        assert_eq!((told(&source.publish().auto_connect(1)), times()), ("1 2 3 4 |".into(), 1));
        assert_eq!(told(&source.publish().auto_connect(0)), "EINVAL");
        let shared = source.share_with(ShareRules::KEEP_COMPLETED | ShareRules::KEEP_ERROR);
        assert_eq!((told(&shared), told(&shared), times()), ("1 2 3 4 |".into(), "|".into(), 1));
        let kept =
            source.share_replay_with(ReplayOptions::new().count(1), ShareRules::KEEP_COMPLETED);
        assert_eq!((told(&kept), told(&kept), times()), ("1 2 3 4 |".into(), "4 |".into(), 1));
        // By default nothing outlives an end.
        assert_eq!(
            (told(&source.share().count()), told(&source.share_replay(1).count()), times()),
            ("4 |".into(), "4 |".into(), 2)
        );
        let never = Subject::<i64>::new();
        let (shared, replayed) = (never.share(), never.share_replay(1));
        for signal in [&shared, &shared, &replayed] {
            signal.subscribe(|_| ()).unwrap();
        }
        assert_eq!(never.count(), 2);
        never.next(7).unwrap();
        assert_eq!((told(&shared.take(0)), told(&replayed.take(1))), ("|".into(), "7 |".into()));
        let subject = Subject::new();
        subject.subscribe(trace.each::<i64>()).unwrap();
        source.bind(&subject).unwrap();
        assert_eq!(trace.take(), "1 2 3 4");
    });
}

#[test]
fn what_cannot_be_connected_tells_the_reason() {
    case(|| {
        let refused = numbers().replay(ReplayOptions::new().count(0));
        assert_eq!(told(&refused), "EINVAL");
        assert_eq!(refused.connect().unwrap_err().code(), Code::EINVAL);
        assert_eq!(told(&refused.ref_count()), "EINVAL");
        assert_eq!(told(&refused.auto_connect(1)), "EINVAL");
    });
}
