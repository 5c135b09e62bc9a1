"""Whether a store is sound: what is damaged in it, and where. Asked at the end of a run, and where reading it fails."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    Integer,
    LargeBinary,
    Table,
    and_,
    func,
    inspect,
    literal_column,
    or_,
    select,
)

from harness.ratings import Parameters, Rating
from harness.referee import Fixture
from harness.store.packing import unpacked, unzipped
from harness.store.ranks import all_ranks
from harness.store.tables import (
    FIXTURES,
    HISTORY,
    LINES,
    OFFICIAL,
    RATINGS,
    RECORD_FILES,
    RECORDS,
    ROUND_MEASURES,
    ROUNDS,
    SEASON_MEASURES,
    SEASONS,
    STARTS,
    STDERR,
    TABLES,
    same_match,
)

__all__ = ["damage"]

_AT_ONCE = 64
"""Rows in memory at a time."""


def damage(connection: Connection, *, deep: bool = False) -> str | None:
    """What is wrong and where, as a part of a sentence; `None` for a sound store.

    The cheap form looks at pages, tables, kinds of values, whether rows have those that belong to them, and the sums
    that gzip keeps of the records, since SQLite has none over what a page holds; 10,000 records take half a second of
    CPU. `deep` reads and decodes every row and takes four times as much. The connection should be a new one, that has
    nothing of the file in memory.
    """
    looks = [_pages, _tables, _values, _references, _parts, *((_contents, _ranks) if deep else (_packs,))]
    return next((found for look in looks for found in look(connection)), None)


def _pages(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for (said,) in connection.exec_driver_sql("PRAGMA quick_check(1)"):
            if said != "ok":
                # A first line names the database, which is always the same one.
                yield str(said).strip().splitlines()[-1].strip("* ")


def _tables(connection: Connection) -> Iterator[str]:
    found = inspect(connection)
    there = set(found.get_table_names())
    for name, table in TABLES.items():
        if name not in there:
            yield f"the table {name} is missing"
            continue
        columns = {column["name"] for column in found.get_columns(name)}
        for column in table.columns:
            if column.name not in columns:
                yield f"the table {name} has no column {column.name}"


def _values(connection: Connection) -> Iterator[str]:
    """Values of another kind than their column's; only SQLite takes such."""
    if connection.dialect.name != "sqlite":
        return
    for name, table in TABLES.items():
        kinds = [(column, func.typeof(column), _kinds(column)) for column in table.columns]
        asked = select(literal_column("rowid"), *(kind for _, kind, _ in kinds)).select_from(table)
        row = connection.execute(asked.where(or_(*(kind.not_in(may) for _, kind, may in kinds))).limit(1)).first()
        if row is not None:
            for (column, _, may), found in zip(kinds, row[1:], strict=True):
                if found not in may:
                    yield f"{name}.{column.name} holds {_NAMED[found]} in row {row[0]}"


_NAMED = {"null": "nothing", "text": "a text", "integer": "a whole number", "real": "a fraction", "blob": "bytes"}
"""SQLite's storage classes, in words."""


def _kinds(column: Column[Any]) -> tuple[str, ...]:
    """The storage classes that the column may hold."""
    kind = "text"
    if isinstance(column.type, Integer | Boolean):
        kind = "integer"
    elif isinstance(column.type, Double):
        kind = "real"
    elif isinstance(column.type, LargeBinary):
        kind = "blob"
    return (kind, "null") if column.nullable else (kind,)


def _references(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for child, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield f"row {row} of {child} belongs to a row of {parent} that is missing"


def _parts(connection: Connection) -> Iterator[str]:
    """Rows that come in pairs, and rows that were counted when they were written."""
    of_round = and_(ROUND_MEASURES.c.season_id == ROUNDS.c.season_id, ROUND_MEASURES.c.number == ROUNDS.c.number)
    for table, other, same in (
        (SEASONS, SEASON_MEASURES, SEASON_MEASURES.c.season_id == SEASONS.c.id),
        (ROUNDS, ROUND_MEASURES, of_round),
        (RECORDS, RECORD_FILES, same_match(RECORDS, RECORD_FILES)),
    ):
        key = next(iter(other.primary_key.columns))
        if connection.execute(select(table).outerjoin(other, same).where(key.is_(None)).limit(1)).first() is not None:
            yield f"a row of {other.name} is missing that belongs to one of {table.name}"
    for season in connection.execute(select(SEASONS.c.id, SEASONS.c.seq, SEASONS.c.lines)).all():
        for table, column, count in ((RECORDS, RECORDS.c.seq, season.seq), (LINES, LINES.c.ordinal, season.lines)):
            numbers = select(func.count(column), func.min(column), func.max(column))
            found = connection.execute(numbers.where(table.c.season_id == season.id)).one()
            if tuple(found) != ((count, 1, count) if count else (0, None, None)):
                yield f"{found[0]} of the {count} rows of {table.name} that season {season.id} counts are there"
    places = (func.count(), func.min(OFFICIAL.c.place), func.max(OFFICIAL.c.place))
    for season_id, count, first, last in connection.execute(
        select(OFFICIAL.c.season_id, *places).group_by(OFFICIAL.c.season_id)
    ):
        if (first, last) != (1, count):
            yield f"{count} of the {last} lines of the table official of season {season_id} are there"
    seated = select(HISTORY.c.season_id, HISTORY.c.seq, func.count(), func.max(HISTORY.c.size))
    asked_seats = seated.group_by(HISTORY.c.season_id, HISTORY.c.seq).having(func.count() != func.max(HISTORY.c.size))
    for season_id, seq, seats, size in connection.execute(asked_seats):
        yield f"{seats} of the {size} rows of history of match {seq} of season {season_id} are there"
    counted = select(FIXTURES.c.season_id, FIXTURES.c.round, func.count().label("matches"))
    matches = counted.group_by(FIXTURES.c.season_id, FIXTURES.c.round).subquery()
    same = and_(matches.c.season_id == ROUNDS.c.season_id, matches.c.round == ROUNDS.c.number)
    asked = select(ROUNDS.c.season_id, ROUNDS.c.number, ROUNDS.c.fixtures, func.coalesce(matches.c.matches, 0))
    for season_id, number, planned, there in connection.execute(asked.outerjoin_from(ROUNDS, matches, same)):
        if there != planned:
            yield f"{there} of the {planned} fixtures of round {number} of season {season_id} are there"


def _packs(connection: Connection) -> Iterator[str]:
    """Records that are not the bytes that were written, by the sum that gzip keeps of each."""
    asked = select(RECORD_FILES.c.season_id, RECORD_FILES.c.round, RECORD_FILES.c.number, RECORD_FILES.c.data)
    for *place, data in connection.execute(asked).yield_per(_AT_ONCE):
        try:
            gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            yield f"record_files {'/'.join(map(str, place))} can't be read: {type(error).__name__}: {error}"


def _season(row: Any) -> None:
    json.loads(row.config)
    Parameters.from_json(json.loads(row.header)["rating"])


def _fixture(row: Any) -> None:
    fixture = Fixture.from_json(json.loads(row.fixture))
    _same(fixture.match, row.match)


def _line(row: Any) -> None:
    if not isinstance(json.loads(row.text), dict):
        raise ValueError(f"{row.text[:80]!r} is no line of a season")


def _record(row: Any) -> None:
    record = unpacked(row.data)
    _same(record["digest"], row.digest)
    _same(record["match"], f"{row.season_id}/{row.round}/{row.number}")


def _stderr(row: Any) -> None:
    unzipped(row.data)


def _rating(row: Any) -> None:
    Rating(row.mu, row.sigma)


def _official(row: Any) -> None:
    if not all(math.isfinite(value) for value in (row.strength, row.low, row.high)):
        raise ValueError("a strength is not finite")
    if row.rank is not None and not 1 <= row.rank_low <= row.rank <= row.rank_high:
        raise ValueError(f"rank {row.rank} within {row.rank_low} to {row.rank_high}")


_READERS: Mapping[Table, Callable[[Any], None]] = {
    SEASONS: _season,
    FIXTURES: _fixture,
    LINES: _line,
    RECORD_FILES: _record,
    STDERR: _stderr,
    OFFICIAL: _official,
    STARTS: _rating,
    RATINGS: _rating,
    HISTORY: _rating,
}
"""What takes apart what a row holds; it raises where that is not what was written."""


def _same(found: object, kept: object) -> None:
    if found != kept:
        raise ValueError(f"{found!r} is where {kept!r} belongs")


def _ranks(connection: Connection) -> Iterator[str]:
    """How matches finished, where that can't be how a table of their seats does."""
    for season_id in connection.execute(select(SEASONS.c.id)).scalars().all():
        try:
            for _ in all_ranks(connection, season_id):
                pass
        except ValueError as error:
            yield str(error)


def _contents(connection: Connection) -> Iterator[str]:
    for name, table in TABLES.items():
        reader = _READERS.get(table)
        place = "?"
        try:
            for row in connection.execute(select(table)).yield_per(_AT_ONCE):
                place = "/".join(str(getattr(row, column.name)) for column in table.primary_key.columns)
                if reader is not None:
                    reader(row)
        except Exception as error:  # whatever a decoder says of rubbish
            said = str(getattr(error, "orig", error))  # what the database itself says, where it was that
            yield f"{name} {place} can't be read: {type(error).__name__}: {' '.join(said.split())[:200]}"
