"""The turn benchmark does what it says: the questions it asks are the referee's, and its figures come out whole."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import turn, turn_parts
from benchmarks.fixtures import SEATS, friendly, home_of
from benchmarks.pipes import exchanges
from harness.game import GameState
from harness.protocol import TurnEncoder
from harness.referee import play
from sandbox import backend

KEEPS_ITS_QUESTIONS = """
import os, sys
os.write(1, b'{"type":"ready"}\\n')
for line in sys.stdin.buffer:
    if line.startswith((b'{"type":"decide"', b'{"type":"expedition_end"', b'{"type":"game_end"')):
        os.write(2, line)
    if line.startswith(b'{"type":"decide","turn":'):
        number = line[24 : line.index(b",", 24)]
        os.write(1, b'{"type":"decision","turn":' + number + b',"action":"continue"}\\n')
"""


def test_the_floor_sends_byte_for_byte_what_the_referee_sends(tmp_path: Path) -> None:
    program = tmp_path / "keeps.py"
    program.write_text(KEEPS_ITS_QUESTIONS)
    homes = [home_of((*turn.PYTHON_ECHO[:-1], str(program)), tmp_path)] * SEATS
    played = play(friendly(1), homes, backend=backend("bare"), scratch=tmp_path)
    assert played.record["faults"] == []
    turns = exchanges(friendly(1), [home_of(turn.PYTHON_ECHO)] * SEATS, tmp_path)
    for seat, kept in enumerate(played.stderr):
        assert kept.encode() == b"".join(line for each in turns for to, line in each.asked + each.told if to == seat)


def test_every_seat_is_asked_at_every_turn_and_turns_count_through(tmp_path: Path) -> None:
    turns = exchanges(friendly(3), [home_of(turn.PYTHON_ECHO)] * SEATS, tmp_path)
    asked = [[(seat, json.loads(line)) for seat, line in each.asked] for each in turns]
    for number, each in enumerate(asked, start=1):
        assert [(seat, question["turn"]) for seat, question in each] == [(seat, number) for seat in range(4)]
    games = [each[0][1]["game"] for each in asked]
    assert games == sorted(games)
    assert set(games) == {1, 2, 3}


@pytest.mark.parametrize("command", [turn.PYTHON_ECHO, turn.JSON_ECHO])
def test_python_is_measured(command: tuple[str, ...]) -> None:
    cost = turn.measure(command, games=2, blocks=1)
    assert all(math.isfinite(figure) for figure in (cost.floor_us, cost.referee_us, cost.ratio))
    assert cost.floor_us > 0


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: apt install gcc libc6-dev")
def test_c_is_measured(tmp_path: Path) -> None:
    command = turn.c_echo(tmp_path)
    assert command is not None
    cost = turn.measure(command, games=2, blocks=1)
    assert all(math.isfinite(figure) for figure in (cost.floor_us, cost.referee_us, cost.ratio))
    assert cost.floor_us > 0


def test_without_a_compiler_there_is_no_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert turn.c_echo(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: apt install gcc libc6-dev")
def test_all_echo_bots_say_the_same(tmp_path: Path) -> None:
    c = turn.c_echo(tmp_path)
    assert c is not None
    turns = exchanges(friendly(2), [home_of(turn.PYTHON_ECHO)] * SEATS, tmp_path)
    asked = b"".join(each.asked[0][1] for each in turns)
    said = [
        subprocess.run(command, input=asked + b'{"type":"match_end"}\n', capture_output=True, check=True).stdout
        for command in (turn.PYTHON_ECHO, c, turn.JSON_ECHO)
    ]
    assert said[0] == said[1] == said[2].replace(b", ", b",").replace(b": ", b":")
    assert said[0].count(b"\n") == 1 + asked.count(b"\n")


class Encoder(TurnEncoder):
    """Keeps the questions."""

    def __init__(self) -> None:
        super().__init__(friendly(1).edition, SEATS)
        self.kept: list[bytes] = []

    def questions(self, state: GameState, turn: int, words: Sequence[int]) -> list[bytes]:
        lines = super().questions(state, turn, words)
        self.kept += lines
        return lines


def test_the_questions_whose_encoding_is_measured_are_the_referees(tmp_path: Path) -> None:
    encoder = Encoder()
    turns, games = turn_parts.without_bots(friendly(30), encoder)
    # Long paths too, where the referee has to draw further rolls.
    assert max(len(expedition) for game in games for expedition in game["expeditions"]) > 16
    sent = exchanges(friendly(30), [home_of(turn.PYTHON_ECHO)] * SEATS, tmp_path)
    assert turns == len(sent)
    assert encoder.kept == [line for each in sent for _, line in each.asked]


def test_the_parts_of_a_turn_are_measured() -> None:
    parts = turn_parts.measure(games=1, blocks=1)
    assert all(math.isfinite(figure) for figure in dataclasses.astuple(parts))
    assert parts.sum_us == pytest.approx(sum(dataclasses.astuple(parts)))
    assert min(parts.judge_us, parts.step_us, parts.read_us, parts.record_us) > 0
