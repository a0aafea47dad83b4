"""The values of a signal go to a subject, with what is special to Python."""

import unittest

from libbelay import Subject, of
from support import Case, Trace


class Binding(Case):
    def test_binding(self) -> None:
        subject: Subject[int] = Subject()
        trace = Trace()
        subject.subscribe(trace)
        of(1).bind(subject)
        self.assertEqual(trace, [1, "|"])


if __name__ == "__main__":
    unittest.main()
