"""A figure: what was measured, the floor or peer beside it, and their ratio, as a line of text or of a table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NO_RATIO", "TABLE_HEAD", "Figure"]

TABLE_HEAD = "| what | measured | against | ratio |\n| --- | --- | --- | --- |"
"""The head of a Markdown table of figures."""

NO_RATIO = "-"
"""The ratio of what has no floor or was not measured."""


@dataclass(frozen=True, slots=True)
class Figure:
    """All as text with units; `ratio` says of what, `notes` is where the time went or what else there is to know."""

    what: str
    measured: str
    against: str
    ratio: str
    notes: str = ""

    def text(self) -> str:
        """For a terminal."""
        line = f"  {self.what}: {self.measured}; {self.against}; {self.ratio}"
        return f"{line}\n    {self.notes}" if self.notes else line

    def row(self) -> str:
        """For a Markdown table, in which the notes stand behind the ratio."""
        ratio = f"{self.ratio}. {self.notes}" if self.notes else self.ratio
        if self.notes and self.ratio == NO_RATIO:
            ratio = self.notes
        return f"| {self.what} | {self.measured} | {self.against} | {ratio} |"
