"""What a season's header says, beyond its shape: what the season is paired and rated with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from harness.errors import EditionError
from harness.game import edition_from_json
from harness.ratings import Ladder, Parameters, Rating

__all__ = ["SeasonTerms", "season_terms"]


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    """What a season is rated with, from its header.

    `divisions` has the division, from 1, of the bots that are in one; `starts` has the ratings that bots brought and
    `versions` the versions that had them.
    """

    parameters: Parameters
    anchors: tuple[str, ...]
    divisions: Mapping[str, int]
    starts: Mapping[str, Rating]
    versions: Mapping[str, str]

    def ladder(self) -> Ladder:
        """The ratings before the first match."""
        return Ladder(self.parameters, dict(self.starts), dict(self.versions))


def season_terms(header: Mapping[str, Any]) -> SeasonTerms:
    """The terms of a header that has the shape of its model; ValueError, which the field starts, for what can't be."""
    try:
        edition = edition_from_json(header["edition"])
    except EditionError as error:
        raise ValueError(error.sentence) from error
    for i, size in enumerate(header["seats"]):
        if not edition.min_seats <= size <= edition.max_seats:
            raise ValueError(f"seats[{i}]: {size}; the edition takes {edition.min_seats} to {edition.max_seats}")
    try:
        parameters = Parameters.from_json(header["rating"])
    except ValueError as error:
        raise ValueError(f"rating.{error}") from error
    anchors = header.get("anchors", [])
    _check_order("anchors", anchors)
    starts = header.get("starts", [])
    _check_order("starts", [bot for bot, *_ in starts])
    return SeasonTerms(
        parameters=parameters,
        anchors=tuple(anchors),
        divisions=_divisions(header.get("divisions", [])),
        starts={bot: _rating(f"starts[{i}]", mu, sigma) for i, (bot, _, mu, sigma) in enumerate(starts)},
        versions={bot: version for bot, version, _, _ in starts},
    )


def _divisions(listed: Iterable[Sequence[str]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for i, bots in enumerate(listed):
        _check_order(f"divisions[{i}]", bots)
        for j, bot in enumerate(bots):
            if bot in found:
                raise ValueError(f"divisions[{i}][{j}]: {bot!r} is in division {found[bot]} too")
            found[bot] = i + 1
    return found


def _check_order(field: str, bots: Sequence[str]) -> None:
    for i, (one, other) in enumerate(pairwise(bots), start=1):
        if one >= other:
            raise ValueError(f"{field}[{i}]: {other!r} behind {one!r}; bots are sorted and each stands there once")


def _rating(field: str, mu: str, sigma: str) -> Rating:
    try:
        return Rating(float(mu), float(sigma))
    except ValueError as error:
        raise ValueError(f"{field}.{error}") from error
