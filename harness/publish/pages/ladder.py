"""The ladder's pages: of a season, of its tables of one size, two hundred bots a page, and the official table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from harness.publish import addresses
from harness.publish.page import Page
from harness.publish.pages.ladder_row import ladder_axis, ladder_row, rank_words, under_name
from harness.publish.site_facts import LadderLine, SeasonFacts
from harness.publish.words import listed, table_sizes
from harness.ratings import ENOUGH_GAMES

__all__ = ["ROWS", "OfficialRow", "front_page", "ladder_part", "names_file", "official_page", "season_ladders"]

ROWS = 200
"""Bots a page: more makes a page slow to show on a phone."""

_OFFICIAL_BELOW = 60
"""A longer official table has pages of its own, since both together would be too much for one."""

_Shown = TypeVar("_Shown")


@dataclass(frozen=True, slots=True)
class OfficialRow:
    """A line of the official table; `ranks` is "–" for a version that is not ranked, which `note` then explains."""

    ranks: str
    rank: int | None
    bot: str
    under: str
    strength: float
    low: float
    high: float
    games: int
    division: int
    note: str


def front_page(season: SeasonFacts) -> Page:
    """The site's first page: the ladder of its newest season. Its other parts stand in the season's folder."""
    first = next(_ladder(season, None, season.lines))
    parts = first.content["parts"]
    moved = {"parts": ((parts[0][0], addresses.LADDER), *parts[1:]) if parts else ()}
    return Page(addresses.LADDER, first.template, {**first.content, **moved})


def season_ladders(season: SeasonFacts) -> Iterator[Page]:
    """Every ladder in the folder of `season`, and its official table."""
    yield from _ladder(season, None, season.lines)
    for size, lines in sorted(season.by_size.items()):
        yield from _ladder(season, size, lines)
    yield from _official_pages(season)


def names_file(season: SeasonFacts) -> tuple[str, bytes] | None:
    """The script that tells the search the names of all bots, as path and content; None where one page has them all."""
    if len(season.lines) <= ROWS:
        return None
    names = [(bot, under_name(bot, one.title, one.author)) for bot, one in sorted(season.profiles.items())]
    told = json.dumps(names, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    return _names_path(season.number), f"tacora.names({told});\n".encode("ascii")


def ladder_part(first: str, part: int) -> str:
    """Where a further part of the table that begins at `first` stands; parts count from 1."""
    return first if part == 1 else f"{first.removesuffix('.html')}-p{part}.html"


def official_page(season: int) -> str:
    """The official table of a season, where it is too long to stand below the ladder."""
    return f"{addresses.season_folder(season)}/official.html"


def _names_path(season: int) -> str:
    return f"{addresses.season_folder(season)}/names.js"


def _ladder(season: SeasonFacts, size: int | None, lines: Sequence[LadderLine]) -> Iterator[Page]:
    home = addresses.ladder_page(season.number, size)
    axis = ladder_axis(lines)
    below = season.official if size is None and len(season.official) <= _OFFICIAL_BELOW else ()
    for part, shown in enumerate(_cut(lines), 1):
        content = {
            **_heading(season),
            "size": size,
            "rows": tuple(ladder_row(line, axis, len(season.rounds)) for line in shown),
            "axis": axis,
            "bots": len(lines),
            "parts": _parts(home, len(lines)),
            "undivided": any(not line.standing.division for line in lines),
            "divisions": tuple(sorted({line.standing.division for line in lines if line.standing.division})),
            "provisional": any(line.standing.provisional for line in lines),
            "enough_games": ENOUGH_GAMES,
            "names": _names_path(season.number) if len(lines) > ROWS else "",
            "strengths": _official_rows(season) if below and part == 1 else (),
            "official": official_page(season.number) if len(season.official) > _OFFICIAL_BELOW else "",
        }
        yield Page(ladder_part(home, part), "ladder.html", content)


def _official_pages(season: SeasonFacts) -> Iterator[Page]:
    rows = _official_rows(season)
    if len(rows) <= _OFFICIAL_BELOW:
        return
    home = official_page(season.number)
    for part, shown in enumerate(_cut(rows), 1):
        content = {**_heading(season), "strengths": shown, "parts": _parts(home, len(rows))}
        yield Page(ladder_part(home, part), "official.html", content)


def _heading(season: SeasonFacts) -> dict[str, Any]:
    """What every ladder says of its season."""
    return {
        "season": season.number,
        "state": season.state,
        "practice": season.practice,
        "rounds_over": len(season.rounds),
        "rounds_planned": season.rounds_planned,
        "matches": season.matches,
        "games": season.games,
        "tables": table_sizes(season.config["seats"]),
        "sizes": tuple(sorted(season.by_size)),
        "anchors": listed(season.anchors),
    }


def _official_rows(season: SeasonFacts) -> tuple[OfficialRow, ...]:
    playing = {bot: profile.version for bot, profile in season.profiles.items()}
    rows = []
    for line in season.official:
        profile = season.profiles.get(line.bot)
        note = ""
        if line.rank is None:
            older = playing.get(line.bot) != line.version
            note = f"version {line.version[:8]}, played before" if older else "too few games"
        rows.append(
            OfficialRow(
                ranks=rank_words(line.rank_low, line.rank_high),
                rank=line.rank,
                bot=line.bot,
                under=under_name(line.bot, profile.title, profile.author) if profile and not note else note,
                strength=line.strength,
                low=line.low,
                high=line.high,
                games=line.games,
                division=line.division,
                note=note,
            )
        )
    return tuple(rows)


def _cut(lines: Sequence[_Shown]) -> Iterator[Sequence[_Shown]]:
    """`lines` page by page, one page at least."""
    for start in range(0, max(len(lines), 1), ROWS):
        yield lines[start : start + ROWS]


def _parts(home: str, lines: int) -> tuple[tuple[str, str], ...]:
    """(text, address) of every part where there are several, such as "1–200"."""
    if lines <= ROWS:
        return ()
    return tuple(
        (f"{start + 1}–{min(start + ROWS, lines)}", ladder_part(home, start // ROWS + 1))
        for start in range(0, lines, ROWS)
    )
