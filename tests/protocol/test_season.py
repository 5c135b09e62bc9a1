"""Season files: the lines and the two chains."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from harness.errors import ReplayError
from harness.game import BUILT_IN
from harness.protocol import Chains, Limits, digest_of, read_season_line

ZEROS = "0" * 64
HEADER: dict[str, Any] = {
    "format": "tacora-season/1",
    "league": "starter",
    "season": 1,
    "edition": BUILT_IN["schmidt-2005"].to_json(),
    "pairing": "round-robin",
    "seats": [4],
    "games": 2,
    "limits": Limits().to_json(),
    "rating": {"mu": "25.0", "sigma": "8.333333333333334", "beta": "8.333333333333334", "tau": "0.0", "draw": "1e-05"},
    "commitment": "d65df89f702eec58ca3c7bf2001c9ffc7cd80553ae01d42a799ba26756142d96",
}
ENTRIES = {"round": 1, "entries": [["a", ZEROS], ["b-2", "f" * 64]]}
VOID = {"void": "starter/1/1/3", "reason": "the machine burnt"}
FOOTER = {"results": ZEROS, "evidence": ZEROS, "secret": "000102030405060708090a0b0c0d0e0f"}
RUNNING = {"results": ZEROS, "evidence": ZEROS}


def line(data: Any) -> bytes:
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("kind", "data"),
    [("header", HEADER), ("entries", ENTRIES), ("void", VOID), ("footer", FOOTER), ("footer", RUNNING)],
)
def test_a_line_is_read_as_what_it_is(kind: str, data: dict[str, Any]) -> None:
    assert read_season_line(line(data), "s.jsonl:1") == (kind, data)
    assert read_season_line(line({**data, "new": [1]}), "s.jsonl:1") == (kind, {**data, "new": [1]})


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({**HEADER, "format": "tacora-season/2"}, "no line of a season"),
        ({**HEADER, "format": ["tacora-season/1"]}, "no line of a season"),
        ({**HEADER, "league": "A league"}, "league"),
        ({**HEADER, "seats": []}, "seats"),
        ({**HEADER, "seats": [2]}, r"seats\[0\]"),
        ({**HEADER, "rating": {**HEADER["rating"], "mu": 25.0}}, "rating.mu"),
        ({**HEADER, "rating": {**HEADER["rating"], "mu": "many"}}, "rating.mu"),
        ({**HEADER, "edition": {**HEADER["edition"], "relics": None}}, "edition.relics"),
        ({**HEADER, "commitment": "?"}, "commitment"),
        ({**HEADER, "new": 0.5}, "new"),
        ({"round": 0, "entries": []}, "round"),
        ({"round": 1, "entries": [["a"]]}, r"entries\[0\]\[1\]"),
        ({"round": 1, "entries": [["a", ZEROS, 1]]}, r"entries\[0\]"),
        ({"round": 1, "entries": ["ab"]}, r"entries\[0\]"),
        ({"void": "starter/1/1/3"}, "reason"),
        ({"results": ZEROS}, "evidence"),
        ({**FOOTER, "secret": None}, "secret"),
        ({**FOOTER, "secret": "a"}, "secret"),
        ({"format": "tacora-replay/1"}, "harness"),
        ({"x": 1}, "no line of a season"),
        ([], "no line of a season"),
        ("void", "no line of a season"),
    ],
)
def test_names_file_line_and_field(data: Any, field: str) -> None:
    with pytest.raises(ReplayError, match=f"^s.jsonl:7: .*{field}"):
        read_season_line(line(data), "s.jsonl:7")


def test_a_line_is_as_strict_as_a_bots() -> None:
    for data in (b'{"void":"a","void":"a","reason":""}', b'{"void":"\\ud800","reason":""}', b"", b"{"):
        with pytest.raises(ReplayError, match=r"^s:1: "):
            read_season_line(data, "s:1")


def test_chains_are_what_the_contract_says() -> None:
    outcome, digest = "1" * 64, "2" * 64
    chains = Chains()
    chains.start(HEADER)
    first = digest_of(HEADER)
    assert (chains.results, chains.evidence) == (first, first)
    chains.add_line(ENTRIES)
    second = hashlib.sha256((first + digest_of(ENTRIES)).encode("ascii")).hexdigest()
    assert (chains.results, chains.evidence) == (second, second)
    chains.add_record(outcome, digest)
    assert chains.results == hashlib.sha256((second + outcome).encode("ascii")).hexdigest()
    assert chains.evidence == hashlib.sha256((second + digest).encode("ascii")).hexdigest()


def test_chains_go_on_from_kept_heads() -> None:
    whole = Chains()
    whole.start(HEADER)
    whole.add_record("1" * 64, "2" * 64)
    kept = Chains(whole.results, whole.evidence)
    for chains in (whole, kept):
        chains.add_line(VOID)
    assert (kept.results, kept.evidence) == (whole.results, whole.evidence)
