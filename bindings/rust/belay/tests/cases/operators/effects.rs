//! What is done beside the flow.
use super::{failing, numbers};
use crate::support::{case, told, Trace};
use belay::{Error, Event, Signal, Tap};

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
        assert_eq!(trace.take(), "initially 1 2 none (ENOENT) finally torn down");
        let completed = numbers().tap_events(Tap::new().completed(trace.note("completed")));
        assert_eq!(told(&completed.log("quiet").take(0)), "|");
        assert_eq!(told(&completed), "1 2 3 4 |");
        assert_eq!(trace.take(), "completed");

        let into = trace.clone();
        let logged = Signal::just(1).log_to("one", move |line| into.add(line));
        assert_eq!(told(&logged), "1 |");
        let said = trace.take();
        assert!(said.contains("effects.rs:") && said.contains("one: next 1"), "{said}");

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
