"""Leagues: their file and formats, seasons, submission, the run itself, verification of a season.

What happens is told by events; nothing here prints.
"""

from __future__ import annotations

from harness.league.desk import (
    DeskChange,
    Disqualification,
    ListedBot,
    VoidedMatch,
    bench_bot,
    disqualify_bot,
    list_bots,
    unbench_bot,
    void_match,
    withdraw_bot,
)
from harness.league.entrant import Entrant, LoadedEntrant
from harness.league.events import (
    BotBenched,
    BotsContained,
    DivisionsDrawn,
    Event,
    FaultSeen,
    IntervalReached,
    LadderMoved,
    MatchPlayed,
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
from harness.league.league_file import League, load_league
from harness.league.pilot import pilot
from harness.league.plan import Plan, plan
from harness.league.run import run_league
from harness.league.run_summary import RunSummary
from harness.league.season_file import check_season, read_lines, write_lines
from harness.league.submit import submit
from harness.league.tables import breakdown_of, head_to_head_of, official_table_of

__all__ = [
    "BotBenched",
    "BotsContained",
    "DeskChange",
    "Disqualification",
    "DivisionsDrawn",
    "Entrant",
    "Event",
    "FaultSeen",
    "IntervalReached",
    "LadderMoved",
    "League",
    "ListedBot",
    "LoadedEntrant",
    "MatchPlayed",
    "MatchVoided",
    "Plan",
    "RoundOpened",
    "RoundOver",
    "RunSummary",
    "SeasonAnnounced",
    "SeasonEnded",
    "SeasonResumed",
    "SiteNotWritten",
    "VoidedMatch",
    "Waiting",
    "WorkerLost",
    "bench_bot",
    "breakdown_of",
    "check_season",
    "disqualify_bot",
    "head_to_head_of",
    "list_bots",
    "load_league",
    "official_table_of",
    "pilot",
    "plan",
    "read_lines",
    "run_league",
    "submit",
    "unbench_bot",
    "void_match",
    "withdraw_bot",
    "write_lines",
]
