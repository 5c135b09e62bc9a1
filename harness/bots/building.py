"""Building a bot: its `build` is run once, in a copy of its folder, under limits of its own."""

from __future__ import annotations

import posixpath
import select
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from harness.bots.archive import pack, unpack, write_files
from harness.bots.bot import Bot
from harness.bots.manifest import Manifest
from harness.bots.version import BUILT_LIMIT, read_folder, version_of
from harness.errors import BotError
from harness.protocol import visible
from sandbox import Backend, Limits, Process, StartFailed, backend, scratch_folder

__all__ = ["Built", "build"]

CPU_SECONDS = 300.0
"""CPU time that a build may use."""
WALL_SECONDS = 3 * CPU_SECONDS
"""How long a build may take: one that waits for what never comes uses no CPU time."""
BUILD_LIMITS = Limits(memory_mb=2048, processes=256, disk_mb=1024)
LOOK_MS = 100
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
    within: Backend | None = None,
    scratch: Path | None = None,
    cpu_s: float = CPU_SECONDS,
    wall_s: float = WALL_SECONDS,
) -> Built:
    """Build a bot whose manifest has a `build`, in a folder of its own under `scratch` (by default the system's).

    `within` is the sandbox, by default none: whoever calls sees to it that the bot's author is trusted then.
    BotError with the last lines of the build's output when it fails, uses more than `cpu_s` seconds of CPU, takes
    longer than `wall_s` seconds or leaves what can't be kept. SandboxError where the machine fails.
    """
    manifest = bot.manifest
    assert manifest.build is not None, "there is nothing to build"
    with scratch_folder(scratch or Path(tempfile.gettempdir())) as room:
        folder, home = room / "bot", room / "home"
        folder.mkdir()
        home.mkdir()
        write_files(unpack(bot.archive, manifest.name), folder, writable=True)
        _run(manifest, manifest.build, folder, home, within or backend("bare"), cpu_s, wall_s)
        made = read_folder(folder, f"{manifest.name}: build", limit=BUILT_LIMIT)
    program = posixpath.normpath(manifest.command[0])
    is_own = "/" in manifest.command[0] and not program.startswith("/")
    if is_own and program not in {file.path for file in made}:
        raise BotError(
            f"{manifest.name}: build: ended well and made no {visible(program, 60)}; let it write what `command` runs"
        )
    return Built(pack(made), version_of(made))


def _run(
    manifest: Manifest, command: tuple[str, ...], folder: Path, home: Path, within: Backend, cpu_s: float, wall_s: float
) -> None:
    place = f"{manifest.name}: build"
    try:
        process = within.start(command, folder=folder, scratch=home, limits=BUILD_LIMITS)
    except StartFailed as error:
        shown = visible(command[0], 60)
        raise BotError(f"{place}: {shown} can't be run ({visible(str(error), 200)}); is it installed here?") from error
    try:
        process.close_stdin()
        said, trouble = _follow(process, cpu_s, wall_s)
    finally:
        status = process.close()
    if trouble is None and status:
        trouble = f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"
    if trouble is not None:
        raise BotError(
            f"{place}: {visible(' '.join(command), 100)} {trouble}{_last_lines(process.errors.text() or said)}"
        )


def _follow(process: Process, cpu_s: float, wall_s: float) -> tuple[str, str | None]:
    """Wait for the end. What it wrote to stdout last, and what it was stopped for, None if it came to its own end."""
    poller = select.poll()
    for descriptor in (process.stdout, process.stderr, process.exit_fd):
        if descriptor >= 0:
            poller.register(descriptor, select.POLLIN)
    tail = b""
    trouble = None
    end = time.monotonic() + wall_s
    while process.ended() is None:
        for descriptor, _ in poller.poll(LOOK_MS):
            if descriptor == process.stdout:
                data = process.read()
                tail = (tail + (data or b""))[-TAIL_BYTES:]
                if data == b"":
                    poller.unregister(descriptor)
            elif descriptor == process.stderr and not process.read_stderr():
                poller.unregister(descriptor)
        if process.cpu_us() > cpu_s * 1_000_000:
            trouble = f"used more than {cpu_s:g} s of CPU"
        elif time.monotonic() > end:
            trouble = f"took longer than {wall_s:g} s"
        if trouble is not None:
            break
    # What is left in the pipe, and no more: a process that outlives the build may write for ever.
    for _ in range(LAST_READS):
        tail = (tail + (process.read() or b""))[-TAIL_BYTES:]
    return tail.decode("utf-8", "replace"), trouble


def _last_lines(text: str) -> str:
    lines = [visible(line, LINE_LENGTH) for line in text.splitlines() if line.strip()][-TAIL_LINES:]
    return f": {' | '.join(lines)}" if lines else ", without a word; see what it does in a copy of the folder"
