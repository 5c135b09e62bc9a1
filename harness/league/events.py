"""What happens in a run, told as values: whoever listens draws, prints or counts them. Nothing here prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.ratings import Standing
from harness.referee import Fixture

__all__ = [
    "BotBenched",
    "BotsContained",
    "DivisionsDrawn",
    "Event",
    "FaultSeen",
    "IntervalReached",
    "LadderMoved",
    "MatchPlayed",
    "MatchVoided",
    "RoundOpened",
    "RoundOver",
    "SeasonAnnounced",
    "SeasonEnded",
    "SeasonResumed",
    "SiteNotWritten",
    "Waiting",
    "WorkerLost",
]


@dataclass(frozen=True, slots=True)
class SeasonAnnounced:
    """A season begins: its commitment is public from now on. `practice` says that its decks are known."""

    league: str
    season: int
    rounds: int
    commitment: str
    practice: bool


@dataclass(frozen=True, slots=True)
class DivisionsDrawn:
    """The divisions of a season that has been announced, the top one first, and who changed to or came into which.

    `up` and `down` are those who were in a lower or a higher one in the season before.
    """

    season: int
    divisions: tuple[tuple[str, ...], ...]
    up: tuple[str, ...]
    down: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonResumed:
    """A run goes on with a season: `played` of the matches of the rounds opened so far are stored."""

    league: str
    season: int
    rounds: int
    commitment: str
    practice: bool
    played: int


@dataclass(frozen=True, slots=True)
class BotsContained:
    """What holds the bots that are about to play: the backend, its tier, and why it is none better."""

    backend: str
    tier: str
    layers: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round of `matches` begins, or goes on with the `left` that are not stored yet."""

    round: int
    rounds: int
    matches: int
    left: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A round can't be opened with the bots entered, and the run waits: why, and what will make it go on."""

    season: int
    round: int
    reason: str
    mend: str


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A match was played and stored, as the `played`-th of its round: its record, and the number of tries it took."""

    fixture: Fixture
    record: dict[str, Any]
    tries: int
    played: int
    matches: int


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """A bot's fault in a match that was stored; `fault` is the record's object."""

    match: str
    bot: str
    kind: str
    fault: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WorkerLost:
    """A try came to nothing, by a worker's death or by what the machine lacked; the match is played again."""

    match: str
    reason: str
    tries: int


@dataclass(frozen=True, slots=True)
class MatchVoided:
    """A match was given up after three lost workers and does not count."""

    match: str
    reason: str
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotBenched:
    """A bot is not entered from `round` on, until the organiser, who has looked, unbenches it."""

    bot: str
    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class LadderMoved:
    """The ladder after the matches applied so far, best first; `rounds_over` counts the rounds that are complete."""

    season: int
    rounds_over: int
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class RoundOver:
    """Every match of a round is applied: the heads of the results chain and of the evidence chain after it."""

    round: int
    rounds: int
    results: str
    evidence: str


@dataclass(frozen=True, slots=True)
class IntervalReached:
    """The bot that a gauntlet tries is known as well as was asked: its season ends before its budget is spent.

    `low` to `high` is the 95 % interval of its strength, in points of μ, after `rounds` rounds.
    """

    bot: str
    version: str
    strength: float
    low: float
    high: float
    rounds: int


@dataclass(frozen=True, slots=True)
class SeasonEnded:
    """A season is over and its secret is revealed; `complete` is false where it was cut short by the next one."""

    league: str
    season: int
    secret: str
    complete: bool


@dataclass(frozen=True, slots=True)
class SiteNotWritten:
    """The league's site could not be brought up to date, for this reason; the run goes on."""

    reason: str


Event = (
    SeasonAnnounced
    | DivisionsDrawn
    | SeasonResumed
    | BotsContained
    | RoundOpened
    | Waiting
    | MatchPlayed
    | FaultSeen
    | WorkerLost
    | MatchVoided
    | BotBenched
    | LadderMoved
    | RoundOver
    | IntervalReached
    | SeasonEnded
    | SiteNotWritten
)
"""Whatever a run may tell."""
