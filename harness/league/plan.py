"""What a run would be, before anything is played: how many matches, how evenly spread, how sure the ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from harness.game import seed_from_text
from harness.league.entrant import Entrant
from harness.league.formats import Past, Spread, format_named, pairs_apart, spread
from harness.league.league_file import League
from harness.ratings import Z95

__all__ = ["Plan", "SizePlan", "plan"]

_ANY_SEED = "00" * 16
"""Stands for the secret, drawn when a season is announced; who meets how often depends little on it, or not at all."""


@dataclass(frozen=True, slots=True)
class SizePlan:
    """What is played at tables of `size`. `half_width` is that of the win share, see `Plan`."""

    size: int
    rounds: int
    matches: int
    games: int
    matches_per_bot: tuple[int, int]
    spread: Spread
    half_width: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A season as it would be played.

    `matches_per_bot` is the least and the most over the bots. `half_width` is the expected half-width of a 95 %
    interval of a bot's win share: z·√(Σ Gₛ·pₛ·(1 − pₛ)) / Σ Gₛ over the table sizes s, with Gₛ its games at that size
    and pₛ = 1/s, the win share of a bot like all others; games count as independent, since each has its own deck, and
    shared wins, which make it narrower, are left out. `seconds` is the time that one worker would need for all, None
    without a pilot. `by_rating` says that the format pairs by rating; nobody knows the ratings to come, so that the
    spread is then that of bots which all keep the rating that they start with.
    """

    bots: int
    rounds: int
    matches: int
    games: int
    matches_per_bot: tuple[int, int]
    spread: Spread
    sizes: tuple[SizePlan, ...]
    half_width: float
    seconds: float | None
    by_rating: bool


def plan(league: League, entrants: Sequence[Entrant], seconds_per_match: Mapping[int, float] | None = None) -> Plan:
    """The plan of a league with these entrants in all its rounds; pure.

    `seconds_per_match` is what a pilot measured by table size, one match on one worker; sizes that it did not measure
    are taken to grow with the seats. LeagueFileError where the entrants can't be paired.
    """
    format_ = format_named(league.format)
    refused = format_.refusal(entrants, league.seats, league.format_options)
    if refused is not None:
        raise league.refusal(f"bots: {refused}")
    seed = _ANY_SEED if league.seed is None else seed_from_text(league.seed)
    ids = [entrant.id for entrant in entrants]
    apart = pairs_apart(entrants, league.format_options)
    tables: dict[int, list[tuple[str, ...]]] = {}
    rounds: dict[int, int] = {}
    past = Past()
    for round_ in range(1, league.rounds + 1):
        field = past.field(entrants, {}, league.rating.start)
        drawn = format_.tables(field, round_, league.seats, seed, league.format_options)
        past.add_round(ids, drawn)
        size = len(drawn[0])
        rounds[size] = rounds.get(size, 0) + 1
        tables.setdefault(size, []).extend(drawn)
    sizes = tuple(
        _size_plan(size, rounds[size], tables[size], league.games, spread(tables[size], ids, apart))
        for size in sorted(tables)
    )
    everything = [table for size in sorted(tables) for table in tables[size]]
    overall = spread(everything, ids, apart)
    return Plan(
        bots=len(ids),
        rounds=league.rounds,
        matches=len(everything),
        games=len(everything) * league.games,
        matches_per_bot=overall.matches,
        spread=overall,
        sizes=sizes,
        half_width=_half_width({one.size: one.matches_per_bot[0] * league.games for one in sizes}),
        seconds=_seconds(sizes, seconds_per_match),
        by_rating=format_.by_rating,
    )


def _size_plan(size: int, rounds: int, tables: Sequence[Sequence[str]], games: int, found: Spread) -> SizePlan:
    """The plan at one size of table."""
    least = found.matches[0] * games
    return SizePlan(size, rounds, len(tables), len(tables) * games, found.matches, found, _half_width({size: least}))


def _half_width(games: Mapping[int, int]) -> float:
    """Expected half-width of a 95 % interval of the win share after so many games by table size; 0.5 after none."""
    total = sum(games.values())
    if not total:
        return 0.5
    return Z95 * sqrt(sum(count / size * (1 - 1 / size) for size, count in games.items())) / total


def _seconds(sizes: Sequence[SizePlan], measured: Mapping[int, float] | None) -> float | None:
    """Seconds of all matches one after the other."""
    if not measured:
        return None
    per_seat = sum(value / size for size, value in measured.items()) / len(measured)
    return sum(one.matches * measured.get(one.size, per_seat * one.size) for one in sizes)
