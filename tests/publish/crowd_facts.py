"""A season of very many bots that has all that a season can have, and every kind of page made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.protocol import FAULT_KINDS
from harness.publish.match_facts import no_counts, style_of
from harness.publish.page import Page
from harness.publish.pages import (
    about_page,
    bot_page,
    front_page,
    match_list,
    match_page,
    pairs_page,
    round_page,
    season_ladders,
    season_page,
    seasons_page,
    viewer_page,
)
from harness.publish.season_sums import LIST_LINES, ROUND_LINES
from harness.publish.site_facts import BotProfile, LadderLine, MatchLine, PastSeason, RatingPoint, SeasonFacts
from harness.ratings import HeadToHead
from tests.publish.league_facts import VOID, bot_facts, fault, line, match, part, season, strength
from tests.publish.made_facts import SITE, summary

SEATS = 8
"""As many as there can be."""


def crowd_lines(bots: int) -> tuple[LadderLine, ...]:
    """So many bots with titles and authors; one in ten is out, and each is in one of four divisions."""
    lines = []
    for place in range(1, bots + 1):
        bot = f"bot-{place:04}"
        state = "withdrawn" if place % 10 == 0 else "plays"
        of = line("ada", rank=place, state=state, division=1 + 4 * (place - 1) // bots, mu=40 - place / 100)
        profile = BotProfile(bot, f"{place:064}", f"Title {place}", f"Author {place}", "C")
        spark = tuple(float(25 + number % 3) for number in range(24))
        lines.append(replace(of, standing=replace(of.standing, bot=bot), profile=profile, spark=spark))
    return tuple(lines)


def crowd_season(bots: int = 200) -> SeasonFacts:
    """A season with divisions that is over after two hundred rounds; all bots have met each other."""
    lines = crowd_lines(bots)
    ids = [one.profile.bot for one in lines]
    rounds = season().rounds
    return season(
        state="ended",
        secret="2" * 32,
        lines=lines,
        by_size={},
        profiles={one.profile.bot: one.profile for one in lines},
        divisions={one.profile.bot: one.standing.division for one in lines},
        rounds=tuple(replace(rounds[0], number=number) for number in range(1, 201)),
        official=tuple(replace(strength("ada", place), bot=bot) for place, bot in enumerate(ids, start=1)),
        champions=tuple(ids[:2]),
        voids=(VOID,),
        pairs=tuple(HeadToHead(bot, other, 100, 60, 10) for bot in ids for other in ids if other != bot),
    )


def crowd_match(number: int) -> MatchLine:
    """A match of eight, two of whom had a fault."""
    bots = tuple(f"bot-{seat + 1:04}" for seat in range(SEATS))
    wins = (840,) * 4 + (0,) * 4
    return replace(
        match(number, faults=((1, "timeout"), (2, "crashed"))),
        bots=bots, points=(70,) * SEATS, ranks=(5,) * SEATS, win_parts=wins,
    )  # fmt: skip


def crowd_pages(bots: int = 200) -> Iterator[tuple[str, Page]]:
    """Every kind of page that such a season has, by the name of its template; the ladder once more as it begins."""
    facts = crowd_season(bots)
    first, *others = (one.profile.bot for one in facts.lines)
    matches = [crowd_match(number) for number in range(1, ROUND_LINES + 1)]
    tables = tuple(part(first, tuple(others[start : start + SEATS - 1]), 40, 16800, 4200) for start in range(12))
    of_bot = bot_facts(
        of=facts.lines[0],
        points=tuple(RatingPoint(number, 25.0 + number % 7, 1.0) for number in range(1, 151)),
        opponents=tuple(part(first, other, 100, 42000, 28000) for other in others),
        compositions=tables,
        tables=1000,
        style=style_of([1000 - place for place in range(len(no_counts()))]),
        fault_counts=tuple((kind, 2) for kind in FAULT_KINDS),
        faults=tuple(fault("crashed", exit=1, got="nothing", expected="a decision") for _ in range(10)),
        recent=tuple(matches[:LIST_LINES]),
        best=tuple(matches[:5]),
        worst=tuple(matches[:5]),
        match_pages=40,
        past=tuple(PastSeason(number, 3, bots, 24.0) for number in range(1, 2)),
    )
    site = replace(SITE, publish_stderr=True)
    ladders = [front_page(facts), *season_ladders(facts)]
    yield from ((page.template, page) for page in ladders)
    for page in (
        front_page(season(state="announced", lines=(), rounds=(), pairs=(), by_size={})),
        bot_page(site, facts, of_bot),
        match_list(2, first, 2, matches[:LIST_LINES], facts.profiles),
        round_page(2, 2, 1, 3, matches, facts.profiles, newer=True),
        season_page(facts),
        pairs_page(facts),
        seasons_page(tuple(summary(number) for number in range(1, 21))),
        about_page(facts),
        match_page(2, False, [], {bot: one.title for bot, one in facts.profiles.items()}),
        viewer_page(),
    ):
        yield page.template, page
