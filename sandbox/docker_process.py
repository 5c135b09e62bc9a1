"""A program that runs in a container: the face of a process, made of what a Docker daemon and the kernel tell of it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final

from sandbox.accounting import WallAccount
from sandbox.docker_daemon import Daemon
from sandbox.docker_group import ContainerGroup
from sandbox.docker_streams import FrameReader, half_close
from sandbox.errors import SandboxError
from sandbox.jail import Breach, disk_breach
from sandbox.killing import DEATH_MS
from sandbox.limits import Limits
from sandbox.process import Process, Usage
from sandbox.procfs import children_of, read_queued_us, threads_exiting

__all__ = ["WAITING", "DockerProcess"]

WAITING: Final = ("/bin/sh", "-c", 'read -r _ && unset PWD OLDPWD SHLVL _ && exec "$@"', "sh")
"""Words before a program's own: it must not begin, and end perhaps, before its counters are found.

Of what comes on stdin a shell takes the first line and no byte more, and then becomes the program.
"""
_GO: Final = b"\n"

_LAST_WORDS_S = 2.0
"""Seconds that the daemon has to send what a container that has ended said last."""
_MOST_LAST_WORDS = 4 << 20
_READS = 4


class DockerProcess(Process):
    """The program of one container; ended, closed and asked as any other. Closing it removes the container.

    `stdin` and `stdout` are two descriptors of one socket. `exit_fd` turns readable at the kernel's word where that is
    to be had: the daemon takes some 20 ms longer, and then the counters of the group are gone. `pid` is that of the
    container's init as seen from here, 0 where it is not.
    """

    __slots__ = (
        "_by_kernel",
        "_cleanup",
        "_container",
        "_daemon",
        "_end_fd",
        "_err_frames",
        "_first",
        "_group",
        "_limits",
        "_out_frames",
        "_out_of_memory",
        "_scratch",
        "_wall",
    )

    def __init__(self, daemon: Daemon, container: str, limits: Limits, cleanup: contextlib.ExitStack) -> None:
        """Attach to a container that was made, and start it. SandboxError, after which `cleanup` is still the caller's.

        What is in `cleanup` is taken over, to be closed with the process: it removes the container.
        """
        super().__init__(limits.stderr_kb)
        self._daemon = daemon
        self._container = container
        self._limits = limits
        self._cleanup = contextlib.ExitStack()
        self._out_frames, self._err_frames = FrameReader(), FrameReader()
        self._out_of_memory = False
        self._first = 0
        self._group: ContainerGroup | None = None
        self._wall = WallAccount()
        self._end_fd = self._scratch = -1
        self._by_kernel = False
        try:
            self.stdout = daemon.attach(container, stdin=1, stdout=1)
            self.stdin = os.dup(self.stdout)  # a poller takes each descriptor once
            self.stderr = daemon.attach(container, stderr=1)
            for descriptor in (self.stdin, self.stdout, self.stderr):
                os.set_blocking(descriptor, False)
            self._end_fd = daemon.await_end(container)
            daemon.start(container)
            self._group = self._meet(daemon.state(container))
            self.write(_GO)
        except BaseException:
            self._hang_up()
            self._close_descriptors()
            raise
        self.cpu_us = self._wall.sample if self._group is None else self._group.cpu_us
        self._cleanup = cleanup.pop_all()

    @property
    def counted(self) -> bool:
        """Whether CPU time is known; else `cpu_us` tells the time since the start."""
        return self._group is not None

    def _meet(self, state: Mapping[str, Any]) -> ContainerGroup | None:
        """Learn what can be learnt from this side, while the container waits for the word to go. SandboxError."""
        if not state["Running"]:
            raise SandboxError(f"a container ended with status {state['ExitCode']} before the program was reached")
        pid = int(state["Pid"])
        group = None
        with contextlib.suppress(SandboxError):
            group = ContainerGroup(pid, self._container, self._limits)
            self.pid = pid
            # What is open outlives the container, and so what can be asked of its space.
            with contextlib.suppress(OSError):
                self._scratch = os.open(f"/proc/{pid}/root/tmp", os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
            with contextlib.suppress(OSError):
                self.exit_fd = os.pidfd_open(pid)
                self._by_kernel = True
        if self.exit_fd < 0:
            self.exit_fd = os.dup(self._end_fd)
        return group

    def close_stdin(self) -> None:
        """Give the program end of file, after what waits if that fits."""
        if self.stdin >= 0:
            self.flush()
            half_close(self.stdin)
        super().close_stdin()

    def read(self) -> bytes | None:
        """What the program wrote to stdout; None if there is nothing now, empty at end of file."""
        if self._group is not None:
            self._group.cpu_us()  # after the end it may be too late to ask
        return self._out_frames.read(self.stdout)

    def read_stderr(self) -> bool:
        """Take what is on stderr now into `errors`; False at end of file. A flood does not hold it up."""
        for _ in range(_READS):
            data = self._err_frames.read(self.stderr)
            if data is None:
                return True
            if not data:
                return False
            self.errors.feed(data)
        return True

    def ended(self) -> int | None:
        """Exit status, or negative signal; None while it lives. SandboxError if the daemon can't tell.

        128 and a signal's number is taken for the signal, since init tells no more: a program that exits with 137 has,
        by this account, been killed. Waits for the daemon, some 20 ms, if the kernel has told of the end already.
        """
        if self._status is None and self._over():
            self._learn_end()
        return self._status

    def exiting(self) -> bool:
        """Whether the program has ended or the kernel has begun to end it."""
        if self.ended() is not None:
            return True
        first = self._first_pid()
        return first is not None and threads_exiting(first)

    def queued_us(self) -> int | None:
        """µs that the program's first thread was ready to run and had no core; None where that is not known."""
        first = self._first_pid()
        return None if first is None else read_queued_us(first)

    def breach(self) -> Breach | None:
        """The limit of the sandbox that the program has hit, if that can be proved. To be asked before `close`."""
        found = None if self._group is None else self._group.breach()
        if found is None and self._out_of_memory:
            found = Breach("memory", f"memory_mb is {self._limits.memory_mb}: the daemon says that it ran out")
        scratch = Path(f"/proc/self/fd/{self._scratch}") if self._scratch >= 0 else None
        return found or disk_breach(None, scratch, self._limits)

    def kill(self) -> None:
        """SIGKILL to all that runs in the container. Does not wait for its end."""
        if self._closed or self._status is not None:
            return
        if self._by_kernel:
            # With its init goes the whole namespace.
            with contextlib.suppress(OSError):
                if not _readable(self.exit_fd):
                    signal.pidfd_send_signal(self.exit_fd, signal.SIGKILL)
                return
        # That this can be read may also mean that the connection is lost.
        if _readable(self._end_fd) and not self._daemon.state(self._container).get("Running"):
            return
        # The daemon waits for a client that has stopped reading, before it kills (moby#41827).
        self._hang_up()
        self._daemon.kill(self._container)

    def close(self) -> int | None:
        """Kill what runs, take the rest of stderr, remove the container; exit status or negative signal.

        Safe to repeat. SandboxError if the container can't be removed.
        """
        if self._closed:
            return self._status
        try:
            self.kill()
            poll = select.poll()
            poll.register(self.exit_fd, select.POLLIN)
            if not poll.poll(DEATH_MS):
                raise SandboxError(f"container {self._container[:12]} was killed and does not end")
            with contextlib.suppress(SandboxError):
                self.ended()
            while (data := self._err_frames.read(self.stderr)) and self.errors.total < _MOST_LAST_WORDS:
                self.errors.feed(data)
        finally:
            self._closed = True
            self._hang_up()
            self._close_descriptors()
            self._cleanup.close()
        return self._status

    def _over(self) -> bool:
        return self._status is not None or bool(_readable(self.exit_fd, self._end_fd))

    def _learn_end(self) -> None:
        if self._group is not None:
            peak_kib = self._group.peak_kib()
            self._group.keep()
            self.usage = Usage(self._group.cpu_us(), peak_kib)
        else:
            self._wall.settle(0)
            self.usage = Usage(0, 0)
        self._keep_last_words()
        state = self._daemon.state(self._container)
        if state.get("Running"):
            raise SandboxError("the connection to the Docker daemon has been lost")
        self._out_of_memory = bool(state.get("OOMKilled"))
        code = int(state["ExitCode"])
        self._status = 128 - code if 128 < code <= 128 + signal.SIGRTMAX else code

    def _keep_last_words(self) -> None:
        """Take what the program said last, for later reads, and wait until the daemon has noticed its end.

        In one: the daemon first gets rid of what was said (moby#41827).
        """
        poll = select.poll()
        streams = {self.stdout: self._out_frames, self.stderr: self._err_frames}
        for descriptor in (*streams, self._end_fd):
            poll.register(descriptor, select.POLLIN)
        told = False
        until = monotonic() + DEATH_MS / 1000
        while not (told and all(frames.ended for frames in streams.values())):
            left = until - monotonic()
            if left <= 0:
                if told:
                    return
                raise SandboxError(f"container {self._container[:12]} has ended and the Docker daemon does not notice")
            for descriptor, _ in poll.poll(left * 1000):
                if descriptor == self._end_fd:
                    told, until = True, monotonic() + _LAST_WORDS_S
                    poll.unregister(descriptor)
                    continue
                streams[descriptor].keep(descriptor, _MOST_LAST_WORDS)
                if streams[descriptor].ended:
                    poll.unregister(descriptor)

    def _first_pid(self) -> int | None:
        """The program's first process as seen from here: init's only child while that lives."""
        if not self._first and self.pid and self._status is None:
            self._first = next(iter(children_of(self.pid, threads=1)), 0)
        return self._first or None

    def _hang_up(self) -> None:
        """End the conversation in both directions."""
        half_close(self.stdout, both=True)
        half_close(self.stderr, both=True)

    def _close_descriptors(self) -> None:
        if self._group is not None:
            self._group.keep()
        for descriptor in (self.stdin, self.stdout, self.stderr, self.exit_fd, self._end_fd, self._scratch):
            if descriptor >= 0:
                os.close(descriptor)
        self.stdin = self.stdout = self.stderr = self.exit_fd = self._end_fd = self._scratch = -1
        self._pending.clear()


def _readable(*descriptors: int, timeout_ms: int = 0) -> Sequence[object]:
    poll = select.poll()
    for descriptor in descriptors:
        if descriptor >= 0:
            poll.register(descriptor, select.POLLIN)
    return poll.poll(timeout_ms)
