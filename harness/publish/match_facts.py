"""What a site needs of a record beside the record itself: its line in lists, and how its bots left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.game import GameState, begin_expedition, edition_from_json, new_game, step
from harness.publish.site_facts import MatchLine, Style, StyleBar
from harness.ratings import seat_totals

__all__ = ["DANGER", "INSIDE", "POCKET", "StyleCounts", "match_line", "style_counts", "style_of"]

POCKET = (0, 3, 6, 9, 12, 16, 21)
"""Where the bars of the pocket begin, in points; the last has no end."""

DANGER = (0, 5, 10, 15, 20, 25, 30)
"""Where the bars of danger begin, in whole per cent of face-down cards that end the expedition; the last has no end."""

INSIDE = (1, 2, 3, 4, 5, 6, 7, 8)
"""The bars of explorers inside."""

_MOST_POCKET, _MOST_DANGER = 40, 50
"""From here on one value is as good as the next for a threshold."""

_PARTS = (range(_MOST_POCKET + 1), range(_MOST_DANGER + 1), INSIDE)
"""The values that are counted apart: pocket, danger, number inside; the last of the first two has no end."""

_CELLS = sum(map(len, _PARTS))

StyleCounts = list[int]
"""Of one bot: decisions asked a value, pocket, danger and inside in a row, and behind them those to leave."""


def no_counts() -> StyleCounts:
    """Nothing counted yet."""
    return [0] * (2 * _CELLS)


def match_line(record: Mapping[str, Any]) -> MatchLine:
    """The line of a match of a season in lists of matches."""
    totals = seat_totals(record)
    fixture = record["fixture"]
    return MatchLine(
        match=record["match"],
        round=fixture["round"],
        number=fixture["number"],
        games=len(record["games"]),
        bots=tuple(seat["bot"] for seat in record["seats"]),
        points=tuple(one.points for one in totals),
        ranks=tuple(one.ranks for one in totals),
        win_parts=tuple(one.win_parts for one in totals),
        faults=tuple((fault["seat"], fault["kind"]) for fault in record["faults"]),
    )


def style_counts(record: Mapping[str, Any], into: dict[str, StyleCounts]) -> None:
    """Adds to `into`, by bot, the decisions of a record, played again. IllegalStep where they can't be."""
    edition = edition_from_json(record["edition"])
    bots = [seat["bot"] for seat in record["seats"]]
    counts = [into.setdefault(bot, no_counts()) for bot in bots]
    out: list[int] = []
    for number, game in enumerate(record["games"], start=1):
        state = new_game(edition, record["seed"], number, len(bots), out)
        for turns in game["expeditions"]:
            if not turns:
                continue  # all have forfeited, nobody enters
            begin_expedition(state)
            for letters in turns:
                _count(state, letters, counts)
                step(state, letters)
        out = state.forfeited


def _count(state: GameState, letters: str, counts: list[StyleCounts]) -> None:
    """Adds the decisions of one turn, whose question is open."""
    deadly = sum([state.deck_hazards[kind] for kind in state.hazards_up])
    danger = 100 * deadly // state.deck_size if state.deck_size else 0
    cells = (
        min(state.pocket, _MOST_POCKET),
        _MOST_POCKET + 1 + min(danger, _MOST_DANGER),
        _MOST_POCKET + 1 + _MOST_DANGER + 1 + len(state.inside) - 1,
    )
    for seat in state.inside:
        letter = letters[seat]
        if letter == "x":
            continue  # no decision of its own
        of_seat = counts[seat]
        for cell in cells:
            of_seat[cell] += 1
            if letter == "L":
                of_seat[_CELLS + cell] += 1


def style_of(counts: StyleCounts) -> Style:
    """The counts as bars."""
    single: list[tuple[StyleBar, ...]] = []
    cell = 0
    for values in _PARTS:
        part = []
        for value in values:
            endless = values is not INSIDE and value == values[-1]
            part.append(StyleBar(value, None if endless else value, counts[cell], counts[_CELLS + cell]))
            cell += 1
        single.append(tuple(part))
    pocket, danger, inside = single
    return Style(_joined(pocket, POCKET), _joined(danger, DANGER), inside, pocket, danger)


def _joined(single: Sequence[StyleBar], starts: Sequence[int]) -> tuple[StyleBar, ...]:
    """Wider bars that begin at `starts`, the last without an end."""
    bars = []
    for place, low in enumerate(starts):
        high = starts[place + 1] - 1 if place + 1 < len(starts) else None
        held = [bar for bar in single if low <= bar.low and (high is None or bar.low <= high)]
        bars.append(StyleBar(low, high, sum(bar.asked for bar in held), sum(bar.left for bar in held)))
    return tuple(bars)
