"""Lists of matches: those of a round, and the earlier ones of a bot. Plain tables with links to the viewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.publish import addresses
from harness.publish.page import Page
from harness.publish.pages.match_rows import match_block
from harness.publish.render import interval
from harness.publish.site_facts import BotProfile, MatchLine

__all__ = ["match_list", "round_page"]


def match_list(
    season_number: int,
    bot: str,
    part: int,
    lines: Sequence[MatchLine],
    profiles: Mapping[str, BotProfile],
) -> Page:
    """Part `part` of a bot's matches, newest first; the oldest are in part 1. It leads to older ones only: so nothing
    of it changes when newer ones come.
    """
    newest_first = sorted(lines, key=lambda line: (line.round, line.number), reverse=True)
    return Page(
        addresses.match_list(season_number, bot, part),
        "matches.html",
        {
            "season_number": season_number,
            "bot": bot,
            "part": part,
            "rounds": _rounds(lines),
            "older": addresses.match_list(season_number, bot, part - 1) if part > 1 else None,
            "blocks": tuple(
                match_block(season_number, line, profiles, own=bot, with_round=True) for line in newest_first
            ),
        },
    )


def round_page(
    season_number: int,
    round_: int,
    part: int,
    parts: int,
    lines: Sequence[MatchLine],
    profiles: Mapping[str, BotProfile],
    *,
    newer: bool = False,
) -> Page:
    """Part `part` of the matches of a round in their order. `newer`: the round behind it is over too."""
    return Page(
        addresses.round_page(season_number, round_, part),
        "round.html",
        {
            "season_number": season_number,
            "number": round_,
            "numbers": interval(str(lines[0].number), str(lines[-1].number)) if lines and parts > 1 else "",
            "older": addresses.round_page(season_number, round_ - 1) if round_ > 1 else None,
            "newer": addresses.round_page(season_number, round_ + 1) if newer else None,
            "parts": tuple(
                (f"Part {each}", addresses.round_page(season_number, round_, each)) for each in range(1, parts + 1)
            )
            if parts > 1
            else (),
            "blocks": tuple(match_block(season_number, line, profiles) for line in lines),
        },
    )


def _rounds(lines: Sequence[MatchLine]) -> str:
    """The rounds that they are of: `3–7`."""
    rounds = [line.round for line in lines]
    return interval(str(min(rounds)), str(max(rounds))) if rounds else ""
