"""The tables. What differs between two runs of one season (times, digests, tries) is measured and stands apart.

Keys are the contract's own words and numbers, never counters that depend on which record came first, so every table
that is not in `MEASURED` comes out equal however a season was played.

A class is named like its table and says what a row holds; rows are written and read through the tables, in bulk.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Double,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    and_,
    text,
)
from sqlalchemy import ForeignKeyConstraint as ForeignKeys
from sqlmodel import Field, SQLModel

__all__ = [
    "BOTS",
    "BUILDS",
    "ENTRIES",
    "FAULTS",
    "FIXTURES",
    "HISTORY",
    "LEAGUES",
    "LINES",
    "MEASURED",
    "METADATA",
    "OFFICIAL",
    "RATINGS",
    "RECORDS",
    "RECORD_FILES",
    "ROUNDS",
    "ROUND_MEASURES",
    "SEASONS",
    "SEASON_MEASURES",
    "STARTS",
    "STDERR",
    "SUMMED",
    "TABLES",
    "VERSIONS",
    "at_match",
    "same_match",
]

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Alembic needs every constraint to have a name that it can say again."""

_MATCH = ("season_id", "round", "number")


def _of(table: str) -> ForeignKeys:
    """A new reference from a match's key to the same match in another table."""
    return ForeignKeys(_MATCH, [f"{table}.{name}" for name in _MATCH])


class _Table(SQLModel):
    metadata = METADATA


class _OfMatch(_Table):
    """What is kept of a match."""

    season_id: str = Field(primary_key=True)
    round: int = Field(primary_key=True)
    number: int = Field(primary_key=True)


class _OfSeat(_OfMatch):
    """What is kept of a seat of a match."""

    seat: int = Field(primary_key=True)


class _RatedBot(_Table):
    """A bot's rating in a season, and the version that had it."""

    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    bot: str = Field(primary_key=True)
    version: str
    mu: float = Field(sa_type=Double)
    sigma: float = Field(sa_type=Double)


class Bots(_Table, table=True):
    """A bot, by its id."""

    bot: str = Field(primary_key=True)


class Versions(_Table, table=True):
    """An immutable version: `version` is the hash of its content, `archive` what a match is played from."""

    version: str = Field(primary_key=True)
    bot: str = Field(primary_key=True, foreign_key="bots.bot")
    title: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    language: str = Field(sa_type=Text)
    archive: bytes = Field(sa_type=LargeBinary)


class Builds(_Table, table=True):
    """What building a version made on this machine."""

    __table_args__ = (ForeignKeys(["version", "bot"], ["versions.version", "versions.bot"]),)
    version: str = Field(primary_key=True)
    bot: str = Field(primary_key=True)
    build_hash: str
    built: bytes = Field(sa_type=LargeBinary)


class Leagues(_Table, table=True):
    """A league, by its name."""

    league: str = Field(primary_key=True)


class Seasons(_Table, table=True):
    """A season; `id` is `league/number`. `seq` and `lines` count the records applied and the other lines."""

    __table_args__ = (UniqueConstraint("league", "number"),)
    id: str = Field(primary_key=True)
    league: str = Field(foreign_key="leagues.league")
    number: int
    config: str = Field(sa_type=Text)
    header: str = Field(sa_type=Text)
    secret: str
    commitment: str
    season_seed: str | None
    state: str
    rounds_planned: int
    seq: int
    lines: int
    results: str


class SeasonMeasures(_Table, table=True):
    """The head of a season's evidence chain, and when it began and ended, in µs UTC.

    `platform` is that on which its ratings were computed, or those, one after the other; it decides their last digits.
    """

    __tablename__ = "season_measures"
    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    evidence: str
    announced_us: int = Field(sa_type=BigInteger)
    ended_us: int | None = Field(sa_type=BigInteger)
    platform: str = Field(sa_type=Text, sa_column_kwargs={"server_default": text("''")})


class Starts(_RatedBot, table=True):
    """The rating that a bot brought into a season."""


class Entries(_Table, table=True):
    """From a round's opening on, a bot plays with this version, or, with `plays` false, no more; `act` says by what."""

    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    bot: str = Field(primary_key=True)
    from_round: int = Field(primary_key=True)
    version: str
    plays: bool
    act: str = Field(sa_column_kwargs={"server_default": "entered"})


class Rounds(_Table, table=True):
    """A round; `next` is the number of the fixture to be applied next, `results` the head at its end."""

    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    number: int = Field(primary_key=True)
    state: str
    fixtures: int
    next: int
    results: str | None


class RoundMeasures(_Table, table=True):
    """The head of the evidence chain at a round's end, and when it opened and closed, in µs UTC."""

    __tablename__ = "round_measures"
    __table_args__ = (ForeignKeys(["season_id", "number"], ["rounds.season_id", "rounds.number"]),)
    season_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    evidence: str | None
    opened_us: int = Field(sa_type=BigInteger)
    closed_us: int | None = Field(sa_type=BigInteger)


class Fixtures(_OfMatch, table=True):
    """A match to be played, as the fixture's JSON; one with a `void_reason` does not count."""

    __table_args__ = (ForeignKeys(["season_id", "round"], ["rounds.season_id", "rounds.number"]),)
    match: str
    fixture: str = Field(sa_type=Text)
    void_reason: str | None = Field(sa_type=Text)


class Records(_OfMatch, table=True):
    """A match that was played; `seq` is empty until it is applied, then its place among the season's records.

    `ranks` are those of `MatchRanks`: how its seats finished in each game.
    """

    __table_args__ = (_of("fixtures"), UniqueConstraint("season_id", "seq"))
    outcome: str
    ranks: str = Field(sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    seq: int | None


class RecordFiles(_OfMatch, table=True):
    """The record itself, JSON as gzip, with what was measured of it; `stored_us` in µs UTC.

    `tier` is how well its bots were contained.
    """

    __tablename__ = "record_files"
    __table_args__ = (_of("records"),)
    digest: str
    tries: int
    stored_us: int = Field(sa_type=BigInteger)
    data: bytes = Field(sa_type=LargeBinary)
    tier: str = Field(sa_column_kwargs={"server_default": "bare"})


class Faults(_OfSeat, table=True):
    """A fault: seat, kind and turn, which are the same in every run. Times and evidence are in the record."""

    __table_args__ = (_of("records"),)
    bot: str
    kind: str
    game: int
    expedition: int
    turn: int


class Stderr(_OfSeat, table=True):
    """What a seat wrote to stderr, UTF-8 as gzip; private to its author and the organiser."""

    __table_args__ = (_of("records"),)
    data: bytes = Field(sa_type=LargeBinary)


class Lines(_Table, table=True):
    """A line of the season's file that is no record, after the record `after_seq`; written during `round`."""

    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    ordinal: int = Field(primary_key=True)
    after_seq: int
    round: int
    text: str = Field(sa_type=Text)


class Ratings(_RatedBot, table=True):
    """The rating of a bot after the records applied so far; `version` is the one last rated."""


class Official(_Table, table=True):
    """A line of a season's official table: a version's strength with its interval and, for one that is ranked, ranks.

    `place` is its line in the table, from 1; `division` is 0 where the season has none or the bot is in none.
    """

    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    bot: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    place: int
    division: int
    games: int
    strength: float = Field(sa_type=Double)
    low: float = Field(sa_type=Double)
    high: float = Field(sa_type=Double)
    rank: int | None
    rank_low: int | None
    rank_high: int | None


class History(_Table, table=True):
    """What a match did to the rating and the standing of a seat; sums are over its games, wins in 840ths."""

    season_id: str = Field(primary_key=True, foreign_key="seasons.id")
    seq: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    round: int
    number: int
    bot: str
    version: str
    size: int
    games: int
    win_parts: int
    points: int
    ranks: int
    faults: int
    mu_before: float = Field(sa_type=Double)
    sigma_before: float = Field(sa_type=Double)
    mu: float = Field(sa_type=Double)
    sigma: float = Field(sa_type=Double)


TABLES: dict[str, Table] = {table.name: table for table in METADATA.sorted_tables}
"""Every table by name, those that others refer to first."""

BOTS, VERSIONS, BUILDS = TABLES["bots"], TABLES["versions"], TABLES["builds"]
LEAGUES, SEASONS, SEASON_MEASURES = TABLES["leagues"], TABLES["seasons"], TABLES["season_measures"]
STARTS, ENTRIES = TABLES["starts"], TABLES["entries"]
ROUNDS, ROUND_MEASURES, FIXTURES = TABLES["rounds"], TABLES["round_measures"], TABLES["fixtures"]
RECORDS, RECORD_FILES, FAULTS, STDERR = TABLES["records"], TABLES["record_files"], TABLES["faults"], TABLES["stderr"]
LINES, RATINGS, HISTORY, OFFICIAL = TABLES["lines"], TABLES["ratings"], TABLES["history"], TABLES["official"]

MEASURED = frozenset(table.name for table in (BUILDS, SEASON_MEASURES, ROUND_MEASURES, RECORD_FILES, STDERR))
"""The tables that two runs of one season fill differently."""

SUMMED = ("games", "win_parts", "points", "ranks", "faults")
"""The columns of `HISTORY` that add up to a standing, fields of `Totals`."""


def same_match(a: Table, b: Table) -> ColumnElement[bool]:
    """That rows of two tables are of one match."""
    return and_(*(a.c[name] == b.c[name] for name in _MATCH))


def at_match(table: Table, season_id: Any, round_: Any, number: Any) -> ColumnElement[bool]:
    """That a row is of this match; each part a value, or a parameter that is bound later."""
    return and_(table.c.season_id == season_id, table.c.round == round_, table.c.number == number)
