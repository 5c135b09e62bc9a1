"""The choice of a backend: what is asked for, what is demanded, who is trusted."""

from __future__ import annotations

import pytest

import sandbox
from harness.errors import BadInput
from harness.executors import backend_names, choose_backend, containment

TRUST = "add --trust-bots if you trust them"


def choose(wanted: str = "auto", require: str | None = None, *, trusted: bool = False) -> str:
    return choose_backend(wanted, require=require, trusted=trusted, what="--sandbox", to_trust=TRUST).name


class Named:
    def __init__(self, name: str) -> None:
        self.name = name


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with three tiers."""
    pairs = (("jail", "strict"), ("cage", "contained"), ("bare", "bare"))
    found = tuple(sandbox.Probe(name, tier, (), "cpu", ()) for name, tier in pairs)
    monkeypatch.setattr(containment, "probe", lambda: found)
    monkeypatch.setattr(containment, "backend", Named)


def test_here_bots_run_bare_and_only_if_they_are_trusted() -> None:
    assert backend_names() == ("auto", "bare")
    assert choose(trusted=True) == choose("bare", "bare", trusted=True) == "bare"
    for wanted in ("auto", "bare"):
        with pytest.raises(BadInput, match=f"^--sandbox: bots would run bare here, .*; {TRUST}$"):
            choose(wanted)


def test_a_backend_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match=r"^--sandbox: 'bear' is no sandbox backend; known: auto, bare$"):
        choose("bear", trusted=True)


def test_a_tier_that_can_not_be_had_is_refused_whoever_is_trusted() -> None:
    for trusted in (True, False):
        with pytest.raises(BadInput, match=r"^--sandbox: the tier 'contained' can't be had here"):
            choose(require="contained", trusted=trusted)


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize(
    ("wanted", "require", "chosen"),
    [
        ("auto", None, "jail"),
        ("auto", "bare", "jail"),
        ("auto", "contained", "jail"),
        ("cage", None, "cage"),
        ("cage", "contained", "cage"),
        ("jail", "contained", "jail"),
    ],
)
def test_the_strongest_is_taken_unless_one_is_named(
    wanted: str, require: str | None, chosen: str, trusted: bool
) -> None:
    assert choose(wanted, require, trusted=trusted) == chosen


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(("wanted", "require"), [("cage", "strict"), ("bare", "contained"), ("auto", "none")])
def test_what_is_weaker_than_demanded_is_refused(wanted: str, require: str) -> None:
    with pytest.raises(BadInput, match=f"the tier '{require}' can't be had"):
        choose(wanted, require, trusted=True)


@pytest.mark.usefixtures("three")
def test_bare_is_taken_where_it_is_named_and_the_bots_are_trusted() -> None:
    assert choose("bare", trusted=True) == "bare"
    with pytest.raises(BadInput, match="would run bare"):
        choose("bare")
