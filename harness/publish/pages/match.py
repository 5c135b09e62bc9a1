"""The pages that show replays: one for all matches of a season, and the viewer for files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness import game
from harness.protocol import FAULT_KINDS, ID_PATTERN, MAX_REPLAY, visible
from harness.publish import addresses
from harness.publish.page import Page
from harness.referee import fault_words

__all__ = ["match_page", "replay_index", "viewer_page"]

_TITLE = 80
"""Characters of a bot's title, at most."""

_MOST_GAMES = 10_000
"""Games of a match, at most: as many as `harness play` takes, more than a league's matches have."""

_BOUNDS = {
    "name": game.MAX_NAME,
    "expeditions": game.MAX_EXPEDITIONS,
    "seats": [game.MIN_SEATS, game.MAX_SEATS],
    "games": _MOST_GAMES,
    "cards": game.MAX_CARDS,
    "kinds": game.MAX_KINDS,
    "copies": game.MIN_COPIES,
    "value": game.MAX_VALUE,
    "kind": game.KIND_PATTERN,
    "id": ID_PATTERN,
    "replay_mb": MAX_REPLAY >> 20,
}
"""What a record that can be shown keeps to; patterns are for the whole of a text."""


def match_page(
    season_number: int,
    practice: bool,
    index: Sequence[tuple[int, int, str]],
    names: Mapping[str, str],
    over: bool = False,
) -> Page:
    """The page that shows any match of the season, by what stands behind the # of its address.

    `index` has the round and number of the first match of each shard and the shard's path from the site's folder, in
    canonical order; `names` the titles of bots. `over` says that the season has ended, and so has a file.
    """
    path = addresses.match_page(season_number)
    told = {
        "season": season_number,
        "root": addresses.root_of(path),
        "bots": _beside(path, addresses.bot_page(season_number, "")).removesuffix(".html"),
        "season_page": _beside(path, addresses.season_page(season_number)),
        "index": [list(start) for start in index],
        "names": {bot: visible(title, _TITLE) for bot, title in names.items() if title and title != bot},
    }
    content = {
        "season_number": season_number,
        "practice": practice,
        "over": over,
        "replay_index": replay_index() | told,
    }
    return Page(path, "match.html", content)


def viewer_page() -> Page:
    """The viewer without a match."""
    return Page(addresses.VIEWER, "viewer.html", {"replay_index": replay_index()})


def replay_index() -> dict[str, Any]:
    """What a page tells the viewer where it has no matches of its own."""
    return {
        "season": None,
        "root": "",
        "bots": None,
        "season_page": None,
        "index": [],
        "names": {},
        "bounds": _BOUNDS,
        "words": fault_words(FAULT_KINDS),
    }


def _beside(page: str, target: str) -> str:
    """`target` as seen from a page in the same season's folder."""
    return target.removeprefix(page.rpartition("/")[0] + "/")
