"""What a season's footer claims of the lines before it: their heads, the ratings and the official table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness.errors import HarnessFailure
from harness.league.season_line import place_of
from harness.league.season_walk import SeasonWalk
from harness.protocol import visible
from harness.ratings import MatchRanks, Strength, platform_name
from harness.referee import Problem

__all__ = [
    "MOST_VERSIONS",
    "first_changed_line",
    "first_wrong_rating",
    "first_wrong_strength",
    "platform_note",
    "size_note",
]

_CLOSE = 1e-6
"""How far numbers that another platform computed may be off: each step of a rating rounds its last digit anew."""

_FEW_VERSIONS = 50
"""Up to so many the table itself is quickly computed, and tells more of what is wrong."""

MOST_VERSIONS = 600
"""Versions of an official table that is computed again: with so many it takes some ten seconds."""

_NUMBERS = ("strength", "low", "high")
_BOUNDS = ("rank_low", "rank_high")
_TABLE = ("bot", "version", "division", "games", *_NUMBERS, "rank", *_BOUNDS)


def first_changed_line(walk: SeasonWalk, footer: Mapping[str, Any], line: int) -> tuple[int, Problem] | None:
    """The first line that the footer, which is on line `line`, has another head of; its number and what is wrong.

    Where the walk was stopped, only the lines before are looked at.
    """
    heads: list[str] | None = footer.get("heads")
    if heads is None:
        return None
    taken = [each.head for each in walk.lines]
    pairs = zip(heads, taken, strict=False)
    at = next((i for i, (said, found) in enumerate(pairs) if said != found), None)
    if at is not None:
        here = walk.lines[at]
        place = place_of(at + 1, here.match)
        # A chain never comes back: where it seems to, the head was changed and not the line.
        back = any(said == found for said, found in zip(heads[at + 1 :], taken[at + 1 :], strict=False))
        if back or (at + 1 == len(heads) and _ends_fit(walk, footer)):
            sentence = f"heads[{at}]: {heads[at]}; the chains over {place} come to {taken[at]}, and so do later lines"
            return line, Problem(place_of(line), sentence)
        return at + 1, Problem(place, _what_changed(here.field, heads[at], taken[at]))
    if len(heads) < len(taken) and not _ends_fit(walk, footer):
        extra = walk.lines[len(heads)]
        place = place_of(len(heads) + 1, extra.match)
        sentence = f"{extra.field}: a line beyond the {len(heads)} that the footer has the heads of"
        return len(heads) + 1, Problem(place, sentence)
    if walk.footer is not None and len(heads) != len(taken):
        if len(heads) < len(taken):
            what = f"none of {place_of(len(heads) + 1, walk.lines[len(heads)].match)}"
        else:
            what = f"what stood behind {place_of(len(taken), walk.lines[-1].match)} is missing"
        return line, Problem(place_of(line), f"heads: {len(heads)}, for {len(taken)} lines before it; {what}")
    return None


def _ends_fit(walk: SeasonWalk, footer: Mapping[str, Any]) -> bool:
    return (footer.get("results"), footer.get("evidence")) == (walk.chains.results, walk.chains.evidence)


def _what_changed(field: str, said: str, found: str) -> str:
    """Both chains take a line that is no record alike; of a record the one takes its outcome, the other its digest."""
    half, chain = (slice(None, 16), "results") if said[:16] != found[:16] else (slice(16, None), "evidence")
    if field == "outcome" and chain == "evidence":
        field = "digest"
    return (
        f"{field}: with this line the chain {chain} comes to {found[half]}…; the footer has {said[half]}…: it is not "
        "the line that the season was closed with"
    )


def _other_platform(footer: Mapping[str, Any]) -> str | None:
    """Where the footer's ratings were computed, in a few words; None if that is here, to the bit."""
    stated: str | None = footer.get("platform")
    return None if stated == platform_name() else stated or "a platform that is not named"


def size_note(footer: Mapping[str, Any]) -> str | None:
    """That the official table was not computed again, where it is of too many versions; None where it was."""
    stated: list[Any] = footer.get("official", [])
    if len(stated) <= MOST_VERSIONS:
        return None
    return f"the official table is of {len(stated)} versions; it is computed again up to {MOST_VERSIONS}, and was not"


def platform_note(footer: Mapping[str, Any]) -> str | None:
    """What could not be checked of the footer's numbers since another platform computed them; None where all could."""
    platform = _other_platform(footer)
    if platform is None or ("ratings" not in footer and "official" not in footer):
        return None
    return (
        f"ratings and official table were computed on {visible(platform, 200)}, here is {platform_name()}: they were "
        f"compared to within {_CLOSE}, the intervals of ranks not at all (where the store is, harness re-rate computes "
        "them on one)"
    )


def first_wrong_rating(walk: SeasonWalk, footer: Mapping[str, Any]) -> Problem | None:
    """Rate all matches that count again; the first whose ratings are not those of the footer, which may have none."""
    stated: Sequence[Sequence[tuple[str, str]]] | None = footer.get("ratings")
    if stated is None or walk.terms is None:
        return None
    slack = 0.0 if _other_platform(footer) is None else _CLOSE
    ladder = walk.terms.ladder()
    counting = walk.counting
    for (line, match), seats in zip(counting, stated, strict=False):
        place = place_of(line, match.match)
        try:
            changes = ladder.apply(match)
        except HarnessFailure as error:
            return Problem(place, f"ratings: {error.sentence}")
        if len(seats) != len(changes):
            return Problem(place, f"ratings: of {len(seats)} seats; {len(changes)} sit at this table")
        for i, (change, numbers) in enumerate(zip(changes, seats, strict=True)):
            due = {"mu": change.after.mu, "sigma": change.after.sigma}
            for (name, value), text in zip(due.items(), numbers, strict=True):
                if not abs(float(text) - value) <= slack:
                    return Problem(place, f"seats[{i}].{name}: the footer says {float(text)!r}; rated again {value!r}")
    if len(stated) == len(counting):
        return None
    footer_place = place_of(len(walk.lines) + 1)
    if len(stated) > len(counting):
        return Problem(footer_place, f"ratings: of {len(stated)} matches; {len(counting)} count")
    line, match = counting[len(stated)]
    return Problem(footer_place, f"ratings: of {len(stated)} matches; there is none of {place_of(line, match.match)}")


def first_wrong_strength(walk: SeasonWalk, footer: Mapping[str, Any]) -> Problem | None:
    """Compute the official table again; the first line of the footer's, which may have none, that is another."""
    stated: list[list[Any]] | None = footer.get("official")
    if stated is None or walk.terms is None:
        return None
    place = place_of(len(walk.lines) + 1)
    games: Counter[tuple[str, str]] = Counter()
    for _, match in walk.counting:
        games.update(dict.fromkeys(match.seats, len(match.games)))
    # First what costs nothing: a forger's table may be of any size, and computing one takes the cube of it.
    played = sorted((bot, version, count) for bot, version, _, count, *_ in stated)
    if len(games) > _FEW_VERSIONS and played != sorted((*seat, count) for seat, count in games.items()):
        return Problem(place, f"official: not of the {len(games)} versions that played, with the games of each")
    if len(games) > MOST_VERSIONS:
        return None
    try:
        table = _table(walk)
    except (HarnessFailure, ArithmeticError, ValueError) as error:
        # Parameters and starts out of all proportion, which no league began with.
        return Problem(place, f"official: can't be computed again: {error}")
    exact = _other_platform(footer) is None
    # Strengths are rounded, to a share of β: the last of their digits may have gone the other way, elsewhere by two.
    slack = (1.01 if exact else 2.01) * _CLOSE * 10 ** math.floor(math.log10(walk.terms.parameters.beta))
    for i, (line, due) in enumerate(zip(stated, table, strict=False)):
        for name, said in zip(_TABLE, line, strict=True):
            found = getattr(due, name)
            if name in _NUMBERS:
                said, differs = float(said), not abs(float(said) - found) <= slack
            else:
                # A draw that puts two all but level may part them otherwise by another platform's last digits.
                differs = said != found and (exact or name not in _BOUNDS)
            if differs:
                return Problem(place, f"official[{i}].{name}: {said!r} for {line[0]}; computed again {found!r}")
    if len(stated) != len(table):
        return Problem(place, f"official: {len(stated)} lines; computed again {len(table)}")
    return None


def _table(walk: SeasonWalk) -> list[Strength]:
    # Here, since numpy and scipy come with it: most of what is verified is a record, or has no such table.
    from numpy import errstate

    from harness.ratings import official_table

    assert walk.terms is not None, "a season that holds has a header"
    matches: list[MatchRanks] = [match for _, match in walk.counting]
    # What a forger's numbers lead to is found by what comes out, and nobody shall read warnings about it.
    with errstate(all="ignore"):
        return official_table(
            walk.terms.parameters,
            matches,
            ranked=walk.newest,
            divisions=walk.terms.divisions,
            starts=walk.terms.starts,
            anchors=walk.terms.anchors,
        )
