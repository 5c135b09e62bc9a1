"""What a run came to."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RunSummary"]


@dataclass(slots=True)
class RunSummary:
    """What a run came to: `played`, `voided` and `rounds` count this run's, all else is of the season played last."""

    league: str
    season: int
    practice: bool
    rounds_planned: int
    rounds_over: int = 0
    rounds: int = 0
    played: int = 0
    voided: int = 0
    ended: bool = False

    def go_on_from(self, before: RunSummary) -> None:
        """Count what the same run did in the seasons before."""
        self.rounds += before.rounds
        self.played += before.played
        self.voided += before.voided
