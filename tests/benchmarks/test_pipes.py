"""The bare pipes get what the referee sends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.bench_league import homes_of
from benchmarks.fixtures import home_of, turns_of
from benchmarks.pipes import bare_pipes, exchanges
from harness.referee import play
from sandbox import backend
from tests.benchmarks.tables import table

KEEPS_WHAT_IT_HEARS = """
import os, sys
os.write(1, b'{"type":"ready"}\\n')
for line in sys.stdin.buffer:
    os.write(2, line)
    if line.startswith(b'{"type":"decide","turn":'):
        turn = line[24 : line.index(b",", 24)]
        leaves = line.count(b"treasure", 0, line.index(b"]")) > 2
        os.write(1, b'{"type":"decision","turn":%b,"action":"%b"}\\n' % (turn, b"leave" if leaves else b"continue"))
"""


def test_exchanges_are_byte_for_byte_what_the_bots_hear(tmp_path: Path) -> None:
    _, fixture = table(tmp_path)
    program = tmp_path / "keeps.py"
    program.write_text(KEEPS_WHAT_IT_HEARS)
    homes = [home_of((sys.executable, "-I", "-S", str(program)), tmp_path)] * 4
    turns = exchanges(fixture, homes, tmp_path)
    played = play(fixture, homes, backend=backend("bare"), scratch=tmp_path)
    assert played.record["faults"] == []
    assert len(turns) == turns_of(played.record)
    for seat, heard in enumerate(played.stderr):
        start, *lines, end = heard.splitlines(keepends=True)
        assert (json.loads(start)["type"], json.loads(end)["type"]) == ("match_start", "match_end")
        sent = [line for turn in turns for to, line in (*turn.asked, *turn.told) if to == seat]
        assert sent == [line.encode() for line in lines]
    for number, turn in enumerate(turns, start=1):
        assert {json.loads(line)["turn"] for _, line in turn.asked} == {number}


def test_the_bare_pipes_take_time_and_cpu(tmp_path: Path) -> None:
    league, fixture = table(tmp_path)
    homes = homes_of(league, fixture, tmp_path / "homes")
    wall_s, cpu_s = bare_pipes(homes, exchanges(fixture, homes, tmp_path), tmp_path)
    assert wall_s > 0
    assert cpu_s > 0
