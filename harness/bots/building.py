"""Building a bot: its `build` is run once, in a copy of its folder, under limits of its own."""

from __future__ import annotations

import os
import posixpath
import select
import time
from dataclasses import dataclass, replace
from pathlib import Path

from harness.bots.archive import pack, unpack, write_files
from harness.bots.bot import Bot
from harness.bots.build_disk import disk_trouble
from harness.bots.manifest import Manifest
from harness.bots.version import BUILT_LIMIT, read_folder, version_of
from harness.errors import BotError, Interrupted
from harness.protocol import visible
from sandbox import PASSABLE, Backend, Limits, Process, StartFailed, scratch_folder

__all__ = ["Built", "build"]

CPU_SECONDS = 300.0
"""CPU time that a build may use."""
WALL_SECONDS = 3 * CPU_SECONDS
"""How long a build may take: one that waits for what never comes uses no CPU time."""
BUILD_LIMITS = Limits(memory_mb=2048, processes=256, disk_mb=1024, files=65_536, open_files=1024)
DISK_WAIT_S = 1.0
"""Between two looks at what a build has written, where its folder is no file system of its own that bounds it."""
LEAST_WAIT_S = 0.001
"""Between two looks at the CPU time, where hardly any is left."""
BLIND_WAIT_S = 0.1
"""Between two looks where no descriptor tells of a process's end (macOS)."""
LAST_READS = 16
"""Of 64 KiB at most each; a pipe holds 1 MiB at most."""
TAIL_BYTES = 4096
TAIL_LINES = 4
LINE_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made: the archive of the folder afterwards, and the hash of its files."""

    archive: bytes
    hash: str


def build(
    bot: Bot,
    *,
    within: Backend,
    scratch: Path,
    cpu_s: float = CPU_SECONDS,
    wall_s: float = WALL_SECONDS,
    limits: Limits = BUILD_LIMITS,
    stop_fd: int = -1,
) -> Built:
    """Build a bot whose manifest has a `build`, in a folder of its own under `scratch`, within that sandbox.

    BotError with the last lines of the build's output when it fails, uses more than `cpu_s` seconds of CPU, takes
    longer than `wall_s` seconds, hits one of the `limits` or leaves what can't be kept. SandboxError where the machine
    fails. Interrupted, with nothing of the build left running, as soon as `stop_fd` can be read or its other end is
    closed.
    """
    manifest = bot.manifest
    assert manifest.build is not None, "there is nothing to build"
    with scratch_folder(scratch, limits) as room:
        folder, home = room / "bot", room / "home"
        room.chmod(PASSABLE)
        folder.mkdir()
        folder.chmod(0o755)
        home.mkdir()
        write_files(unpack(bot.archive, manifest.name), folder, writable=True)
        _run(manifest, manifest.build, room, within, limits, cpu_s, wall_s, stop_fd)
        own = _own_program(manifest)
        # Where a jail lets nobody change modes a linker could not mark it, so what is run is taken for executable.
        made = tuple(
            replace(file, executable=True) if file.path == own else file
            for file in read_folder(folder, f"{manifest.name}: build", limit=BUILT_LIMIT)
        )
    if own is not None and own not in {file.path for file in made}:
        raise BotError(
            f"{manifest.name}: build: ended well and made no {visible(own, 60)}; let it write what `command` runs"
        )
    return Built(pack(made), version_of(made))


def _own_program(manifest: Manifest) -> str | None:
    """The file of the bot's own that its command runs, from its folder; None where it runs one of the machine's."""
    program = posixpath.normpath(manifest.command[0])
    return None if "/" not in manifest.command[0] or program.startswith(("/", "../")) else program


def _run(
    manifest: Manifest,
    command: tuple[str, ...],
    room: Path,
    within: Backend,
    limits: Limits,
    cpu_s: float,
    wall_s: float,
    stop_fd: int,
) -> None:
    place = f"{manifest.name}: build"
    try:
        process = within.start(command, folder=room / "bot", scratch=room / "home", limits=limits, writable=True)
    except StartFailed as error:
        shown = visible(command[0], 60)
        raise BotError(f"{place}: {shown} can't be run ({visible(str(error), 200)}); is it installed here?") from error
    try:
        process.close_stdin()
        followed = _follow(process, _Watch(room, limits, cpu_s, wall_s), stop_fd)
        breach = process.breach() if process.ended() != 0 else None
    finally:
        status = process.close()
    if followed is None:
        raise Interrupted(f"stopped while {manifest.name} was being built; nothing of it is kept")
    said, trouble = followed
    if trouble is None and status:
        trouble = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
    if trouble is not None and breach is not None:
        trouble += f", having hit a limit for builds ({breach.evidence})"
    if trouble is not None:
        raise BotError(
            f"{place}: {visible(' '.join(command), 100)} {trouble}{_last_lines(process.errors.text() or said)}"
        )


class _Watch:
    """Looks at what a build has used: no sooner than it can have used up what it may, with all cores of the machine.

    What it has written is looked at each second, but where its room is a file system that ends by itself.
    """

    def __init__(self, room: Path, limits: Limits, cpu_s: float, wall_s: float) -> None:
        self._room = None if os.path.ismount(room) else room
        self._limits = limits
        self._cpu_s, self._wall_s = cpu_s, wall_s
        self._cores = os.cpu_count() or 1
        self._look = self._disk_look = time.monotonic()
        self._end = self._look + wall_s

    def trouble(self, process: Process) -> str | None:
        """What the build is to be stopped for, if it is time for a look."""
        now = time.monotonic()
        if now < self._look:
            return None
        left_s = self._cpu_s - process.cpu_us(fresh=True) / 1e6
        if left_s < 0:
            return f"used more than {self._cpu_s:g} s of CPU"
        if now >= self._end:
            return f"took longer than {self._wall_s:g} s"
        self._look = min(self._end, now + max(left_s / self._cores, LEAST_WAIT_S))
        if process.exit_fd < 0:
            self._look = min(self._look, now + BLIND_WAIT_S)
        if self._room is None:
            return None
        trouble = None
        if now >= self._disk_look:
            trouble = disk_trouble(self._room, self._limits)
            self._disk_look = time.monotonic() + DISK_WAIT_S
        self._look = min(self._look, self._disk_look)
        return trouble

    def wait_ms(self) -> float:
        """Until the next look."""
        return max(0.0, self._look - time.monotonic()) * 1000


def _follow(process: Process, watch: _Watch, stop_fd: int) -> tuple[str, str | None] | None:
    """Wait for the end, or for a stop, for which it returns None.

    What it wrote to stdout last, and what it was stopped for, None if it came to its own end.
    """
    poller = select.poll()
    for descriptor in (process.stdout, process.stderr, process.exit_fd, stop_fd):
        if descriptor >= 0:
            poller.register(descriptor, select.POLLIN)
    tail = b""
    trouble = None
    while process.ended() is None:
        trouble = watch.trouble(process)
        if trouble is not None:
            break
        for descriptor, _ in poller.poll(watch.wait_ms()):
            if descriptor == stop_fd:
                return None
            if descriptor == process.stdout:
                data = process.read()
                tail = (tail + (data or b""))[-TAIL_BYTES:]
                if data == b"":
                    poller.unregister(descriptor)
            elif descriptor == process.stderr and not process.read_stderr():
                poller.unregister(descriptor)
    # What is left in the pipe, and no more: a process that outlives the build may write for ever.
    for _ in range(LAST_READS):
        tail = (tail + (process.read() or b""))[-TAIL_BYTES:]
    return tail.decode("utf-8", "replace"), trouble


def _last_lines(text: str) -> str:
    lines = [visible(line, LINE_LENGTH) for line in text.splitlines() if line.strip()][-TAIL_LINES:]
    return f": {' | '.join(lines)}" if lines else ", without a word; see what it does in a copy of the folder"
