"""The format `divisions`: vectors of a second implementation, a round robin each, placement fair to both sides."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.formats import Contender, Field, Past, format_named, new_field
from harness.ratings import Rating
from tests.second.divisions import division_tables
from tests.second.round_robin import round_robin_tables

SEED = "000102030405060708090a0b0c0d0e0f"
DIVISIONS = format_named("divisions")
ROUND_ROBIN = format_named("round-robin")
START = Rating(25, 25 / 3)
CASES = json.loads((Path(__file__).parents[1] / "cases" / "pairings" / "divisions.json").read_text(encoding="utf-8"))

Tables = list[tuple[str, ...]]


def field_of(bots: Sequence[Mapping[str, Any]], meetings: Sequence[Sequence[Any]]) -> Field:
    contenders = [
        Contender(Entrant(bot["id"], bot["author"]), START, seats=tuple(bot["seats"]), division=bot["division"])
        for bot in bots
    ]
    return Field(tuple(contenders), START, {frozenset((a, b)): times for a, b, times in meetings})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_pairings_are_those_of_the_vectors(case: dict[str, Any]) -> None:
    field = field_of(case["field"], case["meetings"])
    options = {"same_author": case["same_author"]}
    tables = DIVISIONS.tables(field, case["round"], case["sizes"], case["seed"], options)
    assert [list(table) for table in tables] == case["tables"]


def test_a_second_implementation_comes_to_the_same_and_the_order_of_input_does_not_matter() -> None:
    draw = random.Random(4)
    for _ in range(40):
        sizes = [draw.randint(3, 5) for _ in range(draw.randint(1, 2))]
        bots = [
            {
                "id": f"b{i:02}",
                "author": draw.choice([None, None, f"author {i % 7}"]) if i < 12 else None,
                "division": draw.choice([1, 2]) if i < 12 else 0,
                "seats": [draw.randrange(5) for _ in range(draw.randrange(7))],
            }
            for i in range(draw.randint(12, 15))
        ]
        meetings = [[a["id"], b["id"], draw.randrange(4)] for a, b in combinations(bots, 2) if draw.random() < 0.7]
        # Authors within a division are the affair of another design.
        for number in (1, 2):
            seen: set[str] = set()
            for bot in bots:
                if bot["division"] == number and bot["author"] is not None:
                    bot["author"] = None if bot["author"] in seen else bot["author"]
                    seen.add(bot["author"] or "")
        round_ = draw.randint(1, 4)

        def alone(members: Sequence[Mapping[str, Any]], own_sizes: Sequence[int], round_: int = round_) -> Any:
            return round_robin_tables([bot["id"] for bot in members], round_, own_sizes, SEED)

        field = field_of(draw.sample(bots, len(bots)), meetings)
        tables = DIVISIONS.tables(field, round_, sizes, SEED, {})
        assert [list(table) for table in tables] == division_tables(bots, meetings, round_, sizes, SEED, alone)
        size = sizes[(round_ - 1) % len(sizes)]
        assert len(tables) == DIVISIONS.matches([bot["id"] for bot in bots], size, field.divisions)


def nobodys(n: int) -> list[Entrant]:
    return [Entrant(f"b{i:02}", None) for i in range(n)]


def season(
    entrants: Sequence[Entrant], divisions: Mapping[str, int], rounds: int, sizes: Sequence[int], **options: bool
) -> list[Tables]:
    past, played = Past(), []
    for round_ in range(1, rounds + 1):
        field = past.field(entrants, {}, START, divisions)
        tables = DIVISIONS.tables(field, round_, sizes, SEED, options)
        past.add_round([entrant.id for entrant in entrants], tables)
        played.append(tables)
    return played


def cut(*counts: int) -> dict[str, int]:
    numbers = [number for number, count in enumerate(counts, start=1) for _ in range(count)]
    return {f"b{i:02}": number for i, number in enumerate(numbers)}


def sat(tables: Tables) -> Counter[tuple[str, int]]:
    return Counter((bot, seat) for table in tables for seat, bot in enumerate(table))


def test_without_divisions_a_round_is_that_of_a_round_robin() -> None:
    field = new_field([*nobodys(7), Entrant("x", "Ada"), Entrant("y", "Ada")], START)
    for round_ in (1, 2, 5):
        options = {"same_author": False}
        expected = ROUND_ROBIN.tables(field, round_, (3, 4), SEED, options)
        assert DIVISIONS.tables(field, round_, (3, 4), SEED, options) == expected
    assert DIVISIONS.matches([contender.id for contender in field.contenders], 4, {}) == 9


@pytest.mark.parametrize(
    ("counts", "sizes"),
    [
        ((4, 3), (3,)), ((5, 5), (4,)), ((7, 6, 5), (5,)), ((6, 6), (6,)), ((9, 8), (7,)), ((8, 11), (8,)),
        ((6, 5), (3, 4, 5)), ((5, 4, 4, 4), (4, 3)),
    ],
)  # fmt: skip
def test_divisions_play_among_themselves_each_bot_once_in_every_seat(
    counts: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    divisions = cut(*counts)
    for i, tables in enumerate(season(nobodys(sum(counts)), divisions, 2 * len(sizes), sizes)):
        size = sizes[i % len(sizes)]
        assert [{divisions[bot] for bot in table} for table in tables] == [
            {number} for number, count in enumerate(counts, start=1) for _ in range(count)
        ]
        assert sat(tables) == {(bot, seat): 1 for bot in divisions for seat in range(size)}


@pytest.mark.parametrize("size", range(3, 9))
def test_a_newcomer_sits_once_in_every_seat_beside_hosts_from_all_divisions(size: int) -> None:
    divisions = cut(size + 1, size, size)
    entrants = nobodys(3 * size + 4)
    newcomers = {entrant.id for entrant in entrants} - set(divisions)
    assert len(newcomers) == 3
    rounds = season(entrants, divisions, 4, (size,))
    for tables in rounds:
        assert len(tables) == 3 * size + 1 + 3 * size
        placement = tables[3 * size + 1 :]
        seats = sat(placement)
        assert all(seats[bot, seat] == 1 for bot in newcomers for seat in range(size))
        for table in placement:
            assert len(set(table)) == size
            assert len(newcomers & set(table)) == 1
            hosts = Counter(divisions[bot] for bot in table if bot in divisions)
            spread = [hosts[number] for number in (1, 2, 3)]
            assert max(spread) - min(spread) <= 1


@pytest.mark.parametrize(
    ("counts", "newcomers", "sizes"), [((8, 8), 1, (4,)), ((7, 6), 3, (4,)), ((6, 6, 5), 2, (3, 5))]
)
def test_hosts_take_turns(counts: tuple[int, ...], newcomers: int, sizes: tuple[int, ...]) -> None:
    divisions = cut(*counts)
    entrants = nobodys(sum(counts) + newcomers)
    new = {entrant.id for entrant in entrants} - set(divisions)
    met: Counter[tuple[str, str]] = Counter()
    for tables in season(entrants, divisions, 8, sizes):
        for table in tables:
            for bot in new & set(table):
                met.update((bot, host) for host in table if host != bot)
        for number in range(1, len(counts) + 1):
            hosts = [host for host, division in divisions.items() if division == number]
            for bot in new:
                times = [met[bot, host] for host in hosts]
                assert max(times) - min(times) <= 1
            hosted = [sum(met[bot, host] for bot in new) for host in hosts]
            assert max(hosted) - min(hosted) <= 2


def test_hosting_leaves_nobody_long_in_one_seat() -> None:
    divisions = cut(5, 5)
    rounds = season(nobodys(13), divisions, 20, (4,))
    hosting = sat([table for tables in rounds for table in tables[10:]])
    for host in divisions:
        times = [hosting[host, seat] for seat in range(4)]
        # 72 tables or so to each: by drawing alone they would differ by about 15.
        assert max(times) - min(times) <= 3


def test_a_division_that_can_not_fill_a_table_plays_placement() -> None:
    divisions = cut(6, 3, 5)
    small = {"b06", "b07", "b08"}
    threes, fours = season(nobodys(14), divisions, 2, (3, 4))
    assert len(threes) == 14 == DIVISIONS.matches(list(divisions), 3, divisions)
    assert len(fours) == 6 + 5 + 3 * 4 == DIVISIONS.matches(list(divisions), 4, divisions)
    assert all(len(small & set(table)) == (i >= 11) for i, table in enumerate(fours))


def test_where_no_division_can_fill_a_table_all_play_one_round_robin() -> None:
    divisions = cut(3, 3, 2)
    (tables,) = season(nobodys(9), divisions, 1, (4,))
    assert tables == ROUND_ROBIN.tables(new_field(nobodys(9), START), 1, (4,), SEED, {})
    assert DIVISIONS.matches([*divisions, "b08"], 4, divisions) == 9


@pytest.mark.parametrize("same_author", [False, True])
def test_authors_are_kept_apart_at_every_table_unless_the_league_says_otherwise(same_author: bool) -> None:
    authors = ["Ada", "Ada", "Bob", "Cy", None, None, None, None, "Ada", "Bob", None, None, "Cy", "Dot", "Ada", "Bob"]
    entrants = [Entrant(f"b{i:02}", author) for i, author in enumerate(authors)]
    author = {entrant.id: entrant.author for entrant in entrants if entrant.author}
    rounds = season(entrants, cut(8, 6), 6, (4,), same_author=same_author)
    shared = [
        table
        for tables in rounds
        for table in tables
        if len({author[bot] for bot in table if bot in author}) < sum(bot in author for bot in table)
    ]
    assert bool(shared) == same_author


def test_placement_never_runs_out_of_hosts_however_tight_authors_are() -> None:
    # Four authors with two bots each: every table of the division has one of each, and the newcomers are theirs too.
    entrants = [Entrant(f"b{i:02}", f"author {i % 4}") for i in range(12)]
    for tables in season(entrants, cut(8), 5, (4,)):
        assert len(tables) == 8 + 4 * 4


def test_what_can_not_be_is_refused_in_one_sentence() -> None:
    def by_one(count: int, n: int) -> list[Entrant]:
        return [Entrant(f"b{i:02}", "Ada" if i < count else None) for i in range(n)]

    assert DIVISIONS.refusal(by_one(2, 16), (4,), {}, cut(8, 8)) is None
    assert DIVISIONS.refusal(by_one(3, 16), (4,), {}) is None
    refused = DIVISIONS.refusal(by_one(3, 16), (3, 4), {}, cut(8, 8))
    assert refused is not None
    assert refused.reason == (
        "division 1: 3 of 8 bots are by 'ada' (b00, b01, b02), too many to keep apart at tables of 3"
    )
    assert "`same_author = true` under [format.divisions]" in refused.mend
    assert DIVISIONS.refusal(by_one(3, 16), (3, 4), {"same_author": True}, cut(8, 8)) is None
    assert str(DIVISIONS.refusal(by_one(5, 16), (4,), {})).startswith("5 of 16 bots are by 'ada'")
    few = DIVISIONS.refusal(nobodys(3), (3, 5), {}, cut(3))
    assert str(few) == "3 bots can't fill a table of 5; enter 2 more or make league.seats smaller"
    authors = [None] * 8 + ["Ada"] * 4 + [None] * 4
    field = new_field([Entrant(f"b{i:02}", author) for i, author in enumerate(authors)], START, cut(8, 8))
    with pytest.raises(LeagueFileError, match="round 2 can't be paired: division 2: 4 of 8 bots are by 'ada'"):
        DIVISIONS.tables(field, 2, (4,), SEED, {})
