//! Drawings: runs as marbles.
use std::time::Duration;

use belay_sys::*;

use crate::error::{check, Error, Result};
use crate::handle::{any_thread, c_text, handle, shown_text, written};
use crate::loops::Scheduler;
use crate::signal::Signal;
use crate::value::Value;

handle! {
    /// Rows of marbles, from top to bottom, with one axis of time; as text and as SVG. A clone is
    /// the same drawing.
    ///
    /// ```
    /// # fn main() -> belay::Result<()> {
    /// use std::time::Duration;
    /// let drawing = belay::Drawing::new(Duration::from_millis(1))?;
    /// drawing.diagram("keys", "--a--b-|")?;
    /// assert!(drawing.text().contains("--a--b-|"));
    /// # Ok(())
    /// # }
    /// ```
    Drawing: belay_drawing, belay_drawing_retain, belay_drawing_release
}
any_thread!(Drawing);

/// A mark in a line of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A value.
    Next,
    /// An error, whose label is a message.
    Error,
    /// The completion.
    Completed,
    /// The beginning of a subscription.
    Subscribed,
    /// Its end.
    Unsubscribed,
}

impl Drawing {
    /// A drawing with frames of that length, of a nanosecond at least.
    pub fn new(frame: Duration) -> Result<Drawing> {
        unsafe { Drawing::from_raw(belay_drawing_create(frame.as_secs_f64())) }
            .ok_or_else(Error::last)
    }

    /// Begins a line.
    pub fn row(&self, name: &str) -> Result<()> {
        let name = c_text(name)?;
        check(unsafe { belay_drawing_row(self.as_raw(), name.as_ptr()) }).map(drop)
    }

    /// Adds a mark to the line that was begun last; [`Code::ENOENT`](crate::Code::ENOENT) without
    /// one.
    pub fn mark(&self, mark: Mark, after: Duration, label: &str) -> Result<()> {
        let mark = match mark {
            Mark::Next => BELAY_MARK_NEXT,
            Mark::Error => BELAY_MARK_ERROR,
            Mark::Completed => BELAY_MARK_COMPLETED,
            Mark::Subscribed => BELAY_MARK_SUBSCRIBED,
            Mark::Unsubscribed => BELAY_MARK_UNSUBSCRIBED,
        };
        let (after, label) = (after.as_secs_f64(), c_text(label)?);
        check(unsafe { belay_drawing_mark(self.as_raw(), mark, after, label.as_ptr()) }).map(drop)
    }

    /// A box with an operator's name.
    pub fn boxed(&self, text: &str) -> Result<()> {
        let text = c_text(text)?;
        check(unsafe { belay_drawing_box(self.as_raw(), text.as_ptr()) }).map(drop)
    }

    /// A line that a diagram of marbles tells.
    pub fn diagram(&self, name: &str, diagram: &str) -> Result<()> {
        let (name, diagram) = (c_text(name)?, c_text(diagram)?);
        check(unsafe { belay_drawing_diagram(self.as_raw(), name.as_ptr(), diagram.as_ptr()) })
            .map(drop)
    }

    /// Gives a letter or digit of the diagrams that follow a label.
    pub fn define(&self, mark: char, label: &str) -> Result<()> {
        let mark = if mark.is_ascii() { mark as u8 } else { 0 };
        let label = c_text(label)?;
        check(unsafe { belay_drawing_define(self.as_raw(), mark as _, label.as_ptr()) }).map(drop)
    }

    /// Begins a line, and gives the same signal, whose subscriptions are drawn there. The time is
    /// that of `scheduler`, the same for a whole drawing. The name ends before a NUL.
    pub fn record<T: Value>(
        &self,
        signal: &Signal<T>,
        name: &str,
        scheduler: &Scheduler,
    ) -> Signal<T> {
        let (signal, name) = (signal.retained(), shown_text(name));
        unsafe {
            let (name, scheduler) = (name.as_ptr(), scheduler.as_raw());
            Signal::made(belay_drawing_record(self.as_raw(), scheduler, signal, name))
        }
    }

    /// The drawing as text.
    pub fn text(&self) -> String {
        written(|buffer, size| unsafe { belay_drawing_text(self.as_raw(), buffer, size) })
    }

    /// The same as SVG, self-contained.
    pub fn svg(&self) -> String {
        written(|buffer, size| unsafe { belay_drawing_svg(self.as_raw(), buffer, size) })
    }
}
