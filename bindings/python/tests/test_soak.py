"""A million subscriptions that come and go: memory stays flat."""

import gc
import unittest

from libbelay import Subject, it, of, owner_of
from support import IS_CHECKED, SLACK, Case, resident

ROUND, ROUNDS = 50_000, 4 if IS_CHECKED else 20


class Thing:
    """Something to own."""


class Soak(Case):
    def test_a_million_subscriptions(self) -> None:
        subject: Subject[int] = Subject()
        heard = 0

        def hear(value: int) -> None:
            nonlocal heard
            heard += 1

        staged = subject.map(it + 1).filter(lambda v: v > 0)
        apart = subject.map(lambda v: v).skip(0)

        def one_round() -> None:
            for i in range(ROUND // 5):
                subject.subscribe(hear).dispose()
                with staged.subscribe(hear, print, print):
                    if i % 100 == 0:
                        subject.on_next(i)
                apart.subscribe(hear).dispose()
                of(1).map(lambda v: v).subscribe(hear)
                thing = Thing()
                subject.subscribe(hear, owner=thing)
                del thing

        one_round()
        first = None
        for number in range(ROUNDS):
            one_round()
            if number == 1:
                first = resident()
        assert first is not None
        grown = resident() - first
        print(f"{ROUND * ROUNDS} subscriptions, grown by {grown >> 10} KiB to {resident() >> 10}")
        self.assertLess(grown, SLACK)
        self.assertEqual(subject.subscriber_count, 0)
        self.assertGreater(heard, ROUND * ROUNDS // 5)

    def test_values_and_errors(self) -> None:
        def one_round() -> None:
            for i in range(20_000):
                value = Thing()
                of(value, [value, "text" * 10, b"bytes"], 2**80).map(lambda v: v).skip(1).subscribe(
                    lambda v: None
                )
                owner_of(value)
                of(i).map(lambda v: v // 0).subscribe(None, lambda error: None)

        one_round()
        one_round()
        gc.collect()
        first = resident()
        for _ in range(5):
            one_round()
        self.assertLess(resident() - first, SLACK)


if __name__ == "__main__":
    unittest.main()
