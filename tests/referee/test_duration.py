"""How long a match can last."""

from __future__ import annotations

import pytest

from harness.game import BUILT_IN
from harness.protocol import Limits
from harness.referee import Fixture, Seat, longest_s

SEATS = tuple(Seat(bot, "0" * 64) for bot in ("a", "b", "c"))


def longest(games: int, **limits: int) -> float:
    return longest_s(Fixture(None, 0, 0, 0, "0" * 32, BUILT_IN["iello-2016"], games, Limits(**limits), SEATS))


@pytest.mark.parametrize("games", [1, 200])
def test_bots_that_use_all_their_limits_leave_are_waited_for(games: int) -> None:
    # 35 cards an expedition, five expeditions a game: a bot may stall as often, a second short of its stop.
    assert longest(games, start_ms=2000, stall_ms=10_000) > 3 * 3 * 2.0 + games * 5 * 35 * 10.0


def test_a_match_of_one_game_is_over_within_the_hour() -> None:
    assert longest(1) < 3600
