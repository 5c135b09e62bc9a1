"""What a season's parameters mean, and their values as people read them: limits, ratings, tiers, and formats."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from harness.protocol import visible
from harness.publish.render import fixed, number
from harness.publish.site_facts import SeasonFacts
from harness.publish.words import NO_BREAK

__all__ = ["LIMITS", "RATING", "TIERS", "division_count", "how_it_pairs", "limit_rows", "limit_value", "rating_rows"]

TIERS: Mapping[str, str] = MappingProxyType(
    {
        "full": "each bot in namespaces of its own, without a network, with counted memory, processes and CPU time",
        "isolated": "each bot in namespaces of its own, without a network; memory and processes limited less exactly",
        "confined": "no namespaces; files that a bot may open and calls that it may make are restricted",
        "bare": "not contained: the organiser trusts these bots",
    }
)
"""What a tier of containment promises, the strongest first."""

LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "start_ms": "CPU time until a bot says that it is ready; three times as much by the clock on the wall",
        "move_ms": "CPU time that is free for each decision",
        "bank_ms": "CPU time for a whole match on top of that",
        "stall_ms": "the longest wait for one answer, by the clock on the wall",
        "wait_ms": "all waits of a match beyond the free time, by the clock on the wall",
        "memory_mb": "memory",
        "processes": "processes and threads at one time",
        "disk_mb": "room in the scratch folder, which is new for each match",
    }
)
"""What each limit is."""

RATING: Mapping[str, str] = MappingProxyType(
    {
        "mu": "the rating that a new bot starts with",
        "sigma": "how unsure that is",
        "beta": "how much chance there is in a game, in points of rating",
        "tau": "how much a bot is taken to change from match to match",
        "draw": "the share of pairs that tie in a game",
    }
)
"""What each parameter of the ratings is."""

_LONG_S = 600
"""Seconds from which on a time is told in minutes."""


def limit_rows(limits: Mapping[str, int]) -> tuple[tuple[str, str, str], ...]:
    """The limits as name, value and meaning."""
    return tuple((name, limit_value(name, limits[name]), text) for name, text in LIMITS.items() if name in limits)


def limit_value(name: str, value: int) -> str:
    """A limit in words, by the unit that its name ends with: `move_ms` 1500 is 1.5 s, `memory_mb` 512 is 512 MiB."""
    if name.endswith("_mb"):
        return f"{number(value)}{NO_BREAK}MiB"
    if not name.endswith("_ms"):
        return number(value)
    if value < 1000:
        return f"{value}{NO_BREAK}ms"
    seconds = value / 1000
    return f"{seconds:g}{NO_BREAK}s" if seconds < _LONG_S else f"{seconds / 60:g}{NO_BREAK}min"


def rating_rows(parameters: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """The parameters of the ratings as name, value and meaning; they come as long decimals, four digits are shown."""
    return tuple((name, _short(parameters[name]), text) for name, text in RATING.items() if name in parameters)


def _short(value: Any) -> str:
    text = fixed(float(value), 4)
    return text.rstrip("0").rstrip(".") if "." in text else text


def division_count(season: SeasonFacts) -> int:
    """How many divisions there are, 0 where the season has none."""
    return len(set(season.divisions.values()))


def how_it_pairs(season: SeasonFacts) -> str:
    """What the format of the season does, in a sentence or two."""
    if season.format == "ladder":
        return (
            "In each round every bot sits once or sits out; bots of about the same rating meet, "
            "those that little is known of first."
        )
    if season.format == "round-robin":
        return "Every two bots meet equally often, and each sits equally often in every seat."
    if season.format == "gauntlet":
        options: Mapping[str, Any] = season.config.get("format_options", {})
        candidate = visible(str(options.get("bot", "one bot")), 40)
        return f"A gauntlet: {candidate} plays against all others until it is known how strong it is."
    if season.format == "divisions":
        if division_count(season) > 1:
            return (
                "Each division plays among itself, every two of it equally often; newcomers play placement matches "
                "against all divisions. After the season the last of each division trade places with the first of "
                "the one below."
            )
        return "All play together, every two equally often; the official table at its end makes the divisions."
    return f"Its format is {visible(season.format, 40)}."
