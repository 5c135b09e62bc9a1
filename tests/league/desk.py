"""A league in a folder, and an executor that knows the result of every match: runs without processes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.executors import Job, Outcome, Result, StopSignal
from harness.game import begin_expedition, new_game, result, step
from harness.league import Event, RunSummary, load_league, run_league, submit
from harness.protocol import digest_without, outcome_of
from harness.referee import Fixture
from harness.store import Store, open_store
from tests.second.replay import check_record

BOTS = ("ada", "bob", "cyd", "dot")


def record(fixture: Fixture, forfeiter: str | None = None, depths: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Everybody leaves at the first card, or at that of its depth, but a forfeiter, who faults at its first turn."""
    deep = depths or {}
    leaves_at = [deep.get(seat.bot, 1) for seat in fixture.seats]
    seats = len(fixture.seats)
    out = [seat for seat in range(seats) if fixture.seats[seat].bot == forfeiter]
    games, gone = list[dict[str, Any]](), list[int]()
    for number in range(1, fixture.games + 1):
        state = new_game(fixture.edition, fixture.seed, number, seats, gone)
        expeditions = []
        for _ in range(fixture.edition.expeditions):
            begin_expedition(state)
            turns: list[str] = []
            ended = None
            while ended is None:
                letters = ["."] * seats
                for seat in state.inside:
                    leaves = len(turns) + 1 >= leaves_at[seat]
                    letters[seat] = "x" if seat in out else "L" if leaves else "C"
                turns.append("".join(letters))
                ended = step(state, turns[-1])
            expeditions.append(turns)
            gone = list(out)
        end = result(state)
        games.append(
            {
                "expeditions": expeditions,
                "scores": list(end.scores),
                "ranks": list(end.ranks),
                "relics": list(end.relics),
            }
        )
    faults = [
        {
            "seat": seat, "kind": "crashed", "game": 1, "expedition": 1, "turn": 1,
            "cpu_us": 1, "wall_us": 1, "expected": "a decision", "got": "", "exit": 1,
        }
        for seat in out
    ]  # fmt: skip
    times = {"late": 0, "cpu_us": 1, "cpu_max_us": 1, "wall_us": 1, "wall_max_us": 1}
    letters = [
        "".join(turn[seat] for game in games for turns in game["expeditions"] for turn in turns)
        for seat in range(seats)
    ]
    answered = [sum(letter in "CL" for letter in each) for each in letters]
    made: dict[str, Any] = {
        "format": "tacora-replay/1",
        "harness": "0",
        "match": fixture.match,
        "fixture": fixture.reference,
        "seed": fixture.seed,
        "edition": fixture.edition.to_json(),
        "seats": [{"bot": seat.bot, "version": seat.version} for seat in fixture.seats],
        "games": games,
        "limits": fixture.limits.to_json(),
        "sandbox": {"tier": "bare", "layers": [], "clock": "cpu", "interpreters": [], "builds": []},
        "faults": faults,
        "incidents": [],
        "timing": [{"decisions": answered[seat], **times} for seat in range(seats)],
    }
    made["outcome"] = outcome_of(made)
    made["digest"] = digest_without(made)
    check_record(made)
    return made


@dataclass
class Table:
    """An executor that plays at once, last job first if `backwards`; `spoil` may turn a job into other outcomes.

    `depths` says at which card a bot leaves; at the first if not stated.
    """

    forfeiter: str | None = None
    depths: Mapping[str, int] = field(default_factory=dict)
    backwards: bool = False
    spoil: Callable[[Fixture], Sequence[Outcome] | None] = lambda fixture: None
    played: list[Fixture] = field(default_factory=list)

    def play(self, jobs: Iterable[Job], stop: Callable[[], bool], wake_fd: int = -1) -> Iterator[Outcome]:
        drawn = list(jobs)
        for job in reversed(drawn) if self.backwards else drawn:
            if stop():
                return
            assert all(Path(home.folder, "bot.toml").is_file() for home in job.homes)
            self.played.append(job.fixture)
            spoilt = self.spoil(job.fixture)
            if spoilt is not None:
                yield from spoilt
            else:
                stderr = tuple("" for _ in job.fixture.seats)
                yield Result(job.fixture, record(job.fixture, self.forfeiter, self.depths), stderr, 1)


class Desk:
    """A league in a folder: its bots, its file, its store, and what its runs told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: list[Event] = []
        self.settings = {"seats": "[3]", "games": "1", "rounds": "2", "seed": '"practice"'}
        self.format = "round-robin"
        self.options: dict[str, str] = {}
        self.anchors: set[str] = set()
        self.bots = list(BOTS)
        for bot in BOTS:
            self.write_bot(bot)

    def write_bot(self, name: str, text: str = "pass\n") -> Path:
        place = self.folder / name
        place.mkdir(exist_ok=True)
        (place / "bot.toml").write_text(f'name = "{name}"\ncommand = "python3 bot.py"\nauthor = "{name}"\n')
        (place / "bot.py").write_text(text)
        return place

    @property
    def file(self) -> Path:
        path = self.folder / "league.toml"
        lines = [f"{key} = {value}" for key, value in self.settings.items()]
        bots = [f'[[bots]]\npath = "{bot}"' + "\nanchor = true" * (bot in self.anchors) for bot in self.bots]
        options = [f"[format.{self.format}]", *(f"{key} = {value}" for key, value in self.options.items())]
        head = f'[league]\nname = "test"\nedition = "iello-2016"\nformat = "{self.format}"'
        path.write_text(
            "\n".join([head, *lines, "[sandbox]", 'backend = "bare"', "trust_bots = true", *options, *bots]) + "\n"
        )
        return path

    def store(self) -> Store:
        return open_store(self.folder / "league.db")

    def run(
        self, executor: Table | None = None, also: Callable[[Event], None] | None = None, **wanted: Any
    ) -> RunSummary:
        """A run; `also` hears each event behind what is kept in `told`."""
        self.told = []

        def tell(event: Event) -> None:
            self.told.append(event)
            if also is not None:
                also(event)

        with self.store() as store:
            return run_league(
                load_league(self.file),
                store,
                tell=tell,
                stop=wanted.pop("stop", StopSignal()),
                executor=executor or Table(),
                **wanted,
            )

    def submit(self, bot: str, text: str = "pass\n") -> None:
        """As another process does while a run goes on: writes the bot's folder and submits it."""
        self.write_bot(bot, text)
        with self.store() as store:
            submit(load_league(self.file), store, bot, self.folder, lambda event: None)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    def entered(self, round_: int) -> dict[str, str]:
        with self.store() as store:
            row = store.season("test")
            assert row is not None
            return {entry.bot: entry.version for entry in store.entries(row.id, round_)}

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        with self.store() as store:
            return store.reproducible_dump()
