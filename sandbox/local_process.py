"""A program that this machine runs as a process of ours: its pipes, its account, its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from sandbox.errors import MACHINE_ERRNOS, SandboxError
from sandbox.jail import Breach, Jail
from sandbox.killing import DEATH_MS, bury, kill_tree
from sandbox.orphans import living
from sandbox.process import Process, Usage
from sandbox.procfs import CPU_CLOCKS, read_queued_us, threads_exiting
from sandbox.start import launch

__all__ = ["LocalProcess", "spawn"]


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
) -> LocalProcess:
    """Run a command in a session of its own. StartFailed: the program's fault; SandboxError: the machine's.

    `program` is the file that its first word means, `home` the HOME and TMPDIR by which its descendants are known,
    `jail` what the backend has put around it; it is closed with the process, and if there comes to be none.
    """
    try:
        pid, stdin, stdout, stderr = launch(command, folder, environment, program=program, pass_fds=pass_fds)
        try:
            return LocalProcess(pid, stdin, stdout, stderr, home, jail, stderr_kb)
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


class LocalProcess(Process):
    """A child of this process, in a session of its own, with what its backend has put around it."""

    __slots__ = ("_account", "_jail", "_reaped")

    def __init__(
        self, pid: int, stdin: int, stdout: int, stderr: int, home: str, jail: Jail, stderr_kb: int = 32
    ) -> None:
        super().__init__(stderr_kb)
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self._jail = jail
        self._account = jail.account(pid, home)
        self.cpu_us = self._account.sample  # asked for at every answer: a method of our own would cost as much again
        self._reaped = False
        try:
            self.exit_fd = os.pidfd_open(pid)
        except AttributeError:
            pass
        except OSError as error:
            if error.errno in MACHINE_ERRNOS:
                raise SandboxError(f"the machine can't start a process: {error.strerror}") from error
        living[pid] = self._account

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
