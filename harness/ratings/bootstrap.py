"""The draws of a bootstrap over matches: a function of the matches' names, so that anybody can draw them again.

Draw b, counted from 1, reads the SHAKE-256 digest of `bootstrap/{d}/{b}`, where d is the SHA-256, in hexadecimal, of
the matches' names, sorted, each followed by a line feed. Its eight-byte words, the least byte first, taken modulo the
number of matches, say which matches the draw is made of; with a million matches that is uneven by a share of 10⁻¹³.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

__all__ = ["match_weights", "normal_draws"]

_WORD = 8


def match_weights(matches: Sequence[str], draws: int) -> Iterator[NDArray[np.int64]]:
    """For each draw, how often each of the matches is in it, shape (matches,); as many in all as there are matches."""
    digest = _digest(matches)
    for draw in range(1, draws + 1):
        words = _words(f"bootstrap/{digest}/{draw}", len(matches))
        yield np.bincount((words % len(matches)).astype(np.int64), minlength=len(matches))


def normal_draws(matches: Sequence[str], draws: int, size: int) -> NDArray[np.float64]:
    """Standard normal numbers, shape (draws, size): at the shares (⌊w / 2¹¹⌋ + ½) / 2⁵³, w the words of `normal/{d}`.

    They are independent of the draws of matches.
    """
    words = _words(f"normal/{_digest(matches)}", draws * size)
    shares = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    normal: NDArray[np.float64] = ndtri(shares)
    return normal.reshape(draws, size)


def _digest(matches: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{name}\n" for name in sorted(matches)).encode()).hexdigest()


def _words(text: str, count: int) -> NDArray[np.uint64]:
    return np.frombuffer(hashlib.shake_256(text.encode("ascii")).digest(_WORD * count), dtype="<u8")
