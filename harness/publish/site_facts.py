"""What the pages of a site are made of: values read out of the store once, frozen, with nothing of an open round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.ratings import Breakdown, HeadToHead, Standing, Strength, Totals
from harness.store import FaultRow, VoidRow

__all__ = [
    "Assets",
    "BotFacts",
    "BotProfile",
    "LadderLine",
    "MatchLine",
    "PastSeason",
    "RatingPoint",
    "RoundFacts",
    "SeasonFacts",
    "SeasonSummary",
    "SiteFacts",
    "Style",
    "StyleBar",
    "VersionFacts",
]


@dataclass(frozen=True, slots=True)
class Assets:
    """The paths of the files that all pages share, from the site's folder; each holds a hash of its content."""

    style: str
    tables: str
    viewer: str


@dataclass(frozen=True, slots=True)
class SeasonSummary:
    """A season in the list of seasons. `champions` are the bots with rank 1 once it is over, best first, else empty.

    `ended` is when it ended, `begun` when it was announced, RFC 3339 with Z; `ended` is "" while it runs.
    """

    number: int
    state: str
    practice: bool
    rounds_over: int
    rounds_planned: int
    matches: int
    bots: int
    champions: tuple[str, ...]
    begun: str
    ended: str


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What is the same on every page of one publish.

    `site_url` is where the site will stand, with a "/" at the end, or None where the league file does not say.
    """

    league: str
    site_url: str | None
    newest: int
    publish_stderr: bool
    harness: str
    assets: Assets


@dataclass(frozen=True, slots=True)
class BotProfile:
    """A bot as its manifest tells it: `title`, `author` and `language` are what its author wrote, "" where nothing."""

    bot: str
    version: str
    title: str
    author: str
    language: str


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A bot's rating at the end of a round that it played in."""

    round: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of the ladder.

    `rank_low` to `rank_high` is the interval of the rank by the ratings' 95 % intervals: 1 + the number of bots that
    are surely above, to the number of bots less those that are surely below; None for one that is disqualified.
    `moved` is how many places it is higher than after the round before, None where it was not on that ladder or there
    is none. `spark` is μ after rounds, evenly thinned, 24 points at most.
    """

    standing: Standing
    profile: BotProfile
    rank_low: int | None
    rank_high: int | None
    moved: int | None
    spark: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that is over: matches that count, and the heads of both chains behind it. `closed` is RFC 3339 with Z.

    `size` is the number of seats at its tables, `faults` counts those of its matches. `leaders` are the first bots of
    the ladder behind it, three at most, each with μ and σ; empty for a round that is long past.
    """

    number: int
    matches: int
    size: int
    faults: int
    leaders: tuple[tuple[str, float, float], ...]
    results: str
    evidence: str
    closed: str


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match that counts, by seat: `points`, `ranks` and `win_parts` (in 840ths) are sums over its games.

    `faults` holds (seat, kind). `match` is the whole name, LEAGUE/SEASON/ROUND/NUMBER.
    """

    match: str
    round: int
    number: int
    games: int
    bots: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    win_parts: tuple[int, ...]
    faults: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class StyleBar:
    """Decisions asked where something lay from `low` to `high`, and how many of them were to leave.

    `high` is None where there is no upper end.
    """

    low: int
    high: int | None
    asked: int
    left: int


@dataclass(frozen=True, slots=True)
class Style:
    """How a bot leaves: by the pocket at stake, by danger, by how many are inside (itself included).

    Danger is the share of face-down cards that would end the expedition, in whole per cent rounded down.
    Bars without a decision are there too, with 0. `single_pocket` and `single_danger` are the same decisions, a bar a
    value, for finding thresholds.
    """

    pocket: tuple[StyleBar, ...]
    danger: tuple[StyleBar, ...]
    inside: tuple[StyleBar, ...]
    single_pocket: tuple[StyleBar, ...] = ()
    single_danger: tuple[StyleBar, ...] = ()


@dataclass(frozen=True, slots=True)
class VersionFacts:
    """From the opening of `from_round` on: `act` is entered, let-in, benched, withdrawn or disqualified."""

    from_round: int
    version: str
    act: str


@dataclass(frozen=True, slots=True)
class PastSeason:
    """How a bot came out of an earlier season; `rank` is None where it was disqualified."""

    number: int
    rank: int | None
    bots: int
    mu: float


@dataclass(frozen=True, slots=True)
class BotFacts:
    """All that a bot's page shows.

    `compositions` are the tables it sat at most often, most games first, of `tables` different ones; `opponents` are by
    id. `recent`, `best` and `worst` are matches, newest or most extreme first. `match_pages` counts the pages that list
    its earlier matches, `fault_counts` is by kind, `faults` the newest ones, newest first. `points` begin where the
    rating was no more provisional, if two rounds are left then.
    """

    line: LadderLine
    versions: tuple[VersionFacts, ...]
    points: tuple[RatingPoint, ...]
    sizes: tuple[tuple[int, Totals], ...]
    opponents: tuple[Breakdown, ...]
    compositions: tuple[Breakdown, ...]
    tables: int
    style: Style
    fault_counts: tuple[tuple[str, int], ...]
    faults: tuple[FaultRow, ...]
    recent: tuple[MatchLine, ...]
    best: tuple[MatchLine, ...]
    worst: tuple[MatchLine, ...]
    match_pages: int
    past: tuple[PastSeason, ...]


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """A season as far as its rounds are over.

    `state` is announced, running or ended. `secret` is None before the end. `lines` is the ladder in its order,
    `by_size` the ladder of tables of each size where there are several, `official` the official table, empty before the
    end, `pairs` all of head to head, both ways round. `champions` are the bots that won it, several where they share
    the first place, none before the end or where nothing was played. `config` is the league file's part that can't
    change in a season. `profiles` holds every bot of the season, by id. `tiers` counts matches by tier of containment.
    """

    league: str
    number: int
    state: str
    practice: bool
    edition: Mapping[str, Any]
    format: str
    config: Mapping[str, Any]
    rounds_planned: int
    matches: int
    games: int
    commitment: str
    secret: str | None
    results: str
    evidence: str
    platform: str
    anchors: tuple[str, ...]
    divisions: Mapping[str, int]
    tiers: Mapping[str, int]
    rounds: tuple[RoundFacts, ...]
    voids: tuple[VoidRow, ...]
    sizes: tuple[int, ...]
    lines: tuple[LadderLine, ...]
    by_size: Mapping[int, tuple[LadderLine, ...]]
    official: tuple[Strength, ...]
    champions: tuple[str, ...]
    pairs: tuple[HeadToHead, ...]
    profiles: Mapping[str, BotProfile]
    begun: str
    ended: str
