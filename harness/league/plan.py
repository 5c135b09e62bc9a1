"""What a run would be, before anything is played: how many matches, how evenly spread, how sure the ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt

from harness.game import seed_from_text
from harness.league.divisions import line_up
from harness.league.entrant import Entrant
from harness.league.formats import Format, Goal, Past, Spread, format_named, pairs_apart, spread
from harness.league.formats.format import size_of_round
from harness.league.league_file import League
from harness.league.precision import StrengthPlan, strength_plan
from harness.ratings import Z95

__all__ = ["CompositionPlan", "DividedPlan", "GauntletPlan", "Plan", "SizePlan", "TenfoldPlan", "plan"]

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
class TenfoldPlan:
    """What ten times as many rounds would cost, and how sure they would make it; fields as in `Plan`."""

    matches: int
    games: int
    seconds: float | None
    half_width: float
    strength: StrengthPlan | None


@dataclass(frozen=True, slots=True)
class CompositionPlan:
    """How many sets of opponents a table of `size` can have beside the candidate, and how many of them it has."""

    size: int
    compositions: int
    covered: int


@dataclass(frozen=True, slots=True)
class GauntletPlan:
    """What is known before of a gauntlet of `bot`.

    `rounds_needed` is after how many rounds its strength is expected to be known to ±`width`; `enough` says that the
    league has so many.
    """

    bot: str
    width: float
    rounds_needed: int
    enough: bool
    compositions: tuple[CompositionPlan, ...]


@dataclass(frozen=True, slots=True)
class DividedPlan:
    """A later season of the same bots, in divisions of the sizes `bots`; fields as in `Plan`."""

    bots: tuple[int, ...]
    matches: int
    games: int
    strength: StrengthPlan | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A season as it would be played.

    `matches_per_bot` is the least and the most over the bots. `half_width` is the expected half-width of a 95 %
    interval of a bot's win share: z·√(Σ Gₛ·pₛ·(1 − pₛ)) / Σ Gₛ over the table sizes s, with Gₛ its games at that size
    and pₛ = 1/s, the win share of a bot like all others; games count as independent, since each has its own deck, and
    shared wins, which make it narrower, are left out. `strength` is that of a bot's strength in the official table, see
    `precision.py`, None where some bot plays no match. Both are those of the bot with the fewest matches.

    `tenfold` is what ten times as many rounds would be. `seconds` is the time that one worker would need for all, None
    without a pilot. `by_rating` says that the format pairs by rating; nobody knows the ratings to come, so that the
    spread is then that of bots which all keep the rating that they start with.

    In a gauntlet, which `gauntlet` tells of, `spread` and `matches_per_bot` are those of the opponents, `half_width`
    and `strength` those of the candidate. Of a league with divisions all is told of the season before there are any,
    and `divided` of one in which there are; it is None where the bots are too few for that.
    """

    bots: int
    rounds: int
    matches: int
    games: int
    matches_per_bot: tuple[int, int]
    spread: Spread
    sizes: tuple[SizePlan, ...]
    half_width: float
    strength: StrengthPlan | None
    seconds: float | None
    by_rating: bool
    tenfold: TenfoldPlan
    gauntlet: GauntletPlan | None
    divided: DividedPlan | None


def plan(league: League, entrants: Sequence[Entrant], seconds_per_match: Mapping[int, float] | None = None) -> Plan:
    """The plan of a league with these entrants in all its rounds; pure.

    `seconds_per_match` is what a pilot measured by table size, one match on one worker; sizes that it did not measure
    are taken to grow with the seats. LeagueFileError where the entrants can't be paired.
    """
    format_ = format_named(league.format)
    refused = format_.refusal(entrants, league.seats, league.format_options)
    if refused is not None:
        raise league.refusal(f"bots: {refused}")
    tables = _tables(league, format_, entrants)
    goal = format_.goal(league.format_options)
    ids = [entrant.id for entrant in entrants]
    apart = pairs_apart(entrants, league.format_options)
    candidates = () if goal is None else (goal.bot,)
    sizes = tuple(
        _size_plan(league, size, tables[size], spread(tables[size], ids, apart, candidates), goal)
        for size in sorted(tables)
    )
    everything = [table for size in sorted(tables) for table in tables[size]]
    overall = spread(everything, ids, apart, candidates)
    games = {one.size: _telling(one.matches, one.matches_per_bot, goal) * league.games for one in sizes}
    seconds = _seconds(sizes, seconds_per_match)
    more = {size: 10 * count for size, count in games.items()}
    return Plan(
        bots=len(ids),
        rounds=league.rounds,
        matches=len(everything),
        games=len(everything) * league.games,
        matches_per_bot=overall.matches,
        spread=overall,
        sizes=sizes,
        half_width=_half_width(games),
        strength=_strength(league, games, len(ids)),
        seconds=seconds,
        by_rating=format_.by_rating,
        tenfold=TenfoldPlan(
            matches=10 * len(everything),
            games=10 * len(everything) * league.games,
            seconds=None if seconds is None else 10 * seconds,
            half_width=_half_width(more),
            strength=_strength(league, more, len(ids)),
        ),
        gauntlet=None if goal is None else _gauntlet(league, goal, tables, len(ids)),
        divided=_divided(league, format_, ids, games) if league.format == "divisions" else None,
    )


def _tables(league: League, format_: Format, entrants: Sequence[Entrant]) -> dict[int, list[tuple[str, ...]]]:
    """All tables of the season by size, those of a size in the order of rounds."""
    seed = _ANY_SEED if league.seed is None else seed_from_text(league.seed)
    ids = [entrant.id for entrant in entrants]
    tables: dict[int, list[tuple[str, ...]]] = {}
    past = Past()
    for round_ in range(1, league.rounds + 1):
        field = past.field(entrants, {}, league.rating.start)
        drawn = format_.tables(field, round_, league.seats, seed, league.format_options)
        past.add_round(ids, drawn)
        tables.setdefault(len(drawn[0]), []).extend(drawn)
    return tables


def _size_plan(
    league: League, size: int, tables: Sequence[Sequence[str]], found: Spread, goal: Goal | None
) -> SizePlan:
    """The plan at one size of table."""
    rounds = sum(size_of_round(league.seats, round_) == size for round_ in range(1, league.rounds + 1))
    games = _telling(len(tables), found.matches, goal) * league.games
    return SizePlan(
        size, rounds, len(tables), len(tables) * league.games, found.matches, found, _half_width({size: games})
    )


def _telling(matches: int, matches_per_bot: tuple[int, int], goal: Goal | None) -> int:
    """The matches of the bot whose intervals are told: the candidate's, which are all, or the least of any bot."""
    return matches_per_bot[0] if goal is None else matches


def _strength(league: League, games: Mapping[int, int], bots: int, *, apart: bool = False) -> StrengthPlan | None:
    """How well a strength is known after so many games by size of table; `apart` is in a division of so many bots.

    Who is an anchor in which division nobody knows, so there the scale hangs on all of it.
    """
    anchors = 0 if apart else sum(entry.anchor for entry in league.bots)
    return strength_plan(games, bots, league.rating.beta, anchors, gauntlet=league.format == "gauntlet")


def _gauntlet(league: League, goal: Goal, tables: Mapping[int, Sequence[Sequence[str]]], bots: int) -> GauntletPlan:
    """How far the budget goes."""
    needed = _rounds_needed(league, goal, bots)
    return GauntletPlan(
        bot=goal.bot,
        width=goal.half_width,
        rounds_needed=needed,
        enough=needed <= league.rounds,
        compositions=tuple(
            CompositionPlan(size, comb(bots - 1, size - 1), len({frozenset(table) for table in tables[size]}))
            for size in sorted(tables)
        ),
    )


def _rounds_needed(league: League, goal: Goal, bots: int) -> int:
    """The first round after which the candidate's interval is expected to be as narrow as was asked."""

    def reached(rounds: int) -> float:
        cycles, more = divmod(rounds, len(league.seats))
        played = {size: cycles * league.seats.count(size) for size in league.seats}
        for size in league.seats[:more]:
            played[size] += 1
        each = (bots - 1) * league.games
        found = _strength(league, {size: count * each for size, count in played.items()}, bots)
        return float("inf") if found is None else found.half_width

    # Half-widths fall with the root of the number of cycles, so the answer lies in the cycle before this or in this.
    cycle = len(league.seats)
    rounds = max(0, int((reached(cycle) / goal.half_width) ** 2) - 1) * cycle
    while reached(rounds) > goal.half_width:
        rounds += 1
    return rounds


def _divided(league: League, format_: Format, ids: Sequence[str], games: Mapping[int, int]) -> DividedPlan | None:
    """The same bots in as many divisions as they can fill; as many games a bot as before, and pairs meet more often."""
    count = min(league.format_options["count"], len(ids) // max(league.seats))
    if count < 2:
        return None
    cut = line_up(sorted(ids), count)
    divisions = {bot: number for number, bots in enumerate(cut, start=1) for bot in bots}
    matches = sum(
        format_.matches(ids, size_of_round(league.seats, round_), divisions) for round_ in range(1, league.rounds + 1)
    )
    return DividedPlan(
        bots=tuple(len(bots) for bots in cut),
        matches=matches,
        games=matches * league.games,
        strength=_strength(league, games, len(cut[0]), apart=True),
    )


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
