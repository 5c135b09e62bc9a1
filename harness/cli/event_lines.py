"""The events of a run in words: a line each where lines are read, hashes on lines of their own for a terminal."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from harness.cli.faults_table import fault_line
from harness.cli.terminal import Signs
from harness.league import (
    BotBenched,
    BotsContained,
    DivisionsDrawn,
    Event,
    FaultSeen,
    IntervalReached,
    MatchVoided,
    RoundOpened,
    RoundOver,
    SeasonAnnounced,
    SeasonEnded,
    SeasonResumed,
    SiteNotWritten,
    Waiting,
    WorkerLost,
)
from harness.protocol import visible

__all__ = ["counted", "event_block", "event_line"]


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence and the hashes that belong to it, each with its name; `joint` stands between on one line."""

    sentence: Text
    hashes: tuple[tuple[str, str], ...] = ()
    joint: str = ", "


def event_line(event: Event, sign: Signs) -> Text | None:
    """The event on one line, None for those that only move numbers."""
    told = _told(event, sign)
    if told is None:
        return None
    hashes = " ".join(f"{name} {value}" for name, value in told.hashes)
    return told.sentence.append(f"{told.joint}{hashes}") if hashes else told.sentence


def event_block(event: Event, sign: Signs) -> list[Text]:
    """The event on as many lines as a screen of 80 columns needs for its hashes to stay whole; none as before."""
    told = _told(event, sign)
    if told is None:
        return []
    return [told.sentence, *(Text(f"  {name:<10} {value}") for name, value in told.hashes)]


def counted(number: int, noun: str) -> str:
    """How many of them: `1 match`, `2 matches`, `3 rounds`."""
    plural = "matches" if noun == "match" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def _told(event: Event, sign: Signs) -> _Told | None:
    match event:
        case SeasonAnnounced():
            begins = f"{_season(event)} begins, {counted(event.rounds, 'round')}"
            return _Told(Text(begins), (("commitment", event.commitment),))
        case DivisionsDrawn():
            return _Told(Text(_divisions(event)))
        case SeasonResumed():
            goes_on = f"{_season(event)} goes on, {counted(event.played, 'match')} played so far"
            return _Told(Text(goes_on), (("commitment", event.commitment),))
        case BotsContained():
            reason = f" ({visible(event.missing[0], 200)}; `harness doctor` tells more)" if event.missing else ""
            return _Told(Text(f"bots run under {event.backend}, tier {event.tier}{reason}"))
        case RoundOpened():
            rest = f", {event.left} to play" if event.left != event.matches else ""
            return _Told(Text(f"round {event.round} of {event.rounds}: {counted(event.matches, 'match')}{rest}"))
        case Waiting():
            why = f"round {event.round} of season {event.season} waits: {visible(event.reason, 400)}"
            return _Told(Text.assemble((why, "yellow"), f"; {visible(event.mend, 400)}"))
        case RoundOver():
            heads = (("results", event.results), ("evidence", event.evidence))
            return _Told(Text(f"round {event.round} of {event.rounds} over"), heads, ": ")
        case FaultSeen():
            return _Told(fault_line(event.bot, event.fault, sign, event.match))
        case WorkerLost() | SiteNotWritten():
            return _Told(_mishap(event))
        case MatchVoided():
            bots = ", ".join(visible(bot, 32) for bot in event.bots)
            void = f"{visible(event.match)}: void, {visible(event.reason, 200)} (bots {bots})"
            return _Told(Text(void, style="red"))
        case BotBenched():
            bot = visible(event.bot, 32)
            benched = f"{bot}: benched from round {event.round} on, {visible(event.reason, 200)}"
            back = f" (let it in again with harness bots LEAGUE.toml unbench {bot})"
            return _Told(Text.assemble((benched, "red"), back))
        case IntervalReached():
            known = f"{visible(event.bot, 32)} is known well enough after {counted(event.rounds, 'round')}: strength "
            return _Told(Text(f"{known}{event.strength:.2f}, 95 % interval {event.low:.2f} to {event.high:.2f}"))
        case SeasonEnded():
            rest = "" if event.complete else ", with rounds left unplayed"
            over = f"{visible(event.league)}: season {event.season} is over{rest}"
            return _Told(Text(over), (("secret", event.secret),))
        case _:
            return None


def _mishap(event: WorkerLost | SiteNotWritten) -> Text:
    """What went wrong without an end to the run."""
    if isinstance(event, SiteNotWritten):
        return Text(f"the site is not up to date: {visible(event.reason, 400)}", style="red")
    return Text(f"{visible(event.match)}: try {event.tries} came to nothing ({visible(event.reason, 200)})")


def _divisions(event: DivisionsDrawn) -> str:
    parts = [
        f"division {number}: {', '.join(visible(bot, 32) for bot in bots)}"
        for number, bots in enumerate(event.divisions, start=1)
    ]
    for word, bots in (("up", event.up), ("down", event.down)):
        if bots:
            parts.append(f"{word}: {', '.join(visible(bot, 32) for bot in bots)}")
    return "; ".join(parts)


def _season(event: SeasonAnnounced | SeasonResumed) -> str:
    return f"{visible(event.league)}: {'practice season' if event.practice else 'season'} {event.season}"
