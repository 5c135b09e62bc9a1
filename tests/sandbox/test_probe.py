"""Which backends there are and what they say of themselves."""

from __future__ import annotations

import sys

import pytest

from sandbox import SandboxError, backend, probe


def test_bare_promises_nothing() -> None:
    bare = backend("bare")
    assert (bare.name, bare.tier, bare.layers) == ("bare", "bare", ())


def test_an_unknown_backend_is_named_with_those_there_are() -> None:
    with pytest.raises(SandboxError, match=r"'bar'.*bare"):
        backend("bar")


def test_the_probe_agrees_with_the_backend_and_says_what_is_missing() -> None:
    (found,) = probe()
    bare = backend(found.backend)
    assert (found.tier, found.layers, found.clock) == (bare.tier, bare.layers, bare.clock)
    assert found.missing


@pytest.mark.skipif(sys.platform != "linux", reason="CPU clocks of other processes are Linux's")
def test_linux_bills_cpu_time() -> None:
    assert backend("bare").clock == "cpu"
