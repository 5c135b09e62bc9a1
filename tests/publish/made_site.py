"""Leagues without a bot: seasons of random legal play in a store, with all that can befall a bot, and hostile texts."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.game import commitment, match_seed, season_seed, seed_from_text
from harness.league import League, load_league
from harness.protocol import digest_without
from harness.ratings import Rating, carried_over
from harness.referee import Fixture, Seat
from harness.store import Entry, SeasonRow, Store, VersionRow, open_store
from tests.second.replay import check_record
from tests.store.synthetic import play

LONG = 10_000
"""Characters of the longest texts."""

NOT_YET = "of-an-open-round"
"""Stands in the faults of rounds that are not over."""

PRIVATE = "on-stderr"
"""Stands in what bots write to stderr."""


@dataclass(frozen=True, slots=True)
class MadeBot:
    """What a bot's manifest says."""

    bot: str
    title: str = ""
    author: str = ""
    language: str = "Python"


HOSTILE = (
    MadeBot("markup", "<b>bolder</b><img src=x onerror=alert(1)>", '"><svg onload=alert(2)>', "<i>C</i> &amp; &lt;"),
    MadeBot("script", "</script><script>alert(3)</script>", "'-alert(4)-'", "javascript:alert(5)"),
    MadeBot("style", "</style><style>*{display:none}</style>", "x' style='position:fixed", "]]></title><!--"),
    MadeBot("ansi", "\x1b[31mred\x1b[0m\x07\b\b\b", "\x1b]0;title\x07", "a\r\nb\tc"),
    MadeBot("turned", "abc\u202egnp.exe", "\u2066\u2067left\u2069", "\u200f\u061cMalbolge"),
    MadeBot("unseen", "a\u200bb\ufeffc\u00add", "\u2060\u200d", "\U000e0041\ufe0f"),
    MadeBot("long", "W" * LONG, "wide " * (LONG // 5), "\u202e" * LONG),
    MadeBot("formula", '=HYPERLINK("http://x.invalid","y")', "+1+cmd|' /C calc'!A0", "@SUM(1)"),
    MadeBot("template", "{{ 7 * 7 }}{% raw %}", "${7*7} #{7*7} %s %(x)s {0}", "{# c #}"),
)
"""Bots whose authors try all of it."""

PLAIN = (
    MadeBot("ada", "Ada of the deep", "Grace"),
    MadeBot("bob", "", "Grace", "C"),
    MadeBot("cyd", "Über-Cyd 🪨 水", "أحمد", "JavaScript"),
    MadeBot("dot", "Dot", "", ""),
    MadeBot("eve", "Eve", "Heidi", "Rust"),
    MadeBot("fay", "Fay", "Ivan"),
)
"""Bots of other people."""

RUNNING_OVER = 4
"""The rounds of the running season that are over; one more is open, half of it played."""

SIZES = (3, 4, 5, 6, 7, 8)


@dataclass(frozen=True, slots=True)
class Made:
    """A league's file and its store."""

    file: Path
    store: Path

    @property
    def league(self) -> League:
        """As read."""
        return load_league(self.file)

    def lines(self, season: int) -> list[dict[str, Any]]:
        """The season's file so far, line by line."""
        with open_store(self.store, write=False) as store:
            return list(store.season_lines(f"{self.league.name}/{season}"))


def written_league(
    folder: Path,
    bots: Iterable[MadeBot],
    *,
    name: str = "caves",
    form: str = "divisions",
    seats: Sequence[int] = SIZES,
    games: int = 2,
    rounds: int = 6,
    more: str = "",
) -> Made:
    """Write the league's file; `more` are lines of its [league] table."""
    entries = "".join(f'[[bots]]\nsample = "random"\nname = "{bot.bot}"\n' for bot in bots)
    options = "[format.divisions]\ncount = 2\nmove = 1\n" if form == "divisions" else ""
    file = folder / f"{name}.toml"
    file.write_text(
        f'[league]\nname = "{name}"\nedition = "iello-2016"\nformat = "{form}"\nseats = {list(seats)}\n'
        f"games = {games}\nrounds = {rounds}\n{more}\n[sandbox]\ntrust_bots = true\n{options}{entries}"
    )
    return Made(file, folder / f"{name}.db")


def version_of(bot: str, generation: int = 0) -> str:
    """A content hash of no content."""
    return hashlib.sha256(f"{bot} {generation}".encode()).hexdigest()


def add_version(store: Store, bot: MadeBot, generation: int = 0) -> str:
    """Keep a version that says of itself what the bot says."""
    version = version_of(bot.bot, generation)
    store.add_version(VersionRow(bot.bot, version, bot.title, bot.author, bot.language, b"", None, None))
    return version


class MadeSeason:
    """A season that grows round by round."""

    def __init__(
        self,
        league: League,
        store: Store,
        number: int,
        bots: Sequence[MadeBot],
        *,
        divisions: Sequence[Sequence[str]] = (),
        starts: Mapping[str, Rating] | None = None,
    ) -> None:
        self._league, self._store = league, store
        self.id, self.number, self.over = f"{league.name}/{number}", number, 0
        self._secret = seed_from_text(league.seed or f"secret {number}")
        entries = [Entry(bot.bot, add_version(store, bot)) for bot in sorted(bots, key=lambda one: one.bot)]
        brought = {bot: carried_over(league.rating, rating, changed=False) for bot, rating in (starts or {}).items()}
        versions = {entry.bot: entry.version for entry in entries}
        promise = commitment(self._secret)
        header = {
            "format": "tacora-season/1",
            "league": league.name,
            "season": number,
            "edition": league.edition.to_json(),
            "pairing": league.format,
            "seats": list(league.seats),
            "games": league.games,
            "limits": league.limits.to_json(),
            "rating": league.rating.to_json(),
            "commitment": promise,
        }
        told = {
            "divisions": [sorted(division) for division in divisions],
            "starts": [[bot, versions[bot], repr(one.mu), repr(one.sigma)] for bot, one in sorted(brought.items())],
        }
        config = {
            **league.config(),
            "bots": sorted(versions),
            "authors": {bot.bot: bot.author or None for bot in bots},
            "anchors": [],
        }
        row = store.announce_season(
            league.name,
            number,
            config,
            self._secret,
            promise,
            {**header, **{name: listed for name, listed in told.items() if listed}},
            rounds_planned=league.rounds,
            entries=entries,
            ratings=brought,
        )
        assert row is not None

    @property
    def row(self) -> SeasonRow:
        """As the store has it."""
        row = self._store.season(self._league.name, self.number)
        assert row is not None
        return row

    def open(self, matches: int) -> list[Fixture]:
        """Open the next round, tables drawn at random."""
        number = self._store.next_round(self.id)
        entries = self._store.entries(self.id, number)
        pairs = sorted((entry.bot, entry.version) for entry in entries)
        before = self._store.entries(self.id, number - 1) if number > 1 else []
        first = season_seed(self._secret, pairs) if number == 1 else None
        seed = first or self.row.season_seed or ""
        size = self._league.seats[(number - 1) % len(self._league.seats)]
        fixtures = []
        for place in range(1, matches + 1):
            match = match_seed(seed, self.number, number, place)
            table = random.Random(match).sample(entries, size)
            fixtures.append(
                Fixture(
                    league=self._league.name,
                    season=self.number,
                    round=number,
                    number=place,
                    seed=match,
                    edition=self._league.edition,
                    games=self._league.games,
                    limits=self._league.limits,
                    seats=tuple(Seat(entry.bot, entry.version) for entry in table),
                )
            )
        line = {"round": number, "entries": [list(pair) for pair in pairs]} if entries != before else None
        assert self._store.open_round(self.id, number, fixtures, line, first)
        return fixtures

    def store(self, fixtures: Iterable[Fixture], forfeits: float = 0.002, got: str = "") -> None:
        """Play and store these matches; faults have `got`, or what a hostile bot sends, as their evidence."""
        for fixture in fixtures:
            record, texts = play(fixture, forfeits=forfeits)
            for fault in record["faults"]:
                _spoil(fault, fixture, got)
            record["digest"] = digest_without(record)
            check_record(record)
            stderr = [f"{PRIVATE} {text} {_evidence(fixture.number)}" for text in texts]
            self._store.store_record(self.id, fixture, record, stderr, 1)

    def play(self, matches: int, forfeits: float = 0.002) -> None:
        """A whole round."""
        self.store(self.open(matches), forfeits)
        self._store.apply_ready(self.id)
        self.over += 1

    def end(self) -> None:
        """The season is over."""
        self._store.end_season(self.id)


KINDS = ("timeout", "crashed", "closed-output", "bad-message", "bad-turn", "bad-action", "output-flood", "memory")


def _spoil(fault: dict[str, Any], fixture: Fixture, got: str) -> None:
    fault["kind"] = KINDS[(fixture.round + fixture.number + fault["seat"]) % len(KINDS)]
    fault["got"] = got or _evidence(fixture.number + fault["seat"])
    fault["exit"] = 1 if fault["kind"] == "crashed" else None


def _evidence(number: int) -> str:
    """What a hostile author would have a bot write."""
    bot = HOSTILE[number % len(HOSTILE)]
    return (bot.title, bot.author, bot.language)[number % 3][:1000]


def made_league(folder: Path, *, more: str = "") -> Made:
    """Two seasons of fifteen bots, tables of three to eight: the first has ended, the second is in its fifth round.

    One bot is withdrawn, one benched, one disqualified, one has a new version, and some matches are void. The second
    season has divisions; half of its open round has been played, stored and rated already. A list of matches and a
    round have several parts.
    """
    made = written_league(folder, (*PLAIN, *HOSTILE), more=more)
    bots = (*PLAIN, *HOSTILE)
    with open_store(made.store) as store:
        first = MadeSeason(made.league, store, 1, bots)
        first.play(104)
        for _ in range(5):
            first.play(6)
        first.end()
        order = [standing.bot for standing in store.standings(first.id)]
        second = MadeSeason(
            made.league, store, 2, bots, divisions=(order[:8], order[8:]), starts=store.ratings(first.id)
        )
        second.play(12)
        newer = MadeBot("ada", "Ada of the deeper \u202d<b>", "Grace")
        store.enter(second.id, "ada", add_version(store, newer, 1), 2)
        second.play(12)
        store.withdraw(second.id, "bob", 3)
        store.bench(second.id, "dot", 3)
        store.disqualify(second.id, "eve", 3, "</td><script>alert(6)</script>\u202ereason")
        store.void(second.id, *_one_that_counts(store, second.id), "=1+1 \x1b[1mfull disk\x1b[0m")
        while second.over < RUNNING_OVER:
            second.play(12, forfeits=0.02)
        waiting = second.open(12)
        second.store(waiting[:6], forfeits=0.02, got=f"{NOT_YET} {second.id}")
        store.apply_ready(second.id)
    return made


def _one_that_counts(store: Store, season_id: str) -> tuple[int, int]:
    """The round and the number of a match that counts."""
    record = list(store.records(season_id))[-1]
    return record["fixture"]["round"], record["fixture"]["number"]


def made_field(folder: Path, bots: int, rounds: int, *, games: int = 1, name: str = "field") -> Made:
    """A running season of so many bots at tables of four, each of them once a round; `bots` is a multiple of 4."""
    entered = [MadeBot(f"bot-{number:03d}", f"Bot number {number}", f"Author {number % 17}") for number in range(bots)]
    made = written_league(folder, entered, name=name, form="ladder", seats=(4,), games=games, rounds=rounds + 1)
    with open_store(made.store) as store:
        season = MadeSeason(made.league, store, 1, entered)
        for _ in range(rounds):
            season.play(bots // 4)
    return made
