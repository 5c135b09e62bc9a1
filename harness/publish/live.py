"""Publishing while a league is played: after each round, and when a season begins or ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.errors import HarnessError, HarnessFailure, Interrupted
from harness.league import Event, RoundOver, SeasonAnnounced, SeasonEnded, SeasonResumed, SiteNotWritten, load_league
from harness.protocol import visible
from harness.publish.publisher import publish
from harness.publish.site_folder import open_site_folder

if TYPE_CHECKING:
    from pathlib import Path

    from harness.league import League
    from harness.store import Store

__all__ = ["LiveSite"]


class LiveSite:
    """Takes the events of a run and keeps the site in `out` up to date with it.

    A publish that fails ends no run: it is told by an event, and the next one is tried all the same.
    """

    def __init__(
        self, league: League, store: Store, out: Path, stop: Callable[[], bool], tell: Callable[[Event], None]
    ) -> None:
        self._league = league
        self._store = store
        self._out = out
        self._stop = stop
        self._tell = tell
        self._failure: str | None = None

    def begin(self) -> None:
        """Publish what has been played so far, if anything; what can't be written to is refused before a run begins."""
        if self._store.season(self._league.name) is not None:
            publish(self._league, self._store, self._out, self._stop)
        else:
            with open_site_folder(self._out, self._league.name, ""):
                pass

    def __call__(self, event: Event) -> None:
        """The next event of the run."""
        match event:
            case SeasonAnnounced() | SeasonResumed():
                self._refresh(read_again=True)
            case RoundOver():
                # The season's end comes right behind its last round.
                if event.round < event.rounds:
                    self._refresh()
            case SeasonEnded():
                self._refresh()

    def finish(self) -> HarnessFailure | None:
        """Publish once more at the end of a run; what went wrong, if that fails too."""
        self._refresh()
        if self._failure is None:
            return None
        return HarnessFailure(
            f"all matches are kept, but the site could not be written ({self._failure}); "
            "harness publish writes it later"
        )

    def _refresh(self, *, read_again: bool = False) -> None:
        try:
            if read_again:  # a run that goes on for ever reads it again at each season, too
                self._league = load_league(self._league.path)
            publish(self._league, self._store, self._out, self._stop)
        except Interrupted:
            return  # the run has seen the same signal
        except HarnessError as error:
            self._failed(error.sentence)
        except Exception as error:  # a defect of ours in a page is no reason to play no more
            self._failed(f"internal error, {type(error).__name__}: {visible(str(error), 200)}")
        else:
            self._failure = None

    def _failed(self, sentence: str) -> None:
        if self._failure != sentence:
            self._tell(SiteNotWritten(sentence))
        self._failure = sentence
