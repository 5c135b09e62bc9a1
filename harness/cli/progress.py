"""A run as it goes: live on a terminal, plain lines elsewhere. Both tell the same events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Protocol

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from harness.cli.faults_table import fault_line
from harness.cli.ladder_table import ladder_table
from harness.cli.paper import console
from harness.cli.run_tally import RunTally
from harness.cli.terminal import Signs, is_live, signs
from harness.league import (
    BotBenched,
    Event,
    FaultSeen,
    MatchVoided,
    RoundOpened,
    RoundOver,
    SeasonAnnounced,
    SeasonEnded,
    SeasonResumed,
    WorkerLost,
)
from harness.protocol import visible

__all__ = ["Teller", "duration", "event_line", "live_view", "progress"]

BAR = 24
"""Signs of the bar that fills as a round goes on."""

FRAMES_A_SECOND = 4

COUNTED_BOTS = 6
"""Bots whose faults the live picture counts, those with most first."""

SHORT_HEAD = 12
"""Digits of a hash where a picture has to stay readable; plain lines, JSON and exports have all."""


class Teller(Protocol):
    """Takes the events of a run as they come."""

    def __call__(self, event: Event) -> None:
        """Draw or note one event."""


@contextmanager
def progress(stream: IO[str], tally: RunTally) -> Iterator[Teller]:
    """A teller that draws on the stream until the block is left; the tally has taken each event in before."""
    sign = signs(stream)
    paper = console(stream)
    if not is_live(stream):

        def plain(event: Event) -> None:
            tally(event)
            line = event_line(event, sign)
            if line is not None:
                paper.print(line, soft_wrap=True)
                stream.flush()

        yield plain
        return

    def frame() -> RenderableType:
        return live_view(tally, sign, paper.height, paper.width)

    with Live(get_renderable=frame, console=paper, refresh_per_second=FRAMES_A_SECOND, transient=True):

        def live(event: Event) -> None:
            tally(event)
            # What the picture itself shows need not scroll by above it as well.
            if not isinstance(event, FaultSeen | RoundOpened):
                line = event_line(event, sign, heads=SHORT_HEAD)
                if line is not None:
                    paper.print(line, soft_wrap=True)

        yield live


def event_line(event: Event, sign: Signs, heads: int = 64) -> Text | None:
    """The plain line that tells an event, None for those that only move numbers; `heads` digits of a hash are shown."""
    match event:
        case SeasonAnnounced():
            kind = "practice season" if event.practice else "season"
            return Text(
                f"{visible(event.league)}: {kind} {event.season} begins, {_count(event.rounds, 'round')}, "
                f"commitment {event.commitment[:heads]}"
            )
        case SeasonResumed():
            kind = "practice season" if event.practice else "season"
            played = f"{_count(event.played, 'match')} played so far"
            commitment = event.commitment[:heads]
            return Text(f"{visible(event.league)}: {kind} {event.season} goes on, {played}, commitment {commitment}")
        case RoundOpened():
            rest = f", {event.left} to play" if event.left != event.matches else ""
            return Text(f"round {event.round} of {event.rounds}: {_count(event.matches, 'match')}{rest}")
        case RoundOver():
            chains = f"results {event.results[:heads]} evidence {event.evidence[:heads]}"
            return Text(f"round {event.round} of {event.rounds} over: {chains}")
        case FaultSeen():
            return fault_line(event.bot, event.fault, sign, event.match)
        case WorkerLost():
            return Text(f"{visible(event.match)}: try {event.tries} came to nothing ({visible(event.reason, 200)})")
        case MatchVoided():
            bots = ", ".join(visible(bot, 32) for bot in event.bots)
            return Text(f"{visible(event.match)}: void, {visible(event.reason, 200)} (bots {bots})", style="red")
        case BotBenched():
            return Text(
                f"{visible(event.bot, 32)}: benched from round {event.round} on, {visible(event.reason, 200)}",
                style="red",
            )
        case SeasonEnded():
            rest = "" if event.complete else ", with rounds left unplayed"
            return Text(f"{visible(event.league)}: season {event.season} is over{rest}, secret {event.secret}")
        case _:
            return None


def live_view(tally: RunTally, sign: Signs, height: int, width: int) -> Group:
    """The picture: how far and how fast, as much of the ladder as fits, the last faults and their counts."""
    parts: list[RenderableType] = [Text(_headline(tally), style="bold", overflow="ellipsis", no_wrap=True)]
    parts.append(Text(_how_far(tally, sign, width), overflow="crop", no_wrap=True))
    # Beside the rows of both tables there are their headings, the lines between, and one that the cursor stands in.
    shown = list(tally.faults)[-max(0, (height - 12) // 3) :] if height >= 15 else []
    faults = [fault_line(seen.bot, seen.fault, sign, seen.match) for seen in shown]
    for line in faults:
        line.no_wrap, line.overflow = True, "crop"
    room = max(1, height - len(faults) - 8)
    if tally.standings:
        parts += [Text(""), ladder_table(tally.standings, sign, top=room)]
        if len(tally.standings) > room:
            parts.append(Text(f"and {len(tally.standings) - room} more", style="dim"))
    if tally.faults:
        counts = tally.fault_counts.most_common(COUNTED_BOTS)
        summary = ", ".join(f"{visible(bot, 32)} {number}" for bot, number in counts)
        total = sum(tally.fault_counts.values())
        heading = Text(f"{_count(total, 'fault')}: {summary}", style="bold", overflow="crop", no_wrap=True)
        parts += [Text(""), heading, *faults]
    return Group(*parts)


def _headline(tally: RunTally) -> str:
    known = " (practice: its decks are known)" if tally.practice else ""
    return f"{tally.title}{known}"


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


def duration(seconds: float) -> str:
    """A time span for people, two units at most: `45 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`."""
    whole = round(seconds)
    for big, small, size, ratio in (("d", "h", 86400, 3600), ("h", "min", 3600, 60), ("min", "s", 60, 1)):
        if whole >= size:
            rest = whole % size // ratio
            return f"{whole // size} {big} {rest} {small}" if rest else f"{whole // size} {big}"
    return f"{whole} s"


def _count(number: int, noun: str) -> str:
    plural = "matches" if noun == "match" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"
