"""Seasons and records without a bot: play at random by the rules, the same for the same fixture."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness.game import (
    BUILT_IN,
    begin_expedition,
    commitment,
    match_seed,
    new_game,
    result,
    season_seed,
    seed_from_text,
    step,
)
from harness.protocol import Limits, digest_without, outcome_of
from harness.ratings import Parameters, Rating
from harness.referee import Fixture, Seat
from harness.store import Applied, Entry, SeasonRow, Store
from tests.second.replay import check_record

EDITION = BUILT_IN["iello-2016"]
BOTS = ("ada", "bob", "cyd", "dot", "eve", "fay")
SECRET = seed_from_text("secret")


def version_of(bot: str, generation: int = 0) -> str:
    return f"{BOTS.index(bot) + 1:x}".rjust(2, "0") * 31 + f"{generation:02x}"


def play(fixture: Fixture, run: str = "", forfeits: float = 0.002) -> tuple[dict[str, Any], list[str]]:
    """A record with random decisions and forfeits that follow from the fixture; times follow from `run` too."""
    chance, times = random.Random(fixture.seed), random.Random(fixture.seed + run)
    seats, games, faults = len(fixture.seats), list[dict[str, Any]](), list[dict[str, Any]]()
    gone, turn = list[int](), 0
    for number in range(1, fixture.games + 1):
        state = new_game(fixture.edition, fixture.seed, number, seats, gone)
        expeditions = []
        for expedition in range(1, fixture.edition.expeditions + 1):
            turns = list[str]()
            if len(state.forfeited) < seats:
                begin_expedition(state)
                ended = None
                while ended is None:
                    turn += 1
                    letters = ["."] * seats
                    for seat in state.inside:
                        letters[seat] = "x" if chance.random() < forfeits else chance.choice("CCCL")
                        if letters[seat] == "x":
                            faults.append(fault(seat, number, expedition, turn, times))
                    turns.append("".join(letters))
                    ended = step(state, turns[-1])
            expeditions.append(turns)
        outcome = result(state)
        gone = list(state.forfeited)
        games.append(
            {
                "expeditions": expeditions,
                "scores": list(outcome.scores),
                "ranks": list(outcome.ranks),
                "relics": list(outcome.relics),
            }
        )
    record: dict[str, Any] = {
        "format": "tacora-replay/1",
        "harness": "0",
        "match": fixture.match,
        "fixture": fixture.reference,
        "seed": fixture.seed,
        "edition": fixture.edition.to_json(),
        "seats": [{"bot": seat.bot, "version": seat.version} for seat in fixture.seats],
        "games": games,
    }
    record["outcome"] = outcome_of(record)
    record |= {
        "limits": fixture.limits.to_json(),
        "sandbox": {"tier": "bare", "layers": [], "clock": "cpu", "interpreters": [], "builds": []},
        "faults": faults,
        "incidents": [],
        "timing": [timing(seat, games, times) for seat in range(seats)],
    }
    record["digest"] = digest_without(record)
    check_record(record)
    return record, [f"seat {seat}\0 ≥ {times.random()}" if seat % 2 else "" for seat in range(seats)]


def timing(seat: int, games: list[dict[str, Any]], times: random.Random) -> dict[str, int]:
    letters = [turn[seat] for game in games for turns in game["expeditions"] for turn in turns]
    spent, most = times.randrange(5000, 9999), times.randrange(5000)
    measured = {"cpu_us": spent, "cpu_max_us": most, "wall_us": spent, "wall_max_us": most}
    return {"decisions": sum(letter in "CL" for letter in letters), "late": 0, **measured}


def fault(seat: int, game: int, expedition: int, turn: int, times: random.Random) -> dict[str, Any]:
    where = {"seat": seat, "kind": "crashed", "game": game, "expedition": expedition, "turn": turn}
    spent = {"cpu_us": times.randrange(1000), "wall_us": times.randrange(9000)}
    return {**where, **spent, "expected": "a decision", "got": "", "exit": 1}


def announce(
    store: Store,
    rounds: int = 3,
    number: int = 1,
    entries: Sequence[Entry] | None = None,
    ratings: Mapping[str, Rating] | None = None,
) -> SeasonRow:
    promise = commitment(SECRET)
    header = {
        "format": "tacora-season/1",
        "league": "test",
        "season": number,
        "edition": EDITION.to_json(),
        "pairing": "round-robin",
        "seats": [4],
        "games": 2,
        "limits": Limits().to_json(),
        "rating": Parameters().to_json(),
        "commitment": promise,
    }
    entered = [Entry(bot, version_of(bot)) for bot in BOTS] if entries is None else entries
    row = store.announce_season(
        "test",
        number,
        {"rounds": rounds},
        SECRET,
        promise,
        header,
        rounds_planned=rounds,
        entries=entered,
        ratings=ratings,
    )
    assert row is not None
    return row


def open_round(store: Store, season: SeasonRow, number: int, matches: int = 6, seats: int = 4) -> list[Fixture]:
    entries = store.entries(season.id, number)
    pairs = sorted((entry.bot, entry.version) for entry in entries)
    before = store.entries(season.id, number - 1) if number > 1 else []
    line = {"round": number, "entries": [list(pair) for pair in pairs]} if entries != before else None
    seed = season_seed(SECRET, pairs) if number == 1 else None
    known = store.season("test", season.number)
    assert known is not None
    fixtures = []
    for place in range(1, matches + 1):
        match = match_seed(seed or known.season_seed or "", season.number, number, place)
        table = random.Random(match).sample(entries, seats)
        fixtures.append(
            Fixture(
                league="test",
                season=season.number,
                round=number,
                number=place,
                seed=match,
                edition=EDITION,
                games=2,
                limits=Limits(),
                seats=tuple(Seat(entry.bot, entry.version) for entry in table),
            )
        )
    store.open_round(season.id, number, fixtures, line, seed)
    return fixtures


def store_all(store: Store, season: SeasonRow, fixtures: Iterable[Fixture], run: str = "") -> None:
    for fixture in fixtures:
        record, stderr = play(fixture, run)
        store.store_record(season.id, fixture, record, stderr, 1)


def play_season(
    store: Store,
    rounds: int = 3,
    run: str = "",
    order: Callable[[list[Fixture]], list[Fixture]] = lambda fixtures: fixtures,
    apply_each: bool = True,
    between: Callable[[SeasonRow, int], None] = lambda season, number: None,
) -> tuple[SeasonRow, list[Applied]]:
    """A whole season; `order` is that in which records arrive, `between` is called before each round."""
    season = announce(store, rounds)
    applied = []
    for number in range(1, rounds + 1):
        between(season, number)
        for fixture in order(open_round(store, season, number)):
            store_all(store, season, [fixture], run)
            if apply_each:
                applied += store.apply_ready(season.id)
        applied += store.apply_ready(season.id)
    store.end_season(season.id)
    ended = store.season("test", season.number)
    assert ended is not None
    return ended, applied


def contract_fields(footer: Mapping[str, Any]) -> dict[str, Any]:
    """What a footer has since the first version: the heads of the chains and, once the season is over, its secret."""
    return {name: footer[name] for name in ("results", "evidence", "secret") if name in footer}
