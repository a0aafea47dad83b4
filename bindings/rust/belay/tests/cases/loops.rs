//! Loops, schedulers, properties, commands.
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::io::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::{case, error, told, Trace};
use belay::{
    Code, Command, Error, Lines, Loop, LoopHandle, LoopOptions, Property, Request, Scheduler, Sent,
    Signal, SourceOptions, Subject, Tick,
};

const MS: Duration = Duration::from_millis(1);
const LONG: Option<Duration> = Some(Duration::from_secs(20));

#[test]
fn a_thread_has_one_loop() {
    case(|| {
        let main = Loop::new().unwrap();
        let other = Loop::with(LoopOptions::new().quiet()).unwrap();
        assert_eq!(other.uv(), main.uv());
        drop(other);
        let wrong = Loop::with(LoopOptions::new().uv_version(0x20000));
        assert_eq!(wrong.unwrap_err().code(), Code::ENOTSUP);
        assert_eq!(LoopHandle::current().unwrap().as_raw(), main.handle().as_raw());
        assert_ne!(Scheduler::current().unwrap().as_raw(), main.scheduler().as_raw());
        assert!(!main.is_alive());
        assert_eq!(main.run(), Ok(false));
        assert!(!main.uv().is_null());
        let (all, backend) = (main.fd().unwrap(), main.backend_fd().unwrap());
        assert_ne!(all.as_raw_fd(), backend.as_raw_fd());
        assert_eq!(main.close(), Ok(Vec::new()));
        assert!(LoopHandle::current().is_none());
    });
}

#[test]
fn it_runs_until_nothing_is_left_or_it_is_stopped() {
    case(|| {
        let main = Loop::new().unwrap();
        let (trace, scheduler) = (Trace::new(), main.scheduler());
        scheduler.after(MS, trace.note("after")).unwrap();
        let handle = main.handle();
        let ticks = scheduler.every(2 * MS, MS, Duration::ZERO, move || handle.stop().unwrap());
        assert!(main.is_alive());
        assert!(main.backend_timeout().is_some());
        assert_eq!(main.run(), Ok(true));
        assert!(main.turns() > 0 && main.now() > Duration::ZERO);
        ticks.unwrap().dispose();
        assert_eq!(main.run(), Ok(false));
        let into = trace.clone();
        let work = scheduler.recursive(move |recursion| {
            into.add("again");
            if into.take().len() < 100 {
                recursion.again().unwrap();
            }
        });
        let work = work.unwrap();
        main.run_once().unwrap();
        work.dispose();
        let kept = scheduler.schedule(trace.note("never")).unwrap();
        kept.dispose();
        main.run().unwrap();
        assert_eq!(trace.take(), "");
        main.close().unwrap();
    });
}

#[test]
fn a_turn_inside_a_turn_delivers_what_is_left() {
    case(|| {
        let main = std::rc::Rc::new(Loop::new().unwrap());
        let trace = Trace::new();
        let (seen, later, inner) = (trace.clone(), trace.clone(), belay::Local::new(main.clone()));
        main.handle()
            .post(move || {
                inner.get().run().unwrap();
                seen.add("outer");
            })
            .unwrap();
        main.handle().post(move || later.add("inner")).unwrap();
        main.run_nowait().unwrap();
        assert_eq!(trace.take(), "inner outer");
    });
}

#[test]
fn a_close_tells_what_was_alive_and_interrupts_it() {
    case(|| {
        let main = Loop::with(LoopOptions::new().label("main")).unwrap();
        let (trace, subject) = (Trace::new(), Subject::<i32>::new());
        let observing = subject.observe().completed(trace.note("never"));
        observing.disposed(trace.note("disposed")).label("watching").subscribe().unwrap();
        let resources = main.close().unwrap();
        assert_eq!(resources.len(), 1);
        assert_eq!(
            (resources[0].kind.as_str(), resources[0].label.as_str()),
            ("subscription", "watching")
        );
        assert!(resources[0].site.contains("loops.rs:") && !resources[0].is_foreign);
        assert_eq!(trace.take(), "disposed");
        assert_eq!(subject.next(1).unwrap_err().code(), Code::ECANCELED);
    });
}

#[test]
fn a_close_lists_work_by_its_label() {
    case(|| {
        let main = Loop::new().unwrap();
        let work = main.scheduler().after(Duration::from_secs(1000), || ()).unwrap();
        work.set_label("reminder").unwrap();
        let subject = Subject::<i32>::new();
        let subscription = subject.subscribe(|_| ()).unwrap();
        assert_eq!(subscription.set_label("none").unwrap_err().code(), Code::EKIND);
        subscription.dispose();
        let resources = main.close().unwrap();
        assert_eq!(resources.len(), 1);
        assert_eq!(resources[0].label, "reminder");
        assert!(resources[0].site.contains("loops.rs:"));
    });
}

#[test]
fn errors_that_nobody_handles_at_a_loop_go_to_its_hook() {
    case(|| {
        let main = Loop::new().unwrap();
        let (trace, into) = (Trace::new(), Trace::new());
        let seen = into.clone();
        main.on_unhandled_error(move |unhandled| {
            assert!(unhandled.site.contains("loops.rs:"));
            seen.add(unhandled.error);
        })
        .unwrap();
        Signal::<i32>::error(&error("lost")).subscribe(drop).unwrap();
        assert_eq!((into.take(), trace.take()), ("lost (ENOENT)".into(), String::new()));
        main.close().unwrap();
    });
}

#[test]
fn files_are_read_as_lines() {
    case(|| {
        let main = Loop::new().unwrap();
        let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = directory.join("lines.txt");
        std::fs::write(&path, b"one\ntwo\r\n\xff\nlast").unwrap();
        let lines = Signal::file_lines(&main, &path, Lines::all());
        let bytes: belay::Result<Vec<Vec<u8>>> =
            lines.cast().iter_blocking(&main).unwrap().collect();
        assert_eq!(bytes.unwrap(), [&b"one"[..], b"two", b"\xff", b"last"]);
        let mut texts = lines.iter_blocking(&main).unwrap();
        assert_eq!(texts.next(), Some(Ok("one".to_string())));
        assert_eq!(texts.next(), Some(Ok("two".to_string())));
        assert_eq!(texts.next().unwrap().unwrap_err().code(), Code::EKIND);
        assert_eq!(texts.next(), None);
        drop(texts);

        let end = Lines::all().follow().from_end();
        let appended = Signal::file_lines(&main, &path, end);
        let scheduler = main.scheduler();
        let grows = path.clone();
        let append = scheduler.after(20 * MS, move || {
            use std::io::Write;
            let file = std::fs::OpenOptions::new().append(true).open(&grows);
            file.unwrap().write_all(b"\nmore\n").unwrap();
        });
        let more = appended.filter(|line| line == "more").wait_first(&main, LONG);
        assert_eq!(more, Ok("more".to_string()));
        append.unwrap().dispose();

        let missing = Signal::file_lines(&main, "/nowhere", Lines::all());
        let error = missing.wait_first(&main, LONG).unwrap_err();
        assert_eq!(error.code(), Code::ENOENT);
        assert!(error.message().contains("/nowhere"));
        assert_eq!(told(&Signal::file_lines(&main, "no\0where", Lines::all())), "EINVAL");
        main.close().unwrap();
    });
}

#[test]
fn sources_of_a_loop() {
    case(|| {
        let main = Loop::new().unwrap();
        let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources");
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("file");
        assert_eq!(Signal::ticks(&main, Tick::Idle).wait_first(&main, LONG), Ok(0));
        let written = Signal::file_write(&main, &path, b"text");
        assert_eq!(written.wait_first(&main, LONG), Ok(()));
        let read = Signal::file_read(&main, &path);
        assert_eq!(read.wait_first(&main, LONG), Ok(b"text".to_vec()));
        let chunks = Signal::file_chunks(&main, &path, Lines::all());
        assert_eq!(chunks.wait_first(&main, LONG), Ok(b"text".to_vec()));
        let list = Signal::directory_list(&main, &directory);
        assert_eq!(list.wait_first(&main, LONG), Ok(vec![(PathBuf::from("file"), 1)]));
        let lookup = Signal::lookup(&main, "127.0.0.1", Some("80"));
        assert_eq!(lookup.wait_first(&main, LONG), Ok(("127.0.0.1".to_string(), 80)));
        assert_eq!(told(&Signal::lookup(&main, "no\0host", None)), "EINVAL");
        let error = Signal::host_name(&main, "nonsense").wait_first(&main, LONG).unwrap_err();
        assert_eq!(error.code(), Code::EINVAL);
        let work = Signal::<i32>::work(&main, || 42);
        assert_eq!(work.wait_first(&main, LONG), Ok(42));
        let file = std::fs::File::open(&path).unwrap();
        let number = file.as_raw_fd().to_string();
        let refused = Signal::poll(&main, file, 1).wait_first(&main, LONG).unwrap_err();
        assert_eq!(refused.code(), Code::EPERM);
        assert!(refused.message().contains(&number));
        for events in [
            Signal::file_events(&main, &path),
            Signal::tree_events(&main, &directory),
            Signal::file_poll(&main, &path, 5 * MS),
        ] {
            let grows = path.clone();
            let write = main.scheduler().every(10 * MS, 10 * MS, MS, move || {
                use std::io::Write;
                let file = std::fs::OpenOptions::new().append(true).open(&grows);
                file.unwrap().write_all(b"more").unwrap();
            });
            let (name, _) = events.wait_first(&main, LONG).unwrap();
            assert_eq!(name, Path::new("file"));
            write.unwrap().dispose();
        }
        main.close().unwrap();
    });
}

#[test]
fn names_of_files_that_are_not_utf_8() {
    case(|| {
        let main = Loop::new().unwrap();
        let name = PathBuf::from(OsStr::from_bytes(b"f\xffle"));
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join(&name);
        for events in [
            Signal::file_events(&main, &directory),
            Signal::tree_events(&main, &directory),
            Signal::file_poll(&main, &path, 5 * MS),
        ] {
            let made = path.clone();
            let write = main.scheduler().every(10 * MS, 10 * MS, MS, move || {
                let _ = std::fs::remove_file(&made);
                std::fs::write(&made, b"text").unwrap();
            });
            assert_eq!(events.wait_first(&main, LONG).unwrap().0, name);
            write.unwrap().dispose();
        }
        let list = Signal::directory_list(&main, &directory).wait_first(&main, LONG);
        assert_eq!(list, Ok(vec![(name, 1)]));
        main.close().unwrap();
    });
}

#[test]
fn posix_signals_and_times() {
    case(|| {
        let main = Loop::new().unwrap();
        // SIGWINCH, which does nothing by itself.
        let resized = Signal::posix_signal(&main, 28);
        let pid = std::process::id().to_string();
        let raise = main.scheduler().after(5 * MS, move || {
            let status = std::process::Command::new("kill").args(["-WINCH", &pid]).status();
            assert!(status.unwrap().success());
        });
        assert_eq!(resized.wait_first(&main, LONG), Ok(28));
        raise.unwrap().dispose();
        let slow = Signal::<i32>::never();
        assert_eq!(slow.wait_first(&main, Some(MS)).unwrap_err().code(), Code::ETIMEDOUT);
        assert_eq!(Signal::<i32>::empty().wait_last(&main, LONG).unwrap_err().code(), Code::EENDED);
        let ticks = Signal::interval(&main.scheduler(), MS).take(3);
        assert_eq!(ticks.wait_last(&main, LONG), Ok(2));
        main.close().unwrap();
    });
}

#[test]
fn the_wall_clock() {
    case(|| {
        let main = Loop::new().unwrap();
        let due = SystemTime::now() + 20 * MS;
        assert_eq!(Signal::wall_timer(&main, due).wait_first(&main, LONG), Ok(()));
        assert!(SystemTime::now() >= due - Duration::from_micros(1));
        let past = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(Signal::wall_timer(&main, past).wait_first(&main, LONG), Ok(()));
        main.close().unwrap();
    });
}

#[test]
fn properties_have_a_value_and_a_signal() {
    case(|| {
        let (trace, name) = (Trace::new(), Property::new("a".to_string()));
        name.signal().observe().next(trace.each()).completed(trace.note("|")).subscribe().unwrap();
        assert_eq!(name.set("b"), Ok(Sent::Delivered));
        name.modify(|name| name + "c").unwrap();
        assert_eq!(name.get(), Ok("bc".to_string()));
        let other = Property::new("x".to_string());
        let channel = name.channel(&other).unwrap();
        assert_eq!(other.get(), Ok("bc".to_string()));
        other.set("y").unwrap();
        assert_eq!(name.get(), Ok("y".to_string()));
        channel.dispose();
        other.set("z").unwrap();
        drop(name);
        assert_eq!(trace.take(), "a b bc y |");
        assert_eq!(name_of_shared().unwrap_err().code(), Code::EINVAL);
        assert_eq!(other.channel(&other).unwrap_err().code(), Code::EINVAL);
        let elsewhere = other.clone();
        std::thread::spawn(move || {
            assert_eq!(elsewhere.get(), Ok("z".to_string()));
            let refused = elsewhere.modify(|name| name).unwrap_err();
            assert_eq!(refused.code(), Code::EWRONGTHREAD);
        })
        .join()
        .unwrap();
    });
}

fn name_of_shared() -> belay::Result<Property<i32>> {
    Property::with(1, SourceOptions::new().shared())
}

#[test]
fn signals_are_bound_to_properties_and_variables() {
    case(|| {
        let (subject, width, owner) = (Subject::new(), Property::new(0), belay::Owner::new());
        subject.bind_property(&width, None).unwrap();
        let height = Property::new(0);
        subject.bind_property(&height, &owner).unwrap();
        let (mut variable, mut owned) = (0_i64, 0.0_f64);
        // They live as long as the bindings, which are disposed of below.
        let (first, second) = unsafe {
            let first = subject.bind_variable(&mut variable, None).unwrap();
            (first, subject.bind_variable(&mut owned, &owner).unwrap())
        };
        subject.next(7).unwrap();
        assert_eq!((width.get(), height.get()), (Ok(7), Ok(7)));
        drop(owner);
        subject.next(8).unwrap();
        first.dispose();
        assert!(second.is_disposed());
        subject.next(9).unwrap();
        assert_eq!((variable, owned), (8, 7.0));
        assert_eq!((width.get(), height.get()), (Ok(9), Ok(7)));
    });
}

#[test]
fn listeners_answer_a_request() {
    case(|| {
        let may_close = Request::<String, bool>::new(true, |all, one| all && one);
        assert!(may_close.send("empty").unwrap());
        let saved = may_close.subscribe(|file| file != "changed").unwrap();
        may_close
            .subscribe(|file| match file.as_str() {
                "locked" => Err(Error::new(Code::ERANGE, "somebody has it")),
                _ => Ok(true),
            })
            .unwrap();
        assert!(may_close.send("same").unwrap());
        assert!(!may_close.send("changed").unwrap());
        assert_eq!(may_close.send("locked").unwrap_err().code(), Code::ERANGE);
        saved.dispose();
        assert!(may_close.send("changed").unwrap());
    });
}

#[test]
fn commands_run_one_at_a_time_and_may_be_disabled() {
    case(|| {
        let (trace, enabled) = (Trace::new(), Subject::new());
        let work = Subject::<String>::new();
        let (count, running) = (Arc::new(AtomicUsize::new(0)), work.signal());
        let counter = count.clone();
        let command = Command::<i32, String>::new(Some(&enabled), move |n| {
            counter.fetch_add(1, Ordering::Relaxed);
            if n < 0 {
                Err(Error::new(Code::ERANGE, "negative"))
            } else {
                Ok(running.map(move |text| format!("{text}{n}")))
            }
        })
        .unwrap();
        command.executing().subscribe(trace.each()).unwrap();
        command.values().subscribe(trace.each()).unwrap();
        command.errors().subscribe(trace.each()).unwrap();
        let execution = command.execute(1).unwrap();
        assert_eq!(command.execute(2).map(drop).unwrap_err().code(), Code::EBUSY);
        work.next("x").unwrap();
        assert_eq!(trace.take(), "false true x1");
        work.completed().unwrap();
        assert_eq!(told(&execution), "\"x1\" |");
        assert_eq!(trace.take(), "false");
        assert_eq!(told(&command.execute(-1).unwrap()), "ERANGE");
        assert_eq!(trace.take(), "true false negative (ERANGE)");
        enabled.next(false).unwrap();
        assert_eq!(command.execute(1).map(drop).unwrap_err().code(), Code::EBUSY);
        assert_eq!(told(&command.enabled().take(1)), "false |");
        assert_eq!(count.load(Ordering::Relaxed), 2);
    });
}
