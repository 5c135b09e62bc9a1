"""The tables of a league file, one reader each: what they may hold and what is wrong with what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from harness.errors import EditionError
from harness.game import Edition, built_in, edition_from_json
from harness.league.fields import Fields, Refused, nearest, shown
from harness.league.formats import FORMATS, Format, format_named
from harness.protocol import Limits, visible
from harness.ratings import Parameters

__all__ = [
    "MAX_TEXT",
    "BotEntry",
    "SandboxChoice",
    "bots_of",
    "edition_of",
    "format_of",
    "limits_of",
    "options_of",
    "rating_of",
    "sandbox_of",
    "seats_of",
]

MAX_TEXT = 200
BACKENDS = ("auto", "bare")
DRAW_BOUNDS = (1e-4, 0.9)  # below, a tie raises the σ of who tied
RATING_CEILING = 1e6  # keeps every intermediate of the update far from overflow


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One ``[[bots]]`` of the file: ``word`` is a path or ``sample:NAME``, ``name`` the id if not the bot's own."""

    word: str
    name: str | None = None
    author: str | None = None
    anchor: bool = False


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """``[sandbox]``: the backend asked for, the tier demanded of it, and whether the organiser vouches for the bots."""

    backend: str = "auto"
    require: str | None = None
    trust_bots: bool = False


def edition_of(league: Fields) -> Edition:
    """A built-in edition by its name, or an edition as an inline table."""
    stated = league.required("edition", 'name one, such as "iello-2016"')
    try:
        if isinstance(stated, str):
            return built_in(stated)
        if isinstance(stated, Mapping):
            return edition_from_json(stated, league.where("edition"))
    except EditionError as e:
        where = league.where("edition")
        # The game names the field of an inline table itself.
        raise Refused(None if e.sentence.startswith(where) else where, e.sentence) from e
    raise league.wrong("edition", stated, "the name of an edition or a table that states one")


def format_of(league: Fields) -> Format:
    """The pairing format asked for."""
    stated = league.text("format", MAX_TEXT)
    if stated not in FORMATS:
        raise Refused(league.where("format"), f"{visible(stated)!r} is no format; {nearest(stated, FORMATS)}")
    return format_named(stated)


def seats_of(league: Fields, edition: Edition) -> tuple[int, ...]:
    """Table sizes, each within the edition's bounds."""
    if "seats" not in league:
        return (4,) if edition.min_seats <= 4 <= edition.max_seats else (edition.min_seats,)
    stated = league.listed("seats", "a list of table sizes such as [4]", 1, 64)
    low, high = edition.min_seats, edition.max_seats
    for i, size in enumerate(stated):
        where = league.where(f"seats[{i}]")
        if type(size) is not int:
            raise Refused(where, f"{shown(size)} is no whole number; write how many seats a table has")
        if not low <= size <= high:
            raise Refused(
                where, f"{shown(size)} seats at a table; edition {visible(edition.name)} takes {low} to {high}"
            )
    return tuple(stated)


def bots_of(top: Fields, largest: int) -> tuple[BotEntry, ...]:
    """The ``[[bots]]``, at least as many as the largest table seats."""
    entries: list[BotEntry] = []
    named: dict[str, int] = {}
    for i, bot in enumerate(top.tables("bots", ("path", "sample", "name", "author", "anchor"))):
        if ("path" in bot) == ("sample" in bot):
            both = "both `path` and `sample`; keep one" if "path" in bot else "neither `path` nor `sample`; give one"
            raise Refused(bot.place, both)
        word = bot.text("path", 4096) if "path" in bot else "sample:" + bot.word("sample")
        if word.startswith("sample:") and "path" in bot:
            raise Refused(bot.where("path"), f"{visible(word)!r} is no path; write it as `sample = ...`")
        name = bot.word("name") if "name" in bot else None
        if name is not None:
            if name in named:
                raise Refused(bot.where("name"), f"{name!r} is the name of bots[{named[name]}] too; change one of them")
            named[name] = i
        author = bot.text("author", MAX_TEXT) if "author" in bot else None
        entries.append(BotEntry(word, name, author, bot.flag("anchor")))
    if len(entries) < largest:
        raise Refused(
            "bots",
            f"{len(entries)} of them, and a table has {largest} seats; add {largest - len(entries)} [[bots]] "
            "or make league.seats smaller",
        )
    return tuple(entries)


def limits_of(top: Fields) -> Limits:
    """``[limits]``, in the bounds that the protocol sets; what is not stated has the protocol's default."""
    limits = top.table("limits", tuple(Limits.model_fields))
    for key in limits:
        if type(limits.get(key)) is not int:
            raise limits.wrong(key, limits.get(key), "a whole number")
    try:
        return Limits(**{key: limits.get(key) for key in limits})
    except ValidationError as e:
        first = e.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or None
        message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        raise Refused(limits.where(field) if field else limits.place, f"{shown(first['input'])} {message}") from e


def sandbox_of(top: Fields) -> SandboxChoice:
    """``[sandbox]``."""
    sandbox = top.table("sandbox", ("backend", "require", "trust_bots"))
    backend = sandbox.text("backend", MAX_TEXT) if "backend" in sandbox else "auto"
    if backend not in BACKENDS:
        where = sandbox.where("backend")
        raise Refused(where, f"{visible(backend)!r} is no backend; {nearest(backend, BACKENDS)}")
    require = sandbox.word("require") if "require" in sandbox else None
    return SandboxChoice(backend, require, sandbox.flag("trust_bots"))


def rating_of(top: Fields) -> Parameters:
    """``[rating]``: all finite; mu, sigma and beta above 0, tau at least 0."""
    fields = ("mu", "sigma", "beta", "tau", "draw")
    rating = top.table("rating", fields)
    stated: dict[str, float] = {}
    for key in fields:
        if key not in rating:
            continue
        value = rating.number(key)
        where, as_written = rating.where(key), shown(rating.get(key))
        if key == "draw" and not DRAW_BOUNDS[0] <= value <= DRAW_BOUNDS[1]:
            raise Refused(where, f"{as_written} must be 0.0001 to 0.9; write the share of pairs that tie, about 0.03")
        if key == "tau" and not 0 <= value <= RATING_CEILING:
            raise Refused(where, f"{as_written} must be 0 or more and at most a million")
        if key in ("mu", "sigma", "beta") and not 0 < value <= RATING_CEILING:
            raise Refused(where, f"{as_written} must be more than 0 and at most a million")
        stated[key] = value
    return Parameters(**stated)


def options_of(top: Fields, chosen: Format) -> dict[str, Any]:
    """``[format.NAME]`` of the chosen format with its defaults; those of other known formats are checked too."""
    formats = top.table("format", tuple(FORMATS))
    found: dict[str, Any] = {}
    for name in FORMATS:
        format_ = format_named(name)
        options = formats.table(name, tuple(format_.defaults))
        read = {key: options.flag(key, default) for key, default in format_.defaults.items()}
        if name == chosen.name:
            found = read
    return found
