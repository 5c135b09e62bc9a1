"""Fifty tampered season files and more: the sentence names the match, or the line where there is none, and the field.

How far the forger goes stands with each case: `raw` touches nothing else; `sealed` makes the hashes of records fit;
`chained` the ends of the chains too; `headed` the heads of all lines too, so that nothing but what is computed again
can tell.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

import pytest

from harness.league.season_file import SeasonReport, check_season
from harness.protocol import Limits
from harness.ratings import platform_name
from harness.referee import Fixture, Seat
from tests.league.forging import (
    Change,
    Line,
    at,
    both,
    chain,
    drop,
    insert,
    is_record,
    plus_one,
    repeat,
    seal,
    swap,
    without,
)
from tests.league.true_season import true_season
from tests.second.ratings import ratings_after
from tests.second.season import season_problems
from tests.store.synthetic import EDITION, play, version_of

OTHER_HASH = "5" * 64
FOOTER = 21


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """The lines of the season that is tampered with; `true_season` tells what stands where."""
    return true_season(tmp_path_factory.mktemp("season") / "store.db")


def checked(lines: list[Line], **heads: str) -> SeasonReport:
    return check_season([json.dumps(line).encode() for line in lines], "s.jsonl", **heads)


def forged(lines: list[Line], change: Change, depth: str) -> list[Line]:
    lines = copy.deepcopy(lines)
    change(lines)
    if depth != "raw":
        for line in filter(is_record, lines):
            seal(line)
    if depth in ("chained", "headed"):
        *before, footer = lines
        heads = chain(before)
        footer |= dict(zip(("results", "evidence"), heads[-1], strict=True))
        if depth == "headed":
            footer["heads"] = [results[:16] + evidence[:16] for results, evidence in heads]
    return lines


def nudged(by: float) -> Callable[[str], str]:
    return lambda text: repr(float(text) + by)


def played_otherwise(line: int) -> Change:
    """Other decisions of the same bots in the same match, by the rules."""

    def change(lines: list[Line]) -> None:
        old = lines[line - 1]
        fixture = Fixture(
            **old["fixture"],
            seed=old["seed"],
            edition=EDITION,
            games=len(old["games"]),
            limits=Limits(),
            seats=tuple(Seat(seat["bot"], seat["version"]) for seat in old["seats"]),
        )
        lines[line - 1], _ = play(fixture, forfeits=0.03)
        assert lines[line - 1]["games"] != old["games"]

    return change


def numbered(line: int, round_: int, number: int) -> Change:
    return both(
        at(line, "match", to=f"test/2/{round_}/{number}"),
        at(line, "fixture", to=lambda fixture: {**fixture, "round": round_, "number": number}),
    )


def swapped(*path: str, a: int, b: int) -> Change:
    """Two records with each other's part."""

    def change(lines: list[Line]) -> None:
        one, other = lines[a - 1], lines[b - 1]
        for key in path:
            one[key], other[key] = other[key], one[key]

    return change


def rated_anew(lines: list[Line]) -> None:
    """Ratings that fit, as from a platform of another name."""
    lines[-1]["ratings"] = [[[repr(mu), repr(sigma)] for mu, sigma in seats] for seats in ratings_after(lines)]
    lines[-1]["platform"] = "elsewhere"


def void(match: str, reason: str = "") -> Line:
    return {"void": f"test/2/{match}", "reason": reason}


A_FAULT = 13
"""The line of a record with a fault."""

# Name, change, how far the forger goes, place, what the sentence says.
CASES: list[tuple[str, Change, str, str, str]] = [
    ("header: mu", at(1, "rating", "mu", to="25.1"), "raw", "line 1", "header:"),
    ("header: mu, all fits", at(1, "rating", "mu", to="25.1"), "headed", "line 6 (test/2/1/4)", "seats[0].mu:"),
    ("header: beta", at(1, "rating", "beta", to=nudged(1e-9)), "headed", "line 3 (test/2/1/1)", "seats[0].mu:"),
    ("header: sigma", at(1, "rating", "sigma", to=nudged(1e-6)), "headed", "line 6 (test/2/1/4)", "seats[0].mu:"),
    ("header: draw", at(1, "rating", "draw", to="0.04"), "headed", "line 3 (test/2/1/1)", "seats[0].mu:"),
    ("header: a start", at(1, "starts", 0, 2, to=nudged(1e-9)), "chained", "line 1", "header:"),
    ("header: mu of a start", at(1, "starts", 0, 2, to=nudged(1e-9)), "headed", "line 3 (test/2/1/1)", "seats[0].mu:"),
    ("header: sigma of a start", at(1, "starts", 2, 3, to=nudged(1e-9)), "headed", "line 3 (test/2/1/1)", "seats["),
    ("header: version of a start", at(1, "starts", 0, 1, to=OTHER_HASH), "headed", "line 3 (test/2/1/1)", "seats[0]"),
    ("header: no starts", without(1, "starts"), "headed", "line 3 (test/2/1/1)", "seats[0].mu:"),
    ("header: a start gone", without(1, "starts", 3), "headed", "line 6 (test/2/1/4)", "seats[0].mu:"),
    ("header: a start without doubt", at(1, "starts", 1, 3, to="0.0"), "headed", "line 1", "starts[1].sigma:"),
    ("header: a start beyond all", at(1, "starts", 1, 2, to="1e999"), "headed", "line 1", "starts[1].mu:"),
    ("header: starts unsorted", at(1, "starts", to=lambda s: s[::-1]), "headed", "line 1", "starts[1]: 'cyd'"),
    ("header: a start twice", at(1, "starts", to=lambda s: [s[0], *s]), "headed", "line 1", "starts[1]: 'ada'"),
    ("header: no anchors", without(1, "anchors"), "headed", "line 21", "official[0].strength:"),
    ("header: another anchor", at(1, "anchors", to=["ada", "eve"]), "headed", "line 21", "official[0].strength:"),
    ("header: anchors unsorted", at(1, "anchors", to=["cyd", "ada"]), "headed", "line 1", "anchors[1]:"),
    ("header: divisions", at(1, "divisions", to=[["ada"], ["eve"]]), "headed", "line 21", "official[0].division:"),
    ("header: two divisions", at(1, "divisions", to=[["ada"], ["ada"]]), "headed", "line 1", "divisions[1][0]:"),
    ("header: commitment", at(1, "commitment", to=OTHER_HASH), "raw", "line 1", "header:"),
    ("header: commitment, all fits", at(1, "commitment", to=OTHER_HASH), "headed", "line 21", "secret:"),
    ("header: seats", at(1, "seats", to=[4]), "chained", "line 1", "header:"),
    ("entries: version", at(8, "entries", 3, 1, to=version_of("dot")), "raw", "line 8", "entries:"),
    ("entries: version, all fits", at(8, "entries", 3, 1, to=OTHER_HASH), "headed", "line 10 (test/2/2/2)", "seats[2]"),
    ("entries: one more", at(2, "entries", to=lambda e: [*e, ["fay", OTHER_HASH]]), "chained", "line 2", "entries:"),
    ("entries: one more, all fits", at(2, "entries", to=lambda e: [*e, ["fay", OTHER_HASH]]), "headed",
     "line 3 (test/2/1/1)", "seed:"),
    ("entries: gone", drop(15), "headed", "line 20", "round 3 has 4 of its 5 matches"),
    ("match: first gone", drop(3), "raw", "line 3 (test/2/1/2)", "fixture: 1/2 is out of order"),
    ("match: middle gone", drop(11), "headed", "line 11 (test/2/2/4)", "fixture: 2/4 is out of order"),
    ("match: last of a round gone", drop(13), "raw", "line 13 (test/2/1/2)", "void:"),
    ("match: last of a round gone, all fits", drop(13), "headed", "line 14", "round 2 has 4 of its 5 matches"),
    ("match: last gone", drop(19), "chained", "line 19 (test/2/3/1)", "void:"),
    ("match: last gone, all fits", drop(19), "headed", "line 20", "round 3 has 3 of its 4 matches"),
    ("match: gone, the next in its place", both(drop(11), numbered(11, 2, 3)), "headed", "line 11 (test/2/2/3)",
     "seed:"),
    ("match: exchanged", swap(6, 7), "raw", "line 6 (test/2/1/5)", "fixture: 1/5 is out of order"),
    ("match: exchanged with numbers", both(swap(6, 7), numbered(6, 1, 4), numbered(7, 1, 5)), "headed",
     "line 6 (test/2/1/4)", "seed:"),
    ("match: twice", repeat(9), "headed", "line 10 (test/2/2/1)", "fixture: 2/1 is out of order"),
    ("match: of the season before", at(9, "fixture", "season", to=1), "headed", "line 9 (test/2/2/1)",
     "fixture.season: 1"),
    ("record: a score", at(6, "games", 0, "scores", 1, to=plus_one), "headed", "line 6 (test/2/1/4)",
     "games[0].scores[1]:"),
    ("record: decisions", played_otherwise(6), "sealed", "line 6 (test/2/1/4)", "outcome:"),
    ("record: decisions, chains fit", played_otherwise(6), "chained", "line 6 (test/2/1/4)", "outcome:"),
    ("record: decisions, all fits", played_otherwise(6), "headed", "line 6 (test/2/1/4)", "seats[0].mu:"),
    ("record: decisions, ratings fit", both(played_otherwise(6), rated_anew), "headed", "line 21",
     "official[0].strength:"),
    ("record: times", at(7, "timing", 0, "cpu_us", to=plus_one), "raw", "line 7 (test/2/1/5)", "digest:"),
    ("record: times, hashes fit", at(7, "timing", 0, "cpu_us", to=plus_one), "sealed", "line 7 (test/2/1/5)",
     "digest:"),
    ("record: times, chains fit", at(7, "timing", 0, "cpu_us", to=plus_one), "chained", "line 7 (test/2/1/5)",
     "digest:"),
    ("record: fault", at(A_FAULT, "faults", 0, "kind", to="timeout"), "sealed", "line 13 (test/2/2/5)", "digest:"),
    ("record: fault, chains fit", at(A_FAULT, "faults", 0, "kind", to="timeout"), "chained", "line 13 (test/2/2/5)",
     "digest:"),
    ("record: fault of another", at(A_FAULT, "faults", 0, "turn", to=plus_one), "headed", "line 13 (test/2/2/5)",
     "faults[0].turn:"),
    ("record: tier", at(7, "sandbox", "tier", to="full"), "sealed", "line 7 (test/2/1/5)", "digest:"),
    ("record: seed", at(7, "seed", to="0" * 32), "headed", "line 7 (test/2/1/5)", "seed:"),
    ("record: games of another", swapped("games", a=6, b=7), "headed", "line 6 (test/2/1/4)", "games[0]"),
    ("record: digest of another", swapped("digest", a=6, b=7), "raw", "line 6 (test/2/1/4)", "digest:"),
    ("record: bot", at(7, "seats", 1, "bot", to="zoe"), "headed", "line 7 (test/2/1/5)", "seats[1].bot:"),
    ("record: version", at(17, "seats", 1, "version", to=version_of("dot")), "headed", "line 17 (test/2/3/2)",
     "seats[1].version:"),
    ("record: seats exchanged", at(7, "seats", to=lambda seats: seats[::-1]), "sealed", "line 7 (test/2/1/5)",
     "outcome:|timing|faults"),
    ("void: gone", drop(14), "raw", "line 14", "entries:"),
    ("void: gone, all fits", drop(14), "headed", "line 4 (test/2/1/2)", "seats["),
    ("void: last gone", drop(20), "raw", "line 20", "behind line 19 (test/2/3/4) is missing"),
    ("void: last gone, all fits", drop(20), "headed", "line 16 (test/2/3/1)", "seats["),
    ("void: in its turn gone", drop(5), "headed", "line 5 (test/2/1/4)", "fixture: 1/4 is out of order"),
    ("void: reason", at(5, "reason", to="no reason"), "raw", "line 5 (test/2/1/3)", "void:"),
    ("void: reason, chains fit", at(5, "reason", to="no reason"), "chained", "line 5 (test/2/1/3)", "void:"),
    ("void: reason no text", at(5, "reason", to=7), "headed", "line 5", "reason"),
    ("void: added", insert(FOOTER, void("2/2")), "chained", "line 22",
     "heads: 20, for 21 lines before it; none of line 21 (test/2/2/2)"),
    ("void: added, all fits", insert(FOOTER, void("2/2")), "headed", "line 11 (test/2/2/3)", "seats["),
    ("void: added within", insert(14, void("2/2")), "raw", "line 14 (test/2/2/2)", "void:"),
    ("void: of another match", at(14, "void", to="test/2/1/1"), "headed", "line 4 (test/2/1/2)", "seats["),
    ("void: of no match", at(20, "void", to="test/2/3/9"), "headed", "line 20 (test/2/3/9)", "void: 3/9 is out"),
    ("void: twice", repeat(14), "headed", "line 15 (test/2/1/2)", "void:"),
    ("ratings: mu", at(FOOTER, "ratings", 2, 1, 0, to=nudged(1e-9)), "raw", "line 7 (test/2/1/5)", "seats[1].mu:"),
    ("ratings: last sigma", at(FOOTER, "ratings", -1, 2, 1, to=nudged(-1e-9)), "raw", "line 19 (test/2/3/4)",
     "seats[2].sigma:"),
    ("ratings: mu, from elsewhere", both(rated_anew, at(FOOTER, "ratings", 2, 1, 0, to=nudged(2e-6))), "raw",
     "line 7 (test/2/1/5)", "seats[1].mu:"),
    ("ratings: first gone", without(FOOTER, "ratings", 0), "raw", "line 3 (test/2/1/1)", "seats[0].mu:"),
    ("ratings: last gone", without(FOOTER, "ratings", -1), "raw", "line 21", "none of line 19 (test/2/3/4)"),
    ("ratings: one more", at(FOOTER, "ratings", to=lambda r: [*r, r[-1]]), "raw", "line 21", "ratings: of 12 matches"),
    ("ratings: a seat gone", without(FOOTER, "ratings", 3, 0), "raw", "line 9 (test/2/2/1)", "ratings: of 2 seats"),
    ("ratings: no number", at(FOOTER, "ratings", 3, 0, 0, to="nan"), "raw", "line 21", "ratings[3][0][0]"),
    ("ratings: platform null", at(FOOTER, "platform", to=None), "raw", "line 21", "platform"),
    ("official: strength", at(FOOTER, "official", 1, 4, to=nudged(2e-6)), "raw", "line 21", "official[1].strength:"),
    ("official: low", at(FOOTER, "official", 0, 5, to=nudged(-1e-3)), "raw", "line 21", "official[0].low:"),
    ("official: high", at(FOOTER, "official", 0, 6, to=nudged(1e-3)), "raw", "line 21", "official[0].high:"),
    ("official: rank", at(FOOTER, "official", 1, 7, to=1), "raw", "line 21", "official[1].rank:"),
    ("official: rank_low", at(FOOTER, "official", 0, 8, to=2), "raw", "line 21", "official[0].rank_low:"),
    ("official: unranked", at(FOOTER, "official", 0, 9, to=None), "raw", "line 21", "official[0].rank_high:"),
    ("official: games", at(FOOTER, "official", 0, 3, to=plus_one), "raw", "line 21", "official[0].games:"),
    ("official: division", at(FOOTER, "official", 0, 2, to=1), "raw", "line 21", "official[0].division:"),
    ("official: exchanged", at(FOOTER, "official", to=lambda t: [t[1], t[0], *t[2:]]), "raw", "line 21",
     "official[0].bot:"),
    ("official: last gone", without(FOOTER, "official", -1), "raw", "line 21", "official: 5 lines"),
    ("heads: one", at(FOOTER, "heads", 4, to="0" * 32), "raw", "line 21", "heads[4]:"),
    ("heads: last", at(FOOTER, "heads", 19, to="0" * 32), "raw", "line 21", "heads[19]:"),
    ("heads: last gone", without(FOOTER, "heads", -1), "raw", "line 21", "heads: 19, for 20 lines"),
    ("heads: no hash", at(FOOTER, "heads", 4, to="0"), "raw", "line 21", "heads[4]"),
    ("footer: results", at(FOOTER, "results", to=OTHER_HASH), "raw", "line 21", "results: 5555"),
    ("footer: evidence", at(FOOTER, "evidence", to=OTHER_HASH), "raw", "line 21", "evidence: 5555"),
    ("footer: secret", at(FOOTER, "secret", to="0" * 32), "raw", "line 21", "secret:"),
    ("footer: moved", swap(20, 21), "raw", "line 20", "results:"),
    ("footer: gone", drop(FOOTER), "raw", "line 20", "without a footer"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "depth", "place", "says"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_was_tampered_with_is_named(season: list[Line], change: Change, depth: str, place: str, says: str) -> None:
    problem = checked(forged(season, change, depth)).problem
    assert problem is not None
    assert problem.place == place, str(problem)
    assert any(part in problem.sentence for part in says.split("|")), str(problem)
    assert str(problem).isprintable()


def test_fifty_places_are_tampered_with() -> None:
    names = [case[0] for case in CASES]
    assert len(names) >= 50
    assert len(set(names)) == len(names)


def test_the_season_that_is_tampered_with_holds(season: list[Line]) -> None:
    assert season_problems(season) == []
    report = checked(season)
    assert (report.problem, report.unchecked) == (None, ())
    assert (report.records, report.voided, report.rounds) == (13, 3, 3)


def test_the_season_has_what_is_tampered_with(season: list[Line]) -> None:
    footer = season[-1]
    assert season[A_FAULT - 1]["faults"]
    assert footer["platform"] == platform_name()
    assert [line[7] for line in footer["official"]] == [1, 2, None, None, None, None]
    assert len(footer["ratings"]) == 11


def test_numbers_from_elsewhere_are_compared_more_loosely_and_that_is_said(season: list[Line]) -> None:
    lines = forged(season, rated_anew, "raw")
    at(FOOTER, "ratings", 2, 1, 0, to=nudged(5e-7))(lines)
    report = checked(lines)
    assert report.problem is None
    assert "computed on elsewhere" in report.unchecked[0]
    at(FOOTER, "platform", to=platform_name())(lines)
    assert checked(lines).problem is not None


def test_what_an_older_file_has_not_is_said_and_not_checked(season: list[Line]) -> None:
    lines = forged(season, both(*(without(FOOTER, name) for name in ("heads", "ratings", "official"))), "raw")
    report = checked(lines)
    assert report.problem is None
    assert report.unchecked == (
        "the footer has no heads and no ratings and no official, so nothing was held against them",
    )


def test_heads_that_were_published_are_in_the_season_whichever_line_they_were_of(season: list[Line]) -> None:
    heads = chain(season[:-1])
    for line in (1, 7, 13, 20):
        results, evidence = heads[line - 1]
        assert checked(season, results=results, evidence=evidence).problem is None
    problem = checked(season, results=OTHER_HASH).problem
    assert problem is not None
    assert problem.place == "the 21 lines"
    assert problem.sentence.startswith("results: ")
    assert OTHER_HASH in problem.sentence


@pytest.mark.parametrize(
    ("change", "other"),
    [
        (at(A_FAULT, "faults", 0, "kind", to="timeout"), "evidence"),
        (at(7, "timing", 0, "cpu_us", to=plus_one), "evidence"),
        (at(5, "reason", to="no reason"), "both"),
        # All of it: other play, with ratings of a platform that only it knows and without a table.
        (both(played_otherwise(19), rated_anew, without(FOOTER, "official")), "both"),
    ],
    ids=["fault", "times", "reason", "decisions"],
)
def test_a_forger_of_everything_is_found_by_the_heads_that_were_published(
    season: list[Line], change: Change, other: str
) -> None:
    lines = forged(season, change, "headed")
    assert season_problems(lines) == []
    assert checked(lines).problem is None
    published = {name: season[-1][name] for name in ("results", "evidence")}
    if other == "evidence":
        assert checked(lines, results=published["results"]).problem is None
    else:
        assert "results:" in str(checked(lines, results=published["results"]).problem)
    assert "evidence:" in str(checked(lines, evidence=published["evidence"]).problem)
