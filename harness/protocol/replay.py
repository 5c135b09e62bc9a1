"""The record of a match, `tacora-replay/1`: its model, its two hashes, and reading and writing it as a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import Field, ValidationError, field_validator

from harness.errors import ReplayError
from harness.game import MAX_SEATS, MIN_SEATS
from harness.protocol.canonical import compact, digest_of
from harness.protocol.gunzip import TooLarge, gunzip
from harness.protocol.limits import LimitsData
from harness.protocol.messages import TURN_PATTERN, EditionData, Message, Seat
from harness.protocol.names import ID_PATTERN
from harness.protocol.record_types import Record
from harness.protocol.shape import ListOf, absent, first_error, first_unhashable
from harness.protocol.strict import NotIJson, read_strict
from harness.protocol.whole import Count, Number, Whole

__all__ = [
    "FAULT_KINDS",
    "MAX_GOT",
    "MAX_REPLAY",
    "REPLAY_FORMAT",
    "Fault",
    "FixtureRef",
    "GameData",
    "Replay",
    "SandboxInfo",
    "SeatRef",
    "Timing",
    "check_record",
    "digest_without",
    "outcome_of",
    "read_replay",
    "replay_problem",
    "write_replay",
]

REPLAY_FORMAT = "tacora-replay/1"

MAX_REPLAY = 64 * 1024 * 1024
"""The largest file that a reader takes, in bytes after decompression."""

MAX_GOT = 1_000
"""The longest `got` of a fault, in characters."""

FAULT_KINDS: tuple[str, ...] = (
    "start-failed",
    "start-timeout",
    "timeout",
    "crashed",
    "closed-output",
    "bad-message",
    "bad-turn",
    "bad-action",
    "output-flood",
    "memory",
    "processes",
    "disk",
)

BotId = Annotated[str, Field(pattern=f"^{ID_PATTERN}$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256, lower-case hex")]
Seed = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class SeatRef(Message):
    """Who sits at a seat: the bot's id and the content hash of its version."""

    bot: BotId
    version: Hash


class FixtureRef(Message):
    """Which match of which season it was."""

    league: BotId
    season: Number
    round: Number
    number: Number


class GameData(Message):
    """The turns of one game, a list an expedition, and its result by seat.

    Letters and lengths are not checked here: whether they can be is what `verify` answers.
    """

    expeditions: ListOf[ListOf[Annotated[str, Field(json_schema_extra={"pattern": TURN_PATTERN})]]]
    scores: ListOf[Count]
    ranks: ListOf[Number]
    relics: ListOf[Count]


class SandboxInfo(Message):
    """What held the bots, and which clock was billed."""

    tier: str
    layers: ListOf[str]
    clock: Literal["cpu", "wall"]
    interpreters: ListOf[str | None]
    builds: ListOf[str | None]


class Fault(Message):
    """What a bot did wrong: a fault, with the place of its `x`, or an incident, with that of its last decision."""

    seat: Seat
    kind: Annotated[str, Field(json_schema_extra={"enum": list(FAULT_KINDS)})]
    game: Number
    expedition: Number
    turn: Number
    cpu_us: Count
    wall_us: Count
    expected: str
    got: Annotated[str, Field(max_length=MAX_GOT)]
    exit: Whole | None

    @field_validator("kind")
    @classmethod
    def _known_kind(cls, kind: str) -> str:
        if kind not in FAULT_KINDS:
            raise ValueError("is no kind of fault")
        return kind


class Timing(Message):
    """What one seat used. Times in µs; `decisions` counts those answered."""

    decisions: Count
    late: Count
    cpu_us: Count
    cpu_max_us: Count
    wall_us: Count
    wall_max_us: Count


class Replay(Message):
    """A match as it was played. The cards follow from edition, seed and turns."""

    format: Literal["tacora-replay/1"]
    harness: str
    match: str
    # Not there outside a season; null is refused.
    fixture: FixtureRef = Field(default_factory=absent)
    seed: Seed
    edition: EditionData
    seats: Annotated[ListOf[SeatRef], Field(min_length=MIN_SEATS, max_length=MAX_SEATS)]
    games: Annotated[ListOf[GameData], Field(min_length=1)]
    outcome: Hash
    limits: LimitsData
    sandbox: SandboxInfo
    faults: ListOf[Fault]
    incidents: ListOf[Fault]
    timing: ListOf[Timing]
    digest: Hash


def outcome_of(record: Mapping[str, Any]) -> str:
    """The hash of what was played and how it ended; the same on every machine. ValueError like `canonical`."""
    return digest_of({name: record[name] for name in ("edition", "seed", "seats", "games")})


def digest_without(record: Mapping[str, Any]) -> str:
    """The hash of all of `record` but its `digest`, unknown fields included. ValueError like `canonical`."""
    return digest_of({name: value for name, value in record.items() if name != "digest"})


def write_replay(record: Mapping[str, Any]) -> bytes:
    """`record` as a file: one line of UTF-8 JSON, fields in the order that it has."""
    return compact(record) + b"\n"


def read_replay(data: bytes, source: str) -> dict[str, Any]:
    """The record in the bytes of a file, gzip or not, which `source` names in errors.

    Its shape is that of `Replay`; hashes and results are for `verify`. Fields that nobody knows stay, since the digest
    covers them. Raises ReplayError.
    """
    try:
        text = gunzip(data, MAX_REPLAY) if data.startswith(b"\x1f\x8b") else data
        if len(text) > MAX_REPLAY:
            raise TooLarge
    except TooLarge:
        raise ReplayError(f"{source}: larger than {MAX_REPLAY >> 20} MiB, more than a reader takes") from None
    except ValueError as error:
        raise ReplayError(f"{source}: can't be decompressed ({error}); fetch the file again") from None
    try:
        record = read_strict(text.removeprefix(b"\xef\xbb\xbf"))
    except NotIJson as error:
        raise ReplayError(f"{source}: {error.reason}; a replay is one strict JSON object") from None
    return cast("dict[str, Any]", check_record(record, source))


def check_record(record: Any, source: str) -> Record:
    """`record` itself, if it has the shape of `Replay`; else ReplayError names `source` and the field."""
    if (problem := replay_problem(record)) is not None:
        raise ReplayError(f"{source}: {problem[0]}: {problem[1]}")
    checked: Record = record
    return checked


def replay_problem(record: Any) -> tuple[str, str] | None:
    """The first field, such as `games[0].scores`, that breaks the shape of `Replay`, and why; None if none does."""
    if not isinstance(record, dict):
        return "record", "is no JSON object"
    if record.get("format") != REPLAY_FORMAT:
        return "format", f"is not {REPLAY_FORMAT!r}, the only one this harness reads"
    try:
        Replay.model_validate(record)
    except ValidationError as error:
        return first_error(error)
    return first_unhashable(record)
