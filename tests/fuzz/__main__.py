"""The fuzzers with a fixed budget, the same on each run: `python -m tests.fuzz [--runs N] [TARGET...]`.

Each target runs its number of executions from its corpus, with a fixed seed. A find is printed, kept in the corpus, and
makes the exit status 1.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.fuzz.corpora import CORPUS, TARGETS, target

ROOT = Path(__file__).parents[2]
SEED = 1
LAST_LINES = 30
HANGS_S = 120
"""Seconds after which an execution counts as one that never ends."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Run the coverage-guided fuzzers.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"which of {', '.join(TARGETS)}; all if none")
    parser.add_argument("--runs", type=int, help="executions of each target; each target's own number if not given")
    asked = parser.parse_args()
    unknown = set(asked.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    with ThreadPoolExecutor(os.cpu_count() or 1) as crew:
        good = list(crew.map(partial(run, runs=asked.runs), asked.targets or TARGETS))
    return 0 if all(good) else 1


def run(name: str, runs: int | None) -> bool:
    """Whether a target ran to its end without a find."""
    due = target(name).RUNS if runs is None else runs
    with tempfile.TemporaryDirectory(prefix="fuzz-") as room:
        began = time.monotonic()
        done = fuzz(name, Path(room), due)
        took = time.monotonic() - began
        executed = re.search(r"^#(\d+)\s+DONE\s+cov: (\d+)", done.stdout, re.MULTILINE)
        if done.returncode == 0 and executed is not None and int(executed[1]) >= due:
            print(f"{name}: {executed[1]} executions, {executed[2]} edges, {took:.0f} s", flush=True)
            return True
        lines = [f"{name}: stopped with status {done.returncode}:", *done.stdout.splitlines()[-LAST_LINES:]]
        for found in sorted(Path(room, "finds").iterdir()):
            kept = CORPUS / name / f"found-{hashlib.sha256(found.read_bytes()).hexdigest()[:12]}"
            kept.write_bytes(found.read_bytes())
            lines.append(f"{name}: kept as {kept.relative_to(ROOT)}; see it again with")
            lines.append(f"    {sys.executable} -m pytest tests/fuzz/test_corpus.py -k {kept.name}")
    print("\n".join(lines), flush=True)
    return False


def fuzz(name: str, room: Path, runs: int, *more: str) -> subprocess.CompletedProcess[str]:
    """A campaign in a folder of its own: `finds` holds what breaks the property, `new` what reached new code."""
    for folder in ("finds", "new", "temporary"):
        (room / folder).mkdir()
    words = room / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target(name).WORDS), encoding="ascii")
    options = {
        "runs": runs,
        "seed": SEED,
        "max_len": target(name).LONGEST,
        "len_control": 0,
        "dict": words,
        "artifact_prefix": f"{room / 'finds'}/",
        "timeout": HANGS_S,
        "report_slow_units": HANGS_S,
        "rss_limit_mb": 2048,
    }
    command = [
        sys.executable,
        "-m",
        "tests.fuzz.campaign",
        name,
        *(f"-{key}={value}" for key, value in options.items()),
    ]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": str(room / "temporary")}
    return subprocess.run(
        [*command, *more, str(room / "new"), str(CORPUS / name)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        check=False,
    )


def _escaped(word: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02X}" for byte in word)


if __name__ == "__main__":
    sys.exit(main())
