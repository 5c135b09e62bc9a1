"""Season files: a true one holds, and wherever one is tampered with, the first wrong place is named."""

import copy
import gzip
import hashlib
import io
import json
import random
from typing import Any

import pytest

from harness.errors import ReplayError
from harness.game import BUILT_IN, begin_expedition, new_game, result, step
from harness.league.season_file import check_season, read_lines, write_lines
from tests.league.forging import (
    Change,
    Line,
    at,
    chain,
    drop,
    insert,
    plus_one,
    repeat,
    seal,
    sha,
    swap,
    without,
)
from tests.second.season import season_problems

SECRET = "00112233445566778899aabbccddeeff"
VERSIONS = {bot: hashlib.sha256(bot.encode()).hexdigest() for bot in ("ada", "bob", "cy", "dee", "eve", "fay", "gus")}
LIMITS = {
    "start_ms": 10000, "move_ms": 100, "bank_ms": 5000, "stall_ms": 10000, "wait_ms": 60000, "memory_mb": 512,
    "processes": 64, "disk_mb": 64,
}  # fmt: skip
OTHER_HASH = "5" * 64

# An independent builder: hashes and chains from the contract's text by json and hashlib, games by random legal play.


def shake(text: str) -> str:
    return hashlib.shake_256(text.encode()).hexdigest(16)


def play(seed: str, number: int, seats: int, draw: random.Random, state: Any) -> list[list[str]]:
    expeditions = []
    for _ in range(state.edition.expeditions):
        turns: list[str] = []
        expeditions.append(turns)
        if len(state.forfeited) == seats:
            continue
        begin_expedition(state)
        ended = None
        while ended is None:
            letters = ["."] * seats
            for seat in state.inside:
                letters[seat] = draw.choices("CLx", (70, 29, 1))[0]
            turns.append("".join(letters))
            ended = step(state, turns[-1])
    return expeditions


def record_of(season_seed: str, round_: int, number: int, table: list[str], games: int = 2) -> Line:
    edition = BUILT_IN["iello-2016"]
    seed = shake(f"match/s1/r{round_}/n{number}/{season_seed}")
    draw = random.Random(f"{seed}")
    played: list[Line] = []
    faults: list[Line] = []
    forfeited: list[int] = []
    turn = 0
    decisions = [0] * len(table)
    for g in range(1, games + 1):
        state = new_game(edition, seed, g, len(table), forfeited)
        expeditions = play(seed, g, len(table), draw, state)
        for e, turns in enumerate(expeditions, 1):
            for letters in turns:
                turn += 1
                for seat, letter in enumerate(letters):
                    decisions[seat] += letter in "CL"
                    if letter == "x":
                        faults.append(
                            {
                                "seat": seat, "kind": "timeout", "game": g, "expedition": e, "turn": turn,
                                "cpu_us": 9, "wall_us": 9, "expected": "a decision", "got": "", "exit": None,
                            }
                        )  # fmt: skip
        forfeited = list(state.forfeited)
        final = result(state)
        played.append(
            {
                "expeditions": expeditions, "scores": list(final.scores), "ranks": list(final.ranks),
                "relics": list(final.relics),
            }
        )  # fmt: skip
    timing = {"late": 0, "cpu_us": 10, "cpu_max_us": 5, "wall_us": 20, "wall_max_us": 10}
    return seal(
        {
            "format": "tacora-replay/1",
            "harness": "0.1.0",
            "match": f"starter/1/{round_}/{number}",
            "fixture": {"league": "starter", "season": 1, "round": round_, "number": number},
            "seed": seed,
            "edition": edition.to_json(),
            "seats": [{"bot": bot, "version": VERSIONS[bot]} for bot in table],
            "games": played,
            "limits": dict(LIMITS),
            "sandbox": {"tier": "bare", "layers": [], "clock": "cpu", "interpreters": [], "builds": []},
            "faults": faults,
            "incidents": [],
            "timing": [{"decisions": count, **timing} for count in decisions],
        }
    )


def entries_line(round_: int, *bots: str) -> Line:
    return {"round": round_, "entries": [[bot, VERSIONS[bot]] for bot in sorted(bots)]}


def header() -> Line:
    return {
        "format": "tacora-season/1",
        "league": "starter",
        "season": 1,
        "edition": BUILT_IN["iello-2016"].to_json(),
        "pairing": "round-robin",
        "seats": [3, 4],
        "games": 2,
        "limits": dict(LIMITS),
        "rating": {
            "mu": "25.0",
            "sigma": "8.333333333333334",
            "beta": "8.333333333333334",
            "tau": "0.0",
            "draw": "0.03",
        },
        "commitment": hashlib.sha256(SECRET.encode()).hexdigest(),
    }


def close(lines: list[Line], secret: str | None = SECRET) -> list[Line]:
    """The lines with a footer that fits them, as files had it before it told more than the chains."""
    results, evidence = chain(lines)[-1]
    footer = {"results": results, "evidence": evidence}
    return [*lines, footer if secret is None else {**footer, "secret": secret}]


def cyclic(bots: str, size: int) -> list[list[str]]:
    names = {"a": "ada", "b": "bob", "c": "cy", "d": "dee", "e": "eve"}
    return [[names[bots[(i + j) % len(bots)]] for j in range(size)] for i in range(len(bots))]


def body() -> list[Line]:
    """Three rounds: of three, four and three seats; four bots at first, five from round 3 on.

    Lines: 1 header, 2 entries, 3–6 round 1, 7–10 round 2 with 9 a void in place of a record, 11 entries, 12–16 round 3,
    17 a void of the match of line 13.
    """
    first = [[bot, VERSIONS[bot]] for bot in ("ada", "bob", "cy", "dee")]
    seed = shake(f"season/{SECRET}/{sha(first)}")
    lines = [header(), entries_line(1, "ada", "bob", "cy", "dee")]
    for n, table in enumerate(cyclic("abcd", 3), 1):
        lines.append(record_of(seed, 1, n, table))
    for n, table in enumerate(cyclic("abcd", 4), 1):
        lines.append(record_of(seed, 2, n, table))
    lines[8] = {"void": "starter/1/2/3", "reason": "two failures"}
    lines.append(entries_line(3, "ada", "bob", "cy", "dee", "eve"))
    for n, table in enumerate(cyclic("abcde", 3), 1):
        lines.append(record_of(seed, 3, n, table))
    lines.append({"void": "starter/1/3/2", "reason": "a power cut"})
    return lines


BODY = body()
SEASON_SEED = shake(f"season/{SECRET}/{sha(BODY[1]['entries'])}")


def fresh() -> list[Line]:
    return copy.deepcopy(BODY)


def written(lines: list[Line]) -> list[bytes]:
    return [json.dumps(line).encode() for line in lines]


def test_a_season_that_ended_holds() -> None:
    lines = close(fresh())
    assert season_problems(lines) == []
    report = check_season(written(lines), "s.jsonl")
    assert report.problem is None
    assert report.unchecked == (
        "the footer has no heads and no ratings and no official, so nothing was held against them",
    )
    assert (report.records, report.voided, report.rounds) == (12, 2, 3)
    assert (report.results, report.evidence) == (lines[-1]["results"], lines[-1]["evidence"])
    assert check_season(written(lines), "s.jsonl").problem is None


def test_the_season_under_test_has_forfeits() -> None:
    assert sum(len(line["faults"]) for line in BODY if "faults" in line) >= 3


def test_a_season_that_runs_holds_and_says_what_can_not_be_checked() -> None:
    for count in range(2, len(BODY) + 1):
        report = check_season(written(close(fresh()[:count], None)), "s.jsonl")
        assert report.problem is None, count
        sentence = report.unchecked[0]
        assert "the season still runs" in sentence
        assert "seeds" in sentence
        assert "commitment" in sentence


def test_a_season_that_stops_within_a_round_holds_and_says_so() -> None:
    for secret in (SECRET, None):
        report = check_season(written(close(fresh()[:14], secret)), "s.jsonl")
        assert report.problem is None
        assert any("the season stops within round 3, after 3 of its 5 matches" in each for each in report.unchecked)


def test_a_season_announced_and_not_opened_holds() -> None:
    assert check_season(written(close([header()], None)), "s").problem is None


def test_a_pairing_that_is_not_known_is_said() -> None:
    lines = fresh()
    lines[0]["pairing"] = "swiss"
    del lines[5]
    report = check_season(written(close(lines)), "s")
    assert report.problem is None
    assert "'swiss' is not known here" in report.unchecked[0]


def test_layout_and_unknown_fields_do_not_matter() -> None:
    lines = fresh()
    lines[0]["remark"] = "ours"
    lines[1]["remark"] = ["a", 1]
    lines[2]["remark"] = {"b": True}
    seal(lines[2])
    spread_out = [json.dumps(line, indent=None, separators=(" , ", " : ")).encode() for line in close(lines)]
    assert check_season(spread_out, "s").problem is None


def test_what_is_written_is_read_back_and_holds() -> None:
    lines = close(fresh())
    plain = b"".join(write_lines(iter(lines)))
    for data in (plain, gzip.compress(plain), plain.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + plain):
        read = list(read_lines(io.BytesIO(data), "s.jsonl"))
        assert [json.loads(line) for line in read] == lines
        assert check_season(read, "s.jsonl").problem is None


def test_broken_gzip_is_an_error_of_the_file() -> None:
    data = gzip.compress(b"\n".join(written(close(fresh()))))
    for broken in (data[: len(data) // 2], data[:40] + bytes([data[40] ^ 255]) + data[41:]):
        with pytest.raises(ReplayError, match=r"^s\.jsonl: broken gzip"):
            list(read_lines(io.BytesIO(broken), "s.jsonl"))


class Endless(io.RawIOBase):
    """A file of one line that never ends; counts what was asked of it."""

    def __init__(self) -> None:
        self.given = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def readinto(self, buffer: Any) -> int:
        buffer[:] = b"a" * len(buffer)
        self.given += len(buffer)
        return len(buffer)


def test_a_line_without_end_is_refused_in_bounded_memory() -> None:
    endless = Endless()
    with io.BufferedReader(endless, 1 << 20) as file:
        problem = check_season(read_lines(file, "s"), "s").problem
    assert problem is not None
    assert str(problem).startswith("line 1: larger than 64 MiB")
    assert endless.given < 70 << 20


# What a forger could change. `raw` leaves hashes as they were; `sealed` makes every hash and chain fit again.


def rename(line: int, round_: int, number: int, league: str = "starter", season: int = 1) -> Change:
    def change(lines: list[Line]) -> None:
        record = lines[line - 1]
        record["fixture"] = {"league": league, "season": season, "round": round_, "number": number}
        record["match"] = f"{league}/{season}/{round_}/{number}"

    return change


def replay(line: int, round_: int, number: int, *table: str, seed: str = SEASON_SEED, games: int = 2) -> Change:
    def change(lines: list[Line]) -> None:
        lines[line - 1] = record_of(seed, round_, number, list(table), games)

    return change


def turn_added(turns: list[str]) -> list[str]:
    return [*turns, turns[-1]]


IN_5 = "line 5 (starter/1/1/3)"
IN_7 = "line 7 (starter/1/2/1)"
SMALL = {
    "name": "small", "expeditions": 1, "min_seats": 3, "max_seats": 3, "treasures": [1],
    "hazards": [{"kind": "a", "copies": 3}], "relics": [], "relic_entry": "start", "relic_value": "order",
    "tie_break": "none",
}  # fmt: skip

RAW: list[tuple[str, Change, str, str]] = [
    ("header: format", at(1, "format", to="tacora-season/2"), "line 1", "no line of a season"),
    ("header: gone", drop(1), "line 1", "begins with its header"),
    ("header: twice", repeat(1), "line 2", "a second header"),
    ("header: field gone", without(1, "commitment"), "line 1", "commitment"),
    ("header: season 0", at(1, "season", to=0), "line 1", "season"),
    ("header: games in quotes", at(1, "games", to="2"), "line 1", "games"),
    ("header: no edition", at(1, "edition", "treasures", 0, to=2), "line 1", "edition.treasures"),
    ("header: small edition", at(1, "edition", to=SMALL), "line 1", "seats[1]: 4; the edition takes 3 to 3"),
    ("header: rating no number", at(1, "rating", "mu", to="much"), "line 1", "rating.mu"),
    ("header: rating beyond bounds", at(1, "rating", "sigma", to="-1"), "line 1", "rating.sigma: -1"),
    ("header: league", at(1, "league", to="other"), "line 3 (starter/1/1/1)", "fixture.league: 'starter'"),
    ("header: season", at(1, "season", to=2), "line 3 (starter/1/1/1)", "fixture.season: 1"),
    (
        "header: seats",
        at(1, "seats", to=[4, 3]),
        "line 3 (starter/1/1/1)",
        "seats: 3; round 1 is played at tables of 4",
    ),
    ("header: games", at(1, "games", to=3), "line 3 (starter/1/1/1)", "games: 2; the header says 3"),
    ("header: limits", at(1, "limits", "move_ms", to=99), "line 3 (starter/1/1/1)", "limits: not that of the header"),
    ("header: commitment", at(1, "commitment", to=OTHER_HASH), "line 18", "secret: its SHA-256 is"),
    ("header: rating", at(1, "rating", "mu", to="26.0"), "line 18", "results:"),
    ("header: pairing", at(1, "pairing", to="swiss"), "line 18", "results:"),
    ("entries: gone", drop(2), "line 2 (starter/1/1/1)", "a match before the entries of round 1"),
    ("entries: another round", at(2, "round", to=2), "line 2", "round: 2;"),
    ("entries: unsorted", at(2, "entries", to=lambda e: e[::-1]), "line 2", "entries: not sorted"),
    ("entries: a bot left out", at(2, "entries", to=lambda e: e[1:]), "line 3 (starter/1/1/1)", "'ada' is not entered"),
    (
        "entries: a bot twice",
        at(2, "entries", to=lambda e: [e[0], *e]),
        "line 2",
        "entries[1]: 'ada' stands there twice",
    ),
    ("entries: another version", at(2, "entries", 0, 1, to=OTHER_HASH), "line 3 (starter/1/1/1)", "seats[0].version:"),
    ("entries: no version", at(2, "entries", 0, 1, to="x"), "line 2", "entries[0]"),
    ("entries: no change", at(11, "entries", to=lambda e: e[:-1]), "line 11", "entries: the same as before round 3"),
    ("entries: within a round", swap(11, 13), "line 11 (starter/1/3/2)", "out of order"),
    ("entries: late", swap(11, 12), "line 12", "round: 3; entries that change stand at the opening of round 4"),
    ("entries: a round later", at(11, "round", to=4), "line 11", "round: 4;"),
    ("entries: twice", repeat(11), "line 12", "stand in a line before"),
    ("record: gone", drop(5), "line 5 (starter/1/1/4)", "1/4 is out of order; round/number is 1/3 or 2/1 next"),
    ("record: first gone", drop(3), "line 3 (starter/1/1/2)", "1/2 is out of order; round/number is 1/1 next"),
    ("record: last of a round gone", drop(6), "line 6 (starter/1/2/1)", "round 1 has 3 of its 4 matches"),
    ("record: last before entries gone", drop(10), "line 10", "round 2 has 3 of its 4 matches"),
    ("record: twice", repeat(5), "line 6 (starter/1/1/3)", "out of order"),
    ("record: exchanged", swap(4, 5), "line 4 (starter/1/1/3)", "out of order"),
    ("record: no fixture", without(5, "fixture"), IN_5, "fixture: missing"),
    ("record: match", at(5, "match", to="starter/1/1/7"), "line 5 (starter/1/1/7)", "match:"),
    ("record: number", at(5, "fixture", "number", to=2), IN_5, "fixture: 1/2 is out of order"),
    ("record: round", at(5, "fixture", "round", to=2), IN_5, "fixture: 2/3 is out of order"),
    ("record: seed", at(5, "seed", to="0" * 32), IN_5, "seed: " + "0" * 32),
    ("record: seed of another", at(5, "seed", to=BODY[3]["seed"]), IN_5, "seed: " + BODY[3]["seed"]),
    ("record: edition", at(5, "edition", to=BUILT_IN["schmidt-2005"].to_json()), IN_5, "edition: not that of"),
    ("record: limits", at(5, "limits", "bank_ms", to=1), IN_5, "limits: not that of the header"),
    ("record: bot", at(5, "seats", 0, "bot", to="eve"), IN_5, "seats[0].bot: 'eve' is not entered in round 1"),
    ("record: version", at(5, "seats", 2, "version", to=OTHER_HASH), IN_5, "seats[2].version: 5555"),
    ("record: seats exchanged", at(5, "seats", to=lambda s: s[::-1]), IN_5, "outcome:"),
    ("record: a game fewer", at(5, "games", to=lambda g: g[:1]), IN_5, "games: 1; the header says 2"),
    ("record: score", at(5, "games", 0, "scores", 0, to=plus_one), IN_5, "games[0].scores[0]:"),
    ("record: rank", at(5, "games", 1, "ranks", 1, to=plus_one), IN_5, "games[1].ranks[1]:"),
    ("record: relics", at(5, "games", 1, "relics", 2, to=plus_one), IN_5, "games[1].relics[2]:"),
    ("record: a turn more", at(5, "games", 0, "expeditions", 4, to=turn_added), IN_5, "games[0].expeditions[4]"),
    ("record: an expedition fewer", without(5, "games", 0, "expeditions", 4), IN_5, "games[0].expeditions"),
    ("record: outcome", at(5, "outcome", to=OTHER_HASH), IN_5, "outcome:"),
    ("record: digest", at(5, "digest", to=OTHER_HASH), IN_5, "digest:"),
    ("record: times", at(5, "timing", 0, "cpu_us", to=plus_one), IN_5, "digest:"),
    ("record: decisions", at(5, "timing", 0, "decisions", to=plus_one), IN_5, "timing[0].decisions"),
    ("record: harness", at(5, "harness", to="0.2"), IN_5, "digest:"),
    ("record: tier", at(5, "sandbox", "tier", to="full"), IN_5, "digest:"),
    ("record: a field gone", without(5, "timing"), "line 5", "timing"),
    ("record: a fraction", at(5, "timing", 0, "cpu_us", to=0.5), "line 5", "timing[0].cpu_us"),
    ("void: league", at(9, "void", to="other/1/2/3"), "line 9", "void: 'other/1/2/3' is no match of starter/1"),
    ("void: no match", at(9, "void", to="2/3"), "line 9", "void: '2/3' is no match"),
    ("void: a control character", at(9, "void", to="\x1b[2J"), "line 9", "void: '⟨U+001B⟩[2J' is no match"),
    ("void: zeros", at(9, "void", to="starter/1/2/03"), "line 9", "is no match"),
    ("void: another", at(9, "void", to="starter/1/2/4"), "line 9 (starter/1/2/4)", "void: 2/4 is out of order"),
    ("void: of the past", at(9, "void", to="starter/1/1/3"), "line 10 (starter/1/2/4)", "2/4 is out of order"),
    ("void: gone", drop(9), "line 9 (starter/1/2/4)", "out of order"),
    ("void: twice", repeat(9), "line 10 (starter/1/2/3)", "void: starter/1/2/3 is voided by a line before"),
    ("void: at the end gone", drop(17), "line 17", "results:"),
    ("void: of the future", at(17, "void", to="starter/1/3/7"), "line 17 (starter/1/3/7)", "void: 3/7 is out of order"),
    (
        "void: beyond the round",
        at(17, "void", to="starter/1/3/6"),
        "line 17 (starter/1/3/6)",
        "number 6 of a round that has 5",
    ),
    ("void: reason", at(17, "reason", to="none"), "line 18", "results:"),
    ("void: no reason", without(17, "reason"), "line 17", "reason"),
    ("footer: gone", drop(18), "line 17", "ends without a footer"),
    ("footer: twice", repeat(18), "line 19", "stands after the footer"),
    ("footer: before the end", swap(17, 18), "line 17", "results:"),
    ("footer: results", at(18, "results", to=OTHER_HASH), "line 18", "results: 5555"),
    ("footer: evidence", at(18, "evidence", to=OTHER_HASH), "line 18", "evidence: 5555"),
    ("footer: no evidence", without(18, "evidence"), "line 18", "evidence"),
    ("footer: secret", at(18, "secret", to="f" * 32), "line 18", "secret: its SHA-256 is"),
    ("footer: no secret", at(18, "secret", to=None), "line 18", "secret"),
    ("footer: a short secret", at(18, "secret", to="f"), "line 18", "secret"),
]

SEALED: list[tuple[str, Change, str, str]] = [
    ("a seed of the forger's", replay(5, 1, 3, "cy", "dee", "ada", seed="f" * 32), IN_5, "seed:"),
    ("a match of the season before", rename(5, 1, 3, season=2), "line 5 (starter/2/1/3)", "fixture.season: 2"),
    ("a match of another league", rename(5, 1, 3, league="other"), "line 5 (other/1/1/3)", "fixture.league: 'other'"),
    ("a match in place of another", replay(5, 1, 4, "cy", "dee", "ada"), "line 5 (starter/1/1/4)", "out of order"),
    ("records under each other's numbers",
     lambda lines: (swap(4, 5)(lines), rename(4, 1, 2)(lines), rename(5, 1, 3)(lines)),
     "line 4 (starter/1/1/2)", "seed:"),
    ("a table too large", replay(5, 1, 3, "ada", "bob", "cy", "dee"), IN_5, "round 1 is played at tables of 3"),
    ("a table too small", replay(7, 2, 1, "ada", "bob", "cy"), IN_7, "seats: 3; round 2 is played at tables of 4"),
    ("a bot that is not entered", replay(5, 1, 3, "cy", "eve", "ada"), IN_5, "seats[1].bot: 'eve' is not entered"),
    ("a bot twice at a table", replay(5, 1, 3, "cy", "ada", "cy"), IN_5, "seats[2].bot: 'cy' sits on seat 0 too"),
    ("a match of fewer games", replay(5, 1, 3, "cy", "dee", "ada", games=1), IN_5, "games: 1"),
    ("a score", at(5, "games", 0, "scores", 0, to=plus_one), IN_5, "games[0].scores[0]"),
    ("a turn", at(5, "games", 0, "expeditions", 0, 0, to="..."), IN_5, "games[0].expeditions[0][0]"),
    ("the entries of round 1", at(2, "entries", to=lambda e: [*e, ["eve", VERSIONS["eve"]]]), "line 3 (starter/1/1/1)",
     "seed:"),
    ("a match too many", insert(11, record_of(SEASON_SEED, 2, 5, ["ada", "bob", "cy", "dee"])),
     "line 11 (starter/1/2/5)", "number 5 of a round that has 4 matches"),
    ("a round left out", lambda lines: [lines.pop(6) for _ in range(4)], "line 7", "round: 3;"),
    ("a void of a round to come", insert(7, {"void": "starter/1/3/1", "reason": ""}), "line 7 (starter/1/3/1)",
     "void: 3/1 is out of order"),
    ("a void before all", insert(2, {"void": "starter/1/1/1", "reason": ""}), "line 2 (starter/1/1/1)",
     "before the entries"),
    ("the deck of an edition", at(1, "edition", "name", to="mine"), "line 3 (starter/1/1/1)", "edition: not that of"),
    ("a commitment to another secret", at(1, "commitment", to=OTHER_HASH), "line 18", "secret:"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "place", "says"), [case[1:] for case in RAW], ids=[case[0] for case in RAW])
def test_a_change_is_found_where_it_was_made(change: Change, place: str, says: str) -> None:
    lines = close(fresh())
    change(lines)
    expect(lines, place, says)


@pytest.mark.parametrize(("change", "place", "says"), [case[1:] for case in SEALED], ids=[case[0] for case in SEALED])
def test_a_change_is_found_though_all_hashes_fit_it(change: Change, place: str, says: str) -> None:
    lines = fresh()
    change(lines)
    for line in lines:
        if line.get("format") == "tacora-replay/1":
            seal(line)
    expect(close(lines), place, says)


def expect(lines: list[Line], place: str, says: str) -> None:
    # How many matches a round has is the format's own; the second implementation knows the contract only.
    assert season_problems(lines) != [] or "of a round that has" in says
    problem = check_season(written(lines), "s.jsonl").problem
    assert problem is not None
    assert problem.place == place, str(problem)
    assert any(part in problem.sentence for part in says.split("|")), str(problem)
    assert str(problem).isprintable()


def test_the_first_of_two_wrong_places_is_named() -> None:
    lines = fresh()
    replay(4, 1, 2, "bob", "cy", "dee", seed="f" * 32)(lines)
    at(6, "games", 0, "scores", 0, to=plus_one)(lines)
    expect(close(lines), "line 4 (starter/1/1/2)", "seed:")
    report = check_season(written(close(lines)), "s")
    assert (report.results, report.evidence) == (None, None)


def test_a_record_may_be_voided_at_once() -> None:
    lines = fresh()
    lines.insert(5, {"void": "starter/1/1/3", "reason": "a power cut"})
    assert check_season(written(close(lines)), "s").problem is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "strict JSON"), (b"[]", "no line of a season"), (b"{", "strict JSON"), (b'{"a":NaN}', "strict JSON"),
        (b'{"void":"a","void":"b","reason":""}', "strict JSON"), (b"\xff", "strict JSON"),
        (b"{}", "no line of a season"), (b'{"format":3}', "no line of a season"),
        (b"\xef\xbb\xbf{}", "strict JSON|no line"),
        (b'{"void":"\\ud800","reason":""}', "strict JSON"),
    ],
)  # fmt: skip
def test_a_line_that_is_none_is_named(line: bytes, says: str) -> None:
    data = written(close(fresh()))
    data[7] = line
    problem = check_season(data, "s.jsonl").problem
    assert problem is not None
    assert problem.place == "line 8"
    assert any(part in problem.sentence for part in says.split("|")), str(problem)


def test_an_empty_file_is_no_season() -> None:
    assert str(check_season([], "s").problem) == "line 1: an empty file is no season"


def test_forty_places_are_tampered_with() -> None:
    names = [case[0] for case in [*RAW, *SEALED]]
    assert len(names) >= 40
    assert len(set(names)) == len(names)
