//! Contents of one thread, inside closures that any thread may hold.
use std::fmt;
use std::mem::ManuallyDrop;
use std::thread::{self, ThreadId};

use crate::code::Code;
use crate::error::{Error, Result};

/// Something that stays on its thread, such as an `Rc`, in a closure that has to be `Send`.
///
/// If a program has one loop, on one thread, its closures run there. They can then use contents
/// that are not made for several threads. Any other thread is refused.
///
/// ```
/// # fn main() -> belay::Result<()> {
/// use std::{cell::RefCell, rc::Rc};
/// let seen = Rc::new(RefCell::new(Vec::new()));
/// let mine = belay::Local::new(seen.clone());
/// belay::Signal::range(1, 3).subscribe(move |n| mine.get().borrow_mut().push(n))?;
/// assert_eq!(*seen.borrow(), [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// On another thread the content is leaked instead of dropped, because its own thread may be using
/// it.
pub struct Local<T> {
    content: ManuallyDrop<T>,
    thread: ThreadId,
}

// Elsewhere than on its thread the content is neither reached nor dropped.
unsafe impl<T> Send for Local<T> {}
unsafe impl<T> Sync for Local<T> {}

impl<T> Local<T> {
    /// Keeps `content` for this thread.
    pub fn new(content: T) -> Local<T> {
        Local { content: ManuallyDrop::new(content), thread: thread::current().id() }
    }

    /// The content, on its thread.
    ///
    /// # Panics
    /// On any other thread. In a closure of a signal's that is an error event.
    pub fn get(&self) -> &T {
        match self.try_get() {
            Ok(content) => content,
            Err(error) => panic!("{error}"),
        }
    }

    /// The content; [`Code::EWRONGTHREAD`] on any other thread.
    pub fn try_get(&self) -> Result<&T> {
        if self.is_here() {
            Ok(&self.content)
        } else {
            Err(Error::new(Code::EWRONGTHREAD, "a Local belongs to the thread that made it"))
        }
    }

    fn is_here(&self) -> bool {
        thread::current().id() == self.thread
    }
}

impl<T> Drop for Local<T> {
    fn drop(&mut self) {
        if self.is_here() {
            unsafe { ManuallyDrop::drop(&mut self.content) }
        }
    }
}

impl<T> fmt::Debug for Local<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Local({:?})", self.thread)
    }
}
