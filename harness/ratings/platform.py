"""The platform that decides the last digits of a rating."""

from __future__ import annotations

import hashlib
import math
import platform
from functools import lru_cache
from importlib.metadata import version
from statistics import NormalDist

__all__ = ["platform_name"]

_LIBRARIES = ("trueskill", "numpy", "scipy")
"""Whose arithmetic ratings go through, besides Python's and the C library's."""

_SAMPLES = 500


@lru_cache(maxsize=1)
def platform_name() -> str:
    """Interpreter, machine, C library, libraries, and a print of their arithmetic.

    Where these are the same, ratings are the same to the bit.
    """
    libraries = " ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    interpreter = f"{platform.python_implementation()} {platform.python_version()}"
    libc = " ".join(platform.libc_ver()).strip() or platform.version()
    return f"{interpreter}, {platform.system()} {platform.machine()}, {libc}, {libraries}, arithmetic {_arithmetic()}"


def _arithmetic() -> str:
    """Eight hex digits over what the functions that a rating is made of come to.

    A C library takes other code where the processor has other instructions, and its last digits may differ.
    """
    normal = NormalDist()
    points = [(place + 0.5) / _SAMPLES for place in range(_SAMPLES)]
    values = [
        value
        for x in points
        for value in (math.erfc(8 * x - 4), math.exp(-30 * x), math.log(x), normal.pdf(6 * x), normal.inv_cdf(x))
    ]
    return hashlib.sha256(" ".join(map(float.hex, values)).encode("ascii")).hexdigest()[:8]
