#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod callbacks;
mod code;
mod diagnostics;
mod disposable;
#[cfg(feature = "testing")]
mod drawing;
mod edge;
mod error;
mod exchange;
mod handle;
mod interception;
mod local;
mod loops;
#[cfg(feature = "testing")]
mod marbles;
mod member;
mod objects;
mod operators;
mod owners;
mod process;
mod property;
mod sent;
mod signal;
mod site;
mod streams;
mod subjects;
mod udp;
mod unhandled;
mod value;
mod values;

pub use belay_sys as sys;

pub use code::Code;
pub use diagnostics::{
    delivery_stack, live_count, lost_count, misuse_count, on_overlap, on_slow_callback, version,
    Live, Overlap, OverlapKind,
};
pub use disposable::{
    Bag, Compound, Disposable, Key, RefCounted, Scoped, Serial, SingleAssignment,
};
#[cfg(feature = "testing")]
pub use drawing::{Drawing, Mark};
pub use error::{Error, Result};
pub use exchange::Exchange;
pub use interception::{
    table_gone, Argument, Call, Function, Install, Installed, Interface, InterfaceBuilder, Method,
    Proxy, Slot,
};
pub use local::Local;
pub use loops::{
    HostLoop, HostScheduler, HostWork, Loop, LoopHandle, LoopOptions, OpenResource, Recursion,
    Scheduler, Unbound, VirtualScheduler, Worker, WorkerOptions,
};
#[cfg(feature = "testing")]
pub use marbles::Marbles;
pub use member::Member;
pub use objects::{
    Association, Change, Destroy, Field, FieldType, ObjectType, ObserveOptions, Side,
};
pub use operators::{
    Backoff, Connectable, Event, Group, QueueOptions, QueuePolicy, ShareResets, ShareRules, Signals,
    Tap, Throttle, Variable,
};
pub use owners::{Owner, OwnerBuilder, OwnerEvent, WeakOwner, LEVEL};
pub use process::{ProcessDisposal, ProcessEvent, ProcessOptions, StartedProcess, Stdio};
pub use property::{Command, Property, Request};
pub use sent::{Given, Sent};
pub use signal::{Batch, Each, Hear, IntoTeardown, Lines, Observing, Signal, Subscriber, Tick};
pub use streams::{Direction, Listener, Stream, StreamOptions};
pub use subjects::{BehaviorSubject, Reentrancy, ReplayOptions, SourceOptions, Subject};
pub use udp::{Datagram, UdpEvent, UdpOptions};
pub use unhandled::{on_unhandled_error, Unhandled};
pub use value::{Dynamic, Items, Kind, Outcome, Struct, Value};
pub use values::{Blocking, FirstValue, Immediate, LastValue, Next, Values};
