//! Polling, awaiting, iterating.
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::Duration;

use crate::support::{case, error, silently, Trace};
use belay::{Code, Dynamic, Loop, LoopOptions, Signal, Subject, Value};

const MS: Duration = Duration::from_millis(1);

/// An executor of nobody's: it parks its thread.
struct Unpark(Thread, AtomicUsize);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.unpark();
    }
}

fn park_on<F: Future>(future: F) -> F::Output {
    let mut future = Box::pin(future);
    let unpark = Arc::new(Unpark(thread::current(), AtomicUsize::new(0)));
    let waker = unpark.into();
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park_timeout(Duration::from_secs(20)),
        }
    }
}

#[test]
fn a_stream_has_values_and_then_the_error() {
    case(|| {
        let subject = Subject::new();
        let mut values = subject.values().unwrap();
        assert!(values.try_next().is_none());
        let unpark = Arc::new(Unpark(thread::current(), AtomicUsize::new(0)));
        let waker = unpark.clone().into();
        let mut context = Context::from_waker(&waker);
        assert!(Pin::new(&mut values).poll_next(&mut context).is_pending());
        assert!(Pin::new(&mut values).poll_next(&mut context).is_pending());
        assert_eq!(unpark.1.load(Ordering::SeqCst), 0);
        subject.next_batch([1, 2]).unwrap();
        assert_eq!(unpark.1.load(Ordering::SeqCst), 1);
        assert_eq!(Pin::new(&mut values).poll_next(&mut context), Poll::Ready(Some(Ok(1))));
        assert_eq!(values.try_next(), Some(Ok(2)));
        subject.error(&error("broken")).unwrap();
        assert!(!values.is_finished());
        let last = Pin::new(&mut values).poll_next(&mut context);
        assert_eq!(last, Poll::Ready(Some(Err(error("broken")))));
        assert_eq!(Pin::new(&mut values).poll_next(&mut context), Poll::Ready(None));
        assert!(values.is_finished());
        assert_eq!(Pin::new(&mut values).poll_next(&mut context), Poll::Ready(None));
    });
}

#[test]
fn dropped_it_disposes_and_a_source_that_goes_cancels() {
    case(|| {
        let subject = Subject::<i32>::new();
        let values = subject.values().unwrap();
        assert_eq!(subject.count(), 1);
        drop(values);
        assert_eq!(subject.count(), 0);
        let mut values = subject.values().unwrap();
        drop(subject);
        assert!(values.try_next().unwrap().unwrap_err().is_canceled());
    });
}

#[test]
fn a_bound_that_is_passed_ends_it() {
    case(|| {
        let subject = Subject::new();
        let mut values = subject.values_at_most(2).unwrap();
        subject.next_batch([1, 2, 3]).unwrap();
        assert_eq!(subject.count(), 0);
        subject.next(4).unwrap();
        assert_eq!(values.try_next(), Some(Ok(1)));
        assert_eq!(values.try_next(), Some(Ok(2)));
        assert!(!values.is_finished());
        assert_eq!(values.try_next().unwrap().unwrap_err().code(), Code::EAGAIN);
        assert_eq!(values.try_next(), None);
    });
}

/// A number whose reading panics, if it is a 3.
#[derive(Debug)]
struct Touchy(i32);

impl Value for Touchy {
    fn into_dynamic(self) -> Dynamic {
        Dynamic::new(self.0)
    }

    fn from_dynamic(value: &Dynamic) -> belay::Result<Touchy> {
        let number = value.get()?;
        assert_ne!(number, 3, "read");
        Ok(Touchy(number))
    }
}

#[test]
fn a_value_that_cannot_be_read_is_the_end_when_it_is_taken() {
    case(|| {
        silently(|| {
            let subject = Subject::<Dynamic>::new();
            for (wrong, code) in [(Dynamic::new(3), Code::PANIC), (Dynamic::null(), Code::EKIND)] {
                let mut values = subject.cast::<Touchy>().values().unwrap();
                let waker = Arc::new(Unpark(thread::current(), AtomicUsize::new(0)));
                let as_waker = waker.clone().into();
                let mut context = Context::from_waker(&as_waker);
                assert!(Pin::new(&mut values).poll_next(&mut context).is_pending());
                subject.next_batch([Dynamic::new(1), wrong, Dynamic::new(2)]).unwrap();
                assert_eq!(waker.1.load(Ordering::SeqCst), 1);
                assert_eq!(values.try_next().unwrap().unwrap().0, 1);
                assert_eq!((subject.count(), values.is_finished()), (1, false));
                assert_eq!(values.try_next().unwrap().unwrap_err().code(), code);
                assert_eq!((subject.count(), values.is_finished()), (0, true));
                subject.next(Dynamic::new(2)).unwrap();
                assert!(values.try_next().is_none());
            }
        });
    });
}

/// Sends when it is dropped.
struct Sends(Subject<Dynamic>, Trace);

impl Drop for Sends {
    fn drop(&mut self) {
        self.1.add(self.0.count());
        self.0.next(Dynamic::null()).unwrap();
    }
}

#[test]
fn values_behind_the_end_are_dropped_while_nothing_is_locked() {
    case(|| {
        let (send, receive) = channel();
        let sender = thread::spawn(move || {
            let (subject, trace) = (Subject::<Dynamic>::new(), Trace::new());
            let mut values = subject.cast::<i32>().values().unwrap();
            let sends = Dynamic::new(Arc::new(Sends(subject.clone(), trace.clone())));
            subject.next_batch([Dynamic::null(), sends]).unwrap();
            let code = values.try_next().unwrap().unwrap_err().code();
            send.send((code, trace.take(), values.is_finished())).unwrap();
        });
        let seen = receive.recv_timeout(Duration::from_secs(20));
        assert_eq!(seen, Ok((Code::EKIND, "1".to_string(), true)));
        sender.join().unwrap();
    });
}

#[test]
fn futures_of_the_first_and_the_last() {
    case(|| {
        let numbers = Signal::range(1, 3);
        assert_eq!(park_on(numbers.first_value().unwrap()), Ok(1));
        assert_eq!(park_on(numbers.last_value().unwrap()), Ok(3));
        let none = Signal::<i32>::empty();
        assert_eq!(park_on(none.first_value().unwrap()).unwrap_err().code(), Code::EENDED);
        let failing = Signal::<i32>::error(&error("none"));
        assert_eq!(park_on(failing.last_value().unwrap()), Err(error("none")));
        let subject = Subject::<i32>::new();
        let first = subject.first_value().unwrap();
        drop(first);
        assert_eq!(subject.count(), 0);
    });
}

#[test]
fn a_loop_on_another_thread_wakes_who_awaits() {
    case(|| {
        let (send, receive) = channel();
        let runner = thread::spawn(move || {
            let main = Loop::with(LoopOptions::new().persistent()).unwrap();
            let ticks = Signal::interval(&main.scheduler(), MS).take(4);
            send.send((ticks.values().unwrap(), main.handle())).unwrap();
            drop(ticks);
            main.run().unwrap();
            main.close().unwrap();
        });
        let (mut values, handle) = receive.recv().unwrap();
        let all = park_on(async {
            let mut all = Vec::new();
            while let Some(value) = values.next().await {
                all.push(value.unwrap());
            }
            all
        });
        assert_eq!(all, [0, 1, 2, 3]);
        handle.stop().unwrap();
        runner.join().unwrap();
    });
}

/// Ready when it has been polled so often; wakes by itself, from another thread.
struct Later(usize);

impl Future for Later {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        let waker = context.waker().clone();
        thread::spawn(move || {
            thread::sleep(MS);
            waker.wake();
        });
        Poll::Pending
    }
}

#[test]
fn a_loop_blocks_on_a_future() {
    case(|| {
        let main = Loop::new().unwrap();
        let scheduler = main.scheduler();
        let sum = main.block_on(async {
            Later(3).await;
            let ticks = Signal::interval(&scheduler, MS).take(3);
            let mut values = ticks.values().unwrap();
            let mut sum = 0;
            while let Some(value) = values.next().await {
                sum += value.unwrap();
            }
            Later(1).await;
            sum + ticks.last_value().unwrap().await.unwrap()
        });
        assert_eq!(sum, Ok(5));
        assert_eq!(main.block_on(async { 7 }), Ok(7));
        // But for a last call of a waker's.
        main.run_nowait().unwrap();
        assert!(!main.is_alive());
        main.close().unwrap();
    });
}

/// Wakes itself while it is polled, so often.
struct Busy(usize);

impl Future for Busy {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

#[test]
fn what_wakes_a_loop_that_blocks_on_a_future_is_no_loss() {
    case(|| {
        let lost = belay::lost_count();
        let main = Loop::new().unwrap();
        let ready = Signal::timer(&main.scheduler(), MS);
        assert_eq!(main.block_on(async { ready.first_value()?.await }), Ok(Ok(0)));
        main.close().unwrap();
        let main = Loop::new().unwrap();
        let future = async {
            Busy(3).await;
            std::future::poll_fn(|context| Poll::Ready(context.waker().clone())).await
        };
        let waker = main.block_on(future).unwrap();
        // Nobody waits for it any more.
        thread::spawn(|| waker.wake()).join().unwrap();
        main.close().unwrap();
        assert_eq!(belay::lost_count(), lost);
    });
}

#[test]
fn a_stream_borrowed_by_a_future_loses_nothing() {
    case(|| {
        let subject = Subject::new();
        let mut values = subject.values().unwrap();
        drop(values.next());
        subject.next(1).unwrap();
        drop(values.next());
        assert_eq!(park_on(values.next()), Some(Ok(1)));
    });
}

#[test]
fn iterating_at_once_and_by_a_loop() {
    case(|| {
        let all: belay::Result<Vec<i64>> = Signal::range(1, 3).iter().unwrap().collect();
        assert_eq!(all, Ok(vec![1, 2, 3]));
        let never = Signal::<i32>::never().start_with([1]);
        let mut said = never.iter().unwrap();
        assert_eq!(said.next(), Some(Ok(1)));
        assert_eq!(said.next().unwrap().unwrap_err().code(), Code::EAGAIN);
        assert_eq!((said.next(), said.next()), (None, None));

        let main = Loop::new().unwrap();
        let ticks = Signal::interval(&main.scheduler(), MS);
        let first: Vec<u64> = ticks.iter_blocking(&main).unwrap().flatten().take(3).collect();
        assert_eq!(first, [0, 1, 2]);
        assert!(!main.is_alive());
        // Nothing is left to wait for.
        let mut waiting = never.iter_blocking(&main).unwrap();
        assert_eq!(waiting.next(), Some(Ok(1)));
        assert!(waiting.next().unwrap().unwrap_err().is_canceled());
        assert_eq!(waiting.next(), None);
        drop(waiting);
        main.close().unwrap();
    });
}
