"""Threads that send while subscriptions come and go and owners die, beside asyncio and without it."""

import asyncio
import gc
import os
import random
import threading
import unittest
from collections.abc import Callable
from typing import Any, Self

import libbelay
from libbelay import Loop, Subject, Subscription
from support import SLACK, Case, resident

THREADS = 3
#: BELAY_SOAK times as many for a long run, under AddressSanitizer or valgrind say.
ROUNDS = 300 * int(os.environ.get("BELAY_SOAK", "1"))


class Thing:
    """Something to own."""


class Senders:
    """Threads that send into a subject until they are told to end."""

    def __init__(self, send: Callable[[int], object]) -> None:
        self._send = send
        self._failures: list[BaseException] = []
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(THREADS)]

    def __enter__(self) -> Self:
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self._is_over.set()
        for each in self._threads:
            each.join()
        if self._failures:
            raise self._failures[0]

    def _run(self) -> None:
        number = 0
        try:
            while not self._is_over.is_set():
                self._send(number)
                number += 1
        except Exception as error:
            self._failures.append(error)


class SoakOfThreads(Case):
    def come_and_go(
        self, subject: Subject[Any], hear: Callable[[object], object], dice: random.Random
    ) -> None:
        """Subscribes by three ways; each ends by another cause."""
        thing = Thing()
        kept: list[Subscription] = [
            subject.map(lambda v: [v]).subscribe(hear),
            subject.filter(bool).map(str).subscribe(hear, owner=thing),
            subject.take(dice.randrange(1, 4)).subscribe(hear),
        ]
        dice.shuffle(kept)
        del thing
        kept[0].dispose()
        for each in kept:
            each.dispose()

    def test_shared_subjects(self) -> None:
        subject: Subject[int] = Subject(shared=True)
        dice = random.Random(1)
        first = threading.Event()

        def hear(_: object) -> None:
            first.set()

        with subject.subscribe(hear), Senders(subject.send_wait):
            self.assertTrue(first.wait(30))
            for _ in range(ROUNDS):
                self.come_and_go(subject, hear, dice)
        self.assertEqual(subject.subscriber_count, 0)

    def test_memory_stays_flat(self) -> None:
        """Threads send all the time, into a shared subject and to a loop; values are objects."""
        shared: Subject[object] = Subject(shared=True)
        dice, heard = random.Random(3), 0

        def hear(_: object) -> None:
            nonlocal heard
            heard += 1

        with Loop(persistent=True) as loop:
            homed: Subject[object] = Subject(loop=loop)

            def send(number: int) -> None:
                value = [number, Thing(), "text" * 10]
                shared.send_wait(value)
                homed.send_wait(value)

            def one_round() -> None:
                for _ in range(ROUNDS // 3):
                    for subject in (shared, homed):
                        self.come_and_go(subject, hear, dice)
                    loop.turn()

            with homed.subscribe(hear), shared.subscribe(hear):
                senders = Senders(send).__enter__()
                try:
                    # How much waits at most, and so the memory, grows for a while: the system decides
                    # which thread gets on. A leak goes on growing.
                    for _ in range(20):
                        one_round()
                    first = resident()
                    for _ in range(20):
                        one_round()
                    grown = resident() - first
                finally:
                    # The threads may wait for room, which only a turn of the loop makes.
                    ending = threading.Thread(target=senders.end)
                    ending.start()
                    while ending.is_alive():
                        loop.turn()
                    ending.join()
        print(f"{heard} values, grown by {grown >> 10} KiB to {resident() >> 10}")
        self.assertLess(grown, SLACK)
        self.assertGreater(heard, 1000)

    def test_beside_asyncio(self) -> None:
        async def main() -> None:
            dice = random.Random(2)
            subject: Subject[int] = Subject()
            heard = 0

            def hear(_: object) -> None:
                nonlocal heard
                heard += 1

            senders = Senders(subject.send_wait).__enter__()
            try:
                everything = subject.subscribe(hear)
                await subject
                for number in range(ROUNDS):
                    self.come_and_go(subject, hear, dice)
                    if number % 10 == 0:
                        tasks = [asyncio.ensure_future(subject.skip(n).first()) for n in range(3)]
                        tasks[0].cancel()
                        await asyncio.gather(*tasks, return_exceptions=True)
                        async for _ in subject.take(2):
                            break
                everything.dispose()
            finally:
                # The threads may wait for room, which only a turn of the loop makes.
                await asyncio.to_thread(senders.end)
            self.assertGreater(heard, 0)

        misuses = libbelay.misuse_count()
        asyncio.run(main())
        gc.collect()
        self.assertEqual(libbelay.misuse_count(), misuses)


if __name__ == "__main__":
    unittest.main()
