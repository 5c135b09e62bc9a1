"""What it costs a bot to be contained: its start over that of plain bubblewrap, its turns over those of a bare bot.

Everything is measured in a process of its own that does nothing else, as a worker is: `python -m benchmarks.jail` with
a request as JSON on stdin. It is pinned to one core, bots and all, and what is compared takes turns. Plain bubblewrap
is the same binary with all namespaces, the runtimes' folders, `/proc`, `/dev` and an empty `/tmp`: no filter, no
groups, no limits, no user.
"""

from __future__ import annotations

import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.fixtures import SEATS, friendly, home_of, turns_of
from benchmarks.pipes import LIMITS
from benchmarks.turn import c_echo
from harness.referee import pinned, play
from sandbox import Backend, Limits, Probe, Process, backend, become_subreaper, probe, scratch_folder, sweep
from sandbox.bubblewrap import bubblewrap_programs
from sandbox.jail_root import runtime_folders

__all__ = ["BACKENDS", "FULL", "QUICK", "SLOW", "JailCost", "Sizes", "echo_bot", "measure", "probed"]

BACKENDS = ("bubblewrap", "landlock", "docker")

_READY_MS = 60_000
_IMAGE = "tacora-benchmarks"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often: `starts` of each kind; `blocks` of a match bare and one contained, each of `games` games."""

    starts: int
    blocks: int
    games: int


FULL = Sizes(starts=150, blocks=200, games=50)
SLOW = Sizes(starts=12, blocks=12, games=50)
"""For containers, which take a quarter of a second to start and another to go."""
QUICK = Sizes(starts=3, blocks=2, games=3)


@dataclass(frozen=True, slots=True)
class JailCost:
    """Medians: of starts until the first line in ms, of turns in µs; `turn_ratio` is that of the blocks' own ratios.

    `plain_ms` is 0 where there is no bubblewrap.
    """

    start_ms: float
    plain_ms: float
    bare_ms: float
    turn_us: float
    bare_turn_us: float
    turn_ratio: float


def probed(name: str) -> Probe:
    """What a backend holds here, to be asked whether it works. Of docker, by the daemon of HARNESS_TEST_DOCKER."""
    if name != "docker":
        return probe(name)[0]
    host = os.environ.get("HARNESS_TEST_DOCKER")
    if not host:
        return Probe(name, "", (), "cpu", ("HARNESS_TEST_DOCKER names no daemon",))
    from sandbox.image.make_image import make_image

    make_image(_IMAGE, host)
    before = dict(os.environ)
    os.environ.update(DOCKER_HOST=host, HARNESS_DOCKER_IMAGE=_IMAGE)
    try:
        return probe(name)[0]
    finally:
        os.environ.clear()
        os.environ.update(before)


def measure(found: Probe, sizes: Sizes, program: Path) -> JailCost:
    """Measure a backend that works with a bot that says that it is ready and then echoes, in a process of its own."""
    request = json.dumps([found.to_json(), asdict(sizes), str(program)])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks.jail"],
        input=request,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH"))))},
    )
    return JailCost(**json.loads(done.stdout))


_ROOT = str(Path(__file__).parents[1])


def _measured(found: Probe, sizes: Sizes, program: Path) -> JailCost:
    become_subreaper()
    contained, bare = backend(found), backend("bare")
    contained.enter()
    with tempfile.TemporaryDirectory(prefix="bench-jail-") as place, pinned():
        scratch = Path(place)
        scratch.chmod(0o755)
        kinds: dict[str, Callable[[], float]] = {
            "contained": partial(_start_s, contained, [f"./{program.name}"], program.parent, scratch, LIMITS),
            "bare": partial(_start_s, bare, [f"./{program.name}"], program.parent, scratch, None),
        }
        if programs := bubblewrap_programs():
            words = [found.settings.get("bwrap", programs[0]), *_plain(program)]
            kinds["plain"] = partial(_start_s, bare, words, program.parent, scratch, None)
        for start_s in kinds.values():
            start_s()  # what is prepared once in a process is no part of a start
        starts: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(sizes.starts):
            for kind, start_s in kinds.items():
                starts[kind].append(start_s() * 1000)
        turns: list[tuple[float, float]] = []
        for block in range(sizes.blocks):
            # Each goes first every other time: what a block leaves behind meets both alike.
            order = (contained, bare) if block % 2 else (bare, contained)
            took = {within.name: _turn_us(within, program, scratch, sizes.games) for within in order}
            turns.append((took[contained.name], took[bare.name]))
    return JailCost(
        start_ms=statistics.median(starts["contained"]),
        plain_ms=statistics.median(starts.get("plain", [0.0])),
        bare_ms=statistics.median(starts["bare"]),
        turn_us=statistics.median(turn for turn, _ in turns),
        bare_turn_us=statistics.median(turn for _, turn in turns),
        turn_ratio=statistics.median(turn / bare_turn for turn, bare_turn in turns),
    )


def _plain(program: Path) -> Iterator[str]:
    yield from ("--unshare-all", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")
    for place, link in runtime_folders():
        yield from ("--symlink", link, place) if link is not None else ("--ro-bind", place, place)
    folder = str(program.parent)
    yield from ("--ro-bind", folder, folder, "--", str(program))


def _start_s(within: Backend, command: Sequence[str], home: Path, scratch: Path, limits: Limits | None) -> float:
    """Seconds from nothing to the first line of a program, its scratch space included."""
    with ExitStack() as stack:
        began = time.perf_counter()
        folder = stack.enter_context(scratch_folder(scratch, limits))
        process = within.start(command, folder=home, scratch=folder, limits=LIMITS)
        stack.callback(process.close)
        _first_line(process)
        return time.perf_counter() - began


def _first_line(process: Process) -> None:
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    if not poll.poll(_READY_MS) or not process.read():
        process.read_stderr()
        raise RuntimeError(f"the program says nothing: {process.errors.text()}")


def _turn_us(within: Backend, program: Path, scratch: Path, games: int) -> float:
    """µs a turn of a match of that many games more than one: start-up and end drop out."""
    times, turns = [], []
    homes = [home_of([f"./{program.name}"], program.parent)] * SEATS
    for number in (1, 1 + games):
        fixture = friendly(number)
        began = time.perf_counter()
        played = play(fixture, homes, backend=within, scratch=scratch)
        times.append(time.perf_counter() - began)
        sweep()
        # A bot that is out answers nothing, and a turn without answers is cheap.
        assert not played.record["faults"], played.record["faults"]
        turns.append(turns_of(played.record))
    return (times[1] - times[0]) / (turns[1] - turns[0]) * 1e6


@contextmanager
def echo_bot() -> Iterator[Path | None]:
    """The echo bot in C, in a folder that any user may read; None where there is no compiler."""
    with tempfile.TemporaryDirectory(prefix="bench-echo-") as folder:
        Path(folder).chmod(0o755)
        command = c_echo(Path(folder))
        yield None if command is None else Path(command[0])


def _main() -> None:
    found, sizes, program = json.load(sys.stdin)
    print(json.dumps(asdict(_measured(Probe.from_json(found), Sizes(**sizes), Path(program)))))


if __name__ == "__main__":
    _main()
