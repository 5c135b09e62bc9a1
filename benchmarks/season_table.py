"""How good the official table of a season is, and what it costs: seasons of bots whose true strengths are known.

A season is 10,000 matches of one game, six of 50 bots at a table. True strengths are normal with a standard deviation
of .35, in units of the noise of one performance. Who performs nearer than .055 to the next better of the table shares
its rank, by which 3 % of pairs tie. Beside the table stand TrueSkill's live ratings of the same matches, with a
league's parameters and with the package's.

Intervals are compared with true ranks and with true strengths less their mean, since the level of a table without
anchors is that of what the bots brought.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import trueskill

from benchmarks.made_season import VERSION, bot_name, drawn_strengths, made_season
from harness.ratings import Ladder, MatchRanks, Parameters, Strength, official_table, rated_games
from harness.ratings.official import season_model
from harness.ratings.pairs import count_pairs

__all__ = [
    "BOOTSTRAPS",
    "BOTS",
    "LEAGUES",
    "LIVE_LEAGUES",
    "MATCHES",
    "Quality",
    "Replay",
    "TableCost",
    "cost",
    "kendall",
    "live_qualities",
    "qualities",
    "quality",
    "replay",
]

BOTS, MATCHES, LEAGUES, LIVE_LEAGUES, BOOTSTRAPS = 50, 10_000, 60, 4, 200

Clock = Callable[[], float]
"""Gives seconds of CPU."""

LEAGUE = Parameters()
PACKAGE = Parameters(beta=25 / 6, tau=25 / 300, draw=0.1)
"""What `trueskill` rates with if it is told nothing."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Of one season's table: pairs that tied, Kendall's τ with the truth, shares of intervals that hold the truth."""

    tied: float
    kendall: float
    strengths_held: float
    ranks_held: float
    ranks_wide: float


@dataclass(frozen=True, slots=True)
class TableCost:
    """Seconds: one fit to pairs that are counted, the counting of pairs, the whole table with its draws."""

    fit_s: float
    count_s: float
    table_s: float


@dataclass(frozen=True, slots=True)
class Replay:
    """µs a match of so many seats: `Ladder.apply`, and a bare loop over the package with the same backend."""

    seats: int
    ladder_us: float
    bare_us: float
    ratio: float


def qualities(leagues: int = LEAGUES, matches: int = MATCHES) -> Iterator[Quality]:
    """One by one, for the seeds from 1 on."""
    for seed in range(1, leagues + 1):
        truth = drawn_strengths(BOTS, seed)
        yield quality(truth, made_season(truth, matches, seed))


def quality(truth: Sequence[float], matches: Sequence[MatchRanks]) -> Quality:
    """How near to the truth the table of these matches comes."""
    lines = table_of(matches, len(truth))
    level = statistics.fmean(truth)
    ordered = sorted(truth, reverse=True)
    strengths, ranks, wide = 0, 0, 0
    for bot, true in enumerate(truth):
        line = lines[bot_name(bot)]
        points = LEAGUE.mu + LEAGUE.beta * (true - level)
        strengths += line.low <= points <= line.high
        assert line.rank_low is not None
        assert line.rank_high is not None
        ranks += line.rank_low <= ordered.index(true) + 1 <= line.rank_high
        wide += line.rank_high - line.rank_low + 1
    counts = count_pairs(matches).counts()
    return Quality(
        tied=float(counts[:, 2].sum() / counts.sum()),
        kendall=kendall(truth, [lines[bot_name(bot)].strength for bot in range(len(truth))]),
        strengths_held=strengths / len(truth),
        ranks_held=ranks / len(truth),
        ranks_wide=wide / len(truth),
    )


def live_qualities(leagues: int, matches: int = MATCHES) -> Iterator[tuple[float, float]]:
    """Of the same seasons, Kendall's τ of live ratings with the truth: by a league's parameters, by the package's."""
    for seed in range(1, leagues + 1):
        truth = drawn_strengths(BOTS, seed)
        made = made_season(truth, matches, seed)
        bots = [bot_name(bot) for bot in range(len(truth))]
        by_league, by_package = (kendall(truth, live_ratings(which, made, bots)) for which in (LEAGUE, PACKAGE))
        yield by_league, by_package


def table_of(matches: Sequence[MatchRanks], bots: int, bootstraps: int = BOOTSTRAPS) -> dict[str, Strength]:
    """The official table by bot."""
    ranked = {bot_name(bot): VERSION for bot in range(bots)}
    return {line.bot: line for line in official_table(LEAGUE, matches, ranked=ranked, bootstraps=bootstraps)}


def live_ratings(parameters: Parameters, matches: Sequence[MatchRanks], bots: Sequence[str]) -> list[float]:
    """TrueSkill's μ after all matches."""
    ladder = Ladder(parameters)
    for match in matches:
        ladder.apply(match)
    return [ladder.ratings.get(bot, parameters.start).mu for bot in bots]


def kendall(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's τ of two orders without ties: concordant less discordant pairs, over all."""
    pairs = [(a, b) for a in range(len(one)) for b in range(a)]
    return sum(math.copysign(1, (one[a] - one[b]) * (other[a] - other[b])) for a, b in pairs) / len(pairs)


def cost(matches: int = MATCHES, blocks: int = 5, clock: Clock = time.process_time) -> TableCost:
    """Medians over so many repetitions, in CPU time."""
    truth = drawn_strengths(BOTS, 1)
    made = made_season(truth, matches, 1)
    fits, countings, tables = [], [], []
    for _ in range(blocks):
        began = clock()
        pairs = count_pairs(made)
        counted = clock()
        season_model(LEAGUE, pairs, {}).fit(pairs.counts())
        fitted = clock()
        table_of(made, len(truth))
        tables.append(clock() - fitted)
        fits.append(fitted - counted)
        countings.append(counted - began)
    return TableCost(statistics.median(fits), statistics.median(countings), statistics.median(tables))


def replay(seats: int, matches: int = 1000, blocks: int = 9, clock: Clock = time.process_time) -> Replay:
    """Ladder and bare loop alternate, in CPU time; the ratio is the median of the blocks' own."""
    made = made_season(drawn_strengths(BOTS, 1), matches, 1, seats=seats)
    ladders, bares = [], []
    for _ in range(blocks):
        began = clock()
        live_ratings(LEAGUE, made, ())
        ladders.append(clock() - began)
        bares.append(bare_replay(made, clock))
    return Replay(
        seats,
        statistics.median(ladders) / matches * 1e6,
        statistics.median(bares) / matches * 1e6,
        statistics.median(ladder / bare for ladder, bare in zip(ladders, bares, strict=True)),
    )


def bare_replay(matches: Sequence[MatchRanks], clock: Clock = time.process_time) -> float:
    """Seconds of a loop over the package that gets finishing orders and keeps the last ratings."""
    orders = [[(rank, match.seats[seat][0]) for rank, seat in game] for match in matches for game in rated_games(match)]
    root, normal = math.sqrt(0.5), NormalDist()
    environment = trueskill.TrueSkill(
        LEAGUE.mu,
        LEAGUE.sigma,
        LEAGUE.beta,
        LEAGUE.tau,
        LEAGUE.draw,
        backend=(lambda x: 0.5 * math.erfc(-x * root), normal.pdf, normal.inv_cdf),
    )
    ratings: dict[str, Any] = {bot: environment.create_rating() for order in orders for _, bot in order}
    began = clock()
    for order in orders:
        groups = environment.rate([(ratings[bot],) for _, bot in order], ranks=[rank for rank, _ in order])
        ratings.update((bot, group[0]) for (_, bot), group in zip(order, groups, strict=True))
    return clock() - began
