"""The league file: what an organiser writes, read strictly into a frozen value."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bots import Bot, bot_from_word
from harness.errors import BotError, LeagueFileError
from harness.game import Edition
from harness.league.fields import Fields, Refused
from harness.league.formats import format_named
from harness.league.sections import (
    MAX_TEXT,
    BotEntry,
    SandboxChoice,
    bots_of,
    edition_of,
    format_of,
    limits_of,
    options_of,
    rating_of,
    sandbox_of,
    seats_of,
)
from harness.protocol import Limits, visible
from harness.ratings import Parameters

__all__ = ["BotEntry", "Entrant", "League", "SandboxChoice", "load_league"]

MAX_GAMES = 1000
MAX_ROUNDS = 100_000
MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the league file, loaded; ``author`` is who counts when bots of one author are kept apart."""

    bot: Bot
    id: str
    author: str | None
    anchor: bool


@dataclass(frozen=True, slots=True)
class League:
    """A league file as read. ``seats[(r - 1) % len(seats)]`` is the size of the tables of round r."""

    path: Path
    name: str
    edition: Edition
    format: str
    seats: tuple[int, ...]
    games: int
    rounds: int
    seed: str | None
    publish_stderr: bool
    names_shown: bool
    max_forfeits: int | None
    bots: tuple[BotEntry, ...]
    limits: Limits
    sandbox: SandboxChoice
    rating: Parameters
    format_options: dict[str, Any]

    def load_bots(self) -> tuple[Entrant, ...]:
        """Read every bot of the file; LeagueFileError names the first ``bots[i]`` that can't be used."""
        found: dict[str, int] = {}
        entrants: list[Entrant] = []
        for i, entry in enumerate(self.bots):
            try:
                bot = bot_from_word(entry.word, self.path.parent)
            except BotError as e:
                raise self.refusal(f"bots[{i}]: {e.sentence}") from e
            id_ = entry.name or bot.id
            if id_ in found:
                raise self.refusal(
                    f"bots[{i}]: the id {id_!r} is that of bots[{found[id_]}] too; give one of them another `name`"
                )
            found[id_] = i
            entrants.append(Entrant(bot, id_, author_that_counts(entry, bot), entry.anchor))
        impossible = format_named(self.format).refusal(entrants, self.seats, self.format_options)
        if impossible is not None:
            raise self.refusal(f"bots: {impossible}")
        return tuple(entrants)

    def config(self) -> dict[str, Any]:
        """What must not change during a season, ready for the canonical form.

        The bots are left out, since their versions are the season's entries, and so are ``sandbox.backend`` and
        ``sandbox.trust_bots``: they say what this machine may use, and a season may move to another one.
        """
        return {
            "edition": self.edition.to_json(),
            "format": self.format,
            "format_options": dict(self.format_options),
            "games": self.games,
            "limits": self.limits.to_json(),
            "max_forfeits": self.max_forfeits,
            "name": self.name,
            "names_shown": self.names_shown,
            "publish_stderr": self.publish_stderr,
            "rating": self.rating.to_json(),
            "require": self.sandbox.require,
            "rounds": self.rounds,
            "seats": list(self.seats),
            "seed": self.seed,
        }

    def require_backend(self) -> str:
        """Name of the sandbox backend to run with; LeagueFileError where this league may not run on what there is."""
        if self.sandbox.require not in (None, "bare"):
            raise self.refusal(
                f"sandbox.require: the tier {self.sandbox.require!r} can't be had here, where bots run bare; "
                "take the line out, or run the league where it can"
            )
        if not self.sandbox.trust_bots:
            raise self.refusal(
                "sandbox.trust_bots: no backend that contains bots can be had here, and bare they could do all that "
                "you can; write `trust_bots = true` under [sandbox] if you trust every one of them"
            )
        return "bare"

    def refusal(self, sentence: str) -> LeagueFileError:
        """A LeagueFileError about this file."""
        return LeagueFileError(f"{visible(self.path.name)}: {sentence}")


def author_that_counts(entry: BotEntry, bot: Bot) -> str | None:
    """Who is kept apart: the file's word goes before the bot's; sample bots are the house's and nobody's."""
    stated = entry.author
    if stated is None and not entry.word.startswith("sample:"):
        stated = bot.manifest.author
    return (stated or "").strip() or None


def load_league(path: Path) -> League:
    """Read a league file. LeagueFileError in one sentence: file, field, what to do."""
    name = visible(path.name)
    try:
        return read(path, parse(path))
    except Refused as e:
        raise LeagueFileError(f"{name}: {e.sentence}") from e


def parse(path: Path) -> dict[str, Any]:
    """The file's TOML as Python values."""
    try:
        if path.is_dir():
            raise Refused(None, "this is a folder; name the .toml file in it")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as e:
        raise Refused(None, f"no such file in {str(path.parent)!r}; check the path") from e
    except (OSError, ValueError) as e:
        raise Refused(None, f"can't be read ({getattr(e, 'strerror', None) or e}); check the path") from e
    if len(data) > MAX_BYTES:
        raise Refused(None, "larger than 1 MiB; a league file is a page of TOML")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise Refused(None, f"not UTF-8 in line {line}; save it as UTF-8") from e
    except ValueError as e:  # a TOMLDecodeError, or the interpreter's on an integer of thousands of digits
        raise Refused(None, f"not TOML: {visible(str(e))}") from e
    except RecursionError as e:
        raise Refused(None, "not TOML that can be read: nested too deep") from e


def read(path: Path, data: dict[str, Any]) -> League:
    """A League of parsed TOML."""
    top = Fields(data, None, ("league", "bots", "limits", "sandbox", "rating", "format"))
    league = top.table(
        "league",
        ("name", "edition", "format", "seats", "games", "rounds", "seed", "publish_stderr", "names_shown",
         "max_forfeits"),
        "write a [league] table with name, edition, format, games and rounds",
    )  # fmt: skip
    name = league.word("name")
    edition = edition_of(league)
    format_ = format_of(league)
    seats = seats_of(league, edition)
    return League(
        path=path,
        name=name,
        edition=edition,
        format=format_.name,
        seats=seats,
        games=league.whole("games", 1, MAX_GAMES, what="games a match"),
        rounds=league.whole("rounds", 1, MAX_ROUNDS, what="rounds a season"),
        seed=league.text("seed", MAX_TEXT) if "seed" in league else None,
        publish_stderr=league.flag("publish_stderr"),
        names_shown=league.flag("names_shown"),
        max_forfeits=league.whole("max_forfeits", 1, 10**6, what="forfeits") if "max_forfeits" in league else None,
        bots=bots_of(top, max(seats)),
        limits=limits_of(top),
        sandbox=sandbox_of(top),
        rating=rating_of(top),
        format_options=options_of(top, format_),
    )
