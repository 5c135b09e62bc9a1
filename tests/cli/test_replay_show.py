"""`harness replay show`: its numbers against a recount of its own, its shape, ASCII, hostile names."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from tests.recount import Line, Told, recount

ASCII = {"LC_ALL": "C"}
EDITIONS = ["iello-2016", "schmidt-2005", "incan-gold-2006", "incan-gold-2020"]


KINDS = {"$": "treasure:", "!": "hazard:", "!!": "hazard:", "*": ""}
"""What the signs before a card stand for; behind the star the word relic is written out."""


def shown(text: str, kinds: int) -> list[list[Told]]:
    """The recount's numbers, read off the screen, wide enough for nothing to be wrapped."""
    games: list[list[Told]] = []
    lines: list[Line] = []
    card_width = max(8, kinds) + 3
    for row in text.splitlines():
        if row.startswith("Game "):
            games.append([])
        elif row.startswith("Expedition "):
            lines = []
            games[-1].append((lines, []))
        elif row.startswith("     chests "):
            games[-1][-1][1].extend(int(n) for n in re.findall(r"\d+:[a-z0-9-]+ (\d+)", row))
        elif re.match(r" [ \d]\d  [$!*]", row):
            card, rest = row[5 : 5 + card_width].rstrip(), row[5 + card_width :]
            sign, _, name = card.partition(" ")
            pocket, rubies = rest[1:5].strip(), rest[7:10].strip()
            numbers = re.fullmatch(r"(\**) +([\d.]+)(?:  (.*))?", rest[11:])
            assert numbers is not None, row
            relics, inside, event = numbers.groups()
            line = Line(
                card=KINDS[sign] + name.strip().replace("relic ", "relic:"),
                pocket=int(pocket) if pocket else None,
                rubies=int(rubies or 0),
                relics=len(relics),
                inside=inside.strip(),
            )
            for part in (event or "").strip().split("; "):
                leave = re.match(r"(.+?) leaves? with (\d+)", part)
                if leave:
                    line.takes = {int(s): int(leave[2]) for s in re.findall(r"(\d+):", leave[1])}
                bust = re.match(r"bust: .+ loses (\d+)", part)
                if bust:
                    line.loses = int(bust[1])
            assert (sign == "!!") == (line.loses is not None), row
            lines.append(line)
    return games


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 5, 8])
def test_every_number_shown_is_that_of_an_independent_recount(
    harness: Callable[..., Result], make_record: Any, replay_file: Any, edition: str, seats: int
) -> None:
    record = make_record(edition, seats, games=3, seed=f"{seats:032x}", faulty={1: 9} if seats > 3 else {})
    done = harness("replay", "show", replay_file(record), env={**ASCII, "COLUMNS": "400"})
    assert done.exit_code == 0, done.stderr
    kinds = max(len(hazard["kind"]) for hazard in record["edition"]["hazards"])
    counted = recount(record)
    seen = shown(done.stdout, kinds)
    for game, (told, due) in enumerate(zip(seen, counted, strict=True)):
        for expedition, (one, other) in enumerate(zip(told, due, strict=True)):
            assert one == other, f"game {game + 1}, expedition {expedition + 1}"
    # The recount itself against the record, whose chests a forfeiter keeps in the game of its fault.
    assert [game[-1][1] for game in counted] == [game["scores"] for game in record["games"]]
    assert done.stderr == ""


@pytest.mark.parametrize("columns", [50, 80, 120])
def test_no_line_is_wider_than_the_screen(harness: Callable[..., Result], replay_file: Any, columns: int) -> None:
    file = replay_file(seats=8, bots=[f"{'long-name-' * 3}{seat}" for seat in range(8)], faulty={2: 5})
    done = harness("replay", "show", file, env={"COLUMNS": str(columns)})
    assert done.exit_code == 0
    body = done.stdout.partition("All 2 games")[0]
    assert max(len(line.rstrip()) for line in body.splitlines()) <= columns


def test_one_game_alone(harness: Callable[..., Result], replay_file: Any) -> None:
    done = harness("replay", "show", replay_file(games=3), "--game", 2)
    assert "Game 2 of 3" in done.stdout
    assert "Game 1 of 3" not in done.stdout
    assert "All 3 games" not in done.stdout


def test_a_forfeit_is_told_with_its_reason(harness: Callable[..., Result], replay_file: Any) -> None:
    done = harness("replay", "show", replay_file(faulty={2: 4}), env={"COLUMNS": "200"})
    assert "2:bot-2 forfeits (crashed)" in done.stdout
    assert "it ended in the middle of the match" in done.stdout
    assert "exit status 1" in done.stdout
    assert "forfeited (crashed)" in done.stdout


def test_when_all_have_forfeited_nobody_enters(harness: Callable[..., Result], replay_file: Any) -> None:
    done = harness("replay", "show", replay_file(seats=3, faulty={0: 2, 1: 2, 2: 3}))
    assert done.exit_code == 0
    assert "every seat has forfeited, nobody enters" in done.stdout


def test_a_c_locale_gets_ascii_only(harness: Callable[..., Result], replay_file: Any) -> None:
    done = harness("replay", "show", replay_file(seats=5), env={"LANG": "C"})
    assert done.exit_code == 0
    assert done.stdout_bytes.isascii()


def test_an_encoding_that_lacks_the_signs_gets_ascii_only(replay_file: Any) -> None:
    done = CliRunner(charset="iso8859-1").invoke(main, ["replay", "show", str(replay_file())], prog_name="harness")
    assert done.exit_code == 0
    assert done.stdout_bytes.isascii()


def test_no_colour_unless_asked_for(harness: Callable[..., Result], replay_file: Any) -> None:
    file = replay_file()
    assert "\x1b" not in harness("replay", "show", file).output
    coloured = harness("replay", "show", file, env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).output
    assert "\x1b[31m" in coloured
    without = harness(
        "replay", "show", file, env={"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm-256color"}
    ).output
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", without)


HOSTILE = {
    "edition name": lambda record: record["edition"].update(name="x\x1b[2J\u202egnp"),
    "match": lambda record: record.update(match="m\x1b]0;owned\x07\u2066"),
    "got": lambda record: record["faults"][0].update(got="\x1b[31mred\r\n\u202etxt"),
    "expected": lambda record: record["faults"][0].update(expected="\x9b31m\u200b"),
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("env", [{}, ASCII], ids=["utf-8", "ascii"])
def test_hostile_text_is_made_visible(
    harness: Callable[..., Result], make_record: Any, replay_file: Any, what: str, env: dict[str, str]
) -> None:
    record = make_record(faulty={1: 3})
    HOSTILE[what](record)
    done = harness("replay", "show", replay_file(record), env=env)
    assert done.exit_code in (0, 2)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", done.output)


def test_a_record_that_does_not_verify_is_shown_with_a_warning(
    harness: Callable[..., Result], make_record: Any, replay_file: Any
) -> None:
    record = make_record()
    record["games"][0]["scores"][1] += 1
    done = harness("replay", "show", replay_file(record))
    assert done.exit_code == 0
    assert done.stderr.count("\n") == 1
    assert "does not verify: games[0].scores[1]" in done.stderr


def test_decisions_that_cannot_be_end_in_one_line(
    harness: Callable[..., Result], make_record: Any, replay_file: Any
) -> None:
    record = make_record()
    record["games"][0]["expeditions"][0][0] = "...."
    done = harness("replay", "show", replay_file(record))
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("harness: ")
    assert "does not verify: games[0].expeditions[0][0]: " in done.stderr


def test_a_gzip_file_is_read(harness: Callable[..., Result], make_record: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.json.gz"
    file.write_bytes(gzip.compress(json.dumps(make_record()).encode()))
    assert harness("replay", "show", file).exit_code == 0
