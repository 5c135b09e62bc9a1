"""Which backends there are and what they say of themselves, here."""

from __future__ import annotations

import json
import os
import sys

import pytest

from sandbox import BACKENDS, BARE, TIERS, Probe, SandboxError, backend, probe


@pytest.fixture(scope="module")
def found() -> tuple[Probe, ...]:
    """All that is found on this machine."""
    return probe()


def test_bare_promises_nothing_and_says_so() -> None:
    bare = backend("bare")
    assert (bare.name, bare.tier, bare.layers) == ("bare", "bare", ())
    assert (BARE.backend, BARE.tier, BARE.layers, BARE.clock) == (bare.name, bare.tier, bare.layers, bare.clock)
    assert BARE.works
    assert "not limited" in BARE.missing[0]


def test_bare_alone_is_the_same_wherever_it_is_asked_for() -> None:
    assert probe("bare") == (BARE,)


def test_an_unknown_backend_is_named_with_those_there_are() -> None:
    with pytest.raises(SandboxError, match=r"'bar'.*bubblewrap, docker, landlock, bare"):
        backend("bar")


def test_each_backend_is_found_once_and_the_strongest_first(found: tuple[Probe, ...]) -> None:
    assert sorted(each.backend for each in found) == sorted(BACKENDS) == ["bare", "bubblewrap", "docker", "landlock"]
    ranks = [(*TIERS, "").index(each.tier) for each in found]
    assert ranks == sorted(ranks)


def test_what_can_not_be_used_has_no_layers_and_says_why(found: tuple[Probe, ...]) -> None:
    for each in found:
        if not each.works:
            assert each.tier == ""
            assert each.layers == ()
            assert each.missing


def test_what_is_less_than_full_says_what_is_missing(found: tuple[Probe, ...]) -> None:
    for each in found:
        assert each.missing or each.tier == "full"


def test_a_reason_is_one_visible_line(found: tuple[Probe, ...]) -> None:
    for each in found:
        for reason in each.missing:
            assert reason.isprintable()
            assert not reason.endswith(".")


def test_a_backend_that_works_says_what_its_probe_says(found: tuple[Probe, ...]) -> None:
    for each in found:
        if each.works:
            opened = backend(each)
            assert (opened.name, opened.tier) == (each.backend, each.tier)
            assert (set(opened.layers), opened.clock) == (set(each.layers), each.clock)


def test_a_backend_that_does_not_work_is_refused_with_its_reason() -> None:
    broken = Probe("bubblewrap", "", (), "cpu", ("there is no bwrap",))
    with pytest.raises(SandboxError, match="'bubblewrap' does not work here: there is no bwrap"):
        backend(broken)


def test_a_probe_passes_through_json_unchanged(found: tuple[Probe, ...]) -> None:
    for each in found:
        assert Probe.from_json(json.loads(json.dumps(each.to_json()))) == each


@pytest.mark.parametrize("name", BACKENDS)
def test_a_backend_alone_is_found_as_among_all(found: tuple[Probe, ...], name: str) -> None:
    (alone,) = probe(name)
    (among,) = (each for each in found if each.backend == name)
    assert (alone.tier, alone.layers, alone.clock) == (among.tier, among.layers, among.clock)


@pytest.mark.skipif(sys.platform != "linux", reason="CPU clocks of other processes are Linux's")
def test_linux_bills_cpu_time() -> None:
    assert backend("bare").clock == "cpu"


@pytest.mark.skipif(sys.platform != "linux", reason="PID namespaces are Linux's")
@pytest.mark.parametrize("name", ["bubblewrap", "docker", "landlock"])
def test_where_proc_numbers_processes_otherwise_nothing_can_be_held(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys.modules["sandbox.probe"], "own_number", lambda: os.getpid() + 1)
    (found,) = probe(name)
    assert not found.works
    assert "mount its own" in found.missing[0]
