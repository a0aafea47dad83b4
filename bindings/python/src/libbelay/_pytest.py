"""pytest's plug-in: a marble test that was never run fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import testing


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Around the body of each test."""
    testing.unrun()
    yield
    if testing.unrun():
        pytest.fail("a MarbleTest expects something and was never run: call its run()")
