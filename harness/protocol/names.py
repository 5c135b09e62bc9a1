"""Names: the id of a bot or league, and the name of a season's match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from harness.protocol.whole import MAX_WHOLE

__all__ = ["ID_PATTERN", "MatchName"]

ID_PATTERN: Final = r"[a-z0-9][a-z0-9-]{0,31}"
"""An id, as a regular expression for the whole of it; it means the same to every engine."""

_MATCH: Final = re.compile(rf"({ID_PATTERN})/([1-9][0-9]{{0,15}})/([1-9][0-9]{{0,15}})/([1-9][0-9]{{0,15}})")


@dataclass(frozen=True, slots=True)
class MatchName:
    """A match of a season, as text `league/season/round/number`; the numbers count from 1."""

    league: str
    season: int
    round: int
    number: int

    def __str__(self) -> str:
        return f"{self.league}/{self.season}/{self.round}/{self.number}"

    @classmethod
    def parse(cls, text: str) -> MatchName:
        """The match that `text` names. Only what `str` writes is a name: ValueError for anything else."""
        found = _MATCH.fullmatch(text)
        if found is not None:
            league, *places = found.groups()
            season, round_, number = map(int, places)
            if max(season, round_, number) <= MAX_WHOLE:
                return cls(league, season, round_, number)
        raise ValueError("is no name of a match; write league/season/round/number, as in club/1/4/17")
