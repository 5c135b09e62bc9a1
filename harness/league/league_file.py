"""The league file: what an organiser writes, read strictly into a frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bots import Bot, bot_from_word, is_sample
from harness.errors import BadInput, BotError, LeagueFileError
from harness.executors import choose_backend
from harness.game import Edition
from harness.league.entrant import LoadedEntrant
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
    site_url_of,
)
from harness.protocol import Limits, NotToml, read_regular, read_toml, visible
from harness.ratings import Parameters
from harness.referee import DEFAULT_BOUNDS
from sandbox import Probe

__all__ = ["League", "author_that_counts", "load_league"]

_MAX_GAMES = 1000
"""Games of a match at most."""

_MAX_ROUNDS = 100_000
"""Rounds of a season at most."""

_MAX_BYTES = 1 << 20
"""Bytes of a league file at most."""


@dataclass(frozen=True, slots=True)
class League:
    """A league file as read. `seats[(r - 1) % len(seats)]` is the size of the tables of round r."""

    path: Path
    name: str
    edition: Edition
    format: str
    seats: tuple[int, ...]
    games: int
    rounds: int
    seed: str | None
    publish_stderr: bool
    site_url: str | None
    names_shown: bool
    max_forfeits: int | None
    bots: tuple[BotEntry, ...]
    limits: Limits
    sandbox: SandboxChoice
    rating: Parameters
    format_options: dict[str, Any]

    def load_bots(self) -> tuple[LoadedEntrant, ...]:
        """Read every bot of the file; LeagueFileError names the first `bots[i]` that can't be used."""
        found: dict[str, int] = {}
        entrants: list[LoadedEntrant] = []
        for i, entry in enumerate(self.bots):
            try:
                bot = bot_from_word(entry.word, self.path.parent)
            except BotError as error:
                raise self.refusal(f"bots[{i}]: {error.sentence}") from error
            id_ = entry.name or bot.id
            if id_ in found:
                raise self.refusal(
                    f"bots[{i}]: the id {id_!r} is that of bots[{found[id_]}] too; give one of them another `name`"
                )
            goal = format_named(self.format).goal(self.format_options)
            if goal is not None and entry.anchor and id_ == goal.bot:
                raise self.refusal(
                    f"bots[{i}].anchor: {id_!r} is the bot that is tried; the scale can't hang on it, so leave it out"
                )
            found[id_] = i
            entrants.append(LoadedEntrant(id_, author_that_counts(entry, bot), bot))
        impossible = format_named(self.format).refusal(entrants, self.seats, self.format_options)
        if impossible is not None:
            raise self.refusal(f"bots: {impossible}")
        return tuple(entrants)

    def config(self) -> dict[str, Any]:
        """What must not change during a season, ready for JSON.

        The bots are left out, since their versions are the season's entries, and so is what changes nothing of what is
        played: `sandbox.backend` and `sandbox.trust_bots`, which say what this machine may use, as a season may move to
        another one, and `publish_stderr` and `site_url`.
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
            "rating": self.rating.to_json(),
            "require": self.sandbox.require,
            # Left out where nothing is stated, as it was before there were any.
            **({"bounds": self.sandbox.bounds.to_json()} if self.sandbox.bounds != DEFAULT_BOUNDS else {}),
            "rounds": self.rounds,
            "seats": list(self.seats),
            "seed": self.seed,
        }

    def require_backend(self) -> Probe:
        """The sandbox backend to run with; LeagueFileError where this league may not run on what there is."""
        asked = self.sandbox
        try:
            return choose_backend(
                asked.backend,
                require=asked.require,
                trusted=asked.trust_bots,
                what="sandbox",
                to_trust="write `trust_bots = true` under [sandbox] if you trust every one of them",
            )
        except BadInput as error:
            raise self.refusal(error.sentence) from error

    def refusal(self, sentence: str) -> LeagueFileError:
        """A LeagueFileError about this file."""
        return LeagueFileError(f"{visible(self.path.name)}: {sentence}")


def author_that_counts(entry: BotEntry, bot: Bot) -> str | None:
    """Who is kept apart: the file's word goes before the bot's; sample bots are the house's and nobody's."""
    stated = entry.author
    if stated is None and not is_sample(entry.word):
        stated = bot.manifest.author
    return (stated or "").strip() or None


def load_league(path: Path) -> League:
    """Read a league file. LeagueFileError in one sentence: file, field, what to do."""
    name = visible(path.name)
    try:
        return _read(path, _parse(path))
    except Refused as error:
        raise LeagueFileError(f"{name}: {error.sentence}") from error


def _parse(path: Path) -> dict[str, Any]:
    """The file's TOML as Python values."""
    try:
        data = read_regular(path, _MAX_BYTES + 1)
    except IsADirectoryError as error:
        raise Refused(None, "is a folder; name the .toml file in it") from error
    except FileNotFoundError as error:
        raise Refused(None, f"no such file in {str(path.parent)!r}; check the path") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or visible(str(error), 200)
        raise Refused(None, f"can't be read ({reason}); name a .toml file that can") from error
    if len(data) > _MAX_BYTES:
        raise Refused(None, "larger than 1 MiB; a league file is a page of TOML")
    try:
        return read_toml(data)
    except NotToml as error:
        raise Refused(None, error.reason) from error


def _read(path: Path, data: dict[str, Any]) -> League:
    """A League of parsed TOML."""
    top = Fields(data, None, ("league", "bots", "limits", "sandbox", "rating", "format"))
    league = top.table(
        "league",
        ("name", "edition", "format", "seats", "games", "rounds", "seed", "publish_stderr", "site_url",
         "names_shown", "max_forfeits"),
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
        games=league.whole("games", 1, _MAX_GAMES, what="games a match"),
        rounds=league.whole("rounds", 1, _MAX_ROUNDS, what="rounds a season"),
        seed=league.text("seed", MAX_TEXT) if "seed" in league else None,
        publish_stderr=league.flag("publish_stderr"),
        site_url=site_url_of(league),
        names_shown=league.flag("names_shown"),
        max_forfeits=league.whole("max_forfeits", 1, 10**6, what="forfeits") if "max_forfeits" in league else None,
        bots=bots_of(top, max(seats)),
        limits=limits_of(top),
        sandbox=sandbox_of(top),
        rating=rating_of(top),
        format_options=options_of(top, format_),
    )
