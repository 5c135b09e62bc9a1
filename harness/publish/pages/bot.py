"""A bot's page: who it is, how well it does against whom, how it leaves, what it did wrong, and its matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.publish import addresses
from harness.publish.charts import RATING_SIZE, STYLE_SIZE, rating_alt, rating_figure, style_alt, style_figure
from harness.publish.page import Page
from harness.publish.pages.bot_faults import fault_count, fault_view
from harness.publish.pages.bot_rows import (
    BAR_HEIGHT,
    BAR_WIDTH,
    of_bot,
    opponent_rows,
    rating_rows,
    size_row,
    style_rows,
    table_row,
)
from harness.publish.pages.match_rows import bot_match
from harness.publish.render import fixed, plural
from harness.publish.render import number as whole
from harness.publish.season_sums import MOST_TABLES
from harness.publish.site_facts import BotFacts, SeasonFacts, SiteFacts, Style, VersionFacts
from harness.publish.style_words import style_sentence
from harness.publish.words import headline, listed, movement, opponents_sentence, rank_interval, reach, share_cell
from harness.ratings import ENOUGH_GAMES, PLAYS

__all__ = ["bot_page"]

_OUT = {
    "benched": "is benched: it plays no more until the organiser has looked",
    "withdrawn": "is withdrawn: it plays no more",
    "disqualified": "is disqualified: it plays no more and has no rank",
}
"""What a state of a bot that is out means."""

_MOST_KINDS = 3
"""Kinds of fault that are named at the top of the page."""

_MOST_PARTS = 12
"""Links to lists of earlier matches at most; each list leads to the next."""

_ACTS = {"let-in": "let in again"}
"""Acts that read better otherwise."""


def bot_page(site: SiteFacts, season: SeasonFacts, bot: BotFacts) -> Page:
    """The page of a bot in a season."""
    line, number = bot.line, season.number
    standing, id_ = line.standing, line.standing.bot
    pairs = of_bot(season.pairs, id_)
    asked = any(bar.asked for bar in bot.style.danger)
    figures = [rating_figure(number, id_, bot.points)] if bot.points else []
    figures += [style_figure(number, id_, bot.style)] if asked else []
    content: dict[str, Any] = {
        "season_number": number,
        "profile": line.profile,
        "state": "" if standing.state == PLAYS else standing.state,
        "out": _out_sentence(standing.state, bot.versions),
        "provisional": standing.provisional and standing.games > 0,
        "enough_games": ENOUGH_GAMES,
        "headline": headline(line, sum(each.rank_low is not None for each in season.lines), bot.sizes),
        "stats": _stats(bot),
        "fault_notice": _fault_notice(bot),
        "rating_rows": rating_rows(bot.points),
        "rating_all": len(bot.points),
        "rating_alt": rating_alt(id_, bot.points),
        "rating_size": RATING_SIZE,
        "settled": _settled(bot),
        "sizes": tuple(size_row(size, totals) for size, totals in bot.sizes if totals.games),
        "opponents_sentence": opponents_sentence(pairs),
        "opponents": opponent_rows(pairs, bot.opponents, season.profiles),
        "met": len(pairs),
        "bar_size": (BAR_WIDTH, BAR_HEIGHT),
        "compositions": tuple(table_row(part) for part in bot.compositions),
        "tables": f"{'at least ' if bot.tables >= MOST_TABLES else ''}{whole(bot.tables)}",
        "all_tables": len(bot.compositions) == bot.tables,
        "style_sentence": style_sentence(bot.style),
        "style": _style_panels(bot.style) if asked else (),
        "style_alt": style_alt(id_, bot.style),
        "style_size": STYLE_SIZE,
        "fault_counts": tuple(fault_count(kind, times) for kind, times in bot.fault_counts),
        "faults": tuple(fault_view(number, row, with_stderr=site.publish_stderr) for row in bot.faults),
        "best": tuple(bot_match(number, match, id_) for match in bot.best),
        "worst": tuple(bot_match(number, match, id_) for match in bot.worst),
        "recent": tuple(bot_match(number, match, id_) for match in bot.recent),
        "earlier": _earlier(number, id_, bot.match_pages),
        "versions": _versions(bot.versions),
        "past": tuple(
            (
                each.number,
                rank_interval(each.rank, each.rank),
                whole(each.bots),
                fixed(each.mu, 1),
                each.rank is not None,
            )
            for each in bot.past
        ),
    }
    return Page(addresses.bot_page(number, id_), "bot.html", content, tuple(figures))


def _out_sentence(state: str, versions: Sequence[VersionFacts]) -> str:
    """That a bot is out, and since when; empty for one that plays."""
    if state not in _OUT:
        return "" if state == PLAYS else f"is {state}"
    since = next((each.from_round for each in reversed(versions) if each.act == state), None)
    return _OUT[state] if since is None else f"{_OUT[state].replace(':', f' from round {since} on:', 1)}"


def _stats(bot: BotFacts) -> tuple[tuple[str, str, str], ...]:
    """The big figures: name, figure, what is said below it."""
    line = bot.line
    standing = line.standing
    games = sum(totals.games for _, totals in bot.sizes)
    if not games:
        return ()
    equal = sum(totals.games / size for size, totals in bot.sizes) / games
    place = f"division {standing.division}" if standing.division else ""
    return (
        (
            "Rank",
            rank_interval(line.rank_low, line.rank_high),
            ", ".join(filter(None, (place, movement(line.moved if line.rank_low is not None else None)))),
        ),
        ("Rating", fixed(standing.mu, 1), f"{reach(standing.sigma)}, 95\u00a0%"),
        ("Win share", share_cell(standing.win_share, games), f"an equal: {share_cell(equal, games)}"),
        ("Points a game", fixed(standing.points, 1), f"mean rank {fixed(standing.mean_rank, 2)}"),
        ("Games", whole(standing.games), f"in {plural(standing.matches, 'match', 'matches')}"),
        ("Faults", whole(standing.faults), f"in {plural(standing.matches, 'match', 'matches')}"),
    )


def _fault_notice(bot: BotFacts) -> str:
    """How many faults, and of which kind most of them are; empty without one."""
    if not bot.fault_counts:
        return ""
    faults = sum(times for _, times in bot.fault_counts)
    matches = plural(bot.line.standing.matches, "match", "matches")
    named = [fault_count(kind, times) for kind, times in bot.fault_counts]
    told = f"{plural(faults, 'fault', 'faults')} in {matches}"
    if len(named) == 1:
        return f"{told}, {named[0].kind}: {named[0].happened}."
    parts = [f"{whole(each.number)}\u00a0{each.kind}" for each in named[:_MOST_KINDS]]
    if others := sum(each.number for each in named[_MOST_KINDS:]):
        parts.append(f"{whole(others)}\u00a0of other kinds")
    return f"{told}: {listed(parts)}."


def _settled(bot: BotFacts) -> int:
    """The first round shown where earlier ones were left out, else 0."""
    if not bot.points or bot.line.standing.provisional:
        return 0
    first = bot.points[0].round
    entered = bot.versions[0].from_round if bot.versions else first
    return first if first > entered else 0


def _style_panels(style: Style) -> tuple[tuple[str, str, Any], ...]:
    return (
        ("Danger", "The next card would end the expedition, %", style_rows(style.danger)),
        ("Pocket", "Rubies in its pocket", style_rows(style.pocket)),
        ("Inside", "Explorers inside, itself included", style_rows(style.inside)),
    )


def _earlier(season: int, bot: str, parts: int) -> tuple[tuple[str, str], ...]:
    """Links to the lists of earlier matches, newest first; of many the newest ones and the oldest."""
    numbers = list(range(parts, 0, -1))
    if parts > _MOST_PARTS:
        numbers = [*numbers[: _MOST_PARTS - 1], 1]
    return tuple((f"Part {part}", addresses.match_list(season, bot, part)) for part in numbers)


def _versions(versions: Sequence[VersionFacts]) -> tuple[Mapping[str, Any], ...]:
    """The acts, newest first, each with what it changed."""
    rows = []
    before = ""
    for each in versions:
        act = _ACTS.get(each.act, each.act)
        if each.act == "entered" and before and each.version != before:
            act = "entered with a new version"
        before = each.version
        rows.append({"from_round": each.from_round, "act": act, "version": each.version})
    return tuple(reversed(rows))
