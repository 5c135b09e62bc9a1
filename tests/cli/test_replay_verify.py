"""What `replay verify` answers: yes, no with the place, or that the file is none of its kind."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from harness.cli.verify_progress import verify_progress
from harness.game import BUILT_IN
from harness.protocol import Limits
from tests.league.forging import sha

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


@pytest.fixture
def announced(tmp_path: Path) -> tuple[Path, str]:
    """The file of a season that was announced, and the head of its chains."""
    header = {
        "format": "tacora-season/1",
        "league": "small",
        "season": 1,
        "edition": BUILT_IN["schmidt-2005"].to_json(),
        "pairing": "round-robin",
        "seats": [4],
        "games": 2,
        "limits": Limits().to_json(),
        "rating": {"mu": "25.0", "sigma": "8.0", "beta": "4.0", "tau": "0.0", "draw": "0.03"},
        "commitment": "d65df89f702eec58ca3c7bf2001c9ffc7cd80553ae01d42a799ba26756142d96",
    }
    head = sha(header)
    footer = {"results": head, "evidence": head, "heads": [head[:16] * 2], "ratings": []}
    file = tmp_path / "season.jsonl"
    file.write_text(f"{json.dumps(header)}\n{json.dumps(footer)}\n")
    return file, head


def test_a_season_says_whether_it_holds_the_heads_that_were_published(
    harness: Callable[..., Result], announced: tuple[Path, str]
) -> None:
    file, head = announced
    done = harness("replay", "verify", file, "--results", head, "--evidence", head)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{file}: OK, and holds the published head of results and of evidence\n")
    done = harness("replay", "verify", file, "--evidence", "5" * 64)
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{file}: the 2 lines: evidence: ")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("head", ["", "5" * 63, "5" * 65, "5" * 63 + "g"])
def test_what_is_no_head_is_bad_usage(harness: Callable[..., Result], announced: tuple[Path, str], head: str) -> None:
    done = harness("replay", "verify", announced[0], "--results", head)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--results" in done.stderr


def test_a_published_head_is_of_one_season(
    harness: Callable[..., Result], announced: tuple[Path, str], replay_file: Any
) -> None:
    file, head = announced
    assert harness("replay", "verify", file, file, "--results", head).exit_code == 2
    record = replay_file()
    done = harness("replay", "verify", record, "--results", head)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"harness: {record}: a record is in no chain; ")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_all_lines_are_read_whether_or_not_a_bar_shows_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    lines = [b"%d" % number * 999 for number in range(2000)]
    file = tmp_path / "season"
    file.write_bytes(b"\n".join(lines))
    shown = stream()
    with file.open("rb") as opened, verify_progress(shown, opened) as follow:
        assert [line.strip() for line in follow(opened)] == lines
    assert ("rating again" in shown.getvalue()) == (stream is Terminal)
