//! A million subscriptions, made and dropped: memory stays flat, and nothing is left.
use belay::{live_count, Live, Local, Owner, Signal, Subject};

/// Resident memory, in kilobytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("there is a /proc");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("it tells the size");
    line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).expect("in kilobytes")
}

fn rounds() -> usize {
    std::env::var("BELAY_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}

/// Eight subscriptions that end in eight ways.
fn round(subject: &Subject<String>, n: i64) {
    let lengths = subject.filter(|text| !text.is_empty()).map(|text| text.len());
    let disposed = lengths.subscribe(drop).unwrap();
    let _scoped = subject.subscribe(drop).unwrap().scoped();
    let owner = Owner::new();
    subject.observe().next(drop).owned_by(&owner).subscribe().unwrap();
    lengths.take(1).subscribe(drop).unwrap();
    let values = subject.values().unwrap();
    let first = subject.first_value().unwrap();
    subject.next("some text that is not short enough to be kept in place").unwrap();
    let mine = Local::new(n);
    Signal::just(n).subscribe(move |n| assert_eq!(*mine.get(), n)).unwrap();
    let failing = Signal::just(n).map(|_| Err::<i64, _>("no"));
    failing.observe().error(drop).subscribe().unwrap();
    disposed.dispose();
    drop((values, first));
}

#[test]
fn a_million_subscriptions_leave_memory_flat() {
    let (rounds, subject) = (rounds() / 8, Subject::new());
    for n in 0..rounds / 10 {
        round(&subject, n as i64);
    }
    let (before, alive) = (resident(), live_count(Live::All));
    for n in 0..rounds {
        round(&subject, n as i64);
    }
    let after = resident();
    println!("resident: {before} KB, after {} subscriptions more: {after} KB", rounds * 8);
    assert_eq!(live_count(Live::All), alive);
    assert_eq!(subject.count(), 0);
    assert!(after < before + before / 20 + 512, "{before} KB has become {after} KB");
}
