"""Plays matches at once, one after the other: for `harness play` and the pilot of `harness plan`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from harness.bots import Bot, Built, Home, Housing, build
from harness.errors import HarnessFailure, Interrupted
from harness.executors.folder import run_folder
from harness.executors.job import Failure, Job, Result
from harness.executors.local import LocalExecutor
from harness.executors.stop import StopSignal
from harness.referee import Fixture, Played
from sandbox import Backend, SandboxError, become_subreaper, sweep

__all__ = ["play_here"]


def play_here(fixtures: Iterable[Fixture], bots: Sequence[Bot], backend: Backend) -> Iterator[Played]:
    """Build and house the bots, then play the fixtures, whose seats name versions of these bots; yields in order.

    In a worker, as a league does: should this process be killed, the bots end with it. Interrupted on SIGINT and
    SIGTERM, with nothing left running; HarnessFailure where the machine can't play.
    """
    with run_folder() as folder:
        homes = _homes(bots, backend, folder)
        jobs = (Job(fixture, tuple(homes[seat.version] for seat in fixture.seats)) for fixture in fixtures)
        with StopSignal() as stop, LocalExecutor(1, backend.name, scratch=folder) as executor:
            for outcome in executor.play(jobs, stop, stop.fileno()):
                if isinstance(outcome, Failure):
                    raise HarnessFailure(f"{outcome.reason} (tried {outcome.tries} times)")
                if isinstance(outcome, Result):
                    yield Played(outcome.record, outcome.stderr)
            if stop():
                raise Interrupted("interrupted; the match counts for nothing")


def _homes(bots: Sequence[Bot], backend: Backend, folder: Path) -> dict[str, Home]:
    """Where each bot lives, by version; what its build leaves running ends here."""

    def run_build(bot: Bot) -> Built:
        return build(bot, within=backend, scratch=folder)

    become_subreaper()
    housing = Housing(folder / "homes", run_build)
    try:
        return {bot.version: housing.home(bot.version, bot.archive) for bot in bots}
    except SandboxError as error:
        raise HarnessFailure(str(error)) from error
    finally:
        sweep()
