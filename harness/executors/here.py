"""Plays one match at once, in this process: for `harness play` and the pilot of `harness plan`."""

from __future__ import annotations

from collections.abc import Sequence

from harness.bots import Bot, Built, Housing, build
from harness.errors import HarnessFailure, Interrupted
from harness.executors.folder import run_folder
from harness.executors.stop import StopSignal
from harness.referee import Fixture, Played, Stopped, pinned
from harness.referee import play as play_match
from sandbox import Backend, SandboxError, become_subreaper, sweep

__all__ = ["play_here"]


def play_here(fixture: Fixture, bots: Sequence[Bot], backend: Backend) -> Played:
    """Build and house the bots, one a seat, and play. Interrupted on SIGINT and SIGTERM, with nothing left running."""
    become_subreaper()
    try:
        with run_folder() as folder:

            def run_build(bot: Bot) -> Built:
                return build(bot, within=backend, scratch=folder)

            housing = Housing(folder / "homes", run_build)
            homes = [housing.home(bot.version, bot.archive) for bot in bots]
            with StopSignal() as stop, pinned():
                return play_match(fixture, homes, backend=backend, scratch=folder, stop_fd=stop.fileno())
    except Stopped:
        raise Interrupted("interrupted; the match counts for nothing") from None
    except SandboxError as error:
        raise HarnessFailure(str(error)) from error
    finally:
        sweep()
