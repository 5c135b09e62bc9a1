"""The file of a record: any bytes are a record or a ReplayError of one sentence, and what verifies is right.

A record that is read is written and read back the same, packed or not, and as the store keeps it. `verify_record`
answers for any object, never by an exception; what it passes the second implementation passes too, and the other way
round. The same is asked of the record with its hashes put right, since a fuzzer can't guess them. What verifies can be
shown; what does not can be shown or is an illegal step.
"""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

from harness.cli.replay_show import can_be_drawn
from harness.cli.replay_view import game_lines, title_lines, trouble_lines
from harness.cli.result_table import seat_results
from harness.cli.terminal import UNICODE
from harness.errors import EditionError, ReplayError
from harness.game import IllegalStep
from harness.protocol import NotIJson, read_replay, read_strict, visible, write_replay
from harness.referee import verify_record
from harness.store.packing import packed, unpacked
from tests.fuzz.sentence import assert_sentence
from tests.records import random_record
from tests.second.replay import FAULT, FIELDS, FIXTURE, GAME, LIMITS, SANDBOX, SEAT, TIMING, hash_of, problems
from tests.second.rules import EDITIONS

RUNS = 15_000
LONGEST = 6_000
WORDS = (
    b'"CCC"',
    b'"LLL"',
    b'"xxx"',
    b'"...."',
    b'"CLxC"',
    b'"C.x."',
    b'"fixture":{"league":"a","season":1,"round":1,"number":1},',
    b'"match":"a/1/1/1"',
    b'"seed":"',
    b'"edition":',
    b'"hazards":',
    b'"relics":',
    b'"copies":',
    b'"treasures":',
    b'"faults":[',
    b'"incidents":[',
    b'"kind":"crashed"',
    b'"exit":null',
    b'"timing":',
    b'"decisions":',
    b'"scores":',
    b'"ranks":',
    b'"expeditions":',
    b"null",
    b"true",
    b"-1",
    b"3.0",
    b"0.5",
    b"9007199254740991",
    b"1e400",
    b"[]",
    b"{}",
    b'""',
    b"\\ud800",
    b"\\u001b",
    b"\x1f\x8b\x08",
    b"\xef\xbb\xbf",
)

EDITION = frozenset(EDITIONS["iello-2016"])
HAZARD = frozenset(("kind", "copies"))
CASES = Path(__file__).parents[2] / "cases" / "replays"


def check(data: bytes) -> bool:
    record = _read(data)
    if not data.startswith(b"\x1f\x8b"):
        assert _read(gzip.compress(data, 1)) == record
    if record is None:
        _assert_answers(data)
        return False
    assert read_replay(write_replay(record), "again") == record
    assert unpacked(packed(record)) == record
    holds = check_record(record)
    mended = put_right(record)
    return check_record(mended) if mended != record else holds


def check_record(record: dict[str, Any]) -> bool:
    """Whether a record that has the shape verifies, of which the second implementation has to think the same."""
    problem = verify_record(record)
    if problem is None:
        assert not _doubts(record)
    else:
        assert_sentence(visible(str(problem)))
        # It knows no field besides those of the contract.
        assert _doubts(record, strict=True), str(problem)
    _assert_shown(record, problem is None)
    return problem is None


def put_right(record: dict[str, Any]) -> dict[str, Any]:
    """The record with the hashes that it should have, by the second implementation."""
    mended = copy.deepcopy(record)
    mended["outcome"] = hash_of({name: mended[name] for name in ("edition", "seed", "seats", "games")})
    mended["digest"] = hash_of({name: value for name, value in mended.items() if name != "digest"})
    return mended


def _assert_shown(record: dict[str, Any], holds: bool) -> None:
    """A record that holds is shown; one that does not is shown, ends in an illegal step, or can't be drawn at all."""
    if not can_be_drawn(record):
        assert not holds
        return
    try:
        lines = [*title_lines(record, UNICODE), *trouble_lines(record, UNICODE, 80)]
        for game in range(1, len(record["games"]) + 1):
            lines += game_lines(record, game, UNICODE, 80)
        assert all(line.plain.isprintable() for line in lines)
        seat_results(record)
    except (IllegalStep, EditionError):
        assert not holds


def _read(data: bytes) -> dict[str, Any] | None:
    try:
        return read_replay(data, "fuzzed.json")
    except ReplayError as error:
        assert_sentence(error, "fuzzed.json: ")
        return None


def _assert_answers(data: bytes) -> None:
    """An object of whatever shape that calls itself a record is answered for, as `replay verify` asks."""
    try:
        value = read_strict(data.removeprefix(b"\xef\xbb\xbf"))
    except NotIJson:
        return
    if isinstance(value, dict) and value.get("format") == "tacora-replay/1":
        problem = verify_record(value)
        assert problem is not None
        assert_sentence(visible(str(problem)))


def _doubts(record: dict[str, Any], *, strict: bool = False) -> bool:
    """Whether the second implementation finds a problem; fields that it does not know are none unless `strict`."""
    try:
        return bool(problems(record if strict else known(record)))
    except Exception:
        # It was made for records that have the shape of one in each part.
        assert strict
        return True


def known(record: dict[str, Any]) -> dict[str, Any]:
    """The record without the fields that a reader does not know and ignores, and with the hashes that it then has."""
    kept = only(record, FIELDS | {"fixture"})
    for name, fields in (("limits", LIMITS), ("sandbox", SANDBOX), ("fixture", FIXTURE)):
        if name in kept:
            kept[name] = only(kept[name], fields)
    for name, fields in (("seats", SEAT), ("games", GAME), ("faults", FAULT), ("incidents", FAULT), ("timing", TIMING)):
        kept[name] = [only(item, fields) for item in kept[name]]
    kept["edition"] = known_edition(kept["edition"])
    return kept if kept == record else put_right(kept)


def known_edition(edition: dict[str, Any]) -> dict[str, Any]:
    kept = only(edition, EDITION)
    return {**kept, "hazards": [only(hazard, HAZARD) for hazard in kept["hazards"]]}


def only(data: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name in names}


def seeds() -> dict[str, bytes]:
    made = {
        f"good-{path.stem}": json.dumps(json.loads(path.read_bytes()), separators=(",", ":")).encode()
        for path in sorted(CASES.glob("*.json"))
    }
    fixture = {"league": "club", "season": 1, "round": 2, "number": 3}
    small = random_record("schmidt-2005", 3, 1, leave=0.6, fixture=fixture)
    faulty = random_record("iello-2016", 3, 1, faulty={1: 2}, leave=0.5)
    incident = {**faulty["faults"][0], "seat": 0, "kind": "crashed", "exit": -9, "got": "\u202e\x1b[31m"}
    plain = write_replay(small)
    return made | {
        "good-season": plain,
        "good-faulty": write_replay(faulty),
        "good-packed": gzip.compress(plain, mtime=0),
        "good-marked": b"\xef\xbb\xbf" + json.dumps(small, indent=1).encode(),
        "incident": write_replay(put_right({**faulty, "incidents": [incident]})),
        "good-unknown-fields": write_replay(put_right({**small, "weather": {"rain": [1, "mm"]}})),
        "short-scores": write_replay(
            put_right({**small, "games": [{**small["games"][0], "scores": [1], "ranks": []}]})
        ),
        "no-seats-left": write_replay(put_right({**small, "timing": [], "faults": faulty["faults"]})),
        "other-edition": write_replay(
            put_right({**small, "edition": {**small["edition"], "name": "own", "treasures": [0]}})
        ),
        "bad-edition": write_replay(
            put_right({**small, "edition": {**small["edition"], "name": "own", "hazards": []}})
        ),
        "fractions": plain.replace(b'"cpu_us":', b'"cpu_us":0.5,"x":'),
        "twice": plain.replace(b'"seed":', b'"seed":1,"seed":'),
        "cut": plain[:300],
        "packed-cut": gzip.compress(plain, mtime=0)[:-7],
        "list": b"[]",
        "claimed": b'{"format":"tacora-replay/1"}',
    }
