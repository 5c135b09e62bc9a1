"""Records as files: the shape, the two hashes, gzip, and what a reader refuses."""

from __future__ import annotations

import copy
import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from harness.errors import ReplayError
from harness.game import BUILT_IN
from harness.protocol import (
    FAULT_KINDS,
    MAX_REPLAY,
    digest_without,
    outcome_of,
    read_replay,
    replay_problem,
    write_replay,
)
from harness.protocol.replay import Replay

EXAMPLES = sorted((Path(__file__).parent.parent / "cases" / "replays").glob("*.json"))
CONTRACT = "000102030405060708090a0b0c0d0e0f"


@pytest.fixture
def record() -> dict[str, Any]:
    path = next(path for path in EXAMPLES if path.name == "iello-2016-5-forfeit.json")
    read: dict[str, Any] = json.loads(path.read_bytes())
    return read


def test_there_are_six_examples() -> None:
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_gives_its_outcome_and_digest(path: Path) -> None:
    data = path.read_bytes()
    record = read_replay(data, path.name)
    assert record == json.loads(data)
    assert outcome_of(record) == record["outcome"]
    assert digest_without(record) == record["digest"]
    assert Replay.model_validate(record).model_dump(exclude_unset=True) == record


def test_outcome_of_the_contracts_vector() -> None:
    zeros = "0" * 64
    record = {
        "edition": BUILT_IN["iello-2016"].to_json(),
        "seed": CONTRACT,
        "seats": [{"bot": bot, "version": zeros} for bot in "abc"],
        "games": [{"expeditions": [["LLL"]] * 5, "scores": [5, 5, 5], "ranks": [1, 1, 1], "relics": [0, 0, 0]}],
    }
    assert outcome_of(record) == "c352d1a9d7b2e0790ee7c4b9f7692de86acec969e6de3c83a6d6c42555ef7d1e"


def test_outcome_covers_what_was_played_and_nothing_else(record: dict[str, Any]) -> None:
    before = outcome_of(record)
    record["timing"][0]["cpu_us"] += 1
    assert outcome_of(record) == before
    record["games"][0]["scores"][0] += 1
    assert outcome_of(record) != before


def test_fields_that_nobody_knows_stay_and_count_in_the_digest(record: dict[str, Any]) -> None:
    before = digest_without(record)
    record["weather"] = {"rain": [1, "mm"]}
    record["faults"][0]["mood"] = "low"
    read = read_replay(write_replay(record), "a.json")
    assert read == record
    assert digest_without(read) != before


def test_what_is_written_reads_back_in_any_wrapping(record: dict[str, Any]) -> None:
    record["faults"][0]["got"] = 'é\U0001f600\ufffd "\n'
    data = write_replay(record)
    assert data.endswith(b"}\n")
    assert data.count(b"\n") == 1
    assert "é\U0001f600".encode() in data
    for form in (
        data,
        gzip.compress(data),
        gzip.compress(data[:100]) + gzip.compress(data[100:]),
        gzip.compress(data) + bytes(10_000),
        b"\xef\xbb\xbf" + data,
        json.dumps(record, indent=4, sort_keys=True).encode(),
        data.replace(b'"seat":3,', b'"seat":3.0,'),
    ):
        assert read_replay(form, "a.json.gz") == record


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Sets the value given last at the path before it; ``...`` takes the member out."""

    def change(record: dict[str, Any]) -> None:
        *steps, last, value = path
        place: Any = record
        for step in steps:
            place = place[step]
        if value is ...:
            del place[last]
        else:
            place[last] = value

    return change


SEAT = {"bot": "a", "version": "0" * 64}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (put("format", "tacora-replay/2"), "format"),
        (put("format", ...), "format"),
        (put("harness", ...), "harness"),
        (put("match", 1), "match"),
        (put("seed", CONTRACT.upper()), "seed"),
        (put("seed", CONTRACT + "\n"), "seed"),
        (put("edition", "iello-2016"), "edition"),
        (put("edition", "hazards", 2, "copies", ...), "edition.hazards[2].copies"),
        (put("seats", [SEAT] * 2), "seats"),
        (put("seats", [SEAT] * 9), "seats"),
        (put("seats", 1, "bot", "Bot"), "seats[1].bot"),
        (put("seats", 1, "bot", "-bot"), "seats[1].bot"),
        (put("seats", 1, "version", "0" * 63), "seats[1].version"),
        (put("games", []), "games"),
        (put("games", 0, "expeditions", 2, 1, None), "games[0].expeditions[2][1]"),
        (put("games", 0, "expeditions", 2, "CCC"), "games[0].expeditions[2]"),
        (put("games", 0, "scores", 1, True), "games[0].scores[1]"),
        (put("games", 0, "scores", 1, -1), "games[0].scores[1]"),
        (put("games", 0, "scores", 1, 2.5), "games[0].scores[1]"),
        (put("games", 0, "ranks", ...), "games[0].ranks"),
        (put("outcome", "0"), "outcome"),
        (put("limits", "bank_ms", ...), "limits"),
        (put("limits", "move_ms", "100"), "limits.move_ms"),
        (put("sandbox", "clock", "sun"), "sandbox.clock"),
        (put("sandbox", "layers", None), "sandbox.layers"),
        (put("faults", 0, "kind", "sulked"), "faults[0].kind"),
        (put("faults", 0, "got", "a" * 1001), "faults[0].got"),
        (put("faults", 0, "exit", "1"), "faults[0].exit"),
        (put("faults", 0, "exit", ...), "faults[0].exit"),
        (put("faults", 0, "turn", 0), "faults[0].turn"),
        (put("faults", 0, "seat", 8), "faults[0].seat"),
        (put("faults", 0, "cpu_us", -1), "faults[0].cpu_us"),
        (put("incidents", {}), "incidents"),
        (put("timing", 4, "late", ...), "timing[4].late"),
        (put("digest", ...), "digest"),
        (put("fixture", None), "fixture"),
        (put("fixture", {"league": "a", "season": 1, "round": 1}), "fixture.number"),
        (put("fixture", {"league": "a b", "season": 1, "round": 1, "number": 1}), "fixture.league"),
        (put("extra", [{"deep": 0.5}]), "extra[0].deep"),
    ],
)
def test_names_the_field_that_is_wrong(record: dict[str, Any], change: Callable[[Any], None], field: str) -> None:
    change(record)
    problem = replay_problem(record)
    assert problem is not None
    assert problem[0] == field
    with pytest.raises(ReplayError) as caught:
        read_replay(write_replay(record), "bad.json")
    assert str(caught.value).startswith(f"bad.json: {field}: ")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (put("harness", ...), "bad.json: harness: is missing"),
        (put("sandbox", []), "bad.json: sandbox: is no object"),
        (put("games", 0, "scores", {}), "bad.json: games[0].scores: is no list"),
        (put("games", 0, "scores", 1, True), "bad.json: games[0].scores[1]: is no whole number"),
        (put("games", 0, "scores", 1, 2.5), "bad.json: games[0].scores[1]: is no whole number"),
        (put("faults", 0, "got", 1), "bad.json: faults[0].got: is no text"),
        (put("faults", 0, "kind", "sulked"), "bad.json: faults[0].kind: is no kind of fault"),
        (put("a\x1bb\n", 0.5), "bad.json: a⟨U+001B⟩b⟨U+000A⟩: is no whole number of magnitude below 2^53"),
    ],
)
def test_says_why(record: dict[str, Any], change: Callable[[Any], None], sentence: str) -> None:
    change(record)
    with pytest.raises(ReplayError) as caught:
        read_replay(write_replay(record), "bad.json")
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "change",
    [
        put("fixture", {"league": "a-1", "season": 1, "round": 2, "number": 3, "new": 0}),
        put("faults", 0, "exit", None),
        put("faults", 0, "exit", -9),
        put("faults", 0, "got", "\U0001f600" * 1000),
        put("games", 0, "scores", 0, 3.0),
        put("sandbox", "builds", [None, "0" * 64]),
        *[put("faults", 0, "kind", kind) for kind in FAULT_KINDS],
    ],
)
def test_takes(record: dict[str, Any], change: Callable[[Any], None]) -> None:
    change(record)
    assert replay_problem(record) is None
    assert read_replay(write_replay(record), "good.json") == record


def test_letters_and_lengths_are_left_to_verify(record: dict[str, Any]) -> None:
    for turns in (["CC"], ["ZZZZZ"], []):
        changed = copy.deepcopy(record)
        changed["games"][0]["expeditions"][0] = turns
        assert replay_problem(changed) is None


def test_a_record_of_another_reader_is_checked_for_what_has_no_hash(record: dict[str, Any]) -> None:
    for value in ("\ud800", 2**60, float("nan"), {"\udc00": 1}, 1e300):
        record["extra"] = [value]
        problem = replay_problem(record)
        assert problem is not None
        assert problem[0].startswith("extra[0]")


def test_kinds_of_fault_are_those_of_the_contract() -> None:
    assert set(FAULT_KINDS) == {
        *("start-failed", "start-timeout", "timeout", "crashed", "closed-output", "bad-message", "bad-turn"),
        *("bad-action", "output-flood", "memory", "processes", "disk"),
    }
    assert len(FAULT_KINDS) == 12


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "JSON"),
        (b"[]", "object"),
        (b"{}", "format"),
        (b'{"format":["tacora-replay/1"]}', "format"),
        (b'{"format":"tacora-replay/1","format":"tacora-replay/1"}', "two members"),
        (b'{"format":NaN}', "NaN"),
        (b"[" * 100_000, "deeper"),
        (b"\x1f\x8b", "decompressed"),
        (b"\x1f\x8bnonsense", "decompressed"),
        (gzip.compress(b"{}")[:-1], "decompressed"),
        (gzip.compress(b"{}")[:-8] + bytes(8), "decompressed"),
        (gzip.compress(b"{}") + b"rest", "decompressed"),
        (gzip.compress(b"{}") + gzip.compress(b"{}"), "JSON"),
        (b" " * (MAX_REPLAY + 1), "64 MiB"),
    ],
    ids=range(14),
)
def test_refuses_in_one_sentence(data: bytes, reason: str) -> None:
    with pytest.raises(ReplayError, match=reason) as caught:
        read_replay(data, "odd.json.gz")
    assert str(caught.value).startswith("odd.json.gz: ")
    assert "\n" not in str(caught.value)


def test_a_bomb_is_not_unpacked() -> None:
    packed = gzip.compress(b" " * 2**20) * 1024
    tracemalloc.start()
    try:
        with pytest.raises(ReplayError, match="64 MiB"):
            read_replay(packed, "bomb.gz")
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_REPLAY
    finally:
        tracemalloc.stop()


def test_a_file_full_of_mistakes_is_refused_at_the_first(record: dict[str, Any]) -> None:
    for path in (("games",), ("faults",), ("timing",), ("games", 0, "expeditions"), ("games", 0, "scores")):
        wrong = copy.deepcopy(record)
        put(*path, ["?"] * 1000)(wrong)
        with pytest.raises(ValidationError) as caught:
            Replay.model_validate(wrong)
        assert caught.value.error_count() < 10


def test_exactly_64_mib_is_taken(record: dict[str, Any]) -> None:
    data = write_replay(record)
    data += b" " * (MAX_REPLAY - len(data))
    assert read_replay(gzip.compress(data, 1), "long.gz") == record
    with pytest.raises(ReplayError, match="64 MiB"):
        read_replay(gzip.compress(data + b" ", 1), "long.gz")


def test_many_empty_members_are_no_burden() -> None:
    with pytest.raises(ReplayError, match="JSON"):
        read_replay(gzip.compress(b"") * 50_000, "many.gz")
