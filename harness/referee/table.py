"""The descriptors of a match: which are polled, and which player each belongs to."""

from __future__ import annotations

import select
from enum import Enum, auto
from typing import Any

from harness.referee.player import Player
from sandbox import Process

__all__ = ["Role", "Stopped", "Table"]


class Stopped(Exception):
    """The match was called off through `stop_fd`; its bots are gone and it left no record."""


class Role(Enum):
    """What a descriptor other than a bot's stdout tells."""

    ERRORS = auto()  # stderr has something
    ENDED = auto()  # the process has ended
    INPUT = auto()  # stdin takes more


class Table:
    """One poller for all descriptors of a match. `outputs` are the stdouts, the ones that matter each turn.

    `poll` waits that many units at most and returns pairs of a descriptor and its events; a µs is `unit` of them.
    """

    __slots__ = ("_others", "_poller", "_stop_fd", "outputs", "poll", "unit")

    def __init__(self, stop_fd: int) -> None:
        self._poller: Any
        if hasattr(select, "epoll"):
            # What it watches is told to the kernel once, not at each call.
            self._poller, self.unit = select.epoll(), 1e-6
        else:
            self._poller, self.unit = select.poll(), 1e-3
        self.poll = self._poller.poll
        self.outputs: dict[int, Player] = {}
        self._others: dict[int, tuple[Player, Role]] = {}
        self._stop_fd = stop_fd
        if stop_fd >= 0:
            self._poller.register(stop_fd, select.POLLIN)

    def close(self) -> None:
        """Listen no more to anything."""
        if hasattr(self._poller, "close"):
            self._poller.close()

    def seat(self, player: Player, process: Process) -> None:
        """Listen to a bot that has started."""
        self.outputs[process.stdout] = player
        self._poller.register(process.stdout, select.POLLIN)
        self._serve(process.stderr, player, Role.ERRORS)
        if process.exit_fd >= 0:
            self._serve(process.exit_fd, player, Role.ENDED)

    def await_room(self, player: Player, process: Process) -> None:
        """Listen until the bot's stdin takes what is still to be sent."""
        if process.stdin >= 0:
            self._others[process.stdin] = (player, Role.INPUT)
            self._poller.register(process.stdin, select.POLLOUT)

    def served(self, descriptor: int) -> tuple[Player, Role] | None:
        """Whose a descriptor is, None if it was dropped while an earlier event was dealt with; raises `Stopped`."""
        if descriptor == self._stop_fd:
            raise Stopped
        return self._others.get(descriptor)

    def drop(self, descriptor: int) -> None:
        """Listen no more; harmless for one that is not listened to."""
        if self.outputs.pop(descriptor, None) or self._others.pop(descriptor, None):
            self._poller.unregister(descriptor)

    def forget(self, process: Process) -> None:
        """Listen no more to a bot at all."""
        for descriptor in (process.stdin, process.stdout, process.stderr, process.exit_fd):
            self.drop(descriptor)

    def _serve(self, descriptor: int, player: Player, role: Role) -> None:
        self._others[descriptor] = (player, role)
        self._poller.register(descriptor, select.POLLIN)
