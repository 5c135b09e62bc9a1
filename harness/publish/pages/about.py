"""The page that tells newcomers all they need: rules, protocol, clock, ratings, verification, how to enter."""

from __future__ import annotations

from harness.game import edition_from_json
from harness.publish import addresses
from harness.publish.page import Page
from harness.publish.pages.parameter_words import how_it_pairs, limit_rows, rating_rows
from harness.publish.pages.worked_example import worked_example
from harness.publish.site_facts import SeasonFacts
from harness.publish.words import listed, table_sizes
from harness.ratings import ENOUGH_GAMES

__all__ = ["about_page"]


def about_page(season: SeasonFacts) -> Page:
    """What stands here follows from the edition, the limits and the ratings' parameters of `season`."""
    edition = edition_from_json(dict(season.edition))
    limits = season.config["limits"]
    seats = tuple(season.config["seats"])
    content = {
        "season": season.number,
        "edition": edition,
        "treasures": listed([str(value) for value in sorted(edition.treasures)]),
        "hazards": [(hazard.kind.replace("-", " "), hazard.copies) for hazard in edition.hazards],
        "relic_values": listed([str(value) for value in edition.relics]),
        "tables": table_sizes(seats),
        "example": worked_example(edition, min(max(seats), 5)),
        "limits": limit_rows(limits),
        "limit": {name: value for name, value, _ in limit_rows(limits)},
        "games": season.config["games"],
        "names_shown": season.config["names_shown"],
        "rating": {name: value for name, value, _ in rating_rows(season.config["rating"])},
        "enough": ENOUGH_GAMES,
        "practice": season.practice,
        "format": season.format,
        "format_words": how_it_pairs(season),
        "anchors": listed(season.anchors),
    }
    return Page(addresses.ABOUT, "about.html", content)
