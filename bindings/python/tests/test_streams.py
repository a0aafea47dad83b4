"""Streams: connections, listeners, pipes and terminals."""

import asyncio
import errno
import fcntl
import gc
import inspect
import os
import pty
import signal
import socket
import struct
import tempfile
import termios
import threading
import tty
import unittest
from collections.abc import Callable, Coroutine
from typing import Any

import libbelay
from libbelay import (
    BelayError, Loop, Signal, Stream, StreamOptions, Subject, WindowSize, just, of, stream_open,
    stream_open_path, tcp_connect, tcp_listen, unix_connect, unix_listen,
)  # fmt: skip
from support import Case, Trace


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(coroutine, 60))
    gc.collect()


def pair(options: StreamOptions | None = None) -> tuple[Stream, socket.socket]:
    """A stream, and the other end of its connection."""
    ours, theirs = socket.socketpair()
    return stream_open(ours.detach(), options=options), theirs


async def until(signal: Signal[Any]) -> list[str]:
    """The name of the error with which it fails."""
    try:
        await signal
    except BelayError as error:
        return [error.name or ""]
    return []


async def send(peer: socket.socket, data: bytes) -> None:
    """Sends from a plain socket, then ends that side."""
    peer.setblocking(False)
    await asyncio.get_running_loop().sock_sendall(peer, data)
    peer.shutdown(socket.SHUT_WR)


async def discard(peer: socket.socket) -> None:
    """Reads until the end."""
    peer.setblocking(False)
    while await asyncio.get_running_loop().sock_recv(peer, 65536):
        pass


class Coroutines(Case):
    def test_an_echo_server_and_its_clients(self) -> None:
        async def serve(connection: Stream) -> None:
            with connection:
                async for line in connection.lines():
                    await connection.write(line.upper() + "\n")

        async def talk(port: int, name: str) -> list[str]:
            with await tcp_connect("localhost", port, options=StreamOptions(nodelay=True)) as stream:
                await stream.write(f"{name} one\n{name} ")
                await stream.write(b"two\n")
                stream.shutdown()
                return [line async for line in stream.lines()]

        async def main() -> None:
            with tcp_listen("127.0.0.1") as listener:
                assert listener.port is not None
                self.assertEqual(listener.address, f"127.0.0.1:{listener.port}")
                tasks: set[asyncio.Task[None]] = set()
                listener.connections.subscribe(lambda c: tasks.add(asyncio.create_task(serve(c))))
                answers = await asyncio.gather(*(talk(listener.port, name) for name in "ab"))
                self.assertEqual(answers, [["A ONE", "A TWO"], ["B ONE", "B TWO"]])
                await asyncio.gather(*tasks)
                tasks.clear()

        run(main())

    def test_more_short_lines_than_a_queue_takes(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            with stream, peer:
                sender = asyncio.create_task(send(peer, b"\n" * 100_000 + "ä".encode()))
                lines = [line async for line in stream.lines()]
                await sender
            self.assertEqual((len(lines), lines[0], lines[-1]), (100_001, "", "ä"))

        run(main())

    def test_a_slow_reader_lets_the_peer_wait(self) -> None:
        async def main() -> None:
            stream, peer = pair(StreamOptions(read_high=10_000))
            with stream, peer:
                sender = asyncio.create_task(send(peer, b"0123456789\n" * 200_000))
                count = most = 0
                async for line in stream.lines().filter(lambda line: line != "").map(len):
                    assert line == 10
                    count += 1
                    if count == 1:
                        # Much more has been sent than is read meanwhile, and than the system holds.
                        for _ in range(200):
                            await asyncio.sleep(0)
                        self.assertFalse(sender.done())
                    if count % 1000 == 0:
                        await asyncio.sleep(0)
                    most = max(most, stream.held)
                await sender
                self.assertEqual(count, 200_000)
                # A piece of 64 KiB is read at once, and each line in it counts 64 more.
                self.assertLess(most, 600_000)
                self.assertEqual(stream.held, 0)

        run(main())

    def test_what_a_stage_raises_ends_the_reading(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            with stream, peer:
                await send(peer, b"1\nx\n2\n")
                seen: list[int] = []
                with self.assertRaises(ValueError):
                    async for number in stream.lines().map(int):
                        seen.append(number)
                self.assertEqual(seen, [1])
                self.assertEqual(await until(stream.read()), ["EENDED"])

        run(main())

    def test_piece_by_piece_until_the_end(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            with stream, peer:
                peer.sendall(b"one")
                self.assertEqual(await stream.read(), b"one")
                peer.sendall(b"two")
                self.assertEqual(await stream.read(), b"two")
                peer.shutdown(socket.SHUT_WR)
                self.assertEqual(await until(stream.read()), ["EENDED"])

        run(main())

    def test_leaving_and_cancelling_stop_the_reading(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            with stream, peer:
                peer.sendall(b"a\nb\n")
                async for line in stream.lines():
                    self.assertEqual(line, "a")
                    self.assertEqual(await until(stream.read()), ["EBUSY"])
                    break
                task = asyncio.create_task(until(stream.read()))
                await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                peer.sendall(b"c")
                self.assertEqual(await stream.read(), b"c")

        run(main())

    def test_a_task_that_is_cancelled_loses_nothing(self) -> None:
        """Before the bytes come, when they have come, and when the task has been woken."""

        async def main() -> None:
            stream, peer = pair()
            with stream, peer:
                for make in (stream.read, lambda: stream.read().map(bytes.upper).filter(bool)):
                    for turns in range(6):
                        task = asyncio.ensure_future(libbelay._aio.first(make()))
                        await asyncio.sleep(0)
                        peer.sendall(b"a")
                        for _ in range(turns):
                            await asyncio.sleep(0)
                        read = task.result().lower() if task.done() else b""
                        task.cancel()
                        peer.sendall(b"b")
                        while len(read) < 2:
                            read += await stream.read()
                        self.assertEqual(read, b"ab")

        run(main())

    def test_pieces_that_an_iteration_has_not_taken_come_next(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            again = stream.read().map(bytes.upper).take(1)
            with stream, peer:
                peer.sendall(b"a")
                async for piece in stream.read():
                    self.assertEqual(piece, b"a")
                    del piece
                    peer.sendall(b"b")
                    while stream.held == 0:
                        await asyncio.sleep(0)
                    break
                peer.sendall(b"c")
                self.assertEqual([await again, await stream.read()], [b"B", b"c"])

        run(main())

    def test_a_connection_that_nobody_has_taken_comes_next(self) -> None:
        async def main() -> None:
            with tcp_listen("127.0.0.1") as listener, socket.socket() as peer:
                task = asyncio.ensure_future(libbelay._aio.first(listener.connections))
                await asyncio.sleep(0)
                peer.connect(("127.0.0.1", listener.port))
                while not task._fut_waiter.done():  # type: ignore[attr-defined]
                    await asyncio.sleep(0)
                task.cancel()
                with await listener.connections as connection:
                    peer.sendall(b"x")
                    self.assertEqual(await connection.read(), b"x")
                self.assertTrue(task.cancelled())

        run(main())

    def test_the_frames_of_bytes(self) -> None:
        async def main() -> None:
            cases: list[tuple[Callable[[Stream], Signal[bytes]], list[bytes]]] = [
                (lambda s: s.read().lines(100), [b"\0\2ab", b"c;d"]),
                (lambda s: s.read().frames_delimited(b";", 100), [b"\0\2ab\nc", b"d"]),
                (lambda s: s.read().frames_fixed(5), [b"\0\2ab\n", b"c;d"]),
                (lambda s: s.read().frames_prefixed(2, 100).take(1), [b"ab"]),
            ]
            for frames, wanted in cases:
                stream, peer = pair()
                with stream, peer:
                    await send(peer, b"\0\2ab\nc;d")
                    self.assertEqual([each async for each in frames(stream)], wanted)

        run(main())

    def test_limits_and_bytes_that_are_no_text(self) -> None:
        async def main() -> None:
            for sent, name in ((b"x" * 11 + b"\n", "EMSGSIZE"), (b"\xff\n", "EILSEQ")):
                stream, peer = pair()
                with stream, peer:
                    await send(peer, sent)
                    self.assertEqual(await until(stream.lines(10)), [name])

        run(main())

    def test_nobody_listens(self) -> None:
        async def main() -> None:
            with tcp_listen("127.0.0.1") as listener:
                port = listener.port
            assert port is not None
            with self.assertRaises(BelayError) as caught:
                await tcp_connect("127.0.0.1", port)
            self.assertEqual(caught.exception.name, "ECONNREFUSED")
            self.assertIn(f"127.0.0.1:{port}", str(caught.exception))

        run(main())


class Writing(Case):
    def test_a_peer_that_does_not_read(self) -> None:
        async def main() -> None:
            stream, peer = pair(StreamOptions(write_high=1000))
            with stream, peer:
                with self.assertRaises(BelayError) as caught:
                    while True:
                        stream.write(bytes(100_000))
                self.assertEqual(caught.exception.name, "EAGAIN")
                waiting = stream.waiting
                self.assertGreaterEqual(waiting, 1000)
                half = asyncio.ensure_future(stream.drained(waiting - 1))
                await asyncio.sleep(0)
                self.assertFalse(half.done())
                reading = asyncio.create_task(discard(peer))
                await half
                await stream.drained()
                stream.close()
                await reading

        run(main())

    def test_what_it_refuses(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            with stream, peer:
                with self.assertRaises(TypeError):
                    stream.write(5)  # type: ignore[arg-type]
                await stream.write(bytearray(b"ab"))
                await stream.write(memoryview(b"cd"))
                stream.shutdown()
                with self.assertRaises(BelayError) as caught:
                    stream.write("x")
                self.assertEqual(caught.exception.name, "EENDED")
                self.assertEqual(peer.recv(10), b"abcd")
                self.assertEqual(peer.recv(10), b"")
                # The other side goes on.
                peer.sendall(b"x")
                self.assertEqual(await stream.read(), b"x")
            closed, peer = pair()
            with peer:
                closed.close()
                with self.assertRaises(BelayError) as caught:
                    closed.write("x")
            self.assertEqual(caught.exception.name, "ECANCELED")

        run(main())

    def test_a_peer_that_has_gone(self) -> None:
        async def main() -> None:
            stream, peer = pair()
            peer.close()
            with stream:
                names: list[str | None] = []
                for _ in range(2):
                    try:
                        await stream.write("x")
                    except BelayError as error:
                        names.append(error.name)
                self.assertEqual(names, ["EPIPE", "EPIPE"])

        run(main())

    def test_whole_signals(self) -> None:
        async def main() -> None:
            one, sender = pair(StreamOptions(read_high=1000))
            other, receiver = pair(StreamOptions(write_high=1000))
            got = bytearray()
            with one, other, sender, receiver:
                feeding = asyncio.create_task(send(sender, bytes(500_000)))
                copying = asyncio.ensure_future(other.write_all(one.read()))
                receiver.setblocking(False)
                while len(got) < 500_000:
                    got += await asyncio.get_running_loop().sock_recv(receiver, 65536)
                await copying
                await feeding
                await other.write_all(of("x", b"y"))
                self.assertEqual(receiver.recv(10), b"xy")
                self.assertEqual(await until(other.write_all(just(1))), ["EKIND"])

        run(main())


class Loops(Case):
    def test_without_asyncio(self) -> None:
        with tempfile.TemporaryDirectory() as directory, Loop() as loop:
            path = os.path.join(directory, "socket")
            trace = Trace()
            with unix_listen(path) as listener:
                self.assertEqual((listener.address, listener.port), (path, None))
                listener.connections.take(1).flat_map(lambda c: c.write_all(c.read())).subscribe()

                def talk(stream: Stream) -> Signal[bytes]:
                    stream.write("text").subscribe(on_completed=stream.shutdown)
                    self.assertEqual(stream.peer_address, path)
                    return stream.read()

                unix_connect(path).flat_map(talk).subscribe(trace)
                loop.run()
            self.assertEqual(trace, [b"text", "|"])
            self.assertFalse(os.path.exists(path))

    def test_it_is_a_value(self) -> None:
        with Loop():
            stream, peer = pair()
            seen: list[object] = []
            subject: Subject[object] = Subject()
            subject.subscribe(seen.append)
            subject.on_next(stream)
            subject.on_next([stream, 1])
            self.assertEqual(seen, [stream, [stream, 1]])
            self.assertEqual(Stream.from_handle(stream.to_handle(), is_given=True), stream)
            seen.clear()
            del stream
            self.assertEqual(peer.recv(1), b"")
            peer.close()

    def test_a_disposable_closes_it(self) -> None:
        with Loop() as loop:
            stream, peer = pair()
            with stream.disposable():
                self.assertEqual(stream.held, 0)
            self.assertEqual(peer.recv(1), b"")
            listener = tcp_listen("127.0.0.1")
            trace = Trace()
            listener.connections.subscribe(trace)
            listener.disposable().dispose()
            loop.run()
            self.assertEqual(trace, [])
            peer.close()

    def test_a_fifo(self) -> None:
        with tempfile.TemporaryDirectory() as directory, Loop() as loop:
            path = os.path.join(directory, "fifo")
            os.mkfifo(path)
            with self.assertRaises(BelayError) as caught:
                stream_open_path(path, read=False, write=True)
            self.assertEqual(caught.exception.name, "ENXIO")
            trace = Trace()
            reader = stream_open_path(path)
            reader.lines().subscribe(trace)
            with stream_open_path(path, read=False, write=True) as writer:
                writer.write("one\ntw")
            loop.run()
            self.assertEqual(trace, ["one", "tw", "|"])
            del reader

    def test_a_terminal(self) -> None:
        with Loop() as loop:
            theirs, ours = pty.openpty()
            tty.setcbreak(ours)
            stream = stream_open(ours)
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
            self.assertEqual(stream.window_size, (80, 24))
            self.assertEqual(stream.window_size.columns, 80)
            sizes: list[WindowSize] = []
            with stream.window_sizes().take(2).subscribe(sizes.append):
                fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 25, 80, 0, 0))
                signal.raise_signal(signal.SIGWINCH)
                loop.run()
            self.assertEqual(sizes, [WindowSize(80, 24), WindowSize(80, 25)])
            stream.set_raw(True)
            os.write(theirs, b"\x03x")
            self.assertEqual(stream.read().wait_first(loop, 30), b"\x03x")
            stream.set_raw(False)
            stream.close()
            os.close(theirs)
            other, peer = pair()
            with other, peer:
                for call in (lambda: other.set_raw(True), lambda: other.window_size):
                    with self.assertRaises(BelayError) as caught:
                        call()
                    self.assertEqual(caught.exception.code, -errno.ENOTTY)

    def test_a_file_is_no_stream(self) -> None:
        with Loop(), tempfile.TemporaryFile() as file:
            with self.assertRaises(BelayError) as caught:
                stream_open(os.dup(file.fileno()))
            self.assertEqual(caught.exception.name, "EPERM")

    def test_options_and_arguments_that_are_wrong(self) -> None:
        with Loop():
            for port in (-1, 65536):
                with self.assertRaises(ValueError):
                    tcp_connect("localhost", port)
            with self.assertRaises(BelayError) as caught:
                tcp_listen("localhost")
            self.assertEqual(caught.exception.name, "EINVAL")
            with tcp_listen("127.0.0.1") as listener:
                assert listener.port is not None
                with self.assertRaises(BelayError) as caught:
                    tcp_listen("127.0.0.1", listener.port)
                self.assertEqual(caught.exception.name, "EADDRINUSE")
            shared = StreamOptions(reuse_port=True, backlog=5, ipv6_only=True, read_high=None)
            with tcp_listen("::1", options=shared) as listener:
                assert listener.port is not None
                tcp_listen("::1", listener.port, options=shared).close()
        with self.assertRaises(BelayError):
            tcp_connect("localhost", 1)
        for made in (Stream, libbelay.Listener):
            with self.assertRaises(TypeError):
                made()

    def test_reports_name_it(self) -> None:
        loop = Loop()
        # As of a program in a folder whose name is not UTF-8.
        self.assertTrue(StreamOptions(site=os.fsdecode(b"f\xff/x.py:1"))._in_c())
        options = StreamOptions(label="desk", read_high=100)
        line = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
        stream, peer = pair(options)
        with peer:
            [left] = loop.close()
        self.assertEqual((left.kind, left.label), ("stream", "desk"))
        self.assertEqual(left.site, f"{__file__}:{line}")
        self.assertEqual(options, StreamOptions(label="desk", read_high=100))
        del stream

    def test_threads_write_while_the_loop_runs(self) -> None:
        with Loop(persistent=True) as loop:
            stream, peer = pair(StreamOptions(write_high=None))
            got = bytearray()

            def write(mark: bytes) -> None:
                for _ in range(500):
                    stream.write(mark * 10)

            def receive() -> None:
                while len(got) < 10_000:
                    got.extend(peer.recv(65536))
                loop.stop()

            def ask() -> None:
                with self.assertRaises(BelayError) as caught:
                    stream.peer_address
                refused.append(caught.exception.name)

            refused: list[str | None] = []
            threads = [threading.Thread(target=write, args=(mark,)) for mark in (b"a", b"b")]
            threads.append(threading.Thread(target=receive))
            threads.append(threading.Thread(target=ask))
            for each in threads:
                each.start()
            loop.run()
            for each in threads:
                each.join()
            self.assertEqual((got.count(b"a"), got.count(b"b")), (5000, 5000))
            self.assertEqual((refused, stream.peer_address), (["EWRONGTHREAD"], ""))
            stream.close()
            peer.close()


if __name__ == "__main__":
    unittest.main()
