"""A bot's faults as its author needs them: what happened, where, with which evidence, and what to mend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.protocol import visible
from harness.publish.addresses import match_address
from harness.publish.pages.match_rows import KIND_LIMIT
from harness.publish.words import NO_BREAK
from harness.referee import happened, mend, process_in_words, time_in_words
from harness.store import FaultRow

__all__ = ["FaultCount", "FaultView", "fault_count", "fault_view", "stderr_lines"]

EVIDENCE_LIMIT = 400
"""Characters shown of what was expected and of what came."""

STDERR_LINES = 12
"""Lines shown of the first and of the last part of a stderr, each."""

STDERR_LINE = 300
"""Characters shown of one line."""


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How many faults of a kind there were, what that is, and what to mend."""

    kind: str
    number: int
    happened: str
    mend: str


@dataclass(frozen=True, slots=True)
class FaultView:
    """One fault in full; texts are visible already, and "" where there is nothing to show.

    `address` leads to the expedition in the viewer. `stderr` is None where the league does not publish it.
    """

    kind: str
    match: str
    place: str
    address: str
    version: str
    happened: str
    time: str
    expected: str
    got: str
    process: str
    mend: str
    stderr: tuple[str, ...] | None


def fault_count(kind: str, number: int) -> FaultCount:
    """A kind of fault and how often it was."""
    shown = visible(kind, KIND_LIMIT)
    return FaultCount(shown, number, happened(shown), mend(shown))


def fault_view(season: int, row: FaultRow, *, with_stderr: bool) -> FaultView:
    """A fault; what its bot wrote to stderr only `with_stderr`."""
    fault = row.fault
    kind = visible(row.kind, KIND_LIMIT)
    return FaultView(
        kind=kind,
        match=f"Round {row.round}, match {row.number}",
        place=f"game {fault['game']}, expedition {fault['expedition']}, turn {fault['turn']}",
        address=match_address(season, row.round, row.number, f"g{fault['game']}e{fault['expedition']}"),
        version=row.version,
        happened=happened(kind),
        time=time_in_words(fault, row.limits).replace("_ms ", f"_ms{NO_BREAK}"),
        expected=visible(fault["expected"] or "", EVIDENCE_LIMIT),
        got=visible(fault["got"] or "", EVIDENCE_LIMIT),
        process=process_in_words(fault),
        mend=mend(kind),
        stderr=stderr_lines(row.stderr) if with_stderr else None,
    )


def stderr_lines(text: str) -> tuple[str, ...]:
    """The first and the last lines of what a bot wrote to stderr, each made visible."""
    lines: Sequence[str] = text.splitlines()
    if len(lines) > 2 * STDERR_LINES:
        missing = len(lines) - 2 * STDERR_LINES
        more = f"[{missing} more {'line' if missing == 1 else 'lines'}]"
        lines = [*lines[:STDERR_LINES], more, *lines[-STDERR_LINES:]]
    return tuple(visible(line.expandtabs(4), STDERR_LINE) for line in lines)
