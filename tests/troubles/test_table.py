"""The table of known troubles is whole, and the tests that it names are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROWS = re.compile(r"^\| (\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
NODE = re.compile(r"`([\w/]+\.py::\w+)`")
HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def rows() -> list[tuple[int, str, str]]:
    text = HERE.joinpath("README.md").read_text(encoding="utf-8")
    return [(int(number), what, tests) for number, what, tests in ROWS.findall(text)]


def test_every_trouble_has_a_line_with_tests() -> None:
    assert [number for number, _, _ in rows()] == list(range(1, 29))
    for number, what, tests in rows():
        assert len(what) > 20, number
        assert NODE.search(tests), number


def test_every_test_that_is_named_is_there() -> None:
    short = HERE.relative_to(ROOT).as_posix()
    named = {name for _, _, tests in rows() for name in NODE.findall(tests)}
    nodes = sorted(name if name.startswith("tests/") else f"{short}/{name}" for name in named)
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *nodes]
    done = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    collected = {line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line}
    assert set(nodes) == collected
