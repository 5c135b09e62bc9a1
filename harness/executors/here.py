"""Plays matches at once, one after the other: for `harness play` and the pilot of `harness plan`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from harness.bots import Bot, Built, Home, Housing
from harness.errors import HarnessFailure, Interrupted
from harness.executors.builder_process import build_apart
from harness.executors.folder import run_folder
from harness.executors.job import Failure, Job, Result
from harness.executors.local import LocalExecutor
from harness.executors.stop import StopSignal
from harness.referee import Fixture, Played
from sandbox import Probe

__all__ = ["play_here"]


def play_here(fixtures: Iterable[Fixture], bots: Sequence[Bot], backend: Probe) -> Iterator[Played]:
    """Build and house the bots, then play the fixtures, whose seats name versions of these bots; yields in order.

    In a worker, as a league does, and what is built in a builder: should this process be killed, all of it ends too.
    Interrupted on SIGINT, SIGTERM and SIGHUP, with nothing left running; HarnessFailure where the machine can't play.
    """
    with run_folder(backend) as folder, StopSignal() as stop:
        homes = _homes(bots, backend, folder, stop)
        jobs = (Job(fixture, tuple(homes[seat.version] for seat in fixture.seats)) for fixture in fixtures)
        with LocalExecutor(1, backend, scratch=folder) as executor:
            for outcome in executor.play(jobs, stop, stop.fileno()):
                if isinstance(outcome, Failure):
                    raise HarnessFailure(f"{outcome.reason} (tried {outcome.tries} times)")
                if isinstance(outcome, Result):
                    yield Played(outcome.record, outcome.stderr)
            if stop():
                raise Interrupted("interrupted; the match counts for nothing")


def _homes(bots: Sequence[Bot], backend: Probe, folder: Path, stop: StopSignal) -> dict[str, Home]:
    """Where each bot lives, by version."""

    def run_build(bot: Bot) -> Built:
        return build_apart(bot, backend, scratch=folder, stop=stop)

    housing = Housing(folder / "homes", run_build)
    return {bot.version: housing.home(bot.version, bot.archive) for bot in bots}
