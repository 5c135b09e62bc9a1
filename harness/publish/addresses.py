"""Where everything stands in the site's folder: paths with "/", relative to it, which people link to."""

from __future__ import annotations

__all__ = [
    "ABOUT",
    "FEED",
    "LADDER",
    "PREVIEW",
    "SEASONS",
    "SITEMAP",
    "VIEWER",
    "bot_feed",
    "bot_page",
    "chart",
    "data_file",
    "ladder_page",
    "match_address",
    "match_list",
    "match_page",
    "pairs_page",
    "root_of",
    "round_page",
    "season_file",
    "season_folder",
    "season_page",
]

LADDER = "index.html"
"""The ladder of the newest season."""

ABOUT = "about.html"
SEASONS = "seasons.html"
VIEWER = "viewer.html"
"""The viewer without a match: a replay file can be dropped on it."""

FEED = "feed.xml"
PREVIEW = "preview.png"
SITEMAP = "sitemap.xml"


def root_of(path: str) -> str:
    """What leads from the page at `path` to the site's folder: "", "../" or "../../"."""
    return "../" * path.count("/")


def season_folder(season: int) -> str:
    """Where all of a season stands."""
    return f"season-{season}"


def season_page(season: int) -> str:
    """The season itself: format, rounds, commitment, how to verify."""
    return f"{season_folder(season)}/index.html"


def season_file(season: int) -> str:
    """The whole season as `tacora-season/1`, there once it is over."""
    return f"{season_folder(season)}/season.jsonl.gz"


def ladder_page(season: int, size: int | None = None) -> str:
    """The ladder of a season, or that of its tables with so many seats."""
    return f"{season_folder(season)}/ladder.html" if size is None else f"{season_folder(season)}/ladder-{size}.html"


def pairs_page(season: int) -> str:
    """Head to head."""
    return f"{season_folder(season)}/pairs.html"


def round_page(season: int, round_: int, part: int = 1) -> str:
    """The matches of a round, thirty a page; `part` counts from 1."""
    return f"{season_folder(season)}/rounds/{round_}{'' if part == 1 else f'-{part}'}.html"


def bot_page(season: int, bot: str) -> str:
    """A bot in a season."""
    return f"{season_folder(season)}/bots/{bot}.html"


def match_list(season: int, bot: str, part: int) -> str:
    """Matches of a bot, the oldest in part 1."""
    return f"{season_folder(season)}/matches/{bot}/{part}.html"


def match_page(season: int) -> str:
    """The page that shows any match of the season, by what stands behind the #."""
    return f"{season_folder(season)}/match.html"


def match_address(season: int, round_: int, number: int, moment: str = "") -> str:
    """A match, or a moment of it such as "g1e3c5": game 1, expedition 3, card 5."""
    return f"{match_page(season)}#r{round_}m{number}{'-' if moment else ''}{moment}"


def chart(season: int, bot: str, name: str, scheme: str) -> str:
    """A chart of a bot's page; `scheme` is light or dark."""
    return f"{season_folder(season)}/charts/{bot}.{name}.{scheme}.svg"


def bot_feed(season: int, bot: str) -> str:
    """What happened to a bot, as Atom."""
    return f"{season_folder(season)}/feeds/{bot}.xml"


def data_file(season: int, name: str) -> str:
    """A file for programs, such as "ladder.csv"."""
    return f"{season_folder(season)}/data/{name}"
