"""Reads a season out of the store into the facts that its pages are made of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from heapq import nsmallest
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from harness.publish.feeds import MOST_ENTRIES
from harness.publish.ladder_lines import Series, Standings, ladder_lines
from harness.publish.match_facts import style_of
from harness.publish.season_sums import BotSums, SeasonSums
from harness.publish.site_facts import (
    BotFacts,
    BotProfile,
    LadderLine,
    PastSeason,
    RatingPoint,
    RoundFacts,
    SeasonFacts,
    SeasonSummary,
    VersionFacts,
)
from harness.ratings import DISQUALIFIED, PLAYS, Rating, Strength, head_to_head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.store import FaultRow, SeasonRow, SeasonTimes, Store

__all__ = ["SeasonReading", "profiles_of_season", "summary_of", "time_of"]

_NEWEST_FAULTS = 10
"""Faults of a bot that are shown in full."""


def time_of(us: int | None) -> str:
    """A time in µs UTC as RFC 3339 with Z, in whole seconds; "" for None."""
    return "" if us is None else datetime.fromtimestamp(us // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def profiles_of_season(store: Store, row: SeasonRow) -> dict[str, BotProfile]:
    """Every bot of the season, by id, as the version entered last tells it."""
    texts = {(text.bot, text.version): text for text in store.bot_texts(row.id)}
    profiles = {}
    for bot, version in sorted(store.newest_versions(row.id).items()):
        text = texts.get((bot, version))
        title, author, language = ("", "", "") if text is None else (text.title, text.author, text.language)
        profiles[bot] = BotProfile(bot, version, title, author, language)
    return profiles


class SeasonReading:
    """A season up to its round `last_round`, once `sums` has seen its matches."""

    def __init__(
        self, store: Store, row: SeasonRow, last_round: int, sums: SeasonSums, profiles: Mapping[str, BotProfile]
    ) -> None:
        self._store = store
        self._row = row
        self._last_round = last_round
        self._sums = sums
        self._profiles = profiles
        self._times: SeasonTimes = store.season_times(row.id)
        self._changes = store.entry_changes(row.id)
        newest = {bot: changes[-1] for bot, changes in self._changes.items()}
        self._states = {bot: PLAYS if change.plays else change.act for bot, change in newest.items()}
        self._leaders: dict[int, tuple[tuple[str, float, float], ...]] = {}
        self._series = self._read_series()
        self._standings = self._read_standings()

    def _read_series(self) -> dict[str, Series]:
        found: dict[str, Series] = {}
        ratings = self._store.round_ratings(self._row.id, self._last_round)
        for round_, items in groupby(ratings, key=attrgetter("round")):
            for item in items:
                series = found.setdefault(item.bot, Series())
                series.add(RatingPoint(item.round, item.rating.mu, item.rating.sigma))
                if item.round < self._last_round:
                    series.before = item.rating
            if round_ > self._last_round - MOST_ENTRIES:
                self._leaders[round_] = self._leaders_of(round_, found)
        return found

    def _leaders_of(self, round_: int, series: Mapping[str, Series]) -> tuple[tuple[str, float, float], ...]:
        """The first three of the ladder behind a round, in its order."""
        divisions = self._row.divisions
        below = max(divisions.values(), default=0) + 1
        places = []
        for bot, one in series.items():
            settled = self._of(bot).settled
            if one.last is not None and self._states.get(bot) != DISQUALIFIED:
                provisional = not settled or settled > round_
                place = (divisions.get(bot) or below, provisional, -one.last.mu, bot)
                places.append((place, (bot, one.last.mu, one.last.sigma)))
        return tuple(leader for _, leader in nsmallest(3, places))

    def _read_standings(self) -> Standings:
        row = self._row
        return Standings(
            profiles=self._profiles,
            start=row.parameters.start,
            brought={bot: Rating(float(mu), float(sigma)) for bot, _, mu, sigma in row.header.get("starts", [])},
            series=self._series,
            totals=lambda bot, size: self._of(bot).totals(size),
            totals_before=lambda bot, size: self._of(bot).totals_before(size),
            divisions=row.divisions,
            states=self._states,
        )

    def _of(self, bot: str) -> BotSums:
        return self._sums.bots.get(bot) or BotSums()

    def season(self) -> SeasonFacts:
        """The facts of the season."""
        row, store = self._row, self._store
        rounds = self._rounds()
        sizes = tuple(sorted({size for sums in self._sums.bots.values() for size in sums.by_size}))
        lines = ladder_lines(self._standings)
        official = tuple(store.official(row.id)) if row.state == "ended" else ()
        return SeasonFacts(
            league=row.league,
            number=row.number,
            state=row.state,
            practice=row.config.get("seed") is not None,
            edition=row.config["edition"],
            format=row.config["format"],
            config=row.config,
            rounds_planned=row.rounds_planned,
            matches=self._sums.matches,
            games=self._sums.games,
            commitment=row.commitment,
            secret=row.secret if row.state == "ended" else None,
            results=row.results if row.state == "ended" else (rounds[-1].results if rounds else ""),
            evidence=row.evidence if row.state == "ended" else (rounds[-1].evidence if rounds else ""),
            platform=row.platform,
            anchors=tuple(row.anchors),
            divisions=row.divisions,
            tiers=store.tiers(row.id, self._last_round),
            rounds=rounds,
            voids=tuple(void for void in store.voids(row.id) if void.round <= self._last_round),
            sizes=sizes,
            lines=lines,
            by_size={size: ladder_lines(self._standings, size) for size in sizes} if len(sizes) > 1 else {},
            official=official,
            champions=_champions(lines, official) if row.state == "ended" else (),
            pairs=tuple(head_to_head(match for match in store.match_ranks(row.id) if match.round <= self._last_round)),
            profiles=self._profiles,
            begun=time_of(self._times.announced),
            ended=time_of(self._times.ended),
        )

    def _rounds(self) -> tuple[RoundFacts, ...]:
        found = []
        for each in self._store.rounds(self._row.id):
            if each.number > self._last_round:
                break
            sums = self._sums.rounds.get(each.number)
            found.append(
                RoundFacts(
                    number=each.number,
                    matches=0 if sums is None else sums.matches,
                    size=0 if sums is None else sums.size,
                    faults=0 if sums is None else sums.faults,
                    leaders=self._leaders.get(each.number, ()),
                    results=each.results or "",
                    evidence=each.evidence or "",
                    closed=time_of(self._times.closed.get(each.number)),
                )
            )
        return tuple(found)

    def bots(self, lines: Sequence[LadderLine], past: Mapping[str, tuple[PastSeason, ...]]) -> Iterator[BotFacts]:
        """The facts of each bot in the order of the ladder, made as they are asked for."""
        for line in lines:
            bot = line.standing.bot
            sums = self._of(bot)
            rating = Rating(line.standing.mu, line.standing.sigma)
            series = self._series.get(bot)
            best, worst = sums.extremes()
            yield BotFacts(
                line=line,
                versions=tuple(
                    VersionFacts(change.from_round, change.version, change.act) for change in self._changes.get(bot, [])
                ),
                points=() if series is None else series.from_round(sums.settled),
                sizes=tuple((size, sums.totals(size)) for size in sorted(sums.by_size)),
                opponents=sums.opponent_parts(bot, rating),
                compositions=sums.table_parts(bot, rating),
                tables=len(sums.compositions),
                style=style_of(sums.style),
                fault_counts=tuple(sorted(sums.fault_counts.items(), key=lambda item: (-item[1], item[0]))),
                faults=tuple(self._faults(bot, sums)),
                recent=sums.newest(),
                best=best,
                worst=worst,
                match_pages=sums.parts,
                past=past.get(bot, ()),
            )

    def _faults(self, bot: str, sums: BotSums) -> Iterator[FaultRow]:
        if not sums.fault_counts:
            return
        yield from self._store.newest_faults(self._row.id, bot, self._last_round, _NEWEST_FAULTS)


def summary_of(season: SeasonFacts) -> SeasonSummary:
    """The line of a season in the list of seasons."""
    return SeasonSummary(
        number=season.number,
        state=season.state,
        practice=season.practice,
        rounds_over=len(season.rounds),
        rounds_planned=season.rounds_planned,
        matches=season.matches,
        bots=len(season.profiles),
        champions=season.champions,
        begun=season.begun,
        ended=season.ended,
    )


def _champions(lines: Sequence[LadderLine], official: Sequence[Strength]) -> tuple[str, ...]:
    """Who has rank 1 in the official table; where nobody is ranked there, who leads the ladder."""
    first = tuple(line.bot for line in official if line.rank == 1)
    return first or tuple(line.standing.bot for line in lines if line.standing.rank == 1 and line.standing.games)
