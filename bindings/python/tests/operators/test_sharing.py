"""One subscription to a source for all who listen, with what is special to Python."""

import unittest

import libbelay
from libbelay import ShareRules, of
from support import Case, Trace, told


class Sharing(Case):
    def test_connectables(self) -> None:
        runs: list[int] = []
        source = of(1, 2).initially(lambda: runs.append(1))
        for shared, expected in (
            (source.publish(), []), (source.replay(1), [2, "|"]),
            (source.multicast(libbelay.ReplaySubject()), [1, 2, "|"]),
        ):  # fmt: skip
            runs.clear()
            trace = Trace()
            with shared.subscribe(trace):
                shared.connect()
            self.assertEqual(trace, [1, 2, "|"])
            self.assertEqual(runs, [1])
            self.assertEqual(told(shared)[: len(expected)], expected)
        self.assertEqual(told(source.publish().ref_count()), [1, 2, "|"])
        self.assertEqual(told(source.publish().auto_connect()), [1, 2, "|"])
        self.assertEqual(told(source.share()), [1, 2, "|"])
        kept = source.share_replay(1, rules=ShareRules.KEEP_COMPLETED)
        runs.clear()
        self.assertEqual(told(kept) + told(kept), [1, 2, "|", 2, "|"])
        self.assertEqual(runs, [1])

    def test_shared_until_signals_send(self) -> None:
        source: libbelay.Subject[int] = libbelay.Subject()
        reset: libbelay.Subject[None] = libbelay.Subject()
        shared = source.share_until(unused=reset, replayed=1)
        shared.subscribe(Trace()).dispose()
        source.on_next(7)
        self.assertEqual(told(shared.take(1)), [7, "|"])
        self.assertEqual(source.subscriber_count, 1)
        reset.on_next(None)
        self.assertEqual(source.subscriber_count, 0)
        ended = of(1).share_until(completed=reset)
        self.assertEqual(told(ended) + told(ended), [1, "|", "|"])
        reset.on_next(None)
        self.assertEqual(told(ended), [1, "|"])

    def test_a_kept_connection_ends_with_its_source_or_its_loop(self) -> None:
        def live() -> int:
            return libbelay.live_counts()["subscriptions"]

        def hear_and_leave(source: libbelay.Signal[int]) -> None:
            source.share(ShareRules.KEEP_CONNECTION).subscribe(Trace()).dispose()

        subject: libbelay.Subject[int] = libbelay.Subject()
        hear_and_leave(subject)
        self.assertEqual(live(), self.before["subscriptions"] + 1)
        del subject
        self.assertEqual(live(), self.before["subscriptions"])
        # A source without an end is heard until the loop's: a thread without one keeps it.
        with libbelay.Loop():
            hear_and_leave(libbelay.never())
            self.assertEqual(live(), self.before["subscriptions"] + 1)
        self.assertEqual(live(), self.before["subscriptions"])


if __name__ == "__main__":
    unittest.main()
