"""95 % intervals of strengths and of ranks, from the errors that a bootstrap found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["rank_bounds", "widths"]

Floats = NDArray[np.float64]

_TAIL = 0.025
"""What an interval leaves out on each side."""

_LEAST_SPREAD = 1e-6
"""The least variance of a field, as a share of its errors' variance: with none, each draw would rank all bots alike."""

_BISECTIONS = 80


def widths(errors: Floats, least: Floats) -> Floats:
    """The standard error of each bot, shape (bots,), from errors of shape (draws, bots).

    That of the draws, but at least what the likelihood's curvature has: the draws of who won or lost everything hardly
    differ, nor do those of who sat in a match or two, though little is known of them. For all others that `least` is
    the smaller, since it takes the pairs of a match for independent.
    """
    return np.maximum(np.sqrt(np.mean(errors**2, axis=0)), least)


def rank_bounds(strengths: Floats, errors: Floats, least: Floats, noise: Floats) -> list[tuple[int, int]]:
    """The lowest and the highest rank of the interval of each bot among these, 1 the strongest.

    `errors` are those of the draws and `noise` standard normal numbers, both of shape (draws, bots).

    Estimates are spread wider than the truth, by their errors, and those of the draws spread them once more. So each
    draw is made one from what is believed after the season, in a field whose true strengths are normal with variance τ²
    around m: m + λ·(s − m) + √λ·e with λ = τ²/(τ² + se²), where e is the draw's error (Efron and Morris 1973). Ranks
    are whole, so an interval that leaves out at most 2.5 % on each side holds more than 95 %. Half of the draws with
    that very rank are therefore counted as beyond it (the mid-p of Lancaster 1961).
    """
    # What all move by matters to no rank; the median, since a bot of whom little is known would move a mean.
    errors = errors - np.median(errors, axis=1, keepdims=True)
    found = np.sqrt(np.mean(errors**2, axis=0))
    error = widths(errors, least)
    errors = errors + np.sqrt(error**2 - found**2) * noise
    middle, variance = _field(strengths, error**2)
    kept = variance / (variance + error**2)
    ranks = _ranks(middle + kept * (strengths - middle) + np.sqrt(kept) * errors)
    return [_bounds(ranks[:, bot]) for bot in range(len(strengths))]


def _field(strengths: Floats, variances: Floats) -> tuple[float, float]:
    """Mean and variance of the true strengths (Paule and Mandel 1982); who is known little counts little.

    The variance is that at which the weighted squares around the weighted mean are what they should be: their
    number less one. They fall as it grows.
    """

    def at(variance: float) -> tuple[float, float]:
        weights = 1 / (variance + variances)
        mean = float(np.sum(weights * strengths) / np.sum(weights))
        return mean, float(np.sum(weights * (strengths - mean) ** 2))

    low = _LEAST_SPREAD * float(np.mean(variances))
    high = low + float(np.sum((strengths - np.mean(strengths)) ** 2))
    for _ in range(_BISECTIONS):
        half = (low + high) / 2
        if at(half)[1] > len(strengths) - 1:
            low = half
        else:
            high = half
    return at(high)[0], high


def _ranks(strengths: Floats) -> NDArray[np.int64]:
    """1 the greatest of each row."""
    order = np.argsort(-strengths, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, strengths.shape[1] + 1)[None, :], axis=1)
    return ranks


def _bounds(ranks: NDArray[np.int64]) -> tuple[int, int]:
    ranks = np.sort(ranks)
    below, up_to = (np.searchsorted(ranks, ranks, side) for side in ("left", "right"))
    middle = (below + up_to) / (2 * len(ranks))
    inside = ranks[(middle >= _TAIL) & (middle <= 1 - _TAIL)]
    return int(inside[0]), int(inside[-1])
