"""The benchmark of containment: it measures what it says, and says so where it can't."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil
import sys

import pytest

from benchmarks import jail
from benchmarks.__main__ import jails
from sandbox import BARE, probe

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: apt install gcc libc6-dev")


@needs_compiler
@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap needs Linux")
def test_start_and_turn_are_measured_beside_plain_bubblewrap_and_a_bare_bot() -> None:
    (found,) = probe("bubblewrap")
    if not found.works:
        pytest.skip("; ".join(found.missing))
    with jail.echo_bot() as program:
        assert program is not None
        cost = jail.measure(found, jail.Sizes(starts=2, blocks=1, games=3), program)
    assert all(math.isfinite(figure) for figure in dataclasses.astuple(cost))
    assert min(cost.start_ms, cost.plain_ms, cost.bare_ms) > 0


@needs_compiler
def test_what_was_probed_reaches_the_process_that_measures() -> None:
    assert json.loads(json.dumps(BARE.to_json())) == {**BARE.to_json(), "layers": [], "missing": list(BARE.missing)}
    with jail.echo_bot() as program:
        assert program is not None
        cost = jail.measure(BARE, jail.Sizes(starts=2, blocks=1, games=3), program)
    assert cost.bare_ms > 0


def test_a_daemon_that_nobody_names_is_left_out_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARNESS_TEST_DOCKER", raising=False)
    found = jail.probed("docker")
    assert not found.works
    assert found.missing == ("HARNESS_TEST_DOCKER names no daemon",)


def test_without_a_compiler_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    (figure,) = jails(True)
    assert figure.measured == "skipped"
