"""The file of a season: any bytes get a report or a ReplayError of one sentence, and what verifies is right.

The report is the same for the file in gzip. What verifies, the second implementation passes too; asked as well of the
season with its hashes and chains put right, since a fuzzer can't guess them.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from typing import Any

from harness.errors import ReplayError
from harness.game import built_in
from harness.league import check_season, read_lines
from harness.league.season_file import SeasonReport
from harness.protocol import Limits, NotIJson, read_strict, visible
from harness.ratings import Parameters, Rating, Strength, match_ranks, official_table
from tests.fuzz.sentence import assert_sentence
from tests.fuzz.targets.replay_file import known, known_edition, only, put_right
from tests.records import random_record
from tests.second.ratings import ratings_after
from tests.second.replay import LIMITS, hash_of
from tests.second.rules import shake
from tests.second.season import HEADER, RATING, season_problems

RUNS = 7_000
LONGEST = 12_000
WORDS = (
    b'{"round":1,"entries":[',
    b'{"void":"club/1/1/1","reason":""}\n',
    b'{"results":"',
    b'"evidence":"',
    b'"secret":"',
    b'"commitment":"',
    b'"pairing":"round-robin"',
    b'"pairing":"other"',
    b'"seats":[3]',
    b'"games":1',
    b'"round":2',
    b'"number":2',
    b'"season":2',
    b'"void":"club/1/2/1"',
    b'"rating":{',
    b'"mu":"1e400"',
    b'"sigma":"0"',
    b'"heads":[',
    b'"ratings":[[["25.0","8.5"]',
    b'"official":[["ada","',
    b'"platform":"',
    b'"starts":[["ada","',
    b'"anchors":["ada"]',
    b'"divisions":[["ada"],["bob","cy"]]',
    b"9007199254740991",
    b"\n",
    b"\r\n",
    b"null",
    b"[]",
    b"{}",
    b"\x1f\x8b\x08",
    b"\xef\xbb\xbf",
)

SECRET = "000102030405060708090a0b0c0d0e0f"
COMMITMENT = "d65df89f702eec58ca3c7bf2001c9ffc7cd80553ae01d42a799ba26756142d96"
"""Of the secret, as the contract's vectors have it."""


def check(data: bytes) -> bool:
    report = _report(data)
    if not data.startswith(b"\x1f\x8b"):
        assert _report(gzip.compress(data, 1)) == report
    holds = _agrees(data, report)
    mended = chained(data)
    if mended is None or mended == data:
        return holds
    return _agrees(mended, _report(mended))


def _report(data: bytes) -> SeasonReport | None:
    try:
        report = check_season(read_lines(io.BytesIO(data), "fuzzed.jsonl"), "fuzzed.jsonl")
    except ReplayError as error:
        assert_sentence(error, "fuzzed.jsonl: ")
        return None
    for told in ([str(report.problem)] if report.problem is not None else []) + list(report.unchecked):
        assert_sentence(visible(told))
    return report


def _agrees(data: bytes, report: SeasonReport | None) -> bool:
    if report is None or report.problem is not None:
        return False
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    # Lines end at \n, as everywhere; other separators of lines may stand within a text.
    lines = [read_strict(line) for line in text.removesuffix(b"\n").split(b"\n")]
    kept = [_known(line) for line in lines]
    if kept != lines:
        kept[-1] |= _heads(kept[0], kept[1:-1])
    doubts = [doubt for doubt in season_problems(kept) if not doubt.startswith("header: rating")]
    assert not doubts, doubts
    assert report.records == sum("timing" in line for line in lines)
    return True


def _known(line: dict[str, Any]) -> dict[str, Any]:
    """A line without the fields that a reader does not know and ignores; those of the second implementation are few."""
    if "timing" in line:
        return known(line)
    if "commitment" in line:
        kept = only(line, HEADER)
        return {
            **kept,
            "rating": only(kept["rating"], RATING),
            "limits": only(kept["limits"], LIMITS),
            "edition": known_edition(kept["edition"]),
        }
    return only(line, frozenset(["round", "entries", "void", "reason", "results", "evidence", "secret"]))


def chained(data: bytes) -> bytes | None:
    """The season with the hashes, commitment and chains that it should have; None where it has not that shape."""
    try:
        lines = [read_strict(line) for line in data.removesuffix(b"\n").split(b"\n")]
    except NotIJson:
        return None
    if len(lines) < 2 or not all(isinstance(line, dict) for line in lines):
        return None
    try:
        header, *body, footer = lines
        body = [put_right(line) if "timing" in line else line for line in body]
        heads = _heads(header, body)
        return _file(
            [header, *body, {**footer, **heads, **({"heads": _each_head(header, body)} if "heads" in footer else {})}]
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _heads(header: dict[str, Any], body: list[dict[str, Any]]) -> dict[str, str]:
    results, evidence = _chains(header, body)[-1]
    return {"results": results, "evidence": evidence}


def _each_head(header: dict[str, Any], body: list[dict[str, Any]]) -> list[str]:
    return [results[:16] + evidence[:16] for results, evidence in _chains(header, body)]


def _chains(header: dict[str, Any], body: list[dict[str, Any]]) -> list[tuple[str, str]]:
    chains = [(hash_of(header), hash_of(header))]
    for line in body:
        is_record = "timing" in line
        results = _link(chains[-1][0], line["outcome"] if is_record else hash_of(line))
        chains.append((results, _link(chains[-1][1], line["digest"] if is_record else hash_of(line))))
    return chains


def _link(head: str, link: str) -> str:
    return hashlib.sha256((head + link).encode("ascii")).hexdigest()


def _file(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines)


def season(pairing: str, rounds: int, *, voided: bool = False, secret: bool = True, in_full: bool = False) -> bytes:
    """A season of three bots at tables of three with three matches a round, as the contract has it.

    `in_full` adds what header and footer may tell besides.
    """
    bots = ["ada", "bob", "cy"]
    entries = [[bot, f"{seat:064x}"] for seat, bot in enumerate(bots)]
    header = {
        "format": "tacora-season/1",
        "league": "club",
        "season": 1,
        "edition": built_in("schmidt-2005").to_json(),
        "pairing": pairing,
        "seats": [3],
        "games": 1,
        "limits": Limits().to_json(),
        "rating": {"mu": "25.0", "sigma": "8.5", "beta": "4.25", "tau": "0.0", "draw": "0.03"},
        "commitment": COMMITMENT,
    }
    if in_full:
        header |= {"anchors": ["bob"], "starts": [["ada", entries[0][1], "26.5", "3.25"]]}
    seed = shake(f"season/{SECRET}/{hash_of(entries)}", 16).hex()
    body: list[dict[str, Any]] = [{"round": 1, "entries": entries}]
    for round_ in range(1, rounds + 1):
        for number in range(1, 4):
            fixture = {"league": "club", "season": 1, "round": round_, "number": number}
            if voided and (round_, number) == (1, 2):
                body.append({"void": "club/1/1/2", "reason": "the machine burnt"})
                continue
            match = shake(f"match/s1/r{round_}/n{number}/{seed}", 16).hex()
            body.append(random_record("schmidt-2005", 3, 1, match, bots=bots, fixture=fixture, leave=0.7))
    if voided:
        body.append({"void": "club/1/1/1", "reason": ""})
    footer: dict[str, Any] = {**_heads(header, body), **({"secret": SECRET} if secret else {})}
    if in_full:
        history = ratings_after([header, *body, footer])
        footer |= {
            "heads": _each_head(header, body),
            "ratings": [[[repr(mu), repr(sigma)] for mu, sigma in seats] for seats in history],
            "platform": "elsewhere",
            "official": [_official_line(line) for line in _official(header, body)],
        }
    return _file([header, *body, footer])


def _official(header: dict[str, Any], body: list[dict[str, Any]]) -> list[Strength]:
    return official_table(
        Parameters.from_json(header["rating"]),
        [match_ranks(line) for line in body if "timing" in line],
        ranked=dict(body[0]["entries"]),
        starts={bot: Rating(float(mu), float(sigma)) for bot, _, mu, sigma in header["starts"]},
        anchors=header["anchors"],
    )


def _official_line(line: Strength) -> list[Any]:
    numbers = [repr(line.strength), repr(line.low), repr(line.high)]
    return [line.bot, line.version, line.division, line.games, *numbers, line.rank, line.rank_low, line.rank_high]


def seeds() -> dict[str, bytes]:
    whole = season("round-robin", 1)
    *head, last = whole.splitlines(keepends=True)
    return {
        "good-round-robin": whole,
        "good-packed": gzip.compress(season("round-robin", 2), mtime=0),
        "good-other-pairing": season("in-a-circle", 1, voided=True),
        "good-told-in-full": season("round-robin", 1, in_full=True),
        "good-running": season("in-a-circle", 1, secret=False),
        "good-ends-of-another-system": whole.replace(b"\n", b"\r\n"),
        "without-footer": b"".join(head),
        "twice-footer": whole + last,
        "out-of-order": b"".join([*head[:2], head[3], head[2], *head[4:], last]),
        "other-secret": whole.replace(SECRET.encode(), b"f" * 32),
        "rating": head[0].replace(b'"8.5"', b'"0"') + last,
        "rating-infinite": head[0].replace(b'"25.0"', b'"1e999"') + last,
        "marked": b"\xef\xbb\xbf" + whole[:1500],
        "cut": whole[:2000],
        "packed-cut": gzip.compress(whole, mtime=0)[:-5],
        "header-only": head[0],
        "void-before-header": b'{"void":"club/1/1/1","reason":""}\n' + head[0],
        "entries-wrong": head[0] + head[1].replace(b'"bob"', b'"ada"') + last,
    }
