"""What the site shows, as rows for programs: by field, with the names that `harness standings` gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from harness.publish.charts import bar_interval
from harness.publish.site_facts import BotFacts, LadderLine, MatchLine, SeasonFacts, StyleBar
from harness.ratings import Breakdown, Totals

__all__ = ["BOT_FIELDS", "MATCH_FIELDS", "SEASON_FIELDS", "Row", "bot_rows", "match_rows", "season_rows"]

Row = Mapping[str, Any]

_STANDING = (
    "rank", "bot", "version", "mu", "sigma", "provisional", "matches", "games", "wins", "win_share", "points",
    "mean_rank", "faults", "division", "state",
)  # fmt: skip

_TOTALS = ("matches", "games", "wins", "win_share", "expected_share", "points", "mean_rank", "faults")

SEASON_FIELDS: Mapping[str, tuple[str, ...]] = {
    "ladder": ("size", *_STANDING, "rank_low", "rank_high", "moved"),
    "official": (
        "rank", "rank_low", "rank_high", "bot", "version", "division", "strength", "low", "high", "games",
    ),
    "pairs": ("bot", "other", "games", "wins", "ties", "losses", "share", "low", "high"),
    "rounds": ("number", "size", "matches", "faults", "closed", "results", "evidence"),
    "bots": ("bot", "version", "title", "author", "language"),
    "voids": ("match", "round", "number", "reason", "bots"),
}  # fmt: skip
"""By name of the file the fields of rows that the season gives."""

BOT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "versions": ("bot", "from_round", "version", "act"),
    "ratings": ("bot", "round", "mu", "sigma"),
    "breakdown": ("bot", "by", "key", *_TOTALS),
    "style": ("bot", "by", "bar_low", "bar_high", "asked", "left", "share", "low", "high"),
    "fault_counts": ("bot", "kind", "faults"),
    "faults": (
        "match", "bot", "version", "seat", "kind", "game", "expedition", "turn", "cpu_us", "wall_us", "expected", "got",
        "exit",
    ),
}  # fmt: skip
"""By name of the file the fields of rows that each bot gives."""

MATCH_FIELDS = (
    "match", "round", "number", "games", "seat", "bot", "wins", "points_total", "rank_total", "fault",
)  # fmt: skip
"""Of a seat of a match: `wins` is the sum of its win shares over the games, the totals are sums over them too."""


def season_rows(season: SeasonFacts) -> Mapping[str, Iterator[Row]]:
    """By name of the file the rows that the season gives."""
    return {
        "ladder": _ladder(season),
        "official": map(asdict, season.official),
        "pairs": (
            {
                "bot": pair.bot,
                "other": pair.other,
                "games": pair.games,
                "wins": pair.wins,
                "ties": pair.ties,
                "losses": pair.losses,
                "share": pair.share,
                "low": pair.interval[0],
                "high": pair.interval[1],
            }
            for pair in season.pairs
        ),
        "rounds": map(asdict, season.rounds),
        "bots": (asdict(season.profiles[bot]) for bot in sorted(season.profiles)),
        "voids": (
            {"match": one.match, "round": one.round, "number": one.number, "reason": one.reason, "bots": one.bots}
            for one in season.voids
        ),
    }


def bot_rows(bot: BotFacts) -> Mapping[str, Iterator[Row]]:
    """By name of the file the rows that the bot gives."""
    name = bot.line.standing.bot
    return {
        "versions": ({"bot": name, **asdict(each)} for each in bot.versions),
        "ratings": ({"bot": name, **asdict(point)} for point in bot.points),
        "breakdown": _breakdown(name, bot),
        "style": _style(name, bot),
        "fault_counts": ({"bot": name, "kind": kind, "faults": number} for kind, number in bot.fault_counts),
        "faults": ({**one.fault, "match": one.match, "bot": one.bot, "version": one.version} for one in bot.faults),
    }


def match_rows(line: MatchLine) -> Iterator[Row]:
    """A row a seat, in the order of seats; seats are numbered from 0, as in the record."""
    kinds = dict(line.faults)
    for seat, bot in enumerate(line.bots):
        yield {
            "match": line.match,
            "round": line.round,
            "number": line.number,
            "games": line.games,
            "seat": seat,
            "bot": bot,
            "wins": Totals(win_parts=line.win_parts[seat]).wins,
            "points_total": line.points[seat],
            "rank_total": line.ranks[seat],
            "fault": kinds.get(seat),
        }


def _ladder(season: SeasonFacts) -> Iterator[Row]:
    """The whole ladder, without a size, and behind it that of each size of table."""
    ladders: list[tuple[int | None, Sequence[LadderLine]]] = [(None, season.lines), *sorted(season.by_size.items())]
    for size, lines in ladders:
        for line in lines:
            yield {
                "size": size,
                **asdict(line.standing),
                "rank_low": line.rank_low,
                "rank_high": line.rank_high,
                "moved": line.moved,
            }


def _breakdown(name: str, bot: BotFacts) -> Iterator[Row]:
    for size, totals in bot.sizes:
        yield {"bot": name, "by": "size", "key": size, **_totals(totals, 1 / size if totals.games else 0.0)}
    parts: tuple[tuple[str, Sequence[Breakdown]], ...] = (
        ("opponent", bot.opponents),
        ("composition", bot.compositions),
    )
    for by, group in parts:
        for part in group:
            yield {"bot": name, "by": by, "key": part.key, **_totals(part.totals, part.expected_share)}


def _totals(totals: Totals, expected_share: float) -> Row:
    return {
        "matches": totals.matches,
        "games": totals.games,
        "wins": totals.wins,
        "win_share": totals.win_share,
        "expected_share": expected_share,
        "points": totals.mean_points,
        "mean_rank": totals.mean_rank,
        "faults": totals.faults,
    }


def _style(name: str, bot: BotFacts) -> Iterator[Row]:
    parts: tuple[tuple[str, Sequence[StyleBar]], ...] = (
        ("pocket", bot.style.pocket),
        ("danger", bot.style.danger),
        ("inside", bot.style.inside),
    )
    for by, bars in parts:
        for bar in bars:
            low, high = bar_interval(bar)
            yield {
                "bot": name,
                "by": by,
                "bar_low": bar.low,
                "bar_high": bar.high,
                "asked": bar.asked,
                "left": bar.left,
                "share": bar.left / bar.asked if bar.asked else None,
                "low": low,
                "high": high,
            }
