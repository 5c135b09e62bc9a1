"""The part of a site that shows one season: its pages written as its matches pass by, only those that changed."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from harness.league import write_lines
from harness.publish import addresses
from harness.publish.data_files import data_files, matches_csv
from harness.publish.drafts import fingerprint_of
from harness.publish.feeds import bot_feed
from harness.publish.pages import (
    bot_page,
    match_list,
    names_file,
    pairs_page,
    round_page,
    season_ladders,
    season_page,
)
from harness.publish.pages.match import match_page
from harness.publish.season_reading import SeasonReading, profiles_of_season
from harness.publish.season_sums import ROUND_LINES, SeasonSums
from harness.publish.shards import cut, shards_of

if TYPE_CHECKING:
    from harness.publish.page import Page
    from harness.publish.page_writer import PageWriter
    from harness.publish.site_facts import BotFacts, MatchLine, PastSeason, SeasonFacts, SiteFacts
    from harness.store import SeasonRow, Store

__all__ = ["SeasonSite"]


class SeasonSite:
    """Publishes a season up to the last of its rounds that is over."""

    def __init__(self, store: Store, row: SeasonRow, site: SiteFacts, writer: PageWriter) -> None:
        self._store = store
        self._row = row
        self._site = site
        self._writer = writer
        self._profiles = profiles_of_season(store, row)
        # Asked for once: a run may close a round meanwhile, which is then for the next publish.
        self._last_round = max(store.shown_rounds(row.id), default=0)
        rounds = store.rounds(row.id)[: self._last_round]
        void = Counter(each.round for each in store.voids(row.id))
        self._matches = {each.number: each.fixtures - void[each.number] for each in rounds}

    def settled(self) -> str:
        """Stands for all of the rounds that are over that may still change: voidings, entries and the season's end.

        The store is asked many questions in a publish, and an act of the organiser may come between two of them.
        """
        store, season_id = self._store, self._row.id
        voids = [void for void in store.voids(season_id) if void.round <= self._last_round]
        return fingerprint_of(voids, store.entry_changes(season_id), store.season_times(season_id).ended)

    def fingerprint(self) -> str:
        """Tells whether anything that the pages of a season which is over show has changed."""
        store, season_id = self._store, self._row.id
        return fingerprint_of(
            self._row, store.rounds(season_id), store.voids(season_id), store.ratings(season_id),
            store.official(season_id), store.entry_changes(season_id), store.season_times(season_id), self._profiles,
        )  # fmt: skip

    def publish(self, past: Mapping[str, tuple[PastSeason, ...]]) -> SeasonFacts:
        """Write what changed, and return what the season is; `past` is how its bots came out of earlier ones."""
        number = self._row.number
        sums = SeasonSums(self._last_round, self._write_list, self._write_round)
        shards = cut(self._store.record_keys(self._row.id, self._last_round))
        passed = sums.take(shards_of(self._store, self._row, shards, self._writer))
        # The lines that this file takes are what drives the pass.
        self._writer.file(addresses.data_file(number, "matches.csv"), matches_csv(passed))
        for round_, matches in self._matches.items():
            if not matches:
                self._write_round(round_, 1, last=True, lines=())
        reading = SeasonReading(self._store, self._row, self._last_round, sums, self._profiles)
        season = reading.season()
        names = {bot: profile.title for bot, profile in self._profiles.items()}
        over = season.state == "ended"
        self._write(match_page(number, season.practice, sums.starts, names, over))
        bots = self._write_bots(season, reading.bots(season.lines, past))
        for path, data in data_files(self._site, season, bots):
            self._writer.file(path, iter((data,)))
        self._write(pairs_page(season))
        if over:
            path = addresses.season_file(number)
            self._writer.file(path, _packed(write_lines(self._store.season_lines(self._row.id))))
        if script := names_file(season):
            self._writer.file(script[0], iter(script[1:]))
        for page in season_ladders(season):
            self._write(page)
        self._write(season_page(season))
        return season

    def _write_bots(self, season: SeasonFacts, bots: Iterable[BotFacts]) -> Iterator[BotFacts]:
        """Writes each bot's page and feed as it passes by."""
        for bot in bots:
            self._write(bot_page(self._site, season, bot))
            path = addresses.bot_feed(season.number, bot.line.standing.bot)
            self._writer.file(path, iter((bot_feed(self._site, season, bot),)))
            yield bot

    def _write_list(self, bot: str, part: int, lines: tuple[MatchLine, ...]) -> None:
        self._write(match_list(self._row.number, bot, part, lines, self._profiles))

    def _write_round(self, round_: int, part: int, last: bool, lines: tuple[MatchLine, ...]) -> None:
        parts = part if last else -(-self._matches[round_] // ROUND_LINES)
        newer = round_ < self._last_round
        self._write(round_page(self._row.number, round_, part, parts, lines, self._profiles, newer=newer))

    def _write(self, page: Page) -> None:
        self._writer.page(page)


def _packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """As gzip, without a name or a time in it: the same lines give the same bytes."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    for piece in pieces:
        if packed := pack.compress(piece):
            yield packed
    yield pack.flush()
