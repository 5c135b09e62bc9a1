"""What `replay verify` answers: yes, no with the place, or that the file is none of its kind."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

HEADER = {"format": "tacora-season/1", "league": "small"}


def test_a_changed_record_is_named_with_its_place(
    harness: Callable[..., Result], make_record: Any, replay_file: Any
) -> None:
    record = make_record()
    record["games"][1]["ranks"][2] += 1
    file = replay_file(record)
    done = harness("replay", "verify", file)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{file}: games[1].ranks[2]: ")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("field", ["outcome", "digest"])
def test_a_wrong_hash_is_told_with_what_stands_there_and_what_should(
    harness: Callable[..., Result], make_record: Any, replay_file: Any, field: str
) -> None:
    record = make_record()
    due = record[field]
    record[field] = "d0" * 32
    file = replay_file(record)
    done = harness("replay", "verify", file)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{file}: {field}: says {'d0' * 32}; ")
    # A wrong outcome is told before the digest that covers it.
    assert done.stdout.endswith(f" {due}\n")


# (what is changed in a record, the place that is named)
SHAPES: list[tuple[dict[str, Any], str]] = [
    ({"seed": 7}, "seed"),
    ({"seats": []}, "seats"),
    ({"seats": {}}, "seats"),
    ({"games": None}, "games"),
    ({"timing": [1]}, "timing[0]"),
    ({"fixture": None}, "fixture"),
    ({"edition": "iello-2016"}, "edition"),
    ({"faults": [{}]}, "faults[0]"),
]


@pytest.mark.parametrize(("changes", "place"), SHAPES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_record_of_a_wrong_shape_does_not_verify(
    harness: Callable[..., Result],
    make_record: Any,
    tmp_path: Path,
    changes: dict[str, Any],
    place: str,
    packed: bool,
) -> None:
    file = tmp_path / "match"
    text = json.dumps({**make_record(), **changes}, indent=1).encode()
    file.write_bytes(gzip.compress(text) if packed else text)
    done = harness("replay", "verify", file)
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{file}: {place}")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("header", [HEADER, {**HEADER, "season": "one"}, {"format": "tacora-season/1"}])
@pytest.mark.parametrize("more", ["", "{", "[]"])
def test_a_season_of_a_wrong_shape_does_not_verify(
    harness: Callable[..., Result], tmp_path: Path, header: dict[str, Any], more: str
) -> None:
    file = tmp_path / "season"
    file.write_text(f"{json.dumps(header)}\n{more}")
    done = harness("replay", "verify", file)
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{file}: line 1: ")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b"{}",
        b'{"format":"tacora-replay/2"}',
        b'{"format":["tacora-replay/1"]}',
        b'{"format":"tacora-replay/1","format":"tacora-replay/1"}',
        b'{"format":"tacora-replay/1","seed":NaN}',
        b'{"format":"tacora-replay/1","seed":"\xff"}',
        gzip.compress(b'{"format":"tacora-replay/1"}')[:-9],
        gzip.compress(b" " * (64 * 1024 * 1024 + 1)),
    ],
    ids=range(12),
)
def test_what_is_no_such_file_at_all_is_bad_input(harness: Callable[..., Result], tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "match"
    file.write_bytes(text)
    done = harness("replay", "verify", file)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"harness: {file}: ")
    assert done.stderr.count("\n") == 1


def test_a_file_that_cannot_be_read_hides_no_other_file(
    harness: Callable[..., Result], replay_file: Any, tmp_path: Path
) -> None:
    wrong = replay_file({"format": "tacora-replay/1"}, "wrong.json")
    done = harness("replay", "verify", tmp_path / "gone", wrong, replay_file())
    assert done.exit_code == 2
    assert done.stdout.splitlines()[0].startswith(f"{wrong}: ")
    assert done.stdout.endswith(": OK\n")
