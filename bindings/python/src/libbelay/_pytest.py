"""pytest's plug-in: a marble test that was never run fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import testing


def _fail_unrun(since: int) -> None:
    if sites := testing.unrun(since):
        pytest.fail(f"{testing.NEVER_RUN}: {', '.join(sites)}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Around the body of each test: a marble test that was made there has to be run there."""
    since = testing.next_number()
    try:
        yield
    except BaseException:
        testing.unrun()  # the test has failed or been skipped already
        raise
    _fail_unrun(since)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Around the end of each test's fixtures: those of a fixture are run there at the latest."""
    yield
    _fail_unrun(0)
