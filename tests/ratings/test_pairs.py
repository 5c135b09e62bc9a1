"""Whole counts of who finished before whom: which pairs count, and that order changes none."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np

from harness.ratings import MatchRanks
from harness.ratings.pairs import Pairs, count_pairs


def match(bots: str, ranks: str, name: str = "m", version: str = "v") -> MatchRanks:
    return MatchRanks(name, 1, "0" * 32, tuple((bot, version) for bot in bots), ranks)


def told(pairs: Pairs, weights: list[int] | None = None) -> dict[str, tuple[int, ...]]:
    """By the two bots: the first ahead, the second ahead, tied."""
    counts = pairs.counts(None if weights is None else np.array(weights))
    return {
        pairs.entrants[first][0] + pairs.entrants[second][0]: tuple(int(each) for each in row)
        for first, second, row in zip(pairs.first, pairs.second, counts, strict=True)
    }


def test_every_pair_of_a_game_counts_once() -> None:
    assert told(count_pairs([match("cab", "122 312")])) == {"ab": (1, 0, 1), "ac": (1, 1, 0), "bc": (1, 1, 0)}


def test_a_forfeiter_counts_as_last_once_and_no_more() -> None:
    pairs = count_pairs([match("abc", "12C 21C 12C")])
    assert told(pairs) == {"ab": (2, 1, 0), "ac": (1, 0, 0), "bc": (1, 0, 0)}
    assert pairs.games == (3, 3, 3)


def test_a_game_that_all_forfeit_counts_no_pair() -> None:
    assert told(count_pairs([match("ab", "AA")])) == {}
    assert told(count_pairs([match("ab", "12 AA")])) == {"ab": (1, 0, 0)}


def test_versions_of_a_bot_are_counted_apart() -> None:
    pairs = count_pairs([match("ab", "12", "m1"), match("ab", "12", "m2", version="w")])
    assert pairs.entrants == (("a", "v"), ("a", "w"), ("b", "v"), ("b", "w"))
    assert pairs.games == (1, 1, 1, 1)
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(0, 2), (1, 3)]


def test_a_weight_counts_a_match_that_often() -> None:
    pairs = count_pairs([match("ab", "12", "m2"), match("ab", "21 11", "m1"), match("ba", "12", "m3")])
    assert pairs.matches == ("m1", "m2", "m3")
    assert told(pairs, [2, 0, 1]) == {"ab": (0, 3, 2)}


def test_counts_are_those_of_a_plain_loop_over_ranks_in_any_order() -> None:
    chance = random.Random(4)
    made = []
    for number in range(60):
        bots = "".join(chance.sample("abcdefg", 4))
        ranks = " ".join("".join(chance.choice("1234") for _ in bots) for _ in range(3))
        made.append(match(bots, ranks, f"m{number:02d}"))
    expected = Counter[tuple[str, int]]()
    for one in made:
        for word in one.ranks.split():
            for (x, (bot, _)), (y, (other, _)) in permutations(zip(word, one.seats, strict=True), 2):
                if bot < other:
                    expected[bot + other, 2 if x == y else int(x > y)] += 1
    first = told(count_pairs(made))
    assert {(pair, outcome): n for pair, row in first.items() for outcome, n in enumerate(row) if n} == expected
    again = count_pairs(made)
    chance.shuffle(made)
    turned = count_pairs(made)
    for name in ("first", "second", "match", "cell", "count"):
        assert np.array_equal(getattr(again, name), getattr(turned, name))
    assert (again.entrants, again.games, again.matches) == (turned.entrants, turned.games, turned.matches)
