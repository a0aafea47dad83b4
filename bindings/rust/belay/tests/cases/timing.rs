//! Virtual time, and what is tested and drawn under it.
use std::time::Duration;

use crate::support::{case, told, Trace};
use belay::{Code, Drawing, Marbles, Mark, Signal, VirtualScheduler};

const MS: Duration = Duration::from_millis(1);

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
