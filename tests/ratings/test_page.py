"""The numbers of `docs/explanation/ratings.md`, computed again."""

from __future__ import annotations

from pathlib import Path

from harness.ratings import MatchRanks, Parameters, Rating, Strength, official_table
from harness.ratings.skill import rate_game

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "ratings.md").read_text("utf-8")
PARAMETERS = Parameters()


def told(rating: Rating) -> str:
    return f"{rating.mu:.2f} ± {rating.sigma:.2f}"


def hundred(bots: str) -> list[MatchRanks]:
    seats = tuple((bot, "v") for bot in bots)
    words = ["12"] * 55 + ["21"] * 40 + ["11"] * 5
    return [MatchRanks(f"{bots}-{n:03d}", 1, "0" * 32, seats, word) for n, word in enumerate(words)]


def table(bots: str, **given: dict[str, int] | dict[str, Rating]) -> list[Strength]:
    matches = [match for pair in zip(bots[::2], bots[1::2], strict=True) for match in hundred("".join(pair))]
    return official_table(PARAMETERS, matches, ranked=dict.fromkeys(bots, "v"), **given)  # type: ignore[arg-type]


def test_a_shared_first_place_with_a_weaker_bot_costs_points() -> None:
    before = Rating(40, 3), Rating(20, 3)
    after = rate_game(PARAMETERS, before, [1, 1])
    for name, old, new in zip(("strong", "weak"), before, after, strict=True):
        assert f"| {name}, shares rank 1 | {told(old)} | {told(new)} |" in PAGE


def test_the_later_of_two_results_weighs_more() -> None:
    start = PARAMETERS.start
    a, b = rate_game(PARAMETERS, [start, start], [1, 2])
    last_b, last_a = rate_game(PARAMETERS, [b, a], [1, 2])
    assert f"| a | {told(start)} | {told(a)} | {told(last_a)} |" in PAGE
    assert f"| b | {told(start)} | {told(b)} | {told(last_b)} |" in PAGE


def test_the_table_of_two_bots() -> None:
    lines = table("ab")
    for line in lines:
        interval = f"{line.low:.2f} to {line.high:.2f} | {line.rank_low} to {line.rank_high}"
        assert f"| {line.rank} | {line.bot} | {line.strength:.2f} | {interval} |" in PAGE
    assert f"difference of {lines[0].strength - lines[1].strength:.2f} points" in PAGE


def test_the_table_of_two_divisions() -> None:
    brought = {"a": 30, "b": 28, "c": 22, "d": 20}
    lines = table(
        "abcd",
        divisions={"a": 1, "b": 1, "c": 2, "d": 2},
        starts={bot: Rating(mu, 2) for bot, mu in brought.items()},
    )
    for line in lines:
        assert f"| {line.rank} | {line.bot} | {line.division} | {brought[line.bot]} | {line.strength:.2f} |" in PAGE
