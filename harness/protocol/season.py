"""A season as a file, `tacora-season/1`: its lines as models, and the two chains over them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import Field, Strict, ValidationError

from harness.errors import ReplayError
from harness.game import MAX_SEATS, MIN_SEATS
from harness.protocol.canonical import digest_of
from harness.protocol.limits import LimitsData
from harness.protocol.messages import EditionData, Message
from harness.protocol.replay import MAX_REPLAY, REPLAY_FORMAT, BotId, Hash, Seed, check_record
from harness.protocol.shape import ListOf, absent, first_error, first_unhashable
from harness.protocol.strict import NotIJson, read_strict
from harness.protocol.whole import Between, Count, Number

__all__ = ["SEASON_FORMAT", "Chains", "EntriesLine", "Footer", "Header", "VoidLine", "read_season_line"]

SEASON_FORMAT = "tacora-season/1"

TableSize = Annotated[int, Between(MIN_SEATS, MAX_SEATS)]
LineKind = Literal["header", "entries", "record", "void", "footer"]
Decimal = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$", description="a decimal number")]
Heads = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$", description="the beginnings of the heads of both chains")]
Division = Annotated[ListOf[BotId], Field(min_length=1)]
# Lists of JSON stand for these tuples.
Start = Annotated[tuple[BotId, Hash, Decimal, Decimal], Strict(False)]
SeatRating = Annotated[tuple[Decimal, Decimal], Strict(False)]
OfficialLine = Annotated[
    tuple[BotId, Hash, Count, Count, Decimal, Decimal, Decimal, Number | None, Number | None, Number | None],
    Strict(False),
]


class RatingData(Message):
    """The parameters of the rating, as decimal strings."""

    mu: Decimal
    sigma: Decimal
    beta: Decimal
    tau: Decimal
    draw: Decimal


class Header(Message):
    """The first line: what the season is played with. `commitment` is the SHA-256 of the secret.

    `anchors` are bot ids, `divisions` lists of them, the top one first, and `starts` the ratings that bots brought,
    `[bot, version, mu, sigma]`; each is left out where there are none.
    """

    format: Literal["tacora-season/1"]
    league: BotId
    season: Number
    edition: EditionData
    pairing: Annotated[str, Field(min_length=1, description="the league's format")]
    seats: Annotated[ListOf[TableSize], Field(min_length=1, description="sizes of table")]
    games: Number
    limits: LimitsData
    rating: RatingData
    commitment: Hash
    # Like all that may be missing, null is refused.
    anchors: ListOf[BotId] = Field(default_factory=absent)
    divisions: ListOf[Division] = Field(default_factory=absent)
    starts: ListOf[Start] = Field(default_factory=absent)


class EntriesLine(Message):
    """Who plays from the opening of a round on: bot id and version, sorted."""

    round: Number
    entries: ListOf[Annotated[tuple[BotId, Hash], Strict(False)]]


class VoidLine(Message):
    """A match that counts no more."""

    void: Annotated[str, Field(min_length=1, description="the name of the match")]
    reason: str


class Footer(Message):
    """The last line: the heads of both chains, and the secret once the season is over.

    `heads` has for each line before it, the header first, the first 16 hex digits of *results* and of *evidence* after
    that line. `ratings` has for each match that counts, in canonical order, `[mu, sigma]` after it by seat, `platform`
    where they were computed. `official` is the table once the season is over, a line
    `[bot, version, division, games, strength, low, high, rank, rank_low, rank_high]`.
    """

    results: Hash
    evidence: Hash
    # Not there while the season runs; null is refused.
    secret: Seed = Field(default_factory=absent)
    heads: ListOf[Heads] = Field(default_factory=absent)
    ratings: ListOf[ListOf[SeatRating]] = Field(default_factory=absent)
    platform: Annotated[str, Field(min_length=1)] = Field(default_factory=absent)
    official: ListOf[OfficialLine] = Field(default_factory=absent)


_MODELS: dict[LineKind, type[Message]] = {
    "header": Header,
    "entries": EntriesLine,
    "void": VoidLine,
    "footer": Footer,
}


def read_season_line(line: bytes, source: str) -> tuple[LineKind, dict[str, Any]]:
    """What a line of a season file is and holds, in the shape of its model; fields that nobody knows stay.

    `source` names file and line in errors. Raises ReplayError.
    """
    if len(line) > MAX_REPLAY:
        raise ReplayError(f"{source}: larger than {MAX_REPLAY >> 20} MiB, more than a reader takes")
    try:
        data = read_strict(line)
    except NotIJson as error:
        raise ReplayError(f"{source}: {error.reason}; each line is one strict JSON object") from None
    kind = _kind_of(data)
    if kind is None:
        raise ReplayError(f"{source}: is no line of a season: header, entries, record, void or footer")
    if kind == "record":
        return kind, cast("dict[str, Any]", check_record(data, source))
    try:
        _MODELS[kind].model_validate(data)
    except ValidationError as error:
        place, reason = first_error(error)
        raise ReplayError(f"{source}: {place}: {reason}") from None
    if (problem := first_unhashable(data)) is not None:
        raise ReplayError(f"{source}: {problem[0]}: {problem[1]}")
    return kind, data


def _kind_of(data: Any) -> LineKind | None:
    if not isinstance(data, dict):
        return None
    by_format: dict[Any, LineKind] = {SEASON_FORMAT: "header", REPLAY_FORMAT: "record"}
    if "format" in data:
        form = data["format"]
        return by_format.get(form) if isinstance(form, str) else None
    by_field: dict[str, LineKind] = {"entries": "entries", "void": "void", "results": "footer"}
    return next((kind for name, kind in by_field.items() if name in data), None)


class Chains:
    """The heads of both chains, each 64 hex digits; `Chains(results, evidence)` goes on from heads that were kept.

    *results* runs over the outcomes, the same for whoever plays the season again, *evidence* over the digests of one
    run.
    """

    __slots__ = ("evidence", "results")

    def __init__(self, results: str = "", evidence: str = "") -> None:
        self.results = results
        self.evidence = evidence

    def start(self, header: Mapping[str, Any]) -> None:
        """Begin at `header`. ValueError like `canonical`."""
        self.results = self.evidence = digest_of(header)

    def add_record(self, outcome: str, digest: str) -> None:
        """Take a record's two hashes, 64 hex digits each."""
        self.results = _next(self.results, outcome)
        self.evidence = _next(self.evidence, digest)

    def add_line(self, line: Mapping[str, Any]) -> None:
        """Take a line that is neither record nor footer. ValueError like `canonical`."""
        link = digest_of(line)
        self.results = _next(self.results, link)
        self.evidence = _next(self.evidence, link)

    @property
    def short(self) -> str:
        """What a footer's `heads` has for the line that was taken last."""
        return self.results[:16] + self.evidence[:16]


def _next(head: str, link: str) -> str:
    return hashlib.sha256((head + link).encode("ascii")).hexdigest()
