"""The second implementation of the sample bots' strategies, and how records are held against it."""

from __future__ import annotations

import pytest

from tests.second.field import Record, Row, compare, other_decisions, out_of_order, played_shares
from tests.second.rules import EDITIONS, ExpeditionOver, Table
from tests.second.strategies import STRATEGIES, turn

SEED = "000102030405060708090a0b0c0d0e0f"


def test_a_table_that_leaves_at_once_has_one_turn_an_expedition() -> None:
    bots = ["at-once"] * 3
    events = list(
        Table(EDITIONS["iello-2016"], SEED, 3).play_by(
            lambda question: turn(EDITIONS["iello-2016"], SEED, bots, question), games=2
        )
    )
    assert [event.turns for event in events if isinstance(event, ExpeditionOver)] == [("LLL",)] * 10


def test_shares_of_a_field_add_up() -> None:
    bots = list(STRATEGIES)[-4:]
    shares = played_shares(EDITIONS["iello-2016"], SEED, bots, games=50)
    assert sum(shares.values()) == pytest.approx(100)
    assert shares["expected-value-leavers"] == max(shares.values())


def test_pairs_near_each_other_are_not_ordered() -> None:
    rows = [Row(bot, 100, real, second, 1.0) for bot, real, second in (("a", 30, 20), ("b", 29, 21), ("c", 28, 30))]
    reference = {row.bot: row.second for row in rows}
    assert out_of_order(rows, reference) == ([("a", "c"), ("b", "c")], 2)
    assert out_of_order(rows, {"a": 30.0, "b": 27.0, "c": 25.5}) == ([], 2)


def played(number: int, bots: list[str], games: int = 5) -> Record:
    """What compare wants to know of a record, of a match by the second implementation."""
    edition, seed = EDITIONS["iello-2016"], f"{number:032x}"
    events = Table(edition, seed, len(bots)).play_by(lambda question: turn(edition, seed, bots, question), games)
    turns = [list(event.turns) for event in events if isinstance(event, ExpeditionOver)]
    return {
        "match": f"m{number}",
        "edition": edition,
        "seed": seed,
        "seats": [{"bot": bot} for bot in bots],
        "games": [{"expeditions": turns[5 * game : 5 * game + 5]} for game in range(games)],
    }


def test_a_share_that_is_off_is_seen_and_one_that_is_not_is_none() -> None:
    bots = ["at-once", "random", "fixed-depth", "expected-value-leavers"]
    records = [played(number, bots) for number in range(20)]
    rows = compare(records)
    assert [row.games for row in rows] == [100] * 4
    assert sum(row.real for row in rows) == pytest.approx(100)
    assert max(abs(row.off) for row in rows) < 4
    assert [*other_decisions(records[0])] == []
    for record in records:
        record["seats"].reverse()
    off = {row.bot: row.off for row in compare(records)}
    assert off["at-once"] > 4
    assert off["expected-value-leavers"] < -4
