"""The tables of a league file, one reader each: what they may hold and what is wrong with what they hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from harness.bots import SAMPLE_PREFIX, is_sample
from harness.errors import EditionError
from harness.executors import AUTO, backend_names
from harness.game import Edition, built_in, edition_from_json
from harness.league.fields import Fields, Refused, nearest, shown
from harness.league.formats import FORMATS, Format, format_named
from harness.protocol import Limits, visible
from harness.ratings import Parameters
from harness.referee import BOUND_RANGES, DEFAULT_BOUNDS, Bounds
from sandbox import TIERS

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
    "site_url_of",
]

MAX_TEXT = 200
"""Characters of a text at most, such as a seed or an author."""

_ADDRESS = re.compile(r"[A-Za-z0-9\-._~:/\[\]@!$&()*+,;=%]+")
"""What an address is written with (RFC 3986), but for quotes."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One `[[bots]]` of the file: `word` is a path or `sample:NAME`, `name` the id if not the bot's own."""

    word: str
    name: str | None = None
    author: str | None = None
    anchor: bool = False


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """`[sandbox]`: the backend asked for, the tier demanded of it, and whether the organiser vouches for the bots."""

    backend: str = AUTO
    require: str | None = None
    trust_bots: bool = False
    bounds: Bounds = DEFAULT_BOUNDS


def edition_of(league: Fields) -> Edition:
    """A built-in edition by its name, or an edition as an inline table."""
    stated = league.required("edition", 'name one, such as "iello-2016"')
    try:
        if isinstance(stated, str):
            return built_in(stated)
        if isinstance(stated, Mapping):
            return edition_from_json(stated, league.where("edition"))
    except EditionError as error:
        # The game names the field of an inline table itself.
        raise Refused(None if error.place else league.where("edition"), error.sentence) from error
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


def site_url_of(league: Fields) -> str | None:
    """Where the published site stands, with a "/" at the end; None where it is not stated."""
    if "site_url" not in league:
        return None
    stated = league.text("site_url", 4 * MAX_TEXT)
    try:
        parts = urlsplit(stated)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or parts.query or parts.fragment or "@" in parts.netloc or not _ADDRESS.fullmatch(stated):
        raise Refused(
            league.where("site_url"),
            f'{shown(stated)} is no address of a folder; write it as "https://example.org/league/"',
        )
    return stated if stated.endswith("/") else stated + "/"


def bots_of(top: Fields, largest: int) -> tuple[BotEntry, ...]:
    """The `[[bots]]`, at least as many as the largest table seats."""
    entries: list[BotEntry] = []
    named: dict[str, int] = {}
    for i, bot in enumerate(top.tables("bots", ("path", "sample", "name", "author", "anchor"))):
        if ("path" in bot) == ("sample" in bot):
            both = "both `path` and `sample`; keep one" if "path" in bot else "neither `path` nor `sample`; give one"
            raise Refused(bot.place, both)
        word = bot.text("path", 4096) if "path" in bot else SAMPLE_PREFIX + bot.word("sample")
        if is_sample(word) and "path" in bot:
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
    """`[limits]`, in the bounds that the protocol sets; what is not stated has the protocol's default."""
    limits = top.table("limits", tuple(Limits.model_fields))
    for key in limits:
        if type(limits.get(key)) is not int:
            raise limits.wrong(key, limits.get(key), "a whole number")
    try:
        return Limits(**{key: limits.get(key) for key in limits})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or None
        message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        raise Refused(limits.where(field) if field else limits.place, f"{shown(first['input'])} {message}") from error


_BOUNDED = {"files": "files", "open_files": "descriptors", "stderr_kb": "KiB"}


def sandbox_of(top: Fields) -> SandboxChoice:
    """`[sandbox]`."""
    sandbox = top.table("sandbox", ("backend", "require", "trust_bots", *BOUND_RANGES))
    backend = sandbox.text("backend", MAX_TEXT) if "backend" in sandbox else AUTO
    if backend not in backend_names():
        where = sandbox.where("backend")
        raise Refused(where, f"{visible(backend)!r} is no backend; {nearest(backend, backend_names())}")
    require = sandbox.word("require") if "require" in sandbox else None
    if require is not None and require not in TIERS:
        raise Refused(sandbox.where("require"), f"{visible(require)!r} is no tier; {nearest(require, TIERS)}")
    stated = {key: sandbox.whole(key, *BOUND_RANGES[key], what=_BOUNDED[key]) for key in BOUND_RANGES if key in sandbox}
    return SandboxChoice(backend, require, sandbox.flag("trust_bots"), Bounds(**stated))


def rating_of(top: Fields) -> Parameters:
    """`[rating]`, in the bounds that the parameters set."""
    rating = top.table("rating", tuple(field.name for field in fields(Parameters)))
    for key in rating:
        rating.number(key)
    try:
        # As they are written, for the sentence that names one.
        return Parameters(**{key: rating.get(key) for key in rating})
    except ValueError as error:
        raise Refused(None, f"{rating.place}.{error}") from error


def options_of(top: Fields, chosen: Format) -> dict[str, Any]:
    """`[format.NAME]` of the chosen format with its defaults; what is written for other formats is checked too."""
    formats = top.table("format", tuple(FORMATS))
    found: dict[str, Any] = {}
    for name, format_ in FORMATS.items():
        fields = formats.table(name, tuple(format_.options))
        read = {key: option.read(fields, key, chosen=name == chosen.name) for key, option in format_.options.items()}
        if name == chosen.name:
            found = read
    return found
