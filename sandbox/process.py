"""One running program: its pipes, its account, its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.errors import MACHINE_ERRNOS, SandboxError
from sandbox.jail import Breach, Jail
from sandbox.killing import DEATH_MS, bury, kill_tree
from sandbox.orphans import living
from sandbox.output import FirstAndLast
from sandbox.procfs import CPU_CLOCKS, read_queued_us, threads_exiting
from sandbox.start import launch

__all__ = ["Process", "Usage", "spawn"]

_CHUNK = 64 * 1024
_MOST_PENDING = 1 << 20
_MOST_DRAINED = 64 * _CHUNK


@dataclass(frozen=True, slots=True)
class Usage:
    """What the kernel says after the end of the program and of children that it waited for."""

    cpu_us: int
    peak_kib: int  # of the largest single process


def spawn(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    program: str,
    home: str,
    jail: Jail,
    stderr_kb: int = 32,
    pass_fds: Collection[int] = (),
) -> Process:
    """Run a command in a session of its own. StartFailed: the program's fault; SandboxError: the machine's.

    `program` is the file that its first word means, `home` the HOME and TMPDIR by which its descendants are known,
    `jail` what the backend has put around it; it is closed with the process, and if there comes to be none.
    """
    try:
        pid, stdin, stdout, stderr = launch(command, folder, environment, program=program, pass_fds=pass_fds)
        try:
            return Process(pid, stdin, stdout, stderr, home, jail, stderr_kb)
        except BaseException:
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            for descriptor in (stdin, stdout, stderr):
                os.close(descriptor)
            raise
    except BaseException:
        with contextlib.suppress(SandboxError):
            jail.close()
        raise


class Process:
    """A program that runs, or has ended and is not closed yet. Not for use from two threads at once.

    `stdin`, `stdout`, `stderr`: the parent's ends, which do not block; -1 once closed. `exit_fd` turns readable
    when the program has ended; -1 where the system has no such thing. `errors` keeps what `read_stderr` took.
    `cpu_us()` is the CPU time in µs of the program and all its descendants so far, never decreasing; cheap, since
    descendants are looked up at most each 20 ms (2 ms once there are some) or for `cpu_us(fresh=True)`. Where the
    backend's clock is "wall" it is the time since the start instead.
    """

    __slots__ = (
        "_account",
        "_closed",
        "_jail",
        "_pending",
        "_reaped",
        "_status",
        "cpu_us",
        "errors",
        "exit_fd",
        "pid",
        "stderr",
        "stdin",
        "stdin_broken",
        "stdout",
        "usage",
    )

    def __init__(
        self, pid: int, stdin: int, stdout: int, stderr: int, home: str, jail: Jail, stderr_kb: int = 32
    ) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.stdin_broken = False
        self.errors = FirstAndLast(stderr_kb * 256, stderr_kb * 768)
        self.usage: Usage | None = None  # once closed
        self._jail = jail
        self._account = jail.account(pid, home)
        self.cpu_us = self._account.sample  # asked for at every answer: a method of our own would cost as much again
        self._pending = bytearray()
        self._status: int | None = None
        self._reaped = False
        self._closed = False
        self.exit_fd = -1
        try:
            self.exit_fd = os.pidfd_open(pid)
        except AttributeError:
            pass
        except OSError as error:
            if error.errno in MACHINE_ERRNOS:
                raise SandboxError(f"the machine can't start a process: {error.strerror}") from error
        living[pid] = self._account

    def write(self, data: bytes) -> bool:
        """Send to stdin without ever blocking; False while something waits: poll `stdin` for writing, then `flush`.

        A program that closed its stdin, or left more than 1 MiB unread, sets `stdin_broken`; from then on what is
        sent is lost.
        """
        if self.stdin_broken or self.stdin < 0:
            return True
        if not self._pending:
            try:
                sent = os.write(self.stdin, data)
            except BlockingIOError:
                sent = 0
            except OSError:
                return self._break_stdin()
            if sent == len(data):
                return True
            data = data[sent:]
        if len(self._pending) + len(data) > _MOST_PENDING:
            return self._break_stdin()
        self._pending += data
        return self.flush()

    def flush(self) -> bool:
        """Send what waits, as far as it fits; True when nothing is left."""
        while self._pending and self.stdin >= 0:
            try:
                del self._pending[: os.write(self.stdin, self._pending)]
            except BlockingIOError:
                return False
            except OSError:
                return self._break_stdin()
        return True

    def _break_stdin(self) -> bool:
        self.stdin_broken = True
        self._pending.clear()
        return True

    def close_stdin(self) -> None:
        """Give the program end of file, after what waits if that fits."""
        if self.stdin >= 0:
            self.flush()
            self._pending.clear()
            os.close(self.stdin)
            self.stdin = -1

    def read(self) -> bytes | None:
        """What the program wrote to stdout, at most 64 KiB; None if there is nothing now, empty at end of file."""
        if self.stdout < 0:
            return b""
        try:
            return os.read(self.stdout, _CHUNK)
        except BlockingIOError:
            return None

    def read_stderr(self) -> bool:
        """Take what is on stderr now into `errors`; False at end of file. A flood does not hold it up."""
        for _ in range(4):
            if self.stderr < 0:
                return False
            try:
                data = os.read(self.stderr, _CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.errors.feed(data)
        return True

    def ended(self) -> int | None:
        """Exit status, or negative signal; None while it lives. Never waits.

        SandboxError if the sandbox failed before the program was reached.
        """
        if self._status is None:
            raw = self._look()
            if raw is not None:
                self._status = self._translated(raw)
        return self._status

    def exiting(self) -> bool:
        """Whether the program has ended or the kernel has begun to end it, all threads of it.

        A stdout that closed because the program ends comes with this; one that the program closed does not.
        """
        if self.ended() is not None:
            return True
        if not CPU_CLOCKS:
            return False
        first = self._jail.first_pid(self.pid)
        return first is None or threads_exiting(first)

    def queued_us(self) -> int | None:
        """µs that the program's first thread was ready to run and had no core; None where that is not known."""
        if self._reaped:
            return None
        first = self._jail.first_pid(self.pid)
        return None if first is None else read_queued_us(first)

    def breach(self) -> Breach | None:
        """The limit of the sandbox that the program has hit, if that can be proved. To be asked before `close`."""
        return self._jail.breach(self.ended())

    def kill(self) -> None:
        """SIGKILL to the program, its session and all its descendants. Does not wait for their end."""
        if self._reaped:
            return
        self._jail.kill()
        kill_tree(self.pid, self._account)

    def close(self) -> int | None:
        """Kill the whole tree, reap it, take the rest of stderr, close all descriptors; exit status or negative signal.

        None only if something else in this process reaped the program. Safe to repeat. SandboxError if the kernel does
        not let the program die.
        """
        if not self._closed:
            self._closed = True
            try:
                self.kill()
                self._reap()
            finally:
                self._drain()
                for descriptor in (self.stdin, self.stdout, self.stderr, self.exit_fd):
                    if descriptor >= 0:
                        os.close(descriptor)
                self.stdin = self.stdout = self.stderr = self.exit_fd = -1
                self._pending.clear()
                self._jail.close()
        return self._status

    def _look(self) -> int | None:
        if not hasattr(os, "waitid"):
            status = self._take_status(os.WNOHANG)
            if status is not None:
                # Reaped, so this is the last moment at which its session can be named.
                with contextlib.suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)
            return status
        try:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            self._settled(0)
            raise SandboxError(f"something else in this process has reaped program {self.pid}") from None
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _translated(self, raw: int) -> int:
        try:
            return self._jail.status(raw)
        except SandboxError as error:
            self.read_stderr()
            said = self.errors.text().strip().splitlines()
            raise SandboxError(f"{error}: {said[-1]}" if said else str(error)) from error

    def _take_status(self, how: int) -> int | None:
        """Reap the program if it has ended, and settle its account."""
        try:
            pid, status, used = os.wait4(self.pid, how)
        except ChildProcessError:
            self._settled(0)
            return None
        if not pid:
            return None
        cpu_us = round((used.ru_utime + used.ru_stime) * 1e6)
        self.usage = Usage(cpu_us, used.ru_maxrss // (1024 if sys.platform == "darwin" else 1))
        self._settled(cpu_us)
        return os.waitstatus_to_exitcode(status)

    def _settled(self, cpu_us: int) -> None:
        self._reaped = True
        self._account.settle(cpu_us)
        living.pop(self.pid, None)

    def _reap(self) -> None:
        if self._reaped:
            return
        if self.exit_fd >= 0:
            poll = select.poll()
            poll.register(self.exit_fd, select.POLLIN)
            if not poll.poll(DEATH_MS):
                raise SandboxError(f"program {self.pid} was killed and does not end; the kernel holds it")
        try:
            # Before the program is reaped: so long its session's id is taken.
            bury(self.pid, self._account)
        finally:
            raw = self._take_status(0)
            if raw is not None and self._status is None:
                # Why a jail failed is of interest to who waits for a program, not to who ends it.
                with contextlib.suppress(SandboxError):
                    self._status = self._jail.status(raw)

    def _drain(self) -> None:
        taken = self.errors.total
        # Whatever still holds the other end may go on writing.
        with contextlib.suppress(OSError):
            while self.errors.total - taken < _MOST_DRAINED:
                before = self.errors.total
                if not self.read_stderr() or self.errors.total == before:
                    break
