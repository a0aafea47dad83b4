//! The binding's cases, by subject. They are one program, for each of them is linked.
mod disposables;
mod exchange;
mod host_loops;
mod interception;
mod io;
mod loops;
mod objects;
mod operators;
mod owners;
mod panics;
mod streams;
mod subscriptions;
mod support;
mod threads;
mod timing;
mod values;
