"""Leagues: their file and formats, seasons, submission, the run itself, verification of a season.

What happens is told by events; nothing here prints.
"""

from harness.league.events import (
    BotBenched,
    Event,
    FaultSeen,
    LadderMoved,
    MatchPlayed,
    MatchVoided,
    RoundOpened,
    RoundOver,
    SeasonAnnounced,
    SeasonEnded,
    SeasonResumed,
    WorkerLost,
)
from harness.league.formats import Format, Participant, Spread, format_named, spread
from harness.league.league_file import BotEntry, Entrant, League, SandboxChoice, load_league
from harness.league.plan import Plan, SizePlan, plan
from harness.league.run import RunSummary, run_league
from harness.league.season_file import SeasonReport, check_season, read_lines, verify_season, write_lines
from harness.league.submit import Submission, submit

__all__ = [
    "BotBenched",
    "BotEntry",
    "Entrant",
    "Event",
    "FaultSeen",
    "Format",
    "LadderMoved",
    "League",
    "MatchPlayed",
    "MatchVoided",
    "Participant",
    "Plan",
    "RoundOpened",
    "RoundOver",
    "RunSummary",
    "SandboxChoice",
    "SeasonAnnounced",
    "SeasonEnded",
    "SeasonReport",
    "SeasonResumed",
    "SizePlan",
    "Spread",
    "Submission",
    "WorkerLost",
    "check_season",
    "format_named",
    "load_league",
    "plan",
    "read_lines",
    "run_league",
    "spread",
    "submit",
    "verify_season",
    "write_lines",
]
