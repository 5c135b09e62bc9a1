"""Seats bots, keeps their clocks, judges their faults, plays a fixture into a record, and verifies records."""

from harness.referee.fixture import Fixture, Seat
from harness.referee.match import Played, play
from harness.referee.pinning import pinned
from harness.referee.table import Stopped
from harness.referee.verify import Problem, verify_record

__all__ = ["Fixture", "Played", "Problem", "Seat", "Stopped", "pinned", "play", "verify_record"]
