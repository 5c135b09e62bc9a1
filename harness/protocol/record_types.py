"""The shapes of a record as plain data, for type checkers; `replay` holds the models that check them.

They describe `tacora-replay/1` as `read_replay` returns it and the referee makes it: a `dict` at run time. A record may
hold members that are not named here, since a reader keeps what it does not know.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "FaultRecord",
    "FixtureReference",
    "GameRecord",
    "Record",
    "SandboxRecord",
    "SeatRecord",
    "TimingRecord",
]


class SeatRecord(TypedDict):
    """Who sits at a seat: the bot's id and the content hash of its version."""

    bot: str
    version: str


class FixtureReference(TypedDict):
    """Which match of which season it was."""

    league: str
    season: int
    round: int
    number: int


class GameRecord(TypedDict):
    """One game: its turn strings, a list an expedition, and its result by seat."""

    expeditions: list[list[str]]
    scores: list[int]
    ranks: list[int]
    relics: list[int]


class SandboxRecord(TypedDict):
    """What held the bots; `interpreters` and `builds` by seat."""

    tier: str
    layers: list[str]
    clock: Literal["cpu", "wall"]
    interpreters: list[str | None]
    builds: list[str | None]


class FaultRecord(TypedDict):
    """A fault or an incident, with its place. Times in µs; `exit` is the exit status or negative signal."""

    seat: int
    kind: str
    game: int
    expedition: int
    turn: int
    cpu_us: int
    wall_us: int
    expected: str
    got: str
    exit: int | None


class TimingRecord(TypedDict):
    """What one seat used. Times in µs."""

    decisions: int
    late: int
    cpu_us: int
    cpu_max_us: int
    wall_us: int
    wall_max_us: int


class Record(TypedDict):
    """A match as it was played; `edition` and `limits` are what `to_json` of `Edition` and `Limits` gives."""

    format: Literal["tacora-replay/1"]
    harness: str
    match: str
    fixture: NotRequired[FixtureReference]
    seed: str
    edition: dict[str, Any]
    seats: list[SeatRecord]
    games: list[GameRecord]
    outcome: str
    limits: dict[str, Any]
    sandbox: SandboxRecord
    faults: list[FaultRecord]
    incidents: list[FaultRecord]
    timing: list[TimingRecord]
    digest: str
