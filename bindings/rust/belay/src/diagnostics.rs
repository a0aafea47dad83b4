//! Counts of live objects, of losses and of misuse; overlaps; slow callbacks.
use std::os::raw::{c_char, c_void};
use std::ptr;
use std::time::Duration;

use belay_sys::*;

use crate::callbacks::{ctx, free, set_hook};
use crate::edge;
use crate::error::{check, Result};
use crate::handle::rust_text;

/// A kind of object that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Live {
    /// Subscriptions, until their closures have been dropped.
    Subscriptions,
    /// Signals.
    Signals,
    /// Subscribers.
    Subscribers,
    /// Disposables that are not subscriptions.
    Disposables,
    /// Owners, until their last step is over.
    Owners,
    /// Loops.
    Loops,
    /// Values that are boxed.
    Values,
    /// Errors.
    Errors,
    /// Objects whose pointer leads to a private copy of their table.
    Tables,
    /// Slots that are intercepted now.
    Slots,
    /// Delegate proxies.
    Proxies,
    /// Functions made at run time. A slot in a static table keeps its own.
    Closures,
    /// Class tables whose destroy function was replaced, which is for good.
    Classes,
    /// All of these but closures and classes.
    All,
}

impl Live {
    /// Its name: "subscriptions"; "all" for [`Live::All`].
    pub fn name(self) -> &'static str {
        if self == Live::All {
            return "all";
        }
        // The name is static, in ASCII.
        unsafe { std::ffi::CStr::from_ptr(belay_live_kind_name(self.number())) }
            .to_str()
            .unwrap_or("")
    }

    fn number(self) -> belay_live_kind {
        match self {
            Live::Subscriptions => BELAY_LIVE_SUBSCRIPTIONS,
            Live::Signals => BELAY_LIVE_SIGNALS,
            Live::Subscribers => BELAY_LIVE_SUBSCRIBERS,
            Live::Disposables => BELAY_LIVE_DISPOSABLES,
            Live::Owners => BELAY_LIVE_OWNERS,
            Live::Loops => BELAY_LIVE_LOOPS,
            Live::Values => BELAY_LIVE_VALUES,
            Live::Errors => BELAY_LIVE_ERRORS,
            Live::Tables => BELAY_LIVE_TABLES,
            Live::Slots => BELAY_LIVE_SLOTS,
            Live::Proxies => BELAY_LIVE_PROXIES,
            Live::Closures => BELAY_LIVE_CLOSURES,
            Live::Classes => BELAY_LIVE_CLASSES,
            Live::All => BELAY_LIVE_KINDS,
        }
    }
}

/// How many are alive in the process; exact when no other thread is making or ending any.
pub fn live_count(of: Live) -> usize {
    unsafe { belay_live_count(of.number()) }
}

/// Misuse seen so far in the process: calls that were answered
/// [`Code::EINVAL`](crate::Code::EINVAL), [`Code::EKIND`](crate::Code::EKIND) and the like.
pub fn misuse_count() -> u64 {
    unsafe { belay_misuse_count() }
}

/// Losses in the process: values, ends and work that were accepted and did not arrive, because a
/// loop closed before, and values that found their source ended or busy.
pub fn lost_count() -> u64 {
    unsafe { belay_lost_count() }
}

/// A line for each subscription whose closure runs on this thread, the innermost first: its name, and
/// where it was subscribed. Empty outside of closures.
pub fn delivery_stack() -> String {
    crate::handle::written(|buffer, size| unsafe { belay_delivery_stack(buffer, size) })
}

/// An overlap: a value came to a source during an event of the same source. The source delivers one
/// after the other. It may still be a mistake: a feedback loop, or a thread that should not send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlapKind {
    /// It was sent from inside that delivery.
    Nested,
    /// Another thread was delivering, in a shared source.
    Threads,
}

/// See [`on_overlap`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Overlap<'a> {
    /// The kind of the overlap.
    pub kind: OverlapKind,
    /// The name of the source.
    pub source: &'a str,
    /// The name of the subscription whose closure sent the value; empty when none did.
    pub sender: &'a str,
    /// Where the source was made, or empty: "src/main.rs:12".
    pub site: &'a str,
}

/// Sets the process's hook for overlaps; `None` takes it away. It gets each pair of names once, on
/// the sender's thread, inside the send.
pub fn on_overlap<F>(hook: Option<F>) -> Result<()>
where
    F: Fn(&Overlap<'_>) + Send + Sync + 'static,
{
    set_hook(belay_on_overlap, hook, Some(call_overlap::<F>))
}

unsafe extern "C" fn call_overlap<F: Fn(&Overlap<'_>)>(
    ctx: *mut c_void,
    overlap: belay_overlap,
    source: *const c_char,
    sender: *const c_char,
    site: *const c_char,
) {
    edge::quietly(|| {
        let nested = overlap == BELAY_OVERLAP_NESTED;
        let kind = if nested { OverlapKind::Nested } else { OverlapKind::Threads };
        let (source, sender, site) = (rust_text(source), rust_text(sender), rust_text(site));
        let overlap = Overlap { kind, source: &source, sender: &sender, site: &site };
        (*(ctx as *const F))(&overlap);
    });
}

/// Sets the process's hook for callbacks that take `limit` or longer: of subscriptions, of work, and
/// posted ones; `None` takes it away. Everything else that waits for such a callback's thread
/// waited for it. The hook gets the time, without callbacks inside of it, and the name of the
/// subscription or of the work, on that thread, after the callback. Threads of the pool are left
/// out.
pub fn on_slow_callback<F>(limit: Duration, hook: Option<F>) -> Result<()>
where
    F: Fn(Duration, &str) + Send + Sync + 'static,
{
    let seconds = limit.as_secs_f64();
    let code = match hook {
        None => unsafe { belay_on_slow_callback(seconds, None, ptr::null_mut(), None) },
        Some(hook) => unsafe {
            belay_on_slow_callback(seconds, Some(call_slow::<F>), ctx(hook), Some(free::<F>))
        },
    };
    check(code).map(drop)
}

unsafe extern "C" fn call_slow<F: Fn(Duration, &str)>(
    ctx: *mut c_void,
    seconds: f64,
    name: *const c_char,
    _site: *const c_char,
) {
    edge::quietly(|| (*(ctx as *const F))(Duration::from_secs_f64(seconds), &rust_text(name)));
}

/// The version of the library that is running, as "0.1.0".
pub fn version() -> &'static str {
    // It is static, in ASCII.
    unsafe { std::ffi::CStr::from_ptr(belay_version()) }.to_str().unwrap_or("")
}
