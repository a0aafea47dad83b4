//! What the tests share.
use std::sync::{Arc, Mutex, MutexGuard, Once};
use std::time::Duration;

use belay::{live_count, Error, Live, Loop, Signal, Unhandled, Value};

/// Runs a case alone, for what is alive is counted, and the descriptors: it has to leave as much as
/// it found.
pub fn case(body: impl FnOnce()) {
    static ALONE: Mutex<()> = Mutex::new(());
    static WARM: Once = Once::new();
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // libuv keeps the descriptors that the first loop opens.
    WARM.call_once(|| drop(Loop::new().unwrap().close().unwrap()));
    // The thread keeps its last failure.
    settle();
    let (before, open) = (counts(), descriptors());
    body();
    settle();
    assert_eq!(counts(), before, "what is alive");
    // Another thread may be about to give back what it has, such as that of a lookup.
    for _ in 0..10_000 {
        if descriptors() == open {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(descriptors(), open, "descriptors");
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Takes the thread's last failure out, twice: the first is lent until the second is asked for.
fn settle() {
    unsafe {
        belay::sys::belay_last_error();
        belay::sys::belay_last_error();
    }
}

fn counts() -> [usize; 11] {
    [
        Live::Subscriptions,
        Live::Signals,
        Live::Subscribers,
        Live::Disposables,
        Live::Owners,
        Live::Loops,
        Live::Values,
        Live::Errors,
        Live::Tables,
        Live::Slots,
        Live::Proxies,
    ]
    .map(live_count)
}

/// What closures note, in order.
#[derive(Clone, Debug, Default)]
pub struct Trace(Arc<Mutex<Vec<String>>>);

impl Trace {
    pub fn new() -> Trace {
        Trace::default()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn add(&self, what: impl ToString) {
        self.lock().push(what.to_string());
    }

    /// A closure that notes `what`.
    pub fn note(&self, what: &'static str) -> impl Fn() + Send + Sync + 'static {
        let trace = self.clone();
        move || trace.add(what)
    }

    /// A closure that notes what it is given.
    pub fn each<T: ToString>(&self) -> impl Fn(T) + Send + Sync + 'static {
        let trace = self.clone();
        move |value: T| trace.add(value.to_string())
    }

    /// What has been noted since it was last asked for.
    pub fn take(&self) -> String {
        std::mem::take(&mut *self.lock()).join(" ")
    }
}

/// Notes when it is dropped.
#[derive(Debug)]
pub struct Dropped(pub Trace, pub &'static str);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.add(self.1);
    }
}

/// What a signal sends while it is subscribed to: values, then `|`, or the error's name.
pub fn told<T: Value + std::fmt::Debug>(signal: &Signal<T>) -> String {
    let mut said = Vec::new();
    let mut is_over = false;
    for next in signal.iter().expect("it can be subscribed to") {
        match next {
            Ok(value) => said.push(format!("{value:?}")),
            Err(error) => {
                is_over = true;
                said.push(error.code().name().to_string());
            }
        }
    }
    if !is_over {
        said.push("|".to_string());
    }
    said.join(" ")
}

/// Runs `body` while errors that nobody handles are noted.
pub fn unhandled(trace: &Trace, body: impl FnOnce()) {
    let trace = trace.clone();
    let hook = move |unhandled: &Unhandled<'_>| {
        let file = unhandled.site.split(':').next().unwrap_or("").to_string();
        let name = file.rsplit('/').next().unwrap_or("").to_string();
        trace.add(format!("{}@{}", unhandled.error.code().name(), name));
    };
    belay::on_unhandled_error(Some(hook)).expect("a hook can be set");
    body();
    belay::on_unhandled_error(None::<fn(&Unhandled<'_>)>).expect("and taken back");
}

/// Runs `body` without the messages of panics that are meant.
pub fn silently(body: impl FnOnce()) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    std::panic::set_hook(hook);
    if let Err(payload) = result {
        std::panic::resume_unwind(payload);
    }
}

pub fn error(name: &str) -> Error {
    Error::new(belay::Code::ENOENT, name)
}
