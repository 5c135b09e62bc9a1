"""A run as it goes: a picture on a terminal, plain lines elsewhere. Both tell the same events."""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import IO, Protocol

from rich.console import Group
from rich.live import Live
from rich.text import Text

from harness.cli.event_lines import event_block, event_line
from harness.cli.live_view import fault_counts, live_view
from harness.cli.paper import console
from harness.cli.run_tally import RunTally
from harness.cli.terminal import is_live, signs, size_of
from harness.league import Event, FaultSeen, RoundOpened, RoundOver, SeasonAnnounced, SeasonEnded, Waiting

__all__ = ["Teller", "progress"]

FRAMES_A_SECOND = 4

KEPT_NOTES = 200
"""Lines that stay when the picture closes, the last ones: a run that follows may go on for years."""


class Teller(Protocol):
    """Takes the events of a run as they come."""

    def __call__(self, event: Event) -> None:
        """Draw or note one event."""


@contextmanager
def progress(stream: IO[str], tally: RunTally) -> Iterator[Teller]:
    """A teller that lets the tally take each event in and tells it on the stream, until the block is left."""
    if not is_live(stream):
        yield _plain(stream, tally)
        return
    picture = _Picture(stream, tally)

    def tell(event: Event) -> None:
        with _unless_closed():
            picture(event)

    try:
        yield tell
    finally:
        with _unless_closed():
            picture.close()


def _plain(stream: IO[str], tally: RunTally) -> Teller:
    paper, sign = console(stream), signs(stream)
    may_close = stream.isatty()

    def tell(event: Event) -> None:
        tally(event)
        line = event_line(event, sign)
        if line is not None:
            with _unless_closed() if may_close else nullcontext():
                paper.print(line, soft_wrap=True)
                stream.flush()

    return tell


@contextmanager
def _unless_closed() -> Iterator[None]:
    """Leave the block where the terminal has been closed: a run learns of that by its signal, and ends in order."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise


class _Picture:
    """The picture, on the terminal's alternate screen from the first round on.

    There it can be drawn anew whatever the terminal's size has become, and it leaves nothing behind: a picture among
    lines can't be wiped away once the terminal has wrapped its lines at another width. What must stay is printed when
    it closes: at the end, and while the run waits for bots, when there is nothing to draw and nothing should be drawn.
    """

    def __init__(self, stream: IO[str], tally: RunTally) -> None:
        self._stream = stream
        self._tally = tally
        self._sign = signs(stream)
        self._paper = console(stream)
        self._notes: deque[Text] = deque(maxlen=KEPT_NOTES)
        self._begun: list[Text] = []  # of the season under way, which the picture shows as it is
        self._drawing = Lock()  # the picture is drawn in a thread of its own
        self._live: Live | None = None

    def __call__(self, event: Event) -> None:
        """Note the event: the picture shows it from the next frame on."""
        if isinstance(event, Waiting):
            self.close()
        with self._drawing:
            if isinstance(event, SeasonEnded):
                self._settle()
            self._tally(event)
            # Of these the picture shows what counts, and the last one or the sum is told at the end.
            if isinstance(event, SeasonAnnounced) and self._live is not None:
                self._begun = event_block(event, self._sign)
            elif not isinstance(event, FaultSeen | RoundOpened | RoundOver):
                self._note(event)
        if isinstance(event, RoundOpened) and self._live is None:
            self._live = Live(
                get_renderable=self._frame,
                console=self._paper,
                screen=True,
                refresh_per_second=FRAMES_A_SECOND,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start(refresh=True)

    def close(self) -> None:
        """Give the terminal back, and print what stays."""
        if self._live is None:
            return
        self._live.stop()
        self._live = None
        if self._tally.fault_counts:
            self._print(fault_counts(self._tally))
        self._settle()
        for line in self._notes:
            self._print(line)
        self._notes.clear()

    def _settle(self) -> None:
        """Note what the picture has shown of the season so far and will show no more."""
        self._notes.extend(self._begun)
        self._begun = []
        if self._tally.last_over is not None:
            self._notes.extend(event_block(self._tally.last_over, self._sign))
            self._tally.last_over = None

    def _note(self, event: Event) -> None:
        for line in event_block(event, self._sign):
            if self._live is None:
                self._print(line)
            else:
                self._notes.append(line)

    def _print(self, line: Text) -> None:
        self._paper.print(line, soft_wrap=True)

    def _frame(self) -> Group:
        width, height = size_of(self._stream)
        self._paper.size = width, height
        with self._drawing:
            return live_view(self._tally, list(self._notes), self._sign, width, height)
