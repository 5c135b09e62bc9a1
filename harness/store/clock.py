"""The time of day, as the measured tables keep it."""

from __future__ import annotations

import time

__all__ = ["now_us"]


def now_us() -> int:
    """Now, in whole µs UTC."""
    return time.time_ns() // 1000
