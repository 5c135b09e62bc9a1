"""The choice of a backend: what is asked for, what is demanded, who is trusted, and what is said where none will do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from harness.errors import BadInput
from harness.executors import backend_names, choose_backend, containment
from sandbox import BARE, Probe

TRUST = "add --trust-bots if you trust them"

NO_BWRAP = "there is no bwrap; apt install bubblewrap"
NO_GROUPS = "no control group can be made; start the harness with the rights to make one"
NO_DAEMON = "no Docker daemon answers; start one"


def choose(wanted: str = "auto", require: str | None = None, *, trusted: bool = False) -> Probe:
    return choose_backend(wanted, require=require, trusted=trusted, what="--sandbox", to_trust=TRUST)


def name_of(found: Probe) -> tuple[str, str]:
    return found.backend, found.tier


@dataclass
class Machine:
    """What each backend reaches on it, with what it lacks; and which of them were tried."""

    holds: dict[str, tuple[str, tuple[str, ...]]]
    tried: list[str] = field(default_factory=list)

    def probe(self, only: str) -> tuple[Probe, ...]:
        self.tried.append(only)
        if only == "bare":
            return (BARE,)
        tier, missing = self.holds[only]
        return (Probe(only, tier, (), "cpu", missing),)


MACHINES = {
    "roomy": {"bubblewrap": ("full", ()), "docker": ("full", ()), "landlock": ("confined", ())},
    "contained": {"bubblewrap": ("", (NO_BWRAP,)), "docker": ("full", ()), "landlock": ("confined", ())},
    "ordinary": {
        "bubblewrap": ("isolated", (NO_GROUPS,)),
        "docker": ("", (NO_DAEMON,)),
        "landlock": ("confined", (NO_GROUPS,)),
    },
    "old": {"bubblewrap": ("", (NO_BWRAP,)), "docker": ("", (NO_DAEMON,)), "landlock": ("confined", ())},
    "poor": {"bubblewrap": ("", (NO_BWRAP,)), "docker": ("", (NO_DAEMON,)), "landlock": ("", ("no Landlock",))},
}


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Machine]:
    """Puts the choice on one of the machines."""

    def put(name: str) -> Machine:
        machine = Machine(dict(MACHINES[name]))
        monkeypatch.setattr(containment, "probe", machine.probe)
        return machine

    return put


def test_the_words_are_auto_and_the_backends() -> None:
    assert backend_names() == ("auto", "bubblewrap", "docker", "landlock", "bare")


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize(
    ("machine", "chosen"),
    [
        ("roomy", ("bubblewrap", "full")),
        ("contained", ("docker", "full")),
        ("ordinary", ("bubblewrap", "isolated")),
        ("old", ("landlock", "confined")),
    ],
)
def test_auto_takes_the_strongest_whoever_is_trusted(
    on: Callable[[str], Machine], machine: str, chosen: tuple[str, str], trusted: bool
) -> None:
    on(machine)
    assert name_of(choose(trusted=trusted)) == chosen


def test_auto_tries_nothing_that_comes_after_a_full_one(on: Callable[[str], Machine]) -> None:
    machine = on("roomy")
    choose()
    assert machine.tried == ["bubblewrap"]


def test_auto_tries_all_where_none_is_full(on: Callable[[str], Machine]) -> None:
    machine = on("ordinary")
    choose()
    assert machine.tried == ["bubblewrap", "docker", "landlock", "bare"]


def test_a_backend_that_is_named_is_taken_and_no_other_tried(on: Callable[[str], Machine]) -> None:
    machine = on("ordinary")
    assert name_of(choose("landlock")) == ("landlock", "confined")
    assert machine.tried == ["landlock"]


@pytest.mark.parametrize("wanted", ["auto", "bare"])
def test_bots_that_are_trusted_run_bare_where_nothing_else_can_be_had(
    on: Callable[[str], Machine], wanted: str
) -> None:
    on("poor")
    assert choose(wanted, trusted=True) is BARE


def test_bare_is_taken_where_it_is_named_though_more_can_be_had(on: Callable[[str], Machine]) -> None:
    on("roomy")
    assert choose("bare", trusted=True) is BARE
    assert choose("bare", "bare", trusted=True) is BARE


@pytest.mark.parametrize("require", [None, "bare"])
def test_bots_that_are_not_trusted_never_run_bare(on: Callable[[str], Machine], require: str | None) -> None:
    on("roomy")
    with pytest.raises(BadInput, match=f"^--sandbox: bots would run bare here, free to do all that you can; {TRUST}$"):
        choose("bare", require)


def test_where_only_bare_is_left_it_says_what_each_backend_lacks(on: Callable[[str], Machine]) -> None:
    on("poor")
    with pytest.raises(BadInput) as refused:
        choose()
    assert str(refused.value) == (
        "--sandbox: bots would run bare here, free to do all that you can "
        f"(bubblewrap: {NO_BWRAP}; docker: {NO_DAEMON}; landlock: no Landlock); {TRUST}"
    )


@pytest.mark.parametrize("trusted", [True, False])
def test_a_named_backend_that_does_not_work_is_refused_with_its_reason(
    on: Callable[[str], Machine], trusted: bool
) -> None:
    on("poor")
    with pytest.raises(BadInput, match=f"^--sandbox: bots can't be run so here: docker: {NO_DAEMON}$"):
        choose("docker", trusted=trusted)


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize(
    ("machine", "wanted", "require", "chosen"),
    [
        ("ordinary", "auto", "isolated", ("bubblewrap", "isolated")),
        ("ordinary", "auto", "confined", ("bubblewrap", "isolated")),
        ("ordinary", "auto", "bare", ("bubblewrap", "isolated")),
        ("ordinary", "landlock", "confined", ("landlock", "confined")),
        ("contained", "auto", "full", ("docker", "full")),
        ("roomy", "landlock", "confined", ("landlock", "confined")),
    ],
)
def test_what_reaches_the_tier_that_is_demanded_is_taken(
    on: Callable[[str], Machine], machine: str, wanted: str, require: str, chosen: tuple[str, str], trusted: bool
) -> None:
    on(machine)
    assert name_of(choose(wanted, require, trusted=trusted)) == chosen


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize(
    ("machine", "wanted", "require", "says"),
    [
        ("ordinary", "auto", "full", f"bubblewrap is isolated: {NO_GROUPS}; "),
        ("ordinary", "auto", "full", f"docker: {NO_DAEMON}; "),
        ("ordinary", "landlock", "isolated", f"landlock is confined: {NO_GROUPS}; "),
        ("old", "auto", "isolated", f"bubblewrap: {NO_BWRAP}; docker: {NO_DAEMON}; "),
        ("poor", "auto", "confined", "landlock: no Landlock; "),
        ("poor", "bubblewrap", "full", f"bubblewrap: {NO_BWRAP}; "),
    ],
)
def test_a_tier_that_can_not_be_had_is_refused_with_what_is_missing_whoever_is_trusted(
    on: Callable[[str], Machine], machine: str, wanted: str, require: str, says: str, trusted: bool
) -> None:
    on(machine)
    with pytest.raises(BadInput) as refused:
        choose(wanted, require, trusted=trusted)
    sentence = str(refused.value)
    assert sentence.startswith(f"--sandbox: the tier '{require}' can't be had here: ")
    assert says in sentence
    assert sentence.endswith("; `harness doctor` tells more")
    assert TRUST not in sentence


@pytest.mark.parametrize(
    ("machine", "wanted", "require"),
    [
        # Both hold all that they ever promise, so nothing is missing, and it is less than what is demanded.
        ("roomy", "bare", "confined"),
        ("old", "landlock", "full"),
    ],
)
def test_a_tier_beyond_what_the_named_backend_promises_is_refused_with_that_reason(
    on: Callable[[str], Machine], machine: str, wanted: str, require: str
) -> None:
    on(machine)
    with pytest.raises(BadInput, match=f"^--sandbox: the tier '{require}' can't be had here: .*{wanted}.*; `harness "):
        choose(wanted, require, trusted=True)


def test_a_backend_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        BadInput,
        match=r"^--sandbox: 'bear' is no sandbox backend; known: auto, bubblewrap, docker, landlock, bare$",
    ):
        choose("bear", trusted=True)


def test_a_tier_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        BadInput, match=r"^--sandbox: 'contained' is no tier .*; known: full, isolated, confined, bare$"
    ):
        choose(require="contained", trusted=True)
