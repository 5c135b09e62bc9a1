"""The events of a run as JSON objects, one a line, for programs."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from harness.league import Event, FaultSeen, LadderMoved, MatchPlayed

__all__ = ["event_json"]


def event_json(event: Event) -> dict[str, Any] | None:
    """The event with its name under `event`; None for the ladder in between, which only its end makes a result.

    Of a match no more is told than that it was played: its record is nobody's to see before its round is over.
    """
    name = re.sub(r"(?<=.)([A-Z])", r"-\1", type(event).__name__).lower()
    match event:
        case LadderMoved():
            return None
        case MatchPlayed():
            return {
                "event": name,
                "match": event.fixture.match,
                "tries": event.tries,
                "played": event.played,
                "matches": event.matches,
            }
        case FaultSeen():
            return {"event": name, "match": event.match, "bot": event.bot, "kind": event.kind}
        case _:
            return {"event": name, **asdict(event)}
