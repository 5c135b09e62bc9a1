"""The picture of a run on a terminal: how far and how fast, the ladder, the last faults. It fits any screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from harness.cli.event_lines import counted
from harness.cli.faults_table import fault_line
from harness.cli.hanging import hung
from harness.cli.ladder_table import ladder_table
from harness.cli.run_tally import RunTally
from harness.cli.terminal import Signs
from harness.protocol import visible

__all__ = ["duration", "fault_counts", "live_view"]

BAR = 24
"""Signs of the bar that fills as a round goes on."""

COUNTED_BOTS = 6
"""Bots whose faults are counted one by one, those with most first."""

SHORT_HEAD = 12
"""Digits of a chain's head in the picture, which the next round changes; at the end of a run they stand whole."""

LAST_NOTES = 3
"""Lines of the notes that the picture has room for: a sentence with its hash, and one more."""


def live_view(tally: RunTally, notes: Sequence[Text], sign: Signs, width: int, height: int) -> Group:
    """The picture, at most `width` by `height` cells: as much of the ladder, the faults and the notes as fits."""
    head = [Text(_headline(tally), style="bold"), *_commitment(tally, width), Text(_how_far(tally, sign, width))]
    if tally.last_over is not None:
        over = tally.last_over
        heads = f"results {over.results[:SHORT_HEAD]}  evidence {over.evidence[:SHORT_HEAD]}"
        head.append(Text(f"round {over.round} over: {heads}", style="dim"))
    tail = _tail(tally, notes, sign, height)
    parts: list[RenderableType] = [*head]
    if tally.standings:
        # Beside the rows of the ladder: an empty line, its headings, and how many more there are.
        room = max(1, height - len(head) - len(tail) - 3)
        parts += [Text(""), ladder_table(tally.standings, sign, width, top=room)]
        if len(tally.standings) > room:
            parts.append(Text(f"and {len(tally.standings) - room} more", style="dim"))
    parts += tail
    for part in parts:
        if isinstance(part, Text):
            part.no_wrap, part.overflow = True, "crop"
    return Group(*parts)


def fault_counts(tally: RunTally) -> Text:
    """All faults so far, counted by bot."""
    counts = tally.fault_counts.most_common(COUNTED_BOTS)
    summary = ", ".join(f"{visible(bot, 32)} {number}" for bot, number in counts)
    others = ", …" if len(tally.fault_counts) > COUNTED_BOTS else ""
    return Text(f"{counted(sum(tally.fault_counts.values()), 'fault')}: {summary}{others}", style="bold")


def _headline(tally: RunTally) -> str:
    known = " (practice: its decks are known)" if tally.practice else ""
    return f"{tally.title}{known}"


def _commitment(tally: RunTally, width: int) -> list[Text]:
    return list(hung(Text("commitment "), Text(tally.commitment), width, below=2)) if tally.commitment else []


def _how_far(tally: RunTally, sign: Signs, width: int) -> str:
    share = tally.done / tally.matches if tally.matches else 0.0
    full = int(BAR * share)
    bar = sign.bar * full + sign.empty * (BAR - full)
    text = f"round {tally.round}/{tally.rounds}  {bar}  {tally.done}/{tally.matches} matches"
    if tally.rate:
        text += f"  {tally.rate:.1f}/s"
    left = tally.seconds_left
    if left is not None:
        text += f"  {duration(left)} left"
    return text if len(text) <= width else text.replace(f"  {bar}", "")


def _tail(tally: RunTally, notes: Sequence[Text], sign: Signs, height: int) -> list[Text]:
    """What stands below the ladder: a third of a high screen at most, the counts alone on a low one."""
    room = (height - 12) // 3 if height >= 15 else 0
    lines = [fault_line(seen.bot, seen.fault, sign, seen.match) for seen in tally.faults]
    tail: list[Text] = []
    if tally.faults:
        tail += [Text(""), fault_counts(tally), *lines[len(lines) - min(room, len(lines)) :]]
    last = list(notes[-LAST_NOTES:])
    while last and last[0].plain.startswith(" "):
        last.pop(0)  # a hash whose sentence is gone
    if last and room:
        tail += [Text(""), *(note.copy() for note in last)]
    return tail


def duration(seconds: float) -> str:
    """A time span for people, two units at most: `45 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`."""
    whole = round(seconds)
    for big, small, size, ratio in (("d", "h", 86400, 3600), ("h", "min", 3600, 60), ("min", "s", 60, 1)):
        if whole >= size:
            rest = whole % size // ratio
            return f"{whole // size} {big} {rest} {small}" if rest else f"{whole // size} {big}"
    return f"{whole} s"
