"""Ratings that users of such systems complained about: winners who lose points, losses counted twice, frozen bots."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings import (
    Ladder,
    MatchRanks,
    Parameters,
    Rating,
    match_ranks,
    rate_match,
    rated_games,
    seat_totals,
)
from harness.ratings.skill import rate_game
from tests.records import random_record

Table = list[tuple[float, float]]

PARAMETERS = Parameters()
NOISE = 1e-9
"""What doubles may be off by, in points of μ, or as a share of σ."""

tables = st.lists(st.tuples(st.floats(-100, 150), st.floats(0.3, 25 / 3)), min_size=2, max_size=8)


def rated(table: Table, ranks: list[int], parameters: Parameters = PARAMETERS) -> list[Rating]:
    return rate_game(parameters, [Rating(mu, sigma) for mu, sigma in table], ranks)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_who_wins_alone_never_loses_points_and_who_is_last_alone_never_gains(table: Table) -> None:
    after = rated(table, list(range(1, len(table) + 1)))
    assert after[0].mu >= table[0][0] - NOISE
    assert after[-1].mu <= table[-1][0] + NOISE


@settings(max_examples=60, deadline=None)
@given(tables, st.data())
def test_with_no_drift_a_game_never_makes_a_rating_less_certain(table: Table, data: st.DataObject) -> None:
    ranks = sorted(data.draw(st.lists(st.integers(1, 4), min_size=len(table), max_size=len(table))))
    after = rated(table, ranks)
    # At most it tells nothing, where its result was certain before.
    for (_, sigma), rating in zip(table, after, strict=True):
        assert rating.sigma <= sigma * (1 + NOISE)


def test_a_tie_is_good_news_for_the_weaker_and_bad_news_for_the_stronger() -> None:
    # A winner who shares the first place with a far weaker bot loses points: that is no fault, and here is why.
    strong, weak = rated([(40, 3), (20, 3)], [1, 1])
    assert strong.mu < 40
    assert weak.mu > 20


def test_an_upset_moves_both_the_farther_the_less_it_was_expected() -> None:
    moved = []
    for gap in (0, 5, 20, 80, 300):
        winner, loser = rated([(0, 2), (gap, 2)], [1, 2])
        moved.append((winner.mu, gap - loser.mu))
        assert winner.mu == pytest.approx(gap - loser.mu, abs=1e-6)
    assert moved == sorted(moved)


def test_equals_who_draw_stay_where_they_were() -> None:
    for size in range(2, 9):
        for rating in rated([(25, 8)] * size, [1] * size):
            assert rating.mu == pytest.approx(25, abs=0.05)
            assert rating.sigma < 8


def test_each_point_gained_or_lost_is_told_and_the_steps_link_up() -> None:
    ladder = Ladder(PARAMETERS)
    chance = random.Random(20)
    bots = [f"bot-{letter}" for letter in "abcdefg"]
    now: dict[str, Rating] = {}
    for number in range(25):
        seats = chance.sample(bots, 4)
        record = random_record(
            seats=4, games=2, seed=f"{number:032x}", bots=seats, faulty={1: 7} if number % 5 == 0 else {}
        )
        for seat, entry in enumerate(record["seats"]):
            entry["version"] = f"{bots.index(seats[seat]):064x}"
        changes = ladder.apply(match_ranks(record))
        assert [change.bot for change in changes] == seats
        for change in changes:
            assert change.before == now.get(change.bot, PARAMETERS.start)
            now[change.bot] = change.after
    assert ladder.ratings == now


def test_a_forfeit_is_counted_and_rated_once_however_many_games_follow() -> None:
    record: dict[str, Any] = random_record(seats=4, games=6, faulty={1: 9})
    [fault] = record["faults"]
    totals = seat_totals(record)
    assert [one.faults for one in totals] == [0, 1, 0, 0]
    assert [one.games for one in totals] == [6, 6, 6, 6]
    games = rated_games(match_ranks(record))
    assert sum(1 in [seat for _, seat in game] for game in games) == fault["game"]
    last = games[fault["game"] - 1]
    assert last[-1] == (4, 1)


def test_a_bot_that_got_worse_falls_faster_as_a_new_version_than_as_an_old_hand() -> None:
    def fall(new_version: bool) -> float:
        ladder = Ladder(PARAMETERS)
        for number in range(60):
            ladder.apply(won_by("abc", number))
        before = ladder.ratings["a"].mu
        for number in range(60, 66):
            ladder.apply(won_by("bca", number, version="f" if new_version else "a"))
        return before - ladder.ratings["a"].mu

    assert fall(new_version=True) > 1.5 * fall(new_version=False) > 0


def won_by(order: str, number: int, version: str = "a") -> MatchRanks:
    """A match of a, b and c that ends in that order; `version` is what a plays with."""
    record: dict[str, Any] = {
        "match": str(number),
        "seed": f"{number:032x}",
        "seats": [{"bot": bot, "version": (version if bot == "a" else bot) * 64} for bot in "abc"],
        "games": [
            {
                "expeditions": [["LLL"]],
                "scores": [0] * 3,
                "ranks": [order.index(bot) + 1 for bot in "abc"],
                "relics": [0] * 3,
            }
        ],
    }
    return match_ranks(record)


def test_a_rating_is_what_the_records_in_their_order_make_it_and_nothing_else() -> None:
    records = [won_by(order, number) for number, order in enumerate(["abc", "bca", "cab", "acb"] * 5)]
    whole = Ladder(PARAMETERS)
    for record in records:
        whole.apply(record)
    # Match by match, from the floats that a store would have kept.
    floats: dict[str, tuple[float, float]] = {}
    for record in records:
        before = {bot: Rating(*pair) for bot, pair in floats.items()}
        floats = {bot: (rating.mu, rating.sigma) for bot, rating in rate_match(PARAMETERS, before, record).items()}
    assert floats == {bot: (rating.mu, rating.sigma) for bot, rating in whole.ratings.items()}
    # Order does matter to TrueSkill, which is why it is fixed by round and number and not by arrival.
    turned = Ladder(PARAMETERS)
    for record in reversed(records):
        turned.apply(record)
    assert turned.ratings != whole.ratings
