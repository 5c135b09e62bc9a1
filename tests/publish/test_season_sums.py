"""The one pass over a season's matches: what it adds up to is what the store and the ratings say of the same season."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import pytest

from harness.league import breakdown_of, head_to_head_of
from harness.publish.evenly import evenly
from harness.publish.ladder_lines import Series, rank_intervals
from harness.publish.match_facts import match_line
from harness.publish.season_reading import SeasonReading, profiles_of_season
from harness.publish.season_sums import LIST_LINES, SeasonSums
from harness.publish.shards import ShardFacts
from harness.publish.site_facts import BotFacts, MatchLine, RatingPoint, SeasonFacts
from harness.ratings import Standing
from harness.store import SeasonRow, Store, open_store
from tests.publish.made_site import Made

LAST = 4


class Pages:
    """What the pass hands out as pages become full."""

    def __init__(self) -> None:
        self.lists: list[tuple[str, int, tuple[MatchLine, ...]]] = []
        self.rounds: list[tuple[int, int, bool, tuple[MatchLine, ...]]] = []

    def list_full(self, bot: str, part: int, lines: tuple[MatchLine, ...]) -> None:
        self.lists.append((bot, part, lines))

    def round_full(self, round_: int, part: int, last: bool, lines: tuple[MatchLine, ...]) -> None:
        self.rounds.append((round_, part, last, lines))


@pytest.fixture(params=[1, 2])
def season(request: pytest.FixtureRequest, made: Made) -> Iterator[tuple[Store, SeasonRow]]:
    with open_store(made.store, write=False) as store:
        row = store.season("caves", request.param)
        assert row is not None
        yield store, row


def read(store: Store, row: SeasonRow, pages: Pages) -> tuple[SeasonFacts, list[BotFacts], list[MatchLine]]:
    """The facts of a season, its matches given one record a shard."""
    last = max(store.shown_rounds(row.id))
    sums = SeasonSums(last, pages.list_full, pages.round_full)
    lines = [match_line(record) for record in store.records(row.id)]
    facts = (ShardFacts(f"{line.match}.js", (line,), {}) for line in lines)
    assert list(sums.take(facts)) == lines
    reading = SeasonReading(store, row, last, sums, profiles_of_season(store, row))
    facts_ = reading.season()
    return facts_, list(reading.bots(facts_.lines, {})), lines


def test_the_ladder_is_that_of_the_store(season: tuple[Store, SeasonRow]) -> None:
    store, row = season
    facts, _, _ = read(store, row, Pages())
    if row.state == "ended":
        assert [line.standing for line in facts.lines] == store.standings(row.id)
        for size, lines in facts.by_size.items():
            assert [line.standing for line in lines] == store.standings(row.id, size)
        assert facts.by_size
    else:
        # The store's own ladder counts the applied matches of the open round, of which a site shows nothing.
        assert facts.matches == sum(1 for _ in store.records(row.id))
        assert len(facts.rounds) == LAST == max(store.shown_rounds(row.id))
        assert any(one.state == "open" for one in store.rounds(row.id))


def test_a_bots_results_are_those_of_the_breakdown(season: tuple[Store, SeasonRow]) -> None:
    store, row = season
    _, bots, _ = read(store, row, Pages())
    for bot in bots:
        name = bot.line.standing.bot
        due = {part.key: part for part in breakdown_of(store, row, "opponent", bot=name)}
        assert {part.key: (part.totals, part.expected_parts) for part in bot.opponents} == {
            key: (part.totals, part.expected_parts) for key, part in due.items()
        }
        tables = breakdown_of(store, row, "composition", bot=name)
        assert bot.tables == len(tables)
        most = sorted(tables, key=lambda part: (-part.totals.games, part.key))[: len(bot.compositions)]
        assert [(part.key, part.totals) for part in bot.compositions] == [(part.key, part.totals) for part in most]
        sizes = breakdown_of(store, row, "size", bot=name)
        assert [(part.key, part.totals) for part in sizes] == list(bot.sizes)


def test_movement_is_the_difference_to_the_ladder_without_the_last_round(season: tuple[Store, SeasonRow]) -> None:
    store, row = season
    facts, _, _ = read(store, row, Pages())
    last = len(facts.rounds)
    before = SeasonSums(last - 1, *_ignored())
    lines = [match_line(record) for record in store.records(row.id) if record["fixture"]["round"] < last]
    list(before.take(ShardFacts("", (line,), {}) for line in lines))
    earlier = SeasonReading(store, row, last - 1, before, profiles_of_season(store, row)).season()
    ranks = {line.standing.bot: line.standing.rank for line in earlier.lines if line.standing.games}
    for line in facts.lines:
        rank, rank_before = line.standing.rank, ranks.get(line.standing.bot)
        assert line.moved == (None if rank is None or rank_before is None else rank_before - rank)
    assert any(line.moved for line in facts.lines)


def _ignored() -> tuple[object, object]:
    pages = Pages()
    return pages.list_full, pages.round_full


def test_every_match_stands_on_one_page_of_its_round_and_in_the_list_of_each_of_its_bots(
    season: tuple[Store, SeasonRow],
) -> None:
    store, row = season
    pages = Pages()
    _, bots, lines = read(store, row, pages)
    assert [line for _, _, _, part in pages.rounds for line in part] == lines
    for number in {line.round for line in lines}:
        parts = [(part, last) for round_, part, last, _ in pages.rounds if round_ == number]
        assert parts == [(part, part == len(parts)) for part in range(1, len(parts) + 1)]
    for bot in bots:
        name = bot.line.standing.bot
        parts = [(part, listed) for who, part, listed in pages.lists if who == name]
        assert [part for part, _ in parts] == list(range(1, bot.match_pages + 1))
        assert all(len(listed) == LIST_LINES for _, listed in parts)
        own = [line for line in lines if name in line.bots]
        listed = [line for _, part in parts for line in part]
        assert listed == own[: len(listed)]
        assert list(bot.recent) == own[::-1][: len(bot.recent)]
        assert len(listed) + len(bot.recent) >= len(own)


def test_best_and_worst_are_by_how_much_more_it_won_than_an_equal(season: tuple[Store, SeasonRow]) -> None:
    store, row = season
    _, bots, lines = read(store, row, Pages())
    for bot in bots:
        name = bot.line.standing.bot

        def worth(line: MatchLine, name: str = name) -> tuple[float, float]:
            seat = line.bots.index(name)
            return line.win_parts[seat] / 840 / line.games * len(line.bots), line.points[seat] / line.games

        own = sorted((line for line in lines if name in line.bots), key=worth, reverse=True)
        assert [worth(line) for line in bot.best] == [worth(line) for line in own[:5]]
        assert not {line.match for line in bot.best} & {line.match for line in bot.worst}
        if len(own) >= 10:
            assert [worth(line) for line in bot.worst] == [worth(line) for line in own[::-1][:5]]


def test_the_pairs_are_those_of_head_to_head(season: tuple[Store, SeasonRow]) -> None:
    store, row = season
    facts, _, _ = read(store, row, Pages())
    assert list(facts.pairs) == head_to_head_of(store, row)


def standing(bot: str, mu: float, sigma: float, rank: int | None, division: int = 0) -> Standing:
    return Standing(rank, bot, "", mu, sigma, False, 1, 40, 0.0, 0.0, 0.0, 0.0, 0, division)


def test_rank_intervals_count_those_surely_above_and_surely_below() -> None:
    # 95 % intervals: a 28.04–31.96, b 27.04–30.96, c 23.04–26.96, d 22.04–25.96, e far below.
    rows = [("a", 30.0, 1.0), ("b", 29.0, 1.0), ("c", 25.0, 1.0), ("d", 24.0, 1.0), ("e", 5.0, 0.1)]
    table = [standing(*row, rank) for rank, row in enumerate(rows, start=1)]
    assert rank_intervals(table) == {"a": (1, 2), "b": (1, 2), "c": (3, 4), "d": (3, 4), "e": (5, 5)}


def test_rank_intervals_stay_within_divisions_and_hold_the_rank_itself() -> None:
    upper = [standing("a", 30.0, 1.0, 1, 1), standing("b", 10.0, 1.0, 2, 1)]
    # The rating of few games that stands last although it is high.
    lower = [standing("c", 40.0, 1.0, 3, 2), standing("d", 20.0, 9.0, 4, 2), standing("e", 60.0, 1.0, 5, 2)]
    out = [standing("f", 99.0, 1.0, None, 2)]
    assert rank_intervals([*upper, *lower, *out]) == {"a": (1, 1), "b": (2, 2), "c": (3, 4), "d": (4, 5), "e": (3, 5)}


@pytest.mark.parametrize("rounds", [1, 2, 150, 151, 300, 301, 302, 5000])
def test_a_series_is_thinned_evenly_and_ends_with_the_last_round(rounds: int) -> None:
    series = Series()
    for number in range(1, rounds + 1):
        series.add(RatingPoint(number, float(number), 1.0))
    points = series.from_round(0)
    assert len(points) <= 150
    assert len(points) == rounds or len(points) > 70
    assert (points[0].round, points[-1].round) == (1, rounds)
    gaps = [later.round - point.round for point, later in pairwise(points)]
    assert not gaps or max(gaps) <= 3 * math.ceil(rounds / 75)
    assert [point.mu for point in points] == [float(point.round) for point in points]


def test_provisional_rounds_are_left_out_where_two_others_are_left() -> None:
    points = [RatingPoint(number, 0.0, 1.0) for number in range(1, 6)]
    series = Series()
    for point in points:
        series.add(point)
    assert [point.round for point in series.from_round(4)] == [4, 5]
    assert [point.round for point in series.from_round(5)] == [1, 2, 3, 4, 5]
    assert evenly(points, 3) == [points[0], points[2], points[4]]
