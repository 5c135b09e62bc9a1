"""Where a season stands: how many records and lines it has, and the heads of the two chains over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, insert, update

from harness.protocol import Chains
from harness.store.packing import compact
from harness.store.rows import SeasonRow
from harness.store.tables import LINES, SEASON_MEASURES, SEASONS

__all__ = ["Position"]

_PLACE = update(SEASONS).where(SEASONS.c.id == bindparam("of_season"))
_HEAD = update(SEASON_MEASURES).where(SEASON_MEASURES.c.season_id == bindparam("of_season"))


class Position:
    """How far a season's records and lines have come, and the chains up to there; `save` writes it back."""

    def __init__(self, season: SeasonRow) -> None:
        self.season_id = season.id
        self.seq = season.seq
        self.lines = season.lines
        self.chains = Chains(season.results, season.evidence)

    def add_line(self, connection: Connection, round_: int, line: Mapping[str, Any]) -> None:
        """Write a line that is no record at this place, and chain it."""
        self.lines += 1
        self.chains.add_line(dict(line))
        row = {
            "season_id": self.season_id,
            "ordinal": self.lines,
            "after_seq": self.seq,
            "round": round_,
            "text": compact(line),
        }
        connection.execute(insert(LINES), [row])

    def save(self, connection: Connection) -> None:
        """Write the place and the heads of the chains."""
        place = {"seq": self.seq, "lines": self.lines, "results": self.chains.results}
        connection.execute(_PLACE, {"of_season": self.season_id, **place})
        connection.execute(_HEAD, {"of_season": self.season_id, "evidence": self.chains.evidence})
