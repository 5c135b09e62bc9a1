"""Authors with several bots, which a format keeps apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from harness.league.entrant import Entrant

__all__ = ["apart_keys", "author_key", "pairs_apart", "several_by_author"]


def author_key(author: str | None) -> str | None:
    """What two spellings of one author have in common; None for nobody."""
    # Authors are free text: one who writes their name twice, a little differently, is still one.
    return " ".join((author or "").split()).casefold() or None


def several_by_author(entrants: Iterable[Entrant], options: Mapping[str, Any]) -> dict[str, list[str]]:
    """Authors with more than one bot and the ids of those, sorted; none of them under the option `same_author`."""
    found: dict[str, list[str]] = {}
    if not options.get("same_author", False):
        for entrant in sorted(entrants, key=lambda entrant: entrant.id):
            author = author_key(entrant.author)
            if author is not None:
                found.setdefault(author, []).append(entrant.id)
    return {author: ids for author, ids in found.items() if len(ids) > 1}


def apart_keys(entrants: Iterable[Entrant], options: Mapping[str, Any]) -> dict[str, str]:
    """By bot, whom it is kept apart from: two with one key don't meet. One kept apart from nobody is its own."""
    entered = list(entrants)
    several = several_by_author(entered, options)
    keys = {entrant.id: author_key(entrant.author) for entrant in entered}
    # An author may be called like a bot.
    return {bot: f"by {key}" if key is not None and key in several else bot for bot, key in keys.items()}


def pairs_apart(entrants: Iterable[Entrant], options: Mapping[str, Any]) -> frozenset[frozenset[str]]:
    """The pairs of bots by one author, none under the option `same_author`."""
    several = several_by_author(entrants, options)
    return frozenset(frozenset(pair) for ids in several.values() for pair in combinations(ids, 2))
