"""The page of all seasons, the newest first."""

from __future__ import annotations

from harness.publish import addresses
from harness.publish.page import Page
from harness.publish.site_facts import SeasonSummary
from harness.publish.words import day

__all__ = ["seasons_page"]


def seasons_page(
    seasons: tuple[SeasonSummary, ...],
) -> Page:
    """What became of each of `seasons`."""
    newest_first = tuple(sorted(seasons, key=lambda season: -season.number))
    rows = tuple((season, day(season.begun), day(season.ended)) for season in newest_first)
    return Page(addresses.SEASONS, "seasons.html", {"rows": rows})
