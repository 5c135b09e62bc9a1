"""A season in sentences: what it is, and how far it is."""

from __future__ import annotations

from harness.protocol import visible
from harness.publish.pages.parameter_words import division_count, how_it_pairs
from harness.publish.render import number, plural
from harness.publish.site_facts import SeasonFacts
from harness.publish.words import in_words, table_sizes

__all__ = ["progress", "what_it_is"]


def what_it_is(season: SeasonFacts) -> str:
    """A season in two sentences: kind, field, tables, games, edition, and how it pairs."""
    config = season.config
    divisions = division_count(season)
    kind = "A practice season" if season.practice else "A season"
    bots = len(season.profiles)
    field = f"{in_words(bots)} {'bot' if bots == 1 else 'bots'}" if bots else "bots yet to come"
    parts = f" in {in_words(divisions)} divisions" if divisions > 1 else ""
    games = config["games"]
    match = f"{in_words(games)} {'game' if games == 1 else 'games'} a match"
    edition = visible(str(season.edition["name"]), 40)
    return (
        f"{kind} of {field}{parts}, at {table_sizes(config['seats'])}, {match}, with the cards of {edition}. "
        f"{how_it_pairs(season)}"
    )


def progress(season: SeasonFacts) -> str:
    """How far it is."""
    over, planned = len(season.rounds), season.rounds_planned
    played = f"{plural(season.matches, 'match', 'matches')}, {plural(season.games, 'game', 'games')}"
    if season.state == "ended":
        if over < planned:
            return f"It ended after {number(over)} of at most {plural(planned, 'round', 'rounds')}: {played}."
        return (
            f"All its {plural(planned, 'round', 'rounds')} are over: {played}." if planned != 1 else f"Over: {played}."
        )
    if not over:
        return f"No round is over yet; {number(planned)} {'is' if planned == 1 else 'are'} planned."
    verb = "is" if over == 1 else "are"
    return f"{number(over)} of {plural(planned, 'round', 'rounds')} {verb} over: {played}."
