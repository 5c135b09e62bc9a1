"""`make bench`: measures and prints, with the machine that it ran on and how busy that was."""

from __future__ import annotations

import datetime
import os
import platform
import tempfile
from pathlib import Path

from benchmarks import turn


def main() -> None:
    print(f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}  {platform.platform()}  {os.cpu_count()} cores")
    print(f"{platform.python_implementation()} {platform.python_version()}, {load()}\n")
    print(f"One turn of {turn.SEATS} echo bots, everything on one core")
    print(f"  times: medians over {turn.BLOCKS} blocks; ratio: median of the blocks' own ratios")
    tell("Python", turn.measure())
    with tempfile.TemporaryDirectory() as folder:
        command = turn.c_echo(Path(folder))
        if command is None:
            print("  C       skipped: no C compiler (cc) on the path")
        else:
            tell("C", turn.measure(command))


def load() -> str:
    """How many processes wanted a core over the last minute, this run's own not yet among them."""
    return f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"


def tell(language: str, cost: turn.TurnCost) -> None:
    print(
        f"  {language:<7} bare pipes {cost.floor_us:7.1f} µs   referee {cost.referee_us:7.1f} µs   "
        f"{cost.ratio:.2f} × the floor"
    )


if __name__ == "__main__":
    main()
