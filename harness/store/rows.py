"""What the store answers with: small frozen values, one a kind of row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import NoneType
from typing import Any, Literal

from harness.ratings import Parameters, Rating
from harness.store.packing import unpacked

__all__ = [
    "Act",
    "Applied",
    "BotText",
    "Entry",
    "EntryChange",
    "FaultRow",
    "HistoryRow",
    "RecordKey",
    "RoundRating",
    "RoundRow",
    "SeasonRow",
    "SeasonTimes",
    "VersionRow",
    "VoidRow",
]


_KINDS: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "str | None": (str, NoneType),
    "int": int,
    "bytes": bytes,
    "bytes | None": (bytes, NoneType),
}
"""What the fields of a row may hold, by their annotation; SQLite takes any value in any column."""


class _Row:
    """A row that holds only what belongs there; TypeError for one from a damaged store, which the store explains."""

    __slots__ = ()

    def __post_init__(self) -> None:
        row = type(self)
        if row not in _CHECKED:
            known = ((each.name, _KINDS.get(str(each.type))) for each in fields(self))  # type: ignore[arg-type]
            _CHECKED[row] = tuple((name, kinds) for name, kinds in known if kinds is not None)
        for name, kinds in _CHECKED[row]:
            if not isinstance(getattr(self, name), kinds):
                raise TypeError(f"{row.__name__}.{name} is {getattr(self, name)!r}")


_CHECKED: dict[type, tuple[tuple[str, type | tuple[type, ...]], ...]] = {}
"""The fields that can be checked, by class: looked up once."""


@dataclass(frozen=True, slots=True)
class VersionRow(_Row):
    """A version of a bot, played from `built` where a build made that, from `archive` where it is `None`."""

    bot: str
    version: str
    title: str
    author: str
    language: str
    archive: bytes = field(repr=False)
    built: bytes | None = field(repr=False)
    build_hash: str | None


@dataclass(frozen=True, slots=True)
class SeasonRow(_Row):
    """A season. `state` is `announced`, `running` or `ended`.

    `seq` counts the records applied, `lines` the other lines of its file; `results` and `evidence` are the heads of the
    chains after them. The `secret` is not shown before the end. `platform` is where its ratings were computed, one or
    several.
    """

    id: str
    league: str
    number: int
    config: dict[str, Any]
    header: dict[str, Any]
    secret: str = field(repr=False)
    commitment: str
    season_seed: str | None
    state: str
    rounds_planned: int
    seq: int
    lines: int
    results: str
    evidence: str
    platform: str

    @property
    def divisions(self) -> dict[str, int]:
        """Bot → its division, from 1 at the top; one that is not there has none."""
        listed: list[list[str]] = self.header.get("divisions", [])
        return {bot: number for number, bots in enumerate(listed, start=1) for bot in bots}

    @property
    def anchors(self) -> list[str]:
        """The bots on which its official table is centred."""
        listed: list[str] = self.header.get("anchors", [])
        return listed

    @property
    def parameters(self) -> Parameters:
        """What the season is rated with, from its header."""
        return Parameters.from_json(self.header["rating"])


@dataclass(frozen=True, slots=True)
class Entry(_Row):
    """Who plays, and with which version."""

    bot: str
    version: str


Act = Literal["entered", "let-in", "benched", "withdrawn", "disqualified"]
"""What was done with a bot's entry: `let-in` is entered after it was out, or after it was to be."""


@dataclass(frozen=True, slots=True)
class EntryChange(_Row):
    """From the opening of `from_round` on, the bot plays with this version or, by its `act`, no more."""

    bot: str
    from_round: int
    version: str
    act: Act

    @property
    def plays(self) -> bool:
        """Whether it is entered."""
        return self.act in ("entered", "let-in")


@dataclass(frozen=True, slots=True)
class RoundRow(_Row):
    """A round, `open` or `over`: how many fixtures it has, how many records are stored, how many applied.

    `results` and `evidence` are the heads of the chains at its end, `None` before. A fixture that was voided
    before it was played has no record.
    """

    number: int
    state: str
    fixtures: int
    stored: int
    applied: int
    results: str | None
    evidence: str | None


@dataclass(frozen=True, slots=True)
class VoidRow(_Row):
    """A match that does not count, with its reason and the bots of its table."""

    round: int
    number: int
    match: str
    reason: str
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault with all that its author needs: the record's object as `fault`, and what the seat wrote to stderr."""

    bot: str
    version: str
    match: str
    round: int
    number: int
    fault: dict[str, Any]
    limits: dict[str, Any]
    stderr: str

    @property
    def seat(self) -> int:
        """Whose it is, from 0."""
        seat: int = self.fault["seat"]
        return seat

    @property
    def kind(self) -> str:
        """One of the protocol's kinds."""
        kind: str = self.fault["kind"]
        return kind


@dataclass(frozen=True, slots=True)
class HistoryRow(_Row):
    """What a match did to the rating of one seat of it."""

    seq: int
    round: int
    number: int
    seat: int
    seats: int
    bot: str
    version: str
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class RecordKey:
    """What tells an applied record from any other: its place `seq` and its digest. `size` is in bytes as it is kept."""

    seq: int
    round: int
    number: int
    match: str
    digest: str
    size: int
    void: bool


@dataclass(frozen=True, slots=True)
class RoundRating:
    """The rating that a bot had when it had played its last match of a round."""

    round: int
    bot: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class BotText(_Row):
    """What a version's manifest says of it; "" where it says nothing."""

    bot: str
    version: str
    title: str
    author: str
    language: str


@dataclass(frozen=True, slots=True)
class SeasonTimes:
    """When things happened, in µs UTC; `closed` by the number of the round, `ended` None while the season runs."""

    announced: int
    ended: int | None
    closed: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Applied:
    """A match whose record has just been applied as the `seq`-th of its season: the ratings of its bots around it."""

    round: int
    number: int
    match: str
    seq: int
    before: dict[str, Rating]
    after: dict[str, Rating]
    data: bytes = field(repr=False)

    @property
    def record(self) -> dict[str, Any]:
        """The record. It is unpacked at each call: thousands may be applied at once, and unpacked they are large."""
        return unpacked(self.data)
