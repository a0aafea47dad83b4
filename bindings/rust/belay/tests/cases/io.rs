//! Streams, listeners, processes, UDP.
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::support::{case, told, Trace};
use belay::{
    Code, Direction, Dynamic, Error, Kind, Listener, Loop, LoopOptions, ProcessDisposal,
    ProcessEvent, ProcessOptions, Sent, Signal, StartedProcess, Stdio, Stream, StreamOptions,
    Subject, UdpEvent, UdpOptions,
};

const LONG: Option<Duration> = Some(Duration::from_secs(20));

/// A stream, and the other end of its connection.
fn pair(on: &Loop, options: StreamOptions) -> (Stream, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    (Stream::open(on, ours, options).unwrap(), theirs)
}

fn directory(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("belay-rust-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn an_echo_server_and_its_client() {
    case(|| {
        let main = Loop::new().unwrap();
        let trace = Trace::new();
        let options = StreamOptions::new().nodelay().keepalive(Duration::from_secs(60));
        let listener = Listener::tcp(&main, Some("127.0.0.1"), 0, options).unwrap();
        let port = listener.port().unwrap();
        assert_eq!(listener.address(), format!("127.0.0.1:{port}"));
        let echo = listener.connections().take(1).flat_map(|it| it.write_all(&it.read()));
        echo.subscribe(|()| ()).unwrap();
        let lines = Signal::tcp_connect(&main, "localhost", port, options).flat_map(move |it| {
            assert_eq!(it.peer_address().unwrap(), format!("127.0.0.1:{port}"));
            assert!(it.local_address().unwrap().starts_with("127.0.0.1:"));
            let elsewhere = it.clone();
            let other = thread::spawn(move || elsewhere.peer_address().unwrap_err().code());
            assert_eq!(other.join().unwrap(), Code::EWRONGTHREAD);
            it.write("one\ntwo\nthr")?;
            it.write(b"ee")?;
            it.shutdown()?;
            Ok::<_, Error>(it.lines(100))
        });
        let end = trace.clone();
        lines.observe().next(trace.each()).completed(move || end.add("end")).subscribe().unwrap();
        main.run().unwrap();
        assert_eq!(trace.take(), "one two three end");
    });
}

#[test]
fn unix_sockets_and_what_is_refused() {
    case(|| {
        let main = Loop::new().unwrap();
        let directory = directory("unix");
        let path = directory.join("socket");
        let options = StreamOptions::new();
        let listener = Listener::unix(&main, &path, options).unwrap();
        assert_eq!((listener.address(), listener.port()), (path.display().to_string(), None));
        let all = listener.connections().subscribe(|it| drop(it.write("x"))).unwrap();
        assert_eq!(told(&listener.connections().map(|_| 0)), "EBUSY");
        let text = Signal::unix_connect(&main, &path, options).flat_map(|it| it.read());
        assert_eq!(text.wait_first(&main, LONG), Ok(b"x".to_vec()));
        listener.disposable().dispose();
        assert!(all.is_disposed());
        assert!(!path.exists());
        let failed = Signal::unix_connect(&main, &path, options).wait_first(&main, LONG);
        assert_eq!(failed.unwrap_err().code(), Code::ENOENT);
        std::fs::remove_dir(&directory).unwrap();
        for host in ["localhost", "a\0b"] {
            let refused = Listener::tcp(&main, Some(host), 0, options);
            assert_eq!(refused.unwrap_err().code(), Code::EINVAL);
        }
        let nul = Signal::tcp_connect(&main, "a\0b", 1, options).map(|_| 0);
        assert_eq!(told(&nul), "EINVAL");
        let shared = StreamOptions::new().reuse_port().backlog(5).ipv6_only();
        let one = Listener::tcp(&main, Some("::1"), 0, shared).unwrap();
        Listener::tcp(&main, Some("::1"), one.port().unwrap(), shared).unwrap().close().unwrap();
        let taken = Listener::tcp(&main, Some("::1"), one.port().unwrap(), options);
        assert_eq!(taken.unwrap_err().code().name(), "EADDRINUSE");
    });
}

#[test]
fn writing() {
    case(|| {
        let main = Loop::new().unwrap();
        let options = StreamOptions::new().write_high(1000);
        let (stream, mut peer) = pair(&main, options);
        let mut room = [0; 5];
        assert_eq!(stream.write("now"), Ok(Sent::Delivered));
        assert_eq!(peer.read(&mut room).unwrap(), 3);
        stream.shutdown().unwrap();
        assert_eq!(peer.read(&mut room).unwrap(), 0);
        assert_eq!(stream.write("x").unwrap_err().code(), Code::EENDED);
        peer.write_all(b"still").unwrap();
        assert_eq!(stream.read().wait_first(&main, LONG), Ok(b"still".to_vec()));

        let (stream, mut peer) = pair(&main, options);
        let much = vec![0; 100_000];
        let full = loop {
            if let Err(error) = stream.write(&much) {
                break error;
            }
        };
        assert_eq!(full.code(), Code::EAGAIN);
        assert!(stream.waiting() >= 1000);
        let reader = thread::spawn(move || {
            let mut all = Vec::new();
            peer.read_to_end(&mut all).unwrap();
            all.len()
        });
        let drained = stream.drained(0).default_if_empty(()).wait_first(&main, LONG);
        assert_eq!((drained, stream.waiting()), (Ok(()), 0));
        stream.close().unwrap();
        assert!(reader.join().unwrap() >= 100_000);
        assert_eq!(stream.write("x").unwrap_err().code(), Code::ECANCELED);
        let (stream, _peer) = pair(&main, options);
        stream.disposable().dispose();
        assert_eq!(stream.write("x").unwrap_err().code(), Code::ECANCELED);
    });
}

#[test]
fn a_loops_close_names_it() {
    case(|| {
        let main = Loop::new().unwrap();
        let (_stream, _peer) = pair(&main, StreamOptions::new().label("desk"));
        let resources = main.close().unwrap();
        let [left] = &resources[..] else { panic!("{resources:?}") };
        assert_eq!((left.kind.as_str(), left.label.as_str()), ("stream", "desk"));
        assert!(left.site.contains("io.rs:"));
    });
}

#[test]
fn what_it_sends_counts_until_the_value_goes() {
    case(|| {
        let main = Loop::new().unwrap();
        let (stream, mut peer) = pair(&main, StreamOptions::new().read_high(100).read_low(10));
        peer.write_all(b"12345678").unwrap();
        let kept = stream.read().cast::<Dynamic>().wait_first(&main, LONG).unwrap();
        assert_eq!((kept.as_bytes(), stream.held()), (Some(&b"12345678"[..]), 72));
        drop(kept);
        assert_eq!(stream.held(), 0);
        // A stream is a value.
        let carried = Dynamic::new(stream.clone());
        assert_eq!(carried.kind(), Kind::Stream);
        assert_eq!(carried.get::<Stream>().unwrap().as_raw(), stream.as_raw());
        assert_eq!(Dynamic::new(1).get::<Stream>().unwrap_err().code(), Code::EKIND);
        // The last reference closes it.
        drop((carried, stream));
        assert_eq!(peer.read(&mut [0]).unwrap(), 0);
    });
}

/// Writes and runs the loop until neither goes on: how many bytes there was room for.
fn fill(on: &Loop, peer: &mut UnixStream) -> usize {
    const PLENTY: usize = 16 << 20;
    let mut written = 0;
    loop {
        let before = written;
        while let Ok(count) = peer.write(&[7; 1024]) {
            written += count;
            assert!(written < PLENTY, "nothing slows the peer");
        }
        on.run_nowait().unwrap();
        if written == before {
            return written;
        }
    }
}

#[test]
fn a_peer_waits_for_a_program_that_takes_values_slowly() {
    case(|| {
        let main = Loop::new().unwrap();
        let options = StreamOptions::new().read_high(4096).read_low(1024);
        let (stream, mut peer) = pair(&main, options);
        peer.set_nonblocking(true).unwrap();
        let mut values = stream.read().values().unwrap();
        let written = fill(&main, &mut peer);
        // A piece has 16 KiB at most, and counts with some more.
        let held = stream.held();
        assert!((4096..4096 + 16_384 + 64).contains(&held), "{held}");
        let mut taken = 0;
        while taken < written {
            match values.try_next() {
                Some(piece) => taken += piece.unwrap().len(),
                None => drop(main.run_nowait().unwrap()),
            }
        }
        assert_eq!((taken, stream.held()), (written, 0));
        assert!(fill(&main, &mut peer) > 0);
    });
}

#[test]
fn threads_write_while_the_loop_runs() {
    case(|| {
        let main = Loop::with(LoopOptions::new().persistent()).unwrap();
        let (stream, mut peer) = pair(&main, StreamOptions::new().write_high(usize::MAX));
        let writers = [0, 1].map(|_| {
            let stream = stream.clone();
            thread::spawn(move || {
                for _ in 0..500 {
                    stream.write("0123456789").unwrap();
                }
            })
        });
        let handle = main.handle();
        let reader = thread::spawn(move || {
            let read = peer.read_exact(&mut [0; 10_000]);
            handle.stop().unwrap();
            read
        });
        main.run().unwrap();
        writers.into_iter().for_each(|it| it.join().unwrap());
        reader.join().unwrap().unwrap();
    });
}

#[test]
fn fifos_files_and_the_standard_streams() {
    case(|| {
        let main = Loop::new().unwrap();
        let options = StreamOptions::new();
        let directory = directory("fifo");
        let path = directory.join("fifo");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let early = Stream::open_path(&main, &path, Direction::Write, options);
        assert_eq!(early.unwrap_err().code().number(), -6); // ENXIO
        let reader = Stream::open_path(&main, &path, Direction::Read, options).unwrap();
        let writer = Stream::open_path(&main, &path, Direction::Write, options).unwrap();
        writer.write("one\ntw").unwrap();
        drop(writer);
        let lines = reader.lines(100).collect().wait_first(&main, LONG);
        assert_eq!(lines, Ok(vec!["one".to_string(), "tw".to_string()]));
        // No terminal.
        assert_eq!(reader.set_raw(true).unwrap_err().code().number(), -25); // ENOTTY
        assert_eq!(reader.window_size().unwrap_err().code().number(), -25);
        let sizes = reader.window_sizes().wait_first(&main, LONG);
        assert_eq!(sizes.unwrap_err().code().number(), -25);
        std::fs::remove_dir_all(&directory).unwrap();
        let file = File::open("/proc/self/exe").unwrap();
        assert_eq!(Stream::open(&main, file, options).unwrap_err().code(), Code::EPERM);
        assert_eq!(Stream::standard(&main, 3, options).unwrap_err().code(), Code::EINVAL);
    });
}

/// A socket that notes when it goes, and whether the loop still watches it by then.
struct Watched(UnixStream, Trace, i32);

impl AsFd for Watched {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let is_watched = is_watched(self.2, self.0.as_raw_fd());
        self.1.add(if is_watched { "still watched" } else { "gone" });
    }
}

/// Whether a descriptor of epoll's waits for another.
fn is_watched(epoll: i32, fd: i32) -> bool {
    let all = std::fs::read_to_string(format!("/proc/self/fdinfo/{epoll}")).unwrap();
    let mut watched = all.lines().filter_map(|line| line.strip_prefix("tfd:"));
    watched.any(|rest| rest.split_whitespace().next() == Some(&fd.to_string()))
}

/// A polled socket, for writing, which it is ready for, and the other end of its connection.
fn polled(on: &Loop, trace: &Trace) -> (Signal<u32>, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let epoll = on.backend_fd().unwrap().as_raw_fd();
    let watched = Watched(ours, trace.clone(), epoll);
    (Signal::poll(on, watched, belay::sys::BELAY_POLL_WRITABLE), theirs)
}

#[test]
fn what_is_polled_stays_open_until_its_last_subscription_is_gone() {
    case(|| {
        let main = Loop::new().unwrap();
        let trace = Trace::new();
        // Without a turn.
        let (signal, _theirs) = polled(&main, &trace);
        assert_eq!(signal.name(), "poll");
        let polling = signal.subscribe(trace.each()).unwrap();
        drop(signal);
        assert_eq!(trace.take(), "");
        polling.dispose();
        assert_eq!(trace.take(), "gone");
        // With one.
        let (ours, _theirs) = UnixStream::pair().unwrap();
        let epoll = main.backend_fd().unwrap().as_raw_fd();
        let (number, ours) = (ours.as_raw_fd(), Watched(ours, trace.clone(), epoll));
        let polling = Signal::poll(&main, ours, belay::sys::BELAY_POLL_WRITABLE)
            .subscribe(trace.each())
            .unwrap();
        main.run_nowait().unwrap();
        assert!(is_watched(epoll, number));
        polling.dispose();
        assert_eq!(trace.take(), "2 gone");
        // Its own end, in a turn.
        let (signal, _theirs) = polled(&main, &trace);
        signal.take(2).subscribe(trace.each()).unwrap();
        drop(signal);
        main.run().unwrap();
        assert_eq!(trace.take(), "2 2 gone");
        // A disposal inside of its callback, and one from another thread.
        let (signal, _theirs) = polled(&main, &trace);
        let (stop, into) = (Subject::new(), trace.clone());
        let stopping = stop.clone();
        let polling = signal.take_until(&stop).subscribe(move |ready| {
            into.add(ready);
            stopping.next(()).unwrap();
        });
        drop(signal);
        main.run().unwrap();
        assert_eq!(trace.take(), "2 gone");
        drop((polling, stop));
        let (signal, _theirs) = polled(&main, &trace);
        let polling = signal.subscribe(trace.each()).unwrap();
        drop(signal);
        main.run_nowait().unwrap();
        thread::spawn(move || polling.dispose()).join().unwrap();
        main.run().unwrap();
        assert_eq!(trace.take(), "2 gone");
        // A subscription that is at home elsewhere.
        let (signal, _theirs) = polled(&main, &trace);
        let (send, receive) = channel();
        let (started, go) = channel();
        let elsewhere = thread::spawn(move || {
            let home = Loop::new().unwrap();
            let polling = signal.subscribe(|_| ()).unwrap();
            drop(signal);
            started.send(()).unwrap();
            receive.recv().unwrap();
            polling.dispose();
            home.close().unwrap();
        });
        go.recv().unwrap();
        main.run_nowait().unwrap();
        main.run_nowait().unwrap();
        send.send(()).unwrap();
        elsewhere.join().unwrap();
        main.run().unwrap();
        assert_eq!(trace.take(), "gone");
        // The loop's close.
        let (signal, _theirs) = polled(&main, &trace);
        let _polling = signal.subscribe(trace.each()).unwrap();
        drop(signal);
        main.run_nowait().unwrap();
        main.close().unwrap();
        assert_eq!(trace.take(), "2 gone");
    });
}

fn started(event: ProcessEvent) -> Option<StartedProcess> {
    match event {
        ProcessEvent::Started(child) => Some(child),
        ProcessEvent::Exited { .. } => None,
    }
}

fn shell(script: &str) -> ProcessOptions {
    ProcessOptions::new("/bin/sh").args(["-c", script])
}

#[test]
fn a_process_and_its_streams() {
    case(|| {
        let main = Loop::new().unwrap();
        let trace = Trace::new();
        let seen = trace.clone();
        let options = ProcessOptions::new("sort").input(Stdio::Pipe).output(Stdio::Pipe);
        Signal::process(&main, &options)
            .subscribe(move |event| match event {
                ProcessEvent::Started(child) => {
                    assert!(child.pid > 0 && child.error.is_none());
                    child.input.unwrap().write("pear\napple\n").unwrap();
                    child.output.unwrap().lines(100).subscribe(seen.each()).unwrap();
                }
                ProcessEvent::Exited { status, signal } => {
                    assert_eq!((status, signal), (0, 0));
                }
            })
            .unwrap();
        main.run().unwrap();
        assert_eq!(trace.take(), "apple pear");
        let exit = ProcessEvent::Exited { status: 3, signal: 9 };
        let back: ProcessEvent = Dynamic::new(exit).get().unwrap();
        assert!(matches!(back, ProcessEvent::Exited { status: 3, signal: 9 }));
    });
}

#[test]
fn the_environment_the_directory_and_files_of_a_process() {
    case(|| {
        let main = Loop::new().unwrap();
        let directory = directory("process");
        let path = directory.join("output");
        let output = Stdio::from(File::create(&path).unwrap());
        let options = shell("echo $A $HOME; pwd; echo error >&2; exit 3")
            .environment([("A", "ä")])
            .directory(&directory)
            .output(output.clone())
            .error(output);
        let process = Signal::process(&main, &options);
        // The signal has the file.
        drop(options);
        let exit = process.wait_last(&main, LONG).unwrap();
        assert!(matches!(exit, ProcessEvent::Exited { status: 3, signal: 0 }));
        let real = directory.canonicalize().unwrap();
        let wanted = format!("ä\n{}\nerror\n", real.display());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted);
        std::fs::remove_dir_all(&directory).unwrap();
    });
}

#[test]
fn a_process_ends_with_its_subscription() {
    case(|| {
        let main = Loop::new().unwrap();
        for (disposal, script, last) in [
            (
                ProcessDisposal::Terminate(None),
                "trap 'echo bye; exit' TERM; echo on; while :; do sleep 0.01; done",
                "on bye",
            ),
            (
                ProcessDisposal::Terminate(Some(Duration::ZERO)),
                "trap '' TERM; echo on; exec sleep 600",
                "on",
            ),
            (ProcessDisposal::Kill, "trap '' TERM; echo on; exec sleep 600", "on"),
            (ProcessDisposal::Leave, "echo on; sleep 0.01; echo off", "on off"),
        ] {
            let trace = Trace::new();
            let seen = trace.clone();
            let options = shell(script).output(Stdio::Pipe).disposal(disposal);
            let (ready, is_ready) = (Subject::new(), Signal::process(&main, &options));
            let told = ready.clone();
            let output = is_ready
                .take_until(&ready)
                .flat_map(move |event| started(event).unwrap().output.unwrap().lines(100));
            output
                .subscribe(move |line| {
                    seen.add(&line);
                    if line == "on" {
                        told.next(()).unwrap();
                    }
                })
                .unwrap();
            main.run().unwrap();
            assert_eq!(trace.take(), last);
        }
    });
}

#[test]
fn processes_that_cannot_be_run() {
    case(|| {
        let main = Loop::new().unwrap();
        let none = Signal::process(&main, &ProcessOptions::new("/no/such/program"));
        let error = none.wait_first(&main, LONG).unwrap_err();
        assert_eq!(error.code(), Code::ENOENT);
        assert!(error.message().contains("/no/such/program"));
        for options in [
            ProcessOptions::new("a\0b"),
            ProcessOptions::new("true").arg("a\0b"),
            ProcessOptions::new("true").environment([("A", "\0")]),
            ProcessOptions::new("true").directory("\0"),
        ] {
            assert_eq!(told(&Signal::process(&main, &options).map(|_| 0)), "EINVAL");
        }
    });
}

#[test]
fn udp_sockets() {
    case(|| {
        let main = Loop::new().unwrap();
        let outgoing = Subject::new();
        let to_itself = outgoing.clone();
        let options = UdpOptions::new().host("127.0.0.1");
        let text = Signal::udp_sending(&main, &options, &outgoing).map(move |event| {
            if let UdpEvent::Open(host, port) = event.clone() {
                to_itself.next((b"text".to_vec(), host, port)).unwrap();
            }
            event
        });
        let event = text.skip(1).wait_first(&main, LONG).unwrap();
        assert!(matches!(event, UdpEvent::Received((bytes, host, _))
            if bytes == b"text" && host == "127.0.0.1"));
        // One that has a peer sends bytes alone; nobody is there.
        let closed = Signal::udp(&main, &options).wait_first(&main, LONG).unwrap();
        let port = match &closed {
            UdpEvent::Open(_, port) => *port,
            _ => 0,
        };
        let connected = options.clone().remote("127.0.0.1", port);
        let failed = Signal::udp_sending(&main, &connected, &Signal::just(b"x".to_vec()))
            .skip(1)
            .wait_first(&main, LONG)
            .unwrap();
        match &failed {
            UdpEvent::Failed(error, address) => {
                assert_eq!(error.code().name(), "ECONNREFUSED");
                assert_eq!(address.clone(), Some(("127.0.0.1".to_string(), port)));
            }
            _ => panic!("{failed:?}"),
        }
        for event in [closed, failed] {
            assert_eq!(Dynamic::new(event.clone()).get::<UdpEvent>(), Ok(event));
        }
        let group = UdpOptions::new().share().broadcast().no_loop().multicast_ttl(2);
        let opened = Signal::udp(&main, &group.group("224.0.0.251").interface("127.0.0.1"));
        assert!(matches!(opened.wait_first(&main, LONG), Ok(UdpEvent::Open(..))));
        let wrong = Signal::udp(&main, &UdpOptions::new().host("\0")).map(|_| 0);
        assert_eq!(told(&wrong), "EINVAL");
    });
}
