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

/// As a count: no limit. A count of 0 means none; it is BELAY_EINVAL where none makes no sense.
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

/// `belay_stream` of `base.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_stream {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Frees a callback's context. It runs exactly once, after the last callback that could use the
/// context has returned. It also runs when the call that was given the context fails.
pub type belay_free_fn = Option<unsafe extern "C" fn(ctx: *mut c_void)>;

/// A callback whose only argument is its context.
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
/// the result of belay_value_failure(): how a callback fails
pub const BELAY_KIND_FAILURE: belay_kind = 13;
/// UTF-8 with a length, followed by a NUL
pub const BELAY_KIND_STRING: belay_kind = 14;
/// Of [`belay_kind`].
pub const BELAY_KIND_BYTES: belay_kind = 15;
/// a copy of a struct, with the name of its type
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
/// Of [`belay_kind`].
pub const BELAY_KIND_STREAM: belay_kind = 27;

/// `belay_value` of `value.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_value {
    /// `payload_`.
    pub payload_: u64,
    /// `tag_`.
    pub tag_: u64,
}

/// A string or a run of bytes that somebody else owns.
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

/// accepted, delivered later: after the event in progress, or at home
pub const BELAY_QUEUED: c_int = 1;

/// Codes of errno, with the meaning of errno.
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

/// a frame is longer than it may be
pub const BELAY_EMSGSIZE: c_int = -90;

/// `BELAY_ENOENT` of `error.h`.
pub const BELAY_ENOENT: c_int = -2;

/// For a size that the caller asks for. When Belay cannot allocate what it needs itself, it prints a
/// line on stderr and ends the process by abort().
pub const BELAY_ENOMEM: c_int = -12;

/// this build or system cannot do it
pub const BELAY_ENOTSUP: c_int = -95;

/// `BELAY_EPERM` of `error.h`.
pub const BELAY_EPERM: c_int = -1;

/// the end came inside of a frame
pub const BELAY_EPROTO: c_int = -71;

/// `BELAY_ERANGE` of `error.h`.
pub const BELAY_ERANGE: c_int = -34;

/// the memory is read-only
pub const BELAY_EROFS: c_int = -30;

/// `BELAY_ETIMEDOUT` of `error.h`.
pub const BELAY_ETIMEDOUT: c_int = -110;

/// Belay's own.
pub const BELAY_ENOHOME: c_int = -20000;

/// only the thread of its loop may call this
pub const BELAY_EWRONGTHREAD: c_int = -20001;

/// a value or a handle of another kind
pub const BELAY_EKIND: c_int = -20002;

/// the signal has ended, or its subscription has
pub const BELAY_EENDED: c_int = -20003;

/// disposed already
pub const BELAY_EDISPOSED: c_int = -20004;

/// assigned already: a disposable, a type, a parent, a
/// delegate
pub const BELAY_EASSIGNED: c_int = -20005;

/// sent from inside a delivery: the policy refuses it, or too
/// many sends are nested
pub const BELAY_EREENTRANT: c_int = -20006;

/// the owner is dying or dead
pub const BELAY_EDEAD: c_int = -20007;

/// the loop has been closed
pub const BELAY_ECLOSED: c_int = -20008;

/// the handle has been released (checked builds)
pub const BELAY_ERELEASED: c_int = -20009;

/// the thread, or the loop, is bound to another one
pub const BELAY_EBOUND: c_int = -20010;

/// not as expected: a test, a function pointer, a shape
pub const BELAY_EMISMATCH: c_int = -20011;

/// Gets an error event that reached a subscription without an `error` callback. `signal` is the name
/// of the signal that was subscribed to. `site` is the place of the subscription, or NULL when none
/// was given. All arguments are borrowed. Runs at the home of the subscription.
pub type belay_unhandled_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error, signal: *const c_char, site: *const c_char)>;

/// The callbacks of a subscription, and how it runs. Every callback may be NULL. Zero the members
/// that you do not use. `size` is sizeof(belay_observer).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_observer {
    /// `size`.
    pub size: usize,
    /// `value` is borrowed. The callback may fail by belay_fail(): the subscription then ends with
    /// that error.
    pub next: Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value)>,
    /// `error` is borrowed. NULL: the error goes to the hook for unhandled errors (error.h).
    pub error: Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error)>,
    /// `completed`.
    pub completed: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    /// runs exactly once, however the subscription ended
    pub disposed: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    /// `ctx`.
    pub ctx: *mut c_void,
    /// `ctx_free`.
    pub ctx_free: belay_free_fn,
    /// Static; the name of the subscription in reports. NULL: the name of its signal; in the report of
    /// a close, which has static names only, the label of its source.
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// The home of the subscription. NULL: the loop bound to this thread, else this thread; for a
    /// shared source, the threads that send. Below observe_on it is the scheduler's. The subscription
    /// ends when this handle is closed: see loop.h.
    pub r#loop: *mut belay_loop,
    /// The subscription ends when the owner dies. With an owner that is dying or dead, the call still
    /// returns 0 and the subscription is disposed at once. NULL: no owner.
    pub owner: *mut belay_owner,
    /// Use this instead of `next`, which must be NULL then. It gets the values that come in one batch
    /// together, 1 to 256 of them. The values and their array are borrowed. A batch is what from,
    /// range, repeat_value, a replay, next_batch or one read of a file sends, or what reaches a loop
    /// in one turn. Any other value comes alone; that of a shared source may come with the batch that
    /// another thread is sending there. A signal, such as a window or a group, comes at once, with the
    /// values that have gathered, because it keeps none for later. An end comes after the values; a
    /// disposal drops the values that have not been delivered. The operators before this one have seen
    /// the whole batch by then. The callback is never entered again from inside itself. It may fail
    /// like `next`.
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

/// The policy for a value that is sent from inside a delivery of the same source. A queued value is
/// delivered after its sender has returned, and the sender gets BELAY_QUEUED. A belay_pointer() to
/// something that the sender has only lent dangles at that point. If the values of a source point to
/// things that live only during the call (the arguments of a toolkit's signal, say), make the source
/// depth first, or send copies.
pub type belay_reentrancy = c_uint;
/// deliver after the event in progress has reached everybody
pub const BELAY_REENTRANCY_QUEUE: belay_reentrancy = 0;
/// deliver at once
pub const BELAY_REENTRANCY_DEPTH_FIRST: belay_reentrancy = 1;
/// queue, but keep only the latest value
pub const BELAY_REENTRANCY_LATEST: belay_reentrancy = 2;
/// refuse with BELAY_EREENTRANT
pub const BELAY_REENTRANCY_REJECT: belay_reentrancy = 3;

/// How a source is made. NULL, or zeroes after `size`, means the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_source_options {
    /// `size`.
    pub size: usize,
    /// static; the name of the source in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// Its home. NULL: the loop bound to this thread, else this thread. BELAY_EINVAL with `shared`.
    pub r#loop: *mut belay_loop,
    /// terminal events are always queued, except depth first
    pub reentrancy: belay_reentrancy,
    /// How many values may wait while another is delivered; 0: 1024. A value beyond that gets
    /// BELAY_EAGAIN. (Values from other threads wait in the queue of the loop: loop.h. In a shared
    /// source they count here, and so do those of bindings. Where several shared sources feed one
    /// subscription, they count together, and the largest capacity holds.)
    pub capacity: usize,
    /// 1: the source has no home. A send delivers on the sender's thread, one send at a time. A value
    /// that another thread sends meanwhile is delivered by the thread that is delivering, or by one
    /// that takes turns with it. A subscription whose observer names a loop is called there.
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

/// The policy for a value whose queue is full.
pub type belay_queue_policy = c_uint;
/// The subscription ends with BELAY_EAGAIN: that of observe_on after the values that wait.
pub const BELAY_QUEUE_ERROR: belay_queue_policy = 0;
/// the oldest value that waits is dropped
pub const BELAY_QUEUE_DROP_OLDEST: belay_queue_policy = 1;
/// the new value is dropped
pub const BELAY_QUEUE_DROP_NEWEST: belay_queue_policy = 2;
/// only the latest value waits, whatever the capacity
pub const BELAY_QUEUE_LATEST: belay_queue_policy = 3;
/// The sender sleeps until there is room in the queue of observe_on. On a thread with a loop, in
/// work of a pool's scheduler, where the same thread empties the queue or waits for the sender,
/// and in any other queue, this is BELAY_QUEUE_ERROR.
pub const BELAY_QUEUE_BLOCK: belay_queue_policy = 4;

/// How an operator queues. NULL, or zeroes after `size`, means the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_queue_options {
    /// `size`.
    pub size: usize,
    /// `policy`.
    pub policy: belay_queue_policy,
    /// How many values may wait in each queue; 0: 1024; BELAY_UNLIMITED: the queue grows. Ends are
    /// never refused.
    pub capacity: usize,
    /// The largest number of values that ever waited in one queue of a subscription, stored
    /// atomically. Borrowed: it has to live as long as the signal and its subscriptions. NULL: not
    /// wanted.
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

/// `belay_map_fn` of `operator.h`.
pub type belay_map_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> belay_value>;

/// Returns a signal, which is taken over.
pub type belay_flat_map_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> *mut belay_signal>;

/// Returns 1: yes; 0: no; \< 0: failed.
pub type belay_predicate_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> c_int>;

/// `belay_equal_fn` of `operator.h`.
pub type belay_equal_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, a: belay_value, b: belay_value) -> c_int>;

/// `belay_scan_fn` of `operator.h`.
pub type belay_scan_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, accumulated: belay_value, value: belay_value) -> belay_value>;

/// Tells whether `a` comes before `b`. Returns 1: yes; 0: no; \< 0: failed.
pub type belay_less_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, a: belay_value, b: belay_value) -> c_int>;

/// `belay_object_fn` of `owner.h`.
pub type belay_object_fn = Option<unsafe extern "C" fn(object: *mut c_void)>;

/// NULL, or zeroes after `size`, means the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_owner_options {
    /// `size`.
    pub size: usize,
    /// static; the name of the owner in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// The loop at which the owner dies. NULL: the thread that releases the last reference.
    pub r#loop: *mut belay_loop,
    /// In the place of `loop`: the scheduler of a loop, a worker or a pool, or one of the host's own,
    /// at whose home the owner dies.
    pub scheduler: *mut belay_scheduler,
}

impl Default for belay_owner_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_owner_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_owner_options>();
        made
    }
}

/// A function that destroys an object, as a table of functions holds it.
pub type belay_destroy_fn = Option<unsafe extern "C" fn(object: *mut c_void)>;

/// How an associated object is held.
pub type belay_association_policy = c_uint;
/// as it is given
pub const BELAY_ASSOCIATION_ASSIGN: belay_association_policy = 0;
/// `take(object)` adds a reference
pub const BELAY_ASSOCIATION_RETAIN: belay_association_policy = 1;
/// `take(object)` returns a copy, which is held
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
    /// Retains or copies the object, and returns the object to hold. NULL is a failure.
    pub take: Option<unsafe extern "C" fn(object: *mut c_void) -> *mut c_void>,
    /// Frees the held object when it is replaced or removed, or at the owner's death. May be NULL.
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

/// One side of a binding: a path of an object, or a property. `size` is sizeof(belay_bindable).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_bindable {
    /// `size`.
    pub size: usize,
    /// `object`.
    pub object: *mut belay_owner,
    /// `path`.
    pub path: *const c_char,
    /// or this, and then `object` is NULL
    pub property: *mut belay_property,
    /// Converts a value of this side to the value that the other side is set to. NULL: no
    /// conversion.
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

/// `belay_binding` of `binding.h`.
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

/// `belay_combine_fn` of `combining.h`.
pub type belay_combine_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, values: *const belay_value, count: usize) -> belay_value>;

/// `belay_command` of `command.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_command {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Makes the signal of an execution, which is given away. `input` is borrowed. NULL is a failure:
/// the error of belay_fail(), else BELAY_EINVAL. An execution that waits for an end of the command's
/// own signals has none, because those end after the last execution.
pub type belay_command_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, input: belay_value) -> *mut belay_signal>;

/// A producer. It runs once for each subscription, at the home of the subscription. `subscriber` is
/// borrowed: retain it to send later, otherwise the subscription is interrupted when this callback
/// returns. The callback returns a disposable, which it gives away, or NULL. The disposable is the
/// teardown of the producer. It is disposed when the subscription ends, or at once if the
/// subscription has ended already.
pub type belay_subscribe_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, subscriber: *mut belay_subscriber) -> *mut belay_disposable>;

/// Returns a signal, which is given away. NULL is a failure: the subscription ends with the error of
/// belay_fail(), else with BELAY_EINVAL.
pub type belay_make_signal_fn = Option<unsafe extern "C" fn(ctx: *mut c_void) -> *mut belay_signal>;

/// Returns 1 after storing the next value, which is given away, into `*out`; 0 when there are no
/// more; \< 0 when it has failed (belay_fail()). With 0 and with a failure nothing is given away,
/// whatever is in `*out`.
pub type belay_iterate_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, out: *mut belay_value) -> c_int>;

/// Returns a value, which is given away, or belay_value_failure().
pub type belay_produce_fn = Option<unsafe extern "C" fn(ctx: *mut c_void) -> belay_value>;

/// Makes a resource. Returns the disposable that ends it, which is given away; NULL is a failure, as
/// for belay_make_signal_fn. May set `*resource`, which is NULL before, to the resource itself.
pub type belay_make_resource_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, resource: *mut *mut c_void) -> *mut belay_disposable>;

/// Makes the signal that uses `resource`. Ownership and failure are those of
/// belay_make_signal_fn.
pub type belay_use_resource_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, resource: *mut c_void) -> *mut belay_signal>;

/// `belay_live_kind` of `diagnostics.h`.
pub type belay_live_kind = c_uint;
/// until their ctx_free has run
pub const BELAY_LIVE_SUBSCRIPTIONS: belay_live_kind = 0;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_SIGNALS: belay_live_kind = 1;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_SUBSCRIBERS: belay_live_kind = 2;
/// without subscriptions
pub const BELAY_LIVE_DISPOSABLES: belay_live_kind = 3;
/// until their step 8 is over
pub const BELAY_LIVE_OWNERS: belay_live_kind = 4;
/// until they are closed and released
pub const BELAY_LIVE_LOOPS: belay_live_kind = 5;
/// those with a counted box
pub const BELAY_LIVE_VALUES: belay_live_kind = 6;
/// Of [`belay_live_kind`].
pub const BELAY_LIVE_ERRORS: belay_live_kind = 7;
/// objects whose pointer leads to a private copy of their table
pub const BELAY_LIVE_TABLES: belay_live_kind = 8;
/// words that hold a function of Belay's: slots that are intercepted now
pub const BELAY_LIVE_SLOTS: belay_live_kind = 9;
/// delegate proxies
pub const BELAY_LIVE_PROXIES: belay_live_kind = 10;
/// functions made at run time: one for each slot that has been asked for
pub const BELAY_LIVE_CLOSURES: belay_live_kind = 11;
/// class tables whose destroy function Belay has replaced; for good
pub const BELAY_LIVE_CLASSES: belay_live_kind = 12;
/// the number of kinds
pub const BELAY_LIVE_KINDS: belay_live_kind = 13;

/// The kind of an overlap: a value came to a source during an event of the same source. The source
/// keeps the grammar: it delivers one event after the other, or refuses. It may still be a mistake
/// of the program: a feedback loop, or a thread that should not send.
pub type belay_overlap = c_uint;
/// it was sent from inside that delivery
pub const BELAY_OVERLAP_NESTED: belay_overlap = 1;
/// another thread was delivering (shared sources)
pub const BELAY_OVERLAP_THREADS: belay_overlap = 2;

/// Gets an overlap. `source` is the name of the source, and `site` the place that made it, or NULL.
/// `sender` is the name of the subscription whose callback sent the value, or NULL when none did.
/// All arguments are borrowed. Runs on the sender's thread, inside the send.
pub type belay_overlap_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, overlap: belay_overlap, source: *const c_char, sender: *const c_char, site: *const c_char)>;

/// Gets a callback that took long, in seconds, without the callbacks inside of it that were timed
/// themselves. `name` is the name of the subscription, the label of the work, or else "timer",
/// "work" or "post"; `site` the place that made it, or NULL. Both are borrowed. Runs on the
/// callback's thread, after the callback. The hook is not called for what it calls itself.
pub type belay_slow_callback_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, seconds: f64, name: *const c_char, site: *const c_char)>;

/// Gets a line without its line end, borrowed.
pub type belay_log_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, line: *const c_char)>;

/// Return 1 to stop; anything else continues.
pub type belay_stop_at_error_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error) -> c_int>;

/// `belay_stop_fn` of `effects.h`.
pub type belay_stop_fn = Option<unsafe extern "C" fn(ctx: *mut c_void) -> c_int>;

/// A value. Lent: it lasts until the function that gets it returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_exchange_value {
    /// a belay_kind
    pub kind: u32,
    /// 0
    pub reserved: u32,
    /// A bool or an integer, extended to 64 bits by its sign; a float's or double's bits; a
    /// pointer.
    pub bits: u64,
    /// A string (followed by a NUL), bytes or a struct: its content. An array: its items, each a
    /// belay_exchange_value. An error: a belay_exchange_error. A signal: a belay_exchange.
    pub data: *const c_void,
    /// how many bytes or items there are
    pub size: usize,
    /// static; the name of a struct's type or a pointer's; else NULL
    pub r#type: *const c_char,
    /// Of a pointer that owns something, else NULL: returns a reference to what it owns, which
    /// `release` gives back. Any thread.
    pub retain: Option<unsafe extern "C" fn(value: *const belay_exchange_value) -> *mut c_void>,
    /// `release`.
    pub release: Option<unsafe extern "C" fn(retained: *mut c_void)>,
    /// private to the exporting copy
    pub context: *mut c_void,
}

/// An error. Lent, like a value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_exchange_error {
    /// `code`.
    pub code: i32,
    /// 0
    pub reserved: u32,
    /// NULL: "belay"
    pub domain: *const c_char,
    /// NULL: the code's text
    pub message: *const c_char,
    /// NULL: none
    pub payload: *const belay_exchange_value,
    /// NULL: none
    pub cause: *const belay_exchange_error,
}

/// The subscriber to an exported signal. The functions are called one at a time, `released` last and
/// exactly once. Nothing else is called after an end, nor after a disposal has returned.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_exchange_observer {
    /// `ctx`.
    pub ctx: *mut c_void,
    /// `next`.
    pub next: Option<unsafe extern "C" fn(ctx: *mut c_void, value: *const belay_exchange_value)>,
    /// `error`.
    pub error: Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_exchange_error)>,
    /// `completed`.
    pub completed: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    /// `released`.
    pub released: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
}

/// A subscription to an exported signal. Any thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_exchange_subscription {
    /// `object`.
    pub object: *mut c_void,
    /// `dispose`.
    pub dispose: Option<unsafe extern "C" fn(object: *mut c_void)>,
    /// does not dispose of it
    pub release: Option<unsafe extern "C" fn(object: *mut c_void)>,
}

/// An exported signal: a reference to it, and what can be done with it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_exchange {
    /// 1
    pub version: u64,
    /// `signal`.
    pub signal: *mut c_void,
    /// `retain`.
    pub retain: Option<unsafe extern "C" fn(signal: *mut c_void)>,
    /// `release`.
    pub release: Option<unsafe extern "C" fn(signal: *mut c_void)>,
    /// borrowed from the signal
    pub name: Option<unsafe extern "C" fn(signal: *mut c_void) -> *const c_char>,
    /// Copies `observer`, whose functions must all be there, and fills in `subscription` before it
    /// calls anything of it. A subscription that lacks something ends with BELAY_EINVAL. On failure,
    /// `released` has been called, and there is no subscription. Returns what
    /// belay_signal_subscribe() returns; BELAY_EINVAL if anything is NULL.
    pub subscribe: Option<unsafe extern "C" fn(signal: *mut c_void, observer: *const belay_exchange_observer, subscription: *mut belay_exchange_subscription) -> c_int>,
}

/// The kind of an entry of a directory.
pub type belay_entry_kind = c_uint;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_UNKNOWN: belay_entry_kind = 0;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_FILE: belay_entry_kind = 1;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_DIRECTORY: belay_entry_kind = 2;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_LINK: belay_entry_kind = 3;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_PIPE: belay_entry_kind = 4;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_SOCKET: belay_entry_kind = 5;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_CHARACTER_DEVICE: belay_entry_kind = 6;
/// Of [`belay_entry_kind`].
pub const BELAY_ENTRY_BLOCK_DEVICE: belay_entry_kind = 7;

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

/// NULL, or zeroes after `size`, means the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_loop_options {
    /// `size`.
    pub size: usize,
    /// static; the name of the loop in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// The capacity of the queue from other threads, which holds events, scheduled work and posts; 0:
    /// 1024. Ends and disposals are never refused. The capacity of the first user counts.
    pub capacity: usize,
    /// 1: waiting for other threads counts as something to wait for. A run then continues until
    /// belay_loop_stop(), as long as this user is there.
    pub persistent: c_int,
    /// 1: prints nothing about the things that are still open when this user leaves.
    pub quiet: c_int,
    /// The version of libuv that the caller uses: UV_VERSION_HEX, or the result of uv_version(); 0:
    /// unknown. BELAY_ENOTSUP when the libuv that Belay calls has another major version, or an older
    /// minor one: the process then contains two copies of libuv, or the wrong one.
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

/// A thing that was still open on a loop when the loop was closed.
#[repr(C)]
#[derive(Debug)]
pub struct belay_open_resource {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Gets the things that were still open. `resources` has `count` items, borrowed together with their
/// array until the callback returns.
pub type belay_closed_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, resources: *const *const belay_open_resource, count: usize)>;

/// A handle by which recursive work asks for its next run.
#[repr(C)]
#[derive(Debug)]
pub struct belay_recursion {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_recursive_fn` of `scheduler.h`.
pub type belay_recursive_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, recursion: *mut belay_recursion)>;

/// A loop of the host's own: GLib's, a game's, another language's. Belay needs no libuv for it.
///
/// All functions get the `ctx` of belay_scheduler_create_host(). They must not wait, call Belay, or
/// run the work inside the call. The host runs `action(work)` on the thread of the loop, once, and
/// then calls `work_free(work)`. It calls `work_free(work)` alone, on any thread, for work that is
/// cancelled or that a loop which ends has not run. Work may be run after the scheduler's close; it
/// does nothing then.
///
/// When the host does otherwise, work that is run on another thread does nothing, and a line on
/// stderr says so; work that is run twice does nothing the second time. When work of `schedule` is
/// freed before it has been run on its thread, the loop counts as ended, and the scheduler refuses
/// everything with BELAY_ECANCELED. A timer that is early, or that was run on another thread, is set
/// again.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_scheduler_table {
    /// `size`.
    pub size: usize,
    /// static; the name of the loop in reports
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// The capacity of the queue from other threads, as in belay_loop_options; 0: 1024.
    pub capacity: usize,
    /// Runs the work soon. Any thread calls it, and perhaps again before the work has been run.
    pub schedule: Option<unsafe extern "C" fn(ctx: *mut c_void, action: belay_action_fn, work: *mut c_void, work_free: belay_free_fn)>,
    /// Runs the work after `seconds`. Returns what `cancel` gets. The thread of the loop. Belay has at
    /// most one such work waiting.
    pub after: Option<unsafe extern "C" fn(ctx: *mut c_void, seconds: f64, action: belay_action_fn, work: *mut c_void, work_free: belay_free_fn) -> *mut c_void>,
    /// Cancels a timer whose work has been neither run nor freed. The thread of the loop. NULL: Belay
    /// ignores the work of a cancelled timer when it is run.
    pub cancel: Option<unsafe extern "C" fn(ctx: *mut c_void, timer: *mut c_void)>,
    /// Returns the time of the loop in seconds, which never goes back. Any thread. NULL: the monotonic
    /// clock.
    pub now: Option<unsafe extern "C" fn(ctx: *mut c_void) -> f64>,
    /// 1: prints nothing about the things that are still open at the close.
    pub quiet: c_int,
}

impl Default for belay_scheduler_table {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_scheduler_table = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_scheduler_table>();
        made
    }
}

/// `belay_catch_fn` of `flattening.h`.
pub type belay_catch_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error) -> *mut belay_signal>;

/// `events` is borrowed: to return `events` itself, retain it.
pub type belay_when_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, events: *mut belay_signal) -> *mut belay_signal>;

/// Returns 0 or more to continue; \< 0: failed.
pub type belay_attempt_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, value: belay_value) -> c_int>;

/// `belay_interface` of `interface.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_interface {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Any function. Cast it to its type to call it.
pub type belay_function = Option<unsafe extern "C" fn()>;

/// `belay_method_flags` of `interface.h`.
pub type belay_method_flags = c_uint;
/// cannot be intercepted: BELAY_EPERM
pub const BELAY_METHOD_PERFORMANCE_SENSITIVE: belay_method_flags = 1;
/// When the function has returned, the object that its `@` carries no longer exists. A slot of
/// this method ends the owner of the object around the call. (A destructor, a `close`.)
pub const BELAY_METHOD_ENDS_OBJECT: belay_method_flags = 2;

/// Describes one function of the table. `size` is sizeof(belay_method). The memory that it points to
/// is static and is not copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_method {
    /// `size`.
    pub size: usize,
    /// not empty
    pub name: *const c_char,
    /// its offset in the table
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
    /// the size of the struct of functions
    pub table_size: usize,
    /// static, not copied
    pub methods: *const belay_method,
    /// `method_count`.
    pub method_count: usize,
    /// An interface whose methods this one has, too: the table begins with a table of that interface.
    /// May be NULL.
    pub base: *mut belay_interface,
    /// The offset at which an object keeps the pointer to its table; BELAY_NO_TABLE when it keeps
    /// none.
    pub table_offset: usize,
    /// Gives `table` to `object`, which keeps the pointer as that of its delegate. NULL takes the
    /// delegate away. Only proxies use this. NULL here means that of the base; without one, there are
    /// no proxies. No lock is held during the call. It is called again with the same table when the
    /// table has other methods. Returns 0, or a failure, after which the object has the table that it
    /// had: belay_fail() gives it a message. Above 0 counts as 0.
    pub install: Option<unsafe extern "C" fn(object: *mut c_void, table: *const c_void) -> c_int>,
    /// Returns the table that the object has now, whoever made it, or NULL. NULL here means that of
    /// the base; without one, Belay does not see tables of others.
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

/// Gets `user_info` as it was given; `name`, borrowed; and `address`, which is the `object` of
/// belay_owner_create() or the adopted pointer. The owner itself is dead.
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

/// Describes one field. `size` is sizeof(belay_field). The memory that it points to is static and is
/// not copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_field {
    /// `size`.
    pub size: usize,
    /// not empty, no dots
    pub name: *const c_char,
    /// The type of the variable at `offset`: the integer, `float`, `double` or `void *` of that name
    /// (BELAY_KIND_INT16: an int16_t), or an `int` for BELAY_KIND_BOOL. BELAY_KIND_OWNER is a
    /// `belay_owner *` and BELAY_KIND_WEAK a `belay_weak *`: a strong and a weak reference to another
    /// object, each NULL or with a reference of its own. Every other kind is a `belay_value` with a
    /// reference of its own; BELAY_KIND_NULL is one of any kind. Initialise all of them. A weak
    /// reference reads as an owner, or as null.
    pub kind: belay_kind,
    /// `offset`.
    pub offset: usize,
    /// Reads the field instead of `offset`. Returns a value (given away). May be NULL. The death of an
    /// owner that it returns is not observed.
    pub get: Option<unsafe extern "C" fn(object: *mut c_void) -> belay_value>,
    /// Writes the field instead of `offset`. `value` is borrowed. Returns 0, or a failure:
    /// belay_fail() gives it a message. Above 0 counts as 0. May be NULL; with `get` and without
    /// `set`, the field is read-only.
    pub set: Option<unsafe extern "C" fn(object: *mut c_void, value: belay_value) -> c_int>,
    /// The names of the fields that this value is computed from, which have to stand before this one.
    /// The last item is NULL. May be NULL.
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

/// The object has, besides its fields, any property that somebody sets by name. Belay holds its
/// value; it holds a weak reference as a weak reference.
pub const BELAY_TYPE_DYNAMIC: c_uint = 1;

/// How a path is observed. Combine the flags by |.
pub type belay_observe_flags = c_uint;
/// also sends the value at the moment of subscribing
pub const BELAY_OBSERVE_INITIAL: belay_observe_flags = 1;
/// sends records (belay_change) with the old value
pub const BELAY_OBSERVE_OLD: belay_observe_flags = 2;
/// sends records, one more of them before each change
pub const BELAY_OBSERVE_PRIOR: belay_observe_flags = 4;
/// sends records
pub const BELAY_OBSERVE_CHANGES: belay_observe_flags = 8;
/// also sends null before the completion when the object dies
pub const BELAY_OBSERVE_DEATH: belay_observe_flags = 16;

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

/// The kind of change that a record tells of.
pub type belay_change_flags = c_uint;
/// no change: the value at the moment of subscribing
pub const BELAY_CHANGE_INITIAL: belay_change_flags = 1;
/// about to happen; `value` is the old one
pub const BELAY_CHANGE_PRIOR: belay_change_flags = 2;
/// the object, or one that a key refers to, is dying: null
pub const BELAY_CHANGE_DEATH: belay_change_flags = 4;
/// of the last key of the path, not of an earlier one
pub const BELAY_CHANGE_ONLY_LAST: belay_change_flags = 8;

/// The content of a record, borrowed from the record.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_change {
    /// set this before belay_change_get(), which fills in the rest
    pub size: usize,
    /// `value`.
    pub value: belay_value,
    /// null unless the observer asked for it
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

/// the usual level
pub const BELAY_OWNER_EVENT_LEVEL: c_int = 1000;

/// An event, as its handler gets it. All of it is borrowed until the handler returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_owner_event {
    /// of the struct that this library fills in
    pub size: usize,
    /// `name`.
    pub name: *const c_char,
    /// belay_owner_object() of the owner whose event it is
    pub object: *mut c_void,
    /// that of the watcher, so that `ctx` need not hold it
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

/// NULL, or zeroes after `size`, means the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_stream_options {
    /// `size`.
    pub size: usize,
    /// stops reading when so many bytes are held; 0: 65536
    pub read_high: usize,
    /// goes on when at most so many are; 0: half of read_high
    pub read_low: usize,
    /// refuses writes when so many bytes wait; 0: 65536
    pub write_high: usize,
    /// TCP: seconds of silence before the peer is asked; up to 32767; 0: never
    pub keepalive: f64,
    /// TCP: 1: sends small writes at once
    pub nodelay: c_int,
    /// listeners: connections that may wait; 0: 511
    pub backlog: c_int,
    /// TCP listeners: 1: several may have the port
    pub reuse_port: c_int,
    /// TCP listeners: 1: no IPv4 at an IPv6 address
    pub ipv6_only: c_int,
    /// static; the name in reports, also of a listener's streams; may be NULL
    pub label: *const c_char,
    /// static; where it was made: BELAY_HERE; may be NULL
    pub site: *const c_char,
}

impl Default for belay_stream_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_stream_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_stream_options>();
        made
    }
}

/// Flags of belay_stream_open_path().
pub const BELAY_STREAM_READ: c_uint = 1;

/// `BELAY_STREAM_WRITE` of `stream.h`.
pub const BELAY_STREAM_WRITE: c_uint = 2;

/// The standard input, output or error of a child: one of these, or a descriptor above 0, of which
/// it gets a copy. The descriptor stays the caller's, until the signal and its subscriptions are
/// gone.
pub const BELAY_STDIO_IGNORE: c_int = 0;

/// that of this process
pub const BELAY_STDIO_INHERIT: c_int = -1;

/// a pipe, whose other end is a stream
pub const BELAY_STDIO_PIPE: c_int = -2;

/// The treatment of a child whose subscription ends while the child runs.
pub type belay_process_disposal = c_uint;
/// it gets SIGTERM, and SIGKILL after `grace`
pub const BELAY_PROCESS_TERMINATE: belay_process_disposal = 0;
/// it gets SIGKILL
pub const BELAY_PROCESS_KILL: belay_process_disposal = 1;
/// it goes on
pub const BELAY_PROCESS_LEAVE: belay_process_disposal = 2;

/// Flags of belay_process_options.
pub const BELAY_PROCESS_DETACHED: c_uint = 1;

/// runs as `uid`
pub const BELAY_PROCESS_SET_UID: c_uint = 2;

/// runs as `gid`
pub const BELAY_PROCESS_SET_GID: c_uint = 4;

/// How a process is made. Zeroes after `args` mean the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_process_options {
    /// `size`.
    pub size: usize,
    /// The program, which is looked for in PATH, and its arguments; NULL ends them.
    pub args: *const *const c_char,
    /// Texts "NAME=value", with NULL at the end; NULL: those of this process.
    pub env: *const *const c_char,
    /// where it starts; NULL: where this process is
    pub cwd: *const c_char,
    /// `input`.
    pub input: c_int,
    /// `output`.
    pub output: c_int,
    /// `error`.
    pub error: c_int,
    /// BELAY_PROCESS_DETACHED and others
    pub flags: c_uint,
    /// `uid`.
    pub uid: u32,
    /// `gid`.
    pub gid: u32,
    /// `disposal`.
    pub disposal: belay_process_disposal,
    /// Seconds from SIGTERM to SIGKILL; 0: 5; less than 0: no SIGKILL.
    pub grace: f64,
}

impl Default for belay_process_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_process_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_process_options>();
        made
    }
}

/// `belay_slot` of `slot.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_slot {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_slot_flags` of `slot.h`.
pub type belay_slot_flags = c_uint;
/// writes to read-only memory, and protects it again
pub const BELAY_SLOT_UNPROTECT: belay_slot_flags = 1;

/// Runs in place of the method, on the calling thread. It can read and change the arguments, call
/// belay_invocation_proceed() or not (a veto), and set the result. `call` is borrowed. A negative
/// result is a failure: it is recorded for the calling thread, and the call returns the result that
/// is set by then.
pub type belay_around_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, call: *mut belay_invocation) -> c_int>;

/// Answers a call where there is no original, or in addition to it. Returns the answer (given away).
/// `call` is borrowed. A failure value is recorded for the calling thread, and counts as null.
pub type belay_respond_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, call: *mut belay_invocation) -> belay_value>;

/// `belay_proxy` of `proxy.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_proxy {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `belay_request` of `request.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_request {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// How the methods of an object are found. Each callback may be NULL. `object` is that of the
/// owner.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_responder {
    /// `size`.
    pub size: usize,
    /// the methods that are looked up in `table`
    pub interface: *mut belay_interface,
    /// borrowed while the object lives; may be NULL
    pub table: *const c_void,
    /// Returns a function with the shape of the method, or NULL.
    pub resolve: Option<unsafe extern "C" fn(ctx: *mut c_void, object: *mut c_void, method: *const c_char) -> belay_function>,
    /// Returns another object that is sent the invocation, borrowed, or NULL.
    pub target: Option<unsafe extern "C" fn(ctx: *mut c_void, object: *mut c_void, method: *const c_char) -> *mut belay_owner>,
    /// Returns 0 when it has handled the invocation; BELAY_ENOENT when it has not; or another
    /// failure.
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

/// The part of a shared signal that outlives an end. These are bits.
pub type belay_share_rules = c_uint;
/// Of [`belay_share_rules`].
pub const BELAY_SHARE_RESET: belay_share_rules = 0;
/// A subscription after an error gets the replay and the error. Without this flag it subscribes to
/// the source again.
pub const BELAY_SHARE_KEEP_ERROR: belay_share_rules = 1;
/// A subscription after a completion gets the replay and the completion. Without this flag it
/// subscribes to the source again.
pub const BELAY_SHARE_KEEP_COMPLETED: belay_share_rules = 2;
/// The source stays subscribed when the last subscription has ended: until it ends, or the loop
/// closes at which its subscription began, even if the shared signal is released. Meanwhile values
/// go to the replay, if there is one. An error that is not kept goes to the hook for errors that
/// nobody handles (error.h).
pub const BELAY_SHARE_KEEP_CONNECTION: belay_share_rules = 4;

/// A socket that listens from when it is made.
#[repr(C)]
#[derive(Debug)]
pub struct belay_listener {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Flags of belay_file_lines().
pub const BELAY_FILE_FOLLOW: c_uint = 1;

/// begins with the text that is appended
pub const BELAY_FILE_FROM_END: c_uint = 2;

/// Returns another error, which is given away. `error` is borrowed; to pass it on, return
/// belay_error_retain(error). NULL is a failure: the error of belay_fail(), else BELAY_EINVAL, comes
/// instead.
pub type belay_map_error_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, error: *const belay_error) -> *mut belay_error>;

/// Makes a signal of `source`. The callback owns `source`, and gives its result away. NULL is a
/// failure: the error of belay_fail(), else BELAY_EINVAL.
pub type belay_compose_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, source: *mut belay_signal) -> *mut belay_signal>;

/// The first item of the arrays that belay_op_materialize() sends, as an int32.
pub type belay_event = c_uint;
/// \[0 value\]
pub const BELAY_EVENT_NEXT: belay_event = 0;
/// \[1 error\], the error by belay_value_from_error()
pub const BELAY_EVENT_ERROR: belay_event = 1;
/// \[2\]
pub const BELAY_EVENT_COMPLETED: belay_event = 2;

/// Flags of belay_udp_options.
pub const BELAY_UDP_SHARE: c_uint = 1;

/// it may send to broadcast addresses
pub const BELAY_UDP_BROADCAST: c_uint = 2;

/// this machine does not get the socket's own multicast datagrams
pub const BELAY_UDP_NO_LOOP: c_uint = 4;

/// How a socket is made. Zeroes after `size` mean the defaults. Hosts are numeric addresses, of IPv4
/// or IPv6: see belay_lookup().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_udp_options {
    /// `size`.
    pub size: usize,
    /// its own address; NULL: any of IPv4
    pub host: *const c_char,
    /// The address that it sends to, and from which alone it receives; NULL: each datagram has its
    /// own.
    pub remote_host: *const c_char,
    /// The multicast groups that it joins, and leaves at its end, with NULL at the end; NULL: none.
    pub groups: *const *const c_char,
    /// The interface for multicast, by its address; with IPv6 by what stands behind the address alone:
    /// "::%eth0". NULL, and an IPv6 address without that: the system's.
    pub interface_host: *const c_char,
    /// its own; 0: any that is free
    pub port: u16,
    /// `remote_port`.
    pub remote_port: u16,
    /// BELAY_UDP_SHARE and others
    pub flags: c_uint,
    /// How many routers a multicast datagram may pass, up to 255; 0: 1.
    pub multicast_ttl: u32,
    /// 0
    pub reserved: u32,
}

impl Default for belay_udp_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_udp_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_udp_options>();
        made
    }
}

/// A place in a loop's turn.
pub type belay_tick = c_uint;
/// in each turn, before the others; the loop then never waits
pub const BELAY_TICK_IDLE: belay_tick = 0;
/// before the loop waits
pub const BELAY_TICK_PREPARE: belay_tick = 1;
/// after the loop has waited
pub const BELAY_TICK_CHECK: belay_tick = 2;

/// The events that belay_poll() waits for. The numbers are those of UV_READABLE and its like.
pub const BELAY_POLL_READABLE: c_uint = 1;

/// `BELAY_POLL_WRITABLE` of `watch.h`.
pub const BELAY_POLL_WRITABLE: c_uint = 2;

/// the other side has closed its end for writing
pub const BELAY_POLL_DISCONNECT: c_uint = 4;

/// there is urgent data
pub const BELAY_POLL_PRIORITIZED: c_uint = 8;

/// The event of a file or of an entry of a directory.
pub const BELAY_FILE_CREATED: c_uint = 1;

/// it does not exist any more
pub const BELAY_FILE_REMOVED: c_uint = 2;

/// its content or its attributes changed
pub const BELAY_FILE_CHANGED: c_uint = 4;

/// the system has lost events, and what exists follows
pub const BELAY_FILE_LOST: c_uint = 8;

/// `belay_worker` of `worker.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_worker {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Zeroes after `size` mean the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_worker_options {
    /// `size`.
    pub size: usize,
    /// Static. The name of the loop in reports, and of the thread, of which Linux keeps 15 bytes;
    /// NULL: the thread is called "belay worker".
    pub label: *const c_char,
    /// static; BELAY_HERE
    pub site: *const c_char,
    /// The capacity of the queue from other threads, as in belay_loop_options; 0: 1024.
    pub capacity: usize,
    /// The nice value of the thread, from -20, the most urgent, to 19; 0: that of this thread. Any
    /// program may ask for a larger value than it has. For a smaller one it needs RLIMIT_NICE or the
    /// capability CAP_SYS_NICE.
    pub priority: c_int,
}

impl Default for belay_worker_options {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_worker_options = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_worker_options>();
        made
    }
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
/// the label is a message
pub const BELAY_MARK_ERROR: belay_mark = 1;
/// Of [`belay_mark`].
pub const BELAY_MARK_COMPLETED: belay_mark = 2;
/// Of [`belay_mark`].
pub const BELAY_MARK_SUBSCRIBED: belay_mark = 3;
/// Of [`belay_mark`].
pub const BELAY_MARK_UNSUBSCRIBED: belay_mark = 4;

/// An unannounced write. `size` is the size of this struct. Everything is borrowed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct belay_unannounced_write {
    /// `size`.
    pub size: usize,
    /// the object, which still has its old content
    pub object: *mut c_void,
    /// the label of its owner; "" without one
    pub label: *const c_char,
    /// the field; NULL if the first byte written belongs to no field
    pub key: *const c_char,
    /// the first byte written that the guard has met
    pub address: *mut c_void,
    /// the system's number of the thread that writes
    pub thread: u64,
    /// the instruction that writes
    pub code: *const c_void,
    /// the path of the program or library that it is in; "" if unknown
    pub module: *const c_char,
    /// of `code` from the start of that module in memory
    pub offset: u64,
}

impl Default for belay_unannounced_write {
    fn default() -> Self {
        // Pointers, functions that may be missing and numbers may all be zero.
        let mut made: belay_unannounced_write = unsafe { core::mem::zeroed() };
        made.size = core::mem::size_of::<belay_unannounced_write>();
        made
    }
}

/// Gets an unannounced write, before it happens. Runs on the thread that writes, in a handler of
/// SIGSEGV: it may call only what is async-signal-safe, and no function of Belay's. abort() is.
pub type belay_unannounced_write_fn = Option<unsafe extern "C" fn(ctx: *mut c_void, write: *const belay_unannounced_write)>;

/// `belay_marbles` of `marbles.h`.
#[repr(C)]
#[derive(Debug)]
pub struct belay_marbles {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

extern "C" {
    /// Returns the version of the library that is running, as "0.1.0". Static. Any thread.
    pub fn belay_version() -> *const c_char;
    /// Copies a NUL-terminated string. NULL gives the null value. Text that is not UTF-8 gives the
    /// failure value BELAY_EILSEQ: use belay_bytes() for it.
    pub fn belay_string(text: *const c_char) -> belay_value;
    /// Does the same for `size` bytes, which may contain NULs.
    pub fn belay_string_n(text: *const c_char, size: usize) -> belay_value;
    /// Copies bytes. NULL with a size other than 0 gives the failure value BELAY_EINVAL.
    pub fn belay_bytes(data: *const c_void, size: usize) -> belay_value;
    /// Copies a struct. `type` is its name, a static string. The name is compared when the struct is
    /// read.
    pub fn belay_struct(r#type: *const c_char, data: *const c_void, size: usize) -> belay_value;
    /// Makes a value of a pointer with a destructor. `destroy` runs once, when the last reference to the
    /// value is released, on the thread that releases it.
    pub fn belay_pointer_owned(p: *mut c_void, destroy: belay_free_fn) -> belay_value;
    /// Does the same, and names the type of the memory. `type` is a static string that is compared when
    /// the pointer is read, so that a reader cannot take it for something else. A NULL `type` makes this
    /// belay_pointer_owned().
    pub fn belay_pointer_typed(r#type: *const c_char, p: *mut c_void, destroy: belay_free_fn) -> belay_value;
    /// Does the same for a pointer that only one thread may use. `destroy` runs once, on the thread of
    /// `loop`: at once when the last reference is released there, else at its next turn, and at the
    /// latest when that handle is closed. The pointer can be read only on that thread: elsewhere reading
    /// returns BELAY_EWRONGTHREAD, and after the close BELAY_ECLOSED. `type` may be NULL. Any thread. A
    /// closed loop gives the failure value BELAY_ECLOSED, and NULL gives BELAY_EINVAL; `destroy` has run
    /// then.
    pub fn belay_pointer_at(r#loop: *mut belay_loop, r#type: *const c_char, p: *mut c_void, destroy: belay_free_fn) -> belay_value;
    /// Makes an array of `count` values. Takes over each of them. (belay_value_get_item() reads one.)
    pub fn belay_array_of(items: *const belay_value, count: usize) -> belay_value;
    /// Makes a value of a handle. Retains the handle and takes nothing over. NULL gives the null
    /// value.
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
    /// See [`belay_value_from_signal`].
    pub fn belay_value_from_stream(stream: *mut belay_stream) -> belay_value;
    /// Makes the value that a callback returns when it cannot return another one. The error event then
    /// carries `code` (negative; anything else becomes BELAY_EINVAL) and a copy of `message` (may be
    /// NULL). Elsewhere it is an ordinary value of kind BELAY_KIND_FAILURE.
    pub fn belay_value_failure(code: c_int, message: *const c_char) -> belay_value;
    /// Does the same with an error, which may also have a payload or a cause. Retains `error`. NULL is
    /// belay_value_failure(BELAY_EINVAL, NULL).
    pub fn belay_value_failure_with(error: *const belay_error) -> belay_value;
    /// Adds a reference to `v` and returns `v`.
    pub fn belay_value_retain(v: belay_value) -> belay_value;
    /// Gives a reference back.
    pub fn belay_value_release(v: belay_value);
    /// Returns the kind of `v`.
    pub fn belay_value_kind(v: belay_value) -> belay_kind;
    /// Returns the name of a kind: "int32", "string", …; "unknown" for a number that is not a kind.
    /// Static.
    pub fn belay_kind_name(kind: belay_kind) -> *const c_char;
    /// Each stores the value into `out` (may be NULL) and returns 0. Returns BELAY_EKIND when the value
    /// is of another kind, and BELAY_ERANGE when it does not fit; `out` is then unchanged. An integer
    /// converts to any integer type that can hold it, and to double while that is exact. A float
    /// converts to double. Nothing else converts.
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
    /// Stores the pointer of belay_pointer_typed(). It lives as long as the value. BELAY_EKIND when the
    /// type's name differs, and for any other pointer; BELAY_EINVAL for a NULL `type`.
    pub fn belay_value_get_typed(v: belay_value, r#type: *const c_char, out: *mut *mut c_void) -> c_int;
    /// Stores the text of a string. It lives as long as the value, and a NUL follows it.
    pub fn belay_value_get_string(v: belay_value, out: *mut belay_view) -> c_int;
    /// Stores bytes, or the bytes of a string. They live as long as the value.
    pub fn belay_value_get_bytes(v: belay_value, out: *mut belay_view) -> c_int;
    /// Copies a struct into `out`. BELAY_EKIND when the type's name differs; BELAY_ERANGE when the size
    /// differs.
    pub fn belay_value_get_struct(v: belay_value, r#type: *const c_char, out: *mut c_void, size: usize) -> c_int;
    /// Returns the number of items of an array; 0 for any other kind.
    pub fn belay_value_count(v: belay_value) -> usize;
    /// Stores an item of an array, borrowed from the array. BELAY_EKIND for any other kind; BELAY_ERANGE
    /// past the end.
    pub fn belay_value_get_item(v: belay_value, index: usize, out: *mut belay_value) -> c_int;
    /// Each returns the handle in the value, borrowed from the value. For another kind each returns NULL
    /// and records BELAY_EKIND.
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
    /// See [`belay_value_get_signal`].
    pub fn belay_value_get_stream(v: belay_value) -> *mut belay_stream;
    /// Reads a value like the getter of `kind`, without recording a failure. Returns 0 and stores into
    /// `out` (may be NULL, to ask only). Returns BELAY_EKIND or BELAY_ERANGE, and `out` is unchanged.
    /// Returns BELAY_EINVAL for a number that is not a kind. Values convert as in that getter. `out` has
    /// the type that it has there: the number type of that name, or a `belay_view` for a string and for
    /// bytes. For a handle it points to a pointer, and the handle is borrowed from the value. Nothing is
    /// stored for null, a failure, a struct and an array.
    pub fn belay_value_try(v: belay_value, kind: belay_kind, out: *mut c_void) -> c_int;
    /// Each does the same for belay_value_get_typed(), belay_value_get_struct() or
    /// belay_value_get_item().
    pub fn belay_value_try_typed(v: belay_value, r#type: *const c_char, out: *mut *mut c_void) -> c_int;
    /// See [`belay_value_try_typed`].
    pub fn belay_value_try_struct(v: belay_value, r#type: *const c_char, out: *mut c_void, size: usize) -> c_int;
    /// See [`belay_value_try_typed`].
    pub fn belay_value_try_item(v: belay_value, index: usize, out: *mut belay_value) -> c_int;
    /// Returns 1 when both values are of one kind and equal, else 0. Floats compare by ==, boxes by
    /// content, handles by identity; failures by code, domain and message. A box equals itself, even
    /// with a NaN inside.
    pub fn belay_value_equal(a: belay_value, b: belay_value) -> c_int;
    /// Writes a readable form of the value, cut to `size` bytes including its NUL (`buffer` may be
    /// NULL), and not within a character of UTF-8. A string is written as it is, also a NUL inside of
    /// it. After a million items of arrays the form ends with "…". Returns the length of the whole
    /// form.
    pub fn belay_value_describe(v: belay_value, buffer: *mut c_char, size: usize) -> usize;
    /// Returns the name of a code ("EINVAL", "ENOHOME", …); "UNKNOWN" for a number that is not a code.
    /// Static.
    pub fn belay_error_name(code: c_int) -> *const c_char;
    /// Returns the text of a code, in English. Static.
    pub fn belay_error_text(code: c_int) -> *const c_char;
    /// Creates an error object for belay_subscriber_error() and similar calls. `code` is negative;
    /// anything else becomes BELAY_EINVAL. `domain` and `message` are copied; NULL means "belay" and the
    /// text of the code. Takes `value` over (belay_null() for none). Retains `cause` (may be NULL).
    /// Release the result.
    pub fn belay_error_create(code: c_int, domain: *const c_char, message: *const c_char, value: belay_value, cause: *const belay_error) -> *mut belay_error;
    /// Adds a reference to `error` and returns `error`. Errors are immutable. Any thread.
    pub fn belay_error_retain(error: *const belay_error) -> *mut belay_error;
    /// Gives a reference back.
    pub fn belay_error_release(error: *const belay_error);
    /// Each returns one part of an error, borrowed from it. For NULL they return 0, "", "", null and
    /// NULL.
    pub fn belay_error_code(error: *const belay_error) -> c_int;
    /// See [`belay_error_code`].
    pub fn belay_error_domain(error: *const belay_error) -> *const c_char;
    /// See [`belay_error_code`].
    pub fn belay_error_message(error: *const belay_error) -> *const c_char;
    /// See [`belay_error_code`].
    pub fn belay_error_payload(error: *const belay_error) -> belay_value;
    /// See [`belay_error_code`].
    pub fn belay_error_cause(error: *const belay_error) -> *const belay_error;
    /// Returns the last failure of a call on this thread, or NULL, and clears it. Borrowed: valid until
    /// the next belay_last_error() on this thread. If a call fails because it was given a NULL handle
    /// while a failure waits, it records nothing, because that failure has made the NULL. A failure that
    /// a callback reports by belay_fail() is not replaced either. A callback starts without a failure;
    /// the failure of its caller is restored when it returns.
    pub fn belay_last_error() -> *const belay_error;
    /// Reports the failure of a callback that returns int. Records `message` (copied; may be NULL) for
    /// this thread in place of the failure that waits, and returns `code`, so that `return
    /// belay_fail(BELAY_EINVAL, "no date")` becomes the error event. A code that is not negative becomes
    /// BELAY_EINVAL. An observer's `next` returns nothing: it fails by the call alone.
    pub fn belay_fail(code: c_int, message: *const c_char) -> c_int;
    /// Does the same with an error, which may also have a payload or a cause. Retains `error` and
    /// returns its code. NULL is belay_fail(BELAY_EINVAL, NULL).
    pub fn belay_fail_with(error: *const belay_error) -> c_int;
    /// Sets the process's hook for errors that nobody handles. A home whose loop has a hook of its own
    /// does not use it. NULL restores the default, which prints a line on stderr. The new hook replaces
    /// the old one, whose `ctx_free` runs when no thread is in it any more. Any thread. Returns 0.
    pub fn belay_on_unhandled_error(hook: belay_unhandled_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Adds a reference to `signal` and returns `signal`.
    pub fn belay_signal_retain(signal: *mut belay_signal) -> *mut belay_signal;
    /// Gives a reference back. The last release of a subject interrupts its subscriptions.
    pub fn belay_signal_release(signal: *mut belay_signal);
    /// Returns the name of the signal: its label, or a name built from its chain ("lines.filter.map").
    /// Borrowed; it lives as long as the signal.
    pub fn belay_signal_name(signal: *mut belay_signal) -> *const c_char;
    /// Gives the signal a name of its own, which is copied. NULL restores the built name. Call this
    /// before other threads share the signal. Returns 0, or BELAY_EINVAL for a NULL signal.
    pub fn belay_signal_set_name(signal: *mut belay_signal, name: *const c_char) -> c_int;
    /// Bounds the queues that the signal's own operator keeps in each subscription. Without it, each
    /// takes 1024 values and then ends the subscription with BELAY_EAGAIN. Queues are kept by zip (one
    /// for each input), concat_map, concat_all, flat_map and merge_all with a limit, expand, delay,
    /// take_last_for, skip_last_for, observe_on, subscribe_on, and, for values that are sent from inside
    /// a delivery, by buffer and by every operator that has a time or joins signals. The queues of
    /// sequence_equal and delay_when, the groups of group_by, the open windows of window_toggle, and
    /// values sent from inside cannot be dropped: there every policy is BELAY_QUEUE_ERROR. (flat_map,
    /// merge_all and delay_when follow it for values sent from inside, too.) `options` is copied; NULL
    /// means the defaults. Call this before the first subscription. Any thread. Returns 0;
    /// BELAY_EBUSY when the signal had a subscription already; BELAY_EINVAL for a NULL signal, wrong
    /// options, and a signal that keeps no queue. (RxJava's onBackpressureBuffer has these policies.)
    pub fn belay_signal_set_queue(signal: *mut belay_signal, options: *const belay_queue_options) -> c_int;
    /// Returns the largest number of values that ever waited in one queue of the signal's own operator.
    /// Of a subject, a property's signal and a group it is the largest number that waited for a delivery
    /// in progress; their capacity is in belay_source_options. The values that a replay keeps do not
    /// wait. 0 for any other signal, and for NULL. Any thread.
    pub fn belay_signal_queue_high_water(signal: *mut belay_signal) -> usize;
    /// Makes an observer that may be subscribed several times, to any signals: its context gets a count
    /// of references, and `*observer` one of them. (RxSwift's AnyObserver of handlers.) Subscribing
    /// takes one reference, also on failure:
    ///
    /// belay_observer_share(&observer);
    /// belay_signal_subscribe(one, belay_observer_retain(&observer), NULL);
    /// belay_signal_subscribe(other, belay_observer_retain(&observer), NULL);
    /// belay_observer_release(&observer);
    ///
    /// Each subscription has its own grammar, home and end, so that `completed` or `error`, and
    /// `disposed`, run once for each of them. Callbacks of subscriptions at different homes may run at
    /// the same time. `ctx_free` runs once, when the last reference has gone. To have one grammar for
    /// all of them, which the first end ends (ReactiveObjC's subscriber of several signals), subscribe
    /// to a subject, bind the signals to it (belay_signal_bind()), and end the bindings in `disposed`.
    ///
    /// Changes the callbacks, `ctx` and `ctx_free` of `*observer`; only these functions understand them.
    /// Its other members may be set before each subscription. Does nothing to an observer that has been
    /// shared. Returns 0; BELAY_EINVAL for NULL or a wrong size.
    pub fn belay_observer_share(observer: *mut belay_observer) -> c_int;
    /// Adds a reference to a shared observer and returns `observer`. NULL: BELAY_EINVAL for NULL, or for
    /// an observer that has not been shared.
    pub fn belay_observer_retain(observer: *const belay_observer) -> *const belay_observer;
    /// Gives a reference back.
    pub fn belay_observer_release(observer: *const belay_observer);
    /// Subscribes to the signal. `observer` is copied. `*disposable` (may be NULL) gets a reference
    /// before any callback runs, so that a callback can dispose of the subscription while this call is
    /// still running; it is NULL on failure. `ctx_free` also runs on failure, before this call returns,
    /// unless `size` is wrong: Belay then reads nothing else of the struct.
    ///
    /// Any thread may call this. Away from the home of the source, and from a loop that the observer
    /// names, the disposable exists at once and the start is posted there.
    ///
    /// Returns 0; BELAY_EINVAL for NULL, or for both `next` and `next_batch`; BELAY_ECLOSED when the
    /// observer's loop is closed; BELAY_ENOHOME when the start has to be posted to a home without a
    /// loop; BELAY_ECANCELED when that home or the subscription's is closing; BELAY_ERANGE, also as the
    /// error event, when more than 1000 operators or signals inside signals lie between a source and
    /// this subscription.
    pub fn belay_signal_subscribe(signal: *mut belay_signal, observer: *const belay_observer, disposable: *mut *mut belay_disposable) -> c_int;
    /// Adds a reference. A producer may keep a subscriber and use it on any thread; an event that it
    /// sends away from the home of the subscription is queued there. When the last reference is released
    /// without an end, the subscription is interrupted.
    pub fn belay_subscriber_retain(subscriber: *mut belay_subscriber) -> *mut belay_subscriber;
    /// Gives a reference back.
    pub fn belay_subscriber_release(subscriber: *mut belay_subscriber);
    /// Sends one event to the subscription. `value` is given away in every case; `error` is not. Any
    /// thread. Each returns 0, BELAY_QUEUED (accepted, delivered later), BELAY_EENDED (ended or
    /// disposed: dropped), BELAY_EAGAIN (a queue is full), BELAY_ENOHOME, or BELAY_ECANCELED (the loop
    /// is closed).
    pub fn belay_subscriber_next(subscriber: *mut belay_subscriber, value: belay_value) -> c_int;
    /// Sends a value like belay_subscriber_next(). While the queue is full, waits for room, at most
    /// `timeout` seconds; negative means without limit. Returns what belay_subscriber_next() returns,
    /// but instead of BELAY_EAGAIN: BELAY_ETIMEDOUT; or BELAY_EDEADLK at once, at the home of the
    /// subscription, on a thread that has a loop, and in work of a pool's scheduler, because others may
    /// wait for that loop or work; and when the thread of the home waits for this one (in
    /// belay_disposable_dispose_sync() or in such a call). BELAY_EINVAL for NaN.
    pub fn belay_subscriber_next_wait(subscriber: *mut belay_subscriber, value: belay_value, timeout: f64) -> c_int;
    /// Sends `count` values (each given away) as one batch: see `next_batch` of belay_observer. Returns
    /// the code of the first value that was refused; the values after it are dropped. If none was
    /// refused, returns the code of the last value. BELAY_EINVAL for NULL with a count.
    pub fn belay_subscriber_next_batch(subscriber: *mut belay_subscriber, values: *const belay_value, count: usize) -> c_int;
    /// See [`belay_subscriber_next_batch`].
    pub fn belay_subscriber_error(subscriber: *mut belay_subscriber, error: *const belay_error) -> c_int;
    /// See [`belay_subscriber_next_batch`].
    pub fn belay_subscriber_completed(subscriber: *mut belay_subscriber) -> c_int;
    /// Binds `disposable` to the subscription: it is disposed when the subscription ends, like the one
    /// that the producer returns. Takes nothing over. Returns 0 or BELAY_EINVAL.
    pub fn belay_subscriber_add(subscriber: *mut belay_subscriber, disposable: *mut belay_disposable) -> c_int;
    /// Returns 1 when the subscription has ended or an end is on its way to it, 0 while it is active.
    pub fn belay_subscriber_is_disposed(subscriber: *mut belay_subscriber) -> c_int;
    /// Applies `count` operators to `source`, in order, and returns the resulting signal. Takes all of
    /// them over. `ops` may be NULL when `count` is 0. Release the result. NULL: BELAY_ERANGE for a
    /// chain of more than 1000 operators, where up to 256 maps and filters in a row count as one; or the
    /// failure of a part.
    pub fn belay_signal_chain_n(source: *mut belay_signal, ops: *const *mut belay_op, count: usize) -> *mut belay_signal;
    /// Releases an operator that was not applied.
    pub fn belay_op_release(op: *mut belay_op);
    /// Returns an operator that does what `op` does, with bounded queues, as belay_signal_set_queue()
    /// bounds those of a signal. So each operator of a chain can have its own:
    ///
    /// belay_signal *loaded = belay_signal_chain(
    /// source, belay_op_with_queue(belay_op_concat_map(load, NULL, NULL), &newest),
    /// belay_op_take(10));
    ///
    /// Takes `op` over. `options` is copied; NULL means the defaults. Returns NULL: BELAY_EINVAL for an
    /// operator that is NULL, was used already or is a map or a filter, and for wrong options. A chain
    /// with another operator that keeps no queue is NULL, too: BELAY_EINVAL. (RxJava's
    /// onBackpressureBuffer has these policies.)
    pub fn belay_op_with_queue(op: *mut belay_op, options: *const belay_queue_options) -> *mut belay_op;
    /// Passes on the values of the source. Sends `fallback` (taken over) when there were none.
    pub fn belay_op_default_if_empty(fallback: belay_value) -> *mut belay_op;
    /// Passes on the values of the source. Continues with `other` (taken over) when there were none.
    pub fn belay_op_switch_if_empty(other: *mut belay_signal) -> *mut belay_op;
    /// Sends true at the first value that equals `wanted` (taken over) by belay_value_equal(), else
    /// false.
    pub fn belay_op_contains(wanted: belay_value) -> *mut belay_op;
    /// Sends true at the first value for which `wanted` returns 1, else false.
    pub fn belay_op_any(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends false at the first value for which `right` returns 0, else true.
    pub fn belay_op_all(right: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends false at the first value, else true.
    pub fn belay_op_is_empty() -> *mut belay_op;
    /// Sends the number of values, as a uint64.
    pub fn belay_op_count() -> *mut belay_op;
    /// Sends the smallest value, the first among equals. Only completes when there were no values. A
    /// NULL `less` compares numbers, as doubles if they are of several kinds, and strings by their
    /// bytes; where it has to compare other values, the signal ends with BELAY_EKIND.
    pub fn belay_op_min(less: belay_less_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the largest value, the first among equals. Only completes when there were no values. A NULL
    /// `less` compares as in belay_op_min().
    pub fn belay_op_max(less: belay_less_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the sum of the values: a uint64 when all are unsigned integers, a double when there is a
    /// float or a double, else an int64. Sends int64 0 when there were no values. Ends with BELAY_ERANGE
    /// as soon as the sum of the values so far does not fit the kind that it has by them, and with
    /// BELAY_EKIND at a value that is not a number.
    pub fn belay_op_sum() -> *mut belay_op;
    /// Sends the mean of the values, as a double. Only completes when there were no values. Ends with
    /// BELAY_EKIND at a value that is not a number.
    pub fn belay_op_average() -> *mut belay_op;
    /// Sends at completion what `step(accumulated, value)` has made of all values. The first
    /// `accumulated` is `seed` (taken over). Without values it sends `seed` itself.
    pub fn belay_op_reduce(seed: belay_value, step: belay_scan_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends all values as one array at completion, and nothing on an error. Keeps every value until
    /// then.
    pub fn belay_op_collect() -> *mut belay_op;
    /// Creates an owner for `object` (may be NULL). When its last reference is released,
    /// `deinit(object)` runs as step 4 and `dealloc(object)` as step 8. Both may be NULL, and so may
    /// `options`. NULL, when the options are wrong or the loop is closed; neither callback runs then.
    pub fn belay_owner_create(object: *mut c_void, deinit: belay_object_fn, dealloc: belay_object_fn, options: *const belay_owner_options) -> *mut belay_owner;
    /// Adds a reference. A reference to a dying owner keeps the handle valid, but never the object
    /// alive.
    pub fn belay_owner_retain(owner: *mut belay_owner) -> *mut belay_owner;
    /// Gives a reference back. The last release is the death of the owner.
    pub fn belay_owner_release(owner: *mut belay_owner);
    /// Returns the owner of any pointer. The first call makes it; later calls return the same owner
    /// until the host declares the end of the object. From step 4 of its death on, the address belongs
    /// to this object only on the thread that ends it. Elsewhere the memory may already belong to
    /// another object, which has a new owner. Release the result; this does not end the object.
    /// `options` counts only at the first call. NULL: BELAY_EINVAL for NULL and for wrong options.
    pub fn belay_owner_adopt(pointer: *mut c_void, options: *const belay_owner_options) -> *mut belay_owner;
    /// Declares the end of an adopted pointer: runs steps 1 to 3, `destroy(ctx)` (may be NULL) as step
    /// 4, then the rest. Step 2 waits for callbacks of other subscriptions to `deallocating` that run on
    /// other threads, also for the `disposed` and the free of one that ends. Step 3 waits for callbacks
    /// bound to the owner that run on other threads, but not for those on its own stack, nor for what
    /// ends call later at their homes (`disposed` and the others above), whose threads may be waiting
    /// for this one. If they use the object, call this on the thread of that home; an owner with that
    /// loop enforces it. If nobody has adopted the pointer, only `destroy` runs. Returns 0;
    /// BELAY_EWRONGTHREAD when the owner has an open loop and this is not its thread, in which case no
    /// step has begun and `destroy` has not run; BELAY_EDEAD when the end has begun already;
    /// BELAY_EDEADLK when one of those callbacks waits for this thread: steps 1 to 3 have run then, but
    /// that callback's thread may still be the one to send `deallocating`, and `destroy` has not.
    /// Destroy the object when the callback has returned, and call belay_owner_did_end() on this thread.
    pub fn belay_owner_end(pointer: *mut c_void, destroy: belay_free_fn, ctx: *mut c_void) -> c_int;
    /// Declares the end in two halves, around the host's own destructor. This half runs steps 1 to 3,
    /// and returns what belay_owner_end() returns.
    pub fn belay_owner_will_end(pointer: *mut c_void) -> c_int;
    /// Runs steps 5 to 8, on the thread that called belay_owner_will_end(). Returns 0; BELAY_ENOENT when
    /// that thread has not called it.
    pub fn belay_owner_did_end(pointer: *mut c_void) -> c_int;
    /// Adopts an object that a function in the table of its class destroys. `slot` is the place of that
    /// function in the table. Belay replaces the function by one that runs the death around it: steps 1
    /// to 3, the original, steps 5 to 8. This happens once for a table and for good. The original is
    /// always called.
    ///
    /// Only objects that were given to this function die in this way. A derived table may call the
    /// function of its base's table, or be copied from it; an object still dies once. Otherwise this
    /// works like belay_owner_adopt(). The object dies where the function is called, so `loop` has to be
    /// NULL, and an object whose owner has a loop is refused.
    ///
    /// `*owner` (may be NULL) gets a reference whenever there is an owner. If the replacement failed,
    /// the host has to declare the end of that owner, and `deallocating` of a new owner sends that
    /// error.
    ///
    /// Returns 0; BELAY_EINVAL for a NULL object, a NULL or unaligned slot, wrong options, or a loop;
    /// BELAY_ENOENT for an empty slot; BELAY_EMISMATCH when somebody else has replaced the function
    /// since; BELAY_EBUSY beyond 32 tables; -EACCES for a table that cannot be written to, such as a
    /// constant one.
    pub fn belay_owner_adopt_slot(object: *mut c_void, slot: *mut belay_destroy_fn, options: *const belay_owner_options, owner: *mut *mut belay_owner) -> c_int;
    /// Returns the object that the owner stands for; NULL when its death has begun.
    pub fn belay_owner_object(owner: *mut belay_owner) -> *mut c_void;
    /// Returns 1 from step 1 on. Returns 1 for NULL.
    pub fn belay_owner_is_dying(owner: *mut belay_owner) -> c_int;
    /// Returns the label of the owner, static as it was given; "" without one.
    pub fn belay_owner_label(owner: *mut belay_owner) -> *const c_char;
    /// Each returns a signal: that of step 2 and that of step 7. A late subscription gets the events
    /// that have been sent. Release the result.
    pub fn belay_owner_deallocating(owner: *mut belay_owner) -> *mut belay_signal;
    /// See [`belay_owner_deallocating`].
    pub fn belay_owner_deallocated(owner: *mut belay_owner) -> *mut belay_signal;
    /// Binds `disposable` to the owner. It is disposed at step 3, or at once when the owner is dying. A
    /// disposable that ends by itself leaves. Takes nothing over. Returns 0; BELAY_EINVAL for NULL.
    pub fn belay_owner_add(owner: *mut belay_owner, disposable: *mut belay_disposable) -> c_int;
    /// Binds an action in the same way. `ctx_free` runs after the action.
    pub fn belay_owner_add_action(owner: *mut belay_owner, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Returns the compound of the owner, borrowed until the owner dies: retain it to use it later. NULL
    /// when the owner is dying. Where another thread may end the owner, use belay_owner_add() and
    /// belay_owner_add_action() instead.
    pub fn belay_owner_get_compound(owner: *mut belay_owner) -> *mut belay_disposable;
    /// Binds a child. The child dies at its turn in step 3 of the parent's death, with all eight steps,
    /// even while others hold references to it. The parent continues after that. A child with a loop
    /// dies there, and the parent waits. If the parent is dying, the child dies at once. A child that
    /// dies by itself leaves. A child that is dying, or that is bound to this parent already, is
    /// ignored. Takes nothing over.
    ///
    /// Returns 0; BELAY_EINVAL for NULL, for the parent itself or an ancestor of it, and when the root
    /// of the tree is adopted and the child, or something below it, has another loop than the root,
    /// whose end cannot wait for that loop; BELAY_EKIND for an adopted child, because the host declares
    /// its end; BELAY_EASSIGNED for a child of another parent; BELAY_ERANGE for more than 1000
    /// levels.
    pub fn belay_owner_add_child(parent: *mut belay_owner, child: *mut belay_owner) -> c_int;
    /// Unbinds a child, which does not end by that. Returns 0; BELAY_ENOENT when it is not a child of
    /// this parent, or the parent's death has come to it; BELAY_EINVAL for NULL.
    pub fn belay_owner_remove_child(parent: *mut belay_owner, child: *mut belay_owner) -> c_int;
    /// Creates a weak reference, which does not keep the owner alive. It may live longer than the owner.
    /// Release the result. NULL: `owner` is NULL.
    pub fn belay_weak_create(owner: *mut belay_owner) -> *mut belay_weak;
    /// Adds a reference to `weak` and returns `weak`.
    pub fn belay_weak_retain(weak: *mut belay_weak) -> *mut belay_weak;
    /// Gives a reference back.
    pub fn belay_weak_release(weak: *mut belay_weak);
    /// Returns a reference to the owner. It keeps the owner alive until it is released. NULL when the
    /// owner is dying or its last reference has gone.
    pub fn belay_weak_upgrade(weak: *mut belay_weak) -> *mut belay_owner;
    /// Associates an object, after those that are associated already. An object with the same key and
    /// kind is replaced, and freed before this returns. Returns 0; BELAY_EINVAL for a NULL owner, key or
    /// object, a number that is not a policy, or a policy that needs `take` when that is NULL;
    /// BELAY_ECANCELED when `take` returned NULL; BELAY_EDEAD from step 6 of the death on. On failure
    /// the old object stays, and `free` has run for the result of `take`, or for an object that was to
    /// be assigned. (It does not run when `size` is wrong, because Belay then reads nothing of the
    /// struct.)
    pub fn belay_association_set(owner: *mut belay_owner, association: *const belay_association) -> c_int;
    /// Returns the object under `key` and `kind`, borrowed until it is replaced or removed, or the owner
    /// dies. NULL when there is none.
    pub fn belay_association_get(owner: *mut belay_owner, key: *const c_void, kind: *const c_void) -> *mut c_void;
    /// Removes and frees the object under `key` and `kind`. Returns 0; BELAY_ENOENT when there is none;
    /// BELAY_EINVAL for a NULL owner or key.
    pub fn belay_association_remove(owner: *mut belay_owner, key: *const c_void, kind: *const c_void) -> c_int;
    /// Creates a property with the value `initial` (taken over, also on failure). `options` may be NULL.
    /// A property cannot be shared, and it always queues: other settings of these are BELAY_EINVAL.
    /// Release the result.
    pub fn belay_property_create(initial: belay_value, options: *const belay_source_options) -> *mut belay_property;
    /// Adds a reference to `property` and returns `property`.
    pub fn belay_property_retain(property: *mut belay_property) -> *mut belay_property;
    /// Gives a reference back. The last release completes the signal of the property.
    pub fn belay_property_release(property: *mut belay_property);
    /// Stores the value that was set last into `*value`, as a reference that the caller releases. Any
    /// thread. A value that was set away from home counts when it has arrived there. Returns 0;
    /// BELAY_EINVAL for NULL.
    pub fn belay_property_get(property: *mut belay_property, value: *mut belay_value) -> c_int;
    /// Sets the value (taken over, always) and sends it, also when it is the same. Any thread. Inside a
    /// delivery, the new value counts at once, and is sent when the event in progress has reached
    /// everybody. Returns what belay_subject_next() returns.
    pub fn belay_property_set(property: *mut belay_property, value: belay_value) -> c_int;
    /// Sets the value that `change` makes of the current one. `ctx` is used only during the call. If
    /// `change` fails (belay_value_failure()), sets nothing and returns its code. Returns
    /// BELAY_EWRONGTHREAD away from home.
    pub fn belay_property_modify(property: *mut belay_property, change: belay_map_fn, ctx: *mut c_void) -> c_int;
    /// Returns a signal of the value. It sends the current value to a new subscription, then each value
    /// that is set. Does not retain the property. Release the result.
    pub fn belay_property_signal(property: *mut belay_property) -> *mut belay_signal;
    /// Sends all events of `signal` into `subject`, including an error or a completion, at the home of
    /// the subject. Retains `subject`. An interruption ends only the binding. If the subject refuses a
    /// value, both end with the code: BELAY_EAGAIN (a full queue) or BELAY_EREENTRANT. BELAY_EKIND when
    /// `subject` is no subject.
    pub fn belay_signal_bind(signal: *mut belay_signal, subject: *mut belay_signal, disposable: *mut *mut belay_disposable) -> c_int;
    /// Stores each value into the variable at `address`. `kind` tells its type: the integer, `float`,
    /// `double` or `void *` of that name (BELAY_KIND_INT16: an int16_t), or an `int` for
    /// BELAY_KIND_BOOL. For every other kind it is a `belay_value` that holds a reference: initialise it
    /// (belay_null()). The old value is released when the new one is in its place; the caller releases
    /// the value that is there in the end. BELAY_KIND_NULL is a `belay_value` that takes any kind.
    ///
    /// Numbers convert as in the getters of value.h. A number that does not fit ends the binding with
    /// the error BELAY_ERANGE. A value of another kind ends it with BELAY_EKIND, and so does a pointer
    /// with a destructor for a `void *`, because the pointer goes with its value. The variable is then
    /// unchanged.
    ///
    /// The binding writes the variable at its home: that of this thread, or below observe_on that of the
    /// scheduler. (On a thread without a loop, a shared source writes it on the threads that send.) The
    /// variable has to live until the binding has ended; it is not written after
    /// belay_disposable_dispose() has returned at that home. With an owner, the variable may be a part
    /// of the owner's object; the deinit of the owner then releases a `belay_value`. A number that is
    /// not a kind is BELAY_EINVAL. (ReactiveObjC's setKeyPath:onObject:, Combine's assign.)
    pub fn belay_signal_bind_variable(signal: *mut belay_signal, kind: belay_kind, address: *mut c_void, owner: *mut belay_owner, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sets `property` to each value, at the home of the property. Does not retain the property, and
    /// ends when it goes. A full queue of the property ends the binding with BELAY_EAGAIN. The
    /// property's own signal is BELAY_EINVAL; a signal that is made of it sends for ever.
    /// (ReactiveSwift's `\<~`.)
    pub fn belay_signal_bind_property(signal: *mut belay_signal, property: *mut belay_property, owner: *mut belay_owner, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sets the field that a path leads to, to each value of a signal. Ends like belay_bind(), and when
    /// the signal ends.
    pub fn belay_signal_bind_object(signal: *mut belay_signal, object: *mut belay_owner, path: *const c_char, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sets `to` to the value of `from`, now and whenever it changes. With `both_ways`, also sets `from`
    /// to the value that `to` is set to otherwise. A value that came through the binding is not passed
    /// back, and a field that already has the value is not set. Retains none of the objects and
    /// properties.
    ///
    /// Both ways, a field passes on the value that it has: one that it had for a moment may be left out.
    /// All sides come to the value that was set last, also in a ring, and also where threads set several
    /// of them and the bindings were made at several loops. The beginning of a binding counts as setting
    /// `to`; if that is bound both ways to others already, also as setting `from` to the value that it
    /// has. Where setters of one field run on several threads at the same time, nobody knows which was
    /// last, and all sides agree on one of the values. A setter that stores another value than it gets
    /// leaves the sides different. A ring that has bindings one way, also one beside a binding both ways
    /// of the same two sides, may go round without end, where threads or observers set several sides.
    ///
    /// The binding ends when one of its owners or properties goes, when a conversion or a write fails
    /// (the error goes to the hook for errors that nobody handles), and by `*disposable` (may be NULL).
    /// `ctx_free` runs once, also when this fails, but not when `size` is wrong. Returns 0; BELAY_EINVAL
    /// for an incomplete description; BELAY_EWRONGTHREAD for a property whose home is not that of this
    /// thread.
    pub fn belay_bind(binding: *const belay_binding, disposable: *mut *mut belay_disposable) -> c_int;
    /// Makes two properties follow each other. First sets `b` to the value of `a`. A value that comes
    /// through the channel is not sent back. Channels may form a ring: a value comes to each property
    /// once, and all agree on the one that was set last. Retains neither property. The channel ends when
    /// `*disposable` (may be NULL) is disposed of, or when a property goes. A full queue ends it with
    /// BELAY_EAGAIN, because nobody would see a gap. Returns 0; BELAY_EWRONGTHREAD unless both are at
    /// home on this thread; BELAY_EINVAL when they are the same. (For fields of objects, for one
    /// direction, or for conversions, use belay_bind().)
    pub fn belay_property_channel(a: *mut belay_property, b: *mut belay_property, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sends what `combine` (may be NULL) makes of the latest values of all signals. It sends each time
    /// that a signal sends, once all of them have sent. Completes when all have completed; without
    /// signals, at once. (ReactiveObjC's rac_liftSelector: is this with the selector as `combine`.)
    pub fn belay_signal_combine_latest(inputs: *const *mut belay_signal, count: usize, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Sends what `combine` (may be NULL) makes of the first values of all signals, then of the second
    /// values, and so on. Completes as soon as a signal has completed and none of its values waits.
    /// 1024 values of each signal may wait for the others; belay_signal_set_queue() changes that.
    pub fn belay_signal_zip(inputs: *const *mut belay_signal, count: usize, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Sends what `combine` (may be NULL) makes of each value of the source and the latest values of
    /// `others`. The source's value comes first. Values of the source are dropped until all others have
    /// sent. Ends when the source ends.
    pub fn belay_op_with_latest_from(others: *const *mut belay_signal, count: usize, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Passes on the events of the signal that sends an event first, which may be an end. Disposes of
    /// the other signals at that moment. Without signals it never sends. (amb elsewhere.)
    pub fn belay_signal_race(inputs: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Sends `count` values first. Takes over each of them.
    pub fn belay_op_start_with(values: *const belay_value, count: usize) -> *mut belay_op;
    /// Sends `count` values (each taken over) after the last value of the source, before it
    /// completes.
    pub fn belay_op_end_with(values: *const belay_value, count: usize) -> *mut belay_op;
    /// Sends a bool, then completes: whether the source and `other` send equal values in the same order
    /// and complete. Sends false as soon as that is known. A NULL `equal` means belay_value_equal(). The
    /// 1024 values of the signal that is ahead may wait; belay_signal_set_queue() changes that.
    pub fn belay_op_sequence_equal(other: *mut belay_signal, equal: belay_equal_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the values of `yes` while the latest value of `condition` is true, and those of `no` while
    /// it is false. Each value of `condition` subscribes again. A value that is not a bool is
    /// BELAY_EKIND. Completes when `condition` and the latest of the two signals have completed.
    pub fn belay_signal_if_then_else(condition: *mut belay_signal, yes: *mut belay_signal, no: *mut belay_signal) -> *mut belay_signal;
    /// Sends the values of one of `inputs`: the one with the index that the latest value of `keys` has
    /// in `cases` (values, taken over). For a key without a case, sends the values of `otherwise`; when
    /// that is NULL, such a key is BELAY_EINVAL. Completes when `keys` and the latest signal have
    /// completed.
    pub fn belay_signal_switch_on(keys: *mut belay_signal, cases: *const belay_value, inputs: *const *mut belay_signal, count: usize, otherwise: *mut belay_signal) -> *mut belay_signal;
    /// Sends whether all of the latest values are true (and), or at least one of them (or). It sends
    /// each time that a signal sends, once all of them have sent. A value that is not a bool is
    /// BELAY_EKIND.
    pub fn belay_signal_and(inputs: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// See [`belay_signal_and`].
    pub fn belay_signal_or(inputs: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Sends the opposite of each value. A value that is not a bool is BELAY_EKIND.
    pub fn belay_op_not() -> *mut belay_op;
    /// Calls `reduce` with the items of each value, which has to be an array (else BELAY_EKIND), and
    /// sends its result.
    pub fn belay_op_reduce_each(reduce: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Creates a command at home on this thread. `enabled` (taken over, may be NULL) sends bools:
    /// whether the command may be executed while it is not executing. Until the first bool, it may.
    /// `ctx_free` runs when the command has gone, also when this fails. Release the result.
    pub fn belay_command_create(enabled: *mut belay_signal, execute: belay_command_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_command;
    /// Adds a reference to `command` and returns `command`.
    pub fn belay_command_retain(command: *mut belay_command) -> *mut belay_command;
    /// Gives a reference back. At the last release, an execution continues to its end; the command's
    /// signals complete after that.
    pub fn belay_command_release(command: *mut belay_command);
    /// Begins an execution with `input` (taken over, always). Returns a signal of the events of this
    /// execution; a later subscription first gets its last 1024 values. Releasing the signal does not
    /// end the execution. The execution is over before its end is sent. NULL: BELAY_EBUSY while the
    /// command is executing or is not enabled; BELAY_EWRONGTHREAD away from its home; the error of
    /// `execute`.
    pub fn belay_command_execute(command: *mut belay_command, input: belay_value) -> *mut belay_signal;
    /// Each returns a signal of bools: the present one, and each change. At a home without a loop, what
    /// `enabled` sends on another thread is told when belay_command_enabled() is called at home. Release
    /// the result.
    pub fn belay_command_executing(command: *mut belay_command) -> *mut belay_signal;
    /// See [`belay_command_executing`].
    pub fn belay_command_enabled(command: *mut belay_command) -> *mut belay_signal;
    /// Each returns a signal: the values of all executions, and their errors as values. Release the
    /// result.
    pub fn belay_command_values(command: *mut belay_command) -> *mut belay_signal;
    /// See [`belay_command_values`].
    pub fn belay_command_errors(command: *mut belay_command) -> *mut belay_signal;
    /// Creates a cold signal. `ctx_free` runs when the signal and its last subscription are gone, also
    /// when this fails. `options` may be NULL. Its `loop` is not used, because each subscription has its
    /// own home, but it is checked. NULL: BELAY_EINVAL for a NULL `subscribe` or wrong options, as for
    /// both `loop` and `shared`; BELAY_ECLOSED for a closed `loop`.
    pub fn belay_signal_create(subscribe: belay_subscribe_fn, ctx: *mut c_void, ctx_free: belay_free_fn, options: *const belay_source_options) -> *mut belay_signal;
    /// Sends one value (taken over), then completes.
    pub fn belay_signal_just(value: belay_value) -> *mut belay_signal;
    /// Sends `count` values (each taken over), then completes. NULL: BELAY_EINVAL for NULL with a
    /// count.
    pub fn belay_signal_from(values: *const belay_value, count: usize) -> *mut belay_signal;
    /// Completes at once.
    pub fn belay_signal_empty() -> *mut belay_signal;
    /// Sends nothing and never ends. It is interrupted when its home closes.
    pub fn belay_signal_never() -> *mut belay_signal;
    /// Sends an error at once. Retains `error`.
    pub fn belay_signal_error(error: *const belay_error) -> *mut belay_signal;
    /// Sends a value (taken over), then completes. For null it only completes.
    pub fn belay_signal_from_optional(value: belay_value) -> *mut belay_signal;
    /// Sends a value (taken over), then completes. A failure value is sent as the error.
    pub fn belay_signal_from_result(result: belay_value) -> *mut belay_signal;
    /// Sends a value (taken over) `count` times, then completes. BELAY_UNLIMITED means until the
    /// disposal.
    pub fn belay_signal_repeat_value(value: belay_value, count: usize) -> *mut belay_signal;
    /// Sends `count` int64 values from `start` on, then completes. NULL: BELAY_ERANGE past INT64_MAX.
    pub fn belay_signal_range(start: i64, count: u64) -> *mut belay_signal;
    /// Calls `make` for each subscription and sends the events of the signal that it returns.
    pub fn belay_signal_defer(make: belay_make_signal_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Sends values from a loop. The loop begins with the state `initial` (taken over), sends the value
    /// that `result` makes of each state, and continues with the state that `next` returns, while
    /// `condition` returns 1. A NULL `condition` means without end. A NULL `result` sends the states
    /// themselves. The three callbacks share one `ctx`.
    pub fn belay_signal_generate(initial: belay_value, condition: belay_predicate_fn, next: belay_map_fn, result: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Calls `next` repeatedly and sends the values that it stores; completes when it returns 0. All
    /// subscriptions call it with the same `ctx`. Use belay_signal_defer() to give each its own.
    pub fn belay_signal_from_iterator(next: belay_iterate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// For each subscription, makes a resource and the signal that uses it. The resource ends when the
    /// subscription ends, or when `use` returns if that is later.
    pub fn belay_signal_using(make: belay_make_resource_fn, r#use: belay_use_resource_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// For each subscription, runs `work` on `scheduler`, sends the value that it returns, then
    /// completes. Retains `scheduler`. A disposal before the work has started prevents it. Subscribing
    /// returns BELAY_ENOHOME when `scheduler` belongs to another loop or a pool and the subscription has
    /// no loop; BELAY_ECANCELED if that loop has been closed.
    pub fn belay_signal_start(scheduler: *mut belay_scheduler, work: belay_produce_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Runs `work` on `scheduler` once, also without a subscription, sends the value that it returns,
    /// then completes. A later subscription gets both. Retains `scheduler` until the work has run. The
    /// home of the signal is that of this thread. If the work cannot be scheduled, the signal ends with
    /// that error, which is BELAY_ENOHOME in the case of belay_signal_start(). If the scheduler drops
    /// the work, as a loop does that closes, the signal is interrupted. `ctx_free` runs after the work.
    /// (ReactiveX's start; ReactiveObjC's startEagerlyWithScheduler:.)
    pub fn belay_signal_start_eagerly(scheduler: *mut belay_scheduler, work: belay_produce_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Sends uint64 0 after `seconds`, then completes. Each subscription has its own timer, which keeps
    /// the loop alive. Retains `scheduler`. Subscribing returns BELAY_ENOHOME when `scheduler` belongs
    /// to another loop or a pool and the subscription has no loop; BELAY_ECANCELED if that loop has been
    /// closed.
    pub fn belay_signal_timer(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_signal;
    /// Sends uint64 0, 1, 2, … every `seconds` (> 0), the first after one interval. Each subscription
    /// has its own timer, which keeps the loop alive. Retains `scheduler`. Subscribing returns
    /// BELAY_ENOHOME as with belay_signal_timer().
    pub fn belay_signal_interval(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_signal;
    /// Returns how many things of a kind are alive in the process; for BELAY_LIVE_KINDS, of all kinds
    /// but closures and classes. A slot in a static table keeps its closure, and a class its hook, until
    /// the process ends or the table is given up (belay_table_gone()), so these two are no leaks. An
    /// error is not counted while a thread has it as its last failure, also if the host holds it. Any
    /// thread. The result is exact while no other thread makes or ends any.
    pub fn belay_live_count(kind: belay_live_kind) -> usize;
    /// Returns the name of a kind: "subscriptions", "signals", … Static.
    pub fn belay_live_kind_name(kind: belay_live_kind) -> *const c_char;
    /// Returns the number of misuses in the process: calls that returned BELAY_EINVAL, BELAY_EKIND,
    /// BELAY_EWRONGTHREAD, BELAY_ERELEASED or a similar code.
    pub fn belay_misuse_count() -> u64;
    /// Returns how many things in the process were accepted (the call returned 0 or BELAY_QUEUED) but
    /// not delivered. These are values, ends and work that waited for a loop, a worker or a pool when it
    /// closed, and values that found their source ended, full, or busy with BELAY_REENTRANCY_REJECT. A
    /// thing that was disposed of on purpose is not counted, nor one that the policy of a queue drops.
    /// The first loss at each place prints a line on stderr. Any thread.
    pub fn belay_lost_count() -> u64;
    /// Writes a line for each subscription whose callback runs on the calling thread, the innermost
    /// first: its name, and the place of the subscription, if it is known. A call stack does not tell
    /// these. Meant for hooks (belay_on_unhandled_error()), for logs, and for a debugger. Cut to `size`
    /// bytes including a NUL (`buffer` may be NULL). Returns the length of the whole text: 0 outside of
    /// callbacks. (The call stack of RxSwift's default error handler.)
    pub fn belay_delivery_stack(buffer: *mut c_char, size: usize) -> usize;
    /// Sets the process's hook for overlaps. It gets each pair of names once, 1024 pairs at most.
    /// Without a hook, which is the default and NULL restores, nothing is looked for. The new hook
    /// replaces the old one, whose `ctx_free` runs when no thread is in it any more. Any thread. Returns
    /// 0. (RxSwift's SynchronizationTracker, which prints.)
    pub fn belay_on_overlap(hook: belay_overlap_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Sets the process's hook for callbacks that take `seconds` or longer, each of which holds up
    /// whatever waits for its thread; 0: it gets all callbacks. Timed are the callbacks of subscriptions
    /// with the operators above them, work of schedulers, and posts (belay_loop_post()), on every thread
    /// but those of the pool, which are for what takes long. Callbacks inside of a call of the host's
    /// are not timed: neither those of events that a source sends inside of belay_signal_subscribe(),
    /// nor `disposed` inside of a disposal. Without a hook, which is the default and NULL restores, the
    /// clock is not read, and a send takes no longer. The new hook replaces the old one, whose
    /// `ctx_free` runs when no thread is in it any more. Any thread. Returns 0; BELAY_EINVAL when
    /// `seconds` is negative or NaN, and nothing changes. (asyncio's slow_callback_duration.)
    pub fn belay_on_slow_callback(seconds: f64, hook: belay_slow_callback_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Adds a reference to `disposable` and returns `disposable`.
    pub fn belay_disposable_retain(disposable: *mut belay_disposable) -> *mut belay_disposable;
    /// Gives a reference back. The last release of a bag or of a scoped disposable disposes of it.
    pub fn belay_disposable_release(disposable: *mut belay_disposable);
    /// Ends the work. At the home of a subscription, none of its callbacks runs any more when this
    /// returns, except those on the caller's own stack. Elsewhere, no event begins after this returns:
    /// only the value in progress may still pass the operators above the observer. The teardown,
    /// `disposed` and `ctx_free` then run at the next turn of the home. If that has no loop, they run on
    /// the caller, or at the home when the callback that is running returns.
    pub fn belay_disposable_dispose(disposable: *mut belay_disposable);
    /// Disposes, then waits until none of its callbacks runs or will run and its `ctx_free` has
    /// returned. Waits at most `timeout` seconds; negative means without limit. Disposes in every case.
    /// Covers the whole chain, also the part above a change of home. Returns 0 when the wait succeeded;
    /// BELAY_EINPROGRESS at once inside one of its own callbacks; BELAY_EDEADLK at once when the wait
    /// would close a cycle of such waits; BELAY_ETIMEDOUT when the time is over.
    ///
    /// The waits of belay_worker_release() for an action, of belay_loop_close() for the pool, and of
    /// work at a pool for a free thread of it, are not known as parts of a cycle: what they wait for
    /// must not wait for their thread. So work at a pool should not wait for what is at home at another
    /// of the process: libuv has four threads for all of them, unless UV_THREADPOOL_SIZE says more.
    pub fn belay_disposable_dispose_sync(disposable: *mut belay_disposable, timeout: f64) -> c_int;
    /// Returns 1 when it has been disposed or has ended, even while its action is still running. Returns
    /// 1 for NULL.
    pub fn belay_disposable_is_disposed(disposable: *mut belay_disposable) -> c_int;
    /// Gives scheduled work (of belay_scheduler_after() and its kin) the name and the line of code under
    /// which a close lists it among the open resources, and which the hook for slow callbacks gets. A
    /// close does not list what waits for the next turn only (belay_scheduler_schedule()). Both are
    /// static; NULL: none. (A subscription has those of its observer.) Any thread. Returns 0;
    /// BELAY_EKIND for another disposable.
    pub fn belay_disposable_set_label(disposable: *mut belay_disposable, label: *const c_char, site: *const c_char) -> c_int;
    /// Creates a disposable whose disposal calls `action` (may be NULL) once. `ctx_free` runs after the
    /// action, or when the last reference is released without a disposal.
    pub fn belay_disposable_create(action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_disposable;
    /// Creates a disposable that does nothing. It always counts as disposed.
    pub fn belay_nop_create() -> *mut belay_disposable;
    /// Creates a disposable that only remembers whether it was disposed.
    pub fn belay_boolean_create() -> *mut belay_disposable;
    /// Creates a disposable that disposes of `first`, then of `second`. Either may be NULL.
    pub fn belay_binary_create(first: *mut belay_disposable, second: *mut belay_disposable) -> *mut belay_disposable;
    /// Creates a container. Its disposal disposes of its members, in the order in which they were added.
    /// A member that ends by itself leaves.
    pub fn belay_compound_create() -> *mut belay_disposable;
    /// Adds `member`. Stores into `key` (may be NULL) the key that removes the member again, or 0 when
    /// the member did not stay. A NULL or disposed member is ignored. A disposed compound disposes of
    /// the member at once. Returns 0; BELAY_EINVAL when the compound would contain itself, directly or
    /// through other compounds.
    pub fn belay_compound_add(compound: *mut belay_disposable, member: *mut belay_disposable, key: *mut u64) -> c_int;
    /// Adds an action in the same way, without a handle. This saves one allocation.
    pub fn belay_compound_add_action(compound: *mut belay_disposable, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, key: *mut u64) -> c_int;
    /// Takes a member out without disposing of it, in constant time. Returns 0; BELAY_ENOENT for a key
    /// whose member has gone. A key is never used twice. What the library itself has bound to an owner
    /// has no key.
    pub fn belay_compound_remove(compound: *mut belay_disposable, key: u64) -> c_int;
    /// Returns the number of members.
    pub fn belay_compound_count(compound: *mut belay_disposable) -> usize;
    /// Creates a container that holds one disposable at a time.
    pub fn belay_serial_create() -> *mut belay_disposable;
    /// Puts `next` (may be NULL) in and disposes of the disposable that was there. A disposed serial
    /// disposes of `next` at once. Returns 0; BELAY_EINVAL for a serial in itself.
    pub fn belay_serial_set(serial: *mut belay_disposable, next: *mut belay_disposable) -> c_int;
    /// Does the same without disposing of the disposable that was there. It stores that one into
    /// `*previous` as a reference for the caller, or NULL. Returns 0; BELAY_EINVAL for a serial in
    /// itself.
    pub fn belay_serial_swap(serial: *mut belay_disposable, next: *mut belay_disposable, previous: *mut *mut belay_disposable) -> c_int;
    /// Creates a container that accepts one disposable, once.
    pub fn belay_single_assignment_create() -> *mut belay_disposable;
    /// Assigns `inner`. If the container has been disposed, disposes of `inner` at once. Returns 0;
    /// BELAY_EASSIGNED the second time, and then does not touch `inner`; BELAY_EINVAL for a container
    /// in itself.
    pub fn belay_single_assignment_set(single: *mut belay_disposable, inner: *mut belay_disposable) -> c_int;
    /// Creates a disposable that disposes of `underlying` when it and all its dependents have been
    /// disposed.
    pub fn belay_ref_counted_create(underlying: *mut belay_disposable) -> *mut belay_disposable;
    /// Creates a dependent. After the disposal of the underlying disposable, the new dependent does
    /// nothing.
    pub fn belay_ref_counted_create_dependent(ref_counted: *mut belay_disposable) -> *mut belay_disposable;
    /// Creates a disposable that disposes of `inner` when it is disposed, or when its own last reference
    /// is released.
    pub fn belay_scoped_create(inner: *mut belay_disposable) -> *mut belay_disposable;
    /// Creates a disposable that disposes of `inner` on `scheduler`. Several disposals enqueue the work
    /// once.
    pub fn belay_scheduled_create(scheduler: *mut belay_scheduler, inner: *mut belay_disposable) -> *mut belay_disposable;
    /// Creates a bag. It disposes of its members, in the order in which they were added, when its last
    /// reference is released. There is no other way to dispose of a bag. A member that ends by itself
    /// leaves.
    pub fn belay_bag_create() -> *mut belay_bag;
    /// Adds a reference to `bag` and returns `bag`.
    pub fn belay_bag_retain(bag: *mut belay_bag) -> *mut belay_bag;
    /// Gives a reference back. The last release disposes of the members.
    pub fn belay_bag_release(bag: *mut belay_bag);
    /// Adds `member`. A disposed member is ignored. Returns 0; BELAY_EINVAL for NULL.
    pub fn belay_bag_add(bag: *mut belay_bag, member: *mut belay_disposable) -> c_int;
    /// Returns the number of members; 0 for NULL.
    pub fn belay_bag_count(bag: *mut belay_bag) -> usize;
    /// Calls the callbacks of the observer for each event, before the event is passed on. When `next`
    /// calls belay_fail(), that error is passed on instead of the value, and the source is left. When
    /// `error` or `completed` does, that error takes the place of the end; nothing keeps the first
    /// error. `disposed` runs as the teardown of this stage. The observer's `loop` is ignored. A
    /// `next_batch` or an `owner` is BELAY_EINVAL. (RxJS's tap.)
    pub fn belay_op_do(observer: *const belay_observer) -> *mut belay_op;
    /// Calls `action` once at the end of each subscription, in whichever way it ends: after `completed`
    /// or `error`, at a disposal, at an interruption.
    pub fn belay_op_finally(action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Calls `action` each time before it subscribes to the source.
    pub fn belay_op_initially(action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Writes a line for each event and each end: "SITE: LABEL: next 1", "… error MESSAGE", "…
    /// completed", "… disposed". `label` (NULL: the name of the signal) and `site` (BELAY_HERE; may be
    /// NULL) are copied. A NULL `sink` writes to stderr.
    pub fn belay_op_log(label: *const c_char, site: *const c_char, sink: belay_log_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Raises SIGTRAP on the thread of the callbacks before it passes on an event for which its callback
    /// returns 1. A debugger stops there. A process without a debugger and without a handler ends. A
    /// NULL callback never stops, nor does one that fails. The value and the error are borrowed.
    /// (Combine's breakpoint.)
    pub fn belay_op_breakpoint(next: belay_predicate_fn, error: belay_stop_at_error_fn, completed: belay_stop_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Raises SIGTRAP on the thread of the callbacks before it passes on an error. A debugger stops
    /// there. A process without a debugger and without a handler ends.
    pub fn belay_op_breakpoint_on_error() -> *mut belay_op;
    /// Fills in `exchange` with a new reference to `signal`. End it by belay_exchange_release(). Any
    /// thread. Returns 0, or BELAY_EINVAL for NULL; `exchange` is zeroed then.
    pub fn belay_signal_export(signal: *mut belay_signal, exchange: *mut belay_exchange) -> c_int;
    /// Returns a cold signal that subscribes to the exported one. Retains what `exchange` refers to and
    /// takes nothing over: release the exchange as well. An exchange of this copy gives the very signal
    /// that was exported. Release the result. Any thread. NULL: BELAY_EINVAL for NULL or an exchange
    /// that lacks a function, BELAY_ENOTSUP for an unknown version.
    pub fn belay_signal_import(exchange: *const belay_exchange) -> *mut belay_signal;
    /// Gives back the reference of an exchange, whichever copy made it, and zeroes it. Does nothing for
    /// NULL and for one that is zeroed. Any thread.
    pub fn belay_exchange_release(exchange: *mut belay_exchange);
    /// Calls `work` on a thread of libuv's pool for each subscription, sends the value that it returns,
    /// then completes. `work` may be called on several threads at once; belay_signal_start() on a
    /// scheduler of belay_scheduler_create_pool() makes the calls one after the other. A failure value
    /// becomes the error event.
    /// A disposal before `work` has begun prevents it; after that, its value is released. `ctx_free`
    /// runs when the signal and its last subscription are gone.
    pub fn belay_work(r#loop: *mut belay_loop, work: belay_produce_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_signal;
    /// Sends all bytes of a file as one value, then completes. A pipe is the error BELAY_EINVAL, and so
    /// is a device that is not empty, because reading it could occupy a thread without limit.
    /// BELAY_ENOMEM for more than the memory holds.
    pub fn belay_file_read(r#loop: *mut belay_loop, path: *const c_char) -> *mut belay_signal;
    /// Sends the bytes of a file in values of at most 64 KiB, then completes. The next is read when the
    /// subscriber at the loop has taken the last; it then has one of them in memory. `flags` and the
    /// rules are those of belay_file_lines(), also for what is held: belay_stream_write_all() reads the
    /// file as fast as the peer takes it.
    pub fn belay_file_chunks(r#loop: *mut belay_loop, path: *const c_char, flags: c_uint) -> *mut belay_signal;
    /// Writes a whole file, sends null, then completes. `content` is a string or bytes; takes it over. A
    /// reader sees the old file or all of the new one: the bytes go to a file beside it, which is
    /// renamed when they are on the disk, and removed when that fails. The new file is the writer's. It
    /// has the old one's permissions, but not the bits that have it run as its owner or group; a first
    /// one has 0666, less the umask. A symbolic link is followed. BELAY_EKIND for another value. An
    /// error event BELAY_EINVAL where the path names something else than a file, and BELAY_ENOENT where
    /// a link leads nowhere.
    ///
    /// Where a limit of the process is exceeded (RLIMIT_FSIZE), the system sends SIGXFSZ, which the
    /// program has to ignore; the error is then EFBIG.
    pub fn belay_file_write(r#loop: *mut belay_loop, path: *const c_char, content: belay_value) -> *mut belay_signal;
    /// Sends one array of the entries of a directory, in the order of their names, then completes. Each
    /// item is an array: the name, a string (bytes where it is not UTF-8), and a belay_entry_kind, an
    /// int32. "." and ".." are left out. Some file systems tell no kind.
    pub fn belay_directory_list(r#loop: *mut belay_loop, path: *const c_char) -> *mut belay_signal;
    /// Returns the loop of this thread, with the caller as one more user. If the thread has none,
    /// creates one of Belay's own, bound to this thread. `options` may be NULL. Release the result.
    /// NULL: BELAY_ENOTSUP for the reason that `uv_version` names, and when the libuv in the process is
    /// older than the one that Belay was compiled for; -EMFILE.
    ///
    /// Where the program lacks one of its standard descriptors (0, 1, 2), it becomes /dev/null, for
    /// good: here, at a worker's begin, and before a source has libuv open something. libuv would take
    /// its number, and end the process at the close.
    pub fn belay_loop_create(options: *const belay_loop_options) -> *mut belay_loop;
    /// Puts Belay on a loop of the host, which the host continues to run. Belay does not touch its
    /// `data`, its handles or its run. It does not keep the loop alive, except for timers, for sources
    /// in use, and for work and posts from the loop's own thread; what another thread sends waits for a
    /// turn. uv_run() makes no turn of a loop in which nothing is alive. So when such things wait,
    /// belay_loop_alive() and belay_loop_backend_timeout() make its next run a turn. If Belay is on that
    /// loop already, the caller becomes one more user, and the loop is bound to this thread. Call this
    /// on the thread that runs the loop. The uv_loop_t must live until the callback of the close has
    /// run. Release the result.
    ///
    /// NULL: BELAY_EBOUND when the thread has another loop; BELAY_EBUSY when this loop is Belay's own
    /// and runs on another thread; BELAY_EINVAL for a loop that libuv has closed; and the failures of
    /// belay_loop_create().
    pub fn belay_loop_adopt(uv: *mut uv_loop_s, options: *const belay_loop_options) -> *mut belay_loop;
    /// Adds a reference to `loop` and returns `loop`.
    pub fn belay_loop_retain(r#loop: *mut belay_loop) -> *mut belay_loop;
    /// Gives a reference back. Any thread. If the handle was not closed, its user leaves with the last
    /// reference: at once on the thread of the loop, elsewhere at the next turn. A loop of Belay's own
    /// that has no other user and is not running has no next turn: its user leaves as soon as its thread
    /// has ended or looks for a loop, and a line on stderr says so.
    pub fn belay_loop_release(r#loop: *mut belay_loop);
    /// Binds the loop to the calling thread. Returns 0; BELAY_EBUSY while the loop is running, or while
    /// another thread ends what belongs to a user whose last reference it has given back; BELAY_EBOUND
    /// when the thread has another loop; BELAY_ECLOSED. Belay does not know when a host runs an adopted
    /// loop: the host must not move it while one of its callbacks runs.
    pub fn belay_loop_bind(r#loop: *mut belay_loop) -> c_int;
    /// Returns the loop bound to the calling thread, borrowed, or NULL. The result is the handle of the
    /// user that has been there longest. Use it to ask the loop something; to use the loop, call create
    /// or adopt.
    pub fn belay_loop_current() -> *mut belay_loop;
    /// Runs the loop. It waits for scheduled work, sources in use and the host's own handles. It does
    /// not wait for subscriptions to subjects alone. Returns 0 when nothing is left to wait for; 1 when
    /// something is left (the loop was stopped, or one turn is over); BELAY_EBUSY while another thread
    /// runs it; BELAY_EBOUND when the thread has another loop; BELAY_ECLOSED; BELAY_EWRONGTHREAD for
    /// the parent's loop in a child of fork(); BELAY_EINVAL for an adopted loop, which the host runs
    /// itself, and for an unknown mode.
    ///
    /// One turn need not deliver all that has come: when it has lasted for a millisecond after 128
    /// messages of other threads, or after 128 lines or frames of one stream or file, the rest comes in
    /// the next turn. A program that makes single turns goes on while the answer is 1.
    ///
    /// A callback may run the loop too, or have the host or libuv run it, for example for a modal
    /// dialogue. Such a nested turn delivers what the outer turn has left. A callback that is running is
    /// not entered again: a subscription gets one event at a time, and a periodic timer whose callback
    /// is running misses its turns. libuv itself documents uv_run() as not re-entrant. In a nested turn,
    /// it calls the program's own watchers of descriptors (uv_poll_t, streams) and timers that wait in
    /// the outer turn. Events that it has taken out together wait for the outer callback: a uv_async_t
    /// in a callback of another async or of the pool, results of the pool, signals, and children that
    /// ended.
    pub fn belay_loop_run(r#loop: *mut belay_loop, mode: belay_run_mode) -> c_int;
    /// Makes the innermost run return after the turn in progress. Before a run, makes the next run
    /// return at once; but a run inside of a callback makes a turn, and leaves the stop to the run
    /// outside. Any thread. Returns 0; BELAY_EINVAL for an adopted loop.
    pub fn belay_loop_stop(r#loop: *mut belay_loop) -> c_int;
    /// Returns 1 while there is something to wait for, or something that waits for a turn.
    pub fn belay_loop_alive(r#loop: *mut belay_loop) -> c_int;
    /// Returns the time in seconds on the monotonic clock, read once a turn.
    pub fn belay_loop_now(r#loop: *mut belay_loop) -> f64;
    /// Returns the scheduler of this user on the loop, borrowed: valid as long as the handle. When the
    /// user has left, it refuses work with BELAY_ECANCELED. Any thread.
    pub fn belay_loop_get_scheduler(r#loop: *mut belay_loop) -> *mut belay_scheduler;
    /// Returns the libuv loop inside, borrowed. Run a loop of Belay's own by belay_loop_run(): if it is
    /// closed in a callback of the program's own uv_run(), nobody can free it.
    pub fn belay_loop_uv(r#loop: *mut belay_loop) -> *mut uv_loop_s;
    /// Returns how often the loop has come back from waiting: once for each turn.
    pub fn belay_loop_turns(r#loop: *mut belay_loop) -> u64;
    /// Returns the descriptor of the backend. Poll it for reading, for as long as
    /// belay_loop_backend_timeout() says.
    pub fn belay_loop_backend_fd(r#loop: *mut belay_loop) -> c_int;
    /// Returns how many seconds to wait at most: 0 to run now, negative for no limit. Ask again after
    /// every run and after every call that may arm something; then call belay_loop_run(loop,
    /// BELAY_RUN_NOWAIT).
    pub fn belay_loop_backend_timeout(r#loop: *mut belay_loop) -> f64;
    /// Returns one descriptor for everything. It is readable whenever the loop has something to do,
    /// including timers and newly armed sources. The first call makes it; the loop owns it. Call this
    /// again when the program has armed a handle of its own by libuv outside of a run: only this and the
    /// runs look at those. A negative result is an error: BELAY_EINVAL for an adopted loop, whose host
    /// has uv_backend_fd().
    pub fn belay_loop_fd(r#loop: *mut belay_loop) -> c_int;
    /// Runs `action` on the thread of the loop, at a coming turn, in the order of posting. Any thread.
    /// `ctx_free` runs in every case: on the thread of the loop, after the action or when the loop drops
    /// the action at its close; or before this returns, when this fails. Returns 0; BELAY_EAGAIN when
    /// the queue is full; BELAY_ECANCELED when the handle is closed.
    pub fn belay_loop_post(r#loop: *mut belay_loop, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Returns the largest number of things that ever waited in that queue. Any thread.
    pub fn belay_loop_queue_high_water(r#loop: *mut belay_loop) -> usize;
    /// Sets the loop's hook for errors that nobody handles: see belay_on_unhandled_error(). It replaces
    /// the hook of another user, and goes when this user leaves.
    pub fn belay_loop_on_unhandled_error(r#loop: *mut belay_loop, hook: belay_unhandled_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Leaves the loop. This disposes of the user's subscriptions, timers and work, drops its posts, and
    /// destroys its belay_pointer_at() values. When the last user leaves, the loop is closed: everything
    /// at home there is interrupted, sources are closed, and what is queued is dropped. The runs of a
    /// loop of Belay's own return after their turns, also if the host still has handles there.
    ///
    /// `closed` gets what was still open, by name; for the last user also what the host still has there.
    /// When `closed` is NULL, this is printed on stderr, one line each, unless the user is quiet.
    /// `ctx_free` runs after `closed`. Both run before this returns, with three exceptions, in which
    /// they run later: work of this user is running on the pool (for the last user also: a file is being
    /// read); the loop is Belay's own and is running; or this is called from inside a callback of
    /// Belay's. In the last case they run when no callback of Belay's is on the stack of this thread any
    /// more. The contexts of those callbacks have been freed then, and a turn inside of a callback does
    /// not run `closed`. (The last user of a loop of Belay's own that is not running does not wait for a
    /// callback. It waits for the pool and for files inside of this call, so work on the pool must not
    /// wait for the thread that closes, as by belay_disposable_dispose_sync().) After `closed` nothing
    /// of this user runs at the loop. The user ends its things on other loops and workers itself. An
    /// adopted loop may still have handles that libuv is closing: uv_loop_close() returns UV_EBUSY until
    /// the host has run the loop once more. A callback of Belay's that the host has called outside of
    /// uv_run(), and that has closed its loop, must not run that loop: the close would then wait for a
    /// turn that does not come.
    ///
    /// Returns 0; BELAY_ECLOSED the second time. The thread may create or adopt another loop at once. A
    /// host that ends its loop by closing every handle it finds may close Belay's handles too, and its
    /// loop; this call then closes the rest. In between nothing begins at the loop: work and posts are
    /// refused with BELAY_ECANCELED, a subscription to a source is interrupted.
    pub fn belay_loop_close(r#loop: *mut belay_loop, closed: belay_closed_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Returns the kind of the thing: "subscription", "timer", "owner", "stream", "listener", "work" (on
    /// the pool), "uv_tcp", …; "" for NULL. Static.
    pub fn belay_open_resource_kind(resource: *const belay_open_resource) -> *const c_char;
    /// Each returns a static string or NULL: the label, and the site. A subscription that has none tells
    /// those of its source; it does not know them below observe_on(), and may not where an operator has
    /// several signals. A timer of a source or an operator, and its work on the pool, have those of the
    /// subscription. A stream or listener that has none tells those of the subscription that reads or
    /// accepts there; a stream does not know one at another loop. Work on the pool has the name of what
    /// the loop's thread has scheduled last on that scheduler.
    pub fn belay_open_resource_label(resource: *const belay_open_resource) -> *const c_char;
    /// See [`belay_open_resource_label`].
    pub fn belay_open_resource_site(resource: *const belay_open_resource) -> *const c_char;
    /// Returns the address where the thing is or was, to tell one from another.
    pub fn belay_open_resource_address(resource: *const belay_open_resource) -> *const c_void;
    /// Returns 1 when the thing is the host's and was left as it is; 0 when it is Belay's and was ended
    /// by the close.
    pub fn belay_open_resource_is_foreign(resource: *const belay_open_resource) -> c_int;
    /// Adds a reference to `scheduler` and returns `scheduler`.
    pub fn belay_scheduler_retain(scheduler: *mut belay_scheduler) -> *mut belay_scheduler;
    /// Gives a reference back.
    pub fn belay_scheduler_release(scheduler: *mut belay_scheduler);
    /// Returns the scheduler that runs work at once, inside the call. It has no clock: a delay is
    /// BELAY_EINVAL. Static.
    pub fn belay_scheduler_immediate() -> *mut belay_scheduler;
    /// Returns the scheduler that runs work on the calling thread: at once, or, when called inside work
    /// of this scheduler, after that work. A delay is BELAY_EINVAL. Static. (RxSwift's
    /// CurrentThreadScheduler.)
    pub fn belay_scheduler_trampoline() -> *mut belay_scheduler;
    /// Creates a scheduler for tests, whose time starts at 0 and passes only by the calls below. Its
    /// work runs on the thread that advances it, in the order of due times, then in the order of
    /// scheduling. Release the result. A signal or a subscription that uses its time retains it. When
    /// the last reference goes, the work that still waits is disposed of and does not run. Any thread
    /// may schedule work, and one at a time may run it.
    pub fn belay_scheduler_create_virtual() -> *mut belay_scheduler;
    /// Creates a scheduler that runs work on threads of libuv's pool, one piece after the other, in the
    /// order of scheduling. Use it for work that would hold up a loop. Release the result.
    ///
    /// The scheduler is a home: while its work runs, the thread is bound to it. Subscriptions and
    /// sources that begin in such work have their callbacks there, one at a time, on one thread of the
    /// pool or another. A thread of the pool stays occupied as long as there is work. libuv waits for
    /// its threads at exit(), so work that schedules more work without end keeps the process there.
    ///
    /// `loop` hands the work to the pool and keeps its times, so it has to run. When that handle is
    /// closed, work that has begun runs to its end, and `closed` waits for it; work that has not begun
    /// is disposed of. Any thread may call this. NULL: BELAY_EINVAL. For a closed loop the result
    /// refuses work; so it does, with BELAY_EAGAIN, while the pool has no threads and the system gives
    /// none: work with a time is then disposed of at that time. (uv_queue_work; RACScheduler's
    /// background schedulers.)
    pub fn belay_scheduler_create_pool(r#loop: *mut belay_loop) -> *mut belay_scheduler;
    /// Creates the scheduler of a loop that the host runs on the calling thread, and binds the loop to
    /// this thread. Subscriptions and sources that begin on this thread are at home there: values from
    /// other threads arrive there, owners with this scheduler die there, belay_disposable_dispose_sync()
    /// waits for it. Belay copies `table`. `ctx_free` runs when nothing of Belay's knows the loop any
    /// more, which may be after the close and on any thread.
    ///
    /// belay_scheduler_close() ends it, or the end of its thread does. A release does not. Release the
    /// result. NULL: BELAY_EINVAL for a table without `schedule` or `after`; BELAY_EBOUND when this
    /// thread has another loop. (RxSwift's and ReactiveObjC's schedulers over any queue.)
    pub fn belay_scheduler_create_host(table: *const belay_scheduler_table, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_scheduler;
    /// Closes a scheduler of the host's own: interrupts everything that is at home there, disposes of
    /// its work, drops what is queued, and unbinds the thread. `closed` gets what was still open, as in
    /// belay_loop_close(), and has run when this returns, like `ctx_free`. Returns 0; BELAY_EWRONGTHREAD
    /// on another thread; BELAY_ECLOSED the second time; BELAY_EKIND for another scheduler.
    pub fn belay_scheduler_close(scheduler: *mut belay_scheduler, closed: belay_closed_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Creates a scheduler that runs work at once, inside the call, where belay_scheduler_current() is
    /// not NULL, and else on `background`, which it retains. Delayed work runs on the current scheduler,
    /// or on `background` where there is none. Use it for subscribe_on when any thread may subscribe.
    /// Release the result. NULL: BELAY_EINVAL. (RACScheduler.subscriptionScheduler. Belay makes no
    /// hidden thread for it: give it the scheduler of a worker or a pool.)
    pub fn belay_scheduler_create_subscription(background: *mut belay_scheduler) -> *mut belay_scheduler;
    /// Advances a virtual scheduler by `seconds`: runs the work that is due, including work that is
    /// scheduled meanwhile. Returns 0; BELAY_EINVAL for a negative time or NaN; BELAY_EKIND for another
    /// scheduler; BELAY_EBUSY while another thread runs its work; BELAY_EAGAIN when two million runs at
    /// one moment are not enough, and the time stays there.
    pub fn belay_scheduler_advance(scheduler: *mut belay_scheduler, seconds: f64) -> c_int;
    /// Runs the next `count` pieces of work of a virtual scheduler, whenever they are due. Its time
    /// advances to each. Returns the number of pieces that ran, up to INT_MAX; BELAY_EKIND for another
    /// scheduler; BELAY_EBUSY while another thread runs its work. (RACTestScheduler's step.)
    pub fn belay_scheduler_step(scheduler: *mut belay_scheduler, count: usize) -> c_int;
    /// Runs all work of a virtual scheduler, whenever it is due. Returns 0; BELAY_EKIND for another
    /// scheduler; BELAY_EBUSY while another thread runs its work; BELAY_EAGAIN when a million runs are
    /// not enough, as with work that repeats.
    pub fn belay_scheduler_flush(scheduler: *mut belay_scheduler) -> c_int;
    /// Returns the scheduler whose work is running on this thread, else the scheduler of the loop bound
    /// to this thread, else NULL. The scheduler of the loop belongs to none of its users and lasts until
    /// the loop closes. Borrowed.
    pub fn belay_scheduler_current() -> *mut belay_scheduler;
    /// Returns the time in seconds on the scheduler's clock. A loop reads its clock once a turn.
    pub fn belay_scheduler_now(scheduler: *mut belay_scheduler) -> f64;
    /// Returns the largest number of things that ever waited in the queue of the scheduler of a loop, a
    /// loop of the host's own, a worker or a pool; 0 for any other. Ends and disposals are not counted.
    /// Any thread.
    pub fn belay_scheduler_queue_high_water(scheduler: *mut belay_scheduler) -> usize;
    /// Runs `action` as soon as the scheduler can; a loop runs it at its next turn. Any thread may
    /// schedule on a loop, but not in a handler of a POSIX signal: belay_posix_signal(). The work of one
    /// scheduler runs in the order in which it was scheduled.
    /// Returns 0; BELAY_ECANCELED when the loop is closed; BELAY_EAGAIN when its queue is full.
    pub fn belay_scheduler_schedule(scheduler: *mut belay_scheduler, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Runs `action` once, no earlier than `seconds` from now. A negative time counts as 0. Any thread.
    /// Returns 0; BELAY_EINVAL for NaN; and the codes of belay_scheduler_schedule().
    pub fn belay_scheduler_after(scheduler: *mut belay_scheduler, seconds: f64, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Runs `action` after `seconds` and then every `interval` seconds (> 0). Each run is at most
    /// `leeway` seconds late, so that timers can share a wake-up. Missed intervals are skipped and the
    /// rhythm is kept. On a virtual scheduler, no run is late, and the last one is at the end of all
    /// time, which is 292 years. Returns 0; BELAY_EINVAL for NaN, an `interval` that is not above 0, or
    /// a negative `leeway`; and the codes of belay_scheduler_schedule().
    pub fn belay_scheduler_every(scheduler: *mut belay_scheduler, seconds: f64, interval: f64, leeway: f64, action: belay_action_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Runs `action` as soon as the scheduler can, and once more for each belay_recursion_again(). The
    /// stack does not grow, on any scheduler. `recursion` is lent to the action: retain it to continue
    /// later. The work is over, and `ctx` is freed, when it is disposed of; when a run has ended without
    /// asking for another and nobody has retained a recursion; and when its loop closes. Codes and
    /// threads are those of belay_scheduler_schedule(). (scheduleRecursiveBlock:; RxSwift's
    /// scheduleRecursive.)
    pub fn belay_scheduler_recursive(scheduler: *mut belay_scheduler, action: belay_recursive_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Asks for one more run. Asked inside the action, the run follows when the action has returned.
    /// Asked later, the immediate scheduler runs it inside the call. Two requests give two runs. Any
    /// thread may ask for a run on the scheduler of a loop, a worker or a pool. Returns 0;
    /// BELAY_ECANCELED when the work has been disposed of or its loop is closed. Each run that a close
    /// prevents after this has returned 0 is counted (belay_lost_count()).
    pub fn belay_recursion_again(recursion: *mut belay_recursion) -> c_int;
    /// Adds a reference to `recursion` and returns `recursion`.
    pub fn belay_recursion_retain(recursion: *mut belay_recursion) -> *mut belay_recursion;
    /// Gives a reference back. The last release ends the work if no run is pending.
    pub fn belay_recursion_release(recursion: *mut belay_recursion);
    /// Passes on the values for which `keep` returns 1.
    pub fn belay_op_filter(keep: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Passes on the first `count` values. With the last of them it completes, and then ends its source.
    /// 0 completes at once, without subscribing.
    pub fn belay_op_take(count: u64) -> *mut belay_op;
    /// Drops the first `count` values.
    pub fn belay_op_skip(count: u64) -> *mut belay_op;
    /// Sends the last `count` values when the source has completed. Keeps up to `count` values. An error
    /// drops them. 0 completes at once, without subscribing.
    pub fn belay_op_take_last(count: u64) -> *mut belay_op;
    /// Drops the last `count` values: each value is sent when `count` more have come. Keeps up to
    /// `count` values.
    pub fn belay_op_skip_last(count: u64) -> *mut belay_op;
    /// Passes on values while `keep` returns 1, and completes at the first value for which it does not.
    /// If `inclusive` is not 0, it passes that value on before it completes.
    pub fn belay_op_take_while(keep: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn, inclusive: c_int) -> *mut belay_op;
    /// Drops values while `drop` returns 1. Passes on the first other value and all values after it,
    /// without asking again.
    pub fn belay_op_skip_while(drop: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Passes on values until `trigger` sends a value; then it completes. If `trigger` completes without
    /// a value, nothing changes; its error is passed on. Takes `trigger` over.
    pub fn belay_op_take_until(trigger: *mut belay_signal) -> *mut belay_op;
    /// Passes on values until `owner` begins to die; then it completes. Does not retain `owner`.
    /// (take(during:) elsewhere.)
    pub fn belay_op_take_during(owner: *mut belay_owner) -> *mut belay_op;
    /// Drops values until `trigger` (taken over) sends one; it then disposes of `trigger`. If `trigger`
    /// completes without a value, only the end of the source is passed on. The error of `trigger` is
    /// passed on.
    pub fn belay_op_skip_until(trigger: *mut belay_signal) -> *mut belay_op;
    /// Passes on the values of the source until `replacement` (taken over) sends anything, a value or an
    /// end. From then on it passes on the events of `replacement` alone and disposes of the source. An
    /// error of the source ends the result. A completion of the source does not, because the replacement
    /// may still send.
    pub fn belay_op_take_until_replacement(replacement: *mut belay_signal) -> *mut belay_op;
    /// Passes on values for `seconds` after the subscription, then completes. Retains `scheduler`; when
    /// it belongs to another loop, the subscription needs a loop too (BELAY_ENOHOME).
    pub fn belay_op_take_for(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Drops values for `seconds` after the subscription. Retains `scheduler`; when it belongs to
    /// another loop, the subscription needs a loop too (BELAY_ENOHOME).
    pub fn belay_op_skip_for(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Sends the values of the last `seconds` before the completion, at the completion. A value that is
    /// as old as `seconds` is dropped. Keeps the values of that time: 1024, unless
    /// belay_signal_set_queue() says otherwise; then it ends with BELAY_EAGAIN. Retains `scheduler`, of
    /// which it needs only the clock.
    pub fn belay_op_take_last_for(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Sends the values except those of the last `seconds` before the completion: each one with the
    /// first value, or the completion, that comes when it is as old as that. Keeps the values of that
    /// time. Retains `scheduler`, of which it needs only the clock.
    pub fn belay_op_skip_last_for(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Sends the value at `index`, counted from 0, then completes. Ends with BELAY_ERANGE when there is
    /// none.
    pub fn belay_op_element_at(index: u64) -> *mut belay_op;
    /// Sends the value at `index`, counted from 0, or `fallback` (taken over) when there is none; then
    /// completes.
    pub fn belay_op_element_at_or(index: u64, fallback: belay_value) -> *mut belay_op;
    /// Sends the first value, then completes. With `wanted` (may be NULL) it sends the first value for
    /// which `wanted` returns 1. Ends with BELAY_ENOENT when there is none.
    pub fn belay_op_first(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the last value when the source has completed. With `wanted` (may be NULL) it sends the last
    /// value for which `wanted` returns 1. Ends with BELAY_ENOENT when there is none.
    pub fn belay_op_last(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the only value when the source has completed. With `wanted` (may be NULL) only the values
    /// for which `wanted` returns 1 count. Ends with BELAY_ENOENT when there is none, and with
    /// BELAY_ERANGE as soon as there is a second one.
    pub fn belay_op_single(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the first value for which `wanted` returns 1, then completes. Only completes when there is
    /// none.
    pub fn belay_op_find(wanted: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Drops all values and passes on the end.
    pub fn belay_op_ignore_elements() -> *mut belay_op;
    /// Drops values that equal `unwanted` (taken over) by belay_value_equal().
    pub fn belay_op_ignore(unwanted: belay_value) -> *mut belay_op;
    /// Drops a value that equals an earlier one by belay_value_equal(). With `key` (may be NULL) it
    /// drops a value whose key equals an earlier key. Each different value, or key, is kept as long as
    /// the subscription lasts: its memory grows with their number.
    pub fn belay_op_distinct(key: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Drops a value that equals the one before it. A NULL `equal` means belay_value_equal().
    pub fn belay_op_distinct_until_changed(equal: belay_equal_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Makes two signals. Stores into `yes` (may be NULL) a signal with the values of `source` for which
    /// `is_first` returns 1, and into `no` (may be NULL) a signal with the others. Each subscription to
    /// either of them subscribes to `source` and calls `is_first` itself. Takes `source` over. Release
    /// both signals. Returns 0; BELAY_EINVAL when `yes` and `no` are both NULL.
    pub fn belay_signal_partition(source: *mut belay_signal, is_first: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn, yes: *mut *mut belay_signal, no: *mut *mut belay_signal) -> c_int;
    /// Makes a signal of each value and sends the values of all these signals, as they come. At most
    /// `limit` signals are active at a time; a later value waits, and its signal is made when its turn
    /// comes. BELAY_UNLIMITED means no limit; 0 is BELAY_EINVAL. Completes when the source and all
    /// signals have completed. Ends with the first error.
    pub fn belay_op_flat_map(limit: usize, map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Makes a signal of each value and sends the values of one signal after the other: a flat_map with
    /// a limit of 1.
    pub fn belay_op_concat_map(map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Makes a signal of each value and sends the values of the latest one. The one before is disposed
    /// of.
    pub fn belay_op_switch_map(map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Makes a signal of a value and sends the values of that signal. Drops values that come while it is
    /// active.
    pub fn belay_op_exhaust_map(map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends each value, makes a signal of it, and treats the values of that signal in the same way.
    /// Values that a signal sends at once follow in their order. At most `limit` signals are active at a
    /// time, as in belay_op_flat_map().
    pub fn belay_op_expand(limit: usize, map: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the values of all signals as they come, of at most `limit` signals at a time, as in
    /// belay_op_flat_map(). A value that is not a signal is BELAY_EKIND.
    pub fn belay_op_merge_all(limit: usize) -> *mut belay_op;
    /// Sends the values of one signal after the other. A value that is not a signal is BELAY_EKIND.
    pub fn belay_op_concat_all() -> *mut belay_op;
    /// Sends the values of the latest signal. The one before is disposed of. A value that is not a
    /// signal is BELAY_EKIND.
    pub fn belay_op_switch_to_latest() -> *mut belay_op;
    /// Sends the values of the source and of `others` (each taken over) as they come. Completes when all
    /// of them have completed. Ends with the first error.
    pub fn belay_op_merge(others: *const *mut belay_signal, count: usize) -> *mut belay_op;
    /// Sends the values of `count` signals (each taken over) as they come. Completes when all of them
    /// have completed. Ends with the first error.
    pub fn belay_signal_merge(inputs: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Sends the values of all signals (each taken over) as they come, but holds an error back until all
    /// of them have ended. Of several errors, the first one is passed on.
    pub fn belay_op_merge_delay_error(others: *const *mut belay_signal, count: usize) -> *mut belay_op;
    /// See [`belay_op_merge_delay_error`].
    pub fn belay_signal_merge_delay_error(inputs: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Sends the values of the source, then those of `others` (each taken over), one after the other.
    pub fn belay_op_concat(others: *const *mut belay_signal, count: usize) -> *mut belay_op;
    /// Sends the values of `count` signals (each taken over), one after the other.
    pub fn belay_signal_concat(inputs: *const *mut belay_signal, count: usize) -> *mut belay_signal;
    /// Drops the values of the source. Sends those of `next` (taken over) after its completion.
    pub fn belay_op_then(next: *mut belay_signal) -> *mut belay_op;
    /// Subscribes again after each completion, `count` times in all. 0 completes at once;
    /// BELAY_UNLIMITED is without end.
    pub fn belay_op_repeat(count: usize) -> *mut belay_op;
    /// Calls `answer` at the first completion to get a signal, and sends a null value into `events` at
    /// each completion. A value of that signal subscribes again. Its completion completes with the
    /// completion of the source. Its error is passed on.
    pub fn belay_op_repeat_when(answer: belay_when_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Continues after an error with the signal that `recover` returns. An error of that signal is
    /// passed on.
    pub fn belay_op_catch(recover: belay_catch_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends `value` (taken over) in place of an error, and completes.
    pub fn belay_op_catch_to(value: belay_value) -> *mut belay_op;
    /// Subscribes again after each error, `count` times in all. The last error is passed on.
    /// BELAY_UNLIMITED is without end; 0 is BELAY_EINVAL.
    pub fn belay_op_retry(count: usize) -> *mut belay_op;
    /// Calls `answer` at the first error to get a signal, and sends each error into `events`. A value of
    /// that signal subscribes again. An end of that signal ends the result.
    pub fn belay_op_retry_when(answer: belay_when_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Subscribes again `seconds` after the first error. After each further error it waits `factor`
    /// times as long as before, but never longer than `max_seconds`; a wait of 0 stays 0. It subscribes
    /// `attempts` times in all, and then passes the error on; BELAY_UNLIMITED is without end. `jitter`,
    /// from 0 to 1, is the part of each wait that is random. With `reset_on_value`, a value lets the
    /// count and the waits begin anew, with the run that has sent it as the first one; without, values
    /// change neither. (RxJS's resetOnSuccess.) Retains `scheduler`; when it belongs to another loop,
    /// the subscription needs a loop too (BELAY_ENOHOME). BELAY_EINVAL for 0 attempts, a time or factor
    /// that is negative or NaN, and a jitter outside its range.
    pub fn belay_op_retry_backoff(scheduler: *mut belay_scheduler, seconds: f64, factor: f64, max_seconds: f64, jitter: f64, attempts: usize, reset_on_value: c_int) -> *mut belay_op;
    /// Calls `action` with each value before the value is passed on. If `action` fails, the signal ends
    /// with that error.
    pub fn belay_op_attempt(action: belay_attempt_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Creates an interface. Retains `base`. Release the result. NULL: BELAY_EINVAL for a missing part,
    /// a name that occurs twice (also in the base), a malformed shape, an offset that is misaligned,
    /// overlaps that of another method or is outside the table, a misaligned `table_offset`, a table
    /// smaller than that of the base, and a method that ends its object but has no `@`; BELAY_ERANGE for
    /// a table of more than 1024 methods or a function of more than 64 arguments; BELAY_ENOTSUP in a
    /// build without interception. The message of the error names the method and the position in its
    /// shape.
    pub fn belay_interface_create(description: *const belay_interface_description) -> *mut belay_interface;
    /// Adds a reference to `interface` and returns `interface`.
    pub fn belay_interface_retain(interface: *mut belay_interface) -> *mut belay_interface;
    /// Gives a reference back.
    pub fn belay_interface_release(interface: *mut belay_interface);
    /// Returns the name, static as it was given; "" for NULL.
    pub fn belay_interface_name(interface: *mut belay_interface) -> *const c_char;
    /// Returns the number of methods, including those of its bases, which come first.
    pub fn belay_interface_method_count(interface: *mut belay_interface) -> usize;
    /// Returns a method, static as it was given; NULL past the end.
    pub fn belay_interface_method(interface: *mut belay_interface, index: usize) -> *const belay_method;
    /// Creates a call of a method with arguments that are zero. Release the result. NULL: BELAY_EINVAL
    /// for NULL; BELAY_ENOENT for an unknown method.
    pub fn belay_invocation_create(interface: *mut belay_interface, method: *const c_char) -> *mut belay_invocation;
    /// Adds a reference. This also keeps a call that an interceptor was given.
    pub fn belay_invocation_retain(invocation: *mut belay_invocation) -> *mut belay_invocation;
    /// Gives a reference back.
    pub fn belay_invocation_release(invocation: *mut belay_invocation);
    /// Returns the name of the method. Static.
    pub fn belay_invocation_method(invocation: *mut belay_invocation) -> *const c_char;
    /// Returns the number of arguments.
    pub fn belay_invocation_count(invocation: *mut belay_invocation) -> usize;
    /// Returns the argument that carries the context; NULL when there is none.
    pub fn belay_invocation_context(invocation: *mut belay_invocation) -> *mut c_void;
    /// Sets the argument that carries the context. Returns 0; BELAY_ENOENT when there is none.
    pub fn belay_invocation_set_context(invocation: *mut belay_invocation, context: *mut c_void) -> c_int;
    /// Stores an argument into `*value`, as a reference for the caller; null on failure. Returns 0;
    /// BELAY_ERANGE past the end.
    pub fn belay_invocation_get(invocation: *mut belay_invocation, index: usize, value: *mut belay_value) -> c_int;
    /// Sets an argument. `value` is given away. Returns 0; BELAY_ERANGE past the end or for a number
    /// that does not fit; BELAY_EKIND for a value of another kind. On failure the argument is
    /// unchanged.
    pub fn belay_invocation_set(invocation: *mut belay_invocation, index: usize, value: belay_value) -> c_int;
    /// Returns the result of the call, or the result that was set; zero before. The caller releases
    /// it.
    pub fn belay_invocation_result(invocation: *mut belay_invocation) -> belay_value;
    /// Sets the result. Fails like belay_invocation_set(); for a `void` method BELAY_EKIND unless it is
    /// null. A string that the caller of an intercepted method gets is valid until the method returns
    /// another one through the same slot, or the slot ends.
    pub fn belay_invocation_set_result(invocation: *mut belay_invocation, value: belay_value) -> c_int;
    /// Copies the C strings among the arguments. Without this they are valid only as long as their owner
    /// keeps them. (retainArguments.)
    pub fn belay_invocation_retain_arguments(invocation: *mut belay_invocation) -> c_int;
    /// Calls `function`, which has the shape of the method, with the arguments. Its result becomes that
    /// of the invocation.
    pub fn belay_invocation_call(invocation: *mut belay_invocation, function: belay_function) -> c_int;
    /// Inside an interceptor: continues the call, with the next interceptor or with the method itself.
    /// Its result becomes that of the invocation. An interceptor may call this any number of times.
    /// Returns BELAY_EENDED when the call is over, and inside a responder, which has nothing behind
    /// it.
    pub fn belay_invocation_proceed(invocation: *mut belay_invocation) -> c_int;
    /// Sends the addresses of a host in the order of the system's preference, then completes. `host` is
    /// a name or a numeric address. `service` is a name or a number; NULL: the port is 0. A
    /// number above 65535 is the error UV_EAI_SERVICE. Each value is an array: the numeric host, a
    /// string with its zone if it has one, and the port, a uint16. Numbers need no thread.
    pub fn belay_lookup(r#loop: *mut belay_loop, host: *const c_char, service: *const c_char) -> *mut belay_signal;
    /// Sends the name of the host that has a numeric address, as a string, then completes. UV_EAI_NONAME
    /// where it has none; BELAY_EINVAL, as an error event, for a text that is no address.
    pub fn belay_host_name(r#loop: *mut belay_loop, address: *const c_char) -> *mut belay_signal;
    /// Sets a notice with a name (copied; compared byte for byte), after the notices that are set
    /// already. A notice of the same name is replaced: it never runs, and its user_info is freed before
    /// this returns, or when nobody visits or reads it any more. `notify` may be NULL: step 5 then only
    /// frees the user_info. `notify` runs at most once. `user_info_free` (may be NULL) runs exactly
    /// once: after `notify`, or when the notice is replaced or removed, or when this fails. A dying
    /// owner accepts notices until its deinit. Returns 0; BELAY_EINVAL for a NULL owner or name;
    /// BELAY_EDEAD from step 5 on.
    pub fn belay_notice_set(owner: *mut belay_owner, name: *const c_char, notify: belay_notice_fn, user_info: *mut c_void, user_info_free: belay_free_fn) -> c_int;
    /// Removes a notice without running it, and frees its user_info. While another notice is running, it
    /// can still remove one whose turn has not come. Returns 0; BELAY_ENOENT when there is none of that
    /// name; BELAY_EINVAL for NULL.
    pub fn belay_notice_remove(owner: *mut belay_owner, name: *const c_char) -> c_int;
    /// Returns the user_info of a notice, borrowed until the notice runs, is replaced or is removed.
    /// NULL when there is none of that name.
    pub fn belay_notice_user_info(owner: *mut belay_owner, name: *const c_char) -> *mut c_void;
    /// Calls `visit` for each notice that is set when this is called and still set when its turn comes,
    /// in the order of setting. Returns how many they were. `visit` may be NULL; it may set and remove
    /// notices. 0 for NULL.
    pub fn belay_notice_each(owner: *mut belay_owner, visit: belay_notice_visit_fn, ctx: *mut c_void) -> usize;
    /// Creates the type of objects with `count` fields. `fields` is static and is not copied. Release
    /// the result. NULL: BELAY_EINVAL for a field of a wrong size, a name that is missing, empty, dotted
    /// or duplicate, a kind that is unknown or BELAY_KIND_FAILURE, unknown flags, and a dependence on
    /// anything but an earlier field; BELAY_ERANGE beyond 64 fields.
    pub fn belay_type_create(fields: *const belay_field, count: usize, flags: c_uint) -> *mut belay_type;
    /// Adds a reference to `type` and returns `type`.
    pub fn belay_type_retain(r#type: *mut belay_type) -> *mut belay_type;
    /// Gives a reference back.
    pub fn belay_type_release(r#type: *mut belay_type);
    /// Sets the type of an owner's object, for good. Takes nothing over. Returns 0; BELAY_EINVAL for
    /// NULL, and for an owner without an object when the type has fields; BELAY_EASSIGNED when the
    /// object has another type; BELAY_EDEAD when it is dying.
    pub fn belay_object_set_type(object: *mut belay_owner, r#type: *mut belay_type) -> c_int;
    /// Stores the value that a path leads to now into `*value`, as a reference for the caller. The value
    /// is null when a hop of the path is null. A failure of a getter is stored as a value. Returns 0;
    /// BELAY_EINVAL for NULL or a path with an empty key; BELAY_ENOENT for an unknown key; BELAY_EKIND
    /// for a hop that is not an object; BELAY_EDEAD for an object that is dying.
    pub fn belay_object_get(object: *mut belay_owner, path: *const c_char, value: *mut belay_value) -> c_int;
    /// Sets the field that a path leads to. `value` is given away. Numbers convert as in the getters of
    /// value.h. Returns 0; the codes of belay_object_get(), but BELAY_EDEAD for a hop that is null;
    /// BELAY_EINVAL for a field that is read-only; BELAY_EKIND or BELAY_ERANGE for a value that does not
    /// fit, or the failure of the setter, and then nothing has changed; BELAY_EAGAIN when 1024 changes
    /// of the object wait for their notification.
    pub fn belay_object_set(object: *mut belay_owner, path: *const c_char, value: belay_value) -> c_int;
    /// Call these around a write of the host's, on the same thread. They nest: the outermost pair
    /// notifies. Without the first call the old value is null. Returns 0; BELAY_EINVAL for NULL, and for
    /// a key that is empty or a path; BELAY_ENOENT for an unknown key; BELAY_EDEAD.
    pub fn belay_object_will_change(object: *mut belay_owner, key: *const c_char) -> c_int;
    /// See [`belay_object_will_change`].
    pub fn belay_object_did_change(object: *mut belay_owner, key: *const c_char) -> c_int;
    /// Groups the changes between the two calls: they are notified at the end, once for each key. They
    /// nest. Returns 0; BELAY_EINVAL for NULL; BELAY_ENOENT for an object without a type, or an end
    /// without a beginning; BELAY_EDEAD.
    pub fn belay_object_begin_changes(object: *mut belay_owner) -> c_int;
    /// See [`belay_object_begin_changes`].
    pub fn belay_object_end_changes(object: *mut belay_owner) -> c_int;
    /// Returns a signal of the value that a path leads to, whichever objects are on the path. The value
    /// is null where a hop is null. Each subscription observes for itself. `options` may be NULL: the
    /// signal then sends the present value and each new one. It completes when `object` or the observer
    /// begins to die, or at once when one is dying. When the path reaches an unknown key behind its
    /// first one, the signal ends with BELAY_ENOENT; at a hop that is not an object, with BELAY_EKIND.
    /// The message says where. A failure, which a getter may answer and a field may have, ends the
    /// signal as its error.
    ///
    /// The death of an object that a field or a property refers to is a change, unless it is the
    /// observer. This holds for a weak reference, for an adopted pointer (which the field still holds),
    /// and for an owner that dies with its parent. It does not hold for the result of a getter. The
    /// death of `object` itself is the completion; with BELAY_OBSERVE_DEATH it is null first (RxSwift's
    /// observeWeakly), unless `object` is the observer.
    ///
    /// Release the result. NULL: BELAY_EINVAL for NULL, a path with an empty key, or wrong options;
    /// BELAY_ENOENT if the type of `object` has no such first key. An object without a type may get one
    /// before the signal is subscribed to, so its keys are looked for then.
    pub fn belay_object_observe(object: *mut belay_owner, path: *const c_char, options: *const belay_observe_options) -> *mut belay_signal;
    /// Reads a record. Returns 0; BELAY_EKIND for a value that is not a record; BELAY_EINVAL for NULL
    /// and for a wrong size.
    pub fn belay_change_get(record: belay_value, change: *mut belay_change) -> c_int;
    /// Calls `handler` for each event of that name (copied; compared byte for byte) that `source` posts
    /// from now on, while both owners live. A second call with the same watcher, source, event and level
    /// replaces the handler. At the home of the old watch, the old ctx is freed before this returns,
    /// unless the old handler is running; on another thread it is freed by the loop. A watch at a
    /// loop that has closed ends at once. `ctx_free` runs once, after the last call, also when this
    /// fails. Takes nothing over and retains neither owner. An owner may watch itself. Returns 0;
    /// BELAY_EINVAL for a NULL owner, name or handler, or a path with an empty key; BELAY_EDEAD when
    /// either owner is dying; for a path the codes of belay_object_get(), and BELAY_EAGAIN where it had
    /// led nowhere before, which has ended its watches, while the loop of one has not heard of that.
    pub fn belay_owner_event_watch(watcher: *mut belay_owner, source: *mut belay_owner, name: *const c_char, level: c_int, handler: belay_owner_event_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Ends the watch of this level. When this returns at the home of the watcher, the handler does not
    /// run any more, except on the caller's own stack. Returns 0; BELAY_ENOENT when there is none;
    /// BELAY_EINVAL for NULL, which never means all.
    pub fn belay_owner_event_unwatch(watcher: *mut belay_owner, source: *mut belay_owner, name: *const c_char, level: c_int) -> c_int;
    /// Ends the watches of this event at every level. Otherwise like belay_owner_event_unwatch().
    pub fn belay_owner_event_unwatch_name(watcher: *mut belay_owner, source: *mut belay_owner, name: *const c_char) -> c_int;
    /// Ends the watches of all events of `source`. Otherwise like belay_owner_event_unwatch().
    pub fn belay_owner_event_unwatch_source(watcher: *mut belay_owner, source: *mut belay_owner) -> c_int;
    /// Ends all watches of `watcher`. Otherwise like belay_owner_event_unwatch().
    pub fn belay_owner_event_unwatch_all(watcher: *mut belay_owner) -> c_int;
    /// Posts an event of `source`. `user_info` is given away. Returns 0 when everybody on this thread
    /// has been called and the loops of the others have the event; BELAY_QUEUED when it follows the
    /// event in progress, or others that wait, or what a watch calls that another thread is ending, who
    /// then calls the rest; BELAY_EAGAIN when 1024 events wait already;
    /// BELAY_EREENTRANT when 1000 sends and posts are nested; BELAY_EINVAL for a NULL source or name, or
    /// the name of a path; BELAY_EDEAD when the source is dying. A watcher whose loop has no room for
    /// the event ends, and the hook for errors that nobody handles is called at its loop, because nobody
    /// would see a gap.
    pub fn belay_owner_event_post(source: *mut belay_owner, name: *const c_char, user_info: belay_value) -> c_int;
    /// Makes a stream of a descriptor: a socket, a pipe or a terminal. Takes the descriptor over, also
    /// when it fails, and closes it with the stream; 0, 1 and 2 are never closed, and their flags are
    /// left as they are where the system permits. A descriptor that the loop has already is not closed,
    /// and is -EEXIST: that of a stream, of belay_poll() and of a watcher of the host's, and the loop's
    /// own. (A stream of a pipe or a terminal at 0, 1 or 2 has a descriptor of its own, so a second one
    /// of it is not found out.) With BELAY_EWRONGTHREAD and BELAY_ECLOSED nobody can know that: `fd` is
    /// not closed, and remains yours. Release the result. NULL: BELAY_EPERM for what cannot be waited
    /// for, as a file on a disk and /dev/null; libuv's codes. A shell may have put such a file at 0 or 1
    /// (`prog \<file >file`). The program then reads belay_file_lines() of "/dev/stdin" (source.h), and
    /// writes by fwrite(), which does not wait for others there.
    pub fn belay_stream_open(r#loop: *mut belay_loop, fd: c_int, options: *const belay_stream_options) -> *mut belay_stream;
    /// Opens a FIFO, a terminal or another device. Does not wait: a FIFO that is opened for reading
    /// sends nothing until somebody writes, and completes when the last writer has gone; for writing
    /// alone it needs a reader (-ENXIO). `flags` is one or both of the two. Release the result.
    pub fn belay_stream_open_path(r#loop: *mut belay_loop, path: *const c_char, flags: c_uint, options: *const belay_stream_options) -> *mut belay_stream;
    /// Adds a reference to `stream` and returns `stream`.
    pub fn belay_stream_retain(stream: *mut belay_stream) -> *mut belay_stream;
    /// Gives a reference back. The last one closes the stream. Any thread.
    pub fn belay_stream_release(stream: *mut belay_stream);
    /// Sends what comes, as bytes, and completes when the peer has ended its side. Cold: a subscription
    /// reads, and its disposal stops that. There is one at a time; another one gets the error
    /// BELAY_EBUSY. A stream that is closed, or whose loop closes, interrupts the subscription.
    pub fn belay_stream_read(stream: *mut belay_stream) -> *mut belay_signal;
    /// Writes bytes or a string. The value is given away. Returns 0 when the system has all of it;
    /// BELAY_QUEUED when it waits; BELAY_EAGAIN when `write_high` bytes wait already, and this is
    /// dropped; BELAY_EENDED after belay_stream_shutdown(); BELAY_ECANCELED after the close; the code
    /// with which writing has failed, such as -EPIPE; BELAY_EKIND. From another thread it is written at
    /// the loop's next turn, in the order of that thread's calls; a failure there shows in later calls,
    /// and belay_lost_count() counts what was on its way.
    pub fn belay_stream_write(stream: *mut belay_stream, value: belay_value) -> c_int;
    /// Writes each value of `source`, which it takes over. Completes after the completion of `source`,
    /// when its values have been written. Values that a stream or a file has sent are not refused at
    /// `write_high`: they go on counting there, so that waits for this one. Other values are then the
    /// error BELAY_EAGAIN.
    pub fn belay_stream_write_all(stream: *mut belay_stream, source: *mut belay_signal) -> *mut belay_signal;
    /// Completes when at most `limit` of the bytes that wait at its beginning are left; 0: when all of
    /// them have been written. Bytes that are written later do not delay it. The error of the stream
    /// when that cannot be any more.
    pub fn belay_stream_drained(stream: *mut belay_stream, limit: usize) -> *mut belay_signal;
    /// Ends the writing side after what waits. A socket's peer sees the end, and may go on writing. A
    /// stream that is only written, such as a child's input, is closed by it.
    pub fn belay_stream_shutdown(stream: *mut belay_stream) -> c_int;
    /// Closes the stream at once, from another thread at the loop's next turn. Bytes that wait to be
    /// written are dropped: wait for belay_stream_drained() before.
    pub fn belay_stream_close(stream: *mut belay_stream) -> c_int;
    /// Returns a disposable that closes the stream, for an owner or a bag. Release the result.
    pub fn belay_stream_create_disposable(stream: *mut belay_stream) -> *mut belay_disposable;
    /// Returns how many bytes wait to be written. Any thread.
    pub fn belay_stream_waiting(stream: *mut belay_stream) -> usize;
    /// Returns how much of what was read is held, as the marks count. Any thread.
    pub fn belay_stream_held(stream: *mut belay_stream) -> usize;
    /// Each returns an address: "127.0.0.1:80", "\[::1\]:80", the path of a Unix socket, "" if there is
    /// none. The text lives as long as the stream. On another thread than the loop's: "", and the last
    /// error is BELAY_EWRONGTHREAD.
    pub fn belay_stream_local_address(stream: *mut belay_stream) -> *const c_char;
    /// See [`belay_stream_local_address`].
    pub fn belay_stream_peer_address(stream: *mut belay_stream) -> *const c_char;
    /// Terminals. 1 turns line editing, echo and signal keys off; 0, and the close, restore what was
    /// there. Returns 0; -ENOTTY for another stream.
    pub fn belay_stream_set_raw(stream: *mut belay_stream, raw: c_int) -> c_int;
    /// Stores the size of the window in characters. Returns 0; -ENOTTY. Either pointer may be NULL.
    pub fn belay_stream_window_size(stream: *mut belay_stream, columns: *mut c_int, rows: *mut c_int) -> c_int;
    /// Sends the size of the window at the beginning, and again when it has changed: an array of two
    /// int32, the columns and the rows. Cold: a subscription waits for SIGWINCH as belay_posix_signal()
    /// does (source.h), until its disposal. The system sends this to the processes in the foreground of
    /// their controlling terminal. A change of another terminal is told with the next SIGWINCH. The
    /// error is -ENOTTY for another stream. A stream that is closed, or whose loop closes, interrupts
    /// the subscription.
    pub fn belay_stream_window_sizes(stream: *mut belay_stream) -> *mut belay_signal;
    /// Starts a process for each subscription. When it runs, sends an array of its number, an int32, and
    /// of three streams (stream.h): where its input is written, where its output is read, and where its
    /// error is read; null for each that is no pipe. The value holds the streams: retain a stream, or
    /// subscribe to one of its signals, or its pipe is closed when the callback returns. When the
    /// process has ended, sends an array of its exit status, an int64, and of the signal that ended it,
    /// an int32 that is 0 otherwise; then completes. Streams end for themselves, also later. `options`
    /// is copied. Cold, as in source.h: `loop` watches the process and has to run; the subscription may
    /// be at another home.
    ///
    /// A subscription that ends before the process does with it what `disposal` says, and so does the
    /// close of `loop`. Neither waits for it: a thread of Belay's own with a small stack waits until it
    /// has ended, so that it leaves no zombie. Where the system gives no thread, the loop's thread
    /// waits, for each such child for `grace`, but not more than 5 seconds, until SIGKILL; a child that
    /// may live on (BELAY_PROCESS_LEAVE, no SIGKILL) then becomes a zombie at its end.
    ///
    /// Each child takes a descriptor (pidfd_open(), Linux 5.3) until it has ended. It tells the end,
    /// also while the program blocks SIGCHLD or has a handler of its own. Where the system gives none,
    /// only libuv's handler of SIGCHLD tells the end: belay_process() does not complete while the
    /// program blocks the signal on all its threads, or has set another handler since.
    ///
    /// The program must not wait for children that are not its own (`waitpid(-1, …)`), and must not
    /// ignore SIGCHLD (SIG_IGN) while a process runs: both take the exit status away. The process then
    /// ends with the error -ECHILD, but not where the system gives no descriptor.
    ///
    /// The first process sets libuv's handler of SIGCHLD in place of the program's, which is called no
    /// more; a program that ignored SIGCHLD gets zombies of its other children. When libuv watches no
    /// process and no SIGCHLD any more, SIGCHLD has its default action, whatever it had before. What
    /// has to hear of other children can share the handler, by belay_posix_signal() or a uv_signal_t,
    /// or watch them by pidfd_open().
    ///
    /// Returns NULL for NULL, for no program, other flags and other numbers, and records BELAY_EINVAL.
    /// BELAY_ECLOSED for a closed loop. A program that cannot be run is an error event with libuv's code
    /// and its name in the message.
    pub fn belay_process(r#loop: *mut belay_loop, options: *const belay_process_options) -> *mut belay_signal;
    /// Returns the slot of a method of a table in memory, which all objects with that table use. Every
    /// call returns the same slot. Release the result. Read-only memory is noticed when it has to be
    /// written to. NULL: BELAY_EINVAL for NULL, a misaligned table or unknown flags; BELAY_ENOENT for an
    /// unknown method; BELAY_EPERM for one that is performance-sensitive; BELAY_EMISMATCH for one that
    /// is known with another shape; BELAY_ENOMEM where libffi cannot make a closure.
    pub fn belay_slot_create_in_table(interface: *mut belay_interface, table: *mut c_void, method: *const c_char, flags: c_uint) -> *mut belay_slot;
    /// Returns the slot of a method of one object. While it is intercepted, the table pointer of the
    /// object points to a private copy of its table. The `table_size` of the interface has to be that of
    /// the whole table. Interceptions of the shared table also apply to calls through the copy. Writes
    /// by others to the shared table do not reach the copy. Every call returns the same slot, for every
    /// interface with the pointer at that offset. Release the result. The end of the object does not
    /// wait for a call of the method on another thread: let no thread call an object that ends. NULL:
    /// the failures of belay_slot_create_in_table(); BELAY_EINVAL also for an interface without
    /// `table_offset`, an owner without an object, a misaligned object, and a table pointer that is NULL
    /// or misaligned; BELAY_EDEAD for an object that is dying.
    pub fn belay_slot_create_in_object(interface: *mut belay_interface, object: *mut belay_owner, method: *const c_char) -> *mut belay_slot;
    /// Adds a reference to `slot` and returns `slot`.
    pub fn belay_slot_retain(slot: *mut belay_slot) -> *mut belay_slot;
    /// Gives a reference back.
    pub fn belay_slot_release(slot: *mut belay_slot);
    /// Ends the slots of a table. Call it before the memory of the table goes, or when no call goes
    /// through the table any more, nor through the slot of an object that has the table. Puts the
    /// original functions back first, if the table can be written to. Belay's functions are freed when
    /// no call is in them. Returns 0; BELAY_EINVAL for NULL; BELAY_ENOENT for a table without a slot;
    /// BELAY_EMISMATCH when somebody else has written to it; BELAY_EROFS for a table that has become
    /// read-only meanwhile, or with BELAY_SLOT_UNPROTECT the code of belay_slot_sent(). A function that
    /// is left in a read-only table is never freed, and passes calls on to the original.
    pub fn belay_table_gone(table: *mut c_void) -> c_int;
    /// Each returns a signal of the calls: `sent` sends before each call, `invoked` after it.
    /// Subscribing puts Belay's function in, and disposing takes it out. A subscription fails with
    /// BELAY_EROFS for a table in read-only memory, and with BELAY_EMISMATCH when somebody else has
    /// written, before Belay writes. For read-only memory that BELAY_SLOT_UNPROTECT allows to write to,
    /// it fails with the system's code if /proc/self/maps cannot be read: -EMFILE without room for a
    /// descriptor, BELAY_ENOENT without /proc. Release the result.
    pub fn belay_slot_sent(slot: *mut belay_slot) -> *mut belay_signal;
    /// See [`belay_slot_sent`].
    pub fn belay_slot_invoked(slot: *mut belay_slot) -> *mut belay_signal;
    /// Returns the argument that carried the context of a call that `sent` or `invoked` has sent.
    /// Borrows `call`. An object may be gone when its call is heard at a loop. NULL: the context was
    /// NULL, or the method has none; BELAY_EKIND for any other value, also for an array that was made of
    /// a call's.
    pub fn belay_slot_context(call: belay_value) -> *mut c_void;
    /// Intercepts calls. The interceptor that was added last is called first. `*disposable` (may be
    /// NULL) gets a reference and ends this interception; they may end in any order. `ctx_free` runs
    /// once, also on failure. Returns 0; BELAY_EINVAL for NULL; BELAY_EDEAD for a slot that has ended;
    /// the failures of a subscription, as in belay_slot_sent().
    pub fn belay_slot_around(slot: *mut belay_slot, around: belay_around_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Adds a responder, which answers calls. Otherwise like belay_slot_around().
    pub fn belay_slot_respond(slot: *mut belay_slot, respond: belay_respond_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Sets the answer for calls that nothing answers. `value` is given away. Fails like
    /// belay_invocation_set_result().
    pub fn belay_slot_set_default(slot: *mut belay_slot, value: belay_value) -> c_int;
    /// Sets the callback that makes one of several answers, and replaces the previous one. It borrows
    /// the answers: that of the original, if there is one, then those of the responders in the order in
    /// which they were added. Its result is given away. NULL: the first answer counts.
    pub fn belay_slot_set_combiner(slot: *mut belay_slot, combine: belay_combine_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Calls `function` at each call, before it, as `sent` does, with the unboxed arguments of the
    /// method. Its shape has to be that of the method with `ctx` (`@`) in place of the context; or with
    /// `ctx` first, and then the context, if there is one, follows at its place as a pointer (`p`): for
    /// "i@d", "v@d" or "v@pd". Its result is ignored. Another shape is BELAY_EKIND, and the message
    /// shows both. The disposable ends this. Otherwise like belay_slot_around().
    pub fn belay_slot_connect(slot: *mut belay_slot, shape: *const c_char, function: belay_function, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Returns 0; BELAY_EMISMATCH when somebody else has written over Belay's function; BELAY_EDEAD when
    /// the slot has ended; BELAY_EINVAL for NULL.
    pub fn belay_slot_status(slot: *mut belay_slot) -> c_int;
    /// Returns the original: the function that would be in the slot without Belay, or NULL.
    pub fn belay_slot_original(slot: *mut belay_slot) -> belay_function;
    /// Creates a function of the given shape (interface.h; static, not copied) that runs `call`: a
    /// callback with a context for code that takes a function without one.
    /// (imp_implementationWithBlock.) `call` runs on the thread that calls the function, on several at
    /// once if several call it. A string that it answers is valid until the next answer, or until the
    /// function has ended and `*disposable` has been released. Cast the result to its type to call it.
    ///
    /// The function is there until `*disposable` (may be NULL; a reference) is disposed of, or until
    /// `owner` (may be NULL) begins to die. A call that is in it then returns as usual, and the owner's
    /// deinit waits for it; `ctx_free` runs, and the memory goes, when the last one has returned. A call
    /// that begins later is undefined, so take the pointer back first from code that has it.
    ///
    /// NULL: BELAY_EINVAL for NULL and for a malformed shape; BELAY_ERANGE for more than 64 arguments;
    /// BELAY_EDEAD for an owner that is dying; BELAY_ENOMEM where libffi cannot make a closure;
    /// BELAY_ENOTSUP in a build without interception.
    pub fn belay_function_create(shape: *const c_char, owner: *mut belay_owner, call: belay_respond_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> belay_function;
    /// Returns the proxy of the object. The first call creates and installs it; the table that
    /// `installed` returns then is its original. A thread that calls this meanwhile gets the same proxy.
    /// If `install` fails then, that proxy has ended: its signals complete, and changes of it fail with
    /// BELAY_EDEAD. Release the result. NULL: BELAY_EINVAL for NULL, an owner without an object, or an
    /// interface without `install`; BELAY_EDEAD for an object that is dying; or the failure of
    /// `install`, after which the next call is a first one again.
    pub fn belay_proxy_create(object: *mut belay_owner, interface: *mut belay_interface) -> *mut belay_proxy;
    /// Adds a reference to `proxy` and returns `proxy`.
    pub fn belay_proxy_retain(proxy: *mut belay_proxy) -> *mut belay_proxy;
    /// Gives a reference back.
    pub fn belay_proxy_release(proxy: *mut belay_proxy);
    /// Returns the table that the object was given, borrowed from the proxy. Only Belay writes to it.
    pub fn belay_proxy_table(proxy: *mut belay_proxy) -> *const c_void;
    /// Sets the original delegate: calls are forwarded to `table` (borrowed, with the layout of the
    /// interface) until it is taken away, or until `delegate` (may be NULL, not retained) dies. Reads
    /// the functions of `table` now. NULL takes the delegate away.
    ///
    /// Returns 0; BELAY_EINVAL for a NULL proxy, a misaligned table, and the table of this or another
    /// proxy of the object; BELAY_EASSIGNED when there is a delegate, which has to be taken away first,
    /// and for a proxy in front of another, because the oldest one forwards; BELAY_EDEAD when the object
    /// or `delegate` is dying. Returns also the failure of `install`, or BELAY_EMISMATCH; calls are then
    /// forwarded all the same.
    pub fn belay_proxy_forward_to(proxy: *mut belay_proxy, table: *const c_void, delegate: *mut belay_owner) -> c_int;
    /// Intercepts the calls of every method that may be intercepted: `call` has the name of the method
    /// and its arguments as values, and proceeds or not. (intercepted selectors of a forwarding proxy.)
    /// All these methods are in the table meanwhile. Otherwise like belay_slot_around() with one
    /// disposable; an interception that fails at one method has no effect at any.
    pub fn belay_proxy_around(proxy: *mut belay_proxy, around: belay_around_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Returns the slot of a method of the proxy. Every call returns the same slot. Release the result.
    /// An interception (slot.h) fails with the failure of `install`, or with BELAY_EMISMATCH, and then
    /// has no effect; at the end of an interception these are recorded for the thread. NULL:
    /// BELAY_EINVAL for NULL; BELAY_ENOENT for an unknown method; BELAY_EPERM for one that is
    /// performance-sensitive; BELAY_EDEAD when the object is dying; BELAY_ENOMEM where libffi cannot
    /// make a closure.
    pub fn belay_slot_create_in_proxy(proxy: *mut belay_proxy, method: *const c_char) -> *mut belay_slot;
    /// Creates a request at home on this thread. `accumulate` makes the next result of the one so far,
    /// at first `initial` (taken over, always), and an answer; both are borrowed. A value that holds an
    /// error (belay_value_failure()) fails the request. `ctx_free` runs when the request has gone, also
    /// when this fails. NULL: BELAY_EINVAL. Release the result.
    pub fn belay_request_create(initial: belay_value, accumulate: belay_scan_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_request;
    /// Adds a reference to `request` and returns `request`.
    pub fn belay_request_retain(request: *mut belay_request) -> *mut belay_request;
    /// Gives a reference back. With the last one the listeners end.
    pub fn belay_request_release(request: *mut belay_request);
    /// Has `answer` called at the request's home with each question, which is borrowed, after the
    /// listeners that came before. Its result is given away; a value that holds an error fails the
    /// request. Any thread. `*disposable` (release it; may be NULL) ends the listener. `ctx_free` runs
    /// when the listener has ended, also when this fails. BELAY_EINVAL; BELAY_ENOHOME on another thread
    /// when the home has no loop; BELAY_ECANCELED when the home has closed.
    pub fn belay_request_subscribe(request: *mut belay_request, answer: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn, disposable: *mut *mut belay_disposable) -> c_int;
    /// Asks every listener `question` (taken over, always), in the order in which they came, and stores
    /// the result in `*answer` (release it); with no listener that is `initial`. A listener that comes
    /// meanwhile is not asked. A listener may send the same request again, as another one. At home only:
    /// BELAY_EWRONGTHREAD. The first failure of a listener or of `accumulate` is the answer of the call,
    /// and no other listener is asked (a veto with a reason). BELAY_EREENTRANT beyond 1 024 requests
    /// inside each other; BELAY_ECANCELED when the home has closed; BELAY_EINVAL. `*answer` is null
    /// then.
    pub fn belay_request_send(request: *mut belay_request, question: belay_value, answer: *mut belay_value) -> c_int;
    /// Sets how the methods of the object are found, and replaces the previous responder. Retains the
    /// interface. `ctx_free` runs once, when the responder is replaced or the object dies, also on
    /// failure, but not when `size` is wrong. Returns 0; BELAY_EINVAL for NULL, a wrong size, an owner
    /// without an object, a misaligned table, or a table without an interface; BELAY_EDEAD;
    /// BELAY_ENOTSUP in a build without interception.
    pub fn belay_object_set_responder(object: *mut belay_owner, responder: *const belay_responder) -> c_int;
    /// Returns 1 when steps 1 to 3 find the method, else 0.
    pub fn belay_object_responds(object: *mut belay_owner, method: *const c_char) -> c_int;
    /// Sends the invocation to the object, which becomes its context. The result becomes that of the
    /// invocation. Returns 0; BELAY_EINVAL for NULL; BELAY_ENOENT when no step handles the method, and
    /// the message names it; BELAY_EKIND when the method that was found has another shape; BELAY_EDEAD;
    /// BELAY_EDEADLK when more than 64 targets follow each other; or the failure of `forward`.
    pub fn belay_invocation_send(invocation: *mut belay_invocation, object: *mut belay_owner) -> c_int;
    /// Creates a subject without memory. `options` may be NULL. (ReactiveX's PublishSubject.)
    pub fn belay_subject_create(options: *const belay_source_options) -> *mut belay_signal;
    /// Creates a subject with a current value, which is `initial` at first (taken over, also on
    /// failure). A new subscription gets the current value first. After the end it gets only the end.
    /// (ReactiveX's BehaviorSubject.)
    pub fn belay_subject_create_behavior(initial: belay_value, options: *const belay_source_options) -> *mut belay_signal;
    /// Creates a subject that keeps its last `count` values (BELAY_UNLIMITED: all of them), none older
    /// than `seconds` (negative: of any age) by the clock of `scheduler`. Retains `scheduler`; NULL
    /// means the monotonic clock. A new subscription gets the kept values, oldest first, then the end if
    /// there was one. One value more than `count` drops the oldest. BELAY_EINVAL for NaN or a count of
    /// 0. (ReactiveX's ReplaySubject.)
    pub fn belay_subject_create_replay(scheduler: *mut belay_scheduler, seconds: f64, count: usize, options: *const belay_source_options) -> *mut belay_signal;
    /// Creates a subject that sends its last value when it completes, and then completes. A later
    /// subscription gets both. After an error it gets only the error. (ReactiveX's AsyncSubject.)
    pub fn belay_subject_create_async(options: *const belay_source_options) -> *mut belay_signal;
    /// Stores into `*value` the value that a behaviour subject delivered last; inside a delivery, the
    /// value being delivered. The caller gets a reference and releases it. `*value` is null on failure.
    /// Any thread. Returns 0; BELAY_EKIND for any other signal; BELAY_EINVAL for NULL.
    pub fn belay_subject_get(subject: *mut belay_signal, value: *mut belay_value) -> c_int;
    /// Sends a value to every subscription. Takes `value` over in every case. Any thread, but not in a
    /// handler of a POSIX signal: belay_posix_signal(). Returns 0 when the call was made at the home of
    /// the subject and everybody has been called. BELAY_QUEUED: it was sent from inside a delivery or
    /// from another thread, and is delivered later. BELAY_EENDED: the subject has ended.
    /// BELAY_EREENTRANT: the policy refuses it, or the send is nested inside a thousand other sends,
    /// each of which takes stack. BELAY_EAGAIN: a queue is full. From another thread also BELAY_ENOHOME
    /// (the home has no loop) or BELAY_ECANCELED (its loop is closed).
    pub fn belay_subject_next(subject: *mut belay_signal, value: belay_value) -> c_int;
    /// Sends a value like belay_subject_next(). While a queue is full, waits for room, at most `timeout`
    /// seconds; negative means without limit. Takes `value` over in every case. Returns what
    /// belay_subject_next() returns, but instead of BELAY_EAGAIN: BELAY_ETIMEDOUT; or BELAY_EDEADLK at
    /// once, at the home of the subject, on a thread that has a loop, and in work of a pool's scheduler,
    /// because others may wait for that loop or work; and when the thread of the home waits for this one
    /// (in belay_disposable_dispose_sync() or in such a call). BELAY_EINVAL for NaN.
    pub fn belay_subject_next_wait(subject: *mut belay_signal, value: belay_value, timeout: f64) -> c_int;
    /// Sends `count` values (each given away) as one batch. An observer with a `next_batch` gets them
    /// together; any other observer gets them one by one. Returns the code of the first value that was
    /// refused; the values after it are dropped. If none was refused, returns the code of the last
    /// value. BELAY_EINVAL for NULL with a count.
    pub fn belay_subject_next_batch(subject: *mut belay_signal, values: *const belay_value, count: usize) -> c_int;
    /// Ends the subject. Never refused for lack of room. Retains `error`. Returns what
    /// belay_subject_next() returns.
    pub fn belay_subject_error(subject: *mut belay_signal, error: *const belay_error) -> c_int;
    /// See [`belay_subject_error`].
    pub fn belay_subject_completed(subject: *mut belay_signal) -> c_int;
    /// Returns the number of subscriptions. The number is exact at the home of the subject; elsewhere it
    /// is an estimate.
    pub fn belay_subject_count(subject: *mut belay_signal) -> usize;
    /// Creates a connectable signal without memory: a subscription gets the events from then on.
    pub fn belay_signal_publish(source: *mut belay_signal) -> *mut belay_signal;
    /// Creates a connectable signal with a replay subject (belay_subject_create_replay()): a later
    /// subscription first gets the values that it has kept. After the end of the source a subscription
    /// gets them too, and then the end. Takes `source` over. Retains `scheduler`. BELAY_EINVAL for NaN
    /// or a count of 0.
    pub fn belay_signal_replay(source: *mut belay_signal, scheduler: *mut belay_scheduler, seconds: f64, count: usize) -> *mut belay_signal;
    /// Creates a connectable signal with a subject of any kind (taken over), the same for every
    /// connection. A subscription therefore outlives disconnections. NULL: BELAY_EKIND when `subject` is
    /// no subject.
    pub fn belay_signal_multicast(source: *mut belay_signal, subject: *mut belay_signal) -> *mut belay_signal;
    /// Subscribes to the source, at the home of the subject, unless it is subscribed already.
    /// `*connection` (may be NULL) gets a reference to a disposable that disconnects. Until then every
    /// call stores the same one; when the source has ended, NULL. Releasing it does not disconnect.
    /// Returns 0; BELAY_EKIND for a signal that is not connectable; or the code of the subscription.
    pub fn belay_signal_connect(connectable: *mut belay_signal, connection: *mut *mut belay_disposable) -> c_int;
    /// Connects a connectable signal at its first subscription, and disconnects it when the last
    /// subscription has ended.
    pub fn belay_op_ref_count() -> *mut belay_op;
    /// Connects a connectable signal at its `count`th subscription, once and for good. 0 is
    /// BELAY_EINVAL.
    pub fn belay_op_auto_connect(count: usize) -> *mut belay_op;
    /// Shares one subscription to the source among all subscriptions, from the first one to the end of
    /// the last one. `rules` are belay_share_rules; unknown ones are BELAY_EINVAL.
    pub fn belay_op_share(rules: c_uint) -> *mut belay_op;
    /// Shares one subscription through a replay subject (belay_subject_create_replay()), like
    /// belay_op_share(). RxJS's shareReplay keeps the completion and the connection. RxSwift's keeps
    /// nothing (whileConnected) or everything (forever).
    pub fn belay_op_share_replay(scheduler: *mut belay_scheduler, seconds: f64, count: usize, rules: c_uint) -> *mut belay_op;
    /// Shares one subscription as belay_op_share() does, and keeps it until signals send a value (RxJS's
    /// share). Subscribers that come after an error get the error until `error` sends; those that come
    /// after the completion get the completion until `completed` sends. The source stays subscribed
    /// without subscribers until `unused` sends, unless a subscriber comes before. Each signal is taken
    /// over, and may be NULL: then nothing is kept. It is subscribed to when there is something to keep;
    /// its completion changes nothing. The last `replayed` values (BELAY_UNLIMITED: all) are sent to
    /// later subscribers first.
    pub fn belay_op_share_until(replayed: usize, error: *mut belay_signal, completed: *mut belay_signal, unused: *mut belay_signal) -> *mut belay_op;
    /// Subscribes at `loop`, which has to be Belay's own, and runs the loop until the first value, for
    /// at most `seconds` (negative: without limit). `*value` (may be NULL) gets a reference, which the
    /// caller releases; it is null on failure. In every case the subscription has ended when this
    /// returns. Where a callback runs the loop in turn when the wait is over, that run is stopped, too.
    ///
    /// Returns 0; the code of the signal's error; BELAY_EENDED when the signal completed without a
    /// value; BELAY_ETIMEDOUT; BELAY_ECANCELED when it was interrupted, or the loop was stopped or
    /// closed; BELAY_EBUSY inside a run of the loop; the failures of belay_loop_run(); BELAY_EINVAL. Two
    /// threads must not wait on one loop at the same time (loop.h).
    pub fn belay_signal_wait_first(signal: *mut belay_signal, r#loop: *mut belay_loop, seconds: f64, value: *mut belay_value) -> c_int;
    /// Does the same for the last value before the completion.
    pub fn belay_signal_wait_last(signal: *mut belay_signal, r#loop: *mut belay_loop, seconds: f64, value: *mut belay_value) -> c_int;
    /// Connects to a TCP server: sends a stream and completes. Cold. `host` is an address or a name,
    /// which is looked up as by belay_lookup(); its addresses are tried in turn until one answers. The
    /// error is that of the last one, with host and port. A disposal and the loop's close give up in any
    /// phase. Strings and options are copied.
    pub fn belay_tcp_connect(r#loop: *mut belay_loop, host: *const c_char, port: u16, options: *const belay_stream_options) -> *mut belay_signal;
    /// Connects to a Unix socket in the same way. A listener whose queue is full is the error -EAGAIN,
    /// because the system does not wait for it.
    pub fn belay_unix_connect(r#loop: *mut belay_loop, path: *const c_char, options: *const belay_stream_options) -> *mut belay_signal;
    /// Listens at a TCP address, at once: what connects waits in the system until somebody subscribes.
    /// `host` is an address, and no name; NULL: every address of this machine, IPv6 and IPv4. `port` 0:
    /// the system chooses one, which belay_listener_port() tells. On the thread of the loop. Release the
    /// result. NULL: libuv's code, such as -EADDRINUSE; BELAY_EINVAL for a name.
    pub fn belay_tcp_listen(r#loop: *mut belay_loop, host: *const c_char, port: u16, options: *const belay_stream_options) -> *mut belay_listener;
    /// Listens at a Unix socket, whose file it makes. A file that nobody listens at is replaced. The
    /// close removes the file if it is still the same one.
    pub fn belay_unix_listen(r#loop: *mut belay_loop, path: *const c_char, options: *const belay_stream_options) -> *mut belay_listener;
    /// Adds a reference to `listener` and returns `listener`.
    pub fn belay_listener_retain(listener: *mut belay_listener) -> *mut belay_listener;
    /// Gives a reference back. The last one closes the listener. Any thread.
    pub fn belay_listener_release(listener: *mut belay_listener);
    /// Sends a stream for each connection. There is one subscription at a time; another one gets the
    /// error BELAY_EBUSY. A disposal stops accepting, and the listener goes on listening. When the
    /// process or the system has no room for another descriptor (-EMFILE, -ENFILE), that is told to the
    /// hook for errors that nobody handles, once, and accepting goes on ten times a second until there
    /// is room.
    pub fn belay_listener_connections(listener: *mut belay_listener) -> *mut belay_signal;
    /// Stops listening; a subscription is interrupted. Any thread.
    pub fn belay_listener_close(listener: *mut belay_listener) -> c_int;
    /// Returns a disposable that closes the listener, for an owner or a bag. Release the result.
    pub fn belay_listener_create_disposable(listener: *mut belay_listener) -> *mut belay_disposable;
    /// Returns the address: "127.0.0.1:80", "\[::\]:80", or the path. It lives as long as the listener.
    pub fn belay_listener_address(listener: *mut belay_listener) -> *const c_char;
    /// Returns the port; -1 for a Unix socket.
    pub fn belay_listener_port(listener: *mut belay_listener) -> c_int;
    /// Sends the lines of a file without their ends ("\n" or "\r\n"): each as a string, or as bytes when
    /// it is not UTF-8. A line longer than 1 MiB comes in pieces. `path` is copied. Completes at the end
    /// of the file; the last line needs no line end. `loop` reads the file and has to run; the
    /// subscription may be at another home. When `loop` closes, the subscription is interrupted. One
    /// that is made later is interrupted at once.
    ///
    /// With BELAY_FILE_FOLLOW it does not complete but waits for more text, also after an unfinished
    /// line. It reads a file that has shrunk from the beginning again. It reads a file that was replaced
    /// to its end, and then its successor. Before either, an unfinished line is sent. It waits for a
    /// file that has vanished.
    ///
    /// A file that cannot be opened at the start, or cannot be read, is an error event with libuv's code
    /// and the path in its message. A FIFO is read, too, without a thread that waits for it: until its
    /// last writer has gone, or with BELAY_FILE_FOLLOW from one writer after the other. For a
    /// descriptor, such as stdin, read a stream by lines: belay_stream_open(), belay_op_lines(). Where
    /// that is BELAY_EPERM, because a shell has put a file or /dev/null there (`prog \<file`), give
    /// "/dev/stdin" as the path: the file is opened anew, and read from its beginning.
    ///
    /// A line that it has sent counts as held until the last reference to it goes, as with a stream
    /// (stream.h), but not where an operator gathers it (belay_op_collect(), belay_op_buffer(), …).
    /// While 4 MiB or some 500 pieces are held, the file is not read, so it waits for a slow subscriber
    /// at another home. A program that keeps more for good keeps copies.
    pub fn belay_file_lines(r#loop: *mut belay_loop, path: *const c_char, flags: c_uint) -> *mut belay_signal;
    /// Sends the number, as an int32, each time that the process gets the POSIX signal. `loop` waits for
    /// it and has to run. As with belay_file_lines(), the subscription may be at another home, and is
    /// interrupted when `loop` closes. libuv keeps some 4000 signals between two turns and loses the
    /// others. It replaces the handler that the program has set; after the last subscription in the
    /// process the signal has its default action, whatever it had before. A child of a fork shares
    /// libuv's pipe until it becomes another program.
    pub fn belay_posix_signal(r#loop: *mut belay_loop, signum: c_int) -> *mut belay_signal;
    /// Sends the last value when no other has come for `seconds` (> 0). A completion sends the value
    /// that waits first. Keeps one value.
    pub fn belay_op_debounce(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Debounces the values for which `waits` returns 1. Any other value is sent at once, and drops the
    /// value that waits. (ReactiveObjC's throttle:valuesPassingTest:.)
    pub fn belay_op_debounce_if(scheduler: *mut belay_scheduler, seconds: f64, waits: belay_predicate_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends at most one value in `seconds` (> 0). With `leading` (0 or 1) it sends the first value,
    /// which starts the time. With `trailing` it sends the last of the values that came meanwhile when
    /// the time is over, which starts it again. A completion waits for a trailing value. Keeps one
    /// value. (RxJS's throttleTime.)
    pub fn belay_op_throttle(scheduler: *mut belay_scheduler, seconds: f64, leading: c_int, trailing: c_int) -> *mut belay_op;
    /// Starts a time of `seconds` (> 0) at a value, and sends the last value that has come when the time
    /// is over. A completion waits for that value. Keeps one value. (RxJS's auditTime.)
    pub fn belay_op_audit(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Sends the latest value each time that `notifier` (taken over) sends one, if a new value has come
    /// since the last time. Ends when the source ends, without sending the value that waits. An error of
    /// `notifier` ends the signal too; its completion changes nothing. Keeps one value.
    pub fn belay_op_sample(notifier: *mut belay_signal) -> *mut belay_op;
    /// Sends the latest value every `seconds` (> 0), if a new value has come since the last time. Ends
    /// when the source ends, without sending the value that waits. Keeps one value.
    pub fn belay_op_sample_time(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Sends values and the completion `seconds` later (negative counts as 0), in their order. Sends an
    /// error at once. Keeps the values of the last `seconds`.
    pub fn belay_op_delay(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Subscribes to the source after `seconds` (negative counts as 0).
    pub fn belay_op_delay_subscription(scheduler: *mut belay_scheduler, seconds: f64) -> *mut belay_op;
    /// Waits at most `seconds` (> 0) for an event, from the subscription or from the last value on. When
    /// that time is over it continues with `fallback` (taken over), to which no limit applies. When
    /// `fallback` is NULL, it ends with the error BELAY_ETIMEDOUT.
    pub fn belay_op_timeout(scheduler: *mut belay_scheduler, seconds: f64, fallback: *mut belay_signal) -> *mut belay_op;
    /// Holds the latest value back while the last value of `condition` (taken over) is true, and sends
    /// it when that becomes false. Before the first value of `condition` all values pass. A value of
    /// `condition` that is not a bool is the error event BELAY_EKIND. Ends when the source ends, without
    /// sending the value that waits. An error of `condition` ends the signal too; its completion changes
    /// nothing. Keeps one value.
    pub fn belay_op_throttle_while(condition: *mut belay_signal) -> *mut belay_op;
    /// Makes a signal of each value, and sends the last value when the signal made of it sends one,
    /// unless another value has come before. A completion sends the value that waits first. The
    /// completion of a signal that was made changes nothing; its error ends the signal. Keeps one value.
    /// (RxJS's debounce.)
    pub fn belay_op_debounce_when(period: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// A value begins a period, which ends when the signal made of the value sends one or completes.
    /// With `leading` (0 or 1) the value that begins a period is sent at once. With `trailing` the last
    /// value that came during the period is sent when that signal sends one, and begins the next period;
    /// a completion of that signal drops it. A completion waits for a trailing value. An error of a
    /// signal that was made ends this one. Keeps one value. (RxJS's throttle.)
    pub fn belay_op_throttle_when(period: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn, leading: c_int, trailing: c_int) -> *mut belay_op;
    /// Makes a signal of a value, and when that sends one, sends the last value that has come. A
    /// completion waits for that value. If the signal completes without a value, the last value waits
    /// for the next one. An error of the signal ends this one. Keeps one value. (RxJS's audit.)
    pub fn belay_op_audit_when(period: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Makes a signal of each value, and ends with the error BELAY_ETIMEDOUT when it sends one before
    /// the next value has come. `first` (taken over) does so for the first value; with NULL nothing
    /// limits the time before it. When the time is over and `fallback` (taken over) is not NULL,
    /// continues with that instead of the error, and nothing limits its time. The completion of `first`
    /// or of a signal that was made changes nothing; its error ends the signal. (ReactiveX's timeout
    /// with a mapper.)
    pub fn belay_op_timeout_when(first: *mut belay_signal, fallback: *mut belay_signal, period: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Makes a signal of each value, and sends the value when that signal sends one: values may change
    /// their order. Drops the value if its signal completes without one. Completes with the source and
    /// all of these signals, and ends with the first error. 1024 values may wait;
    /// belay_signal_set_queue() changes that. (RxJS's delayWhen.)
    pub fn belay_op_delay_when(period: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Delivers events by work on `scheduler`, in their order, from a bounded queue. `options` may be
    /// NULL.
    ///
    /// When `scheduler` is that of a loop or a pool, the operators below this one run there. That is
    /// then the home of a subscription to the resulting signal, whatever its observer names. The
    /// operators above run where the program subscribes: at the observer's loop, else at that of the
    /// thread. Where signals are joined below, their home is that of the join, and events go on from the
    /// scheduler to there.
    ///
    /// An operator below that sends when it starts, or that has a time or a second signal, starts at the
    /// loop: the source then needs a home with a loop (BELAY_ENOHOME). belay_disposable_dispose_sync()
    /// waits for the operators below and for those above.
    pub fn belay_op_observe_on(scheduler: *mut belay_scheduler, options: *const belay_queue_options) -> *mut belay_op;
    /// Subscribes to the source by work on `scheduler`. When that is the scheduler of another loop or a
    /// pool, the source and the operators above run there, and their events are queued to the home of
    /// the subscription: 1024 values, then the error BELAY_EAGAIN, unless belay_signal_set_queue() says
    /// otherwise. That home has to be a loop too (BELAY_ENOHOME).
    pub fn belay_op_subscribe_on(scheduler: *mut belay_scheduler) -> *mut belay_op;
    /// Replaces each value by the value that `map` returns. A failure value (belay_value_failure()) ends
    /// the signal with that error.
    pub fn belay_op_map(map: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends `value` (taken over) in place of each value.
    pub fn belay_op_map_to(value: belay_value) -> *mut belay_op;
    /// Replaces each value by the value that `map` returns, and drops null values.
    pub fn belay_op_compact_map(map: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Replaces the error by the one that `map` returns.
    pub fn belay_op_map_error(map: belay_map_error_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends `step(accumulated, value)` for each value. The first `accumulated` is `seed` (taken over),
    /// which is not sent itself.
    pub fn belay_op_scan(seed: belay_value, step: belay_scan_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends \[index value\] for each value. The index counts from 0.
    pub fn belay_op_enumerated() -> *mut belay_op;
    /// Sends \[owner value\] for each value until `owner` begins to die; then it completes. The array
    /// keeps the owner alive. The operator does not, nor does it take it over. (RxSwift's
    /// withUnretained.)
    pub fn belay_op_with_owner(owner: *mut belay_owner) -> *mut belay_op;
    /// Sends \[previous current\] for each value except the first.
    pub fn belay_op_pairwise() -> *mut belay_op;
    /// Sends \[previous current\] for each value. Before the first value stands `start` (taken over).
    /// (combinePrevious with an initial value in ReactiveSwift.)
    pub fn belay_op_pairwise_from(start: belay_value) -> *mut belay_op;
    /// Sends arrays of `count` values. The last array may be shorter and is sent before the end. An
    /// error drops the values that have been collected. A count of 0 is BELAY_EINVAL.
    pub fn belay_op_buffer(count: usize) -> *mut belay_op;
    /// Sends arrays of `count` values. A new array begins with every `skip`th value. The arrays overlap
    /// when `skip` is less than `count`; when it is more, the values between them are dropped. At
    /// completion the arrays that have begun are sent as they are; an error drops them. Keeps `count`
    /// values. 0 for either is BELAY_EINVAL.
    pub fn belay_op_buffer_skip(count: usize, skip: usize) -> *mut belay_op;
    /// Sends an array every `seconds` and at the completion, also when it is empty. It also sends an
    /// array as soon as `count` values have been collected, which restarts the time. BELAY_UNLIMITED
    /// collects by time alone. A count of 0 and `seconds` that are not above 0 are BELAY_EINVAL. Retains
    /// `scheduler`; when it belongs to another loop, the subscription needs a loop too (BELAY_ENOHOME).
    /// (RxSwift's buffer.)
    pub fn belay_op_buffer_time(scheduler: *mut belay_scheduler, seconds: f64, count: usize) -> *mut belay_op;
    /// Sends signals (belay_value_get_signal()) of `count` values each, called windows. One begins at
    /// the subscription, and one with every `skip`th value; 0 for either is BELAY_EINVAL. A window ends
    /// after `count` values, and when the source ends. It is interrupted when the outer subscription is
    /// disposed of, also while it has subscriptions. A window without a subscription drops its values:
    /// subscribe when it is sent.
    pub fn belay_op_window(count: usize, skip: usize) -> *mut belay_op;
    /// Sends a window (belay_op_window()) every `seconds`. The next one also begins as soon as `count`
    /// values have come, which restarts the time. BELAY_UNLIMITED goes by time alone. A count of 0 and
    /// `seconds` that are not above 0 are BELAY_EINVAL. Retains `scheduler`; when it belongs to another
    /// loop, the subscription needs a loop too (BELAY_ENOHOME).
    pub fn belay_op_window_time(scheduler: *mut belay_scheduler, seconds: f64, count: usize) -> *mut belay_op;
    /// Sends a window (belay_op_window()) for each value of `openings` (taken over). The window lasts
    /// until the signal that `closing` returns for that value (given away; NULL: it failed) sends a
    /// value. Several windows may be open at once. A completion of `openings`, or of such a signal,
    /// changes nothing alone. An error of any of them, and a failure of `closing`, ends the windows and
    /// the signal. Otherwise windows end as those of belay_op_window() do. RxJS's bufferToggle is this,
    /// followed by belay_op_flat_map() with belay_op_collect(). 1024 windows may be open;
    /// belay_signal_set_queue() changes that. The end of a window looks for it among the open ones.
    pub fn belay_op_window_toggle(openings: *mut belay_signal, closing: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends windows (belay_op_window()) that follow each other. One begins at the subscription, and one
    /// with each value of `notifier` (taken over), which ends the one before. The subscription to the
    /// source comes first. The completion of `notifier` changes nothing; its error ends the window and
    /// the signal. Otherwise windows end as those of belay_op_window() do. (RxJS's window.)
    pub fn belay_op_window_by(notifier: *mut belay_signal) -> *mut belay_op;
    /// Sends an array of the values that came, also when it is empty, with each value of `notifier`
    /// (taken over) and at the completion. The subscription to the source comes first. The completion of
    /// `notifier` changes nothing; its error ends the signal. An error drops what has been collected.
    /// Keeps the values of an array, without a bound. (RxJS's buffer.)
    pub fn belay_op_buffer_by(notifier: *mut belay_signal) -> *mut belay_op;
    /// Sends a signal, called a group, for each key that `key` returns. The group
    /// (belay_value_get_signal()) has the values with that key; belay_signal_key() returns its key.
    /// belay_value_equal() compares keys. A group is sent before its first value, so that a subscription
    /// made at once gets that value. It ends as a window (belay_op_window()) does, and with a failure of
    /// `key`. All groups are kept until then. There may be 1024 of them;
    /// belay_signal_set_queue() changes that. One more ends them and the signal with BELAY_EAGAIN.
    pub fn belay_op_group_by(key: belay_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Groups values as belay_op_group_by() does, and forgets a group early. Before a group is sent,
    /// `until` is called with it (belay_value_get_signal()). The group completes when the signal that
    /// `until` returns (given away; NULL: it failed) sends a value or completes. The next value with its
    /// key begins another group. An error of that signal ends all groups and the signal. A key is
    /// compared with those of the open groups, one by one. Both callbacks get `ctx`. (RxJS's groupBy
    /// with a duration.)
    pub fn belay_op_group_by_until(key: belay_map_fn, until: belay_flat_map_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Returns the key of a group, borrowed from the group; null for any other signal.
    pub fn belay_signal_key(group: *mut belay_signal) -> belay_value;
    /// Sends the events as values (belay_event), then completes, also after an error.
    pub fn belay_op_materialize() -> *mut belay_op;
    /// Turns the values of belay_op_materialize() into events again. Drops values after an end. Any
    /// other value is BELAY_EKIND.
    pub fn belay_op_dematerialize() -> *mut belay_op;
    /// Sends \[seconds value\]: the time on the scheduler's clock at which the value came. Retains
    /// `scheduler`.
    pub fn belay_op_timestamp(scheduler: *mut belay_scheduler) -> *mut belay_op;
    /// Sends \[seconds value\]: the time since the value before it; for the first value, since the
    /// subscription. Retains `scheduler`.
    pub fn belay_op_time_interval(scheduler: *mut belay_scheduler) -> *mut belay_op;
    /// Makes an operator out of a function from signal to signal. `make` runs once, when the operator is
    /// applied, and the operator's signal is the one that `make` returns. If `make` fails, the chain is
    /// NULL. `ctx_free` runs after `make`, or when the operator is released. (lift, compose
    /// elsewhere.)
    pub fn belay_op_compose(make: belay_compose_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> *mut belay_op;
    /// Sends the lines without their ends, LF or CR LF. The last one needs no end; a CR at its end goes,
    /// too.
    pub fn belay_op_lines(limit: usize) -> *mut belay_op;
    /// Sends what is between the delimiters: the `size` bytes at `delimiter`, which are copied; 1 to
    /// 1024 of them. The rest after the last one is sent unless it is empty.
    pub fn belay_op_frames_delimited(delimiter: *const c_void, size: usize, limit: usize) -> *mut belay_op;
    /// Sends frames of `size` bytes. The last one may be shorter.
    pub fn belay_op_frames_fixed(size: usize) -> *mut belay_op;
    /// Sends frames that have their length in front, without it: an unsigned number of `width` bytes,
    /// which is 1, 2, 4 or 8, with the highest first unless `little_endian` is 1. An end inside of a
    /// frame is the error BELAY_EPROTO.
    pub fn belay_op_frames_prefixed(width: c_uint, limit: usize, little_endian: c_int) -> *mut belay_op;
    /// Sends strings instead of bytes, one for each value. A character that is cut is put together with
    /// the next value. Bytes that are not UTF-8 are the error BELAY_EILSEQ.
    pub fn belay_op_utf8() -> *mut belay_op;
    /// Opens a UDP socket for each subscription, and closes it at the subscription's end. Cold, as in
    /// source.h: `loop` has it and has to run; the subscription may be at another home, and is
    /// interrupted when `loop` closes. Each value is an array of what, host and port (a string and a
    /// uint16):
    ///
    /// null, own host, own port         the address of the socket, when it is open
    /// bytes, host, port                a datagram and its sender
    /// an error, host, port             a datagram that was not sent there, or was refused there
    ///
    /// An error is a value of kind BELAY_KIND_ERROR. Host and port are null and 0 where they are not
    /// known.
    ///
    /// `outgoing` is a signal of what the socket sends, which is subscribed to when the socket is open;
    /// NULL: it only receives. Its values are arrays of bytes or a string, host and port; or, with
    /// `remote_host`, bytes or a string alone. Another value is an error, as above. Retains `outgoing`.
    /// Its error is this signal's; its completion does nothing. The values are sent at once. A datagram
    /// for which the system has no room is not sent, and is an error with UV_EAGAIN's code, as above:
    /// send it again later, or let it go. The network may drop others without a word.
    ///
    /// `options` may be NULL and is copied. Returns NULL for a NULL `loop`, other flags and numbers, and
    /// records BELAY_EINVAL; BELAY_ECLOSED for a closed loop. A socket that cannot be opened is an error
    /// event with libuv's code, and the address in the message.
    pub fn belay_udp(r#loop: *mut belay_loop, outgoing: *mut belay_signal, options: *const belay_udp_options) -> *mut belay_signal;
    /// Sends the number of the tick, a uint64 from 0 on, each time that the loop comes to that place. A
    /// turn inside of the subscriber's callback does not count. BELAY_EINVAL for another place.
    pub fn belay_ticks(r#loop: *mut belay_loop, place: belay_tick) -> *mut belay_signal;
    /// Sends what the descriptor `fd` is ready for, as a uint32 of BELAY_POLL_…, in each turn in which
    /// it is ready for one of `events`. It stays ready until it is read or written. `fd` stays the
    /// caller's: keep it open until the subscription has ended. It becomes non-blocking.
    ///
    /// BELAY_EINVAL for a negative `fd`, no events, or others. Error events, with `fd` in the message:
    /// EPERM of libuv's for a file or a directory, which are always ready; EEXIST for a descriptor that
    /// the loop has already, such as that of a stream; EBADF for one that is not open, or reports an
    /// error.
    pub fn belay_poll(r#loop: *mut belay_loop, fd: c_int, events: c_uint) -> *mut belay_signal;
    /// Sends null once the wall clock shows `date`, in seconds since the beginning of 1970 in UTC, and
    /// completes. Other timers follow the monotonic clock, which nobody sets. This one follows the clock
    /// that people read: if that is set forward beyond `date`, or the machine sleeps past it, the value
    /// comes at once; if it is set back, the value comes later. A date that has passed is due at once.
    /// BELAY_EINVAL for a NaN. An error event with libuv's code if the system has no descriptor left.
    /// (timerfd_create's CLOCK_REALTIME; RxJS's timer of a Date measures the time until then.)
    pub fn belay_wall_timer(r#loop: *mut belay_loop, date: f64) -> *mut belay_signal;
    /// Sends what happens to a file, or to the entries of a directory. Each value is an array: the name,
    /// a string (bytes where it is not UTF-8), and one of BELAY_FILE_…, a uint32. The name of an entry
    /// is relative to the directory; that of a file is the last part of `path`. Events tell what has
    /// happened, in its order: a name that was created may be gone when the event arrives. A move is
    /// sent as a removal and a creation.
    ///
    /// A file is watched by its name in its directory: it may be removed and made again, and need not
    /// exist yet. Its directory must. Changes through another name of the same file are not seen. When
    /// the directory that is watched is removed or moved, and at the start where there is none, the
    /// signal fails with ENOENT and the directory's path in the message.
    ///
    /// The system loses events when more come than it keeps (fs.inotify.max_queued_events) while the
    /// loop does not run. BELAY_FILE_LOST with an empty name tells so. The present state follows: each
    /// entry as created, or the file as created or removed. (libuv's uv_fs_event_t does not tell that
    /// events were lost.)
    pub fn belay_file_events(r#loop: *mut belay_loop, path: *const c_char) -> *mut belay_signal;
    /// Looks at a file or a directory every `seconds`, for file systems that send no events. Sends the
    /// same values with the last part of `path`. A path that does not exist at first is sent as
    /// BELAY_FILE_REMOVED. BELAY_EINVAL for a time that is not positive.
    pub fn belay_file_poll(r#loop: *mut belay_loop, path: *const c_char, seconds: f64) -> *mut belay_signal;
    /// Does what belay_file_events() does for a directory, and for all directories below it. Names are
    /// paths relative to `path`. Symbolic links are not followed. A directory that may not be read is
    /// left out.
    ///
    /// A new directory is watched, and what is in it by then is sent as created. An entry that is made
    /// in that moment may be sent twice; none is left out. After BELAY_FILE_LOST all that exists
    /// follows as created. When `path` is removed or moved the signal fails with ENOENT. ENOSPC tells
    /// that the system's limit of watches is reached (fs.inotify.max_user_watches). Where a directory
    /// cannot be watched or listed for another reason, as for want of descriptors, the signal fails with
    /// libuv's code.
    pub fn belay_tree_events(r#loop: *mut belay_loop, path: *const c_char) -> *mut belay_signal;
    /// Starts a worker: a serial background queue of its own, which may have a priority. (The threads of
    /// libuv's pool are the whole process's, so the scheduler of a pool has no priority.) `options` may
    /// be NULL. Any thread. Release the result. NULL: libuv's error, when no thread can be started;
    /// BELAY_EINVAL for a priority that is out of range; the system's code, -EACCES or -EPERM, when it
    /// refuses the priority. (schedulerWithPriority:name:)
    pub fn belay_worker_create(options: *const belay_worker_options) -> *mut belay_worker;
    /// Adds a reference to `worker` and returns `worker`.
    pub fn belay_worker_retain(worker: *mut belay_worker) -> *mut belay_worker;
    /// Gives a reference back. At the last release the worker finishes the action that is running and
    /// disposes of the rest, and its loop is closed: the users that its actions have made with
    /// belay_loop_create() leave too. Its thread has ended when this returns. So the action must not
    /// wait for the thread that releases: not by belay_disposable_dispose_sync() for a callback there,
    /// and not by the last release of a worker whose action releases this one. On the worker's own
    /// thread, it ends right after. Nothing else ends it: belay_loop_stop() in an action only ends a run
    /// that the action has begun.
    pub fn belay_worker_release(worker: *mut belay_worker);
    /// Returns the scheduler of the worker, borrowed. It may be retained; it refuses work with
    /// BELAY_ECANCELED when the worker has gone.
    pub fn belay_worker_get_scheduler(worker: *mut belay_worker) -> *mut belay_scheduler;
    /// Creates a drawing with frames of `frame` seconds. Release the result. NULL: BELAY_EINVAL for less
    /// than a nanosecond.
    pub fn belay_drawing_create(frame: f64) -> *mut belay_drawing;
    /// Adds a reference to `drawing` and returns `drawing`.
    pub fn belay_drawing_retain(drawing: *mut belay_drawing) -> *mut belay_drawing;
    /// Gives a reference back.
    pub fn belay_drawing_release(drawing: *mut belay_drawing);
    /// Begins a line. Returns 0 or BELAY_EILSEQ.
    pub fn belay_drawing_row(drawing: *mut belay_drawing, name: *const c_char) -> c_int;
    /// Adds a mark to the line that was begun last, `seconds` (not negative) after the beginning. A mark
    /// that is earlier than the last one of the line is drawn at the same time as that one. Returns 0;
    /// BELAY_ENOENT when there is no line; BELAY_EINVAL for a negative time, NaN, or an unknown mark;
    /// BELAY_EILSEQ.
    pub fn belay_drawing_mark(drawing: *mut belay_drawing, mark: belay_mark, seconds: f64, label: *const c_char) -> c_int;
    /// Adds a box with the name of an operator.
    pub fn belay_drawing_box(drawing: *mut belay_drawing, text: *const c_char) -> c_int;
    /// Adds a line from a diagram of marbles.h, whose frames are milliseconds. It may have `^` and `!`
    /// among its events, which are drawn below the line. Returns 0; BELAY_EINVAL for a malformed
    /// diagram, and nothing is added.
    pub fn belay_drawing_diagram(drawing: *mut belay_drawing, name: *const c_char, diagram: *const c_char) -> c_int;
    /// Gives the letter or digit `mark` a label in the diagrams that are added later.
    pub fn belay_drawing_define(drawing: *mut belay_drawing, mark: c_char, label: *const c_char) -> c_int;
    /// Begins a line called `name` and returns the same signal (taken over, also on failure). Its
    /// subscriptions are drawn there: values in the form of belay_value_describe(), ends, and the spans.
    /// Each subscription after the first gets another line below. Times are those of `scheduler`, which
    /// has to be the same for a whole drawing; time 0 is the first call of this. The signal retains the
    /// drawing and the scheduler. Release the result.
    pub fn belay_drawing_record(drawing: *mut belay_drawing, scheduler: *mut belay_scheduler, signal: *mut belay_signal, name: *const c_char) -> *mut belay_signal;
    /// Writes the drawing, cut to `size` bytes including its NUL (`buffer` may be NULL). Returns the
    /// length of the whole drawing.
    pub fn belay_drawing_text(drawing: *mut belay_drawing, buffer: *mut c_char, size: usize) -> usize;
    /// Does the same as SVG, self-contained.
    pub fn belay_drawing_svg(drawing: *mut belay_drawing, buffer: *mut c_char, size: usize) -> usize;
    /// Returns `size` zeroed bytes on pages of their own. Give them back with belay_guarded_destroy().
    /// NULL: BELAY_EINVAL for 0; BELAY_ENOMEM.
    pub fn belay_guarded_create(size: usize) -> *mut c_void;
    /// Gives memory of belay_guarded_create() back, and ends its guard. It fits as the `dealloc` of
    /// belay_owner_create(). NULL does nothing. Any other pointer does nothing but is a misuse.
    pub fn belay_guarded_destroy(memory: *mut c_void);
    /// Guards the object of an owner until step 3 of the owner's death, so its deinit may write. The
    /// object stands at the start of memory of belay_guarded_create() and has a type. Takes nothing
    /// over. Returns 0, also when this owner has guarded it before; BELAY_EINVAL for NULL and for an
    /// object that is elsewhere; BELAY_ENOENT for an object without a type; BELAY_EBUSY when another
    /// owner guards it; BELAY_EDEAD when it is dying; BELAY_ENOMEM.
    pub fn belay_object_guard(object: *mut belay_owner) -> c_int;
    /// Sets the process's hook for unannounced writes. Without one, which is the default and NULL
    /// restores, each prints a line on stderr. The new hook replaces the old one, whose `ctx_free` runs
    /// when no thread is in it any more; the call waits for that. Returns 0; BELAY_EREENTRANT inside of
    /// the hook, where it changes nothing and frees `ctx`.
    pub fn belay_on_unannounced_write(hook: belay_unannounced_write_fn, ctx: *mut c_void, ctx_free: belay_free_fn) -> c_int;
    /// Returns how many unannounced writes the process has made.
    pub fn belay_unannounced_write_count() -> u64;
    /// Creates a test, with a virtual time of its own. Release the result.
    pub fn belay_marbles_create() -> *mut belay_marbles;
    /// Releases the test and ends everything in it that is still active. If another thread than the
    /// test's does so, a hot signal ends when its handle is released, too.
    pub fn belay_marbles_release(test: *mut belay_marbles);
    /// Returns the virtual time of the test, for operators that take a scheduler. Borrowed.
    pub fn belay_marbles_get_scheduler(test: *mut belay_marbles) -> *mut belay_scheduler;
    /// Gives the letter or digit `mark` the value `value` (taken over). Call this before a diagram uses
    /// it.
    pub fn belay_marbles_define(test: *mut belay_marbles, mark: c_char, value: belay_value) -> c_int;
    /// Returns a signal that sends the diagram to each subscription, from its beginning on. Release the
    /// result. NULL for a malformed diagram.
    pub fn belay_marbles_cold(test: *mut belay_marbles, diagram: *const c_char) -> *mut belay_signal;
    /// Returns a signal whose events happen also without a subscription. The test begins at `^`; the
    /// events before it have already happened. Release the result. NULL for a malformed diagram, and
    /// inside of a run (BELAY_EBUSY).
    pub fn belay_marbles_hot(test: *mut belay_marbles, diagram: *const c_char) -> *mut belay_signal;
    /// Expects `signal` (taken over) to do what `diagram` says. `subscription` tells when it is
    /// subscribed to and disposed of ("--^----!"); NULL means from the beginning on. BELAY_EBUSY inside
    /// of a run.
    pub fn belay_marbles_expect(test: *mut belay_marbles, signal: *mut belay_signal, subscription: *const c_char, diagram: *const c_char) -> c_int;
    /// Expects exactly these `count` subscriptions to `source`, which is a signal of this test, in the
    /// order of their beginnings. Takes nothing over. Returns 0; BELAY_ENOENT for another signal, also
    /// for one of an earlier run.
    pub fn belay_marbles_expect_subscriptions(test: *mut belay_marbles, source: *mut belay_signal, subscriptions: *const *const c_char, count: usize) -> c_int;
    /// Lets an hour of virtual time pass and compares. Times count from the beginning of the run. An
    /// event that another thread brings counts if it has come by then. A run compares nothing that an
    /// earlier one has compared. Returns 0; BELAY_EMISMATCH, and the message of belay_last_error() draws
    /// the expected events above the real ones; BELAY_EAGAIN when something goes on at one moment
    /// without end; BELAY_ENOENT when a source of an earlier run was subscribed to; BELAY_EBUSY inside
    /// of a run, which goes on, and while another thread runs work of the scheduler.
    pub fn belay_marbles_run(test: *mut belay_marbles) -> c_int;
}
