"""The pages of the site, one noun a file: each function takes facts and gives pages, and writes nothing."""

from __future__ import annotations

from harness.publish.pages.about import about_page
from harness.publish.pages.bot import bot_page
from harness.publish.pages.ladder import front_page, names_file, season_ladders
from harness.publish.pages.match import match_page, viewer_page
from harness.publish.pages.matches import match_list, round_page
from harness.publish.pages.pairs import pairs_page
from harness.publish.pages.season import season_page
from harness.publish.pages.seasons import seasons_page

__all__ = [
    "about_page",
    "bot_page",
    "front_page",
    "match_list",
    "match_page",
    "names_file",
    "pairs_page",
    "round_page",
    "season_ladders",
    "season_page",
    "seasons_page",
    "viewer_page",
]
