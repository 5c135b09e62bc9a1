"""Faults for the people who must mend them: what happened, where, with which evidence; and the counts of a league."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from harness.cli.columns import Column, table
from harness.cli.hanging import hung
from harness.cli.terminal import Signs
from harness.protocol import visible
from harness.referee import happened, mend, process_in_words, time_in_words

__all__ = ["count_table", "evidence_lines", "fault_line", "fault_lines", "stderr_lines"]

KIND = Style(color="red", bold=True)
FAINT = Style(dim=True)

GOT_LIMIT = 300
"""Characters shown of what was expected and of what came."""

STDERR_LINES = 12
"""Lines shown of the first and of the last part of a stderr, each."""

STDERR_LINE = 400
"""Characters shown of one line."""


def place_of(fault: Mapping[str, Any]) -> str:
    """Where in the match a fault took effect, in words."""
    return f"game {fault['game']}, expedition {fault['expedition']}, turn {fault['turn']}"


def fault_line(bot: str, fault: Mapping[str, Any], sign: Signs, match: str = "") -> Text:
    """A fault in one line: for a run's progress (with its match) and the end of a match shown."""
    kind = visible(fault["kind"], 40)
    where = f"{visible(match)}, {place_of(fault)}" if match else place_of(fault)
    return Text.assemble((f"{visible(bot, 32)}: {kind}", KIND), f" {sign.dash} {happened(kind)} ({where})")


def fault_lines(
    match: str, bot: str, fault: Mapping[str, Any], limits: Mapping[str, Any], width: int
) -> Iterator[Text]:
    """A fault in full, as its author needs it: kind, place, time against limits, evidence, what to mend."""
    kind = visible(fault["kind"], 40)
    yield Text.assemble((f"{visible(bot, 32)}: {kind}", KIND), f"  {visible(match)}  {place_of(fault)}")
    yield Text(f"  {happened(kind)}")
    yield from _named("time", time_in_words(fault, limits), width)
    yield from evidence_lines(fault, width)
    advice = mend(kind)
    if advice:
        yield from _named("to mend", advice, width)


def evidence_lines(fault: Mapping[str, Any], width: int) -> Iterator[Text]:
    """What was due, what came, how the process ended; lines without content are left out."""
    if fault["expected"]:
        yield from _named("expected", visible(fault["expected"], GOT_LIMIT), width)
    if fault["got"]:
        yield from _named("got", visible(fault["got"], GOT_LIMIT), width)
    process = process_in_words(fault)
    if process:
        yield from _named("process", process, width)


def _named(name: str, text: str, width: int) -> Iterator[Text]:
    return hung(Text(f"  {name + ':':<10}"), Text(text), width)


def stderr_lines(text: str) -> Iterator[Text]:
    """What the bot wrote to stderr: its first and last lines, each made visible."""
    lines = text.splitlines()
    if not lines:
        yield Text("  stderr: (nothing)", style=FAINT)
        return
    yield Text("  stderr:")
    shown: Sequence[str] = lines
    if len(lines) > 2 * STDERR_LINES:
        missing = len(lines) - 2 * STDERR_LINES
        shown = [*lines[:STDERR_LINES], f"[{missing} more lines]", *lines[-STDERR_LINES:]]
    for line in shown:
        yield Text(f"    {visible(line.expandtabs(4), STDERR_LINE)}", style=FAINT)


def count_table(faults: Iterable[tuple[str, str]]) -> Table:
    """How many faults of each kind each bot has, from (bot, kind) pairs; most first."""
    counts = Counter(faults)
    rows = [
        (visible(bot), visible(kind, 40), str(number))
        for (bot, kind), number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return table((Column("bot"), Column("kind"), Column("faults", right=True)), rows)
