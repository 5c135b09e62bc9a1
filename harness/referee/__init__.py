"""Seats bots, keeps their clocks, judges their faults, plays a fixture into a record, and verifies records."""

from harness.referee.bounds import BOUND_RANGES, DEFAULT_BOUNDS, Bounds
from harness.referee.duration import longest_s
from harness.referee.fault_words import (
    exit_in_words,
    fault_words,
    happened,
    limits_of,
    mend,
    milliseconds,
    process_in_words,
    time_in_words,
)
from harness.referee.fixture import Fixture, Seat
from harness.referee.match import Played, play
from harness.referee.pinning import cores_at_hand, pinned, usable_cores
from harness.referee.story import ExpeditionStory, Leaver, TurnStory, story_of
from harness.referee.table import Stopped
from harness.referee.verify import Problem, verify_record

__all__ = [
    "BOUND_RANGES",
    "DEFAULT_BOUNDS",
    "Bounds",
    "ExpeditionStory",
    "Fixture",
    "Leaver",
    "Played",
    "Problem",
    "Seat",
    "Stopped",
    "TurnStory",
    "cores_at_hand",
    "exit_in_words",
    "fault_words",
    "happened",
    "limits_of",
    "longest_s",
    "mend",
    "milliseconds",
    "pinned",
    "play",
    "process_in_words",
    "story_of",
    "time_in_words",
    "usable_cores",
    "verify_record",
]
