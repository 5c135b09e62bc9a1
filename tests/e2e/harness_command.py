"""Drives the installed `harness` command as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HARNESS = Path(sys.executable).with_name("harness")

BARE = 'backend = "bare"\ntrust_bots = true'
"""The `[sandbox]` of a league that is not about containment: quick, and its bots can be seen from outside."""

CONTAINED = ""
"""That of a league that leaves it to the harness: contained, and trusting nobody."""


def harness(
    *words: str | Path, cwd: Path, expect: int | None = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end; `expect` is its exit status, None for any."""
    done = subprocess.run(
        [HARNESS, *map(str, words)],
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if expect is not None:
        assert done.returncode == expect, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done


def started(*words: str | Path, cwd: Path) -> subprocess.Popen[str]:
    """Starts a command in a session of its own, its output going to pipes."""
    return subprocess.Popen(
        [HARNESS, *map(str, words)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )


def league_text(
    name: str,
    bots: Sequence[str],
    *,
    seats: str = "[4]",
    games: int = 3,
    rounds: int = 2,
    seed: str | None = "a practice",
    limits: str = "",
    more: str = "",
    sandbox: str = BARE,
) -> str:
    """A league file; each of `bots` is the body of a [[bots]] table such as `sample = "never"`."""
    lines = [
        "[league]",
        f'name = "{name}"',
        'edition = "iello-2016"',
        'format = "round-robin"',
        f"seats = {seats}",
        f"games = {games}",
        f"rounds = {rounds}",
    ]
    if seed is not None:
        lines.append(f'seed = "{seed}"')
    lines += [more, "[sandbox]", sandbox, "[limits]", limits]
    for bot in bots:
        lines += ["[[bots]]", bot]
    return "\n".join(lines) + "\n"
