"""Rules, records, lines and ratings of the harness against a second implementation made from the contract alone."""

from __future__ import annotations

import copy
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.game import BUILT_IN
from harness.referee import play
from sandbox import backend
from tests.e2e.harness_command import harness, league_text
from tests.records import random_record
from tests.referee.table import fixture, home
from tests.second.conversation import conversation
from tests.second.ratings import ratings_of
from tests.second.replay import check_record, hash_of, problems
from tests.second.rules import EDITIONS
from tests.second.season import check_season_file, is_record, season_problems

EXAMPLES = sorted((Path(__file__).parents[1] / "cases" / "replays").glob("*.json"))
LISTENER = Path(__file__).with_name("listener.py")


def example(name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((EXAMPLES[0].parent / f"{name}.json").read_text(encoding="utf-8"))
    return record


@pytest.mark.parametrize(
    "room", ["rules", "replay", "season", "conversation", "ratings", "listener", "strategies", "field"]
)
def test_the_second_implementation_uses_nothing_of_the_first(room: str) -> None:
    text = LISTENER.with_name(f"{room}.py").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(from|import)\s+(harness|sandbox)\b", text, re.MULTILINE)


def test_the_built_in_editions_are_those_of_the_rules() -> None:
    assert {name: edition.to_json() for name, edition in BUILT_IN.items()} == EDITIONS


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_example_records_hold(path: Path) -> None:
    check_record(json.loads(path.read_text(encoding="utf-8")))


def test_there_are_six_examples() -> None:
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize("edition", EDITIONS)
def test_both_come_to_the_same_results(edition: str, seats: int) -> None:
    # random_record plays by the harness and has the second implementation check what comes out.
    for number, leave in enumerate((0.02, 0.1, 0.3)):
        random_record(edition, seats, 4, f"{number:032x}", leave=leave)
        faulty = {seat: 5 + 20 * seat for seat in range(0, seats, 2)}
        random_record(edition, seats, 4, f"{16 + number:032x}", leave=leave, faulty=faulty)
    random_record(edition, seats, 3, leave=0.05, faulty=dict.fromkeys(range(seats), 9))


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a score": lambda r: r["games"][0]["scores"].__setitem__(0, r["games"][0]["scores"][0] + 1),
    "a rank": lambda r: r["games"][0]["ranks"].reverse(),
    "a relic": lambda r: r["games"][0]["relics"].__setitem__(1, 5),
    "a turn fewer": lambda r: r["games"][0]["expeditions"][0].pop(),
    "a turn more": lambda r: r["games"][0]["expeditions"][0].append("CCCCC"),
    "a letter": lambda r: r["games"][0]["expeditions"][0].__setitem__(0, "CCC.C"),
    "an expedition fewer": lambda r: r["games"][1]["expeditions"].pop(),
    "a fault fewer": lambda r: r["faults"].pop(),
    "a fault twice": lambda r: r["faults"].append(r["faults"][0]),
    "a fault's place": lambda r: r["faults"][0].update(turn=8),
    "a fault's kind": lambda r: r["faults"][0].update(kind="slow"),
    "a forfeiter's incident": lambda r: r["incidents"].append(r["faults"][0]),
    "an incident's place": lambda r: r["incidents"].append({**r["faults"][0], "seat": 0}),
    "decisions": lambda r: r["timing"][0].update(decisions=51),
    "a fraction": lambda r: r["timing"][0].update(cpu_us=0.5),
    "a seed": lambda r: r.update(seed="0" * 32),
    "a match's word": lambda r: r.update(match="0" * 16),
    "a field besides": lambda r: r.update(note=1),
    "an edition's data": lambda r: r["edition"].update(relics=[5] * 5),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_record_is_refused_though_its_hashes_fit(change: Callable[[dict[str, Any]], object]) -> None:
    record = example("iello-2016-5-forfeit")
    change(record)
    record["outcome"] = hash_of({name: record[name] for name in ("edition", "seed", "seats", "games")})
    record["digest"] = hash_of({name: value for name, value in record.items() if name != "digest"})
    assert problems(record)


@pytest.mark.parametrize("name", ["outcome", "digest"])
def test_a_changed_hash_is_refused(name: str) -> None:
    record = example("iello-2016-4")
    record[name] = "5" * 64
    assert any(problem.startswith(f"{name}:") for problem in problems(record))


def difference(due: object, got: object, where: str) -> str | None:
    """The first place where two JSON values differ; true is not 1 and 1.0 is not 1."""
    if type(due) is not type(got):
        return f"{where}: {got!r}, not {due!r}"
    if isinstance(due, dict) and isinstance(got, dict) and set(due) == set(got):
        return next(filter(None, (difference(due[name], got[name], f"{where}.{name}") for name in due)), None)
    if isinstance(due, list) and isinstance(got, list) and len(due) == len(got):
        pairs = enumerate(zip(due, got, strict=True))
        return next(filter(None, (difference(*pair, f"{where}[{index}]") for index, pair in pairs)), None)
    return None if due == got else f"{where}: {got!r}, not {due!r}"


def heard(file: Path) -> list[dict[str, Any]]:
    """The messages that a bot got, each on a line of the contract's form."""
    *lines, rest = file.read_bytes().split(b"\n")
    assert rest == b""
    messages = []
    for line in lines:
        text = line.decode("ascii")
        assert len(line) + 1 < 64 * 1024
        assert text.startswith('{"type":"')
        assert not re.search(r"\s", re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)), f"a space outside strings: {text}"
        assert all(re.fullmatch(r"0(\.\d+)?", roll) for roll in re.findall(r'"roll":([^,}]*)', text)), text
        messages.append(json.loads(text))
    return messages


@pytest.mark.parametrize("seats", [3, 5, 8])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_line_to_every_seat_is_what_it_must_be(tmp_path: Path, edition: str, seats: int) -> None:
    files = [tmp_path / f"seat-{seat}" for seat in range(seats)]
    strikes: dict[int, tuple[str, ...]] = {1: ("17",)}
    homes = [
        home(sys.executable, "-I", "-S", str(LISTENER), str(file), *strikes.get(seat, ()))
        for seat, file in enumerate(files)
    ]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    seed = f"{seats:032x}"
    table = fixture(seats, games=3, seed=seed, edition=edition)
    record = play(table, homes, backend=backend("bare"), scratch=scratch, stop_fd=-1).record
    check_record(record)
    assert [(fault["seat"], fault["kind"]) for fault in record["faults"]] == [(1, "bad-action")]
    for times in record["timing"]:
        assert times["cpu_max_us"] <= times["cpu_us"]
        assert times["wall_max_us"] <= times["wall_us"]
    for seat, due in enumerate(conversation(record)):
        got = heard(files[seat])
        assert [message["type"] for message in got] == [message["type"] for message in due], f"seat {seat}"
        assert difference(due, got, f"seat {seat}") is None


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that has been played: sample bots, and one that forfeits in the middle of its matches."""
    folder = tmp_path_factory.mktemp("league")
    striker = folder / "striker"
    striker.mkdir()
    (striker / "listener.py").write_bytes(LISTENER.read_bytes())
    command = '["python3", "listener.py", "/dev/null", "17"]'
    (striker / "bot.toml").write_text(f'name = "striker"\ncommand = {command}\n', encoding="utf-8")
    samples = [f'sample = "{name}"' for name in ("at-once", "random", "hazard-count", "gem-threshold", "fixed-depth")]
    path = folder / "league.toml"
    path.write_text(league_text("second", [*samples, 'path = "striker"'], seats="[3, 4]", games=5), encoding="utf-8")
    harness("run-league", path, cwd=folder)
    harness("replay", "export", path, "--season", "1", "--out", "season.jsonl", cwd=folder)
    return path


def test_the_ratings_are_those_of_the_package(league: Path) -> None:
    lines = check_season_file(league.with_name("season.jsonl"))
    records = [line for line in lines if is_record(line)]
    assert any(1 < fault["game"] < 5 for record in records for fault in record["faults"]), "nobody forfeits midway"
    assert any(len(set(game["ranks"])) < len(game["ranks"]) for record in records for game in record["games"])
    rows = json.loads(harness("standings", league, "--json", cwd=league.parent).stdout)["standings"]
    due = ratings_of(lines)
    assert {row["bot"] for row in rows} == set(due)
    for row in rows:
        assert (row["mu"], row["sigma"]) == pytest.approx(due[row["bot"]], abs=1e-9, rel=0), row["bot"]


def test_a_changed_season_is_refused(league: Path) -> None:
    lines = check_season_file(league.with_name("season.jsonl"))
    assert [*map(is_record, lines[2:4])] == [True, True]
    for number, field, to in (
        (0, "commitment", "5" * 64),
        (0, "games", 4),
        (1, "round", 2),
        (1, "entries", lines[1]["entries"][:-1]),
        (2, "seed", "0" * 32),
        (2, "digest", "5" * 64),
        (3, "fixture", lines[2]["fixture"]),
        (-1, "results", "5" * 64),
        (-1, "evidence", "5" * 64),
        (-1, "secret", "0" * 32),
    ):
        changed = copy.deepcopy(lines)
        changed[number][field] = to
        assert season_problems(changed), f"{field} of line {number}"
    for number in range(len(lines)):
        assert season_problems(lines[:number] + lines[number + 1 :]), f"without line {number}"
    assert season_problems([*lines[:2], lines[3], lines[2], *lines[4:]])
