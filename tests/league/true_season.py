"""A season out of the store, small and with all that a season file can hold, for forgers to work on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.game import commitment, match_seed, season_seed
from harness.protocol import Limits
from harness.ratings import Parameters, Rating
from harness.referee import Fixture, Seat
from harness.store import Entry, open_store
from tests.store.synthetic import EDITION, SECRET, play, version_of

SEASON = "test/2"
BOTS = ("ada", "bob", "cyd", "dot", "eve")
STARTS = {"ada": Rating(27.5, 3.25), "bob": Rating(24.0, 3.5), "cyd": Rating(25.5, 4.0), "dot": Rating(21.75, 6.5)}
GAMES = 5


def fixtures(round_: int, versions: dict[str, str]) -> list[Fixture]:
    """A round robin at tables of three."""
    seed = season_seed(SECRET, [(bot, version_of(bot)) for bot in BOTS])
    bots = sorted(versions)
    return [
        Fixture(
            league="test",
            season=2,
            round=round_,
            number=i + 1,
            seed=match_seed(seed, 2, round_, i + 1),
            edition=EDITION,
            games=GAMES,
            limits=Limits(),
            seats=tuple(Seat(bot, versions[bot]) for bot in (bots[(i + j) % len(bots)] for j in range(3))),
        )
        for i in range(len(bots))
    ]


def true_season(file: Path) -> list[dict[str, Any]]:
    """The lines of a season of three rounds that began with ratings and ended with a table.

    Lines: 1 header, 2 entries, 3 to 7 round 1 with 5 a void in place of a record, 8 entries (dot has a new version),
    9 to 13 round 2, 14 a void of the match of line 4, 15 entries (bob is gone), 16 to 19 round 3, 20 a void of the
    match of line 16, 21 footer. `file` is where the store is made.
    """
    with open_store(str(file)) as store:
        header = {
            "format": "tacora-season/1",
            "league": "test",
            "season": 2,
            "edition": EDITION.to_json(),
            "pairing": "round-robin",
            "seats": [3],
            "games": GAMES,
            "limits": Limits().to_json(),
            "rating": Parameters().to_json(),
            "commitment": commitment(SECRET),
            "anchors": ["ada", "cyd"],
            "starts": [[bot, version_of(bot), repr(start.mu), repr(start.sigma)] for bot, start in STARTS.items()],
        }
        store.announce_season(
            "test",
            2,
            {},
            SECRET,
            commitment(SECRET),
            header,
            rounds_planned=3,
            entries=[Entry(bot, version_of(bot)) for bot in BOTS],
            ratings=STARTS,
        )
        for round_ in (1, 2, 3):
            if round_ == 2:
                store.enter(SEASON, "dot", version_of("dot", 1), 2)
            if round_ == 3:
                store.void(SEASON, 1, 2, "a bad machine")
                store.withdraw(SEASON, "bob", 3)
            versions = {entry.bot: entry.version for entry in store.entries(SEASON, round_)}
            pairs = sorted(versions.items())
            opened = fixtures(round_, versions)
            seed = season_seed(SECRET, pairs) if round_ == 1 else None
            store.open_round(SEASON, round_, opened, {"round": round_, "entries": [list(pair) for pair in pairs]}, seed)
            if round_ == 1:
                store.void(SEASON, 1, 3, "a lost worker")
            for fixture in opened:
                record, stderr = play(fixture, forfeits=0.004)
                store.store_record(SEASON, fixture, record, stderr, 1)
            store.apply_ready(SEASON)
        store.void(SEASON, 3, 1, "a power cut")
        store.end_season(SEASON)
        return list(store.season_lines(SEASON))
