"""Where a season stands: how many records and lines it has, and the heads of the two chains over them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select, update

from harness.protocol import Chains
from harness.store.rows import SeasonRow
from harness.store.tables import LINES, SEASON_MEASURES, SEASONS

__all__ = ["Position"]


class Position:
    """How far a season's records and lines have come, and the chains up to there; ``save`` writes it back."""

    def __init__(self, season: SeasonRow, lines: int) -> None:
        self.season_id = season.id
        self.seq = season.seq
        self.lines = lines
        self.chains = Chains(season.results, season.evidence)

    @classmethod
    def of(cls, connection: Connection, season: SeasonRow) -> Position:
        """Where the season stands."""
        lines = connection.execute(select(SEASONS.c.lines).where(SEASONS.c.id == season.id)).scalar_one()
        return cls(season, lines)

    def add_line(self, connection: Connection, round_: int, line: Mapping[str, Any]) -> None:
        """Write a line that is no record at this place, and chain it."""
        self.lines += 1
        self.chains.add_line(dict(line))
        row = {
            "season_id": self.season_id,
            "ordinal": self.lines,
            "after_seq": self.seq,
            "round": round_,
            "text": json.dumps(line, separators=(",", ":"), ensure_ascii=False),
        }
        connection.execute(insert(LINES), [row])

    def save(self, connection: Connection) -> None:
        """Write the place and the heads of the chains."""
        here = update(SEASONS).where(SEASONS.c.id == self.season_id)
        connection.execute(here.values(seq=self.seq, lines=self.lines, results=self.chains.results))
        measures = update(SEASON_MEASURES).where(SEASON_MEASURES.c.season_id == self.season_id)
        connection.execute(measures.values(evidence=self.chains.evidence))
