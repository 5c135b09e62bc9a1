"""Facts of a league with a whole configuration, for pages of seasons and bots; every number is chosen by hand."""

from __future__ import annotations

from typing import Any

from harness.game import BUILT_IN
from harness.protocol import Limits
from harness.publish.site_facts import (
    BotFacts,
    BotProfile,
    LadderLine,
    MatchLine,
    RatingPoint,
    RoundFacts,
    SeasonFacts,
    Style,
    StyleBar,
    VersionFacts,
)
from harness.ratings import Breakdown, HeadToHead, Parameters, Rating, Standing, Strength, Totals
from harness.store import FaultRow, VoidRow

BOTS = {"ada": 31.0, "bob": 27.5, "cyd": 24.0, "dan": 18.0}
PROFILES = {
    "ada": BotProfile("ada", "a" * 64, "Ada of the deep", "Grace", "Rust"),
    "bob": BotProfile("bob", "b" * 64, "<script>alert(1)</script>", "<b>evil</b>", "x\u202ey"),
    "cyd": BotProfile("cyd", "c" * 64, "", "", ""),
    "dan": BotProfile("dan", "d" * 64, "D" * 500, "\x1b[31mred", "Go"),
}
NOTHING = Style((StyleBar(0, None, 0, 0),), (StyleBar(0, None, 0, 0),), (StyleBar(1, 1, 0, 0),))
STYLE = Style(
    pocket=(StyleBar(0, 4, 200, 50), StyleBar(5, None, 200, 51)),
    danger=(StyleBar(0, 4, 300, 3), StyleBar(5, 9, 10, 8), StyleBar(10, None, 90, 90)),
    inside=(StyleBar(1, 1, 200, 50), StyleBar(2, 2, 200, 51), StyleBar(3, 3, 0, 0)),
)


def line(bot: str, rank: int | None = None, **more: Any) -> LadderLine:
    """A line of the ladder of 40 games; without a rank it has that of its strength."""
    place = rank if rank is not None else list(BOTS).index(bot) + 1
    fields: dict[str, Any] = {
        "rank": place, "bot": bot, "version": PROFILES[bot].version, "mu": BOTS[bot], "sigma": 0.5612,
        "provisional": False, "matches": 4, "games": 40, "wins": 12.5, "win_share": 0.3125, "points": 21.25,
        "mean_rank": 1.755, "faults": 0,
    }  # fmt: skip
    standing = Standing(**{**fields, **more})
    out = standing.state == "disqualified"
    return LadderLine(standing, PROFILES[bot], None if out else place, None if out else place + 1, 1, (25.0, BOTS[bot]))


def season(**more: Any) -> SeasonFacts:
    """Season 2: four bots at tables of three and four, two of five rounds over."""
    edition = BUILT_IN["iello-2016"].to_json()
    config = {
        "edition": edition, "format": "round-robin", "format_options": {"same_author": False}, "games": 10,
        "limits": Limits().to_json(), "max_forfeits": None, "name": "caves", "names_shown": True,
        "rating": Parameters().to_json(), "require": None, "rounds": 5, "seats": [3, 4], "seed": None,
    }  # fmt: skip
    lines = tuple(line(bot) for bot in BOTS)
    fields: dict[str, Any] = {
        "league": "caves", "number": 2, "state": "running", "practice": False, "edition": edition,
        "format": "round-robin", "config": config, "rounds_planned": 5, "matches": 8, "games": 1234,
        "commitment": "1" * 64, "secret": None, "results": "3" * 64, "evidence": "4" * 64, "platform": "here",
        "anchors": ("cyd",), "champions": (), "divisions": {}, "tiers": {"bare": 1, "full": 7},
        "rounds": tuple(
            RoundFacts(number, 4, size, number - 1, (), f"{number:064d}", f"{number + 10:064d}", closed)
            for number, size, closed in ((1, 3, "2026-03-01T10:00:00Z"), (2, 4, "2026-03-02T11:05:09.5Z"))
        ),
        "voids": (), "sizes": (3, 4), "lines": lines, "by_size": {3: lines, 4: lines[:2]}, "official": (),
        "pairs": (
            HeadToHead("ada", "bob", 100, 70, 0), HeadToHead("ada", "cyd", 12, 4, 1),
            HeadToHead("ada", "dan", 50, 30, 10), HeadToHead("bob", "ada", 100, 30, 0),
            HeadToHead("cyd", "ada", 12, 7, 1), HeadToHead("dan", "ada", 50, 10, 10),
        ),
        "profiles": PROFILES, "begun": "2026-02-28T09:00:00Z", "ended": "",
    }  # fmt: skip
    return SeasonFacts(**{**fields, **more})


def strength(bot: str, rank: int | None) -> Strength:
    """A line of the official table, 95 % of which lie a point and a half around."""
    mu = BOTS[bot]
    low, high = (rank, rank + 1) if rank else (None, None)
    return Strength(bot, PROFILES[bot].version, 0, 40, mu, mu - 1.5, mu + 1.5, rank, low, high)


def bot_facts(bot: str = "ada", of: LadderLine | None = None, **more: Any) -> BotFacts:
    """A bot that played 40 games; whatever is not given is not there."""
    fields: dict[str, Any] = {
        "line": of or line(bot),
        "versions": (VersionFacts(1, PROFILES[bot].version, "entered"),),
        "points": (RatingPoint(1, 26.0, 4.0), RatingPoint(2, 31.0, 0.5612)),
        "sizes": ((3, Totals(4, 40, 10500, 850, 70, 0)),),
        "opponents": (), "compositions": (), "tables": 0, "style": NOTHING, "fault_counts": (), "faults": (),
        "recent": (), "best": (), "worst": (), "match_pages": 0, "past": (),
    }  # fmt: skip
    return BotFacts(**{**fields, **more})


def part(bot: str, key: Any, games: int, win_parts: int, expected: int) -> Breakdown:
    """A part of a bot's results, with two points a game and rank 2."""
    return Breakdown(bot, key, Totals(games, games, win_parts, 2 * games, 2 * games, 0), expected, Rating(25.0, 1.0))


def fault(kind: str = "timeout", **more: Any) -> FaultRow:
    """A fault of ada at seat 3 of round 2, match 5."""
    record = {
        "seat": 2, "kind": kind, "game": 4, "expedition": 3, "turn": 77, "cpu_us": 5_112_300, "wall_us": 5_400_000,
        "expected": "", "got": "", "exit": None,
    }  # fmt: skip
    stderr = more.pop("stderr", "private words")
    return FaultRow("ada", "a" * 64, "caves/2/2/5", 2, 5, {**record, **more}, Limits().to_json(), stderr)


def match(number: int = 5, *, faults: tuple[tuple[int, str], ...] = ()) -> MatchLine:
    """Four games at a table of three: bob won three of them, ada and cyd shared one."""
    return MatchLine(
        f"caves/2/2/{number}", 2, number, 4, ("bob", "ada", "cyd"), (100, 70, 3), (5, 8, 10), (2520, 420, 420), faults
    )


VOID = VoidRow(2, 7, "caves/2/2/7", "<i>disk</i>\u202e full", ("ada", "bob", "dan"))
