"""Rules for the whole test run."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

NO_SKIPS = os.environ.get("HARNESS_NO_SKIPS") == "1"

# No test asserts a wall-clock time, so no example does either; and CI finds on one day what it finds on another.
settings.register_profile("house", deadline=None)
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed" if NO_SKIPS else "house")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where everything has been installed, a skipped test is a failure: otherwise a green run proves less each year."""
    report = yield
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped where no test may be: {reason}"
    return report
