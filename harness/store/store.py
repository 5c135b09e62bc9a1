"""The store's face: each method is one transaction, or a stream of them, and is named for what is asked or told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from harness.errors import HarnessError
from harness.ratings import MatchRanks, Rating, Standing, Strength, TableSums
from harness.referee import Fixture
from harness.store import arrivals, official, publication, questions, ranks, records, rounds, seasons, versions, voiding
from harness.store.application import apply_batch
from harness.store.database import Database
from harness.store.dump import reproducible_dump
from harness.store.lock import RunLock
from harness.store.rows import (
    Act,
    Applied,
    BotText,
    Entry,
    EntryChange,
    FaultRow,
    HistoryRow,
    RecordKey,
    RoundRating,
    RoundRow,
    SeasonRow,
    SeasonTimes,
    VersionRow,
    VoidRow,
)

__all__ = ["Store"]

Row = TypeVar("Row")


class Store:
    """Bots, seasons, records and ratings of leagues; opened by `open_store`, a context manager.

    `season_id` is `SeasonRow.id` everywhere. Methods raise `StoreError` for what the user can mend and
    `HarnessFailure` where the machine fails (a full disk); then nothing of the call has happened. An error of another
    kind that leaves the context becomes a `StoreError` if the store is damaged.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        try:
            # A value that is none may be met far from where it was read; a full disk or a closed pipe comes of no such.
            if isinstance(error, Exception) and not isinstance(error, HarnessError | OSError):
                self._database.explain(error)
        finally:
            self.close()

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def check_kept(self) -> None:
        """StoreError where what was written was damaged meanwhile; to be asked before somebody is told that it is kept.

        It takes half a second of CPU for 10,000 records.
        """
        self._database.check_kept()

    def run_lock(self) -> RunLock:
        """`with store.run_lock():` keeps other runs out; `StoreError` where one is going on."""
        return RunLock(self._database)

    # Setting up

    def add_version(self, version: VersionRow) -> None:
        """Keep a version of a bot; one that is there stays as it is."""
        with self._database.writing() as connection:
            versions.add_version(connection, version)

    def version(self, version: str, bot: str | None = None) -> VersionRow | None:
        """The version with this content hash, or `None`; `bot` chooses where content is kept under several ids."""
        with self._database.reading() as connection:
            return versions.find_version(connection, version, bot)

    def season(self, league: str, number: int | None = None) -> SeasonRow | None:
        """A season of the league, the newest without `number`; `None` where there is none."""
        with self._database.reading() as connection:
            return seasons.find_season(connection, league, number)

    def seasons(self, league: str) -> list[SeasonRow]:
        """All seasons of the league, oldest first."""
        with self._database.reading() as connection:
            return seasons.list_seasons(connection, league)

    def announce_season(
        self,
        league: str,
        number: int,
        config: Mapping[str, Any],
        secret: str,
        commitment: str,
        header: Mapping[str, Any],
        *,
        rounds_planned: int,
        entries: Sequence[Entry] = (),
        out: Mapping[str, Act] | None = None,
        ratings: Mapping[str, Rating] | None = None,
        known: Mapping[str, Sequence[EntryChange]] | None = None,
    ) -> SeasonRow | None:
        """Write a new season in one transaction, with who plays from round 1 on and the ratings that they bring.

        `config` is what the caller will compare with when the season goes on; `header` is the first line of its file.
        By bot, `out` is what keeps some of `entries` out. Where `known` is not what `entry_changes` of the season
        before says by now, or the season is there already, nothing is written and the answer is None: read them again.
        """
        with self._database.writing() as connection:
            return seasons.announce(
                connection,
                league,
                number,
                config,
                secret,
                commitment,
                header,
                rounds_planned=rounds_planned,
                entered=entries,
                out=out or {},
                ratings=ratings or {},
                known=known,
            )

    def enter(self, season_id: str, bot: str, version: str, from_round: int, *, pardon: bool = False) -> int | None:
        """The bot plays with this version from the opening of that round on, or of the next one if that has opened.

        Returns the round, or None where the season has a successor, which has not heard of it: nothing is written.
        `StoreError` for one that is disqualified, unless this is its `pardon`.

        Its rating carries over: where the version is another than the one last rated, σ is widened at its first match.
        """
        return self._entry_set(
            season_id,
            from_round,
            lambda writing, first: seasons.enter(writing, season_id, bot, version, first, pardon=pardon),
        )

    def bench(self, season_id: str, bot: str, from_round: int) -> int | None:
        """The bot sits on the bench from that round's opening on, or the next one's, until it is entered again.

        Returns as `enter` does.
        """
        return self._entry_set(
            season_id, from_round, lambda writing, first: seasons.bench(writing, season_id, bot, first)
        )

    def withdraw(self, season_id: str, bot: str, from_round: int) -> int | None:
        """The bot plays no more from that round's opening on, or the next one's, until it is entered again.

        Returns as `enter` does.
        """
        return self._entry_set(
            season_id, from_round, lambda writing, first: seasons.withdraw(writing, season_id, bot, first)
        )

    def _entry_set(self, season_id: str, from_round: int, change: Callable[[Connection, int], None]) -> int | None:
        """Let `change` write from that round on, or the next one that opens; see `enter` for what is returned."""
        with self._database.writing() as connection:
            if not seasons.lock_newest(connection, season_id):
                return None
            from_round = max(from_round, rounds.next_round(connection, season_id))
            change(connection, from_round)
        return from_round

    def entries(self, season_id: str, round_: int) -> list[Entry]:
        """Who plays in that round, by bot id."""
        with self._database.reading() as connection:
            return seasons.entries(connection, season_id, round_)

    def entry_changes(self, season_id: str) -> dict[str, list[EntryChange]]:
        """By bot id, all that was done with its entry, oldest first."""
        with self._database.reading() as connection:
            return seasons.entry_changes(connection, season_id)

    def newest_versions(self, season_id: str) -> dict[str, str]:
        """By bot, the version entered last, whether it still plays or not."""
        with self._database.reading() as connection:
            return seasons.newest_versions(connection, season_id)

    # Playing

    def open_round(
        self,
        season_id: str,
        number: int,
        fixtures: Sequence[Fixture],
        entries_line: Mapping[str, Any] | None,
        season_seed: str | None,
        entered: Sequence[Entry] | None = None,
    ) -> bool:
        """Write a round's fixtures in one transaction, with the line of changed entries; round 1 brings the seed.

        Where `entered` is not who plays by now, nothing is written and the answer is False: read the entries again.
        """
        with self._database.writing() as connection:
            return rounds.open_round(connection, season_id, number, fixtures, entries_line, season_seed, entered)

    def rounds(self, season_id: str) -> list[RoundRow]:
        """The rounds opened so far."""
        with self._database.reading() as connection:
            return rounds.list_rounds(connection, season_id)

    def next_round(self, season_id: str) -> int:
        """The number of the round that opens next."""
        with self._database.reading() as connection:
            return rounds.next_round(connection, season_id)

    def unplayed(self, season_id: str, round_: int) -> list[Fixture]:
        """The round's fixtures that have neither a record nor been voided."""
        with self._database.reading() as connection:
            return rounds.unplayed(connection, season_id, round_)

    def store_record(
        self, season_id: str, fixture: Fixture, record: Mapping[str, Any], stderr: Sequence[str], tries: int
    ) -> None:
        """Keep a record as it arrives, with a stderr text a seat; a second one of a fixture is ignored."""
        with self._database.writing() as connection:
            arrivals.store_record(connection, season_id, fixture, record, stderr, tries)

    def void(self, season_id: str, round_: int, number: int, reason: str) -> bool:
        """A match does not count, played or not; `apply_ready` goes on behind it. Whether it had counted before."""
        with self._database.writing() as connection:
            return voiding.void(connection, season_id, [(round_, number)], reason) == 1

    def disqualify(self, season_id: str, bot: str, from_round: int, reason: str) -> tuple[int, int] | None:
        """The bot is disqualified: it plays no more, and no match with it in the season counts, for the reason given.

        Returns the first round without it and how many matches were voided, or None as `enter` does.
        """
        with self._database.writing() as connection:
            if not seasons.lock_newest(connection, season_id):
                return None
            from_round = max(from_round, rounds.next_round(connection, season_id))
            seasons.disqualify(connection, season_id, bot, from_round)
            matches = voiding.matches_of(connection, season_id, bot)
            voiding.void(connection, season_id, matches, reason)
        return from_round, len(matches)

    def rate_again(self, season_id: str, tell: Callable[[int], None] | None = None) -> None:
        """Rate the season's matches again, all here, and compute its official table anew where one is kept.

        On one platform twice is the same as once, to the bit. `tell` hears how many more matches have been rated.
        """
        with self._database.writing() as connection:
            season = seasons.lock_season(connection, season_id)
            voiding.rate_again(connection, season, tell=tell)
            seasons.mark_platform(connection, season, only=True)
            if season.state == "ended":
                official.save_official(connection, season)

    def voids(self, season_id: str) -> list[VoidRow]:
        """The matches that do not count."""
        with self._database.reading() as connection:
            return rounds.voids(connection, season_id)

    def apply_ready(self, season_id: str) -> list[Applied]:
        """Apply every stored record that is next in canonical order; the last one of a round closes the round."""
        applied: list[Applied] = []
        more = True
        while more:
            with self._database.writing() as connection:
                batch, more = apply_batch(connection, season_id)
            applied += batch
        return applied

    def end_season(self, season_id: str) -> None:
        """The season is over and its secret may be shown. Stored records count, what is unplayed is voided.

        Its official table is computed and kept.

        `StoreError` where the store was damaged meanwhile: then nothing is over.
        """
        self.check_kept()
        with self._database.writing() as connection:
            seasons.lock_season(connection, season_id)
            voiding.void_unplayed(connection, season_id)
            more = True
            while more:
                _, more = apply_batch(connection, season_id)
            season = seasons.read_season(connection, season_id)
            official.save_official(connection, season)
            seasons.mark_platform(connection, season)
            seasons.end(connection, season_id)

    # Asking

    def ratings(self, season_id: str) -> dict[str, Rating]:
        """By bot, after the records applied so far."""
        with self._database.reading() as connection:
            return questions.ratings(connection, season_id)

    def rated_versions(self, season_id: str) -> dict[str, str]:
        """By bot, the version that its rating is of."""
        with self._database.reading() as connection:
            return questions.rated_versions(connection, season_id)

    def tables(self, season_id: str, after: int = 0) -> dict[int, list[tuple[str, ...]]]:
        """By number, each round later than `after`: who sat where at its tables, those of void matches too."""
        with self._database.reading() as connection:
            return questions.tables(connection, season_id, after)

    def standings(self, season_id: str, size: int | None = None) -> list[Standing]:
        """The ladder, or that of the tables with `size` seats."""
        with self._database.reading() as connection:
            return questions.standings(connection, season_id, size)

    def official(self, season_id: str) -> list[Strength]:
        """The official table that was kept at the season's end; empty before."""
        with self._database.reading() as connection:
            return official.official(connection, season_id)

    def season_table(self, season_id: str) -> list[Strength]:
        """The official table over the matches applied so far, computed now."""
        with self._database.reading() as connection:
            return official.season_table(connection, seasons.read_season(connection, season_id))

    def tiers(self, season_id: str, last_round: int | None = None) -> dict[str, int]:
        """How many matches that count, of the rounds up to `last_round`, were played under each tier of containment."""
        with self._database.reading() as connection:
            return questions.tiers(connection, season_id, last_round)

    def faults(self, season_id: str, bot: str | None = None, finished_rounds_only: bool = True) -> list[FaultRow]:
        """The faults of a bot, or of all, with evidence and stderr."""
        with self._database.reading() as connection:
            return questions.faults(connection, season_id, bot, finished_rounds_only)

    def records(self, season_id: str, finished_rounds_only: bool = True) -> Iterator[dict[str, Any]]:
        """The records that count, in canonical order, a few in memory at a time."""
        return self._told(records.records(self._database, season_id, finished_rounds_only))

    def match_ranks(self, season_id: str) -> Iterator[MatchRanks]:
        """How each match that counts finished, in canonical order, a few in memory at a time."""
        return self._told(ranks.match_ranks(self._database, season_id))

    def record(
        self, season_id: str, round_: int, number: int, finished_rounds_only: bool = True
    ) -> dict[str, Any] | None:
        """One record, void or not; `None` where there is none to show."""
        with self._database.reading() as connection:
            return records.find_record(connection, season_id, round_, number, finished_rounds_only)

    def season_lines(self, season_id: str) -> Iterator[dict[str, Any]]:
        """The lines of `tacora-season/1`, up to the last round that is over; a few in memory at a time."""
        return self._told(records.season_lines(self._database, season_id))

    def history(self, season_id: str) -> Iterator[HistoryRow]:
        """What each match did to each rating, a few in memory at a time."""
        return self._told(questions.history(self._database, season_id))

    def _told(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The same rows, with what goes wrong in between explained."""
        with self._database.explained():
            yield from rows

    def shown_rounds(self, season_id: str) -> list[int]:
        """The numbers of the rounds whose matches may be shown: those that are over, all once the season is."""
        with self._database.reading() as connection:
            return questions.shown_rounds(connection, season_id)

    def table_sums(self, season_id: str) -> Iterator[TableSums]:
        """What each match that counts added to its bots, by rounds that may be shown; a few in memory at a time."""
        return self._told(questions.table_sums(self._database, season_id))

    # Publishing

    def record_keys(self, season_id: str, last_round: int) -> Iterator[RecordKey]:
        """What tells the records of the rounds up to `last_round` apart, void ones too; a few in memory at a time."""
        return self._told(publication.record_keys(self._database, season_id, last_round))

    def records_between(self, season_id: str, first: int, last: int) -> Iterator[dict[str, Any]]:
        """The records that count with places `first` to `last` of the canonical order, a few in memory at a time."""
        return self._told(publication.records_between(self._database, season_id, first, last))

    def round_ratings(self, season_id: str, last_round: int) -> Iterator[RoundRating]:
        """The rating of each bot behind its last match of each round; by round, a few in memory at a time."""
        return self._told(publication.round_ratings(self._database, season_id, last_round))

    def newest_faults(self, season_id: str, bot: str, last_round: int, most: int) -> list[FaultRow]:
        """The last faults of a bot in the rounds up to `last_round`, `most` of them, the newest first."""
        with self._database.reading() as connection:
            return questions.newest_faults(connection, season_id, bot, last_round, most)

    def bot_texts(self, season_id: str) -> list[BotText]:
        """What the manifests of all versions entered in the season say."""
        with self._database.reading() as connection:
            return publication.bot_texts(connection, season_id)

    def season_times(self, season_id: str) -> SeasonTimes:
        """When the season was announced and ended, and when its rounds were over."""
        with self._database.reading() as connection:
            return publication.season_times(connection, season_id)

    def reproducible_dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table that is not measured, by key: equal for two runs that are "the same"."""
        with self._database.reading() as connection:
            return reproducible_dump(connection)
