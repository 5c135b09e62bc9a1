"""A run that kills itself at the COUNT-th event of a KIND, having printed which processes came of it.

`python killed_run.py LEAGUE STORE WORKERS KIND COUNT`
"""

import json
import os
import signal
import sys
from pathlib import Path

from harness.executors import StopSignal
from harness.league import Event, load_league, run_league
from harness.store import open_store


def descendants(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(errors="replace")
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found = list(parents.get(pid, []))
    for child in found:
        found += parents.get(child, [])
    return found


def main() -> None:
    league, store_file, workers, kind, count = sys.argv[1:]
    left = int(count)

    def tell(event: Event) -> None:
        nonlocal left
        if type(event).__name__ == kind:
            left -= 1
            if left == 0:
                print(json.dumps(descendants(os.getpid())), flush=True)
                os.kill(os.getpid(), signal.SIGKILL)

    with open_store(store_file) as store, StopSignal() as stop:
        run_league(load_league(Path(league)), store, workers=int(workers), tell=tell, stop=stop)


if __name__ == "__main__":
    main()
