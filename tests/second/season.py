"""Checks a `tacora-season/1` file by the second implementation: records, order, seeds, chains, heads and ratings."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.second.ratings import ratings_after
from tests.second.replay import Record, hash_of, names, problems
from tests.second.rules import shake

Line = dict[str, Any]

HEADER = names("format league season edition pairing seats games limits rating commitment")
RATING = names("mu sigma beta tau draw")
DECIMAL = re.compile(r"\d+(\.\d+)?")
# What a season has only where there is some, and what older files have not.
MORE_OF_HEADER = names("anchors divisions starts")
MORE_OF_FOOTER = names("secret heads ratings platform official")

CLOSE = 1e-6
"""How far two programs may be apart in a rating."""


def check_season_file(path: Path) -> list[Line]:
    """The lines of a season file, plain or gzip; fails where the file has a problem."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8")
    assert text.endswith("\n"), f"{path}: the last line has no end"
    lines = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    found = season_problems(lines)
    assert not found, f"{path}: " + "; ".join(found)
    return lines


def is_record(line: Line) -> bool:
    return line.get("format") == "tacora-replay/1"


def season_problems(lines: Sequence[Line]) -> list[str]:
    """All that is wrong with a season; of one whose header or footer has a wrong shape only that."""
    found = [*_ends(lines)]
    if found:
        return found
    header, *body, footer = lines
    season = _Season(header, footer.get("secret"))
    for number, line in enumerate(body, start=2):
        found += [f"line {number}: {problem}" for problem in season.line(line)]
    found += season.gaps()
    results = evidence = hash_of(header)
    for line in body:
        results = _link(results, line["outcome"] if is_record(line) else hash_of(line))
        evidence = _link(evidence, line["digest"] if is_record(line) else hash_of(line))
    if footer["results"] != results:
        found.append(f"results: {footer['results']}, not {results}")
    if footer["evidence"] != evidence:
        found.append(f"evidence: {footer['evidence']}, not {evidence}")
    return found or [*_claims(lines)]


def _claims(lines: Sequence[Line]) -> Iterator[str]:
    """What is wrong with what a footer adds, in a season that is right otherwise."""
    header, *body, footer = lines
    if "heads" in footer:
        results = evidence = hash_of(header)
        due = [results[:16] + evidence[:16]]
        for line in body:
            results = _link(results, line["outcome"] if is_record(line) else hash_of(line))
            evidence = _link(evidence, line["digest"] if is_record(line) else hash_of(line))
            due.append(results[:16] + evidence[:16])
        if footer["heads"] != due:
            yield "heads: not those of the chains"
    if "ratings" in footer:
        stated = [[(float(mu), float(sigma)) for mu, sigma in seats] for seats in footer["ratings"]]
        history = ratings_after(lines)
        if [len(seats) for seats in stated] != [len(seats) for seats in history]:
            yield "ratings: of other matches than those that count"
        elif any(
            abs(one - other) > CLOSE
            for said, found in zip(stated, history, strict=True)
            for pair, again in zip(said, found, strict=True)
            for one, other in zip(pair, again, strict=True)
        ):
            yield "ratings: rated again they are others"
    if "official" in footer:
        yield from _table(header, body, footer["official"])


def _table(header: Line, body: Sequence[Line], table: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Strengths are an estimate with a test of its own; here is what must hold of any such table."""
    voided = {line["void"] for line in body if "void" in line}
    games: Counter[tuple[str, str]] = Counter()
    for record in body:
        if is_record(record) and record["match"] not in voided:
            games.update({(seat["bot"], seat["version"]): len(record["games"]) for seat in record["seats"]})
    if {(bot, version) for bot, version, *_ in table} != set(games) or len(table) != len(games):
        yield "official: not a line for each version that played"
    division_of = {bot: i for i, bots in enumerate(header.get("divisions", []), start=1) for bot in bots}
    ranks = []
    for bot, version, division, played, strength, low, high, rank, rank_low, rank_high in table:
        if not 0 <= played <= games[bot, version] or division != division_of.get(bot, 0):
            yield f"official: {bot} with {played} games in division {division}"
        if not float(low) <= float(strength) <= float(high):
            yield f"official: {bot} is at {strength}, not within {low} to {high}"
        if rank is None:
            if (rank_low, rank_high) != (None, None):
                yield f"official: {bot} has no rank and yet its bounds"
        else:
            ranks.append(rank)
            if not rank_low <= rank <= rank_high:
                yield f"official: {bot} is on rank {rank}, not within {rank_low} to {rank_high}"
    if ranks != list(range(1, len(ranks) + 1)):
        yield f"official: ranks {ranks}"


def _commitment(secret: object) -> str:
    return hashlib.sha256(str(secret).encode("utf-8")).hexdigest()


def _link(chain: str, line: str) -> str:
    return hashlib.sha256((chain + line).encode("ascii")).hexdigest()


def _ends(lines: Sequence[Line]) -> Iterator[str]:
    if len(lines) < 2:
        yield f"{len(lines)} lines"
        return
    header, footer = lines[0], lines[-1]
    if set(header) - MORE_OF_HEADER != HEADER or header["format"] != "tacora-season/1":
        yield f"header: {sorted(header)}"
    elif set(header["rating"]) != RATING or not all(DECIMAL.fullmatch(value) for value in header["rating"].values()):
        yield f"header: rating {header['rating']}"
    else:
        yield from _brought(header)
    if set(footer) - MORE_OF_FOOTER != {"results", "evidence"}:
        yield f"footer: {sorted(footer)}"
    elif "secret" in footer and _commitment(footer["secret"]) != header.get("commitment"):
        yield "footer: the secret is not the one that the header commits to"


def _brought(header: Line) -> Iterator[str]:
    divisions, starts = header.get("divisions", []), header.get("starts", [])
    lists = [header.get("anchors", []), *divisions, [bot for bot, *_ in starts]]
    if any(one >= other for bots in lists for one, other in pairwise(bots)) or not all(divisions):
        yield "header: bots out of order"
    if len({bot for bots in divisions for bot in bots}) < sum(map(len, divisions)):
        yield "header: a bot in two divisions"
    if not all(float(sigma) > 0 for *_, sigma in starts):
        yield "header: a start without doubt"


class _Season:
    """What the lines so far came to."""

    def __init__(self, header: Line, secret: str | None) -> None:
        self.header = header
        self.secret = secret
        self.seed: str | None = None
        self.entries: list[list[str]] = []
        self.last = (0, 0)
        self.voided: set[tuple[int, int]] = set()
        self.places: set[tuple[int, int]] = set()

    def line(self, line: Line) -> Iterator[str]:
        if is_record(line):
            found = problems(line)
            yield from found or self._record(line)
        elif "entries" in line:
            yield from self._entries(line)
        elif "void" in line:
            yield from self._void(line)
        else:
            yield f"neither record nor entries nor void: {sorted(line)}"

    def gaps(self) -> Iterator[str]:
        """The matches of a round are numbered without a gap."""
        for round_ in {place[0] for place in self.places}:
            numbers = sorted(number for at, number in self.places if at == round_)
            if numbers != list(range(1, len(numbers) + 1)):
                yield f"round {round_}: numbers {numbers}"

    def _record(self, record: Record) -> Iterator[str]:
        fixture, header = record.get("fixture"), self.header
        if fixture is None:
            yield "a match outside a season"
            return
        round_, number = fixture["round"], fixture["number"]
        if (fixture["league"], fixture["season"]) != (header["league"], header["season"]):
            yield f"of another season: {fixture}"
        yield from self._goes_on((round_, number))
        if (record["edition"], record["limits"]) != (header["edition"], header["limits"]):
            yield "edition or limits are not those of the header"
        if len(record["games"]) != header["games"]:
            yield f"{len(record['games'])} games"
        if len(record["seats"]) != header["seats"][(round_ - 1) % len(header["seats"])]:
            yield f"{len(record['seats'])} seats in round {round_}"
        if len({seat["bot"] for seat in record["seats"]}) < len(record["seats"]):
            yield "a bot sits twice at the table"
        for seat in record["seats"]:
            if [seat["bot"], seat["version"]] not in self.entries:
                yield f"not entered: {seat}"
        if self.seed is not None:
            due = shake(f"match/s{header['season']}/r{round_}/n{number}/{self.seed}", 16).hex()
            if record["seed"] != due:
                yield f"seed: {record['seed']}, not {due}"

    def _goes_on(self, place: tuple[int, int]) -> Iterator[str]:
        if place <= self.last or place[0] > self.last[0] + 1:
            yield f"{place} after {self.last}"
        self.last = place
        self.places.add(place)

    def _entries(self, line: Line) -> Iterator[str]:
        if set(line) != {"round", "entries"} or line["entries"] != sorted(line["entries"]):
            yield f"entries: {line}"
        if line["round"] != self.last[0] + 1:
            yield f"entries of round {line['round']} after {self.last}"
        if line["entries"] == self.entries:
            yield "entries that have not changed"
        if self.seed is None and self.secret is not None:
            self.seed = shake(f"season/{self.secret}/{hash_of(line['entries'])}", 16).hex()
        self.entries = line["entries"]

    def _void(self, line: Line) -> Iterator[str]:
        """A void names a match that stands before it, or stands in the place of one that was not played."""
        head, tail = f"{self.header['league']}/{self.header['season']}/", line["void"].split("/")[2:]
        if set(line) != {"void", "reason"} or line["void"] != head + "/".join(tail) or len(tail) != 2:
            yield f"void: {line}"
            return
        place = (int(tail[0]), int(tail[1]))
        if place in self.voided:
            yield f"void: {place} a second time"
        self.voided.add(place)
        if place not in self.places:
            yield from self._goes_on(place)
