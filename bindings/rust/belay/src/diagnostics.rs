//! Counts of live objects, of losses and of misuse.

use belay_sys::*;

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

/// The version of the library that is running, as "0.1.0".
pub fn version() -> &'static str {
    // It is static, in ASCII.
    unsafe { std::ffi::CStr::from_ptr(belay_version()) }.to_str().unwrap_or("")
}
