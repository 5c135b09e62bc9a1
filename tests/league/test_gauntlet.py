"""The format `gauntlet`: vectors of a second implementation, equal seats and opponents, every composition of table."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.formats import Goal, format_named, new_field
from harness.league.formats.compositions import compositions, orbit_count
from harness.league.formats.gauntlet import rounds_of_lap
from harness.ratings import Rating
from tests.second.gauntlet import gauntlet_tables, orbits

SEED = "000102030405060708090a0b0c0d0e0f"
GAUNTLET = format_named("gauntlet")
CASES = json.loads((Path(__file__).parents[1] / "cases" / "pairings" / "gauntlet.json").read_text(encoding="utf-8"))

Tables = list[tuple[str, ...]]


def nobodys(n: int) -> list[Entrant]:
    return [Entrant(f"b{i:02}", None) for i in range(n)]


def paired(
    entrants: Sequence[Entrant], round_: int, sizes: Sequence[int], seed: str = SEED, bot: str = "b00", **options: Any
) -> Tables:
    return GAUNTLET.tables(new_field(entrants, Rating(25, 8)), round_, sizes, seed, {"bot": bot, **options})


def rounds_of(n: int, rounds: int, sizes: Sequence[int]) -> list[Tables]:
    return [paired(nobodys(n + 1), r, sizes) for r in range(1, rounds + 1)]


def sat(tables: Tables) -> Counter[tuple[str, int]]:
    return Counter((bot, seat) for table in tables for seat, bot in enumerate(table))


def beside(tables: Tables) -> Counter[frozenset[str]]:
    return Counter(frozenset(table) - {"b00"} for table in tables)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_pairings_are_those_of_the_vectors(case: dict[str, Any]) -> None:
    entrants = [Entrant(bot, None) for bot in case["bots"]]
    tables = paired(entrants, case["round"], case["sizes"], case["seed"], case["bot"])
    assert [list(table) for table in tables] == case["tables"]


def test_a_second_implementation_comes_to_the_same() -> None:
    draw = random.Random(9)
    for _ in range(60):
        sizes = [draw.randint(3, 8) for _ in range(draw.randint(1, 3))]
        bots = [f"b{i:02}" for i in range(draw.randint(max(sizes), 11))]
        candidate, round_ = draw.choice(bots), draw.randint(1, 12)
        entrants = [Entrant(bot, None) for bot in draw.sample(bots, len(bots))]
        tables = paired(entrants, round_, sizes, bot=candidate)
        assert [list(table) for table in tables] == gauntlet_tables(bots, candidate, round_, sizes, SEED)
        assert GAUNTLET.matches(bots, sizes[0], {}) == len(tables)


@pytest.mark.parametrize("size", range(3, 9))
def test_after_a_round_for_each_seat_everybody_has_been_equally_often_in_every_seat(size: int) -> None:
    for n in (size - 1, size, 11, 16):
        rounds = rounds_of(n, size, (size,))
        for tables in rounds:
            assert Counter(bot for table in tables for bot in table) == {
                f"b{i:02}": n if i == 0 else size - 1 for i in range(n + 1)
            }
            assert all(len(set(table)) == size for table in tables)
        seats = sat([table for tables in rounds for table in tables])
        assert {seats["b00", seat] for seat in range(size)} == {n}
        assert {seats[f"b{i:02}", seat] for i in range(1, n + 1) for seat in range(size)} == {size - 1}


@pytest.mark.parametrize(("n", "size"), [(8, 3), (8, 4), (9, 4), (7, 5), (10, 6), (8, 8), (3, 4)])
def test_a_lap_has_every_composition_of_table(n: int, size: int) -> None:
    lap = rounds_of_lap(n, size)
    assert lap is not None
    found = beside([table for tables in rounds_of(n, lap, (size,)) for table in tables])
    assert len(found) == comb(n, size - 1)
    # Short orbits are played several times over; of a prime number of opponents there is none but the full set.
    assert sum(found.values()) == n * lap
    if n == 7:
        assert set(found.values()) == {1}


def test_sizes_in_turn_have_a_lap_each() -> None:
    rounds = rounds_of(7, 21, (3, 4, 3))
    threes = [table for tables in rounds for table in tables if len(table) == 3]
    fours = [table for tables in rounds for table in tables if len(table) == 4]
    # Fourteen rounds of three are four laps of three and two more, seven of four a lap of five and two more.
    assert len(beside(threes)) == 21
    assert set(beside(threes).values()) == {4, 5}
    assert len(beside(fours)) == 35
    assert set(beside(fours).values()) == {1, 2}


def test_another_lap_stands_on_another_circle() -> None:
    first, second = rounds_of(7, 5, (4,)), [paired(nobodys(8), r, (4,)) for r in range(6, 11)]
    assert [set(beside(tables)) for tables in first] != [set(beside(tables)) for tables in second]


@pytest.mark.parametrize(("n", "size"), [(8, 4), (12, 4), (12, 6), (16, 5)])
def test_opponents_meet_each_other_nearly_equally_often_all_the_way(n: int, size: int) -> None:
    met: Counter[frozenset[str]] = Counter()
    pairs = [frozenset(pair) for pair in combinations([f"b{i:02}" for i in range(1, n + 1)], 2)]
    for round_, tables in enumerate(rounds_of(n, 15, (size,)), start=1):
        met.update(frozenset(pair) for table in tables for pair in combinations(table, 2) if "b00" not in pair)
        if round_ >= 5:
            counts = [met[pair] for pair in pairs]
            assert max(counts) - min(counts) <= 0.6 * sum(counts) / len(counts), round_


def test_the_number_of_orbits_is_that_of_the_necklaces() -> None:
    # OEIS A047996: 8 beads of which 3, 4 black; 6 of which 3; 12 of which 6; and of a prime number C(n, k) / n.
    assert [orbit_count(8, 3), orbit_count(8, 4), orbit_count(6, 3), orbit_count(12, 6)] == [7, 10, 4, 80]
    assert orbit_count(13, 4) == comb(13, 4) // 13
    for n in range(2, 11):
        for k in range(1, n + 1):
            assert orbit_count(n, k) == len(orbits(n, k)) == compositions(n, k).count


def test_where_orbits_are_too_many_offsets_are_drawn_and_seats_stay_equal() -> None:
    assert rounds_of_lap(30, 8) is None
    rounds = rounds_of(30, 8, (8,))
    assert len(beside([table for tables in rounds for table in tables])) >= 8 * 30 - 1
    seats = sat([table for tables in rounds for table in tables])
    assert {seats[f"b{i:02}", seat] for i in range(1, 31) for seat in range(8)} == {7}


def by_authors(*authors: str | None) -> list[Entrant]:
    return [Entrant(f"b{i:02}", author) for i, author in enumerate(authors)]


@pytest.mark.parametrize("sizes", [(4,), (3, 4, 5)])
def test_opponents_by_one_author_never_meet_and_seats_stay_equal(sizes: tuple[int, ...]) -> None:
    entrants = by_authors(None, "Ada", "Ada", "Bob", "Bob", None, None, None, "Cy")
    apart = [{"b01", "b02"}, {"b03", "b04"}]
    for round_ in range(1, 13):
        tables = paired(entrants, round_, sizes)
        assert len(tables) == 8
        assert not any(pair <= set(table) for table in tables for pair in apart)
        assert {(table.index("b00")) for table in tables} == {((round_ - 1) // len(sizes)) % len(tables[0])}
        seats = sat(tables)
        del seats["b00", tables[0].index("b00")]
        assert set(seats.values()) == {1}


def test_opponents_by_one_author_meet_where_the_league_allows_it() -> None:
    entrants = by_authors("Ada", "Ada", "Ada", "Ada", None)
    assert paired(entrants, 3, (4,), same_author=True) == paired(nobodys(5), 3, (4,))


def test_what_can_not_be_is_refused_in_one_sentence() -> None:
    def refused(entrants: Sequence[Entrant], *sizes: int, bot: str = "b00") -> str:
        return str(GAUNTLET.refusal(entrants, sizes, {"bot": bot}))

    assert GAUNTLET.refusal(nobodys(4), (3, 4), {"bot": "b00"}) is None
    assert refused(nobodys(9), 4, bot="b80") == (
        "the candidate 'b80' is not entered; enter it, or name another as `bot` under [format.gauntlet], such as 'b08'"
    )
    assert refused(nobodys(3), 3, 5) == "3 bots can't fill a table of 5; enter 2 more or make league.seats smaller"
    assert refused(by_authors("Ada", None, "ada", None, None), 3).startswith(
        "the candidate 'b00' is by 'ada', and so are b02, which could sit at no table; take them out"
    )
    crowded = refused(by_authors(None, "Ada", "Ada", None, None, None), 3, 4)
    assert crowded.startswith("2 of 5 opponents are by 'ada' (b01, b02), too many to keep apart at tables of 4; ")
    assert "enter at least 6 opponents" in crowded
    with pytest.raises(LeagueFileError, match="round 4 can't be paired: the candidate 'x' is not entered"):
        paired(nobodys(6), 4, (3,), bot="x")


def test_the_goal_is_the_candidate_known_well_enough() -> None:
    assert GAUNTLET.goal({"bot": "ada", "width": 0.5}) == Goal("ada", 0.5)
    assert format_named("ladder").goal({}) is format_named("round-robin").goal({}) is None


@pytest.mark.parametrize("room", ["gauntlet", "divisions", "round_robin"])
def test_the_second_implementation_uses_nothing_of_the_first(room: str) -> None:
    text = (Path(__file__).parents[1] / "second" / f"{room}.py").read_text(encoding="utf-8")
    assert "import harness" not in text
    assert "from harness" not in text
