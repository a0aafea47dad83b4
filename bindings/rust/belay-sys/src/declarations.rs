// Generated from include/belay by `scripts/api write`.
use core::ffi::c_void;
use core::marker::{PhantomData, PhantomPinned};
use std::os::raw::{c_char, c_int, c_uint};

/// `BELAY_VERSION_MAJOR` of `version.h`.
pub const BELAY_VERSION_MAJOR: c_int = 0;

/// `BELAY_VERSION_MINOR` of `version.h`.
pub const BELAY_VERSION_MINOR: c_int = 1;

/// `BELAY_VERSION_PATCH` of `version.h`.
pub const BELAY_VERSION_PATCH: c_int = 0;

/// Of a count: no limit. 0 is none, which is BELAY_EINVAL where none makes no sense.
pub const BELAY_UNLIMITED: usize = usize::MAX;

/// `belay_disposable` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_disposable {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_bag` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_bag {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_signal` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_signal {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_subscriber` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_subscriber {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_op` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_op {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_owner` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_owner {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_weak` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_weak {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_loop` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_loop {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_scheduler` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_scheduler {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_error` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_error {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Frees a callback's context. Runs exactly once, after the last callback that could use the
/// context has returned; also when the call that was given the context fails.
pub type belay_free_fn = Option<unsafe extern "C" fn(ctx: *mut c_void)>;

/// A callback that takes its context and nothing else.
pub type belay_action_fn = Option<unsafe extern "C" fn(ctx: *mut c_void)>;

/// `belay_kind` of `value.h`.
pub type belay_kind = c_uint;
/// Of [`belay_kind`].
pub const BELAY_KIND_NULL: belay_kind = 0;
/// Of [`belay_kind`].
pub const BELAY_KIND_BOOL: belay_kind = 1;
/// Of [`belay_kind`].
pub const BELAY_KIND_INT8: belay_kind = 2;
/// Of [`belay_kind`].
pub const BELAY_KIND_INT16: belay_kind = 3;
/// Of [`belay_kind`].
pub const BELAY_KIND_INT32: belay_kind = 4;
/// Of [`belay_kind`].
pub const BELAY_KIND_INT64: belay_kind = 5;
/// Of [`belay_kind`].
pub const BELAY_KIND_UINT8: belay_kind = 6;
/// Of [`belay_kind`].
pub const BELAY_KIND_UINT16: belay_kind = 7;
/// Of [`belay_kind`].
pub const BELAY_KIND_UINT32: belay_kind = 8;
/// Of [`belay_kind`].
pub const BELAY_KIND_UINT64: belay_kind = 9;
/// Of [`belay_kind`].
pub const BELAY_KIND_FLOAT: belay_kind = 10;
/// Of [`belay_kind`].
pub const BELAY_KIND_DOUBLE: belay_kind = 11;
/// a pointer, with or without a destructor
pub const BELAY_KIND_POINTER: belay_kind = 12;
/// what belay_value_failure() makes: a callback's way to fail
pub const BELAY_KIND_FAILURE: belay_kind = 13;
/// UTF-8 with a length, and a NUL after it
pub const BELAY_KIND_STRING: belay_kind = 14;
/// Of [`belay_kind`].
pub const BELAY_KIND_BYTES: belay_kind = 15;
/// a copy of a struct, with its type's name
pub const BELAY_KIND_STRUCT: belay_kind = 16;
/// of values
pub const BELAY_KIND_ARRAY: belay_kind = 17;
/// Of [`belay_kind`].
pub const BELAY_KIND_SIGNAL: belay_kind = 18;
/// Of [`belay_kind`].
pub const BELAY_KIND_SUBSCRIBER: belay_kind = 19;
/// Of [`belay_kind`].
pub const BELAY_KIND_DISPOSABLE: belay_kind = 20;
/// Of [`belay_kind`].
pub const BELAY_KIND_BAG: belay_kind = 21;
/// Of [`belay_kind`].
pub const BELAY_KIND_OWNER: belay_kind = 22;
/// Of [`belay_kind`].
pub const BELAY_KIND_WEAK: belay_kind = 23;
/// Of [`belay_kind`].
pub const BELAY_KIND_LOOP: belay_kind = 24;
/// Of [`belay_kind`].
pub const BELAY_KIND_SCHEDULER: belay_kind = 25;
/// Of [`belay_kind`].
pub const BELAY_KIND_ERROR: belay_kind = 26;

/// `belay_value` of `value.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_value {
    /// `payload_`.
    pub payload_: u64,
    /// `tag_`.
    pub tag_: u64,
}

/// A string or a run of bytes that belongs to somebody else.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_view {
    /// `data`.
    pub data: *const c_char,
    /// `size`.
    pub size: usize,
}

/// Results that are not failures.
pub const BELAY_OK: c_int = 0;

/// taken; delivered later: after the event in progress, or at home
pub const BELAY_QUEUED: c_int = 1;

/// errno's, where the meaning is errno's.
pub const BELAY_EINVAL: c_int = -22;

/// `BELAY_EAGAIN` of `error.h`.
pub const BELAY_EAGAIN: c_int = -11;

/// `BELAY_EBUSY` of `error.h`.
pub const BELAY_EBUSY: c_int = -16;

/// `BELAY_ECANCELED` of `error.h`.
pub const BELAY_ECANCELED: c_int = -125;

/// `BELAY_EDEADLK` of `error.h`.
pub const BELAY_EDEADLK: c_int = -35;

/// `BELAY_EILSEQ` of `error.h`.
pub const BELAY_EILSEQ: c_int = -84;

/// `BELAY_EINPROGRESS` of `error.h`.
pub const BELAY_EINPROGRESS: c_int = -115;

/// `BELAY_ENOENT` of `error.h`.
pub const BELAY_ENOENT: c_int = -2;

/// For a size that the caller asks for. When Belay cannot allocate what it needs itself, the process
/// ends by abort(), after a line on stderr.
pub const BELAY_ENOMEM: c_int = -12;

/// this build or system cannot
pub const BELAY_ENOTSUP: c_int = -95;

/// `BELAY_EPERM` of `error.h`.
pub const BELAY_EPERM: c_int = -1;

/// `BELAY_ERANGE` of `error.h`.
pub const BELAY_ERANGE: c_int = -34;

/// memory that is read-only
pub const BELAY_EROFS: c_int = -30;

/// `BELAY_ETIMEDOUT` of `error.h`.
pub const BELAY_ETIMEDOUT: c_int = -110;

/// Belay's own.
pub const BELAY_ENOHOME: c_int = -20000;

/// may be called on its loop's thread only
pub const BELAY_EWRONGTHREAD: c_int = -20001;

/// a value or a handle of another kind
pub const BELAY_EKIND: c_int = -20002;

/// the signal has ended, or its subscription has
pub const BELAY_EENDED: c_int = -20003;

/// disposed already
pub const BELAY_EDISPOSED: c_int = -20004;

/// a single-assignment disposable, assigned already
pub const BELAY_EASSIGNED: c_int = -20005;

/// sent from inside a delivery: where the policy rejects
/// it, or of too many inside each other
pub const BELAY_EREENTRANT: c_int = -20006;

/// the owner is dying or dead
pub const BELAY_EDEAD: c_int = -20007;

/// the loop has been closed
pub const BELAY_ECLOSED: c_int = -20008;

/// released already (checked builds)
pub const BELAY_ERELEASED: c_int = -20009;

/// the thread, or the loop, is bound to another one
pub const BELAY_EBOUND: c_int = -20010;

/// a test did not do what was expected
pub const BELAY_EMISMATCH: c_int = -20011;

/// Called for an error event that reached a subscription without an `error` callback. `signal` is
/// the name of the signal it was subscribed to, `site` the place of the subscription (NULL where
/// none was given). All are borrowed. Runs at the subscription's home.
pub type belay_unhandled_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error, signal: *const c_char, site: *const c_char)>;

/// What a subscription calls, and how it is run. Every callback may be NULL. Zero what is not
/// used; `size` is sizeof(belay_observer).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_observer {
    /// `size`.
    pub size: usize,
    /// `value` is borrowed. It may fail, by belay_fail(): the subscription ends with that error.
    pub next: Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value)>,
    /// borrowed; NULL: the unhandled-error hook
    pub error: Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error)>,
    /// `completed`.
    pub completed: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    /// exactly once, whichever way it ended
    pub disposed: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    /// `ctx`.
    pub ctx: *mut c_void,
    /// `ctx_free`.
    pub ctx_free: belay_free_fn,
    /// static; names the subscription in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// Its home; NULL: the loop bound to this thread, else this thread. The subscription ends when
    /// that handle is closed: see loop.h.
    pub r#loop: *mut belay_loop,
    /// The subscription ends with it; disposed at once, and still 0, when it is dying or dead. NULL:
    /// no owner.
    pub owner: *mut belay_owner,
    /// Instead of `next`, which is NULL then: what comes in a batch together, 1 to 256 values, lent
    /// with their array. A batch is what from, range, repeat_value, a replay, next_batch or one read
    /// of a file send, and what reaches a loop in one turn; any other value comes alone. An end comes
    /// after them; a disposal drops those that have not been delivered. What is upstream has seen the
    /// whole batch by then. Never entered again from inside. It may fail like `next`.
    pub next_batch: Option<unsafe extern "C" fn(ctx: *mut c_void, values: *const belay_value, count: usize)>,
}

impl Default for belay_observer {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_observer = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_observer>();
        made
    }
}

/// What happens to a value sent from inside a delivery of the same source. A value that is queued is
/// delivered when its sender has returned, who hears of it by BELAY_QUEUED: a belay_pointer() to
/// what the sender has only lent dangles then. A source whose values point to what lives as long as
/// the call (the arguments of a toolkit's signal, say) is made depth first, or sends copies.
pub type belay_reentrancy = c_uint;
/// delivered after the event in progress has reached everybody
pub const BELAY_REENTRANCY_QUEUE: belay_reentrancy = 0;
/// delivered at once
pub const BELAY_REENTRANCY_DEPTH_FIRST: belay_reentrancy = 1;
/// queued, but only the latest is kept
pub const BELAY_REENTRANCY_LATEST: belay_reentrancy = 2;
/// refused with BELAY_EREENTRANT
pub const BELAY_REENTRANCY_REJECT: belay_reentrancy = 3;

/// How a source is made. NULL, or zeroes after `size`, for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_source_options {
    /// `size`.
    pub size: usize,
    /// static; its name in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// its home; NULL: the loop bound to this thread, else this thread
    pub r#loop: *mut belay_loop,
    /// terminal events are always queued, except depth-first
    pub reentrancy: belay_reentrancy,
    /// how many values wait while one is delivered; 0: 1024. Full: BELAY_EAGAIN.
    /// (What comes from other threads waits in the loop's queue: loop.h)
    pub capacity: usize,
    /// 1: no home; sends deliver on the sender's thread, one at a time; what comes
    /// meanwhile from other threads is delivered by the one that is delivering
    pub shared: c_int,
}

impl Default for belay_source_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_source_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_source_options>();
        made
    }
}

/// Runs once for each subscription, at its home. `subscriber` is borrowed: retain it to send later,
/// else the subscription is interrupted when this returns. Returns a disposable that is given
/// away (or NULL): the producer's teardown. It is disposed when the subscription ends, at once if
/// that has happened by then.
pub type belay_subscribe_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, subscriber: *mut belay_subscriber) -> *mut belay_disposable>;

/// `belay_map_fn` of `operator.h`.
pub type belay_map_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> belay_value>;

/// 1: yes, 0: no, \< 0: failed.
pub type belay_predicate_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> c_int>;

/// `belay_equal_fn` of `operator.h`.
pub type belay_equal_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, a: belay_value, b: belay_value) -> c_int>;

/// Makes a signal of `source`, which is given away to it, and gives it away. NULL is a failure:
/// belay_fail()'s error, else BELAY_EINVAL.
pub type belay_compose_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, source: *mut belay_signal) -> *mut belay_signal>;

/// `belay_scan_fn` of `operator.h`.
pub type belay_scan_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, accumulated: belay_value, value: belay_value) -> belay_value>;

/// Whether `a` comes before `b`. 1: yes, 0: no, \< 0: failed.
pub type belay_less_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, a: belay_value, b: belay_value) -> c_int>;

/// `belay_object_fn` of `owner.h`.
pub type belay_object_fn = Option<unsafe extern "C" fn(object: *mut c_void)>;

/// NULL, or zeroes after `size`, for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_owner_options {
    /// `size`.
    pub size: usize,
    /// static; its name in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// where it dies; NULL: wherever the last reference is dropped
    pub r#loop: *mut belay_loop,
}

impl Default for belay_owner_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_owner_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_owner_options>();
        made
    }
}

/// A function that destroys an object, as tables of functions have it.
pub type belay_destroy_fn = Option<unsafe extern "C" fn(object: *mut c_void)>;

/// How an object is held.
pub type belay_association_policy = c_uint;
/// as it is given
pub const BELAY_ASSOCIATION_ASSIGN: belay_association_policy = 0;
/// `take(object)` counts a reference
pub const BELAY_ASSOCIATION_RETAIN: belay_association_policy = 1;
/// what `take(object)` returns is held, a copy
pub const BELAY_ASSOCIATION_COPY: belay_association_policy = 2;

/// `belay_association` of `association.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_association {
    /// `size`.
    pub size: usize,
    /// `key`.
    pub key: *const c_void,
    /// NULL is a kind like any other
    pub kind: *const c_void,
    /// not NULL
    pub object: *mut c_void,
    /// `policy`.
    pub policy: belay_association_policy,
    /// For retaining and copying; what it returns is what is held. NULL means that it failed.
    pub take: Option<unsafe extern "C" fn(object: *mut c_void) -> *mut c_void>,
    /// Ends what is held: when it is replaced or removed, or at the owner's death. May be NULL.
    pub free: belay_free_fn,
}

impl Default for belay_association {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_association = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_association>();
        made
    }
}

/// `belay_property` of `property.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_property {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_combine_fn` of `combining.h`.
pub type belay_combine_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, values: *const belay_value, count: usize) -> belay_value>;

/// `belay_command` of `command.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_command {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Makes the signal of an execution, which is given away; `input` is borrowed. NULL: it failed, with
/// belay_fail()'s error, else BELAY_EINVAL.
pub type belay_command_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, input: belay_value) -> *mut belay_signal>;

/// Returns a signal that is given away. NULL is a failure: belay_fail()'s error, else BELAY_EINVAL,
/// ends the subscription.
pub type belay_make_signal_fn = Option<unsafe extern "C" fn(ctx: *mut c_void) -> *mut belay_signal>;

/// 1: `*out` is the next value, given away; 0: there are no more; \< 0: failed (belay_fail).
pub type belay_iterate_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, out: *mut belay_value) -> c_int>;

/// Returns a value that is given away, or belay_value_failure().
pub type belay_produce_fn = Option<unsafe extern "C" fn(ctx: *mut c_void) -> belay_value>;

/// Makes a resource: returns what ends it, which is given away (NULL: it failed, as above), and may
/// set `*resource`, NULL before, to what it is.
pub type belay_make_resource_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, resource: *mut *mut c_void) -> *mut belay_disposable>;

/// Makes the signal that uses `resource`; as belay_make_signal_fn.
pub type belay_use_resource_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, resource: *mut c_void) -> *mut belay_signal>;

/// `belay_live_kind` of `diagnostics.h`.
pub type belay_live_kind = c_uint;
/// until their ctx_free has run
pub const BELAY_LIVE_SUBSCRIPTIONS: belay_live_kind = 0;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_SIGNALS: belay_live_kind = 1;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_SUBSCRIBERS: belay_live_kind = 2;
/// those that are not subscriptions
pub const BELAY_LIVE_DISPOSABLES: belay_live_kind = 3;
/// until their step 8 is over
pub const BELAY_LIVE_OWNERS: belay_live_kind = 4;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_LOOPS: belay_live_kind = 5;
/// boxed ones
pub const BELAY_LIVE_VALUES: belay_live_kind = 6;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_ERRORS: belay_live_kind = 7;
/// how many kinds there are
pub const BELAY_LIVE_KINDS: belay_live_kind = 8;

/// Gets a line without its end, borrowed.
pub type belay_log_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, line: *const c_char)>;

/// What to stop at: 1 stops, anything else goes on.
pub type belay_stop_at_error_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error) -> c_int>;

/// `belay_stop_fn` of `effects.h`.
pub type belay_stop_fn = Option<unsafe extern "C" fn(ctx: *mut c_void) -> c_int>;

/// What recursive work runs itself again by.
#[repr(C)]
#[derive(Debug)]
pub struct belay_recursion {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_recursive_fn` of `scheduler.h`.
pub type belay_recursive_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, recursion: *mut belay_recursion)>;

/// `belay_flat_map_fn` of `flattening.h`.
pub type belay_flat_map_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> *mut belay_signal>;

/// `belay_catch_fn` of `flattening.h`.
pub type belay_catch_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error) -> *mut belay_signal>;

/// `events` is borrowed: retain it to return it itself.
pub type belay_when_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, events: *mut belay_signal) -> *mut belay_signal>;

/// 0 or more: go on, \< 0: failed.
pub type belay_attempt_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> c_int>;

/// `belay_interface` of `interface.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_interface {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Any function; cast to its type to call it.
pub type belay_function = Option<unsafe extern "C" fn()>;

/// `belay_method_flags` of `interface.h`.
pub type belay_method_flags = c_uint;
/// may not be intercepted: BELAY_EPERM
pub const BELAY_METHOD_PERFORMANCE_SENSITIVE: belay_method_flags = 1;
/// The object, which its `@` is, is gone when the function has returned: a slot of it ends its
/// owner around it. (A destructor, a `close`.)
pub const BELAY_METHOD_ENDS_OBJECT: belay_method_flags = 2;

/// One function of the table; `size` is sizeof(belay_method). What it points to is static, and is
/// not copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_method {
    /// `size`.
    pub size: usize,
    /// not empty
    pub name: *const c_char,
    /// where the table has it
    pub offset: usize,
    /// `shape`.
    pub shape: *const c_char,
    /// `flags`.
    pub flags: c_uint,
}

impl Default for belay_method {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_method = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_method>();
        made
    }
}

/// `belay_interface_description` of `interface.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_interface_description {
    /// `size`.
    pub size: usize,
    /// for messages; static, not copied
    pub name: *const c_char,
    /// of the struct of functions
    pub table_size: usize,
    /// static, not copied
    pub methods: *const belay_method,
    /// `method_count`.
    pub method_count: usize,
    /// Its methods are this one's, too: the table begins with one of that interface's. May be NULL.
    pub base: *mut belay_interface,
    /// Where an object keeps the pointer to its table: its offset; BELAY_NO_TABLE when it has none.
    pub table_offset: usize,
    /// Hands `table` to `object`, which keeps the pointer as its delegate's; NULL takes it away. For
    /// proxies; NULL: the base's, and there is none without. Called without a lock, again with the
    /// same table when other methods are in it. 0 or a failure, after which the object has what it
    /// had.
    pub install: Option<unsafe extern "C" fn(object: *mut c_void, table: *const c_void) -> c_int>,
    /// The table that the object has now, whoever's, or NULL. May be NULL, then it is the base's;
    /// without one nobody else's table is seen.
    pub installed: Option<unsafe extern "C" fn(object: *mut c_void) -> *const c_void>,
}

impl Default for belay_interface_description {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_interface_description = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_interface_description>();
        made
    }
}

/// `BELAY_NO_TABLE` of `interface.h`.
pub const BELAY_NO_TABLE: usize = usize::MAX;

/// `belay_invocation` of `invocation.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_invocation {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `uv_loop_s` of `loop.h`.
#[repr(C)]
#[derive(Debug)]
pub struct uv_loop_s {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_run_mode` of `loop.h`.
pub type belay_run_mode = c_uint;
/// until nothing is left to wait for, or belay_loop_stop()
pub const BELAY_RUN_DEFAULT: belay_run_mode = 0;
/// one turn; waits for something to do
pub const BELAY_RUN_ONCE: belay_run_mode = 1;
/// one turn; does not wait
pub const BELAY_RUN_NOWAIT: belay_run_mode = 2;

/// NULL, or zeroes after `size`, for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_loop_options {
    /// `size`.
    pub size: usize,
    /// static; its name in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// of the queue from other threads (events, scheduled work, posts; ends and
    /// disposals are never refused); 0: 1024. The first user's counts
    pub capacity: usize,
    /// 1: waiting for other threads counts as something to wait for, so that a
    /// run goes on until belay_loop_stop(), as long as this user is there
    pub persistent: c_int,
    /// 1: prints nothing about what is still there when this user leaves
    pub quiet: c_int,
    /// Of the libuv that the caller has: UV_VERSION_HEX, or what uv_version() says; 0: unknown.
    /// BELAY_ENOTSUP when the libuv that Belay calls is of another major version, or of an older minor
    /// one: then two copies of it are in the process, or the wrong one.
    pub uv_version: u32,
}

impl Default for belay_loop_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_loop_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_loop_options>();
        made
    }
}

/// Something that was still open on a loop when it was closed.
#[repr(C)]
#[derive(Debug)]
pub struct belay_open_resource {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `resources` are `count` of them, borrowed with their array until this returns.
pub type belay_closed_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, resources: *const *const belay_open_resource, count: usize)>;

/// `user_info` as it was given, `name` borrowed, `address`: what belay_owner_create() got as
/// `object`, or the adopted pointer. The owner itself is dead.
pub type belay_notice_fn = Option<unsafe extern "C" fn(user_info: *mut c_void, name: *const c_char, address: *mut c_void)>;

/// `belay_notice_visit_fn` of `notice.h`.
pub type belay_notice_visit_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, name: *const c_char, user_info: *mut c_void)>;

/// `belay_type` of `object.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_type {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// One field; `size` is sizeof(belay_field). What it points to is static, and is not copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_field {
    /// `size`.
    pub size: usize,
    /// not empty, without dots
    pub name: *const c_char,
    /// What lies at `offset`: the integer, `float`, `double` or `void *` of that name
    /// (BELAY_KIND_INT16: an int16_t), an `int` for BELAY_KIND_BOOL; for BELAY_KIND_OWNER a
    /// `belay_owner *` and for BELAY_KIND_WEAK a `belay_weak *`, each NULL or with a reference of its
    /// own: a strong and a weak reference to another object. For every other kind a `belay_value`
    /// with a reference of its own; BELAY_KIND_NULL is one of any kind. All of them have to be
    /// initialised. A weak reference is read as an owner, or as null.
    pub kind: belay_kind,
    /// `offset`.
    pub offset: usize,
    /// Instead of reading at `offset`; returns a value (given away). May be NULL. What it returns is
    /// not watched for its death.
    pub get: Option<unsafe extern "C" fn(object: *mut c_void) -> belay_value>,
    /// Instead of writing at `offset`; `value` is borrowed. 0 or a failure. May be NULL; with `get`
    /// and without this, the field is only read.
    pub set: Option<unsafe extern "C" fn(object: *mut c_void, value: belay_value) -> c_int>,
    /// The names of fields, of those before this one, that its value is made of; ends with NULL. May
    /// be NULL.
    pub depends_on: *const *const c_char,
}

impl Default for belay_field {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_field = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_field>();
        made
    }
}

/// Besides its fields an object has any property, by name, that somebody sets; Belay holds the
/// value, a weak reference as such.
pub const BELAY_TYPE_DYNAMIC: c_uint = 1;

/// How a path is observed; together by |.
pub type belay_observe_flags = c_uint;
/// the value at the moment of subscribing is sent, too
pub const BELAY_OBSERVE_INITIAL: belay_observe_flags = 1;
/// what is sent are records (belay_change), with the old value
pub const BELAY_OBSERVE_OLD: belay_observe_flags = 2;
/// what is sent are records, and one comes before each change
pub const BELAY_OBSERVE_PRIOR: belay_observe_flags = 4;
/// what is sent are records
pub const BELAY_OBSERVE_CHANGES: belay_observe_flags = 8;

/// `belay_observe_options` of `object.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_observe_options {
    /// `size`.
    pub size: usize,
    /// `flags`.
    pub flags: c_uint,
    /// its death completes the signal; may be NULL
    pub observer: *mut belay_owner,
}

impl Default for belay_observe_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_observe_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_observe_options>();
        made
    }
}

/// What a change was.
pub type belay_change_flags = c_uint;
/// none: the value at the moment of subscribing
pub const BELAY_CHANGE_INITIAL: belay_change_flags = 1;
/// it is about to happen; `value` is the old one
pub const BELAY_CHANGE_PRIOR: belay_change_flags = 2;
/// what a key refers to is dying: `value` is null
pub const BELAY_CHANGE_DEATH: belay_change_flags = 4;
/// of the path's last key, not of one before
pub const BELAY_CHANGE_ONLY_LAST: belay_change_flags = 8;

/// A record that was sent; borrowed from it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_change {
    /// set before belay_change_get(), which fills in the rest
    pub size: usize,
    /// `value`.
    pub value: belay_value,
    /// null unless it was asked for
    pub old: belay_value,
    /// `flags`.
    pub flags: c_uint,
}

impl Default for belay_change {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_change = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_change>();
        made
    }
}

/// What is bound: what a path of an object leads to, or a property. `size` is
/// sizeof(belay_bindable).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_bindable {
    /// `size`.
    pub size: usize,
    /// `object`.
    pub object: *mut belay_owner,
    /// `path`.
    pub path: *const c_char,
    /// or this, and `object` is NULL
    pub property: *mut belay_property,
    /// makes of a value what the other one is set to; NULL: as it is
    pub convert: belay_map_fn,
}

impl Default for belay_bindable {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_bindable = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_bindable>();
        made
    }
}

/// `belay_binding` of `object.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_binding {
    /// `size`.
    pub size: usize,
    /// `from`.
    pub from: *const belay_bindable,
    /// `to`.
    pub to: *const belay_bindable,
    /// `both_ways`.
    pub both_ways: c_int,
    /// of both conversions
    pub ctx: *mut c_void,
    /// `ctx_free`.
    pub ctx_free: belay_free_fn,
}

impl Default for belay_binding {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_binding = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_binding>();
        made
    }
}

/// the usual level
pub const BELAY_OWNER_EVENT_LEVEL: c_int = 1000;

/// What a handler gets; all of it borrowed until it returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_owner_event {
    /// how much of it there is: members that a later version adds are within it
    pub size: usize,
    /// `name`.
    pub name: *const c_char,
    /// belay_owner_object() of who posted it
    pub object: *mut c_void,
    /// that of who watches, so that `ctx` need not hold it
    pub watcher: *mut c_void,
    /// `user_info`.
    pub user_info: belay_value,
}

impl Default for belay_owner_event {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_owner_event = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_owner_event>();
        made
    }
}

/// `belay_owner_event_fn` of `owner_event.h`.
pub type belay_owner_event_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, event: *const belay_owner_event)>;

/// `belay_slot` of `slot.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_slot {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_slot_flags` of `slot.h`.
pub type belay_slot_flags = c_uint;
/// write to memory that is read-only, and protect it again
pub const BELAY_SLOT_UNPROTECT: belay_slot_flags = 1;

/// Called in place of the method, on the calling thread: it can look at and change the arguments,
/// belay_invocation_proceed() or not (a veto), and set the result. `call` is borrowed. A failure
/// (negative) is recorded for the thread that calls, and the call is answered as it stands.
pub type belay_around_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, call: *mut belay_invocation) -> c_int>;

/// Answers a call where there is no original, or besides it; returns the answer (given away). `call`
/// is borrowed. A failure value is recorded for the thread that calls, and counts as null.
pub type belay_respond_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, call: *mut belay_invocation) -> belay_value>;

/// `belay_proxy` of `proxy.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_proxy {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Each callback may be NULL. `object` is the owner's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_responder {
    /// `size`.
    pub size: usize,
    /// the methods that are looked for in `table`
    pub interface: *mut belay_interface,
    /// borrowed while the object lives; may be NULL
    pub table: *const c_void,
    /// A function with the method's shape, or NULL.
    pub resolve: Option<unsafe extern "C" fn(ctx: *mut c_void, object: *mut c_void, method: *const c_char) -> belay_function>,
    /// Who else is sent the invocation, borrowed, or NULL.
    pub target: Option<unsafe extern "C" fn(ctx: *mut c_void, object: *mut c_void, method: *const c_char) -> *mut belay_owner>,
    /// 0 when it has dealt with the invocation; BELAY_ENOENT when it has not; another failure.
    pub forward: Option<unsafe extern "C" fn(ctx: *mut c_void, object: *mut c_void, invocation: *mut belay_invocation) -> c_int>,
    /// `ctx`.
    pub ctx: *mut c_void,
    /// `ctx_free`.
    pub ctx_free: belay_free_fn,
}

impl Default for belay_responder {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_responder = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_responder>();
        made
    }
}

/// What of a shared signal outlives an end; bits.
pub type belay_share_rules = c_uint;
/// Of [`belay_share_rules`].
pub const BELAY_SHARE_RESET: belay_share_rules = 0;
/// Who comes after an error gets what is replayed and the error; else subscribes anew.
pub const BELAY_SHARE_KEEP_ERROR: belay_share_rules = 1;
/// The same, for completion.
pub const BELAY_SHARE_KEEP_COMPLETED: belay_share_rules = 2;
/// The source stays subscribed when nobody listens any more.
pub const BELAY_SHARE_KEEP_CONNECTION: belay_share_rules = 4;

/// For belay_file_lines().
pub const BELAY_FILE_FOLLOW: c_uint = 1;

/// begins with what is appended
pub const BELAY_FILE_FROM_END: c_uint = 2;

/// What happens to a value for which a queue has no room.
pub type belay_queue_policy = c_uint;
/// the signal ends with the error BELAY_EAGAIN, after what waits
pub const BELAY_QUEUE_ERROR: belay_queue_policy = 0;
/// the oldest that waits makes room
pub const BELAY_QUEUE_DROP_OLDEST: belay_queue_policy = 1;
/// it is dropped
pub const BELAY_QUEUE_DROP_NEWEST: belay_queue_policy = 2;
/// only the latest that waits is kept, whatever the capacity
pub const BELAY_QUEUE_LATEST: belay_queue_policy = 3;
/// its sender sleeps until there is room; on a thread with a loop, or where the
/// queue is emptied by the same thread, as BELAY_QUEUE_ERROR
pub const BELAY_QUEUE_BLOCK: belay_queue_policy = 4;

/// How observe_on queues. NULL, or zeroes after `size`, for the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_queue_options {
    /// `size`.
    pub size: usize,
    /// `policy`.
    pub policy: belay_queue_policy,
    /// how many values wait at most; 0: 1024. Ends are never refused
    pub capacity: usize,
    /// Raised, by an atomic store, to the most that ever waited in a subscription's queue. Borrowed:
    /// it has to live as long as the signal and its subscriptions. NULL: not wanted.
    pub high_water: *mut usize,
}

impl Default for belay_queue_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_queue_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_queue_options>();
        made
    }
}

/// Returns another error, given away; `error` is borrowed (belay_error_retain() passes it on). NULL
/// fails: belay_fail()'s error, else BELAY_EINVAL, comes instead.
pub type belay_map_error_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error) -> *mut belay_error>;

/// The first item of the arrays that belay_op_materialize() sends, an int32.
pub type belay_event = c_uint;
/// \[0 value\]
pub const BELAY_EVENT_NEXT: belay_event = 0;
/// \[1 error\], the error as belay_value_from_error()
pub const BELAY_EVENT_ERROR: belay_event = 1;
/// \[2\]
pub const BELAY_EVENT_COMPLETED: belay_event = 2;

/// `belay_worker` of `worker.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_worker {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_drawing` of `drawing.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_drawing {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_mark` of `drawing.h`.
pub type belay_mark = c_uint;
/// Of [`belay_mark`].
pub const BELAY_MARK_NEXT: belay_mark = 0;
/// its label is a message
pub const BELAY_MARK_ERROR: belay_mark = 1;
/// Of [`belay_mark`].
pub const BELAY_MARK_COMPLETED: belay_mark = 2;
/// Of [`belay_mark`].
pub const BELAY_MARK_SUBSCRIBED: belay_mark = 3;
/// Of [`belay_mark`].
pub const BELAY_MARK_UNSUBSCRIBED: belay_mark = 4;

/// `belay_marbles` of `marbles.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_marbles {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

extern "C" {
    /// The version of the library that is running, as "0.1.0". Static; any thread.
    pub fn belay_version() -> *const c_char;
    /// Copies a NUL-terminated string. NULL gives the null value. Text that is not UTF-8 gives the
    /// failure value BELAY_EILSEQ: use belay_bytes() for it.
    pub fn belay_string(text: *const c_char) -> belay_value;
    /// The same for `size` bytes, which may hold NULs.
    pub fn belay_string_n(text: *const c_char, size: usize) -> belay_value;
    /// Copies bytes. NULL with a size other than 0 gives the failure value BELAY_EINVAL.
    pub fn belay_bytes(data: *const c_void, size: usize) -> belay_value;
    /// Copies a struct. `type` is its name, a static string, and is compared when it is read back.
    pub fn belay_struct(r#type: *const c_char, data: *const c_void, size: usize) -> belay_value;
    /// A pointer whose `destroy` runs, once, when the last reference to the value is released, on
    /// the thread that releases it.
    pub fn belay_pointer_owned(p: *mut c_void, destroy: belay_free_fn) -> belay_value;
    /// The same with the name of what it points to, a static string that is compared when it is read
    /// back: so whoever reads it knows what it is. A NULL `type` is belay_pointer_owned().
    pub fn belay_pointer_typed(r#type: *const c_char, p: *mut c_void, destroy: belay_free_fn) -> belay_value;
    /// The same for what one thread alone may touch: `destroy` runs, once, on the thread of `loop`, at
    /// once where the last reference is released there, else at its next turn; when that handle is
    /// closed, at the latest then. Only on that thread can the pointer be read: elsewhere
    /// BELAY_EWRONGTHREAD, and after the close BELAY_ECLOSED. `type` may be NULL. The failure value
    /// BELAY_ECLOSED for a loop that is closed, BELAY_EINVAL for NULL; `destroy` has run then. Any
    /// thread.
    pub fn belay_pointer_at(r#loop: *mut belay_loop, r#type: *const c_char, p: *mut c_void, destroy: belay_free_fn) -> belay_value;
    /// An array of `count` values; takes each of them over.
    pub fn belay_array_of(items: *const belay_value, count: usize) -> belay_value;
    /// A handle as a value; keeps its own reference, takes nothing over. NULL gives the null value.
    pub fn belay_value_from_signal(handle: *mut belay_signal) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_subscriber(handle: *mut belay_subscriber) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_disposable(handle: *mut belay_disposable) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_bag(handle: *mut belay_bag) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_owner(handle: *mut belay_owner) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_weak(handle: *mut belay_weak) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_loop(handle: *mut belay_loop) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_scheduler(handle: *mut belay_scheduler) -> belay_value;
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_error(handle: *const belay_error) -> belay_value;
    /// What a callback that must return a value returns when it cannot: the error event carries
    /// `code` (negative; anything else becomes BELAY_EINVAL) and a copy of `message` (may be NULL).
    /// Elsewhere it is an ordinary value of kind BELAY_KIND_FAILURE.
    pub fn belay_value_failure(code: c_int, message: *const c_char) -> belay_value;
    /// The same with an error that has more to tell, a value or a cause; keeps its own reference to it.
    /// NULL is belay_value_failure(BELAY_EINVAL, NULL).
    pub fn belay_value_failure_with(error: *const belay_error) -> belay_value;
    /// Another reference to `v`, which it returns.
    pub fn belay_value_retain(v: belay_value) -> belay_value;
    /// Gives a reference back.
    pub fn belay_value_release(v: belay_value);
    /// `belay_value_kind` of `value.h`.
    pub fn belay_value_kind(v: belay_value) -> belay_kind;
    /// "int32", "string", …; "unknown" for a number that is no kind. Static.
    pub fn belay_kind_name(kind: belay_kind) -> *const c_char;
    /// Each stores into `out` (may be NULL) and returns 0; BELAY_EKIND when the value is
    /// of another kind, BELAY_ERANGE when it does not fit; `out` is then unchanged. Integers convert
    /// to any integer type that holds them and to double while exact; float converts to double.
    /// Nothing else converts.
    pub fn belay_value_get_bool(v: belay_value, out: *mut c_int) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_int32(v: belay_value, out: *mut i32) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_int64(v: belay_value, out: *mut i64) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_uint32(v: belay_value, out: *mut u32) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_uint64(v: belay_value, out: *mut u64) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_float(v: belay_value, out: *mut f32) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_double(v: belay_value, out: *mut f64) -> c_int;
    /// See [`belay_value_get_bool`].
    pub fn belay_value_get_pointer(v: belay_value, out: *mut *mut c_void) -> c_int;
    /// What belay_pointer_typed() was given; BELAY_EKIND when the type's name differs, and for any other
    /// pointer; BELAY_EINVAL for a NULL `type`. It lives as long as the value.
    pub fn belay_value_get_typed(v: belay_value, r#type: *const c_char, out: *mut *mut c_void) -> c_int;
    /// The text lives as long as the value; a NUL follows it.
    pub fn belay_value_get_string(v: belay_value, out: *mut belay_view) -> c_int;
    /// Bytes, or a string's bytes. They live as long as the value.
    pub fn belay_value_get_bytes(v: belay_value, out: *mut belay_view) -> c_int;
    /// Copies a struct into `out`; BELAY_EKIND when the type's name differs, BELAY_ERANGE when the
    /// size does.
    pub fn belay_value_get_struct(v: belay_value, r#type: *const c_char, out: *mut c_void, size: usize) -> c_int;
    /// How many items an array has; 0 for any other kind.
    pub fn belay_value_count(v: belay_value) -> usize;
    /// An item of an array, borrowed from it. BELAY_ERANGE past the end.
    pub fn belay_value_get_item(v: belay_value, index: usize, out: *mut belay_value) -> c_int;
    /// The handle inside, borrowed from the value; NULL, and BELAY_EKIND recorded, for another kind.
    pub fn belay_value_get_signal(v: belay_value) -> *mut belay_signal;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_subscriber(v: belay_value) -> *mut belay_subscriber;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_disposable(v: belay_value) -> *mut belay_disposable;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_bag(v: belay_value) -> *mut belay_bag;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_owner(v: belay_value) -> *mut belay_owner;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_weak(v: belay_value) -> *mut belay_weak;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_loop(v: belay_value) -> *mut belay_loop;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_scheduler(v: belay_value) -> *mut belay_scheduler;
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_error(v: belay_value) -> *const belay_error;
    /// Answers what the getter of that kind answers, without recording a failure: 0, and stores into `out`
    /// (may be NULL, to ask only); BELAY_EKIND or BELAY_ERANGE, and `out` is unchanged; BELAY_EINVAL for a
    /// kind that is none. It converts as that getter does. `out` points to what it points to there: the
    /// type of that name for a number, a `belay_view` for a string and for bytes; for a handle it points
    /// to a pointer to one, borrowed from the value. Nothing is stored for null, a failure, a struct and
    /// an array.
    pub fn belay_value_try(v: belay_value, kind: belay_kind, out: *mut c_void) -> c_int;
    /// The same for what belay_value_get_typed(), _get_struct() and _get_item() read.
    pub fn belay_value_try_typed(v: belay_value, r#type: *const c_char, out: *mut *mut c_void) -> c_int;
    /// See [`belay_value_try_typed`].
    pub fn belay_value_try_struct(v: belay_value, r#type: *const c_char, out: *mut c_void, size: usize) -> c_int;
    /// See [`belay_value_try_typed`].
    pub fn belay_value_try_item(v: belay_value, index: usize, out: *mut belay_value) -> c_int;
    /// 1 when both are of one kind and equal (floats by ==, boxes by content, handles by identity),
    /// else 0.
    pub fn belay_value_equal(a: belay_value, b: belay_value) -> c_int;
    /// Writes a readable form, cut to `size` bytes with its NUL; returns the length of the whole.
    pub fn belay_value_describe(v: belay_value, buffer: *mut c_char, size: usize) -> usize;
    /// A code's name ("EINVAL", "ENOHOME", …); "UNKNOWN" for a code that is none. Static.
    pub fn belay_error_name(code: c_int) -> *const c_char;
    /// A code's text, in English. Static.
    pub fn belay_error_text(code: c_int) -> *const c_char;
    /// Makes an error object for belay_subscriber_error() and its like. `code` is negative
    /// (anything else becomes BELAY_EINVAL). `domain` and `message` are copied; NULL means "belay"
    /// and the code's text. Takes `value` over (belay_null() for none), keeps its own reference to
    /// `cause` (may be NULL). Release the result.
    pub fn belay_error_create(code: c_int, domain: *const c_char, message: *const c_char, value: belay_value, cause: *const belay_error) -> *mut belay_error;
    /// Another reference to `error`, which it returns. Errors are immutable; any thread.
    pub fn belay_error_retain(error: *const belay_error) -> *mut belay_error;
    /// See [`belay_error_retain`].
    pub fn belay_error_release(error: *const belay_error);
    /// The parts of an error, each borrowed from it. For NULL: 0, "", "", null, NULL.
    pub fn belay_error_code(error: *const belay_error) -> c_int;
    /// See [`belay_error_code`].
    pub fn belay_error_domain(error: *const belay_error) -> *const c_char;
    /// See [`belay_error_code`].
    pub fn belay_error_message(error: *const belay_error) -> *const c_char;
    /// See [`belay_error_code`].
    pub fn belay_error_payload(error: *const belay_error) -> belay_value;
    /// See [`belay_error_code`].
    pub fn belay_error_cause(error: *const belay_error) -> *const belay_error;
    /// The last failure of a call on this thread, or NULL; taking it clears it. Borrowed: valid until
    /// this thread's next belay_last_error(). A call that fails because of a NULL handle records
    /// nothing while a failure waits: that one has made the NULL. What a callback fails with by
    /// belay_fail() is not replaced either. A callback starts with none, and its caller's is restored
    /// when it returns.
    pub fn belay_last_error() -> *const belay_error;
    /// For a callback that returns int and cannot go on: records `message` (copied; may be NULL) for
    /// this thread, in the place of what waits, and returns `code`, so that
    /// `return belay_fail(BELAY_EINVAL, "no date")` becomes the error event. A code that is not negative
    /// becomes BELAY_EINVAL. An observer's `next`, which returns nothing, fails by the call alone.
    pub fn belay_fail(code: c_int, message: *const c_char) -> c_int;
    /// The same with an error that has more to tell, a value or a cause; keeps its own reference to it.
    /// Returns its code; NULL is belay_fail(BELAY_EINVAL, NULL).
    pub fn belay_fail_with(error: *const belay_error) -> c_int;
    /// Sets the process's hook for errors that nobody handles, for homes whose loop has none of its
    /// own; NULL puts back the default, which prints a line to stderr. Replaces the previous one,
    /// whose `ctx_free` runs when no thread is in it any more. Any thread.
    pub fn belay_on_unhandled_error(hook: belay_unhandled_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// `belay_signal_retain` of `signal.h`.
    pub fn belay_signal_retain(signal: *mut belay_signal) -> *mut belay_signal;
    /// Gives a reference back. For a subject, the last one interrupts its subscriptions.
    pub fn belay_signal_release(signal: *mut belay_signal);
    /// The signal's name: its label, or one built from its chain ("lines.filter.map"). Borrowed, lives
    /// as long as the signal.
    pub fn belay_signal_name(signal: *mut belay_signal) -> *const c_char;
    /// Gives the signal a name of its own (copied). NULL goes back to the built one. Set it before
    /// the signal is shared between threads.
    pub fn belay_signal_set_name(signal: *mut belay_signal, name: *const c_char) -> c_int;
    /// Subscribes. `observer` is copied. `*disposable` (may be NULL) gets a reference, before anything is
    /// called, so that a callback can dispose of it while this still runs; NULL on failure. `ctx_free`
    /// runs also on failure, before this returns. Any thread; away from the source's home the disposable
    /// exists at once and the start is posted there (BELAY_ENOHOME when that home has no loop).
    /// BELAY_ERANGE, also as the error event, for more than 1000 operators or signals in signals between
    /// a source and here.
    pub fn belay_signal_subscribe(signal: *mut belay_signal, observer: *const belay_observer, disposable: *mut *mut belay_disposable) -> c_int;
    /// A cold signal. `ctx_free` runs when the signal and its last subscription are gone, also when
    /// this fails. `options` may be NULL; its `loop` is not used: each subscription's home is.
    pub fn belay_signal_create(subscribe: belay_subscribe_fn, ctx: *mut c_void, ctx_free: belay_free_fn, options: *const belay_source_options) -> *mut belay_signal;
    /// One value (taken over), then completed.
    pub fn belay_signal_just(value: belay_value) -> *mut belay_signal;
    /// `count` values (each taken over), then completed.
    pub fn belay_signal_from(values: *const belay_value, count: usize) -> *mut belay_signal;
    /// Completed, at once.
    pub fn belay_signal_empty() -> *mut belay_signal;
    /// Nothing, ever; it is not interrupted either.
    pub fn belay_signal_never() -> *mut belay_signal;
    /// An error, at once. Keeps its own reference.
    pub fn belay_signal_error(error: *const belay_error) -> *mut belay_signal;
    /// A producer may keep a subscriber and use it on any thread: what is sent away from the
    /// subscription's home is queued there. Releasing the last reference without an end interrupts
    /// the subscription.
    pub fn belay_subscriber_retain(subscriber: *mut belay_subscriber) -> *mut belay_subscriber;
    /// See [`belay_subscriber_retain`].
    pub fn belay_subscriber_release(subscriber: *mut belay_subscriber);
    /// Each returns 0, BELAY_QUEUED (taken, delivered later), BELAY_EENDED (ended or disposed: dropped),
    /// BELAY_EAGAIN (a queue is full), BELAY_ENOHOME, BELAY_ECANCELED (the loop is closed). `value` is
    /// given away in every case; `error` is not.
    pub fn belay_subscriber_next(subscriber: *mut belay_subscriber, value: belay_value) -> c_int;
    /// Sends `count` values (each given away) as one batch: observer.next_batch. Returns the code of the
    /// first that was refused, whose successors are dropped, else that of the last one; BELAY_EINVAL
    /// for NULL with a count.
    pub fn belay_subscriber_next_batch(subscriber: *mut belay_subscriber, values: *const belay_value, count: usize) -> c_int;
    /// See [`belay_subscriber_next_batch`].
    pub fn belay_subscriber_error(subscriber: *mut belay_subscriber, error: *const belay_error) -> c_int;
    /// See [`belay_subscriber_next_batch`].
    pub fn belay_subscriber_completed(subscriber: *mut belay_subscriber) -> c_int;
    /// Makes `disposable` end with the subscription, beside the one the producer returns.
    pub fn belay_subscriber_add(subscriber: *mut belay_subscriber, disposable: *mut belay_disposable) -> c_int;
    /// 1 when nobody listens any more.
    pub fn belay_subscriber_is_disposed(subscriber: *mut belay_subscriber) -> c_int;
    /// Applies `count` operators to `source`, in order, and returns the resulting signal. Takes all of
    /// them over. `ops` may be NULL when `count` is 0. NULL, BELAY_ERANGE: a chain of more than 1000
    /// operators, of which up to 256 maps and filters that follow each other count as one.
    pub fn belay_signal_chain_n(source: *mut belay_signal, ops: *const *mut belay_op, count: usize) -> *mut belay_signal;
    /// Gives an operator back that was not applied.
    pub fn belay_op_release(op: *mut belay_op);
    /// An operator of one's own: the signal that `make` makes of the source, once, when it is applied.
    /// If it fails the chain is NULL. `ctx_free` runs after that, or when the operator is given back.
    /// (lift, compose elsewhere.)
    pub fn belay_op_compose(make: belay_compose_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Each value becomes what `map` returns (belay_value_failure() ends the signal with an error).
    pub fn belay_op_map(map: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Only values for which `keep` returns 1.
    pub fn belay_op_filter(keep: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The first `count` values; with the last of them completes, then ends its source. 0 completes at
    /// once, without subscribing.
    pub fn belay_op_take(count: u64) -> *mut belay_op;
    /// Until `trigger` sends a value, which completes. Its completion alone changes nothing; its error
    /// is passed on. Takes `trigger` over.
    pub fn belay_op_take_until(trigger: *mut belay_signal) -> *mut belay_op;
    /// Until `owner` begins to die, which completes. Keeps no object alive. (take(during:) elsewhere.)
    pub fn belay_op_take_during(owner: *mut belay_owner) -> *mut belay_op;
    /// The source's values and those of `others` (taken over, each), as they come. Completes with the
    /// last of them, ends with the first error.
    pub fn belay_op_merge(others: *const *mut belay_signal, count: usize) -> *mut belay_op;
    /// Sends `step(accumulated, value)` for each value, beginning with `seed` (taken over), which
    /// itself is not sent.
    pub fn belay_op_scan(seed: belay_value, step: belay_scan_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Arrays of `count` values; the last may be shorter and is sent before the end. On an error what
    /// was collected is dropped. 0 is BELAY_EINVAL.
    pub fn belay_op_buffer(count: usize) -> *mut belay_op;
    /// An array every `seconds` and at the completion, empty ones included; and as soon as
    /// `count` values (BELAY_UNLIMITED: by time alone; 0: BELAY_EINVAL) have been collected, which
    /// starts the time anew. (RxSwift's buffer.)
    /// `scheduler` is kept; when it is another loop's, the subscription needs a loop too
    /// (BELAY_ENOHOME).
    pub fn belay_op_buffer_time(scheduler: *mut belay_scheduler, seconds: f64, count: usize) -> *mut belay_op;
    /// Drops a value that equals the one before it. `equal` may be NULL: belay_value_equal().
    pub fn belay_op_distinct_until_changed(equal: belay_equal_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends `count` values first; takes each over.
    pub fn belay_op_start_with(values: *const belay_value, count: usize) -> *mut belay_op;
    /// Calls the observer's callbacks beside the flow, each before the event is passed on; `disposed`
    /// as this stage's teardown. Its `loop` is not used; a `next_batch` and an `owner` are
    /// BELAY_EINVAL.
    pub fn belay_op_do(observer: *const belay_observer) -> *mut belay_op;
    /// Merges `count` signals (taken over, each).
    pub fn belay_signal_merge(signals: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// The source's values; `fallback` (taken over) when there were none.
    pub fn belay_op_default_if_empty(fallback: belay_value) -> *mut belay_op;
    /// The source's values; goes on with `other` (taken over) when there were none.
    pub fn belay_op_switch_if_empty(other: *mut belay_signal) -> *mut belay_op;
    /// A bool: true with the first value that equals `wanted` (taken over), by belay_value_equal(); else
    /// false.
    pub fn belay_op_contains(wanted: belay_value) -> *mut belay_op;
    /// A bool: true with the first value for which `wanted` returns 1, else false.
    pub fn belay_op_any(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// A bool: false with the first value for which `right` returns 0, else true.
    pub fn belay_op_all(right: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// A bool: false with the first value, else true.
    pub fn belay_op_is_empty() -> *mut belay_op;
    /// How many values there were: an uint64.
    pub fn belay_op_count() -> *mut belay_op;
    /// The smallest value, the first of equals; only completed when there were none. `less` may be NULL:
    /// numbers by their value, whatever their kinds, and strings by their bytes; comparing any others is
    /// BELAY_EKIND.
    pub fn belay_op_min(less: belay_less_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The largest value, the first of equals; only completed when there were none. `less` may be NULL,
    /// as for belay_op_min().
    pub fn belay_op_max(less: belay_less_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The sum: an uint64 when all values are unsigned integers, a double when there is a float or a
    /// double, else an int64; int64 0 when there were none. BELAY_ERANGE when it does not fit,
    /// BELAY_EKIND for a value that is no number.
    pub fn belay_op_sum() -> *mut belay_op;
    /// The mean, a double; only completed when there were no values. BELAY_EKIND for a value that is no
    /// number.
    pub fn belay_op_average() -> *mut belay_op;
    /// An owner for `object` (may be NULL). When its last reference is released, `deinit(object)` runs
    /// as step 4 and `dealloc(object)` as step 8; either may be NULL, and so may `options`. When this
    /// fails (bad options, a closed loop) it returns NULL and neither runs.
    pub fn belay_owner_create(object: *mut c_void, deinit: belay_object_fn, dealloc: belay_object_fn, options: *const belay_owner_options) -> *mut belay_owner;
    /// Another reference. On a dying owner it keeps the handle, never the object.
    pub fn belay_owner_retain(owner: *mut belay_owner) -> *mut belay_owner;
    /// Gives a reference back; the last one is the owner's death.
    pub fn belay_owner_release(owner: *mut belay_owner);
    /// The owner of any pointer: made at the first ask, the same one until its end is declared. From
    /// step 4 of its death on the address is this object's on the thread that ends it only: elsewhere
    /// the memory may be another object's already, and has a new owner. Release the result; releasing it
    /// does not end the object. NULL: NULL. `options` counts at the first ask only.
    pub fn belay_owner_adopt(pointer: *mut c_void, options: *const belay_owner_options) -> *mut belay_owner;
    /// Declares the end of an adopted pointer: steps 1 to 3, `destroy(ctx)` as step 4 (may be NULL),
    /// then the rest. Waits in step 3 for callbacks bound to it that run on other threads, not for
    /// those on its own stack. A pointer that nobody adopted: only `destroy` runs. BELAY_EWRONGTHREAD
    /// before anything is announced when it has a loop and this is not its thread; then `destroy` has
    /// not run. BELAY_EDEAD when its end has begun already.
    pub fn belay_owner_end(pointer: *mut c_void, destroy: belay_free_fn, ctx: *mut c_void) -> c_int;
    /// The same in two halves, around the host's own destructor: steps 1 to 3, …
    pub fn belay_owner_will_end(pointer: *mut c_void) -> c_int;
    /// … and 5 to 8, on the same thread. BELAY_ENOENT without belay_owner_will_end() before, there.
    pub fn belay_owner_did_end(pointer: *mut c_void) -> c_int;
    /// The owner of an object that ends in a function of its class's table: `slot` is where the table
    /// keeps it. The function is replaced by one that dies around it, once a table and for good: steps 1
    /// to 3, the original, steps 5 to 8. The original is always called. Only objects that were given to
    /// this function die so; of a derived table that calls the function of its base's, or was copied
    /// from it, an object dies once. As belay_owner_adopt() otherwise; the death is where the function
    /// is called, so `loop` has to be NULL, and an object that has an owner with a loop is refused.
    /// `*owner` (may be NULL) gets a reference whenever there is an owner; if wrapping failed, it is one
    /// whose end has to be declared, and `deallocating` of one that is new is the error event.
    /// 0; BELAY_EINVAL for a NULL object, a NULL or unaligned slot, wrong options, a loop; BELAY_ENOENT
    /// for an empty slot; BELAY_EMISMATCH when somebody else has replaced the function since;
    /// BELAY_EBUSY beyond 32 tables; -EACCES for a table that cannot be written to, such as a constant
    /// one.
    pub fn belay_owner_adopt_slot(object: *mut c_void, slot: *mut belay_destroy_fn, options: *const belay_owner_options, owner: *mut *mut belay_owner) -> c_int;
    /// The object it stands for; NULL once its death has begun.
    pub fn belay_owner_object(owner: *mut belay_owner) -> *mut c_void;
    /// 1 from step 1 on; 1 for NULL.
    pub fn belay_owner_is_dying(owner: *mut belay_owner) -> c_int;
    /// See [`belay_owner_is_dying`].
    pub fn belay_owner_label(owner: *mut belay_owner) -> *const c_char;
    /// The signals of steps 2 and 7. Late subscribers get what has been sent. Release the result.
    pub fn belay_owner_deallocating(owner: *mut belay_owner) -> *mut belay_signal;
    /// See [`belay_owner_deallocating`].
    pub fn belay_owner_deallocated(owner: *mut belay_owner) -> *mut belay_signal;
    /// Binds `disposable` to the owner: it is disposed at step 3, at once when the owner is dying. One
    /// that ends by itself leaves. Takes nothing over.
    pub fn belay_owner_add(owner: *mut belay_owner, disposable: *mut belay_disposable) -> c_int;
    /// Binds an action; `ctx_free` follows it.
    pub fn belay_owner_add_action(owner: *mut belay_owner, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// The owner's compound, borrowed: it lives as long as the handle. NULL when dying.
    pub fn belay_owner_get_compound(owner: *mut belay_owner) -> *mut belay_disposable;
    /// Binds a child: at its turn in step 3 of the parent's death it dies whole, all eight steps,
    /// whoever holds references; the parent goes on after that. With a loop of its own it dies there,
    /// and the parent waits. At once when the parent is dying. A child that dies by itself leaves; one
    /// that is dying is ignored, and so is one that is this parent's already. Takes nothing over. 0;
    /// BELAY_EINVAL for NULL, for the parent itself or one it descends from, and for a child with
    /// another loop than that of an adopted parent, whose end cannot wait for it; BELAY_EKIND for an
    /// adopted child, whose end is the host's to declare; BELAY_EASSIGNED for one that has another
    /// parent; BELAY_ERANGE when more than 1000 owners would be one above the other.
    pub fn belay_owner_add_child(parent: *mut belay_owner, child: *mut belay_owner) -> c_int;
    /// Sets a child free. 0; BELAY_ENOENT when it is none of this parent's; BELAY_EINVAL for NULL.
    pub fn belay_owner_remove_child(parent: *mut belay_owner, child: *mut belay_owner) -> c_int;
    /// `belay_weak_create` of `owner.h`.
    pub fn belay_weak_create(owner: *mut belay_owner) -> *mut belay_weak;
    /// See [`belay_weak_create`].
    pub fn belay_weak_retain(weak: *mut belay_weak) -> *mut belay_weak;
    /// See [`belay_weak_create`].
    pub fn belay_weak_release(weak: *mut belay_weak);
    /// A reference to the owner, which keeps it from dying until released; NULL once the last one has
    /// gone or it is dying.
    pub fn belay_weak_upgrade(weak: *mut belay_weak) -> *mut belay_owner;
    /// Associates an object, behind those that are associated already. What had the same key and kind
    /// is replaced, and let go of before this returns. 0; BELAY_EINVAL for a NULL owner, key or object,
    /// a policy that is none, or one that needs `take` and has none; BELAY_ECANCELED when `take`
    /// returned NULL; BELAY_EDEAD from step 6 of the death on. When it fails, what was there stays, and
    /// `free` has run for what `take` returned, and for an object that was to be assigned. (It does not
    /// run when `size` is wrong: then nothing of the struct is looked at.)
    pub fn belay_association_set(owner: *mut belay_owner, association: *const belay_association) -> c_int;
    /// What is held under `key` and `kind`, borrowed: until it is replaced or removed, or the owner
    /// dies. NULL when there is nothing.
    pub fn belay_association_get(owner: *mut belay_owner, key: *const c_void, kind: *const c_void) -> *mut c_void;
    /// Lets go of what is held under `key` and `kind`. 0; BELAY_ENOENT when there is nothing;
    /// BELAY_EINVAL for a NULL owner or key.
    pub fn belay_association_remove(owner: *mut belay_owner, key: *const c_void, kind: *const c_void) -> c_int;
    /// A property with the value `initial` (taken over, also on failure). `options` may be NULL; a
    /// property is not shared and queues: anything else there is BELAY_EINVAL.
    pub fn belay_property_create(initial: belay_value, options: *const belay_source_options) -> *mut belay_property;
    /// See [`belay_property_create`].
    pub fn belay_property_retain(property: *mut belay_property) -> *mut belay_property;
    /// Gives a reference back; with the last one the property's signal completes.
    pub fn belay_property_release(property: *mut belay_property);
    /// The value set last. `*value` is given to the caller, who releases it. Any thread; what is set
    /// away from home counts when it has arrived there.
    pub fn belay_property_get(property: *mut belay_property, value: *mut belay_value) -> c_int;
    /// Sets the value (taken over, always), and sends it, also when it is the same. Any thread; answers
    /// what belay_subject_next() does. Set from inside a delivery it is the value at once, and sent when
    /// the event in progress has reached everybody.
    pub fn belay_property_set(property: *mut belay_property, value: belay_value) -> c_int;
    /// Sets what `change` makes of the value; when that fails (belay_value_failure()) sets nothing, and
    /// answers its code. `ctx` is used during the call. At home only: BELAY_EWRONGTHREAD.
    pub fn belay_property_modify(property: *mut belay_property, change: belay_map_fn, ctx: *mut c_void) -> c_int;
    /// A signal of the value: the present one to who subscribes, then each that is set. It keeps the
    /// property not. Release it.
    pub fn belay_property_signal(property: *mut belay_property) -> *mut belay_signal;
    /// Makes two properties follow each other, beginning with `a`'s value, which `b` takes; what comes
    /// through the channel is not sent back. Channels may form a ring: a value comes to each property
    /// once, and all agree on the one set last. Keeps neither. Until `*disposable` (may be NULL) is
    /// disposed of, or one of them goes; a full queue ends it with BELAY_EAGAIN, for a gap would go
    /// unseen. (With fields of objects, in one direction, or with conversions: belay_bind().) Both have
    /// to be at home on this thread (BELAY_EWRONGTHREAD), and not the same (BELAY_EINVAL).
    pub fn belay_property_channel(a: *mut belay_property, b: *mut belay_property, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sends all that `signal` sends, an error or completion included, into `subject`, which it keeps,
    /// at the subject's home. An interruption ends the binding alone. A value that the subject refuses
    /// ends both with its code: BELAY_EAGAIN (a full queue) or BELAY_EREENTRANT. BELAY_EKIND for a signal
    /// that is no subject.
    pub fn belay_signal_bind(signal: *mut belay_signal, subject: *mut belay_signal, disposable: *mut *mut belay_disposable) -> c_int;
    /// Stores each value into the variable at `address`, whose type `kind` tells: the integer, `float`,
    /// `double` or `void *` of that name (BELAY_KIND_INT16: an int16_t), an `int` for BELAY_KIND_BOOL,
    /// and for every other kind a `belay_value`, which holds a reference: it has to be initialised
    /// (belay_null()), the old value is released when the new one is in its place, and what it holds in
    /// the end is the caller's to release. BELAY_KIND_NULL is a `belay_value` that takes any kind.
    ///
    /// Numbers convert as the getters of value.h convert them. One that does not fit ends the binding
    /// with the error BELAY_ERANGE, a value of another kind with BELAY_EKIND, and so does a pointer with
    /// a destructor, which goes with its value, for a `void *`; the variable is then unchanged.
    ///
    /// The variable is written at the binding's home, this thread's; it has to live until the binding
    /// has ended, and is not written after belay_disposable_dispose() there has returned. With an owner the
    /// variable may be a part of what the owner stands for; a `belay_value` is then released by its deinit. A kind that
    /// there is none of is BELAY_EINVAL. (ReactiveObjC's setKeyPath:onObject:, Combine's assign.)
    pub fn belay_signal_bind_variable(signal: *mut belay_signal, kind: belay_kind, address: *mut c_void, owner: *mut belay_owner, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sets `property` to each value, at the property's home; ends with the property, which it does not
    /// keep. A full queue of the property's ends it with BELAY_EAGAIN. A property's own signal is
    /// BELAY_EINVAL; what is made of it sends for ever. (ReactiveSwift's `\<~`.)
    pub fn belay_signal_bind_property(signal: *mut belay_signal, property: *mut belay_property, owner: *mut belay_owner, disposable: *mut *mut belay_disposable) -> c_int;
    /// What `combine` (may be NULL) makes of the latest values of all signals, each time that one of
    /// them sends, once all have sent. Completes with the last of them; with none, at once.
    /// (ReactiveObjC's rac_liftSelector: is this with the selector as `combine`.)
    pub fn belay_signal_combine_latest(signals: *const *mut belay_signal, count: usize, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// What `combine` (may be NULL) makes of the first values of all signals, then of the second, and so
    /// on. Completes as soon as a signal that has completed has no value left that waits. What is ahead
    /// waits without a bound: as many values as the fastest signal leads the slowest.
    pub fn belay_signal_zip(signals: *const *mut belay_signal, count: usize, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// What `combine` (may be NULL) makes of each value of the source, which comes first, and the latest
    /// of each of `others`. What comes before they all have sent is dropped. Ends with the source.
    pub fn belay_op_with_latest_from(others: *const *mut belay_signal, count: usize, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The events of whichever signal is the first to send one, be it an end; the others are disposed of
    /// then. Of none: nothing, ever. (amb elsewhere.)
    pub fn belay_signal_race(signals: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Sends `count` values (each taken over) after the source's last, before it completes.
    pub fn belay_op_end_with(values: *const belay_value, count: usize) -> *mut belay_op;
    /// A boolean, then completed: whether the source and `other` send equal values in the same order and
    /// complete. False as soon as that is known. `equal` may be NULL: belay_value_equal(). What is ahead
    /// waits without a bound.
    pub fn belay_op_sequence_equal(other: *mut belay_signal, equal: belay_equal_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The values of `yes` while the latest of `condition` (booleans, else BELAY_EKIND) is true, those
    /// of `no` while it is false. Each value of `condition` subscribes anew. Completes when `condition`
    /// and the latest of the two have.
    pub fn belay_signal_if_then_else(condition: *mut belay_signal, yes: *mut belay_signal, no: *mut belay_signal) -> *mut belay_signal;
    /// The values of the one of `signals` at whose place in `cases` (values, taken over) the latest of
    /// `keys` stands, else those of `otherwise`, which may be NULL: then a key without a case is
    /// BELAY_EINVAL. Ends as if_then_else does.
    pub fn belay_signal_switch_on(keys: *mut belay_signal, cases: *const belay_value, signals: *const *mut belay_signal, count: usize, otherwise: *mut belay_signal) -> *mut belay_signal;
    /// Whether the latest values of all signals are true, or at least one is, each time that one of them
    /// sends, once all have sent. A value that is no boolean is BELAY_EKIND.
    pub fn belay_signal_and(signals: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// See [`belay_signal_and`].
    pub fn belay_signal_or(signals: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// The opposite of each value; BELAY_EKIND when it is no boolean.
    pub fn belay_op_not() -> *mut belay_op;
    /// Calls `reduce` with the items of each value, which is an array (else BELAY_EKIND), and sends what
    /// it returns.
    pub fn belay_op_reduce_each(reduce: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// A command, at home where it is made. `enabled` (taken over, may be NULL) sends booleans: whether
    /// it may be executed while it is not executing; until the first, it may. `ctx_free` runs when the
    /// command has gone, also when this fails.
    pub fn belay_command_create(execute: belay_command_fn, ctx: *mut c_void, ctx_free: belay_free_fn, enabled: *mut belay_signal) -> *mut belay_command;
    /// See [`belay_command_create`].
    pub fn belay_command_retain(command: *mut belay_command) -> *mut belay_command;
    /// Gives a reference back. An execution goes on to its end, and then the command's signals
    /// complete.
    pub fn belay_command_release(command: *mut belay_command);
    /// Begins an execution with `input` (taken over, always). Gives a signal of all it sends, also to
    /// who comes later; released, the execution goes on. The execution is over before its end is sent.
    /// NULL on failure: BELAY_EBUSY while it executes or is not enabled, BELAY_EWRONGTHREAD away from
    /// its home, and `execute`'s error.
    pub fn belay_command_execute(command: *mut belay_command, input: belay_value) -> *mut belay_signal;
    /// Each gives a signal, to be released. Booleans: now, and whenever it changes.
    pub fn belay_command_executing(command: *mut belay_command) -> *mut belay_signal;
    /// See [`belay_command_executing`].
    pub fn belay_command_enabled(command: *mut belay_command) -> *mut belay_signal;
    /// The values of all executions; their errors, as values.
    pub fn belay_command_values(command: *mut belay_command) -> *mut belay_signal;
    /// See [`belay_command_values`].
    pub fn belay_command_errors(command: *mut belay_command) -> *mut belay_signal;
    /// The signal that `make` returns for each subscription.
    pub fn belay_signal_defer(make: belay_make_signal_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// `count` int64s from `start` on, then completed. BELAY_ERANGE past INT64_MAX.
    pub fn belay_signal_range(start: i64, count: u64) -> *mut belay_signal;
    /// A loop: begins with the state `initial` (taken over), sends what `result` makes of each state,
    /// and goes on to the state that `next` returns, while `condition` answers 1. `condition` may be
    /// NULL: for ever; and `result`: the states themselves. The three have one `ctx`.
    pub fn belay_signal_generate(initial: belay_value, condition: belay_predicate_fn, next: belay_map_fn, result: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// What `next` stores each time that it is called, until it returns 0, which completes. All
    /// subscriptions call it with the same `ctx`; belay_signal_defer() gives each its own.
    pub fn belay_signal_from_iterator(next: belay_iterate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// A value (taken over), then completed; of null only the completion.
    pub fn belay_signal_from_optional(value: belay_value) -> *mut belay_signal;
    /// A value (taken over), then completed; a failure value as the error.
    pub fn belay_signal_from_result(result: belay_value) -> *mut belay_signal;
    /// The value (taken over) `count` times, then completed; BELAY_UNLIMITED: until it is
    /// disposed of.
    pub fn belay_signal_repeat_value(value: belay_value, count: usize) -> *mut belay_signal;
    /// For each subscription makes a resource and the signal that uses it; the resource is ended with
    /// the subscription.
    pub fn belay_signal_using(make: belay_make_resource_fn, r#use: belay_use_resource_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Runs `work` on `scheduler` (kept) for each subscription, and sends what it returns, then
    /// completed. A disposal before its turn keeps it from running. BELAY_ENOHOME from subscribing when
    /// the scheduler is another loop's or a pool's and the subscription has no loop.
    pub fn belay_signal_start(scheduler: *mut belay_scheduler, work: belay_produce_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Runs `work` on `scheduler` (kept until then) once, whether or not somebody listens, and sends
    /// what it returns, then completed, also to who comes later. Its home is this thread's. What kept it
    /// from running is the error, BELAY_ENOHOME as for belay_signal_start(); when the scheduler drops
    /// it, as a loop that closes does, the signal is interrupted. `ctx_free` runs after the work.
    /// (ReactiveX's start; ReactiveObjC's startEagerlyWithScheduler:.)
    pub fn belay_signal_start_eagerly(scheduler: *mut belay_scheduler, work: belay_produce_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// How many of a kind are alive in the process; of all kinds for BELAY_LIVE_KINDS. Any thread;
    /// exact when no other thread is making or ending any.
    pub fn belay_live_count(kind: belay_live_kind) -> usize;
    /// "subscriptions", "signals", … Static.
    pub fn belay_live_kind_name(kind: belay_live_kind) -> *const c_char;
    /// Misuse seen so far, process-wide: calls that were answered BELAY_EINVAL, BELAY_EKIND,
    /// BELAY_EWRONGTHREAD, BELAY_ERELEASED and the like.
    pub fn belay_misuse_count() -> u64;
    /// What was taken (0 or BELAY_QUEUED was answered) and did not arrive, process-wide: values, ends and
    /// work that waited for a loop, a worker or a pool when it closed; values that found their source
    /// ended, or busy with BELAY_REENTRANCY_REJECT or no room left. What was disposed of on purpose is
    /// not counted, nor what a queue's policy drops. The first loss at each place is a line on stderr.
    /// Any thread.
    pub fn belay_lost_count() -> u64;
    /// `belay_disposable_retain` of `disposable.h`.
    pub fn belay_disposable_retain(disposable: *mut belay_disposable) -> *mut belay_disposable;
    /// See [`belay_disposable_retain`].
    pub fn belay_disposable_release(disposable: *mut belay_disposable);
    /// Ends the work. For a subscription, at its home: when this returns none of its callbacks runs
    /// any more but those already on the caller's own stack. Elsewhere: no callback begins after; the
    /// teardown, `disposed` and `ctx_free` run at home's next turn; where home has no loop, on the
    /// caller, or at home when the callback that is running returns.
    pub fn belay_disposable_dispose(disposable: *mut belay_disposable);
    /// Disposes, then waits until no callback of it runs or will and its `ctx_free` has returned, at
    /// most `timeout` seconds (negative: for ever). 0 when so; BELAY_EINPROGRESS at once from inside
    /// one of its own callbacks; BELAY_EDEADLK at once when the wait would close a cycle of such
    /// waits; BELAY_ETIMEDOUT. It is disposed in every case. Covers the whole chain, above a change of
    /// home, too.
    pub fn belay_disposable_dispose_sync(disposable: *mut belay_disposable, timeout: f64) -> c_int;
    /// 1 once disposed or ended, even while its action is still running; 1 for NULL.
    pub fn belay_disposable_is_disposed(disposable: *mut belay_disposable) -> c_int;
    /// One whose disposal calls `action` (may be NULL) once. `ctx_free` follows the action, or runs
    /// when the disposable goes without having been disposed.
    pub fn belay_disposable_create(action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_disposable;
    /// One that does nothing, and always counts as disposed.
    pub fn belay_nop_create() -> *mut belay_disposable;
    /// One that only remembers whether it was disposed.
    pub fn belay_boolean_create() -> *mut belay_disposable;
    /// Disposes `first`, then `second`; either may be NULL.
    pub fn belay_binary_create(first: *mut belay_disposable, second: *mut belay_disposable) -> *mut belay_disposable;
    /// A container disposed as one, in the order of adding. A member that ends by itself leaves.
    pub fn belay_compound_create() -> *mut belay_disposable;
    /// Adds `member`. Stores into `key` (may be NULL) what removes it again, or 0 when it did not
    /// stay: NULL and disposed members are ignored; a disposed compound disposes it at once.
    /// Adding a compound to itself, directly or through others, is BELAY_EINVAL.
    pub fn belay_compound_add(compound: *mut belay_disposable, member: *mut belay_disposable, key: *mut u64) -> c_int;
    /// The same for an action, without a handle: one allocation less.
    pub fn belay_compound_add_action(compound: *mut belay_disposable, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, key: *mut u64) -> c_int;
    /// Takes a member out without disposing it, in constant time. BELAY_ENOENT for a key whose member
    /// has gone; keys are never used twice.
    pub fn belay_compound_remove(compound: *mut belay_disposable, key: u64) -> c_int;
    /// How many members there are.
    pub fn belay_compound_count(compound: *mut belay_disposable) -> usize;
    /// Holds one disposable at a time.
    pub fn belay_serial_create() -> *mut belay_disposable;
    /// Puts `next` (may be NULL) in and disposes what was there. When the serial is disposed already,
    /// disposes `next` at once.
    pub fn belay_serial_set(serial: *mut belay_disposable, next: *mut belay_disposable) -> c_int;
    /// The same, but hands what was there to `*previous` (a reference for the caller, or NULL)
    /// without disposing it.
    pub fn belay_serial_swap(serial: *mut belay_disposable, next: *mut belay_disposable, previous: *mut *mut belay_disposable) -> c_int;
    /// Holds what is assigned to it, once.
    pub fn belay_single_assignment_create() -> *mut belay_disposable;
    /// BELAY_EASSIGNED the second time, and then leaves `inner` alone. When disposed before, disposes
    /// `inner` at once.
    pub fn belay_single_assignment_set(single: *mut belay_disposable, inner: *mut belay_disposable) -> c_int;
    /// Disposes `underlying` when it itself and all its dependents are disposed.
    pub fn belay_ref_counted_create(underlying: *mut belay_disposable) -> *mut belay_disposable;
    /// A new dependent; one that does nothing once the underlying has been disposed.
    pub fn belay_ref_counted_create_dependent(ref_counted: *mut belay_disposable) -> *mut belay_disposable;
    /// Disposes `inner` when disposed, or when its own last reference is released.
    pub fn belay_scoped_create(inner: *mut belay_disposable) -> *mut belay_disposable;
    /// Disposes `inner` on `scheduler`; several disposals enqueue once.
    pub fn belay_scheduled_create(scheduler: *mut belay_scheduler, inner: *mut belay_disposable) -> *mut belay_disposable;
    /// A bag disposes its content, in the order of adding, when its last reference is released. It
    /// cannot be disposed otherwise. Members that end by themselves leave.
    pub fn belay_bag_create() -> *mut belay_bag;
    /// See [`belay_bag_create`].
    pub fn belay_bag_retain(bag: *mut belay_bag) -> *mut belay_bag;
    /// See [`belay_bag_create`].
    pub fn belay_bag_release(bag: *mut belay_bag);
    /// Adds `member`; NULL is BELAY_EINVAL, a disposed member is ignored.
    pub fn belay_bag_add(bag: *mut belay_bag, member: *mut belay_disposable) -> c_int;
    /// See [`belay_bag_add`].
    pub fn belay_bag_count(bag: *mut belay_bag) -> usize;
    /// Calls `action` once at the end of each subscription, however it comes: after `completed` or
    /// `error`, at a disposal, at an interruption.
    pub fn belay_op_finally(action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Calls `action` each time before the source is subscribed to.
    pub fn belay_op_initially(action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Tells of each event and of each end, in lines "SITE: LABEL: next 1", "… error MESSAGE",
    /// "… completed", "… disposed". `label` (NULL: the signal's name) and `site` (BELAY_HERE; may be
    /// NULL) are copied. `sink` may be NULL: stderr.
    pub fn belay_op_log(label: *const c_char, site: *const c_char, sink: belay_log_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Raises SIGTRAP on the thread of the callbacks before it passes on an event for which the callback
    /// answers 1: a debugger stops there; a process without one, and without a handler, ends. What is
    /// NULL never stops, nor does a callback that fails. The value and the error are borrowed.
    /// (Combine's breakpoint.)
    pub fn belay_op_breakpoint(next: belay_predicate_fn, error: belay_stop_at_error_fn, completed: belay_stop_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The same before any error.
    pub fn belay_op_breakpoint_on_error() -> *mut belay_op;
    /// `belay_scheduler_retain` of `scheduler.h`.
    pub fn belay_scheduler_retain(scheduler: *mut belay_scheduler) -> *mut belay_scheduler;
    /// See [`belay_scheduler_retain`].
    pub fn belay_scheduler_release(scheduler: *mut belay_scheduler);
    /// Runs work at once, in the call. It has no clock: a delay is BELAY_EINVAL. Static.
    pub fn belay_scheduler_immediate() -> *mut belay_scheduler;
    /// Runs work on the calling thread: at once, or, inside work of this scheduler, after it. A delay
    /// is BELAY_EINVAL. (RxSwift's CurrentThreadScheduler.) Static.
    pub fn belay_scheduler_trampoline() -> *mut belay_scheduler;
    /// A scheduler whose time, 0 at first, passes only when it is told to: for tests. Its work runs on
    /// the thread that advances it, in the order of due times, then of scheduling. The caller's
    /// reference; with the last one, of which a signal or a subscription on its time has one, what
    /// still waits is disposed of, and not run. Not for several threads.
    pub fn belay_scheduler_create_virtual() -> *mut belay_scheduler;
    /// A scheduler that runs work on threads of libuv's pool, one piece after the other, in the order of
    /// scheduling: for what would hold up a loop. The caller's reference. It is a home: while its work
    /// runs, the thread is bound to it, so what is subscribed or made there has its callbacks there, one
    /// at a time, on one thread of the pool or another. `loop` takes the work to the pool and keeps its
    /// times, so it has to run; when that handle is closed, the work that has begun is run to its end,
    /// which `closed` waits for, and what has not is disposed of. A thread of the pool is kept as long
    /// as there is work. Any thread; NULL: BELAY_EINVAL; of a closed loop, it refuses work.
    /// (uv_queue_work; RACScheduler's background schedulers.)
    pub fn belay_scheduler_create_pool(r#loop: *mut belay_loop) -> *mut belay_scheduler;
    /// A scheduler that runs work at once, in the call, where belay_scheduler_current() is not NULL, and
    /// else on `background`, which it retains; delayed work is the current one's, or `background`'s. For
    /// subscribe_on, where the thread that subscribes may be any. The caller's reference. NULL:
    /// BELAY_EINVAL. (RACScheduler.subscriptionScheduler; no thread is made for it in secret: give it
    /// a worker's or a pool's.)
    pub fn belay_scheduler_create_subscription(background: *mut belay_scheduler) -> *mut belay_scheduler;
    /// Lets `seconds` pass on a virtual scheduler: runs what is due, what is scheduled meanwhile
    /// included. Negative or NaN: BELAY_EINVAL; another scheduler: BELAY_EKIND.
    pub fn belay_scheduler_advance(scheduler: *mut belay_scheduler, seconds: f64) -> c_int;
    /// Runs the next `count` pieces of work of a virtual scheduler, whenever they are due; its time
    /// passes to each. Returns how many there were, up to INT_MAX; BELAY_EKIND for another scheduler.
    /// (RACTestScheduler's step.)
    pub fn belay_scheduler_step(scheduler: *mut belay_scheduler, count: usize) -> c_int;
    /// Runs all that a virtual scheduler has, whenever it is due. BELAY_EAGAIN when a million runs are
    /// not enough, as with work that repeats.
    pub fn belay_scheduler_flush(scheduler: *mut belay_scheduler) -> c_int;
    /// The scheduler whose work is running on this thread, else that of the loop bound to this thread,
    /// which is none of its users' and ends with the loop, else NULL. Borrowed.
    pub fn belay_scheduler_current() -> *mut belay_scheduler;
    /// Seconds on the scheduler's clock: read once a turn on a loop.
    pub fn belay_scheduler_now(scheduler: *mut belay_scheduler) -> f64;
    /// The most that ever waited in the queue of a loop's, a worker's or a pool's scheduler, not
    /// counting what is reserved (ends, disposals); 0 for any other. Any thread.
    pub fn belay_scheduler_queue_high_water(scheduler: *mut belay_scheduler) -> usize;
    /// Runs `action` as soon as the scheduler can; on a loop, at its next turn. Any thread for a loop's
    /// scheduler. Work for one scheduler runs in the order it was scheduled. BELAY_ECANCELED when the
    /// loop is closed, BELAY_EAGAIN when its queue is full.
    pub fn belay_scheduler_schedule(scheduler: *mut belay_scheduler, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Runs `action` once, no earlier than `seconds` from now. Negative counts as 0; NaN is
    /// BELAY_EINVAL. Any thread.
    pub fn belay_scheduler_after(scheduler: *mut belay_scheduler, seconds: f64, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Runs `action` after `seconds` and then every `interval` (> 0), each run at most `leeway` late so
    /// that timers can share a wake-up. Missed intervals are skipped, the rhythm is kept.
    pub fn belay_scheduler_every(scheduler: *mut belay_scheduler, seconds: f64, interval: f64, leeway: f64, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Runs `action` as soon as the scheduler can, and once more for each belay_recursion_again();
    /// the stack does not grow, on no scheduler. `recursion` is lent to the action: retain it to go
    /// on later. The work is over, and `ctx` is freed, when it is disposed of, when a run has ended
    /// without asking for another and nobody has retained a recursion, and when its loop closes.
    /// Codes and threads as for belay_scheduler_schedule(). (scheduleRecursiveBlock:; RxSwift's
    /// scheduleRecursive.)
    pub fn belay_scheduler_recursive(scheduler: *mut belay_scheduler, action: belay_recursive_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Asks for one more run: inside the action, after it has returned; later, on the immediate
    /// scheduler, in the call. Asking twice gives two. Any thread for a loop's, a worker's or a
    /// pool's scheduler. BELAY_ECANCELED when the work has been disposed of or its loop is closed.
    pub fn belay_recursion_again(recursion: *mut belay_recursion) -> c_int;
    /// See [`belay_recursion_again`].
    pub fn belay_recursion_retain(recursion: *mut belay_recursion) -> *mut belay_recursion;
    /// Gives a reference back; the last one ends the work, if no run is still to come.
    pub fn belay_recursion_release(recursion: *mut belay_recursion);
    /// All but the first `count` values.
    pub fn belay_op_skip(count: u64) -> *mut belay_op;
    /// The last `count` values, when the source has completed; keeps as many. On an error they are
    /// dropped. 0 completes at once, without subscribing.
    pub fn belay_op_take_last(count: u64) -> *mut belay_op;
    /// All but the last `count` values: each is sent when `count` more have come; keeps as many.
    pub fn belay_op_skip_last(count: u64) -> *mut belay_op;
    /// Values while `keep` returns 1; with the first for which it does not it completes, after passing
    /// it on when `inclusive` is not 0.
    pub fn belay_op_take_while(keep: belay_predicate_fn, inclusive: c_int, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Drops values while `drop` returns 1; the first other one and all after it pass, unasked.
    pub fn belay_op_skip_while(drop: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Drops values until `trigger` (taken over) sends one; it is left then. When it completes without
    /// a value nothing will pass but the source's end; its error is passed on.
    pub fn belay_op_skip_until(trigger: *mut belay_signal) -> *mut belay_op;
    /// This signal's values until `replacement` (taken over) sends anything, a value or an end: from
    /// then on that is all there is, and the source is left. The source's error ends the result, its
    /// completion does not: the replacement may come yet.
    pub fn belay_op_take_until_replacement(replacement: *mut belay_signal) -> *mut belay_op;
    /// Values for `seconds` from the subscription on, then completed. `scheduler` is kept; when it is
    /// another loop's, the subscription needs a loop too (BELAY_ENOHOME).
    pub fn belay_op_take_for(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Drops values for `seconds` from the subscription on. `scheduler` is kept; when it is another
    /// loop's, the subscription needs a loop too (BELAY_ENOHOME).
    pub fn belay_op_skip_for(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// The value at `index`, counted from 0, then completed. When there is none: BELAY_ERANGE.
    pub fn belay_op_element_at(index: u64) -> *mut belay_op;
    /// The value at `index`, counted from 0, or `fallback` (taken over) when there is none; then
    /// completed.
    pub fn belay_op_element_at_or(index: u64, fallback: belay_value) -> *mut belay_op;
    /// The first value, then completed; with `wanted` (may be NULL) the first for which it returns 1.
    /// None: BELAY_ENOENT.
    pub fn belay_op_first(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The last value, when the source has completed; with `wanted` (may be NULL) the last for which it
    /// returns 1. None: BELAY_ENOENT.
    pub fn belay_op_last(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The only value, when the source has completed; with `wanted` (may be NULL) the only one for which
    /// it returns 1. None: BELAY_ENOENT; as soon as there is a second: BELAY_ERANGE.
    pub fn belay_op_single(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The first value for which `wanted` returns 1, if there is one, then completed.
    pub fn belay_op_find(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// No values, only the end.
    pub fn belay_op_ignore_elements() -> *mut belay_op;
    /// Drops values that equal `unwanted` (taken over), by belay_value_equal().
    pub fn belay_op_ignore(unwanted: belay_value) -> *mut belay_op;
    /// Drops a value that equals one that was there before, by belay_value_equal(); with `key` (may be
    /// NULL) one whose key does. Each different value, or key, is kept as long as the subscription
    /// lasts: its memory grows with their number.
    pub fn belay_op_distinct(key: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Stores two signals: `yes` (may be NULL) has the values of `source` for which `is_first` returns
    /// 1, `no` (may be NULL) the others. Each subscription to either subscribes to `source`, which is
    /// taken over, and asks by itself. Release both. Returns 0, or BELAY_EINVAL with both NULL.
    pub fn belay_signal_partition(source: *mut belay_signal, is_first: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn, yes: *mut *mut belay_signal, no: *mut *mut belay_signal) -> c_int;
    /// Makes a signal of each value and sends the values of all of them, as they come. Of more than
    /// `limit` at a time the later ones wait, and are made when their turn comes.
    /// BELAY_UNLIMITED is no limit, 0 BELAY_EINVAL. Completes with the last, ends with the first
    /// error.
    pub fn belay_op_flat_map(limit: usize, map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The values of one signal after the other: a limit of 1.
    pub fn belay_op_concat_map(map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The values of the signal made last: the one before is left.
    pub fn belay_op_switch_map(map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Drops values that come while the signal made of an earlier one runs.
    pub fn belay_op_exhaust_map(map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends each value, makes a signal of it, and treats that signal's values likewise. Values that
    /// come at once follow in the order of their coming. `limit` as above.
    pub fn belay_op_expand(limit: usize, map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The values of all of them, of at most `limit` at a time, as above.
    pub fn belay_op_merge_all(limit: usize) -> *mut belay_op;
    /// The values of one after the other.
    pub fn belay_op_concat_all() -> *mut belay_op;
    /// The values of the one that came last.
    pub fn belay_op_switch_to_latest() -> *mut belay_op;
    /// The source's values, then those of `others` (taken over, each).
    pub fn belay_op_concat(others: *const *mut belay_signal, count: usize) -> *mut belay_op;
    /// The values of `count` signals (taken over, each).
    pub fn belay_signal_concat(signals: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Ignores the source's values, and sends those of `next` (taken over) after its completion.
    pub fn belay_op_then(next: *mut belay_signal) -> *mut belay_op;
    /// Subscribes again after each completion, `count` times in all; 0 completes at once,
    /// BELAY_UNLIMITED is without end.
    pub fn belay_op_repeat(count: usize) -> *mut belay_op;
    /// At the first completion asks `answer` for a signal, and sends a null value into `events` with
    /// each. A value of that signal subscribes again; its completion completes, with the source's
    /// own; its error is passed on.
    pub fn belay_op_repeat_when(answer: belay_when_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// After an error goes on with the signal that `recover` returns, whose error is passed on.
    pub fn belay_op_catch(recover: belay_catch_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends `value` (taken over) in the place of an error, and completes.
    pub fn belay_op_catch_to(value: belay_value) -> *mut belay_op;
    /// Subscribes again after each error, `count` times in all; the last error is passed on.
    /// BELAY_UNLIMITED is without end, 0 BELAY_EINVAL.
    pub fn belay_op_retry(count: usize) -> *mut belay_op;
    /// At the first error asks `answer` for a signal, and sends each error into `events`. A value of
    /// that signal subscribes again; its end ends.
    pub fn belay_op_retry_when(answer: belay_when_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Subscribes again `seconds` after the first error, and after each further one `factor` times as
    /// long as before, but never longer than `max_seconds`; `attempts` times in all, or
    /// BELAY_UNLIMITED.
    /// `jitter`, from 0 to 1, is the part of each wait that is left to chance. Values in between change
    /// neither the count nor the waits. BELAY_EINVAL: no attempts, a time or factor that is negative or
    /// no number, a jitter outside its range. `scheduler` is kept; when it is another loop's, the subscription needs
    /// a loop too, else it ends with BELAY_ENOHOME.
    pub fn belay_op_retry_backoff(scheduler: *mut belay_scheduler, seconds: f64, factor: f64, max_seconds: f64, jitter: f64, attempts: usize) -> *mut belay_op;
    /// Merges like belay_op_merge(), but an error waits until all have ended; of several the first is
    /// passed on.
    pub fn belay_op_merge_delay_error(others: *const *mut belay_signal, count: usize) -> *mut belay_op;
    /// See [`belay_op_merge_delay_error`].
    pub fn belay_signal_merge_delay_error(signals: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Calls `action` with each value before it is passed on; ends with the error when it fails.
    pub fn belay_op_attempt(action: belay_attempt_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// An interface; release it. Keeps its own reference to `base`. NULL: BELAY_EINVAL for what is
    /// missing, a name that is there twice (the base's count), a shape that is none, an offset that is
    /// misaligned, overlaps another method's, or is outside the table, a misaligned `table_offset`, a
    /// table smaller than its base's, a method that ends its object and has no `@`;
    /// BELAY_ERANGE for a table of more than 1024 methods or a function of more than 64 arguments;
    /// BELAY_ENOTSUP. The error's message names the method, and where in its shape.
    pub fn belay_interface_create(description: *const belay_interface_description) -> *mut belay_interface;
    /// See [`belay_interface_create`].
    pub fn belay_interface_retain(interface: *mut belay_interface) -> *mut belay_interface;
    /// See [`belay_interface_create`].
    pub fn belay_interface_release(interface: *mut belay_interface);
    /// `belay_interface_name` of `interface.h`.
    pub fn belay_interface_name(interface: *mut belay_interface) -> *const c_char;
    /// How many methods it has, its bases' included; the base's come first.
    pub fn belay_interface_method_count(interface: *mut belay_interface) -> usize;
    /// A method, static as it was given; NULL past the end.
    pub fn belay_interface_method(interface: *mut belay_interface, index: usize) -> *const belay_method;
    /// A call of a method; its arguments are zero. Release it. NULL: BELAY_EINVAL for NULL, BELAY_ENOENT
    /// for a method that there is none of.
    pub fn belay_invocation_create(interface: *mut belay_interface, method: *const c_char) -> *mut belay_invocation;
    /// Another reference; also to one that an interceptor was given, which then can be kept.
    pub fn belay_invocation_retain(invocation: *mut belay_invocation) -> *mut belay_invocation;
    /// See [`belay_invocation_retain`].
    pub fn belay_invocation_release(invocation: *mut belay_invocation);
    /// The method's name; static.
    pub fn belay_invocation_method(invocation: *mut belay_invocation) -> *const c_char;
    /// How many arguments it has.
    pub fn belay_invocation_count(invocation: *mut belay_invocation) -> usize;
    /// What carries the context; NULL when nothing does.
    pub fn belay_invocation_context(invocation: *mut belay_invocation) -> *mut c_void;
    /// BELAY_ENOENT when no argument carries it.
    pub fn belay_invocation_set_context(invocation: *mut belay_invocation, context: *mut c_void) -> c_int;
    /// An argument, which is given to the caller. BELAY_ERANGE past the end.
    pub fn belay_invocation_get(invocation: *mut belay_invocation, index: usize, value: *mut belay_value) -> c_int;
    /// Changes an argument; `value` is given away. BELAY_ERANGE past the end or for a number that does
    /// not fit, BELAY_EKIND for a value of another kind; then it is as it was.
    pub fn belay_invocation_set(invocation: *mut belay_invocation, index: usize, value: belay_value) -> c_int;
    /// What the call has answered, or was set; zero before. Given to the caller.
    pub fn belay_invocation_result(invocation: *mut belay_invocation) -> belay_value;
    /// What it answers instead; fails as belay_invocation_set() does, BELAY_EKIND for a `void` method
    /// unless it is null. A string that the caller of an intercepted method gets is valid until the
    /// method answers again on the same slot, or the slot is gone.
    pub fn belay_invocation_set_result(invocation: *mut belay_invocation, value: belay_value) -> c_int;
    /// Copies the C strings among the arguments, which else are as valid as their owner keeps them.
    /// (retainArguments.)
    pub fn belay_invocation_retain_arguments(invocation: *mut belay_invocation) -> c_int;
    /// Calls `function`, which has the method's shape, with the arguments; its result is the
    /// invocation's.
    pub fn belay_invocation_call(invocation: *mut belay_invocation, function: belay_function) -> c_int;
    /// In an interceptor: goes on with the call, to the next interceptor or to the method itself; its
    /// result is the invocation's. As often as one likes. BELAY_EENDED when the call is over.
    pub fn belay_invocation_proceed(invocation: *mut belay_invocation) -> c_int;
    /// The loop that this thread has, of which the caller is one more user; else one of Belay's own,
    /// bound to this thread. BELAY_ENOTSUP also when the libuv in the process is older than the one that
    /// Belay was compiled for. `options` may be NULL. Release the result.
    pub fn belay_loop_create(options: *const belay_loop_options) -> *mut belay_loop;
    /// Belay on a loop of the host's, which the host goes on running. Its `data`, its handles and its
    /// run are left alone, and Belay does not keep it alive, except for timers and sources in use. Where
    /// Belay is on that loop already the caller is one more user, and the loop is bound to this thread.
    /// Call it on the thread that runs the loop. The uv_loop_t must live until the close's callback has
    /// run. BELAY_EBOUND when the thread has another loop, BELAY_EBUSY when this one is Belay's own and
    /// runs on another thread, BELAY_EINVAL for one that libuv has closed, and what create answers.
    pub fn belay_loop_adopt(uv: *mut uv_loop_s, options: *const belay_loop_options) -> *mut belay_loop;
    /// See [`belay_loop_adopt`].
    pub fn belay_loop_retain(r#loop: *mut belay_loop) -> *mut belay_loop;
    /// Gives a reference back. Any thread. With the last one of a handle that was not closed its user
    /// leaves: at once on the loop's thread; elsewhere at the next turn, or, when the loop is Belay's
    /// own, has no other user and is not running, as soon as its thread has ended or looks for a loop,
    /// which a line on stderr says.
    pub fn belay_loop_release(r#loop: *mut belay_loop);
    /// Binds the loop to the calling thread; BELAY_EBUSY while it runs.
    pub fn belay_loop_bind(r#loop: *mut belay_loop) -> c_int;
    /// The loop bound to the calling thread, borrowed, or NULL: the handle of the user who has had it
    /// longest, to ask the loop something. To use it, create or adopt.
    pub fn belay_loop_current() -> *mut belay_loop;
    /// Runs the loop. Scheduled work, sources in use and the host's own handles are what it waits for;
    /// subscriptions to subjects alone are not. Returns 0 when nothing is left to wait for, 1 when there
    /// is (stopped, or one turn is over), or an error: BELAY_EBUSY while another thread runs it,
    /// BELAY_ECLOSED, BELAY_EINVAL for an adopted loop (run it yourself) and an unknown mode.
    ///
    /// A callback may run it, too, or have the host or libuv run it: a modal dialogue goes on. Such a
    /// turn delivers what the outer one has left. What runs is not entered again: a subscriber hears one
    /// event at a time, and a periodic timer whose callback is running misses its turns. libuv itself
    /// calls its uv_run() not re-entrant; its own watchers whose callbacks wait in the outer turn are
    /// called there.
    pub fn belay_loop_run(r#loop: *mut belay_loop, mode: belay_run_mode) -> c_int;
    /// Makes a run, the innermost, return after the turn in progress; before a run, makes the next one
    /// return at once.
    /// Any thread. BELAY_EINVAL for an adopted loop.
    pub fn belay_loop_stop(r#loop: *mut belay_loop) -> c_int;
    /// 1 while there is something to wait for.
    pub fn belay_loop_alive(r#loop: *mut belay_loop) -> c_int;
    /// Seconds on the monotonic clock, read once a turn.
    pub fn belay_loop_now(r#loop: *mut belay_loop) -> f64;
    /// This user's scheduler on the loop, borrowed: valid as long as the handle. When the user has left
    /// it answers BELAY_ECANCELED.
    pub fn belay_loop_get_scheduler(r#loop: *mut belay_loop) -> *mut belay_scheduler;
    /// The libuv loop inside, borrowed.
    pub fn belay_loop_uv(r#loop: *mut belay_loop) -> *mut uv_loop_s;
    /// How often the loop has come back from waiting: one for each turn.
    pub fn belay_loop_turns(r#loop: *mut belay_loop) -> u64;
    /// The backend's descriptor: poll it for reading, and for as long as backend_timeout says.
    pub fn belay_loop_backend_fd(r#loop: *mut belay_loop) -> c_int;
    /// Seconds to wait at most: 0 to run now, negative for no limit. Ask again after every run and after
    /// every call that may arm something; then belay_loop_run(loop, BELAY_RUN_NOWAIT).
    pub fn belay_loop_backend_timeout(r#loop: *mut belay_loop) -> f64;
    /// One descriptor for everything: readable whenever the loop has something to do, timers and newly
    /// armed sources included. Made at the first ask; the loop owns it. Negative: an error.
    pub fn belay_loop_fd(r#loop: *mut belay_loop) -> c_int;
    /// Runs `action` on the loop's thread, at its next turn, in the order of posting. Any thread.
    /// BELAY_EAGAIN when the queue is full, BELAY_ECANCELED when the handle is closed; `ctx_free` runs
    /// in every case, after the action or before this returns.
    pub fn belay_loop_post(r#loop: *mut belay_loop, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// The most that ever waited in that queue. Any thread.
    pub fn belay_loop_queue_high_water(r#loop: *mut belay_loop) -> usize;
    /// The loop's hook for errors that nobody handles; see belay_on_unhandled_error(). It takes the
    /// place of another user's, and goes when this user leaves.
    pub fn belay_loop_on_unhandled_error(r#loop: *mut belay_loop, hook: belay_unhandled_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Leaves the loop: this user's subscriptions are disposed of, its timers and its work too, its
    /// posts are dropped, its belay_pointer_at() destroyed. The last user to leave closes the loop: all
    /// that is at home there is interrupted, sources are closed, what is queued is dropped.
    ///
    /// `closed` gets what was still alive, by name, and for the last user what the host still has
    /// there; when it is NULL, that is printed on stderr, a line each, unless the user is quiet.
    /// `ctx_free` follows. Both run before this returns, with three exceptions, in which a later turn
    /// calls them: work of this user's is running on the pool (for the last user also a file is being
    /// read); this is called from inside a callback of Belay's, which then frees its context first; or
    /// the loop is Belay's own and running. After `closed` nothing of this user's runs at the loop; what
    /// he has on other loops and workers is his to end. An adopted loop may have handles left that libuv
    /// is closing: uv_loop_close() says UV_EBUSY until the host has run it once more.
    ///
    /// A second close is BELAY_ECLOSED. The thread may make or adopt another loop at once. A host
    /// that ends its loop by closing every handle it finds may close Belay's, too; this then closes the
    /// rest.
    pub fn belay_loop_close(r#loop: *mut belay_loop, closed: belay_closed_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// What kind of thing it is: "subscription", "timer", "work" (on the pool), "uv_tcp", …; "" for
    /// NULL. Static.
    pub fn belay_open_resource_kind(resource: *const belay_open_resource) -> *const c_char;
    /// Its label and its site, static, or NULL.
    pub fn belay_open_resource_label(resource: *const belay_open_resource) -> *const c_char;
    /// See [`belay_open_resource_label`].
    pub fn belay_open_resource_site(resource: *const belay_open_resource) -> *const c_char;
    /// Where it is, or was, to tell one from another.
    pub fn belay_open_resource_address(resource: *const belay_open_resource) -> *const c_void;
    /// 1: the host's, and left as it is; 0: Belay's, and ended by the close.
    pub fn belay_open_resource_is_foreign(resource: *const belay_open_resource) -> c_int;
    /// Sets the notice of that name (copied; compared byte for byte), behind those that are set already.
    /// One of the same name is replaced: it is never told, and its user_info freed before this returns.
    /// `notify` may be NULL: then only the user_info is freed at step 5. It runs at most once;
    /// `user_info_free` (may be NULL) exactly once: after it, or without it, when it is replaced or
    /// removed, or when this fails. While the owner is dying up to its deinit, notices are still taken.
    /// 0; BELAY_EINVAL for a NULL owner or name; BELAY_EDEAD from step 5 on.
    pub fn belay_notice_set(owner: *mut belay_owner, name: *const c_char, notify: belay_notice_fn, user_info: *mut c_void, user_info_free: belay_free_fn) -> c_int;
    /// Takes a notice back: it is not told, its user_info is freed. Also one that has not had its turn
    /// yet when another is being told. 0; BELAY_ENOENT when none of that name is set, which changes
    /// nothing; BELAY_EINVAL for NULL.
    pub fn belay_notice_remove(owner: *mut belay_owner, name: *const c_char) -> c_int;
    /// The user_info of a notice, borrowed: until it is told, replaced or removed. NULL when there is
    /// none of that name.
    pub fn belay_notice_user_info(owner: *mut belay_owner, name: *const c_char) -> *mut c_void;
    /// Calls `visit` for each notice that is set by now, and still is when its turn comes, in the order
    /// of setting; answers how many those were. `visit` may be NULL, and may set and remove notices. 0
    /// for NULL.
    pub fn belay_notice_each(owner: *mut belay_owner, visit: belay_notice_visit_fn, ctx: *mut c_void) -> usize;
    /// A class of objects with `count` fields; `fields` is static, and is not copied. NULL:
    /// BELAY_EINVAL for a field of a wrong size, a name that is missing, empty, dotted or there twice, a
    /// kind that there is none of, unknown flags, a dependence on what is not a field before;
    /// BELAY_ERANGE beyond 64 fields.
    pub fn belay_type_create(fields: *const belay_field, count: usize, flags: c_uint) -> *mut belay_type;
    /// See [`belay_type_create`].
    pub fn belay_type_retain(r#type: *mut belay_type) -> *mut belay_type;
    /// See [`belay_type_create`].
    pub fn belay_type_release(r#type: *mut belay_type);
    /// Says of which class an owner's object is, for good; nothing is taken over. 0; BELAY_EINVAL for
    /// NULL, or an owner without an object, when the class has fields; BELAY_EASSIGNED for one of
    /// another class; BELAY_EDEAD for one that is dying.
    pub fn belay_object_set_type(object: *mut belay_owner, r#type: *mut belay_type) -> c_int;
    /// What a path leads to now; `*value` is given to the caller, and null where a hop is. 0;
    /// BELAY_EINVAL for NULL or a path with an empty key; BELAY_ENOENT for a key that there is none of;
    /// BELAY_EKIND for a hop that is no object; BELAY_EDEAD for an object that is dying. A failure of a
    /// getter's is a value.
    pub fn belay_object_get(object: *mut belay_owner, path: *const c_char, value: *mut belay_value) -> c_int;
    /// Sets what a path leads to; `value` is given away. Numbers convert as in the getters of value.h.
    /// 0; what belay_object_get() answers, where a null hop is BELAY_EDEAD; BELAY_EINVAL for a field
    /// that is only read; BELAY_EKIND or BELAY_ERANGE for a value that does not fit, and what a setter
    /// answers: then it is as it was; BELAY_EAGAIN when 1024 changes of the object wait to be told of.
    pub fn belay_object_set(object: *mut belay_owner, path: *const c_char, value: belay_value) -> c_int;
    /// Around a write of the host's, on the same thread. They nest: the outermost tells. Without the
    /// former the old value is null. 0; BELAY_EINVAL for NULL; BELAY_ENOENT for a key that there is
    /// none of; BELAY_EDEAD.
    pub fn belay_object_will_change(object: *mut belay_owner, key: *const c_char) -> c_int;
    /// See [`belay_object_will_change`].
    pub fn belay_object_did_change(object: *mut belay_owner, key: *const c_char) -> c_int;
    /// What changes in between is told of at the end, once for each key. They nest. 0; BELAY_EINVAL for
    /// NULL; BELAY_ENOENT for an object of no class, or an end without a beginning; BELAY_EDEAD.
    pub fn belay_object_begin_changes(object: *mut belay_owner) -> c_int;
    /// See [`belay_object_begin_changes`].
    pub fn belay_object_end_changes(object: *mut belay_owner) -> c_int;
    /// A signal of what a path leads to, whichever objects are on it; where a hop is null, null. Each
    /// subscription observes for itself. It completes when `object` or the observer begins to die, at
    /// once when one has. A key that there is none of is the error BELAY_ENOENT, a hop that is no object
    /// BELAY_EKIND, both when it is reached. `options` may be NULL: the value now, and each new one. The
    /// death of what a field or property (not a getter) refers to is a change, unless it is the
    /// observer's: of a weak reference; of an adopted pointer, which the field still holds; of an owner
    /// that dies with its parent. NULL: BELAY_EINVAL for NULL, a path with an empty key, options that
    /// are wrong.
    pub fn belay_object_observe(object: *mut belay_owner, path: *const c_char, options: *const belay_observe_options) -> *mut belay_signal;
    /// What a record says. BELAY_EKIND for a value that is none; BELAY_EINVAL for NULL and a wrong size.
    pub fn belay_change_get(record: belay_value, change: *mut belay_change) -> c_int;
    /// Sets `to` to what `from` is, now and whenever it changes; with `both_ways`, `from` to what `to`
    /// is set to otherwise. What came through the binding is not passed back, and a field that has the
    /// value already is not set. Ends when one of the owners or properties goes, with an error of a
    /// conversion's or of setting's (which goes to the hook for errors that nobody handles), and by
    /// `*disposable` (may be NULL). Keeps nothing alive. 0; BELAY_EINVAL for what is not complete;
    /// BELAY_EWRONGTHREAD for a property whose home is not this thread's. `ctx_free` runs once, also
    /// when this fails (not when `size` is wrong).
    pub fn belay_bind(binding: *const belay_binding, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sets what a path leads to, to each value of a signal; ends like the former, and with the signal.
    pub fn belay_signal_bind_object(signal: *mut belay_signal, object: *mut belay_owner, path: *const c_char, disposable: *mut *mut belay_disposable) -> c_int;
    /// Has `handler` called for each event of that name (copied; compared byte for byte) that `source`
    /// posts from now on, as long as both live. The same watcher, source, event and level again replace
    /// the handler; the old one's ctx is freed before this returns, if it is not running. `ctx_free`
    /// runs once, after the last call, also when this fails. Takes nothing over, keeps nobody alive; an
    /// owner may watch itself. 0; BELAY_EINVAL for a NULL owner, name or handler, or a path with an
    /// empty key; BELAY_EDEAD when either is dying; for a path what belay_object_get() answers.
    pub fn belay_owner_event_watch(watcher: *mut belay_owner, source: *mut belay_owner, name: *const c_char, level: c_int, handler: belay_owner_event_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Ends the one watch of this level … When it returns at the watcher's home, its handler runs no
    /// more, but on the caller's own stack. 0; BELAY_ENOENT when there is none, which changes nothing;
    /// BELAY_EINVAL for NULL, which never stands for all.
    pub fn belay_owner_event_unwatch(watcher: *mut belay_owner, source: *mut belay_owner, name: *const c_char, level: c_int) -> c_int;
    /// … those of this event, whatever their level, …
    pub fn belay_owner_event_unwatch_name(watcher: *mut belay_owner, source: *mut belay_owner, name: *const c_char) -> c_int;
    /// … those of all events of `source`, …
    pub fn belay_owner_event_unwatch_source(watcher: *mut belay_owner, source: *mut belay_owner) -> c_int;
    /// … and all that `watcher` watches.
    pub fn belay_owner_event_unwatch_all(watcher: *mut belay_owner) -> c_int;
    /// Posts an event of `source`; `user_info` is given away. 0 when everybody on this thread has been
    /// called, and the others' loops have it; BELAY_QUEUED when it follows the event in progress;
    /// BELAY_EAGAIN when 1024 do already; BELAY_EINVAL for a NULL source or name, or that of a path;
    /// BELAY_EDEAD when the source is dying. A watcher whose loop has no room for it ends, and its loop
    /// is told of an error that nobody handles: a gap would go unseen.
    pub fn belay_owner_event_post(source: *mut belay_owner, name: *const c_char, user_info: belay_value) -> c_int;
    /// A method of a table in memory, which every object with that table calls. The same slot on every
    /// ask; a reference, release it. NULL: BELAY_EINVAL for NULL, a misaligned table or unknown flags;
    /// BELAY_ENOENT for a method that there is none of; BELAY_EPERM for one that is performance-
    /// sensitive; BELAY_EMISMATCH for one that is known with another shape; BELAY_ENOMEM where libffi
    /// may not make a closure. That the table is read-only is found when it has to be written to.
    pub fn belay_slot_create_in_table(interface: *mut belay_interface, table: *mut c_void, method: *const c_char, flags: c_uint) -> *mut belay_slot;
    /// A method of one object: while it is intercepted, the object's table pointer leads to a private
    /// copy of its table, of the interface's `table_size`, which has to be the whole of it. What slots of
    /// the shared table do meanwhile counts for the copy too; what others write there does not. The same
    /// slot on every ask, for every interface that has the pointer at that offset. As above; also
    /// BELAY_EINVAL for an interface without `table_offset`, an owner without an object, a misaligned
    /// one, or one whose table pointer is NULL or misaligned; BELAY_EDEAD for one that is dying.
    pub fn belay_slot_create_in_object(interface: *mut belay_interface, object: *mut belay_owner, method: *const c_char) -> *mut belay_slot;
    /// See [`belay_slot_create_in_object`].
    pub fn belay_slot_retain(slot: *mut belay_slot) -> *mut belay_slot;
    /// See [`belay_slot_create_in_object`].
    pub fn belay_slot_release(slot: *mut belay_slot);
    /// Says that a table's memory is going, or that nobody calls through it any more: its slots are put
    /// back first, if it can be written to, and end; their functions are freed when no call is in them.
    /// 0; BELAY_EINVAL for NULL; BELAY_ENOENT for a table without a slot; BELAY_EMISMATCH when somebody
    /// else had written.
    pub fn belay_table_gone(table: *mut c_void) -> c_int;
    /// Before and after each call. Subscribing puts Belay's function in, and disposing takes it out. A
    /// subscription fails with BELAY_EROFS for a table in read-only memory, BELAY_EMISMATCH when somebody
    /// else has written, before anything is written. Release the result.
    pub fn belay_slot_sent(slot: *mut belay_slot) -> *mut belay_signal;
    /// See [`belay_slot_sent`].
    pub fn belay_slot_invoked(slot: *mut belay_slot) -> *mut belay_signal;
    /// Intercepts calls. The last added is called first; the disposable (may be NULL) ends any of them
    /// in any order, and belongs to the caller. 0; BELAY_EINVAL for NULL; BELAY_EDEAD for a slot that is
    /// gone; BELAY_EROFS and BELAY_EMISMATCH as above. `ctx_free` runs once, also on failure.
    pub fn belay_slot_around(slot: *mut belay_slot, around: belay_around_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Answers calls; as above.
    pub fn belay_slot_respond(slot: *mut belay_slot, respond: belay_respond_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// What is answered where nothing answers; `value` is given away. Fails as
    /// belay_invocation_set_result().
    pub fn belay_slot_set_default(slot: *mut belay_slot, value: belay_value) -> c_int;
    /// What makes one of several answers, which it borrows: the original's, if there is one, then the
    /// responders' in the order in which they were added. It returns it (given away). NULL: the first.
    /// Replaces the one before.
    pub fn belay_slot_set_combiner(slot: *mut belay_slot, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Has `function` called with the method's own arguments at each call: typed, unboxed, before it as
    /// `sent` is. Its shape has to be the method's with `ctx` (`@`) where the context is, or first where
    /// there is none; its result is ignored. Otherwise BELAY_EKIND, and the message shows both shapes.
    /// Else as belay_slot_around(). The disposable ends it.
    pub fn belay_slot_connect(slot: *mut belay_slot, shape: *const c_char, function: belay_function, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// 0; BELAY_EMISMATCH when somebody else has written over Belay's function; BELAY_EDEAD when the
    /// slot is gone; BELAY_EINVAL for NULL.
    pub fn belay_slot_status(slot: *mut belay_slot) -> c_int;
    /// What is in the slot but for Belay, or NULL: the original.
    pub fn belay_slot_original(slot: *mut belay_slot) -> belay_function;
    /// The object's proxy, made and installed at the first ask; a table that the interface finds
    /// `installed` then is its original. Who asks while another thread is at that gets the same one.
    /// Release it. NULL: BELAY_EINVAL for NULL, an owner without an object, or an interface without
    /// `install`; BELAY_EDEAD for an object that is dying; or what `install` answered, and then the
    /// next ask is a first one.
    pub fn belay_proxy_create(object: *mut belay_owner, interface: *mut belay_interface) -> *mut belay_proxy;
    /// See [`belay_proxy_create`].
    pub fn belay_proxy_retain(proxy: *mut belay_proxy) -> *mut belay_proxy;
    /// See [`belay_proxy_create`].
    pub fn belay_proxy_release(proxy: *mut belay_proxy);
    /// The table that the object was given; borrowed from the proxy. Only Belay writes to it.
    pub fn belay_proxy_table(proxy: *mut belay_proxy) -> *const c_void;
    /// The original delegate: `table` (borrowed, of the interface's layout) is forwarded to until it
    /// is taken away, or `delegate` (may be NULL, is not kept alive) dies. Its functions are read now.
    /// NULL takes away the one that there is. 0; BELAY_EINVAL for a NULL proxy, a misaligned table,
    /// and the table of this or another proxy of the object's; BELAY_EASSIGNED when there is one,
    /// which has to be taken away first, and for a proxy in front of another, for the oldest one
    /// forwards; BELAY_EDEAD when the object or `delegate` is dying. What `install` answers, and
    /// BELAY_EMISMATCH, are told, but change nothing: it is forwarded to all the same.
    pub fn belay_proxy_forward_to(proxy: *mut belay_proxy, table: *const c_void, delegate: *mut belay_owner) -> c_int;
    /// A method of the proxy, the same on every ask; a reference, release it. Who wants it (slot.h)
    /// fails with what `install` answers, or BELAY_EMISMATCH, and then does not; at an end these are
    /// recorded for the thread. NULL: BELAY_EINVAL for NULL; BELAY_ENOENT for a method that there is
    /// none of; BELAY_EPERM for one that is performance-sensitive; BELAY_EDEAD when the object is
    /// dying; BELAY_ENOMEM where libffi may not make a closure.
    pub fn belay_slot_create_in_proxy(proxy: *mut belay_proxy, method: *const c_char) -> *mut belay_slot;
    /// Says how the object's methods are found, in place of what was said before. Keeps its own reference
    /// to the interface. 0; BELAY_EINVAL for NULL or a wrong size, an owner without an object;
    /// BELAY_EDEAD. `ctx_free` runs once, when it is replaced or the object dies, also on failure.
    pub fn belay_object_set_responder(object: *mut belay_owner, responder: *const belay_responder) -> c_int;
    /// 1 when steps 1 to 3 find the method; else 0.
    pub fn belay_object_responds(object: *mut belay_owner, method: *const c_char) -> c_int;
    /// Sends the invocation to the object, which its context becomes; the result is the invocation's.
    /// 0; BELAY_EINVAL for NULL; BELAY_ENOENT when nobody has the method, and the message names it;
    /// BELAY_EKIND when the method that was found has another shape; BELAY_EDEAD; BELAY_EDEADLK when
    /// more than 64 targets follow each other; what `forward` answers.
    pub fn belay_invocation_send(invocation: *mut belay_invocation, object: *mut belay_owner) -> c_int;
    /// A subject without memory (ReactiveX's PublishSubject). `options` may be NULL.
    pub fn belay_subject_create(options: *const belay_source_options) -> *mut belay_signal;
    /// A subject with a current value, at first `initial` (taken over, also on failure): who subscribes
    /// gets it first; after the end, only the end. (ReactiveX's BehaviorSubject.)
    pub fn belay_subject_create_behavior(initial: belay_value, options: *const belay_source_options) -> *mut belay_signal;
    /// A subject that keeps its last `count` values (BELAY_UNLIMITED: all of them), none older than
    /// `seconds` (negative: however old) by the clock of `scheduler` (kept; NULL: the monotonic clock). Who
    /// subscribes gets them, oldest first, then the end if there was one. NaN, or a count of 0:
    /// BELAY_EINVAL. (ReactiveX's ReplaySubject.)
    pub fn belay_subject_create_replay(scheduler: *mut belay_scheduler, seconds: f64, count: usize, options: *const belay_source_options) -> *mut belay_signal;
    /// A subject that sends its last value when it completes, then completes; who subscribes later gets
    /// both. After an error, only the error. (ReactiveX's AsyncSubject.)
    pub fn belay_subject_create_async(options: *const belay_source_options) -> *mut belay_signal;
    /// The value that a behaviour subject delivered last; inside a delivery, the one being delivered.
    /// `*value` is given to the caller, who releases it; null on failure. Any thread. BELAY_EKIND for
    /// other signals, BELAY_EINVAL for NULL.
    pub fn belay_subject_current(subject: *mut belay_signal, value: *mut belay_value) -> c_int;
    /// Sends a value to every subscription; takes `value` over, always. Any thread. At home it returns
    /// when everybody has been called: 0. BELAY_QUEUED: sent from inside a delivery, or from another
    /// thread, and delivered later. BELAY_EENDED; BELAY_EREENTRANT, also when it is sent inside of a
    /// thousand other sends, which takes stack; BELAY_EAGAIN (a queue is full);
    /// from elsewhere BELAY_ENOHOME (the home has no loop) or BELAY_ECANCELED (its loop is closed).
    pub fn belay_subject_next(subject: *mut belay_signal, value: belay_value) -> c_int;
    /// Sends `count` values (each given away) as one batch, which observers with a `next_batch` get
    /// together; any other gets them one by one. Returns the code of the first that was refused, whose
    /// successors are dropped, else that of the last one; BELAY_EINVAL for NULL with a count.
    pub fn belay_subject_next_batch(subject: *mut belay_signal, values: *const belay_value, count: usize) -> c_int;
    /// Ends the subject. Never refused for lack of room. Keeps its own reference to `error`.
    pub fn belay_subject_error(subject: *mut belay_signal, error: *const belay_error) -> c_int;
    /// See [`belay_subject_error`].
    pub fn belay_subject_completed(subject: *mut belay_signal) -> c_int;
    /// How many are subscribed. At the subject's home only; elsewhere an estimate.
    pub fn belay_subject_count(subject: *mut belay_signal) -> usize;
    /// Who listens gets what comes while he does.
    pub fn belay_signal_publish(source: *mut belay_signal) -> *mut belay_signal;
    /// Who comes later gets first what a replay subject (belay_subject_create_replay()) has kept; also
    /// after the source's end, and then the end.
    pub fn belay_signal_replay(source: *mut belay_signal, scheduler: *mut belay_scheduler, seconds: f64, count: usize) -> *mut belay_signal;
    /// Through a subject of any kind (taken over), the same for every connection, so that who listens
    /// does so through disconnections too. BELAY_EKIND when it is none.
    pub fn belay_signal_multicast(source: *mut belay_signal, subject: *mut belay_signal) -> *mut belay_signal;
    /// Subscribes to the source, at the subject's home, unless it is subscribed. `*connection` (may be
    /// NULL) gets a reference to what disconnects when it is disposed of, the same until then; NULL when
    /// the source has ended. Dropping it disconnects nothing. BELAY_EKIND for other signals.
    pub fn belay_signal_connect(connectable: *mut belay_signal, connection: *mut *mut belay_disposable) -> c_int;
    /// On a connectable signal: connects with the first subscription, disconnects with the last one.
    pub fn belay_op_ref_count() -> *mut belay_op;
    /// On a connectable signal: connects with the `count`th subscription, once, for good. 0 is
    /// BELAY_EINVAL.
    pub fn belay_op_auto_connect(count: usize) -> *mut belay_op;
    /// One subscription to the source for all: from the first who listens to the last. `rules` are
    /// belay_share_rules; unknown ones are BELAY_EINVAL.
    pub fn belay_op_share(rules: c_uint) -> *mut belay_op;
    /// The same through a replay subject (belay_subject_create_replay()). RxJS's shareReplay keeps the
    /// completion and the connection; RxSwift's keeps nothing (whileConnected) or all (forever).
    pub fn belay_op_share_replay(scheduler: *mut belay_scheduler, seconds: f64, count: usize, rules: c_uint) -> *mut belay_op;
    /// Subscribes at `loop`, which is Belay's own, and runs it until the first value, for at most
    /// `seconds` (negative: without a limit). `*value` (may be NULL) is given to the caller, who
    /// releases it; null on failure. The error's code; BELAY_EENDED when the signal completed without a
    /// value; BELAY_ETIMEDOUT; BELAY_ECANCELED when it was interrupted, or the loop stopped; BELAY_EBUSY
    /// from inside a run of it; what belay_loop_run() answers; BELAY_EINVAL. However it ends, the
    /// subscription has ended too.
    pub fn belay_signal_wait_first(signal: *mut belay_signal, r#loop: *mut belay_loop, seconds: f64, value: *mut belay_value) -> c_int;
    /// The same for the last value before the completion.
    pub fn belay_signal_wait_last(signal: *mut belay_signal, r#loop: *mut belay_loop, seconds: f64, value: *mut belay_value) -> c_int;
    /// One uint64 0 after `seconds`, then completed. `scheduler` is kept.
    pub fn belay_signal_timer(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_signal;
    /// uint64 0, 1, 2, … every `seconds` (> 0); the first after one interval.
    pub fn belay_signal_interval(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_signal;
    /// The lines of a file, without their ends ("\n" or "\r\n"): a string each, bytes where it is not
    /// UTF-8. `path` is copied. Completes at the end of the file; the last line need not be ended. With
    /// BELAY_FILE_FOLLOW it does not complete: it waits for more, an unfinished line included; a file
    /// that shrank is read anew; one that was replaced is read to its end, then its successor; one that
    /// vanished is waited for. A file that cannot be opened at the start, or read, is an error event
    /// with libuv's code and the path in its message; so is a pipe, with BELAY_EINVAL: nobody knows how
    /// long it would keep a thread that reads it. A pipe in a followed file's place is waited out. A
    /// line longer than 1 MiB comes in pieces. Its home
    /// is `loop`, which is kept.
    pub fn belay_file_lines(r#loop: *mut belay_loop, path: *const c_char, flags: c_uint) -> *mut belay_signal;
    /// An int32, the number, each time the process gets the POSIX signal. Its home is `loop`.
    pub fn belay_posix_signal(r#loop: *mut belay_loop, signum: c_int) -> *mut belay_signal;
    /// The last value, once none has come for `seconds` (> 0). Completion sends what waits first. Keeps
    /// one value.
    pub fn belay_op_debounce(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// The same for values for which `waits` returns 1. Any other is sent at once, and drops what waits.
    /// (ReactiveObjC's throttle:valuesPassingTest:.)
    pub fn belay_op_debounce_if(scheduler: *mut belay_scheduler, seconds: f64, waits: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// At most one value in `seconds` (> 0): with `leading` (0 or 1) the first, which begins the time;
    /// with `trailing` the last of those that came meanwhile, when it is over, which begins it anew.
    /// Completion waits for a trailing value. Keeps one value. (RxJS's throttleTime.)
    pub fn belay_op_throttle(scheduler: *mut belay_scheduler, seconds: f64, leading: c_int, trailing: c_int) -> *mut belay_op;
    /// A value begins a time of `seconds` (> 0), at whose end the last that came is sent. Completion
    /// waits for it. Keeps one value. (RxJS's auditTime.)
    pub fn belay_op_audit(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// The latest value, each time that `notifier` (taken over) sends one, if one has come since the
    /// last time. Ends with the source, without sending what waits; the notifier's error ends it too,
    /// its completion changes nothing. Keeps one value.
    pub fn belay_op_sample(notifier: *mut belay_signal) -> *mut belay_op;
    /// The same every `seconds` (> 0).
    pub fn belay_op_sample_time(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Values and completion `seconds` later (negative counts as 0), in their order; an error at once.
    /// Keeps what came in the last `seconds`.
    pub fn belay_op_delay(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Subscribes to the source after `seconds` (negative counts as 0).
    pub fn belay_op_delay_subscription(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// When no event has come for `seconds` (> 0) since the subscription, or since the last value: goes
    /// on with `fallback` (taken over), which has no limit, or, when that is NULL, ends with the error
    /// BELAY_ETIMEDOUT.
    pub fn belay_op_timeout(scheduler: *mut belay_scheduler, seconds: f64, fallback: *mut belay_signal) -> *mut belay_op;
    /// While the last value of `condition` (taken over; BELAY_KIND_BOOL, anything else is an error
    /// event BELAY_EKIND) is true, holds the latest value back, and sends it when that becomes false;
    /// before its first value all pass. Ends with the source, without sending what waits; the
    /// condition's error ends it too, its completion changes nothing. Keeps one value.
    pub fn belay_op_throttle_while(condition: *mut belay_signal) -> *mut belay_op;
    /// Events are delivered by work on `scheduler`, in their order, from a bounded queue. When that is
    /// a loop's or a pool's, everything below runs there, which so is the home of a subscription to the
    /// resulting signal, whatever its observer names; what is above runs where one subscribed (the
    /// observer's loop, else the thread's). Where signals are joined below, their home is the join's,
    /// and events go on from the scheduler to there. An operator below that sends when it starts, or
    /// has a time or a second signal, starts at the loop: then the source needs a home with a loop
    /// (BELAY_ENOHOME). belay_disposable_dispose_sync() waits for what is below; a callback above, at
    /// another home, may still be running. `options` may be NULL.
    pub fn belay_op_observe_on(scheduler: *mut belay_scheduler, options: *const belay_queue_options) -> *mut belay_op;
    /// The source is subscribed to by work on `scheduler`. When that is another loop's or a pool's,
    /// the source and what is above run there, and their events are queued to the subscription's home
    /// (1024 values, then the error BELAY_EAGAIN), which has to be a loop too (BELAY_ENOHOME).
    pub fn belay_op_subscribe_on(scheduler: *mut belay_scheduler) -> *mut belay_op;
    /// `value` (taken over) in the place of each value.
    pub fn belay_op_map_to(value: belay_value) -> *mut belay_op;
    /// Each value becomes what `map` returns; null values are dropped.
    pub fn belay_op_compact_map(map: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The error becomes what `map` returns.
    pub fn belay_op_map_error(map: belay_map_error_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// At completion sends what `step(accumulated, value)` has made of all values, beginning with
    /// `seed` (taken over): of none the seed itself.
    pub fn belay_op_reduce(seed: belay_value, step: belay_scan_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// \[index value\], from 0 on.
    pub fn belay_op_enumerated() -> *mut belay_op;
    /// \[owner value\] for each value until `owner` begins to die, which completes. The array keeps the
    /// owner from dying; the operator does not, nor does it take it over. (RxSwift's withUnretained.)
    pub fn belay_op_with_owner(owner: *mut belay_owner) -> *mut belay_op;
    /// \[previous current\] for each value but the first.
    pub fn belay_op_pairwise() -> *mut belay_op;
    /// All values as one array, at completion; none on an error. Holds every value until then.
    pub fn belay_op_collect() -> *mut belay_op;
    /// Arrays of `count` values, of which one begins with every `skip`th value: they overlap when `skip`
    /// is less than `count`, and values between them are dropped when it is more. At completion those
    /// that have begun are sent as they are; on an error they are dropped. Holds `count` values.
    /// 0 for either is BELAY_EINVAL.
    pub fn belay_op_buffer_skip(count: usize, skip: usize) -> *mut belay_op;
    /// Signals (belay_value_get_signal()) of `count` values each, of which one begins at the subscription
    /// and one with every `skip`th value; 0 for either is BELAY_EINVAL. A window ends
    /// with the source, and is interrupted when the outer subscription is disposed of, whoever listens
    /// to it. Values that nobody listens to are dropped: subscribe when it is sent.
    pub fn belay_op_window(count: usize, skip: usize) -> *mut belay_op;
    /// A window every `seconds`; the next one begins also as soon as `count` values (BELAY_UNLIMITED: by
    /// time alone; 0: BELAY_EINVAL) have come, which starts the time anew. `scheduler` is kept; see belay_op_buffer_time().
    pub fn belay_op_window_time(scheduler: *mut belay_scheduler, seconds: f64, count: usize) -> *mut belay_op;
    /// A window for each value of `openings` (taken over), until the signal that `closing` returns for it
    /// (given away; NULL: it failed) sends a value. Several may be open at once. The completion of
    /// `openings`, or of such a signal alone, changes nothing; the error of any of them, and what
    /// `closing` fails with, ends the windows and the signal. Else they end as those above do. RxJS's
    /// bufferToggle is this, then belay_op_flat_map() with belay_op_collect().
    pub fn belay_op_window_toggle(openings: *mut belay_signal, closing: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// A signal (belay_value_get_signal(), its key by belay_signal_key()) for each key that `key` returns,
    /// with the values that it returns it for; keys are compared by belay_value_equal(). A group is
    /// sent before its first value, which reaches who subscribes at once. It ends as a window does, and
    /// with what `key` fails with. All groups are held until then: keys should be few.
    pub fn belay_op_group_by(key: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// The key of a group, borrowed from it; null for any other signal.
    pub fn belay_signal_key(group: *mut belay_signal) -> belay_value;
    /// The events as values (belay_event), then completed, also after an error.
    pub fn belay_op_materialize() -> *mut belay_op;
    /// Such values as events again; what comes after an end is dropped. BELAY_EKIND for a value that is
    /// none.
    pub fn belay_op_dematerialize() -> *mut belay_op;
    /// \[seconds value\]: the time on the scheduler's clock at which the value came.
    pub fn belay_op_timestamp(scheduler: *mut belay_scheduler) -> *mut belay_op;
    /// \[seconds value\]: the time since the value before it, for the first since the subscription.
    pub fn belay_op_time_interval(scheduler: *mut belay_scheduler) -> *mut belay_op;
    /// Starts a worker. `label` (static; may be NULL) names its loop in reports. NULL, with libuv's
    /// error, when there is no thread to be had. Any thread.
    pub fn belay_worker_create(label: *const c_char) -> *mut belay_worker;
    /// See [`belay_worker_create`].
    pub fn belay_worker_retain(worker: *mut belay_worker) -> *mut belay_worker;
    /// Gives a reference back. With the last one the worker finishes the action it is in, what else it
    /// had is disposed of, its loop is closed, and its thread has ended when this returns; on the
    /// worker's own thread, right after.
    pub fn belay_worker_release(worker: *mut belay_worker);
    /// Borrowed; may be retained, and refuses work with BELAY_ECANCELED when the worker has gone.
    pub fn belay_worker_get_scheduler(worker: *mut belay_worker) -> *mut belay_scheduler;
    /// A drawing whose frames are `frame` seconds, at least a nanosecond: else BELAY_EINVAL.
    pub fn belay_drawing_create(frame: f64) -> *mut belay_drawing;
    /// See [`belay_drawing_create`].
    pub fn belay_drawing_retain(drawing: *mut belay_drawing) -> *mut belay_drawing;
    /// See [`belay_drawing_create`].
    pub fn belay_drawing_release(drawing: *mut belay_drawing);
    /// Begins a line.
    pub fn belay_drawing_row(drawing: *mut belay_drawing, name: *const c_char) -> c_int;
    /// Adds a mark to the line that was begun last, `seconds` (not negative) after the beginning; what
    /// is earlier than the line's last one is drawn with it. BELAY_ENOENT without a line.
    pub fn belay_drawing_mark(drawing: *mut belay_drawing, mark: belay_mark, seconds: f64, label: *const c_char) -> c_int;
    /// A box with an operator's name.
    pub fn belay_drawing_box(drawing: *mut belay_drawing, text: *const c_char) -> c_int;
    /// A line that a diagram of marbles.h tells, whose frames are milliseconds. BELAY_EINVAL for a
    /// malformed one.
    pub fn belay_drawing_diagram(drawing: *mut belay_drawing, name: *const c_char, diagram: *const c_char) -> c_int;
    /// Gives the letter or digit `mark` of the diagrams that follow a label.
    pub fn belay_drawing_define(drawing: *mut belay_drawing, mark: c_char, label: *const c_char) -> c_int;
    /// Begins a line and gives the same signal (taken over, also on failure), whose subscriptions are
    /// drawn there: values as belay_value_describe() tells them, ends, and the spans; each subscription
    /// after the first as one more line under it. The time is that of `scheduler`, the same for a whole
    /// drawing, and begins with the first call of this. The signal keeps the drawing and the
    /// scheduler.
    pub fn belay_drawing_record(drawing: *mut belay_drawing, signal: *mut belay_signal, name: *const c_char, scheduler: *mut belay_scheduler) -> *mut belay_signal;
    /// Writes the drawing, cut to `size` bytes with its NUL (`buffer` may be NULL); returns the length
    /// of the whole.
    pub fn belay_drawing_text(drawing: *mut belay_drawing, buffer: *mut c_char, size: usize) -> usize;
    /// The same as SVG, self-contained.
    pub fn belay_drawing_svg(drawing: *mut belay_drawing, buffer: *mut c_char, size: usize) -> usize;
    /// `belay_marbles_create` of `marbles.h`.
    pub fn belay_marbles_create() -> *mut belay_marbles;
    /// Ends what the test still has going on.
    pub fn belay_marbles_release(test: *mut belay_marbles);
    /// The test's virtual time, for operators that take a scheduler. Borrowed.
    pub fn belay_marbles_get_scheduler(test: *mut belay_marbles) -> *mut belay_scheduler;
    /// Gives the letter or digit `mark` the meaning `value` (taken over), before it is used.
    pub fn belay_marbles_define(test: *mut belay_marbles, mark: c_char, value: belay_value) -> c_int;
    /// A signal that sends the diagram to each subscription, from its beginning on. The caller's
    /// reference; NULL for a malformed diagram.
    pub fn belay_marbles_cold(test: *mut belay_marbles, diagram: *const c_char) -> *mut belay_signal;
    /// A signal whose events happen whether or not somebody listens. `^` is where the test begins; what
    /// is before has happened.
    pub fn belay_marbles_hot(test: *mut belay_marbles, diagram: *const c_char) -> *mut belay_signal;
    /// Expects `signal` (taken over) to do what `diagram` says. `subscription` tells when it is
    /// subscribed to and disposed ("--^----!"); NULL: from the beginning on.
    pub fn belay_marbles_expect(test: *mut belay_marbles, signal: *mut belay_signal, subscription: *const c_char, diagram: *const c_char) -> c_int;
    /// Expects the subscriptions to `source`, which is one of this test's, to be these `count` ones, in
    /// the order of their beginning. Takes nothing over. BELAY_ENOENT for another signal.
    pub fn belay_marbles_expect_subscriptions(test: *mut belay_marbles, source: *mut belay_signal, subscriptions: *const *const c_char, count: usize) -> c_int;
    /// Lets an hour pass and compares: 0, or BELAY_EMISMATCH, and belay_last_error()'s message draws
    /// what was expected and what happened one over the other. Once; a second run expects nothing.
    pub fn belay_marbles_run(test: *mut belay_marbles) -> c_int;
}
