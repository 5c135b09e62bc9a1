"""What matches added to their bots, and who finished before whom, as the store tells it: against the records."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from harness.ratings.breakdown import VIEWS, View, breakdown
from harness.ratings.head_to_head import head_to_head
from harness.ratings.standings import WHOLE_WIN
from harness.store import SeasonRow, Store, questions, ranks
from tests.ratings.tally import pairs, parts
from tests.store.synthetic import announce, open_round, store_all

DIVISIONS = {"ada": 1, "bob": 1, "cyd": 1, "dot": 1, "eve": 2}


def played(store: Store) -> SeasonRow:
    """Two rounds that are over, of tables of four and three, and one that is open."""
    season = announce(store)
    for number, seats in ((1, 4), (2, 3)):
        store_all(store, season, open_round(store, season, number, matches=9, seats=seats))
        store.apply_ready(season.id)
    store_all(store, season, open_round(store, season, 3, matches=4)[:2])
    store.apply_ready(season.id)
    return season


def keys(view: View, record: dict[str, Any], bot: str) -> list[Any]:
    others = sorted(seat["bot"] for seat in record["seats"] if seat["bot"] != bot)
    divisions = {DIVISIONS.get(name, 0) for name in (*others, bot)}
    found: dict[View, list[Any]] = {
        "size": [len(record["seats"])],
        "composition": [tuple(others)],
        "division": ["mixed" if len(divisions) > 1 else divisions.pop() or "none"],
        "round": [record["fixture"]["round"]],
        "opponent": others,
    }
    return found[view]


@pytest.mark.parametrize("batch", [9, 1024])
def test_every_view_is_what_the_records_add_up_to(store: Store, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(questions, "_BATCH", batch)
    season = played(store)
    store.void(season.id, 1, 4, "a wrong deck")
    records = list(store.records(season.id))
    assert {record["fixture"]["round"] for record in records} == {1, 2}
    for view in VIEWS:
        found = {
            (part.bot, part.key): (
                part.totals.matches,
                part.totals.games,
                Fraction(part.totals.win_parts, WHOLE_WIN),
                part.totals.points,
                part.totals.ranks,
                part.totals.faults,
            )
            for part in breakdown(store.table_sums(season.id), view, divisions=DIVISIONS)
        }
        assert found == parts(records, lambda record, bot, view=view: keys(view, dict(record), bot)), view
        assert found


def test_the_rating_after_a_round_is_that_of_the_history(store: Store) -> None:
    season = played(store)
    last = {(row.bot, row.round): row.after for row in store.history(season.id) if row.round < 3}
    found = {(part.bot, part.key): part.after for part in breakdown(store.table_sums(season.id), "round")}
    assert found == last


def test_an_open_round_is_shown_once_the_season_is_over(store: Store) -> None:
    season = played(store)
    assert store.shown_rounds(season.id) == [1, 2]
    assert {table.round for table in store.table_sums(season.id)} == {1, 2}
    store.end_season(season.id)
    assert store.shown_rounds(season.id) == [1, 2, 3]
    assert {table.round for table in store.table_sums(season.id)} == {1, 2, 3}


def test_pairs_are_what_the_records_say(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "_BATCH", 2)
    season = played(store)
    store.void(season.id, 2, 1, "a wrong deck")
    records = list(store.records(season.id, finished_rounds_only=False))
    found = {(p.bot, p.other): (p.wins, p.ties, p.losses) for p in head_to_head(store.match_ranks(season.id))}
    assert found == pairs(records)


def test_the_ladder_tells_who_is_out_and_who_is_struck_off(store: Store) -> None:
    season = played(store)
    store.withdraw(season.id, "ada", 4)
    store.bench(season.id, "bob", 4)
    store.disqualify(season.id, "cyd", 4, "it read the decks")
    ladder = store.standings(season.id)
    assert {one.bot: one.state for one in ladder} == {
        "ada": "withdrawn",
        "bob": "benched",
        "cyd": "disqualified",
        "dot": "plays",
        "eve": "plays",
        "fay": "plays",
    }
    assert (ladder[-1].bot, ladder[-1].rank, ladder[-1].games) == ("cyd", None, 0)
    store.enter(season.id, "bob", "02" * 31 + "01", 5)
    assert next(one.state for one in store.standings(season.id) if one.bot == "bob") == "plays"
