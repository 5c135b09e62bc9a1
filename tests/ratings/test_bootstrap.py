"""The draws of a bootstrap, drawn a second time by hand."""

from __future__ import annotations

import hashlib
from statistics import NormalDist, fmean, pstdev

import pytest

from harness.ratings.bootstrap import match_weights, normal_draws

MATCHES = ["m3", "m1", "m2"]
DIGEST = hashlib.sha256(b"m1\nm2\nm3\n").hexdigest()


def words(text: str, count: int) -> list[int]:
    stream = hashlib.shake_256(text.encode()).digest(8 * count)
    return [int.from_bytes(stream[8 * i : 8 * i + 8], "little") for i in range(count)]


def test_a_draw_takes_matches_by_words_of_a_digest_of_their_names() -> None:
    for number, weights in enumerate(match_weights(MATCHES, 5), start=1):
        drawn = [word % 3 for word in words(f"bootstrap/{DIGEST}/{number}", 3)]
        assert list(weights) == [drawn.count(place) for place in range(3)]


def test_normal_numbers_are_the_quantiles_at_the_words_of_a_digest() -> None:
    expected = [NormalDist().inv_cdf(((word >> 11) + 0.5) / 2**53) for word in words(f"normal/{DIGEST}", 8)]
    assert normal_draws(MATCHES, 4, 2).ravel().tolist() == pytest.approx(expected, abs=1e-12)


def test_draws_have_as_many_matches_as_there_are_and_each_as_often_as_the_others() -> None:
    names = [f"m{number}" for number in range(50)]
    draws = list(match_weights(names, 400))
    assert all(weights.sum() == 50 for weights in draws)
    # Over 400 draws a match is taken 400 times, give or take √400.
    assert all(abs(sum(int(weights[place]) for weights in draws) - 400) < 100 for place in range(50))


def test_normal_numbers_are_normal() -> None:
    numbers = normal_draws(MATCHES, 100, 100).ravel().tolist()
    assert fmean(numbers) == pytest.approx(0, abs=0.04)
    assert pstdev(numbers) == pytest.approx(1, abs=0.03)
