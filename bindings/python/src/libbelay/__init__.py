"""Belay: signals, subscriptions, disposables and owners, on libuv.

>>> from libbelay import Subject, it
>>> numbers = Subject()
>>> with numbers.map(it * 2).filter(lambda n: n > 2).subscribe(print):
...     numbers.on_next(1)
...     numbers.on_next(2)
4
"""

from ._aio import from_async
from ._combining import and_, combine_latest, if_then_else, or_, race, switch_on, zip
from ._core import function_address
from ._creating import (
    create, defer, empty, from_, from_iterator, from_optional, from_result, generate, interval,
    just, never, of, range, repeat_value, start, start_eagerly, throw, timer, using,
)  # fmt: skip
from ._diagnostics import (
    delivery_stack, live_counts, lost_count, misuse_count, on_overlap, on_slow_callback, version,
)  # fmt: skip
from ._disposables import (
    Bag, BinaryDisposable, BooleanDisposable, CompositeDisposable, Disposable, RefCountDisposable,
    ScheduledDisposable, ScopedDisposable, SerialDisposable, SingleAssignmentDisposable,
    Subscription,
)  # fmt: skip
from ._errors import BelayError, on_unhandled_error
from ._exchange import SupportsBelaySignal, import_signal
from ._expressions import Expression, it
from ._flattening import concat, merge, merge_delay_error
from ._hosts import HostScheduler
from ._loops import Loop, current_scheduler
from ._owners import Owner, WeakOwner, owner_of
from ._processes import ProcessDisposal, ProcessExited, ProcessStarted, process
from ._properties import Command, Property, Request
from ._schedulers import (
    PoolScheduler, QueuePolicy, Recursion, Scheduler, SubscriptionScheduler, VirtualScheduler,
    Worker, immediate, trampoline,
)  # fmt: skip
from ._operators.sharing import ShareRules
from ._signals import Observer, Signal
from ._sources import (
    FILE_CHANGED, FILE_CREATED, FILE_LOST, FILE_REMOVED, POLL_DISCONNECT, POLL_PRIORITIZED,
    POLL_READABLE, POLL_WRITABLE, EntryKind, directory_list, file_chunks, file_events, file_lines,
    file_poll, file_read, file_write, host_name, lookup, poll, posix_signal, ticks, tree_events,
    udp, wall_timer, work,
)  # fmt: skip
from ._streams import (
    Listener, Stream, StreamOptions, WindowSize, stream_open, stream_open_path, tcp_connect,
    tcp_listen, unix_connect, unix_listen,
)  # fmt: skip
from ._subjects import (
    AsyncSubject, BehaviorSubject, Reentrancy, ReplaySubject, Subject, Subscriber,
)  # fmt: skip

__version__ = version()

__all__ = [
    "AsyncSubject", "Bag", "BehaviorSubject", "BelayError", "BinaryDisposable",
    "BooleanDisposable", "Command", "CompositeDisposable", "Disposable", "EntryKind",
    "Expression", "FILE_CHANGED", "FILE_CREATED", "FILE_LOST", "FILE_REMOVED", "HostScheduler",
    "Listener", "Loop", "Observer", "Owner", "POLL_DISCONNECT", "POLL_PRIORITIZED",
    "POLL_READABLE", "POLL_WRITABLE", "PoolScheduler", "ProcessDisposal", "ProcessExited",
    "ProcessStarted", "Property", "QueuePolicy", "Recursion", "Reentrancy",
    "RefCountDisposable", "ReplaySubject", "Request", "ScheduledDisposable", "Scheduler",
    "ScopedDisposable", "SerialDisposable", "ShareRules", "Signal",
    "SingleAssignmentDisposable", "Stream", "StreamOptions", "Subject", "Subscriber",
    "Subscription", "SubscriptionScheduler", "SupportsBelaySignal", "VirtualScheduler",
    "WeakOwner", "WindowSize", "Worker", "and_", "combine_latest", "concat", "create",
    "current_scheduler", "defer", "delivery_stack", "directory_list", "empty", "file_chunks",
    "file_events", "file_lines", "file_poll", "file_read", "file_write", "from_", "from_async",
    "from_iterator", "from_optional", "from_result", "function_address", "generate",
    "host_name", "if_then_else", "immediate", "import_signal", "interval", "it", "just",
    "live_counts", "lookup", "lost_count", "merge", "merge_delay_error", "misuse_count",
    "never", "of", "on_overlap", "on_slow_callback", "on_unhandled_error", "or_", "owner_of",
    "poll", "posix_signal", "process", "race", "range", "repeat_value", "start",
    "start_eagerly", "stream_open", "stream_open_path", "switch_on", "tcp_connect",
    "tcp_listen", "throw", "ticks", "timer", "trampoline", "tree_events", "udp", "unix_connect",
    "unix_listen", "using", "version", "wall_timer", "work", "zip",
]  # fmt: skip
