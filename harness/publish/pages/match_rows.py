"""Matches as rows of a table: seat by seat, or from the side of one of its bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.protocol import visible
from harness.publish.addresses import match_address
from harness.publish.render import fixed, plural
from harness.publish.site_facts import BotProfile, MatchLine
from harness.publish.words import NO_BREAK, share_cell
from harness.ratings import WHOLE_WIN

__all__ = ["BotMatch", "MatchBlock", "Opponent", "SeatRow", "bot_match", "match_block", "profile_of"]

TITLE_LIMIT = 80
"""Characters shown of a title."""

KIND_LIMIT = 40
"""Characters shown of a kind of fault."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a match; figures as shown. `best`: nobody there won more; `own`: whose page it is.

    Of the bot it holds no more than is shown, so that a list of old matches stays as it is when a new version comes.
    """

    seat: int
    bot: str
    title: str
    points: str
    mean_rank: str
    won: str
    best: bool
    own: bool
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchBlock:
    """A match with all its seats; `address` is from the site's folder."""

    name: str
    address: str
    games: str
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sat there too, and the points of a game that it made."""

    bot: str
    points: str


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match from the side of one bot; `faults` are its own."""

    name: str
    address: str
    points: str
    mean_rank: str
    won: str
    opponents: tuple[Opponent, ...]
    faults: tuple[str, ...]


def profile_of(profiles: Mapping[str, BotProfile], bot: str) -> BotProfile:
    """The bot's profile; a bare one where it has none."""
    return profiles.get(bot) or BotProfile(bot, "", "", "", "")


def match_block(
    season: int, line: MatchLine, profiles: Mapping[str, BotProfile], *, own: str = "", with_round: bool = False
) -> MatchBlock:
    """The match with all its seats. `with_round`: its name tells the round too."""
    most = max(line.win_parts, default=0)
    return MatchBlock(
        name=_name(line) if with_round else f"Match {line.number}",
        address=match_address(season, line.round, line.number),
        games=plural(line.games, "game", "games"),
        seats=tuple(
            SeatRow(
                seat=seat,
                bot=bot,
                title=_title(profiles, bot, own),
                points=_mean(line.points[seat], line.games, 1),
                mean_rank=_mean(line.ranks[seat], line.games, 2),
                won=_won(line, seat),
                best=0 < most == line.win_parts[seat],
                own=bot == own,
                faults=_faults(line, seat),
            )
            for seat, bot in enumerate(line.bots)
        ),
    )


def bot_match(season: int, line: MatchLine, bot: str) -> BotMatch:
    """The match from the side of `bot`, which sits there."""
    seat = line.bots.index(bot)
    return BotMatch(
        name=_name(line),
        address=match_address(season, line.round, line.number),
        points=_mean(line.points[seat], line.games, 1),
        mean_rank=_mean(line.ranks[seat], line.games, 2),
        won=_won(line, seat),
        opponents=tuple(
            Opponent(other, _mean(line.points[place], line.games, 1))
            for place, other in enumerate(line.bots)
            if place != seat
        ),
        faults=_faults(line, seat),
    )


def _title(profiles: Mapping[str, BotProfile], bot: str, own: str) -> str:
    """The title where it says more than the id; a list of a bot's own matches does not repeat it."""
    title = profile_of(profiles, bot).title
    return "" if bot in (title, own) else visible(title, TITLE_LIMIT)


def _name(line: MatchLine) -> str:
    return f"Round{NO_BREAK}{line.round}, match{NO_BREAK}{line.number}"


def _mean(total: int, games: int, digits: int) -> str:
    return fixed(total / games, digits) if games else "0"


def _won(line: MatchLine, seat: int) -> str:
    return share_cell(line.win_parts[seat] / (WHOLE_WIN * line.games) if line.games else 0.0, line.games)


def _faults(line: MatchLine, seat: int) -> tuple[str, ...]:
    return tuple(visible(kind, KIND_LIMIT) for place, kind in line.faults if place == seat)
