"""Crashes at the worst moment: on the last turn, behind it, on purpose; the record holds and hides nobody's win."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.ratings import seat_totals
from harness.referee import story_of
from tests.troubles.virtual import MS, Bot, Message, Program, World, answer, at_turn, good, play_virtually

Record = dict[str, Any]


def last_turn(record: Record) -> int:
    return sum(len(turns) for game in record["games"] for turns in game["expeditions"])


def die(program: Program, message: Message) -> None:
    program.end(13)


def stays(program: Program, message: Message) -> None:
    """Never leaves, so that it is asked on every turn."""
    if message["type"] == "decide":
        message = {**message, "path": []}
    good(program, message)


def stays_and_dies(turn: int) -> Bot:
    def bot(program: Program, message: Message) -> None:
        if message["type"] == "decide" and message["turn"] == turn:
            program.end(13)
        else:
            stays(program, message)

    return bot


@pytest.mark.parametrize("victims", [1, 2, 3])
def test_a_crash_on_the_last_turn_gives_a_record_that_holds_and_shows_every_move(tmp_path: Path, victims: int) -> None:
    plain = play_virtually(tmp_path, stays, stays, stays, games=2).record
    last = last_turn(plain)
    bots = [stays_and_dies(last)] * victims + [stays] * (3 - victims)
    record = play_virtually(tmp_path, *bots, games=2).record
    assert [(fault["seat"], fault["kind"], fault["turn"]) for fault in record["faults"]] == [
        (seat, "crashed", last) for seat in range(victims)
    ]
    assert record["games"][0] == plain["games"][0]
    assert [len(turns) for turns in record["games"][1]["expeditions"][:4]] == [
        len(turns) for turns in plain["games"][1]["expeditions"][:4]
    ]

    file = tmp_path / "match.json"
    file.write_text(json.dumps(record))
    shown = CliRunner().invoke(main, ["replay", "show", str(file)], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    assert CliRunner().invoke(main, ["replay", "verify", str(file)]).output == f"{file}: OK\n"
    cards = [turn.card for game in (1, 2) for one in story_of(record, game) for turn in one.turns]
    assert len(cards) >= last_turn(record)
    assert "crashed" in shown.stdout


@pytest.mark.parametrize("moment", ["expedition_end", "game_end", "match_end", "end of file"])
def test_a_crash_behind_the_last_decision_changes_no_result(tmp_path: Path, moment: str) -> None:
    def dies(program: Program, message: Message) -> None:
        if message["type"] == moment and message.get("expedition", 5) == 5:
            program.end(13)
        else:
            good(program, message)

    plain = play_virtually(tmp_path, good, good, good).record
    record = play_virtually(tmp_path, good, dies, good).record
    assert record["outcome"] == plain["outcome"]
    assert record["faults"] == []
    incidents = [(incident["seat"], incident["kind"], incident["exit"]) for incident in record["incidents"]]
    # Once match_end is out a bot may end as it likes.
    assert incidents == ([(1, "crashed", 13)] if moment in ("expedition_end", "game_end") else [])


def test_who_crashes_as_it_loses_hides_no_win_and_gains_nothing(tmp_path: Path) -> None:
    plain = play_virtually(tmp_path, good, stays, stays, games=3).record
    winners = [game["ranks"].index(1) for game in plain["games"]]
    assert winners == [0, 0, 0], "the seats that never leave lose to the one that does"
    last = last_turn(plain)
    for crashers in ([1], [2], [1, 2]):
        bots = [good, *(stays_and_dies(last) if seat in crashers else stays for seat in (1, 2))]
        record = play_virtually(tmp_path, *bots, games=3).record
        assert sorted(fault["seat"] for fault in record["faults"]) == crashers
        assert [game["ranks"][0] for game in record["games"]] == [1, 1, 1]
        assert record["games"][:2] == plain["games"][:2]
        before, after = seat_totals(plain), seat_totals(record)
        assert (after[0].wins, after[0].points) == (before[0].wins, before[0].points) == (3, before[0].points)
        for seat in crashers:
            assert record["games"][2]["ranks"][seat] >= plain["games"][2]["ranks"][seat]
            assert after[seat].win_parts <= before[seat].win_parts
            assert after[seat].faults == 1


def test_a_win_already_won_outlives_the_winners_own_crash(tmp_path: Path) -> None:
    plain = play_virtually(tmp_path, good, stays, stays, games=2).record
    first_of_game_two = sum(map(len, plain["games"][0]["expeditions"])) + 1
    record = play_virtually(tmp_path, at_turn(first_of_game_two, die), stays, stays, games=2).record
    assert record["games"][0] == plain["games"][0]
    assert record["games"][0]["ranks"][0] == 1
    assert record["games"][1]["ranks"][0] == 3
    assert seat_totals(record)[0].wins == 1


def test_who_burns_while_it_is_out_of_the_cave_pays_at_its_next_question(tmp_path: Path) -> None:
    world = World()

    def idles_hotly(program: Program, message: Message) -> None:
        if message["type"] == "decide" and message["turn"] == 1:
            program.say(b'{"type":"decision","turn":1,"action":"leave"}\n')
            program.run_at(1)
        else:
            good(program, message)

    def thinks(program: Program, message: Message) -> None:
        program.after(6_000 * MS, lambda: program.say(answer(message) + b"\n"))

    record = play_virtually(tmp_path, at_turn(2, thinks), idles_hotly, good, world=world).record
    [fault] = record["faults"]
    assert (fault["seat"], fault["kind"], fault["expedition"]) == (1, "timeout", 2)
    assert fault["cpu_us"] >= 6_000 * MS
    assert "CPU" in fault["expected"]


@pytest.mark.parametrize("games", [1, 4])
def test_each_game_of_a_match_is_dealt_anew(tmp_path: Path, games: int) -> None:
    world = World()
    play_virtually(tmp_path, stays, stays, stays, world=world, games=games)
    ends = [message for message in world.programs[0].heard if message["type"] == "expedition_end"]
    deals = {tuple(message["cards"]) for message in ends}
    assert len(ends) == len(deals) == 5 * games


def test_what_one_seat_is_told_tells_nothing_of_the_matchs_seed(tmp_path: Path) -> None:
    world = World()
    record = play_virtually(tmp_path, good, stays, good, world=world).record
    told = [json.dumps(program.heard) for program in world.programs]
    assert not any(record["seed"] in text for text in told)
    starts = [next(m for m in program.heard if m["type"] == "match_start") for program in world.programs]
    assert len({start["seed"] for start in starts}) == 3
    assert len({start["match"] for start in starts}) == 1
    rolls = [m["roll"] for program in world.programs for m in program.heard if m["type"] == "decide"]
    assert len(set(rolls)) == len(rolls)
