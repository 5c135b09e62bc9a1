"""Which games of a match are rated, in what order, and what becomes of ties, forfeits and new versions."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from typing import Any

import pytest

from harness.ratings import Ladder, MatchRanks, Parameters, Rating, carried_over, match_ranks, rate_match, rated_games
from harness.ratings.skill import rate_game

SEED = "000102030405060708090a0b0c0d0e0f"
PARAMETERS = Parameters()


def version(bot: str) -> str:
    return hashlib.sha256(bot.encode()).hexdigest()


def match(bots: str, *games: tuple[list[list[str]], list[int]], seed: str = SEED) -> MatchRanks:
    """The ranks of a record with the fields that they are read from; a game is (turns by expedition, ranks)."""
    record: dict[str, Any] = {
        "match": "m",
        "seed": seed,
        "seats": [{"bot": bot, "version": version(bot)} for bot in bots],
        "games": [
            {"expeditions": turns, "scores": [0] * len(bots), "ranks": ranks, "relics": [0] * len(bots)}
            for turns, ranks in games
        ],
    }
    return match_ranks(record)


def test_games_are_rated_in_order() -> None:
    one, two = ([["LLL"]], [1, 2, 3]), ([["LLL"]], [3, 2, 1])
    got = rate_match(PARAMETERS, {}, match("abc", one, two))
    a, b, c = rate_game(PARAMETERS, [PARAMETERS.start] * 3, [1, 2, 3])
    c, b, a = rate_game(PARAMETERS, [c, b, a], [1, 2, 3])
    assert got == {"a": a, "b": b, "c": c}


def test_a_forfeiter_is_last_in_the_game_of_its_x_and_absent_later() -> None:
    record = match("abc", ([["CxC"], ["L.L"]], [2, 3, 1]), ([["L.C"]], [1, 3, 2]), ([["L.C"]], [2, 3, 1]))
    assert rated_games(record) == [[(1, 2), (2, 0), (3, 1)], [(1, 0), (2, 2)], [(1, 2), (2, 0)]]


def test_two_forfeiters_of_a_game_tie_for_last() -> None:
    (game,) = rated_games(match("abcd", ([["xCxC"], [".L.L"]], [3, 1, 3, 2])))
    assert game[:2] == [(1, 1), (2, 3)]
    assert set(game[2:]) == {(3, 0), (3, 2)}


def test_a_lone_survivor_is_rated_in_the_game_of_the_forfeits_only() -> None:
    record = match("abc", ([["xxC"], ["..L"]], [2, 2, 1]), ([["..L"]], [2, 2, 1]))
    assert len(rated_games(record)) == 1


def test_a_game_that_all_forfeit_is_not_rated() -> None:
    record = match("abc", ([["LxL"]], [1, 3, 1]), ([["x.x"], []], [1, 1, 1]), ([[], []], [1, 1, 1]))
    assert len(rated_games(record)) == 1
    nothing = match("abc", ([["xxx"]], [1, 1, 1]))
    assert rate_match(PARAMETERS, {"a": Rating(30.1, 2.3)}, nothing)["a"] == Rating(30.1, 2.3)


def test_ties_stand_in_the_order_of_the_contract_s_hash() -> None:
    record = match("abcde", ([["LLLLL"]], [2, 1, 2, 2, 2]), ([["LLLLL"]], [1] * 5))
    for number, game in enumerate(rated_games(record), start=1):
        tied = [seat for rank, seat in game if [r for r, _ in game].count(rank) > 1]
        keys = [hashlib.sha256(f"tie/{SEED}/{number}/{version('abcde'[seat])}".encode()).hexdigest() for seat in tied]
        assert keys == sorted(keys)


def test_who_sits_where_changes_no_rating_of_a_tie() -> None:
    before = {bot: Rating(20 + i, 4) for i, bot in enumerate("abcd")}
    results = [
        rate_match(PARAMETERS, before, match("".join(order), ([["LLLL"]], [1] * 4)))
        for order in itertools.permutations("abcd")
    ]
    assert all(result == results[0] for result in results)


def test_over_many_matches_no_name_has_the_better_end_of_ties() -> None:
    ladder = Ladder(PARAMETERS)
    for i in range(400):
        ladder.apply(match("abcde", ([["LLLLL"]], [1, 2, 2, 2, 2]), seed=hashlib.md5(str(i).encode()).hexdigest()))
    tied = [ladder.ratings[bot].mu for bot in "bcde"]
    assert max(tied) - min(tied) < 0.1


def test_one_version_under_two_names_still_has_an_order_that_seats_do_not_change() -> None:
    record = match("abc", ([["LLL"]], [1, 1, 1]))
    record = replace(record, seats=tuple((bot, "0" * 64) for bot, _ in record.seats))
    turned = replace(record, seats=record.seats[::-1])
    assert rate_match(PARAMETERS, {}, record) == rate_match(PARAMETERS, {}, turned)


def test_a_bot_twice_at_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        rate_match(PARAMETERS, {}, match("aba", ([["LLL"]], [1, 1, 1])))


def test_rating_from_stored_floats_equals_rating_in_memory() -> None:
    game = ([["LLLL"]], [1, 2, 2, 4])
    ladder, stored = Ladder(PARAMETERS), dict[str, tuple[float, float]]()
    for i in range(50):
        record = match("abcd", game, seed=hashlib.md5(str(i).encode()).hexdigest())
        ladder.apply(record)
        after = rate_match(PARAMETERS, {bot: Rating(*floats) for bot, floats in stored.items()}, record)
        stored = {bot: (rating.mu, rating.sigma) for bot, rating in after.items()}
    assert stored == {bot: (rating.mu, rating.sigma) for bot, rating in ladder.ratings.items()}


def test_a_bot_that_plays_no_rated_game_keeps_its_floats() -> None:
    rating = Rating(27.123456789012345, 3.3333333333333335)
    record = match("abc", ([["xxx"]], [1, 1, 1]))
    for _ in range(20):
        rating = rate_match(PARAMETERS, {"a": rating}, record)["a"]
    assert rating == Rating(27.123456789012345, 3.3333333333333335)


def test_a_new_version_goes_on_with_the_same_mean_and_a_wider_sigma() -> None:
    ladder = Ladder(PARAMETERS)
    first = ladder.apply(match("abc", ([["LLL"]], [1, 2, 3])))[0].after
    record = match("abc", ([["LLL"]], [1, 2, 3]))
    record = replace(record, seats=(("a", "f" * 64), *record.seats[1:]))
    change = ladder.apply(record)[0]
    assert change.before.mu == first.mu
    assert first.sigma < change.before.sigma <= PARAMETERS.sigma
    assert ladder.apply(record)[0].before == change.after


def test_no_new_version_is_wider_than_a_new_bot() -> None:
    assert carried_over(PARAMETERS, Rating(30, 8.3), changed=True) == Rating(30, PARAMETERS.sigma)


# √(3² + 4²) = 5 with σ₀ = 10 and d = .4; √(3² + 1²) with d = .1.
@pytest.mark.parametrize(("changed", "sigma"), [(True, 5.0), (False, 10**0.5)])
def test_a_sigma_widens_by_how_far_a_bot_may_have_moved(changed: bool, sigma: float) -> None:
    carried = carried_over(Parameters(sigma=10), Rating(30, 3), changed=changed)
    assert (carried.mu, carried.sigma) == (30, pytest.approx(sigma))
