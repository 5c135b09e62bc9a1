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
from harness.league.season_walk import SeasonWalk, Stop
from harness.protocol import MAX_REPLAY, canonical, read_season_line
from harness.referee import Problem

__all__ = ["SeasonReport", "check_season", "read_lines", "write_lines"]

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


def check_season(lines: Iterable[bytes], source: str) -> SeasonReport:
    """Verify a `tacora-season/1` file, given as lines without their ends.

    Checked are: each line's shape; header; canonical order without gaps; entries; that fixture, seats, edition, games
    and limits of each record are the season's; each record, played again; the commitment and the fixtures' seeds, where
    the secret is there; both chains. Which bots met is not, since authors, who may be kept apart, stand in no line.
    ReplayError for what `lines` raises; memory grows by a few words a record.
    """
    walk = SeasonWalk()
    problem: tuple[int, Problem] | None = None
    last = b""
    number = 0
    for number, line in enumerate(lines, 1):
        last = line
        if problem is None:
            try:
                walk.take(number, line, source)
            except Stop as stop:
                problem = (number, stop.problem)
    if problem is None:
        try:
            walk.end(number)
        except Stop as stop:
            problem = (number, stop.problem)
    # Seeds can be told only with the secret, which comes last; a wrong one stands before what stopped the walk.
    wrong_seed = _first_wrong_seed(walk, last)
    found = wrong_seed or (problem[1] if problem is not None else None)
    holds = problem is None
    return SeasonReport(
        problem=found,
        unchecked=tuple(walk.unchecked()),
        records=walk.records,
        voided=len(walk.voided),
        rounds=walk.rounds_played,
        results=walk.chains.results if holds else None,
        evidence=walk.chains.evidence if holds else None,
    )


def _first_wrong_seed(walk: SeasonWalk, last: bytes) -> Problem | None:
    """The first record whose seed is not the season's, by the secret of the last line if that is the committed one."""
    try:
        kind, footer = read_season_line(last, "footer")
    except ReplayError:
        return None
    secret = footer.get("secret") if kind == "footer" else None
    if secret is None or walk.first_entries is None or commitment(secret) != walk.header["commitment"]:
        return None
    seed = season_seed(secret, walk.first_entries)
    for place, round_, number, stated in walk.seeds:
        due = match_seed(seed, walk.header["season"], round_, number)
        if stated != due:
            return Problem(place, f"seed: {stated}; the season's secret and the entries of round 1 give {due}")
    return None
