"""The run: plays a season to its end, or season after season, and tells by events what happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from harness.bots import Home, Housing
from harness.errors import BadInput, HarnessFailure, Interrupted, StoreError
from harness.executors import Executor, Failure, Job, LocalExecutor, Result, Retry, StopSignal, run_folder
from harness.league.bench import LOST, bench
from harness.league.entrant import LoadedEntrant
from harness.league.events import (
    BotsContained,
    Event,
    FaultSeen,
    IntervalReached,
    LadderMoved,
    MatchPlayed,
    MatchVoided,
    RoundOpened,
    RoundOver,
    SeasonEnded,
    Waiting,
    WorkerLost,
)
from harness.league.formats import Past, format_named
from harness.league.league_file import League, load_league
from harness.league.opening import open_round
from harness.league.pace import Pace
from harness.league.run_summary import RunSummary
from harness.league.season import season_to_play
from harness.league.waiting import wait_for_change
from harness.referee import Fixture, Seat
from sandbox import Probe

if TYPE_CHECKING:
    from harness.store import RoundRow, SeasonRow, Store

__all__ = ["run_league"]


def run_league(
    league: League,
    store: Store,
    *,
    season: int | None = None,
    new_season: bool = False,
    workers: int = 1,
    rounds: int | None = None,
    follow: bool = False,
    tell: Callable[[Event], None],
    stop: StopSignal,
    executor: Executor | None = None,
) -> RunSummary:
    """Play `league`'s season in `store` to its end, or until `rounds` rounds more are over.

    Without `season` or `new_season` it is the newest one, announced if there is none; an ended season has nothing
    to play. `new_season` announces the next, with μ carried over and σ widened; a season that was still running ends
    as it stands: what was stored counts, what was left is never played, and its secret is revealed.

    With `follow` the next season is announced behind each that ends, for which the league file and its bots are read
    again, and so on for ever, or until `rounds` are over. Who is out at the end of a season stays out until let in or
    submitted. Where those entered can't be paired the run waits until somebody else changes the entries; without
    `follow` that is a `LeagueFileError`.

    `executor` plays the fixtures, `workers` processes of this machine if not given. Raises `LeagueFileError` if
    the file, its bots or their bytes are not those of the season, `StoreError` if another run holds the store,
    `Interrupted` once `stop` is true and all that was received is stored and applied, `HarnessFailure` if the
    machine fails three times on one match; then, too, everything received is kept.
    """
    if season is not None and new_season:
        raise BadInput("--season and --new-season exclude each other; give one of them")
    backend, entrants = league.require_backend(), league.load_bots()
    with store.run_lock(), _said_of_what_is_kept(store):
        summary = None
        while True:
            row = season_to_play(league, entrants, store, season, new_season, tell, follow=follow, stop=stop)
            run = _Run(league, entrants, store, row, tell, stop, follow)
            if summary is not None:
                run.summary.go_on_from(summary)
            summary = _play_season(run, backend, workers, rounds, executor)
            if not (follow and summary.ended and (rounds is None or summary.rounds < rounds)):
                return summary
            if stop():
                raise Interrupted(f"stopped behind season {summary.season}; run the same command again to go on")
            season, new_season = None, False
            league = _read_again(league)
            backend, entrants = league.require_backend(), league.load_bots()


@contextmanager
def _said_of_what_is_kept(store: Store) -> Iterator[None]:
    """Lets a run say that it is done, or that all is kept, only of a store that was not damaged meanwhile."""
    try:
        yield
    except Interrupted:
        store.check_kept()
        raise
    store.check_kept()


def _play_season(run: _Run, backend: Probe, workers: int, rounds: int | None, executor: Executor | None) -> RunSummary:
    """Play the season of `run`, in a scratch folder of its own."""
    if run.summary.ended or rounds == 0:
        run.tell_ladder()
        return run.summary
    with ExitStack() as stack:
        folder = stack.enter_context(run_folder(backend))
        if executor is None:
            executor = stack.enter_context(LocalExecutor(workers, backend, scratch=folder))
        run.tell(BotsContained(backend.backend, backend.tier, backend.layers, backend.missing))
        run.play(executor, Housing(folder / "homes"), rounds)
    return run.summary


def _read_again(league: League) -> League:
    """The league file as it is now; LeagueFileError where it is another league's."""
    now = load_league(league.path)
    if now.name != league.name:
        raise now.refusal(
            f"league.name: {now.name!r}, and {league.name!r} when the run began; put it back, or begin another run"
        )
    return now


class _Run:
    """A season being played. `summary` is kept up to date as it goes."""

    def __init__(
        self,
        league: League,
        entrants: Sequence[LoadedEntrant],
        store: Store,
        row: SeasonRow,
        tell: Callable[[Event], None],
        stop: StopSignal,
        follow: bool,
    ) -> None:
        self.league = league
        self.entrants = entrants
        self.store = store
        self.row = row
        self.tell = tell
        self.stop = stop
        self.follow = follow
        over = sum(each.state == "over" for each in store.rounds(row.id))
        self.summary = RunSummary(
            league=league.name,
            season=row.number,
            practice=league.seed is not None,
            rounds_planned=row.rounds_planned,
            rounds_over=over,
            ended=row.state == "ended",
        )
        self._pace = Pace(time.monotonic)
        self._ladder_moved = True
        self._housed: dict[Seat, Home] = {}
        self._past = Past()

    def play(self, executor: Executor, housing: Housing, most: int | None) -> None:
        """Play rounds until the season is over, `most` are, or a stop is asked for."""
        summary = self.summary
        self.tell_ladder()
        while summary.rounds_over < summary.rounds_planned:
            reached = self._interval_reached()
            if reached is not None:
                self.tell(reached)
                break
            if most is not None and summary.rounds >= most:
                self._tell_last_ladder()
                return
            self._heed_stop(f"before round {summary.rounds_over + 1}")
            self._play_round(self._round(), executor, housing)
            summary.rounds += 1
            summary.rounds_over += 1
        self._tell_last_ladder()
        self.store.end_season(self.row.id)
        summary.ended = True
        self.tell(SeasonEnded(self.league.name, self.row.number, self.row.secret, complete=True))

    def _interval_reached(self) -> IntervalReached | None:
        """Says that the bot which the format tries is known as well as it asks, so that no further round is needed."""
        goal = format_named(self.league.format).goal(self.league.format_options)
        rounds = self.store.rounds(self.row.id) if goal is not None else []
        if goal is None or not rounds or rounds[-1].state == "open":
            return None
        entered = {entry.bot: entry.version for entry in self.store.entries(self.row.id, len(rounds) + 1)}
        for line in self.store.season_table(self.row.id):
            if line.bot != goal.bot or line.version != entered.get(goal.bot, line.version) or line.rank is None:
                continue
            if line.high - line.low <= 2 * goal.half_width:
                return IntervalReached(line.bot, line.version, line.strength, line.low, line.high, len(rounds))
        return None

    def _round(self) -> RoundRow:
        """The open round, or the next, opened now, or once there is somebody to play it."""
        opened = self.store.rounds(self.row.id)
        if opened and opened[-1].state == "open":
            return opened[-1]
        number = self.store.next_round(self.row.id)
        told = ""
        while True:
            for benched in bench(self.league, self.store, self.row, number):
                self.tell(benched)
            known = self.store.entry_changes(self.row.id)
            refused = open_round(self.league, self.entrants, self.store, self._fresh_row(), number, self._past)
            if refused is None:
                return self.store.rounds(self.row.id)[-1]
            if not self.follow:
                raise self.league.refusal(
                    f"round {number} of season {self.row.number} can't be paired: {refused}, or begin another season "
                    "with --new-season"
                )
            if refused.reason != told:
                self.tell(Waiting(self.row.number, number, refused.reason, refused.mend))
                told = refused.reason
            wait_for_change(self.store, self.row.id, known, self.stop)
            self._heed_stop(f"while round {number} waited for bots")

    def _play_round(self, round_: RoundRow, executor: Executor, housing: Housing) -> None:
        left = self.store.unplayed(self.row.id, round_.number)
        self.tell(RoundOpened(round_.number, self.row.rounds_planned, round_.fixtures, len(left)))
        self._apply()  # what a killed run had stored and not yet applied
        waiting = {fixture.number for fixture in left}
        jobs = (Job(fixture, self._homes(fixture, housing)) for fixture in left)
        for outcome in executor.play(jobs, self.stop, self.stop.fileno()):
            if isinstance(outcome, Retry):
                self.tell(WorkerLost(outcome.fixture.match, outcome.reason, outcome.tries))
                continue
            if isinstance(outcome, Failure) and outcome.machine:
                self._apply()
                raise HarnessFailure(
                    f"{outcome.reason} (tried {outcome.tries} times); what was played is kept: mend that and run again"
                )
            waiting.discard(outcome.fixture.number)
            self._keep(outcome, round_.fixtures - len(waiting), round_.fixtures)
            if self._pace.apply_is_due():
                self._apply()
                if self._pace.ladder_is_due(round_is_over=False):
                    self.tell_ladder()
        self._apply()
        if waiting:
            played = round_.fixtures - len(waiting)
            self._heed_stop(f"in round {round_.number} with {played} of its {round_.fixtures} matches played")
            raise HarnessFailure(f"round {round_.number} was left with {len(waiting)} matches unplayed; run again")
        if self._pace.ladder_is_due(round_is_over=True):
            self.tell_ladder()
        row = self._fresh_row()
        self.tell(RoundOver(round_.number, row.rounds_planned, row.results, row.evidence))

    def _keep(self, outcome: Result | Failure, played: int, matches: int) -> None:
        """Store what became of a match, and tell."""
        fixture = outcome.fixture
        if isinstance(outcome, Failure):
            self._give_up(fixture)
            self.tell(MatchVoided(fixture.match, outcome.reason, tuple(seat.bot for seat in fixture.seats)))
            return
        record = outcome.record
        self.store.store_record(self.row.id, fixture, record, outcome.stderr, outcome.tries)
        self.summary.played += 1
        self.tell(MatchPlayed(fixture, record, outcome.tries, played, matches))
        for fault in record["faults"]:
            self.tell(FaultSeen(fixture.match, fixture.seats[fault["seat"]].bot, fault["kind"], fault))

    def _give_up(self, fixture: Fixture) -> None:
        try:
            self.store.void(self.row.id, fixture.round, fixture.number, LOST)
        except StoreError:
            # The organiser may have voided it while it was tried; then theirs is the reason that stands.
            if all(void.match != fixture.match for void in self.store.voids(self.row.id)):
                raise
            return
        self.summary.voided += 1

    def _apply(self) -> None:
        if self.store.apply_ready(self.row.id):
            self._ladder_moved = True
        self._pace.applied()

    def tell_ladder(self) -> None:
        """Tell the ladder as it stands, unless nothing has been played yet."""
        with self._pace.telling_ladder():
            standings = tuple(self.store.standings(self.row.id))
            if standings:
                self.tell(LadderMoved(self.row.number, self.summary.rounds_over, standings))
        self._ladder_moved = False

    def _tell_last_ladder(self) -> None:
        if self._ladder_moved:
            self.tell_ladder()

    def _homes(self, fixture: Fixture, housing: Housing) -> tuple[Home, ...]:
        return tuple(self._home(seat, housing) for seat in fixture.seats)

    def _home(self, seat: Seat, housing: Housing) -> Home:
        if seat not in self._housed:
            kept = self.store.version(seat.version, seat.bot)
            assert kept is not None, "a version is kept before it is entered"
            self._housed[seat] = housing.home(seat.version, kept.archive, kept.built)
        return self._housed[seat]

    def _fresh_row(self) -> SeasonRow:
        row = self.store.season(self.league.name, self.row.number)
        assert row is not None, "seasons are never removed"
        return row

    def _heed_stop(self, where: str) -> None:
        if self.stop():
            self._tell_last_ladder()
            raise Interrupted(f"stopped {where}; all of it is kept, run the same command again to go on")
