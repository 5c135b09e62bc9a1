"""The format `ladder`: vectors of a second implementation, what every round keeps to, and what many rounds come to."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.formats import Contender, Field, Past, format_named, new_field
from harness.ratings import Rating
from tests.second.ladder import ladder_tables

SEED = "000102030405060708090a0b0c0d0e0f"
LADDER = format_named("ladder")
START = Rating(25, 25 / 3)
CASES = json.loads((Path(__file__).parents[1] / "cases" / "pairings" / "ladder.json").read_text(encoding="utf-8"))

Tables = list[tuple[str, ...]]


def field_of(bots: Sequence[Mapping[str, Any]], meetings: Sequence[Sequence[Any]]) -> Field:
    contenders = [
        Contender(
            Entrant(bot["id"], bot["author"]),
            Rating(bot["mu"], bot["sigma"]),
            bot["matches"],
            bot["sat_out"],
            tuple(bot["seats"]),
        )
        for bot in bots
    ]
    return Field(tuple(contenders), START, {frozenset((a, b)): times for a, b, times in meetings})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_pairings_are_those_of_the_vectors(case: dict[str, Any]) -> None:
    field = field_of(case["field"], case["meetings"])
    options = {"same_author": case["same_author"]}
    tables = LADDER.tables(field, case["round"], case["sizes"], case["seed"], options)
    assert [list(table) for table in tables] == case["tables"]


def random_bots(draw: random.Random, n: int, authors: int | None) -> list[dict[str, Any]]:
    return [
        {
            "id": f"b{i:03}",
            "author": None if authors is None or draw.random() < 0.3 else f"author {draw.randrange(authors)}",
            "mu": draw.gauss(25, 6),
            "sigma": draw.choice([0.5, 1.0, 2.5, 8.0]),
            "matches": draw.randrange(20),
            "sat_out": draw.randrange(4),
            "seats": [draw.randrange(5) for _ in range(draw.randrange(9))],
        }
        for i in range(n)
    ]


def random_meetings(draw: random.Random, bots: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    pairs = combinations([bot["id"] for bot in bots], 2)
    return [[a, b, draw.randrange(5)] for a, b in pairs if draw.random() < 0.7]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9), st.integers(3, 8), st.integers(0, 30), st.integers(1, 9), st.sampled_from([None, 3, 12]))
def test_a_second_implementation_comes_to_the_same_and_the_order_of_input_does_not_matter(
    key: int, size: int, more: int, round_: int, authors: int | None
) -> None:
    draw = random.Random(key)
    bots = random_bots(draw, size + more, authors)
    meetings = random_meetings(draw, bots)
    sizes = [size, 3]
    field = field_of(bots, meetings)
    if LADDER.refusal(field.entrants, sizes, {}) is not None:
        for bot in bots:
            bot["author"] = None
        field = field_of(bots, meetings)
    tables = LADDER.tables(field, round_, sizes, SEED, {})
    expected = ladder_tables(bots, meetings, round_, sizes, SEED, start=(START.mu, START.sigma))
    assert [list(table) for table in tables] == expected
    mixed = replace(field, contenders=tuple(draw.sample(field.contenders, len(field.contenders))))
    assert LADDER.tables(mixed, round_, sizes, SEED, {}) == tables
    check_round(tables, field, sizes[(round_ - 1) % 2])


def check_round(tables: Tables, field: Field, size: int) -> None:
    ids = [contender.id for contender in field.contenders]
    seated = [bot for table in tables for bot in table]
    assert len(tables) == len(ids) // size
    assert all(len(table) == size for table in tables)
    assert len(seated) == len(set(seated))
    assert set(seated) <= set(ids)
    times = {contender.id: contender.sat_out for contender in field.contenders}
    out = [times[bot] for bot in ids if bot not in set(seated)]
    assert max(out, default=0) <= min(times[bot] for bot in seated), "who sits out has sat out least"
    author = {contender.id: contender.entrant.author for contender in field.contenders}
    for table in tables:
        authors = [author[bot] for bot in table if author[bot] is not None]
        assert len(authors) == len(set(authors))


def test_ids_count_only_by_their_order() -> None:
    case = CASES[1]
    names = {bot["id"]: f"x{2 * i:04}" for i, bot in enumerate(case["field"])}
    bots = [{**bot, "id": names[bot["id"]]} for bot in case["field"]]
    meetings = [[names[a], names[b], times] for a, b, times in case["meetings"]]
    tables = LADDER.tables(field_of(bots, meetings), case["round"], case["sizes"], SEED, {})
    assert [list(table) for table in tables] == [[names[bot] for bot in table] for table in case["tables"]]


def test_the_last_digits_of_a_rating_decide_nothing() -> None:
    case = CASES[1]
    nearly = [{**bot, "mu": bot["mu"] * (1 + 1e-13), "sigma": bot["sigma"] * (1 - 1e-13)} for bot in case["field"]]
    tables = LADDER.tables(field_of(nearly, case["meetings"]), case["round"], case["sizes"], SEED, {})
    assert [list(table) for table in tables] == case["tables"]


def test_another_season_or_round_is_drawn_anew() -> None:
    field = new_field(nobodys(16), START)
    one = LADDER.tables(field, 1, (4,), SEED, {})
    assert one != LADDER.tables(field, 2, (4,), SEED, {})
    assert one != LADDER.tables(field, 1, (4,), "0" * 32, {})


def nobodys(n: int) -> list[Entrant]:
    return [Entrant(f"b{i:03}", None) for i in range(n)]


def season(
    entrants: Sequence[Entrant],
    rounds: int,
    sizes: Sequence[int],
    *,
    mu: Mapping[str, float] | None = None,
    joins: Mapping[str, int] | None = None,
) -> tuple[list[Tables], list[Field]]:
    """Rounds with ratings that stay; `joins` says from which round on a bot is entered."""
    past = Past()
    played, fields = list[Tables](), list[Field]()
    ratings = {bot: Rating(value, 1.0) for bot, value in (mu or {}).items()}
    for round_ in range(1, rounds + 1):
        entered = [entrant for entrant in entrants if (joins or {}).get(entrant.id, 1) <= round_]
        field = past.field(entered, ratings, START)
        tables = LADDER.tables(field, round_, sizes, SEED, {})
        check_round(tables, field, sizes[(round_ - 1) % len(sizes)])
        past.add_round([entrant.id for entrant in entered], tables)
        played.append(tables)
        fields.append(field)
    return played, fields


def meetings_of(rounds: Sequence[Tables]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("n", "sizes"), [(9, (4,)), (11, (4,)), (7, (3, 4, 5)), (13, (8,)), (8, (4,))])
def test_in_a_field_that_stays_nobody_sits_out_twice_more_than_another(n: int, sizes: tuple[int, ...]) -> None:
    rounds, _ = season(nobodys(n), 60, sizes)
    for upto in range(1, 61):
        played = Counter(bot for tables in rounds[:upto] for table in tables for bot in table)
        counts = [played[entrant.id] for entrant in nobodys(n)]
        assert max(counts) - min(counts) <= 1


def test_who_comes_later_sits_out_no_more_than_those_who_were_there() -> None:
    entrants = nobodys(10)
    rounds, fields = season(entrants, 90, (4,), joins={"b009": 41})
    late = [{bot for table in tables for bot in table} for tables in rounds[40:]]
    assert "b009" in late[0]
    out = {entrant.id: sum(entrant.id not in seated for seated in late) for entrant in entrants}
    # Fifty rounds in which two sit out: ten each, and one more or less since some had sat out once more before.
    assert set(out.values()) <= {9, 10, 11}
    newcomer = {contender.id: contender.sat_out for contender in fields[40].contenders}
    assert newcomer["b009"] == max(newcomer.values())


def test_who_was_away_is_brought_level_and_keeps_what_it_has_sat_out() -> None:
    past = Past()
    everybody = ["a", "b", "c", "d"]
    past.add_round(everybody, [("b", "c", "d")])
    past.add_round(everybody, [("b", "c", "d")])
    past.add_round(["a", "b", "c", "d", "e"], [("b", "c", "d")])
    past.add_round(["b", "c", "d", "e"], [("c", "d", "e")])
    field = past.field([Entrant(bot, None) for bot in "abcde"], {}, START)
    found = {contender.id: (contender.sat_out, contender.matches, contender.seats) for contender in field.contenders}
    # e came in level with a, who had sat out twice, and sat out once; a was away in the last round.
    assert found == {
        "a": (3, 0, ()),
        "b": (1, 3, (3,)),
        "c": (0, 4, (1, 3)),
        "d": (0, 4, (0, 1, 3)),
        "e": (3, 1, (0, 0, 1)),
    }
    assert field.meetings == {
        frozenset("bc"): 3, frozenset("bd"): 3, frozenset("cd"): 4, frozenset("ce"): 1, frozenset("de"): 1
    }  # fmt: skip


@pytest.mark.parametrize("sizes", [(3,), (4,), (5,), (6,), (7,), (8,), (3, 4, 5), (8, 6)])
def test_seats_are_level_over_the_rounds(sizes: tuple[int, ...]) -> None:
    entrants = nobodys(3 * max(sizes) + 1)
    rounds, _ = season(entrants, 80, sizes)
    sat = Counter((bot, seat) for tables in rounds for table in tables for seat, bot in enumerate(table))
    for seat in range(max(sizes)):
        times = [sat[entrant.id, seat] for entrant in entrants]
        assert max(times) - min(times) <= 3, "by drawing alone it would be ten or more"


@pytest.mark.parametrize(
    ("counts", "alone", "size"),
    [((3, 3, 3), 0, 3), ((3, 3), 6, 4), ((2,) * 8, 0, 8), ((5, 5, 5, 5), 0, 4), ((4, 3, 2), 10, 4), ((7,) * 8, 0, 8)],
)
def test_authors_are_kept_apart_however_tight_it_is(counts: tuple[int, ...], alone: int, size: int) -> None:
    names = [f"author {a}" for a, count in enumerate(counts) for _ in range(count)]
    entrants = [Entrant(f"b{i:03}", author) for i, author in enumerate([*names, *[None] * alone])]
    assert LADDER.refusal(entrants, (size,), {}) is None
    draw = random.Random(size)
    season(entrants, 40, (size,), mu={entrant.id: draw.gauss(25, 8) for entrant in entrants})


def test_a_round_that_can_not_be_is_refused_in_one_sentence() -> None:
    def by_one(count: int, n: int) -> list[Entrant]:
        return [Entrant(f"b{i}", "Ada" if i < count else None) for i in range(n)]

    assert LADDER.refusal(by_one(2, 8), (4,), {}) is None
    refused = LADDER.refusal(by_one(3, 11), (3, 4), {})
    assert refused is not None
    assert refused.reason == (
        "3 of 11 bots are by 'ada' (b0, b1, b2), too many to keep apart at the 2 tables of 4 in a round"
    )
    assert "at least 12 bots" in refused.mend
    assert LADDER.refusal(by_one(3, 12), (3, 4), {}) is None
    assert LADDER.refusal(by_one(3, 11), (3, 4), {"same_author": True}) is None
    few = LADDER.refusal(nobodys(3), (3, 5), {})
    assert str(few) == "3 bots can't fill a table of 5; enter 2 more or make league.seats smaller"
    with pytest.raises(LeagueFileError, match="round 4 can't be paired: 3 bots can't fill a table of 5"):
        LADDER.tables(new_field(nobodys(3), START), 4, (3, 5), SEED, {})


def test_the_least_known_bot_is_the_first_that_gets_a_table() -> None:
    bots = [Contender(entrant, Rating(25, 1.0), matches=30) for entrant in nobodys(12)]
    bots[7] = replace(bots[7], rating=Rating(25, 8.0), matches=40)  # a new version of an old bot
    bots[4] = replace(bots[4], matches=3)
    tables = LADDER.tables(Field(tuple(bots), START), 5, (4,), SEED, {})
    assert "b007" in tables[0]
    assert "b004" in tables[1]


def connected(pairs: Counter[frozenset[str]], bots: Sequence[str]) -> bool:
    reached, grown = set[str](), {bots[0]}
    while grown != reached:
        reached = grown
        grown = reached | {bot for pair in pairs if pair & reached for bot in pair}
    return set(bots) <= reached


def test_newcomers_are_linked_to_the_field_and_not_to_each_other() -> None:
    entrants = nobodys(24)
    new = {f"b{i:03}" for i in range(18, 24)}
    draw = random.Random(3)
    mu = {entrant.id: draw.gauss(25, 5) for entrant in entrants if entrant.id not in new}
    # Unknown all of them, and alike: by fewest matches alone they would fill tables of their own.
    rounds, _ = season(entrants, 26, (4,), mu=mu, joins=dict.fromkeys(new, 21))
    since = meetings_of(rounds[20:])
    assert connected(since, [entrant.id for entrant in entrants])
    for bot in new:
        old = {other: times for pair, times in since.items() if bot in pair for other in pair - {bot} - new}
        assert sum(old.values()) >= 9, "half of the 18 seats beside it"
        assert len(old) >= 5


def test_near_ratings_meet_and_the_tail_links_the_whole_field() -> None:
    entrants = nobodys(40)
    draw = random.Random(11)
    mu = {entrant.id: draw.gauss(25, 5) for entrant in entrants}
    rounds, _ = season(entrants, 300, (4,), mu=mu)
    met = meetings_of(rounds)
    pairs = [frozenset(pair) for pair in combinations(mu, 2)]

    def apart(pair: frozenset[str]) -> float:
        a, b = (mu[bot] for bot in pair)
        return abs(a - b)

    played = median(apart(pair) for pair in met.elements())
    assert played < 0.6 * median(apart(pair) for pair in pairs), "by drawing alone the two would be equal"
    assert sum(not met[pair] for pair in pairs) <= 0.02 * len(pairs), "nearly everybody has met everybody"
    by_mu = sorted(mu, key=mu.__getitem__)
    across = [met[frozenset((a, b))] for a in by_mu[-10:] for b in by_mu[:10]]
    # The uppermost and the lowest quarter: with a light tail they would not meet at all.
    assert sum(across) / len(across) > 0.2 * sum(met.values()) / len(pairs)


def test_a_small_field_is_nearly_a_round_robin() -> None:
    draw = random.Random(5)
    entrants = nobodys(9)
    rounds, _ = season(entrants, 120, (4,), mu={entrant.id: draw.gauss(25, 6) for entrant in entrants})
    met = meetings_of(rounds)
    mean = 120 * 2 * 6 / 36
    for a, b in combinations(entrants, 2):
        assert 0.6 * mean <= met[frozenset((a.id, b.id))] <= 1.4 * mean


def test_the_second_implementation_uses_nothing_of_the_first() -> None:
    text = (Path(__file__).parents[1] / "second" / "ladder.py").read_text(encoding="utf-8")
    assert "import harness" not in text
    assert "from harness" not in text
