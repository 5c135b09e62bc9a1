"""A season as a file: writing its lines, reading them within bounds, and verifying every one of them."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from harness.errors import ReplayError
from harness.game import commitment, match_seed, season_seed
from harness.league.season_footer import (
    first_changed_line,
    first_wrong_rating,
    first_wrong_strength,
    platform_note,
    size_note,
)
from harness.league.season_line import Stop, place_of
from harness.league.season_walk import SeasonWalk
from harness.protocol import MAX_REPLAY, canonical, read_season_line
from harness.referee import Problem

__all__ = ["SeasonReport", "check_season", "read_lines", "write_lines"]

_MOST_LINES = 2_000_000
"""Lines of a season file at most: far more than the heads of all of them would find room for in its footer."""

_GZIP_MAGIC = b"\x1f\x8b"
"""The first bytes of every gzip file, RFC 1952."""


@dataclass(frozen=True, slots=True)
class SeasonReport:
    """What was found in a season file: the first problem, or None, and what could not be checked, a sentence each.

    The problem's place is such as `line 17 (starter/1/2/5)`. `records` counts those that hold, `voided` the matches
    that count no more, `rounds` the rounds with a match. `results` and `evidence` are the heads of the chains over the
    lines, None where a problem stopped them.
    """

    problem: Problem | None
    unchecked: tuple[str, ...]
    records: int
    voided: int
    rounds: int
    results: str | None
    evidence: str | None


def write_lines(lines: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The lines of a season as they stand in its file, each in its canonical form and with its end, as they come."""
    for line in lines:
        yield canonical(line) + b"\n"


def read_lines(file: IO[bytes], source: str) -> Iterator[bytes]:
    """The lines of an open season file, plain or gzip, without their ends.

    A line beyond what a reader takes comes cut, one byte too long, so that it is refused and memory stays bounded.
    ReplayError, which `source` starts, for broken gzip and for a file that can't be read.
    """
    try:
        start = file.read(len(_GZIP_MAGIC))
        file.seek(0)
        stream: IO[bytes] = gzip.GzipFile(fileobj=file) if start == _GZIP_MAGIC else file  # type: ignore[assignment]
        begun = False
        while line := stream.readline(MAX_REPLAY + 3):
            if not begun:
                line, begun = line.removeprefix(codecs.BOM_UTF8), True
            yield line.removesuffix(b"\n").removesuffix(b"\r")
            if len(line) == MAX_REPLAY + 3 and not line.endswith(b"\n"):
                return
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ReplayError(f"{source}: broken gzip ({error}); fetch the file again") from error
    except OSError as error:
        raise ReplayError(f"{source}: can't be read ({error.strerror or error}); check the path") from error


def check_season(
    lines: Iterable[bytes], source: str, *, results: str | None = None, evidence: str | None = None
) -> SeasonReport:
    """Verify a `tacora-season/1` file, given as lines without their ends.

    Checked are: each line's shape; header; canonical order without gaps; entries; that fixture, seats, edition, games
    and limits of each record are the season's, and that divisions are kept apart; each record, played again; the
    commitment and the fixtures' seeds, where the secret is there; both chains and the heads of every line; the ratings
    after every match and the official table, computed again from the matches that count. Which bots met is not, since
    authors, who may be kept apart, stand in no line. `results` and `evidence` are heads that were published, after a
    round or at the end, and must occur in the chains: times and kinds of faults are held by nothing else.

    What the footer claims of lines can be told only behind them all, so memory grows by less than a kilobyte a record,
    for its seats, ranks and head. ReplayError for what `lines` raises.
    """
    walk = SeasonWalk()
    published = {name: head for name, head in (("results", results), ("evidence", evidence)) if head is not None}
    # By line: what stands first is told first, and of one line what says most.
    found: list[tuple[int, Problem]] = []
    stopped = False
    last = b""
    number = 0
    for number, line in enumerate(lines, 1):
        last = line
        if number > _MOST_LINES:
            found.append((number, Problem(place_of(number), f"more than the {_MOST_LINES} lines that a reader takes")))
            break
        if stopped:
            # Only for the secret, which tells wrong seeds before the place where it stopped.
            if walk.footer is not None:
                break
            continue
        try:
            walk.take(number, line, source)
        except Stop as stop:
            found.append((number, stop.problem))
            stopped = True
        published = {name: head for name, head in published.items() if getattr(walk.chains, name) != head}
    if not stopped:
        try:
            walk.end(number)
        except Stop as stop:
            found.append((number, stop.problem))
    footer = walk.footer or _footer(last)
    if footer is not None:
        # Seeds can be told only with the secret, which comes last; a wrong one stands before what stopped the walk.
        found = [
            *_wrong_seeds(walk, footer),
            *filter(None, [first_changed_line(walk, footer, number)]),
            *found,
        ]
    problem = min(found, key=lambda each: each[0])[1] if found else None
    if problem is None and footer is not None:
        problem = (
            first_wrong_rating(walk, footer) or first_wrong_strength(walk, footer) or _not_published(published, number)
        )
    holds = problem is None
    notes = [] if footer is None else [platform_note(footer), size_note(footer)]
    return SeasonReport(
        problem=problem,
        unchecked=(*walk.unchecked(), *filter(None, notes)),
        records=walk.records,
        voided=len(walk.voided),
        rounds=walk.rounds_played,
        results=walk.chains.results if holds else None,
        evidence=walk.chains.evidence if holds else None,
    )


def _footer(last: bytes) -> dict[str, Any] | None:
    try:
        kind, footer = read_season_line(last, "footer")
    except ReplayError:
        return None
    return footer if kind == "footer" else None


def _wrong_seeds(walk: SeasonWalk, footer: dict[str, Any]) -> Iterator[tuple[int, Problem]]:
    """The first record whose seed is not the season's, by the footer's secret if that is the committed one."""
    secret = footer.get("secret")
    if secret is None or walk.first_entries is None or commitment(secret) != walk.header["commitment"]:
        return
    seed = season_seed(secret, walk.first_entries)
    for each in walk.seeds:
        due = match_seed(seed, walk.header["season"], each.round, each.number)
        if each.seed != due:
            sentence = f"seed: {each.seed}; the season's secret and the entries of round 1 give {due}"
            yield each.line, Problem(place_of(each.line, each.match), sentence)
            return


def _not_published(missing: dict[str, str], line: int) -> Problem | None:
    for name, head in missing.items():
        return Problem(
            f"the {line} lines",
            f"{name}: no line of this file brings the chain to {head}; check the digits, and if they are right this is "
            "not the season of which that head was published",
        )
    return None
