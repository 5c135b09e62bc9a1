"""Records to show, verify and export, made by scripted tables; and the command line called in this process."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.game import begin_expedition, built_in, new_game, opaque_word, result, step
from harness.protocol import Limits, digest_without, outcome_of


def _letters(state: Any, chance: random.Random, faulty: dict[int, int], turn: int) -> str:
    letters = ["."] * state.seats
    for seat in state.inside:
        letters[seat] = "L" if chance.random() < 0.2 else "C"
        if faulty.get(seat, turn + 1) <= turn:
            letters[seat] = "x"
    return "".join(letters)


def _record(
    edition: str = "iello-2016",
    seats: int = 4,
    games: int = 2,
    seed: str = "000102030405060708090a0b0c0d0e0f",
    faulty: dict[int, int] | None = None,
    bots: list[str] | None = None,
) -> dict[str, Any]:
    """A record of a table that leaves with chance 0.2; `faulty` maps a seat to the turn from which it forfeits."""
    rules = built_in(edition)
    chance = random.Random(f"{edition} {seats} {seed}")
    played: list[dict[str, Any]] = []
    faults: list[dict[str, Any]] = []
    decisions = [0] * seats
    turn = 0
    for number in range(1, games + 1):
        state = new_game(rules, seed, number, seats, [fault["seat"] for fault in faults])
        expeditions: list[list[str]] = []
        for expedition in range(1, rules.expeditions + 1):
            if len(state.forfeited) == seats:
                expeditions.append([])
                continue
            begin_expedition(state)
            ended = None
            while ended is None:
                turn += 1
                letters = _letters(state, chance, faulty or {}, turn)
                for seat, letter in enumerate(letters):
                    decisions[seat] += letter in "CL"
                    if letter == "x":
                        faults.append(_fault(seat, number, expedition, turn))
                ended = step(state, letters)
            expeditions.append(list(state.turns))
        final = result(state)
        lists = {"scores": list(final.scores), "ranks": list(final.ranks), "relics": list(final.relics)}
        played.append({"expeditions": expeditions, **lists})
    names = bots or [f"bot-{seat}" for seat in range(seats)]
    record: dict[str, Any] = {
        "format": "tacora-replay/1",
        "harness": "test",
        "match": opaque_word(seed),
        "seed": seed,
        "edition": rules.to_json(),
        "seats": [{"bot": name, "version": f"{seat:064x}"} for seat, name in enumerate(names)],
        "games": played,
    }
    record["outcome"] = outcome_of(record)
    record["limits"] = Limits.model_validate({}).to_json()
    blank = [None] * seats
    record["sandbox"] = {"tier": "bare", "layers": [], "clock": "cpu", "interpreters": blank, "builds": blank}
    record["faults"] = faults
    record["incidents"] = []
    record["timing"] = [
        {"decisions": n, "late": 0, "cpu_us": 20 * n, "cpu_max_us": 40, "wall_us": 30 * n, "wall_max_us": 60}
        for n in decisions
    ]
    record["digest"] = digest_without(record)
    return record


def _fault(seat: int, game: int, expedition: int, turn: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "kind": "crashed",
        "game": game,
        "expedition": expedition,
        "turn": turn,
        "cpu_us": 1234,
        "wall_us": 5678,
        "expected": f"a decision for turn {turn}",
        "got": "",
        "exit": 1,
    }


@pytest.fixture
def make_record() -> Callable[..., dict[str, Any]]:
    return _record


@pytest.fixture
def replay_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a record, as `make_record` makes it or as given, to a file."""

    def write(record: dict[str, Any] | None = None, name: str = "match.json", **made: Any) -> Path:
        file = tmp_path / name
        file.write_text(json.dumps(record if record is not None else _record(**made)), encoding="utf-8")
        return file

    return write


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Result]:
    """Calls the command line in this process; words may be paths."""
    for name in ("LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "HARNESS_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("temporary")))

    def call(*words: object, env: dict[str, str] | None = None) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], env=env, prog_name="harness")

    return call
