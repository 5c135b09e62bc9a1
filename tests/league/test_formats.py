"""The round robin: exact seats in every round, level meetings over rounds, drawn from the season's seed alone."""

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.formats import FORMATS, format_named, new_field, pairs_apart, spread
from harness.ratings import Rating

SEED = "000102030405060708090a0b0c0d0e0f"
FORMAT = format_named("round-robin")


def field(n: int) -> list[Entrant]:
    return [Entrant(f"b{i:02}", None) for i in range(n)]


def by_authors(*counts: int, alone: int = 0) -> list[Entrant]:
    authored = [f"author {a}" for a, count in enumerate(counts) for _ in range(count)]
    return [Entrant(f"b{i:02}", author) for i, author in enumerate([*authored, *[None] * alone])]


def paired(entrants: Sequence[Entrant], round_: int, sizes: Sequence[int], seed: str = SEED, **options: bool) -> list:
    return FORMAT.tables(new_field(entrants, Rating(25, 25 / 3)), round_, sizes, seed, options)


def season(entrants: Sequence[Entrant], rounds: int, sizes: Sequence[int], seed: str = SEED, **options: bool) -> list:
    return [paired(entrants, r, sizes, seed, **options) for r in range(1, rounds + 1)]


def meetings(rounds: list) -> Counter:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def check_round(tables: list, entrants: Sequence[Entrant], size: int) -> None:
    ids = sorted(entrant.id for entrant in entrants)
    assert len(tables) == len(ids)
    assert all(len(table) == size == len(set(table)) for table in tables)
    for seat in range(size):
        assert sorted(table[seat] for table in tables) == ids


def check_apart(tables: list, entrants: Sequence[Entrant]) -> None:
    author = {entrant.id: entrant.author for entrant in entrants}
    for table in tables:
        authors = [author[bot] for bot in table if author[bot] is not None]
        assert len(authors) == len(set(authors))


def test_the_formats_are_known_by_their_names() -> None:
    assert list(FORMATS) == ["round-robin", "ladder", "gauntlet", "divisions"]
    assert all(format_named(name).name == name for name in FORMATS)


@pytest.mark.parametrize("size", range(3, 9))
def test_each_bot_sits_once_in_each_seat_a_round_and_never_twice_at_a_table(size: int) -> None:
    for n in [*range(size, 16), 31, 32, 60]:
        for tables in season(field(n), 3, (size,)):
            check_round(tables, field(n), size)


@pytest.mark.parametrize("sizes", [(3, 4, 5), (8, 3), (4, 4, 6), (7, 5, 3, 8)])
def test_rounds_of_mixed_sizes_follow_the_list(sizes: tuple[int, ...]) -> None:
    for n in (8, 11, 24, 60):
        for i, tables in enumerate(season(field(n), 2 * len(sizes) + 1, sizes)):
            check_round(tables, field(n), sizes[i % len(sizes)])


@pytest.mark.parametrize(("n", "size"), [(7, 3), (13, 4), (21, 5), (3, 3), (8, 8)])
def test_pairs_are_level_in_every_round_where_a_perfect_difference_set_exists(n: int, size: int) -> None:
    for tables in season(field(n), 8, (size,)):
        assert len(set(meetings([tables]).values())) == 1
        assert len(meetings([tables])) == n * (n - 1) // 2


@pytest.mark.parametrize("size", range(3, 9))
def test_no_pair_gets_far_ahead_of_another_over_the_rounds(size: int) -> None:
    for n in [*range(size, 16), *range(16, 61, 11)]:
        found = spread([table for tables in season(field(n), 12, (size,)) for table in tables])
        assert found.pairs[1] - found.pairs[0] <= 3, (n, size, found)
        assert found.seats == (12, 12)
        assert found.matches == (12 * size, 12 * size)


@pytest.mark.parametrize(("n", "sizes"), [(10, (4,)), (24, (4,)), (24, (8,)), (19, (3, 4, 5)), (30, (6, 3))])
def test_the_spread_shrinks_against_the_mean_over_many_rounds(n: int, sizes: tuple[int, ...]) -> None:
    def unevenness(rounds: int) -> float:
        found = spread([table for tables in season(field(n), rounds, sizes) for table in tables], [])
        return (found.pairs[1] - found.pairs[0]) / found.pairs_mean

    few, some, many = unevenness(10), unevenness(40), unevenness(120)
    assert many < some < few
    assert many < 0.12


def test_sizes_are_level_each_for_itself_too() -> None:
    rounds = season(field(19), 90, (3, 4, 5))
    for i in range(3):
        found = spread([table for tables in rounds[i::3] for table in tables])
        assert found.pairs[1] - found.pairs[0] <= 0.35 * found.pairs_mean


def test_who_is_listed_first_does_not_matter() -> None:
    for entrants in (field(11), by_authors(3, 2, alone=7)):
        shuffled = random.Random(1).sample(entrants, len(entrants))
        assert season(shuffled, 3, (4,)) == season(entrants, 3, (4,))


def test_a_round_is_the_same_whichever_was_asked_first() -> None:
    other_seed = "f" * 32
    for entrants in (field(17), by_authors(3, 2, alone=7)):
        late = paired(entrants, 9, (3, 4), other_seed)
        early = paired(entrants, 2, (3, 4), other_seed)
        again = season(entrants, 9, (3, 4), other_seed)
        assert (again[8], again[1]) == (late, early)


def test_another_season_or_round_is_drawn_anew() -> None:
    for entrants in (field(11), by_authors(3, 2, alone=7)):
        first, second = season(entrants, 2, (4,))
        assert first != second
        assert first != paired(entrants, 1, (4,), "0" * 32)


class Drawn:
    """The words of a text, by hand; a word is turned down so rarely that none is here."""

    def __init__(self, text: str) -> None:
        data = hashlib.shake_256(text.encode("ascii")).digest(8 * 512)
        self.words = (int.from_bytes(data[i : i + 8], "big") for i in range(0, len(data), 8))

    def shuffled(self, items: list[int]) -> list[int]:
        for i in range(len(items) - 1, 0, -1):
            j = next(self.words) % (i + 1)
            items[i], items[j] = items[j], items[i]
        return items


@pytest.mark.parametrize(
    ("n", "size", "round_", "lap", "offsets"),
    # By hand: differences 1, 2 and 3 are all there are of 7, so each round is a lap; of 9 there are four, and the six
    # of a round and the six of the next are three of each.
    [(7, 3, 1, 1, [0, 1, 3]), (7, 3, 4, 4, [0, 2, 6]), (9, 4, 1, 1, [0, 1, 2, 4]), (9, 4, 2, 1, [0, 2, 5, 6])],
)
def test_the_bytes_of_the_stream_draw_the_circle_seat_the_offsets_and_order_the_tables(
    n: int, size: int, round_: int, lap: int, offsets: list[int]
) -> None:
    drawn = Drawn(f"pair/{SEED}/{round_}")
    drawn.shuffled(list(range(n)))
    circle = Drawn(f"pair/{SEED}/{lap}").shuffled(list(range(n)))
    seated = drawn.shuffled(list(offsets))
    order = drawn.shuffled(list(range(n)))
    expected = [tuple(f"b{circle[(i + d) % n]:02}" for d in seated) for i in order]
    assert paired(field(n), round_, (size,)) == expected


def test_which_fours_meet_is_no_matter_of_names() -> None:
    met = Counter(frozenset(table) for tables in season(field(9), 140, (4,)) for table in tables)
    # 1,260 tables of 126 kinds: 10 of each on average.
    assert len(met) == 126
    assert max(met.values()) < 40


def test_pairings_are_these() -> None:
    def written(tables: list) -> list[str]:
        return ["".join(bot.lstrip("b0") or "0" for bot in table) for table in tables]

    assert written(paired(field(7), 1, (3,))) == VECTORS["7 bots, 3 seats, round 1"]
    assert written(paired(field(9), 2, (4,))) == VECTORS["9 bots, 4 seats, round 2"]
    assert written(paired(field(8), 3, (3, 4, 5))) == VECTORS["8 bots, 3 4 5 seats, round 3"]
    assert written(paired(by_authors(2, 2, alone=4), 2, (3,))) == VECTORS["2 authors, round 2"]


VECTORS = {
    "7 bots, 3 seats, round 1": ["035", "160", "256", "402", "514", "643", "321"],
    "9 bots, 4 seats, round 2": ["0546", "8602", "7430", "2761", "3284", "1078", "5813", "4125", "6357"],
    "8 bots, 3 4 5 seats, round 3": ["72651", "65413", "36042", "04725", "23507", "50176", "17364", "41230"],
    "2 authors, round 2": ["247", "034", "750", "671", "413", "126", "365", "502"],
}


@pytest.mark.parametrize(
    ("counts", "alone", "size"),
    [
        ((2,), 4, 3), ((3, 3), 3, 3), ((3, 3, 3), 0, 3), ((2, 2, 2, 2), 0, 4), ((4, 4, 4, 4), 0, 4), ((3,), 9, 4),
        ((5, 5), 14, 4), ((7,), 49, 8), ((6,) * 10, 0, 8), ((7, 7, 7, 7, 7, 7, 7, 7), 0, 8), ((12, 6, 3, 2), 37, 5),
        ((20, 20, 20), 0, 3),
    ],
)  # fmt: skip
def test_bots_of_one_author_never_meet_and_seats_stay_exact(counts: tuple[int, ...], alone: int, size: int) -> None:
    entrants = by_authors(*counts, alone=alone)
    for tables in season(entrants, 6, (size,)):
        check_round(tables, entrants, size)
        check_apart(tables, entrants)


def test_every_possible_mix_of_authors_can_be_paired() -> None:
    draw = random.Random(7)
    for _ in range(150):
        size = draw.randint(3, 8)
        n = draw.randint(size, 40)
        counts: list[int] = []
        while sum(counts) < n:
            counts.append(draw.randint(1, min(n // size, n - sum(counts))))
        entrants = by_authors(*counts)
        for tables in season(entrants, 2, (size, 3)):
            check_round(tables, entrants, len(tables[0]))
            check_apart(tables, entrants)


@pytest.mark.parametrize(
    ("entrants", "size"), [(by_authors(*[2] * 8), 4), (by_authors(*[6] * 10), 4), (by_authors(2, 2, 3, alone=30), 5)]
)
def test_pairs_that_may_meet_are_level_where_authors_are_kept_apart(entrants: list[Entrant], size: int) -> None:
    ids, apart = [one.id for one in entrants], pairs_apart(entrants, {})
    few, many = (
        spread([table for tables in season(entrants, rounds, (size,)) for table in tables], ids, apart)
        for rounds in (10, 100)
    )
    assert few.seats == (10, 10)
    assert many.pairs[1] - many.pairs[0] <= 0.35 * many.pairs_mean
    assert (many.pairs[1] - many.pairs[0]) / many.pairs_mean < (few.pairs[1] - few.pairs[0]) / few.pairs_mean


def test_authors_may_meet_where_the_league_allows_it() -> None:
    entrants = by_authors(7)
    rounds = season(entrants, 1, (3,), same_author=True)
    assert rounds == season(field(7), 1, (3,))
    assert pairs_apart(entrants, {"same_author": True}) == frozenset()


def test_an_author_who_writes_the_name_differently_is_still_one() -> None:
    entrants = [Entrant("a", "Ada  Byron"), Entrant("b", "ada byron "), Entrant("c", None), Entrant("d", None)]
    entrants += [Entrant("e", ""), Entrant("f", " ")]
    assert pairs_apart(entrants, {}) == {frozenset({"a", "b"})}


def test_a_round_that_can_not_be_is_refused_in_one_sentence() -> None:
    assert FORMAT.refusal(by_authors(3, alone=9), (4,), {}) is None
    refused = FORMAT.refusal(by_authors(3, alone=8), (3, 4), {})
    assert refused is not None
    assert str(refused).startswith(
        "3 of 11 bots are by 'author 0' (b00, b01, b02), too many to keep apart at tables of 4; "
    )
    assert "at least 12 bots" in refused.mend
    assert FORMAT.refusal(by_authors(3, alone=8), (3, 4), {"same_author": True}) is None
    few = FORMAT.refusal(field(3), (3, 5), {})
    assert str(few) == "3 bots can't fill a table of 5; enter 2 more or make league.seats smaller"
    with pytest.raises(LeagueFileError, match="round 4 can't be paired: 3 bots can't fill a table of 5"):
        paired(field(3), 4, (3, 5))


def test_the_spread_counts_pairs_seats_and_matches() -> None:
    found = spread([("a", "b", "c"), ("b", "a", "d")], ["a", "b", "c", "d", "e"])
    assert (found.pairs, found.seats, found.matches) == ((0, 2), (0, 1), (0, 2))
    assert found.pairs_mean == pytest.approx(6 / 10)
    apart = spread([("a", "b", "c"), ("b", "a", "d")], ["a"], {frozenset("cd")})
    assert (apart.pairs, apart.pairs_mean) == ((1, 2), pytest.approx(6 / 5))


def test_seats_that_only_larger_tables_have_are_no_unevenness() -> None:
    rounds = season(field(8), 4, (3, 5))
    assert spread([table for tables in rounds for table in tables]).seats == (4, 4)


def test_the_spread_of_nothing_is_nothing() -> None:
    assert spread([]).pairs == spread([]).seats == spread([]).matches == (0, 0)
