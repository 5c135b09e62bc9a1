"""Facts of a small season made by hand, so that tests know every number that must come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.publish.site_facts import (
    Assets,
    BotFacts,
    BotProfile,
    LadderLine,
    MatchLine,
    RatingPoint,
    RoundFacts,
    SeasonFacts,
    SeasonSummary,
    SiteFacts,
    Style,
    StyleBar,
    VersionFacts,
)
from harness.ratings import Breakdown, HeadToHead, Rating, Standing, Strength, Totals
from harness.store import FaultRow, VoidRow

VERSIONS = {bot: letter * 64 for bot, letter in (("ada", "a"), ("bob", "b"), ("cyd", "c"))}
BEGUN, ENDED = "2026-03-01T08:00:00Z", "2026-03-04T12:30:00.250000Z"
CLOSED = ("2026-03-02T10:00:00Z", "2026-03-03T10:00:00.500000Z", "2026-03-04T12:30:00Z")

SITE = SiteFacts("caves", None, 2, False, "0.1.0", Assets("s.css", "t.js", "v.js"))
PLACED = replace(SITE, site_url="https://caves.example/ladder/")

EMPTY = Style((StyleBar(0, 4, 0, 0), StyleBar(5, None, 0, 0)), (StyleBar(0, None, 0, 0),), (StyleBar(1, 1, 0, 0),))


def standing(bot: str, rank: int | None, mu: float, sigma: float = 1.0, **more: Any) -> Standing:
    """A line with 40 games of 20 matches, 12.5 of them won."""
    fields: dict[str, Any] = {
        "rank": rank,
        "bot": bot,
        "version": VERSIONS.get(bot, "d" * 64),
        "mu": mu,
        "sigma": sigma,
        "provisional": False,
        "matches": 20,
        "games": 40,
        "wins": 12.5,
        "win_share": 0.3125,
        "points": 21.25,
        "mean_rank": 1.75,
        "faults": 0,
    }
    return Standing(**{**fields, **more})


def line(of: Standing, title: str = "", author: str = "") -> LadderLine:
    """A line of the ladder that stayed in its place."""
    profile = BotProfile(of.bot, of.version, title, author, "Python")
    return LadderLine(of, profile, of.rank, of.rank, 0, (24.0, of.mu))


def season(*, lines: Sequence[LadderLine] | None = None, rounds: int = 3, ended: bool = True) -> SeasonFacts:
    """Season 2 of three bots, some of its rounds over."""
    shown = tuple(
        lines
        if lines is not None
        else (
            line(standing("ada", 1, 31.0), "Ada of the deep", "Grace"),
            line(standing("bob", 2, 27.5, 1.5), "", "=2+3"),
            line(standing("cyd", None, 20.0, 2.0, state="disqualified", faults=1), "Über\u202e", "\x1b[31m"),
        )
    )
    return SeasonFacts(
        league="caves",
        number=2,
        state="ended" if ended else "running",
        practice=False,
        edition={"name": "iello-2016"},
        format="ladder",
        config={},
        rounds_planned=3,
        matches=10 * rounds,
        games=20 * rounds,
        commitment="1" * 64,
        secret="2" * 32 if ended else None,
        results="3" * 64,
        evidence="4" * 64,
        platform="here",
        anchors=(),
        champions=("bob",) if ended else (),
        divisions={},
        tiers={},
        rounds=tuple(
            RoundFacts(number, 10, 3, number - 1, LEADERS, f"{number:064d}", f"{number + 10:064d}", closed)
            for number, closed in enumerate(CLOSED[:rounds], start=1)
        ),
        voids=(VoidRow(2, 7, "caves/2/2/7", "=disk full\n", ("ada", "bob", "cyd")),),
        sizes=(3,),
        lines=shown,
        by_size={3: shown[:2]},
        official=(Strength("bob", VERSIONS["bob"], 0, 40, 1.5, 0.5, 2.5, 1, 1, 2),) if ended else (),
        pairs=(HeadToHead("ada", "bob", 10, 6, 2), HeadToHead("bob", "ada", 10, 2, 2)),
        profiles={one.profile.bot: one.profile for one in shown},
        begun=BEGUN,
        ended=ENDED if ended else "",
    )


LEADERS = (("ada", 31.0, 2.0 / 1.959964), ("bob", 27.46, 1.5))
"""Of every round."""


def fault(bot: str, round_: int = 2, number: int = 5, *, got: str = "hello", kind: str = "bad-message") -> FaultRow:
    """A fault of seat 1 in the first game of that match."""
    record = {
        "seat": 1, "kind": kind, "game": 1, "expedition": 3, "turn": 9, "cpu_us": 1500, "wall_us": 2500,
        "expected": "a decision", "got": got, "exit": None,
    }  # fmt: skip
    return FaultRow(bot, VERSIONS[bot], f"caves/2/{round_}/{number}", round_, number, record, {}, "private words")


def bot_facts(of: LadderLine, **more: Any) -> BotFacts:
    """A bot that entered before round 1 and met another one at five tables."""
    name = of.standing.bot
    totals = Totals(matches=5, games=10, win_parts=2100, points=150, ranks=18, faults=1)
    fields: dict[str, Any] = {
        "line": of,
        "versions": (VersionFacts(1, of.standing.version, "entered"),),
        "points": (RatingPoint(1, 26.0, 4.0), RatingPoint(3, of.standing.mu, of.standing.sigma)),
        "sizes": ((3, totals),),
        "opponents": (Breakdown(name, "bob", totals, 2800, Rating(25.0, 2.0)),),
        "compositions": (Breakdown(name, ("bob", "cyd"), totals, 2800, Rating(25.0, 2.0)),),
        "tables": 1,
        "style": EMPTY,
        "fault_counts": (),
        "faults": (),
        "recent": (),
        "best": (),
        "worst": (),
        "match_pages": 0,
        "past": (),
    }
    return BotFacts(**{**fields, **more})


def match(number: int = 1, *, faults: tuple[tuple[int, str], ...] = ()) -> MatchLine:
    """Two games at a table of three: ada won one and shared the other with bob."""
    return MatchLine(
        f"caves/2/1/{number}", 1, number, 2, ("bob", "ada", "cyd"), (20, 35, 8), (3, 2, 6), (420, 1260, 0), faults
    )


def summary(
    number: int, *, champions: tuple[str, ...] = ("bob",), ended: str = ENDED, begun: str = BEGUN
) -> SeasonSummary:
    """A season in the list of seasons."""
    state = "ended" if ended else "running"
    return SeasonSummary(number, state, False, 3, 3, 30, 3, champions, begun, ended)
