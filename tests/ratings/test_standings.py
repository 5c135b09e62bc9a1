"""What games add up to, and the order of the ladder."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings import ENOUGH_GAMES, Rating, Totals, rank_standings, seat_totals
from harness.ratings.standings import WHOLE_WIN
from tests.ratings.tally import tally


def match(bots: str, *games: tuple[list[list[str]], list[int], list[int]]) -> dict[str, Any]:
    return {
        "seed": "0" * 32,
        "seats": [{"bot": bot, "version": bot * 64} for bot in bots],
        "games": [
            {"expeditions": turns, "scores": scores, "ranks": ranks, "relics": [0] * len(bots)}
            for turns, scores, ranks in games
        ],
    }


def wins(record: dict[str, Any]) -> list[Fraction]:
    return [Fraction(totals.win_parts, WHOLE_WIN) for totals in seat_totals(record)]


def test_a_shared_first_place_shares_the_win() -> None:
    assert wins(match("abc", ([["LLL"]], [5, 5, 5], [1, 1, 1]))) == [Fraction(1, 3)] * 3
    assert wins(match("abc", ([["LLL"]], [5, 5, 2], [1, 1, 3]))) == [Fraction(1, 2), Fraction(1, 2), 0]


def test_rank_one_is_no_win_when_all_have_forfeited() -> None:
    record = match(
        "abc", ([["LLx"]], [4, 3, 0], [1, 2, 3]), ([["xx."]], [9, 0, 0], [1, 1, 1]), ([], [0, 0, 0], [1] * 3)
    )
    assert wins(record) == [1, 0, 0]
    assert [totals.faults for totals in seat_totals(record)] == [1, 1, 1]
    assert [totals.games for totals in seat_totals(record)] == [3, 3, 3]


def test_a_lone_survivor_wins_alone_whatever_the_chests() -> None:
    record = match("abc", ([["xxC"], ["..L"]], [30, 20, 1], [2, 2, 1]))
    assert wins(record) == [0, 0, 1]


def test_points_and_ranks_of_every_game_count() -> None:
    record = match("abc", ([["CxC"]], [10, 4, 2], [1, 3, 2]), ([["L.L"]], [0, 0, 6], [2, 3, 1]))
    assert seat_totals(record)[1] == Totals(matches=1, games=2, win_parts=0, points=4, ranks=6, faults=1)


def test_tables_of_every_size_count_together() -> None:
    three = match("abc", ([["LLL"]], [3, 2, 1], [1, 2, 3]))
    four = match("abcd", ([["LLLL"]], [3, 2, 1, 0], [1, 2, 3, 4]))
    assert tally([three, four])["a"].games == 2
    assert tally([three])["a"].games == tally([four])["a"].games == 1


def row(bot: str, mu: float, games: int = ENOUGH_GAMES) -> tuple[str, str, Rating, Totals]:
    return bot, bot * 64, Rating(mu, 2), Totals(1, games, WHOLE_WIN * games // 2, 7 * games, 2 * games, 0)


def test_the_ladder_goes_by_mean_then_name_with_newcomers_below() -> None:
    standings = rank_standings([row("d", 40, ENOUGH_GAMES - 1), row("c", 20), row("b", 20), row("a", 30)])
    assert [(s.rank, s.bot, s.provisional) for s in standings] == [
        (1, "a", False),
        (2, "b", False),
        (3, "c", False),
        (4, "d", True),
    ]
    assert (standings[0].win_share, standings[0].points, standings[0].mean_rank) == (0.5, 7, 2)


def test_the_ladder_goes_division_by_division_and_numbers_go_on() -> None:
    rows = [row("a", 20), row("b", 40), row("c", 10), row("d", 30), row("e", 50), row("f", 15, ENOUGH_GAMES - 1)]
    standings = rank_standings(rows, divisions={"a": 1, "c": 1, "b": 2, "d": 2, "f": 1})
    assert [(s.rank, s.bot, s.division) for s in standings] == [
        (1, "a", 1),
        (2, "c", 1),
        (3, "f", 1),
        (4, "b", 2),
        (5, "d", 2),
        (6, "e", 0),
    ]


def test_who_is_disqualified_stands_last_without_a_rank() -> None:
    states = {"a": "disqualified", "b": "withdrawn", "c": "plays"}
    rows = [row("a", 40), row("b", 30), row("c", 20), row("d", 10, 0)]
    for divisions in ({}, {"a": 1, "b": 1, "c": 1}):
        standings = rank_standings(rows, states=states, divisions=divisions)
        assert [(s.rank, s.bot, s.state) for s in standings] == [
            (1, "b", "withdrawn"),
            (2, "c", "plays"),
            (3, "d", "plays"),
            (None, "a", "disqualified"),
        ]


def test_a_bot_without_games_has_means_of_zero() -> None:
    (standing,) = rank_standings([("a", "a" * 64, Rating(25, 8), Totals())])
    assert (standing.games, standing.win_share, standing.points, standing.mean_rank) == (0, 0, 0, 0)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Matches in which seats forfeit at any game, with the ranks that the contract demands."""
    n = draw(st.integers(3, 8))
    games = draw(st.integers(1, 4))
    out_in = [draw(st.integers(0, games)) if draw(st.booleans()) else games for _ in range(n)]
    played = []
    for game in range(games):
        turns = "".join("x" if out == game else "." if out < game else "L" for out in out_in)
        scores = [0 if out < game else draw(st.integers(0, 3)) for out in out_in]
        gone = sum(out <= game for out in out_in)
        ranks = [
            n - gone + 1 if out_in[s] <= game else 1 + sum(scores[o] > scores[s] for o in range(n) if out_in[o] > game)
            for s in range(n)
        ]
        played.append(([[turns]], scores, ranks))
    return match("abcdefgh"[:n], *played)


@settings(deadline=None)
@given(records())
def test_win_shares_add_up_to_the_games_that_not_all_forfeited(record: dict[str, Any]) -> None:
    n = len(record["seats"])
    lost = set[int]()
    decided = 0
    for game in record["games"]:
        for turn in game["expeditions"][0]:
            lost |= {seat for seat in range(n) if turn[seat] == "x"}
        decided += len(lost) < n
    assert sum(wins(record)) == decided


@pytest.mark.parametrize("size", range(1, 9))
def test_a_win_divides_exactly_among_any_table(size: int) -> None:
    assert WHOLE_WIN % size == 0
