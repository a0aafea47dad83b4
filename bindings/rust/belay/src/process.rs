//! Processes as signals.
use std::ffi::{CString, OsStr};
use std::os::raw::c_char;
use std::os::unix::io::{AsRawFd, OwnedFd};
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use belay_sys::*;

use crate::code::Code;
use crate::error::{Error, Result};
use crate::loops::Loop;
use crate::signal::{path_text, Signal};
use crate::streams::Stream;
use crate::value::{Dynamic, Value};

/// The standard input, output or error of a child.
#[derive(Clone, Debug)]
pub enum Stdio {
    /// Nothing: /dev/null.
    Ignore,
    /// That of this process.
    Inherit,
    /// A pipe, whose other end is a [`Stream`].
    Pipe,
    /// A copy of a descriptor above 0. See [`Stdio::from`].
    Fd(Arc<OwnedFd>),
}

impl<T: Into<OwnedFd>> From<T> for Stdio {
    /// A copy of a file, a socket or a pipe, which stays open as long as the options, the signal and
    /// its subscriptions.
    fn from(fd: T) -> Stdio {
        Stdio::Fd(Arc::new(fd.into()))
    }
}

impl Stdio {
    fn number(&self) -> i32 {
        match self {
            Stdio::Ignore => BELAY_STDIO_IGNORE,
            Stdio::Inherit => BELAY_STDIO_INHERIT,
            Stdio::Pipe => BELAY_STDIO_PIPE,
            Stdio::Fd(fd) => fd.as_raw_fd(),
        }
    }
}

/// The treatment of a child whose subscription ends while the child runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessDisposal {
    /// It gets SIGTERM, and SIGKILL after that time, if there is one.
    Terminate(Option<Duration>),
    /// It gets SIGKILL.
    Kill,
    /// It goes on.
    Leave,
}

/// How a process is made. By default it has no input, the output and error of this process, its
/// environment and its directory, and gets SIGKILL 5 seconds after SIGTERM.
#[derive(Clone, Debug)]
pub struct ProcessOptions {
    arguments: Vec<Result<CString>>,
    environment: Option<Vec<Result<CString>>>,
    directory: Option<Result<CString>>,
    streams: [Stdio; 3],
    is_detached: bool,
    user: Option<u32>,
    group: Option<u32>,
    disposal: ProcessDisposal,
}

impl ProcessOptions {
    /// The program, which is looked for in PATH.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        ProcessOptions {
            arguments: vec![path_text(program.as_ref())],
            environment: None,
            directory: None,
            streams: [Stdio::Ignore, Stdio::Inherit, Stdio::Inherit],
            is_detached: false,
            user: None,
            group: None,
            disposal: ProcessDisposal::Terminate(Some(Duration::from_secs(5))),
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(path_text(argument.as_ref()));
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(self, arguments: impl IntoIterator<Item = A>) -> Self {
        arguments.into_iter().fold(self, Self::arg)
    }

    /// Its whole environment, in place of that of this process.
    pub fn environment<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        mut self,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let text = |(name, value): (K, V)| {
            let mut text = name.as_ref().to_os_string();
            text.push("=");
            text.push(value);
            path_text(text)
        };
        self.environment = Some(variables.into_iter().map(text).collect());
        self
    }

    /// Where it starts.
    pub fn directory(mut self, path: impl AsRef<Path>) -> Self {
        self.directory = Some(path_text(path));
        self
    }

    /// Its standard input.
    pub fn input(mut self, input: impl Into<Stdio>) -> Self {
        self.streams[0] = input.into();
        self
    }

    /// Its standard output.
    pub fn output(mut self, output: impl Into<Stdio>) -> Self {
        self.streams[1] = output.into();
        self
    }

    /// Its standard error.
    pub fn error(mut self, error: impl Into<Stdio>) -> Self {
        self.streams[2] = error.into();
        self
    }

    /// It leads a session and a process group, which get its signals.
    pub fn detached(mut self) -> Self {
        self.is_detached = true;
        self
    }

    /// The user that it runs as.
    pub fn user(mut self, user: u32) -> Self {
        self.user = Some(user);
        self
    }

    /// The group that it runs as.
    pub fn group(mut self, group: u32) -> Self {
        self.group = Some(group);
        self
    }

    /// The treatment of the child when its subscription ends before it.
    pub fn disposal(mut self, disposal: ProcessDisposal) -> Self {
        self.disposal = disposal;
        self
    }

    fn signal(&self, on: &Loop) -> Result<Signal<ProcessEvent>> {
        let arguments = pointers(&self.arguments)?;
        let environment = self.environment.as_deref().map(pointers).transpose()?;
        let directory = self.directory.as_ref().map(|it| it.as_ref()).transpose();
        let directory = directory.map_err(Clone::clone)?;
        let numbers = [0, 1, 2].map(|index: usize| self.streams[index].number());
        if self.streams.iter().any(|it| matches!(it, Stdio::Fd(fd) if fd.as_raw_fd() == 0)) {
            return Err(Error::new(Code::EINVAL, "a child gets no copy of descriptor 0"));
        }
        let (disposal, grace) = match self.disposal {
            // C takes 0 for the default.
            ProcessDisposal::Terminate(Some(grace)) => {
                (BELAY_PROCESS_TERMINATE, grace.as_secs_f64().max(0.001))
            }
            ProcessDisposal::Terminate(None) => (BELAY_PROCESS_TERMINATE, -1.0),
            ProcessDisposal::Kill => (BELAY_PROCESS_KILL, 0.0),
            ProcessDisposal::Leave => (BELAY_PROCESS_LEAVE, 0.0),
        };
        let flags = [
            (self.is_detached, BELAY_PROCESS_DETACHED),
            (self.user.is_some(), BELAY_PROCESS_SET_UID),
            (self.group.is_some(), BELAY_PROCESS_SET_GID),
        ];
        let flags = flags.iter().filter(|it| it.0).fold(0, |all, it| all | it.1);
        let raw = belay_process_options {
            args: arguments.as_ptr(),
            env: environment.as_ref().map_or(ptr::null(), |it| it.as_ptr()),
            cwd: directory.map_or(ptr::null(), |it| it.as_ptr()),
            input: numbers[0],
            output: numbers[1],
            error: numbers[2],
            flags,
            uid: self.user.unwrap_or(0),
            gid: self.group.unwrap_or(0),
            disposal,
            grace,
            ..belay_process_options::default()
        };
        let made = unsafe { Signal::<ProcessEvent>::made(belay_process(on.as_raw(), &raw)) };
        let is_copied = |it: &&Stdio| matches!(it, Stdio::Fd(_));
        let kept: Vec<Stdio> = self.streams.iter().filter(is_copied).cloned().collect();
        if kept.is_empty() {
            return Ok(made);
        }
        Ok(made.keeping(kept, on))
    }
}

/// The texts with NULL at the end.
fn pointers(texts: &[Result<CString>]) -> Result<Vec<*const c_char>> {
    let text = |text: &Result<CString>| text.as_ref().map(|it| it.as_ptr()).map_err(Clone::clone);
    let mut made = texts.iter().map(text).collect::<Result<Vec<_>>>()?;
    made.push(ptr::null());
    Ok(made)
}

/// The events of a process.
#[derive(Clone, Debug)]
pub enum ProcessEvent {
    /// It runs.
    Started(StartedProcess),
    /// It has ended.
    Exited {
        /// Its exit status.
        status: i64,
        /// The signal that ended it, or 0.
        signal: i32,
    },
}

/// A process that runs. A stream that nobody holds is closed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StartedProcess {
    /// Its number.
    pub pid: i32,
    /// Where its input is written, if that is a pipe.
    pub input: Option<Stream>,
    /// Where its output is read, if that is a pipe.
    pub output: Option<Stream>,
    /// Where its error is read, if that is a pipe.
    pub error: Option<Stream>,
}

impl Value for ProcessEvent {
    fn into_dynamic(self) -> Dynamic {
        match self {
            ProcessEvent::Started(it) => (it.pid, it.input, it.output, it.error).into_dynamic(),
            ProcessEvent::Exited { status, signal } => (status, signal).into_dynamic(),
        }
    }

    fn from_dynamic(value: &Dynamic) -> Result<ProcessEvent> {
        if value.len() == 2 {
            let (status, signal) = Value::from_dynamic(value)?;
            return Ok(ProcessEvent::Exited { status, signal });
        }
        let (pid, input, output, error) = Value::from_dynamic(value)?;
        Ok(ProcessEvent::Started(StartedProcess { pid, input, output, error }))
    }
}

impl Signal<ProcessEvent> {
    /// Starts a process for each subscription. Sends that it has started and that it has exited,
    /// then completes; its streams end for themselves, also later. A program that cannot be run is
    /// the error with libuv's code and the program's name.
    ///
    /// A subscription that ends before the process does with it what
    /// [`disposal`](ProcessOptions::disposal) says, and so does the close of the loop. It leaves no
    /// zombie, unless the system gives no thread and the child may live on. The program must not
    /// wait for children that are not its own (`waitpid(-1, …)`): a process of which it takes the
    /// exit status is the error ECHILD.
    ///
    /// ```
    /// use belay::{Loop, ProcessEvent, ProcessOptions, Signal, Stdio};
    ///
    /// # fn main() -> belay::Result<()> {
    /// let main = Loop::new()?;
    /// let options = ProcessOptions::new("sort").input(Stdio::Pipe).output(Stdio::Pipe);
    /// let lines = Signal::process(&main, &options).flat_map(|event| match event {
    ///     ProcessEvent::Started(child) => {
    ///         // The input is dropped, and so closed, behind this. A longer text, which does
    ///         // not fit into the pipe, would have to be waited for, by drained().
    ///         child.input.unwrap().write("pear\napple\n")?;
    ///         Ok(child.output.unwrap().lines(1000))
    ///     }
    ///     ProcessEvent::Exited { status: 0, .. } => Ok(Signal::empty()),
    ///     ProcessEvent::Exited { .. } => Err(belay::Error::new(belay::Code::EINVAL, "sort failed")),
    /// });
    /// lines.subscribe(|line| println!("{line}"))?;
    /// main.run()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn process(on: &Loop, options: &ProcessOptions) -> Signal<ProcessEvent> {
        options.signal(on).unwrap_or_else(|error| Signal::error(&error))
    }
}
