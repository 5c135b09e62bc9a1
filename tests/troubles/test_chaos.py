"""Tables of bots that do anything at any time: the record holds, every limit is kept, and the well-behaved play on."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.troubles.virtual import MS, Bot, Message, Program, World, answer, good, play_virtually, ready, slow

LIMITS = {"start_ms": 500, "move_ms": 100, "bank_ms": 1000, "stall_ms": 2000, "wait_ms": 3000}
STEADY_MS = 60
"""How long the well-behaved take for an answer: within the free time of a move."""
TICK = 1 * MS

Deed = Callable[[Program, Message, random.Random], None]


def reply(message: Message) -> bytes:
    return answer({"turn": 1, "path": [], **message}) + b"\n"


def some_time(chance: random.Random) -> int:
    return round(
        chance.choice([0, 1, 40, 99, 100, 101, 700, 1_999, 2_000, 2_001, 5_000]) * MS * chance.choice([1, 0.999])
    )


def says_later(program: Program, message: Message, chance: random.Random) -> None:
    program.after(some_time(chance), lambda: program.say(reply(message)))


def says_in_pieces(program: Program, message: Message, chance: random.Random) -> None:
    text = reply(message)
    cut = chance.randrange(len(text))
    program.say(text[:cut])
    program.after(some_time(chance), lambda: program.say(text[cut:]))


def says_twice(program: Program, message: Message, chance: random.Random) -> None:
    program.say(reply(message) * 2)
    program.after(some_time(chance), lambda: program.say(reply(message)))


def computes(program: Program, message: Message, chance: random.Random) -> None:
    def done() -> None:
        program.run_at(0)
        program.say(reply(message))

    share = chance.choice([0.2, 1, 1, 4])
    program.run_at(share, queued=max(0, 1 - share))
    program.after(some_time(chance), done)


def words(text: bytes) -> Deed:
    def deed(program: Program, message: Message, chance: random.Random) -> None:
        program.say(text)
        program.say(reply(message))

    return deed


def ends(program: Program, message: Message, chance: random.Random) -> None:
    status = chance.choice([0, 1, 77, -9, -11])
    program.after(some_time(chance), lambda: program.end(status))


def closes(program: Program, message: Message, chance: random.Random) -> None:
    program.after(some_time(chance), program.close_output)


def does_nothing(program: Program, message: Message, chance: random.Random) -> None:
    pass


EVIL: list[Deed] = [
    says_later,
    says_in_pieces,
    says_twice,
    computes,
    computes,
    words(b"\r\n\n"),
    words(b'{"type":"decision","turn":1,"action":"leave"}\n'),
    words(b'{"type":"decision","turn":99,"action":"leave"}\n'),
    words(b'{"type":"ready"}\n'),
    words(b'{"type":"decision","turn":1,"action":"stay"}\n'),
    words(b"\xff\xfe nonsense\n"),
    words(b"\n" * 1500),
    words(b"[" * 70_000),
    ends,
    closes,
    does_nothing,
]


def villain(seed: int, wickedness: float) -> Bot:
    chance = random.Random(seed)

    def bot(program: Program, message: Message) -> None:
        if message["type"] == "end of file":
            if chance.random() < 0.8:
                program.end(0)
        elif chance.random() < wickedness:
            if message["type"] == "born" and chance.random() < 0.7:
                program.after(some_time(chance), lambda: program.say(b'{"type":"ready"}\n'))
            else:
                chance.choice(EVIL)(program, message, chance)
        else:
            good(program, message)

    return bot


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 8), st.sampled_from([0.02, 0.1, 0.5]), st.sampled_from([1, 4]))
def test_whatever_bots_do_the_record_holds_and_the_well_behaved_play_on(
    seed: int, seats: int, wickedness: float, cores: int
) -> None:
    chance = random.Random(seed)
    behaved = sorted(chance.sample(range(seats), chance.randint(0, seats)))
    bots = [
        chance.choice([good, slow(STEADY_MS * MS)]) if seat in behaved else villain(seed + seat, wickedness)
        for seat in range(seats)
    ]
    world = World()
    born_us = world.now_us
    with tempfile.TemporaryDirectory() as folder:
        record = play_virtually(Path(folder), *bots, world=world, cores=cores, games=2, **LIMITS).record

    troubled = {one["seat"] for one in record["faults"] + record["incidents"]}
    assert troubled.isdisjoint(behaved)
    assert all(program.closed_us is not None for program in world.programs)
    for fault in record["faults"]:
        if fault["kind"] == "timeout":
            assert fault["wall_us"] <= LIMITS["stall_ms"] * MS + TICK
        if fault["kind"] == "start-timeout":
            assert fault["wall_us"] <= 3 * LIMITS["start_ms"] * MS + TICK
    for times in record["timing"]:
        assert times["wall_max_us"] <= LIMITS["stall_ms"] * MS + TICK
        assert times["cpu_us"] <= (times["decisions"] * LIMITS["move_ms"] + LIMITS["bank_ms"]) * MS + cores * TICK
    # A match lasts no longer than its start, its turns and its goodbye can: what is said between moves no deadline.
    turns = sum(len(strings) for game in record["games"] for strings in game["expeditions"])
    longest_ms = 3 * LIMITS["start_ms"] + turns * LIMITS["stall_ms"] + 500
    assert world.now_us - born_us <= longest_ms * MS + (turns + 2) * TICK


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.1, 0.5]))
def test_the_same_bots_come_to_the_same_record(seed: int, wickedness: float) -> None:
    def record() -> dict[str, object]:
        with tempfile.TemporaryDirectory() as folder:
            return play_virtually(
                Path(folder), *[villain(seed + seat, wickedness) for seat in range(4)], good, games=2, **LIMITS
            ).record

    assert record() == record()


def busy(seed: int, layout: tuple[str, str]) -> Bot:
    """Thinks for a while that its seed tells, within its limits or not, and writes JSON in that layout."""
    randoms = random.Random(seed)

    def bot(program: Program, message: Message) -> None:
        if ready(program, message) or message["type"] != "decide":
            return
        action = "leave" if len(message["path"]) >= 4 else "continue"
        said = json.dumps({"type": "decision", "turn": message["turn"], "action": action}, separators=layout)
        thinks, sleeps = randoms.choice([(0, 1), (3, 0), (30, 0), (80, 0), (20, 90), (400, 0), (0, 400)])

        def done() -> None:
            program.run_at(0)
            program.say(said.encode() + b"\n")

        def rest() -> None:
            program.run_at(0)
            program.after(sleeps * MS, done)

        program.run_at(1)
        program.after(thinks * MS, rest)

    return bot


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_a_known_answer_fares_as_any_other_that_says_the_same(seed: int) -> None:
    def record(layout: tuple[str, str]) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            bots = [busy(seed + seat, layout) for seat in range(4)]
            return play_virtually(Path(folder), *bots, good, games=2, **LIMITS).record

    # The first two are what the referee knows byte for byte, the last goes through its reader.
    canonical, spaced, odd = record((",", ":")), record((", ", ": ")), record((" ,", " :"))
    assert canonical["timing"][0]["decisions"] > 0
    assert canonical == spaced == odd
