"""A run's events as plain lines, as the live picture and as JSON; how fast and how long still."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import re
import struct
import termios
import threading
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from harness.cli.event_json import event_json
from harness.cli.event_lines import event_block, event_line
from harness.cli.json_text import dumped
from harness.cli.live_view import duration, live_view
from harness.cli.progress import progress
from harness.cli.run_tally import RunTally
from harness.cli.terminal import ASCII, UNICODE
from harness.game import built_in
from harness.league import (
    BotBenched,
    Event,
    FaultSeen,
    LadderMoved,
    MatchPlayed,
    MatchVoided,
    RoundOpened,
    RoundOver,
    SeasonAnnounced,
    SeasonEnded,
    SeasonResumed,
    SiteNotWritten,
    Waiting,
    WorkerLost,
)
from harness.protocol import Limits
from harness.ratings import Standing
from harness.referee import Fixture, Seat

HOSTILE = "evil\x1b[2J\u202e\n"
FAULT = {
    "seat": 1, "kind": "timeout", "game": 1, "expedition": 2, "turn": 7, "cpu_us": 5_100_000, "wall_us": 5_200_000,
    "expected": "a decision for turn 7", "got": HOSTILE, "exit": None,
}  # fmt: skip
FIXTURE = Fixture(
    "small", 1, 1, 1, "00" * 16, built_in("iello-2016"), 1, Limits(),
    tuple(Seat(f"bot-{seat}", "00" * 32) for seat in range(3)),
)  # fmt: skip
STANDINGS = tuple(
    Standing(n, f"bot-{n}", "00" * 32, 30.0 - n, 1.0, False, 3, 30, 10.0, 1 / 3, 20.0, 2.0, 0) for n in range(1, 41)
)


def played(number: int) -> MatchPlayed:
    return MatchPlayed(FIXTURE, {"faults": []}, 1, number, 4)


SEASON: list[Event] = [
    SeasonAnnounced("small", 1, 2, "c" * 64, True),
    RoundOpened(1, 2, 4, 4),
    played(1),
    FaultSeen("small/1/1/2", "bot-1", "timeout", FAULT),
    played(2),
    WorkerLost("small/1/1/3", f"worker died {HOSTILE}", 1),
    LadderMoved(1, 1, STANDINGS),
    played(3),
    MatchVoided("small/1/1/4", "three workers lost", ("bot-1", HOSTILE)),
    RoundOver(1, 2, "a" * 64, "b" * 64),
    BotBenched("bot-1", 2, "9 forfeits"),
    SeasonEnded("small", 1, "d" * 32, True),
]


def plain(events: list[Event]) -> str:
    stream = io.StringIO()
    with progress(stream, RunTally()) as tell:
        for event in events:
            tell(event)
    return stream.getvalue()


def test_plain_lines_tell_the_season_rounds_faults_and_both_chain_heads() -> None:
    lines = plain(SEASON).splitlines()
    assert lines[0] == f"small: practice season 1 begins, 2 rounds, commitment {'c' * 64}"
    assert lines[1] == "round 1 of 2: 4 matches"
    assert lines[2] == "bot-1: timeout - it ran out of time (small/1/1/2, game 1, expedition 2, turn 7)"
    assert f"round 1 of 2 over: results {'a' * 64} evidence {'b' * 64}" in lines
    assert lines[-1] == f"small: season 1 is over, secret {'d' * 32}"
    assert len(lines) == 8


def test_a_season_gone_on_with_says_what_is_there() -> None:
    text = plain([SeasonResumed("small", 1, 2, "c" * 64, False, 17), RoundOpened(2, 2, 10, 3)])
    assert "small: season 1 goes on, 17 matches played so far" in text
    assert "round 2 of 2: 10 matches, 3 to play" in text


@pytest.mark.parametrize("sign", [UNICODE, ASCII])
def test_no_event_moves_the_cursor(sign: Any) -> None:
    for event in SEASON:
        line = event_line(event, sign)
        assert line is None or line.plain.isprintable()


def test_json_lines_hold_no_more_of_a_match_than_that_it_was_played() -> None:
    lines = [json.loads(dumped(line)) for line in map(event_json, SEASON) if line is not None]
    assert [line["event"] for line in lines][:3] == ["season-announced", "round-opened", "match-played"]
    assert lines[2] == {"event": "match-played", "match": "small/1/1/1", "tries": 1, "played": 1, "matches": 4}
    assert lines[3] == {"event": "fault-seen", "match": "small/1/1/2", "bot": "bot-1", "kind": "timeout"}
    assert dumped(lines).isprintable()


def tally(events: list[Event], seconds: float, limit: int | None = None) -> RunTally:
    now = [0.0]
    counted = RunTally(limit, clock=lambda: now[0])
    for event in events:
        counted(event)
        if isinstance(event, RoundOpened):
            now[0] = seconds
    return counted


def test_rate_and_time_left_come_from_this_run_alone() -> None:
    events: list[Event] = [SeasonResumed("s", 1, 5, "", False, 900), RoundOpened(2, 5, 100, 60)]
    events += [MatchPlayed(FIXTURE, {}, 1, 40 + n, 100) for n in range(1, 21)]
    counted = tally(events, seconds=10.0)
    assert (counted.done, counted.matches, counted.played) == (60, 100, 20)
    assert counted.rate == 2.0
    assert counted.seconds_left == (40 + 3 * 100) / 2.0


def test_a_run_of_some_rounds_ends_after_them() -> None:
    events: list[Event] = [RoundOpened(2, 5, 10, 10), *[MatchPlayed(FIXTURE, {}, 1, n, 10) for n in range(1, 6)]]
    counted = tally(events, seconds=5.0, limit=2)
    assert counted.last_round == 3
    assert counted.seconds_left == 5 + 10


def test_a_run_of_some_rounds_may_end_in_a_later_season() -> None:
    first: list[Event] = [RoundOpened(4, 5, 10, 10), RoundOver(4, 5, "", ""), RoundOpened(5, 5, 10, 10)]
    assert tally(first, 1.0, limit=4).last_round == 5
    later: list[Event] = [RoundOver(5, 5, "", ""), SeasonAnnounced("s", 2, 5, "", False), RoundOpened(1, 5, 10, 10)]
    assert tally(first + later, 1.0, limit=4).last_round == 2
    assert tally([*first, *later, RoundOver(1, 5, "", "")], 1.0, limit=4).last_round == 2
    assert tally(first + later, 1.0).last_round == 5


def test_time_in_which_a_run_waited_for_bots_is_no_time_of_play() -> None:
    now = [0.0]
    counted = RunTally(clock=lambda: now[0])
    events: list[Event] = [RoundOpened(1, 3, 10, 10), *[MatchPlayed(FIXTURE, {}, 1, n, 10) for n in range(1, 11)]]
    for event in events:
        counted(event)
    now[0] = 5.0
    counted(WAITING)
    now[0] = 900.0
    counted(WAITING)
    now[0] = 5005.0
    counted(RoundOpened(2, 3, 10, 10))
    assert counted.rate == 2.0


WAITING = Waiting(
    1, 2, f"2 bots can't fill a table of 4 {HOSTILE}", "enter other bots with `harness submit l.toml BOT`"
)


def test_a_wait_is_one_line_with_the_command_that_ends_it() -> None:
    (line,) = plain([WAITING]).splitlines()
    assert line.startswith("round 2 of season 1 waits: 2 bots can't fill a table of 4 evil")
    assert line.endswith("; enter other bots with `harness submit l.toml BOT`")
    assert "\x1b" not in line
    said = event_json(WAITING)
    assert said is not None
    assert (said["event"], said["season"], said["round"], said["mend"]) == ("waiting", 1, 2, WAITING.mend)


def test_before_the_first_match_nothing_is_foretold() -> None:
    counted = tally([RoundOpened(1, 1, 4, 4)], seconds=3.0)
    assert (counted.rate, counted.seconds_left) == (0.0, None)


def test_only_the_last_faults_are_kept_and_all_are_counted() -> None:
    counted = tally([FaultSeen(f"m/{n}", f"bot-{n % 2}", "crashed", FAULT) for n in range(20)], 1.0)
    assert [seen.match for seen in counted.faults] == [f"m/{n}" for n in range(15, 20)]
    assert counted.fault_counts == {"bot-0": 10, "bot-1": 10}


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 50), (60, 12), (40, 14)])
def test_the_live_picture_fits_the_screen(width: int, height: int) -> None:
    stream = io.StringIO()
    paper = Console(file=stream, width=width, height=height, markup=False, emoji=False, highlight=False)
    events = SEASON[:-3] + [FaultSeen("small/1/1/2", HOSTILE, "timeout", FAULT)] * 9
    notes = [Text(f"note {n} " + "x" * 200) for n in range(9)]
    paper.print(live_view(tally(events, 2.0), notes, UNICODE, width, height))
    lines = stream.getvalue().splitlines()
    assert len(lines) <= height
    assert max(len(line.rstrip()) for line in lines) <= width
    assert "4/4 matches" in stream.getvalue()
    assert "".join(lines).replace(" ", "").count("c" * 64) == 1, "the commitment, whole"
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59.6, "1 min"),
        (45, "45 s"),
        (200, "3 min 20 s"),
        (3600, "1 h"),
        (7500, "2 h 5 min"),
        (273_600, "3 d 4 h"),
    ],
)
def test_spans_are_told_in_two_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_on_a_screen_of_80_columns_no_hash_is_cut_or_wrapped() -> None:
    shown = [line.plain for event in SEASON for line in event_block(event, UNICODE)]
    hashes = {"commitment": "c" * 64, "results": "a" * 64, "evidence": "b" * 64, "secret": "d" * 32}
    for name, value in hashes.items():
        whole = f"{name:<10} {value}"
        (line,) = [line for line in shown if whole in line]
        assert len(line) <= 80


class Terminal:
    """A terminal whose size can change; it keeps what was written to it."""

    def __init__(self, columns: int, lines: int) -> None:
        self.master, slave = os.openpty()
        self.stream = os.fdopen(slave, "w", encoding="utf-8")
        self.resize(columns, lines)
        self.bytes = b""
        self._came = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # closed on the other side
                return
            with self._came:
                self.bytes += piece
                self._came.notify()

    def wait_for(self, reached: Callable[[str], bool]) -> None:
        """Return once what was written satisfies; what never does is a failure."""
        with self._came:
            assert self._came.wait_for(lambda: reached(self.bytes.decode(errors="replace")), timeout=60)

    def end(self) -> str:
        self.stream.close()
        self._reader.join()
        os.close(self.master)
        return self.bytes.decode()


MAIN_SCREEN = re.compile(r"\x1b\[\?1049h.*?\x1b\[\?1049l", re.DOTALL)
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_picture_leaves_the_terminal_as_it_was_and_what_counts_in_lines(
    monkeypatch: pytest.MonkeyPatch, interrupted: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal(120, 40)
    with contextlib.suppress(KeyboardInterrupt), progress(terminal.stream, RunTally()) as tell:
        for event in SEASON:
            tell(event)
            terminal.resize(80, 24)
            if interrupted and isinstance(event, RoundOver):
                raise KeyboardInterrupt
    written = terminal.end()
    assert "\x1b[?25h" in written[written.rindex("\x1b[?25l") :], "the cursor is shown again"
    stays = CONTROLS.sub("", MAIN_SCREEN.sub("", written)).replace("\r\n", "\n").splitlines()
    assert [line for line in stays if line.startswith("small: practice season 1 begins")]
    assert f"  commitment {'c' * 64}" in stays
    assert f"  results    {'a' * 64}" in stays
    assert "1 fault: bot-1 1" in stays
    assert any("three workers lost" in line for line in stays)
    assert (f"  secret     {'d' * 32}" in stays) is not interrupted
    assert not any("matches  " in line or "win %" in line for line in stays), "nothing of the picture"


def test_while_it_waits_there_is_no_picture_and_behind_it_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal(80, 24)
    with progress(terminal.stream, RunTally()) as tell:
        for event in SEASON[:10]:
            tell(event)
        tell(WAITING)
        terminal.wait_for(lambda text: "harness submit" in text)
        waiting = terminal.bytes.decode()
        tell(RoundOpened(2, 2, 4, 4))
        terminal.wait_for(lambda text: text.count("\x1b[?1049h") == 2)
    written = terminal.end()
    assert waiting.count("\x1b[?1049h") == waiting.count("\x1b[?1049l") == 1, "the terminal's own screen is back"
    stays = CONTROLS.sub("", MAIN_SCREEN.sub("", written)).replace("\r\n", "\n")
    assert stays.count("harness submit") == 1
    assert stays.count(f"results    {'a' * 64}") == 1, "what was told before the wait is not told again"


def test_a_picture_of_many_seasons_leaves_what_counts_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal(80, 24)
    with progress(terminal.stream, RunTally()) as tell:
        for number in (1, 2, 3):
            tell(SeasonAnnounced("small", number, 1, f"{number}" * 64, False))
            tell(RoundOpened(1, 1, 4, 4))
            if number < 3:
                tell(RoundOver(1, 1, f"{number}a" * 32, f"{number}b" * 32))
                tell(SeasonEnded("small", number, f"{number}d" * 16, True))
    stays = CONTROLS.sub("", MAIN_SCREEN.sub("", terminal.end())).replace("\r\n", "\n").splitlines()
    heads = [line.split()[0] if line.startswith("  ") else line for line in stays]
    assert heads == [
        "small: season 1 begins, 1 round", "commitment",
        "round 1 of 1 over", "results", "evidence", "small: season 1 is over", "secret",
        "small: season 2 begins, 1 round", "commitment",
        "round 1 of 1 over", "results", "evidence", "small: season 2 is over", "secret",
        "small: season 3 begins, 1 round", "commitment",
    ]  # fmt: skip


def last_frame(written: str) -> list[int]:
    """The lengths of the lines of the last picture."""
    frame = written.rpartition("\x1b[H")[2]
    return [len(line) for line in CONTROLS.sub("", frame).replace("\r", "").split("\n")]


def test_the_picture_follows_the_size_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    terminal = Terminal(120, 40)
    with progress(terminal.stream, RunTally()) as tell:
        for event in SEASON[:7]:
            tell(event)
        # Whatever COLUMNS says. A frame fills the screen from its upper left corner: nothing of the last one is left.
        for columns, lines in ((120, 40), (60, 20), (100, 30)):
            terminal.resize(columns, lines)
            due = [columns] * lines
            terminal.wait_for(lambda text, due=due: last_frame(text) == due)  # type: ignore[misc]
    terminal.end()


def test_a_run_without_a_round_draws_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal(80, 24)
    with progress(terminal.stream, RunTally()) as tell:
        tell(LadderMoved(1, 2, STANDINGS))
    assert terminal.end() == ""


@pytest.mark.parametrize("kind", ["dumb", "xterm"])
def test_a_terminal_that_was_closed_is_told_nothing_and_ends_no_run(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("TERM", kind)
    ours, theirs = os.openpty()
    tally = RunTally()
    stream = os.fdopen(theirs, "w", encoding="utf-8")
    try:
        with progress(stream, tally) as tell:
            os.close(ours)
            for event in SEASON:
                tell(event)
    finally:
        with contextlib.suppress(OSError):  # what could not be written
            stream.close()
    assert tally.standings == STANDINGS


def test_a_file_that_takes_no_more_ends_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()

    def fail(text: str) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(file, "write", fail)
    with pytest.raises(OSError, match="Input/output"), progress(file, RunTally()) as tell:
        tell(SEASON[0])


def test_a_site_that_is_not_up_to_date_is_told_in_one_line_and_as_json() -> None:
    event = SiteNotWritten(f"site/index.html: No space left on device {HOSTILE}")
    (line,) = plain([event]).splitlines()
    assert line.startswith("the site is not up to date: site/index.html: No space left on device ")
    assert line.isprintable()
    assert event_json(event) == {"event": "site-not-written", "reason": event.reason}
