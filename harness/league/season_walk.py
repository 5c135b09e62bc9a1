"""One walk over a season's lines, which holds what the next line has to agree with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from harness.errors import ReplayError
from harness.game import commitment
from harness.league.formats import FORMATS, format_named
from harness.league.formats.format import size_of_round
from harness.league.season_header import SeasonTerms, season_terms
from harness.league.season_line import StatedSeed, Stop, TakenLine, place_of
from harness.protocol import Chains, MatchName, read_season_line, visible
from harness.ratings import MatchRanks, match_ranks
from harness.referee import verify_record

__all__ = ["SeasonWalk"]


_DIVISIONS = "divisions"
"""The format that keeps divisions apart."""

_ADDED = ("heads", "ratings", "official")
"""What an older harness did not write into the footer."""


class SeasonWalk:
    """Where the walk stands: `round` and `number` are those of the last match that had its line, 0 before any.

    Of a line it keeps what the footer is held against: of a record its match, seats, seed, ranks and head, less than a
    kilobyte.
    """

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.terms: SeasonTerms | None = None
        self.footer: dict[str, Any] | None = None
        self.chains = Chains()
        self.first_entries: list[tuple[str, str]] | None = None
        self.entries: dict[str, str] = {}
        self.newest: dict[str, str] = {}  # by bot, whether or not it still plays
        self.entries_round = 0
        self._due: tuple[tuple[int, int], int] | None = None
        self.round = 0
        self.number = 0
        self.records = 0
        self.lines: list[TakenLine] = []
        self.seeds: list[StatedSeed] = []
        self.matches: dict[int, MatchRanks] = {}  # by number of line, those voided later too
        self.recorded: set[tuple[int, int]] = set()
        self.voided: set[tuple[int, int]] = set()
        self._seats: dict[tuple[str, str], tuple[str, str]] = {}  # each bot and version once in memory

    @property
    def rounds_played(self) -> int:
        """Rounds with a line of a match."""
        return self.round

    @property
    def counting(self) -> list[tuple[int, MatchRanks]]:
        """Line and ranks of each match that counts, in canonical order."""
        voided = {line.match for line in self.lines if line.field == "void"}
        return [(line, match) for line, match in self.matches.items() if match.match not in voided]

    def take(self, line_number: int, line: bytes, source: str) -> None:
        """Check the next line; Stop names the first thing in it that can't be."""
        place = place_of(line_number)
        if self.footer is not None:
            what = "stands after the footer" if line.strip() else "an empty line after the footer"
            raise Stop(place, f"{what}, which is the last line of a season")
        try:
            kind, data = read_season_line(line, source)
        except ReplayError as error:
            raise Stop(place, error.sentence.removeprefix(f"{source}: ")) from error
        if (kind == "header") != (line_number == 1):
            raise Stop(place, "a season begins with its header" if line_number == 1 else "a second header")
        if kind == "header":
            self.take_header(place, data)
        elif kind == "entries":
            self.take_entries(place, data)
        elif kind == "void":
            self.take_void(place, data)
        elif kind == "record":
            self.take_record(line_number, data)
        else:
            self.take_footer(place, data)

    def take_header(self, place: str, header: dict[str, Any]) -> None:
        """What the season is played with."""
        try:
            self.terms = season_terms(header)
        except ValueError as error:
            raise Stop(place, str(error)) from error
        self.header = header
        self.chains.start(header)
        self._taken("header")

    def take_entries(self, place: str, line: dict[str, Any]) -> None:
        """Who plays from a round on; the line stands before that round's first match."""
        entries = [(bot, version) for bot, version in line["entries"]]
        due = self.round + 1
        if line["round"] != due:
            raise Stop(place, f"round: {line['round']}; entries that change stand at the opening of round {due}")
        if self.entries_round == due:
            raise Stop(place, f"round: the entries of round {due} stand in a line before")
        self.check_round_is_whole(place)
        if entries != sorted(entries):
            raise Stop(place, "entries: not sorted by bot and version")
        found: dict[str, str] = {}
        for i, (bot, version) in enumerate(entries):
            if bot in found:
                raise Stop(place, f"entries[{i}]: {bot!r} stands there twice")
            found[bot] = version
        if found == self.entries:
            raise Stop(place, f"entries: the same as before round {due}; only a change has a line")
        if self.first_entries is None:
            self.first_entries = entries
        self.entries = found
        self.newest.update(found)
        self.entries_round = due
        self.chains.add_line(line)
        self._taken("entries")

    def take_void(self, place: str, line: dict[str, Any]) -> None:
        """A match that counts no more: later than its record, or in its place."""
        name = line["void"]
        try:
            match = MatchName.parse(name)
        except ValueError:
            match = None
        if match is None or (match.league, match.season) != (self.header["league"], self.header["season"]):
            raise Stop(
                place,
                f"void: {visible(name, 80)!r} is no match of {self.header['league']}/{self.header['season']}",
            )
        where = (match.round, match.number)
        place = f"{place} ({name})"
        if where in self.voided:
            raise Stop(place, f"void: {name} is voided by a line before")
        if where not in self.recorded:
            self.advance(place, "void", *where)
        self.voided.add(where)
        self.chains.add_line(line)
        self._taken("void", name)

    def take_record(self, line: int, record: dict[str, Any]) -> None:
        """A match that was played."""
        place = place_of(line, record["match"])
        fixture = record.get("fixture")
        if fixture is None:
            raise Stop(place, "fixture: missing; a record of a season has one")
        for field in ("league", "season"):
            if fixture[field] != self.header[field]:
                raise Stop(place, f"fixture.{field}: {fixture[field]!r}; the header says {self.header[field]!r}")
        where = (fixture["round"], fixture["number"])
        self.advance(place, "fixture", *where)
        size = size_of_round(self.header["seats"], self.round)
        if len(record["seats"]) != size:
            raise Stop(place, f"seats: {len(record['seats'])}; round {self.round} is played at tables of {size}")
        for i, seat in enumerate(record["seats"]):
            version = self.entries.get(seat["bot"])
            if version is None:
                raise Stop(place, f"seats[{i}].bot: {seat['bot']!r} is not entered in round {self.round}")
            if version != seat["version"]:
                raise Stop(place, f"seats[{i}].version: {seat['version']}; {seat['bot']!r} is entered with {version}")
        self.check_divisions(place, [seat["bot"] for seat in record["seats"]])
        for field in ("edition", "limits"):
            if record[field] != self.header[field]:
                raise Stop(place, f"{field}: not that of the header")
        if len(record["games"]) != self.header["games"]:
            raise Stop(place, f"games: {len(record['games'])}; the header says {self.header['games']}")
        # Before the record itself: with another seed there is another deck, and hardly a turn that can be.
        self.seeds.append(StatedSeed(line, record["match"], *where, record["seed"]))
        problem = verify_record(record)
        if problem is not None:
            raise Stop(place, str(problem))
        self.records += 1
        self.recorded.add(where)
        ranks = match_ranks(record)
        seats = tuple(self._seats.setdefault(seat, seat) for seat in ranks.seats)
        self.matches[line] = MatchRanks(ranks.match, ranks.round, ranks.seed, seats, ranks.ranks)
        self.chains.add_record(record["outcome"], record["digest"])
        self._taken("outcome", record["match"])

    def check_divisions(self, place: str, bots: list[str]) -> None:
        """Under the format `divisions`, bots of two divisions sit together only with one that is in none.

        One whose division has too few members entered to fill a table of its own counts as in none.
        """
        divisions = self.divisions
        if not divisions or self.header["pairing"] != _DIVISIONS:
            return
        members = Counter(divisions.get(bot, 0) for bot in self.entries)
        of = [divisions.get(bot, 0) for bot in bots]
        if any(not division or members[division] < len(bots) for division in of):
            return
        for i, division in enumerate(of):
            if division != of[0]:
                raise Stop(
                    place,
                    f"seats[{i}].bot: {bots[i]!r} of division {division} sits with {bots[0]!r} of division {of[0]}; "
                    "divisions meet only where a bot that is in none plays",
                )

    @property
    def divisions(self) -> Mapping[str, int]:
        """By bot its division, of those that are in one."""
        return {} if self.terms is None else self.terms.divisions

    def _taken(self, field: str, match: str = "") -> None:
        self.lines.append(TakenLine(field, match, self.chains.short))

    def take_footer(self, place: str, footer: dict[str, Any]) -> None:
        """The heads of both chains and, once the season is over, its secret."""
        self.footer = footer
        secret = footer.get("secret")
        if secret is not None and commitment(secret) != self.header["commitment"]:
            raise Stop(
                place,
                f"secret: its SHA-256 is {commitment(secret)}; the header commits to {self.header['commitment']}",
            )
        if secret is None and "official" in footer:
            raise Stop(place, "official: a table of a season that is not over; without a secret there is none")
        if secret is not None and "heads" in footer:
            # Older ones may have ended within a round.
            self.check_round_is_whole(place)
        for name, head in (("results", self.chains.results), ("evidence", self.chains.evidence)):
            if footer[name] != head:
                raise Stop(place, f"{name}: {footer[name]}; the chain over the lines ends at {head}")

    def end(self, lines: int) -> None:
        """After the last line."""
        if not lines:
            raise Stop("line 1", "an empty file is no season")
        if self.footer is None:
            raise Stop(f"line {lines}", "the file ends without a footer; it was cut, so fetch it again")

    def advance(self, place: str, field: str, round_: int, number: int) -> None:
        """Move on to a match that must be the next one: of this round, or the first of the round after."""
        if not self.entries:
            raise Stop(place, f"{field}: a match before the entries of round 1")
        if (round_, number) == (self.round, self.number + 1) and self.entries_round <= self.round:
            due = self.due()
            if due is not None and number > due:
                raise Stop(place, f"{field}: number {number} of a round that has {due} matches")
        elif (round_, number) == (self.round + 1, 1):
            self.check_round_is_whole(place)
        else:
            inside = f"{self.round}/{self.number + 1} or " if self.round and self.entries_round <= self.round else ""
            raise Stop(
                place, f"{field}: {round_}/{number} is out of order; round/number is {inside}{self.round + 1}/1 next"
            )
        self.round, self.number = round_, number

    def due(self) -> int | None:
        """How many matches this round has with the bots now entered; None for a format that is not known here."""
        pairing = self.header["pairing"]
        if pairing not in FORMATS:
            return None
        # Once a round: a format looks at all its bots, and there may be as many as a file has room for.
        of = (self.round, self.entries_round)
        if self._due is None or self._due[0] != of:
            size = size_of_round(self.header["seats"], self.round)
            self._due = (of, format_named(pairing).matches(self.entries, size, self.divisions))
        return self._due[1]

    def check_round_is_whole(self, place: str) -> None:
        """Before the next round begins, the last one has all its matches."""
        # Entries that have a line already are those of the round to come; they were checked against it then.
        if not self.round or self.entries_round > self.round:
            return
        due = self.due()
        if due is not None and self.number < due:
            raise Stop(place, f"round {self.round} has {self.number} of its {due} matches before this line")

    def unchecked(self) -> list[str]:
        """What could not be checked, a sentence each."""
        found: list[str] = []
        if self.footer is not None and self.footer.get("secret") is None:
            found.append(
                "the season still runs: its commitment and the seeds of its fixtures can be checked only when its "
                "secret is published at the end"
            )
        due = self.due() if self.round and self.entries_round <= self.round else None
        if self.footer is not None and due is not None and self.number < due:
            found.append(
                f"the season stops within round {self.round}, after {self.number} of its {due} matches: whether more "
                "were played can't be told"
            )
        if self.header and self.header["pairing"] not in FORMATS:
            pairing = visible(self.header["pairing"], 40)
            found.append(f"the pairing {pairing!r} is not known here: how many matches a round has was not checked")
        if self.footer is not None:
            due_fields = _ADDED if "secret" in self.footer else _ADDED[:-1]
            missing = [field for field in due_fields if field not in self.footer]
            if missing:
                found.append(f"the footer has no {' and no '.join(missing)}, so nothing was held against them")
        return found
