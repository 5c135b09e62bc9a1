"""`harness doctor`: what it draws, what it says as JSON, and when it says no."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import pytest
from click.testing import Result

from sandbox import BARE, Probe
from sandbox.trial import Attack, Verdict

Harness = Callable[..., Result]

ATTACKS = (
    Attack("steal_cake", "Steals a cake.", "the cake is gone.", ("locked-door",)),
    Attack("look_in", "Looks through the window.", "it knows the cake.", ()),
)
STRONG = Probe("bubblewrap", "full", ("locked-door", "fence"), "cpu", ())
WEAK = Probe("landlock", "confined", ("fence",), "cpu", ("there is no door: build one",))
BROKEN = Probe("docker", "", (), "cpu", ("there is no daemon: start one",))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """What this machine is to be like: what is found, and which attacks get through under which backend."""

    def make(*found: Probe, through: dict[str, Sequence[str]]) -> None:
        def tried(probe: Probe, chosen: Sequence[Attack]) -> Iterator[Verdict]:
            for attack in reversed(chosen):
                stopped = attack.name not in through.get(probe.backend, ())
                yield Verdict(attack.name, stopped, "no way" if stopped else "by the \x1b[2Jwindow")

        monkeypatch.setattr(
            "harness.cli.doctor.probe", lambda only: [one for one in found if only in (None, one.backend)]
        )
        monkeypatch.setattr("harness.cli.doctor.attacks", lambda: ATTACKS)
        monkeypatch.setattr("harness.cli.doctor.try_attacks", tried)

    return make


def test_where_all_is_stopped_that_is_promised_the_answer_is_yes(
    harness: Harness, machine: Callable[..., None]
) -> None:
    machine(STRONG, WEAK, BARE, BROKEN, through={"bubblewrap": ["look_in"], "landlock": ["steal_cake", "look_in"]})
    done = harness("doctor")
    assert done.exit_code == 0
    assert [line.split() for line in done.stdout.splitlines() if line.startswith(("steal cake", "look in"))] == [
        ["steal", "cake", "✔", "✘"],
        ["look", "in", "✘", "✘"],
    ]
    assert "bubblewrap: 1 of 2 attacks are stopped" in done.stdout
    assert "landlock: 0 of 2 attacks are stopped" in done.stdout
    assert "there is no door: build one" in done.stdout
    assert "docker: can not be used" in done.stdout
    assert "there is no daemon: start one" in done.stdout


def test_what_gets_through_though_it_was_promised_is_a_no(harness: Harness, machine: Callable[..., None]) -> None:
    machine(STRONG, through={"bubblewrap": ["steal_cake"]})
    done = harness("doctor")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == (
        "harness: attacks get through that should be stopped: bubblewrap: steal_cake"
    )
    assert "✘!" in done.stdout
    assert "steal_cake gets through, though it should be stopped" in done.stdout


def test_what_an_attack_said_moves_no_cursor(harness: Harness, machine: Callable[..., None]) -> None:
    machine(STRONG, through={"bubblewrap": ["look_in"]})
    assert "\x1b" not in harness("doctor").stdout


def test_attacks_are_not_tried_where_nothing_is_stopped(harness: Harness, machine: Callable[..., None]) -> None:
    machine(BARE, through={"bare": ["steal_cake", "look_in"]})
    done = harness("doctor", "--backend", "bare")
    assert done.exit_code == 0
    assert "bare stops nothing; attacks are not tried" in done.stdout
    assert "steal" not in done.stdout


def test_json_holds_every_verdict_and_whether_it_was_promised(harness: Harness, machine: Callable[..., None]) -> None:
    machine(STRONG, BROKEN, through={"bubblewrap": ["steal_cake"]})
    done = harness("doctor", "--json")
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert [(one["backend"], one["tier"], one["missing"]) for one in told["backends"]] == [
        ("bubblewrap", "full", []),
        ("docker", "", ["there is no daemon: start one"]),
    ]
    assert [(one["attack"], one["tries"], one["verdicts"]) for one in told["attacks"]] == [
        (
            "steal_cake",
            "Steals a cake.",
            {"bubblewrap": {"stopped": False, "promised": True, "how": "by the \x1b[2Jwindow"}},
        ),
        (
            "look_in",
            "Looks through the window.",
            {"bubblewrap": {"stopped": True, "promised": False, "how": "no way"}},
        ),
    ]


def test_a_terminal_without_signs_gets_words(
    harness: Harness, machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(STRONG, WEAK, through={"bubblewrap": ["steal_cake"], "landlock": ["steal_cake"]})
    done = harness("doctor", env={"LANG": "C"})
    assert [line.split() for line in done.stdout.splitlines() if line.startswith("steal cake")] == [
        ["steal", "cake", "x!", "x"]
    ]
    assert done.stdout.isascii()


def test_an_unknown_backend_is_bad_usage(harness: Harness) -> None:
    done = harness("doctor", "--backend", "cupboard")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cupboard" in done.stderr
