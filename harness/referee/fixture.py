"""The fixture: a match before it is played, as a value that whoever holds it can play anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.game import Edition, edition_from_json, opaque_word
from harness.protocol import Limits
from harness.referee.bounds import DEFAULT_BOUNDS, Bounds

__all__ = ["Fixture", "Seat"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a bot's id and the content hash of the version that plays."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to be played: who sits where, on which seed, under which limits.

    `league` is None outside a season; then `season`, `round` and `number` are 0 and mean nothing.
    `names_shown` says that bots are told who sits where.
    """

    league: str | None
    season: int
    round: int
    number: int
    seed: str
    edition: Edition
    games: int
    limits: Limits
    seats: tuple[Seat, ...]
    names_shown: bool = False
    bounds: Bounds = DEFAULT_BOUNDS

    @property
    def match(self) -> str:
        """The match's name in records: `league/season/round/number`, or the opaque word outside a season."""
        if self.league is None:
            return self.opaque
        return f"{self.league}/{self.season}/{self.round}/{self.number}"

    @property
    def opaque(self) -> str:
        """The word by which bots know the match; it tells nothing of league or round."""
        return opaque_word(self.seed)

    @property
    def reference(self) -> dict[str, Any] | None:
        """The `fixture` field of the record, `None` outside a season."""
        if self.league is None:
            return None
        return {"league": self.league, "season": self.season, "round": self.round, "number": self.number}

    def to_json(self) -> dict[str, Any]:
        """The fixture as plain data, for a pipe or a table."""
        return {
            "league": self.league,
            "season": self.season,
            "round": self.round,
            "number": self.number,
            "seed": self.seed,
            "edition": self.edition.to_json(),
            "games": self.games,
            "limits": self.limits.to_json(),
            "seats": [[seat.bot, seat.version] for seat in self.seats],
            "names_shown": self.names_shown,
            "bounds": self.bounds.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Fixture:
        """The inverse of `to_json`; it trusts its input, which only the harness writes."""
        return cls(
            league=data["league"],
            season=data["season"],
            round=data["round"],
            number=data["number"],
            seed=data["seed"],
            edition=edition_from_json(data["edition"]),
            games=data["games"],
            limits=Limits.model_validate(data["limits"]),
            seats=tuple(Seat(bot, version) for bot, version in data["seats"]),
            names_shown=data["names_shown"],
            bounds=Bounds.from_json(data.get("bounds", {})),
        )
