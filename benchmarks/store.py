"""Records stored and applied a second, over bare batched inserts of the same rows; ratings over the bare package.

The floor of the store inserts the rows that the store ended up with into the same tables of a new SQLite file under
the same settings: SQLAlchemy Core, many rows a statement, many matches a transaction. The floor of the ratings is a
loop over `trueskill` with its default backend, which gets the same finishing orders and keeps nothing.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import trueskill
from sqlalchemy import Connection, Engine, Table, create_engine, event, insert, select

from benchmarks.bench_league import BenchLeague, records_of, written_league
from benchmarks.fixtures import fixture_of
from benchmarks.made_records import Made
from harness.executors import StopSignal
from harness.league import load_league, run_league
from harness.ratings import Ladder, Parameters, match_ranks, rated_games
from harness.store import open_store
from harness.store.packing import packed
from harness.store.tables import FAULTS, FIXTURES, HISTORY, LEAGUES, RECORD_FILES, RECORDS, ROUNDS, SEASONS, STDERR

__all__ = ["StoreCost", "Times", "made_league", "measure", "times_of"]

Clock = Callable[[], float]
"""Seconds, of the wall or of CPU."""

BATCH = 64
"""Matches a transaction of the floor."""

PARENTS = (LEAGUES, SEASONS, ROUNDS, FIXTURES)
"""What the rows of a match refer to."""

ROWS = (RECORDS, RECORD_FILES, FAULTS, STDERR)
"""What a match leaves, beside its `HISTORY`."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds for all `records`: stored, applied, and of these for packing (in store) and for ratings (in apply).

    `inserts_s` and `package_s` are the floors of the whole and of the ratings.
    """

    records: int
    store_s: float
    apply_s: float
    packing_s: float
    ratings_s: float
    inserts_s: float
    package_s: float

    @property
    def whole_s(self) -> float:
        """Stored and applied."""
        return self.store_s + self.apply_s


@dataclass(frozen=True, slots=True)
class StoreCost:
    """Medians over the blocks, in µs a match; both ratios are medians of the blocks' own."""

    games: int
    records: int
    store_us: float
    packing_us: float
    apply_us: float
    ratings_us: float
    inserts_us: float
    package_us: float
    ratio: float
    ratings_ratio: float


def made_league(folder: Path, *, games: int, rounds: int) -> BenchLeague:
    """The bench league, its season run with made records."""
    league = written_league(folder, games=games, rounds=rounds)
    with open_store(league.store) as store:
        run_league(load_league(league.file), store, tell=lambda _: None, stop=StopSignal(), executor=Made())
    return league


def times_of(league: BenchLeague, folder: Path, clock: Clock = time.perf_counter) -> Times:
    """Store and apply the records of the league's season once more, in new stores in `folder`, and time the floors.

    `clock` gives seconds.
    """
    season = f"{league.file.stem}/1"
    records = records_of(league)
    with open_store(league.store, write=False) as filled:
        row = filled.season(league.file.stem)
        assert row is not None
        entries = filled.entries(season, 1)
    store_s = apply_s = 0.0
    with open_store(folder / "again.db") as store:
        store.announce_season(
            row.league, 1, row.config, row.secret, row.commitment, row.header,
            rounds_planned=row.rounds_planned, entries=entries,
        )  # fmt: skip
        for number, played in groupby(records, key=lambda record: record["fixture"]["round"]):
            of_round = [(fixture_of(record), record) for record in played]
            first = row.season_seed if number == 1 else None
            store.open_round(season, number, [fixture for fixture, _ in of_round], None, first)
            for fixture, record in of_round:
                began = clock()
                store.store_record(season, fixture, record, ("",) * len(fixture.seats), 1)
                stored = clock()
                store.apply_ready(season)
                apply_s += clock() - stored
                store_s += stored - began
    return Times(
        len(records),
        store_s,
        apply_s,
        _timed(clock, lambda: [packed(record) for record in records]),
        _rated(clock, row.parameters, records),
        _inserted(clock, league.store, folder / "bare.db"),
        _rated_bare(clock, row.parameters, records),
    )


def measure(*, games: int, rounds: int, blocks: int = 3) -> StoreCost:
    """Matches of so many games, sixteen a round, made and not played; stores in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        league = made_league(Path(folder), games=games, rounds=rounds)
        times = []
        for block in range(blocks):
            place = Path(folder, str(block))
            place.mkdir()
            times.append(times_of(league, place))
    records = times[0].records

    def us(name: str) -> float:
        found: float = statistics.median(getattr(each, name) for each in times)
        return found / records * 1e6

    return StoreCost(
        games,
        records,
        us("store_s"),
        us("packing_s"),
        us("apply_s"),
        us("ratings_s"),
        us("inserts_s"),
        us("package_s"),
        statistics.median(each.whole_s / each.inserts_s for each in times),
        statistics.median(each.ratings_s / each.package_s for each in times),
    )


def _timed(clock: Clock, work: Callable[[], object]) -> float:
    began = clock()
    work()
    return clock() - began


def _rated(clock: Clock, parameters: Parameters, records: Sequence[dict[str, Any]]) -> float:
    ladder = Ladder(parameters)
    return _timed(clock, lambda: [ladder.apply(match_ranks(record)) for record in records])


def _rated_bare(clock: Clock, parameters: Parameters, records: Sequence[dict[str, Any]]) -> float:
    """What whoever uses the package by hand would write."""
    orders = [
        [(rank, record["seats"][seat]["bot"]) for rank, seat in finish]
        for record in records
        for finish in rated_games(match_ranks(record))
    ]
    environment = trueskill.TrueSkill(parameters.mu, parameters.sigma, parameters.beta, parameters.tau, parameters.draw)
    ratings: dict[str, Any] = {bot: environment.create_rating() for order in orders for _, bot in order}

    def rate() -> None:
        for order in orders:
            groups = environment.rate([(ratings[bot],) for _, bot in order], ranks=[rank for rank, _ in order])
            ratings.update((bot, group[0]) for (_, bot), group in zip(order, groups, strict=True))

    return _timed(clock, rate)


def _inserted(clock: Clock, filled: Path, empty: Path) -> float:
    """Seconds to insert into a new store what a filled one holds of its matches."""
    open_store(empty).close()
    source, target = _engine(filled), _engine(empty)
    try:
        with source.connect() as connection:
            parents = [(table, _rows(connection, table)) for table in PARENTS]
            batches = list(_batches(connection))
        with target.begin() as connection:
            for table, rows in parents:
                connection.execute(insert(table), rows)

        def write() -> None:
            for batch in batches:
                with target.begin() as connection:
                    for table, rows in batch:
                        connection.execute(insert(table), rows)

        return _timed(clock, write)
    finally:
        source.dispose()
        target.dispose()


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}")

    @event.listens_for(engine, "connect")
    def _set(connection: Any, _: object) -> None:
        # As the store sets them; the file keeps its write-ahead log itself.
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")

    return engine


def _rows(connection: Connection, table: Table) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in connection.execute(select(table))]


def _batches(connection: Connection) -> Iterator[list[tuple[Table, list[dict[str, Any]]]]]:
    """By transaction, the rows of each table that has some."""
    tables = (*ROWS, HISTORY)
    by_match: dict[tuple[int, int], list[tuple[Table, dict[str, Any]]]] = {}
    for table in tables:
        for row in _rows(connection, table):
            by_match.setdefault((row["round"], row["number"]), []).append((table, row))
    matches = sorted(by_match)
    for start in range(0, len(matches), BATCH):
        found = [pair for match in matches[start : start + BATCH] for pair in by_match[match]]
        batch = [(table, [row for of, row in found if of is table]) for table in tables]
        yield [(table, rows) for table, rows in batch if rows]
