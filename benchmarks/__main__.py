"""`make bench`: measures and prints, with the machine that it ran on."""

from __future__ import annotations

import datetime
import os
import platform

from benchmarks import turn


def main() -> None:
    print(f"{datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}  {platform.platform()}  {os.cpu_count()} cores")
    print(f"{platform.python_implementation()} {platform.python_version()}\n")
    cost = turn.measure()
    print("One turn of four echo bots in Python, everything on one core (medians)")
    print(f"  bare pipes  {cost.floor_us:7.1f} µs")
    print(f"  referee     {cost.referee_us:7.1f} µs   {cost.ratio:.2f} × the floor")


if __name__ == "__main__":
    main()
