//! A million subscriptions, made and dropped, alone and while threads send: memory stays flat, and
//! nothing is left.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use belay::{live_count, Code, Live, Local, Loop, Owner, Property, Signal, Subject};

/// Resident memory, in kilobytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("there is a /proc");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("it tells the size");
    line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).expect("in kilobytes")
}

fn rounds() -> usize {
    std::env::var("BELAY_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}

/// One at a time, for what is alive and the memory are counted in the process.
static ALONE: Mutex<()> = Mutex::new(());

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
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
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

const SENDERS: usize = 3;

/// Sends `count` texts from another thread, each when there is room for it, then posts the end.
fn sender(
    main: &Loop,
    subject: &Subject<String>,
    count: usize,
    left: &Arc<AtomicUsize>,
) -> thread::JoinHandle<()> {
    let (home, subject, left) = (main.handle(), subject.clone(), left.clone());
    let object = Owner::build().dynamic().create().unwrap();
    thread::spawn(move || {
        for n in 0..count {
            while let Err(error) = subject.next(format!("text {n} that is not kept in place")) {
                assert_eq!(error.code(), Code::EAGAIN);
                thread::yield_now();
            }
            object.set("count", n as i64).unwrap();
        }
        drop((subject, object));
        let last = move || {
            left.fetch_sub(1, Ordering::SeqCst);
        };
        while home.post(last.clone()).is_err() {
            thread::yield_now();
        }
    })
}

#[test]
fn threads_that_send_meanwhile_leave_nothing() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (count, alive) = (rounds() / 100, live_count(Live::All));
    {
        let (main, heard) = (Loop::new().unwrap(), Arc::new(AtomicUsize::new(0)));
        let (subject, last) = (Subject::<String>::new(), Property::new(String::new()));
        let counter = heard.clone();
        let count_one = move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
        };
        subject.subscribe(count_one).unwrap();
        subject.bind_property(&last, None).unwrap();
        let left = Arc::new(AtomicUsize::new(SENDERS));
        let senders = [(); SENDERS].map(|()| sender(&main, &subject, count, &left));
        // While something is subscribed to, a turn waits for the senders.
        let waiting = Signal::interval(&main.scheduler(), std::time::Duration::from_secs(60));
        let waiting = waiting.subscribe(drop).unwrap().scoped();
        let mut turns = 0;
        while left.load(Ordering::SeqCst) > 0 {
            let owner = Owner::new();
            subject.observe().next(drop).owned_by(&owner).subscribe().unwrap();
            let _scoped = subject.map(|text| text.len()).take(2).subscribe(drop).unwrap().scoped();
            main.run_once().unwrap();
            turns += 1;
        }
        assert_eq!(heard.load(Ordering::SeqCst), SENDERS * count);
        println!("{} values from {SENDERS} threads in {turns} turns", SENDERS * count);
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        drop(waiting);
    }
    assert_eq!(live_count(Live::All), alive);
}
