"""Fills the corpora anew: `python -m tests.fuzz.refill RUNS [TARGET...]`, after a format or a target has changed.

The seeds of each target are written, then a campaign runs, and of what reached new code the smallest files are kept,
as few as reach all of it and no more than a few KiB together. What was found once stays.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz.__main__ import ROOT, fuzz
from tests.fuzz.corpora import CORPUS, TARGETS, inputs, target

MOST_KEPT = 14 * 1024
"""Bytes of the inputs that a fuzzer made, for each target."""
MOST_FILES = 40
"""How many of them at most."""


def refill(name: str, runs: int) -> None:
    (CORPUS / name).mkdir(parents=True, exist_ok=True)
    for old in inputs(name):
        if not old.name.startswith("found-"):
            old.unlink()
    for seed, data in target(name).seeds().items():
        (CORPUS / name / seed).write_bytes(data)
    with tempfile.TemporaryDirectory(prefix="refill-") as place:
        room = Path(place)
        done = fuzz(name, room, runs)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stdout[-3000:]}")
        (room / "least").mkdir()
        merge = [sys.executable, "-m", "tests.fuzz.campaign", name, "-merge=1"]
        folders = [room / "least", CORPUS / name, room / "new"]
        subprocess.run([*merge, *map(str, folders)], cwd=ROOT, check=True, capture_output=True)
        ours = {path.read_bytes() for path in inputs(name)}
        left = MOST_KEPT
        found = sorted((room / "least").iterdir(), key=lambda path: (path.stat().st_size, path.name))
        for path in found[:MOST_FILES]:
            data = path.read_bytes()
            left -= len(data)
            if data not in ours and left >= 0:
                (CORPUS / name / f"made-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)


if __name__ == "__main__":
    for one in sys.argv[2:] or TARGETS:
        refill(one, int(sys.argv[1]))
