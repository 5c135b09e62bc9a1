"""What is kept of a record for the pages: against the second implementation of the rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from harness.publish.match_facts import match_line, style_counts, style_of
from harness.publish.site_facts import StyleBar
from harness.publish.style_words import style_sentence
from tests.records import random_record
from tests.second.rules import ExpeditionOver, GameOver, Question, Table

EDITIONS = ["iello-2016", "schmidt-2005", "incan-gold-2006", "incan-gold-2020"]
FIXTURE = {"league": "caves", "season": 1, "round": 2, "number": 3}


def decisions(record: dict[str, Any]) -> list[tuple[str, dict[str, int], bool]]:
    """By the second implementation: whose decision, what it stood before, and whether it was to leave."""
    found = []
    table = Table(record["edition"], record["seed"], len(record["seats"]))
    for event in table.play([game["expeditions"] for game in record["games"]]):
        if isinstance(event, Question):
            up = {card.kind for card in event.path if card.sort == "hazard"}
            deadly = sum(card.sort == "hazard" and card.kind in up for card in event.face_down)
            stood = {
                "pocket": event.pocket,
                "danger": 100 * deadly // len(event.face_down),
                "inside": len(event.inside),
            }
            found += [
                (record["seats"][seat]["bot"], stood, event.letters[seat] == "L")
                for seat in event.inside
                if event.letters[seat] != "x"
            ]
    return found


def counted(bars: tuple[StyleBar, ...], name: str, of_bot: list[tuple[str, dict[str, int], bool]]) -> list[list[int]]:
    """For each bar, decisions and those to leave whose measure lies in it."""
    rows = []
    for bar in bars:
        high = 10**6 if bar.high is None else bar.high
        inside = [left for _, stood, left in of_bot if bar.low <= stood[name] <= high]
        rows.append([len(inside), sum(inside)])
    return rows


@pytest.mark.parametrize("seats", [3, 5, 8])
@pytest.mark.parametrize("edition", EDITIONS)
def test_style_is_counted_as_the_second_implementation_sees_it(edition: str, seats: int) -> None:
    record = random_record(edition, seats, games=3, faulty={1: 9, 2: 40})
    into: dict[str, list[int]] = {}
    style_counts(record, into)
    all_of_them = decisions(record)
    for bot, counts in into.items():
        style = style_of(counts)
        of_bot = [one for one in all_of_them if one[0] == bot]
        for field in ("pocket", "danger", "inside", "single_pocket", "single_danger"):
            bars, name = getattr(style, field), field.removeprefix("single_")
            assert [[bar.asked, bar.left] for bar in bars] == counted(bars, name, of_bot)
            # Every decision is in one bar.
            assert sum(bar.asked for bar in bars) == len(of_bot)


def test_a_bot_at_several_seats_and_matches_adds_up() -> None:
    record = random_record(seats=4, bots=["ada", "ada", "bob", "cyd"])
    into: dict[str, list[int]] = {}
    style_counts(record, into)
    style_counts(record, into)
    asked = Counter(bot for bot, _, _ in decisions(record))
    told = {bot: sum(bar.asked for bar in style_of(counts).pocket) for bot, counts in into.items()}
    assert told == {bot: 2 * number for bot, number in asked.items()}


def test_all_forfeit_is_counted_up_to_there() -> None:
    record = random_record(seats=3, games=2, faulty={0: 1, 1: 1, 2: 1})
    into: dict[str, list[int]] = {}
    style_counts(record, into)
    assert all(not any(counts) for counts in into.values())


def test_the_line_of_a_match() -> None:
    record = random_record(seats=3, games=4, faulty={2: 12}, fixture=FIXTURE)
    line = match_line(record)
    assert (line.match, line.round, line.number, line.games) == ("caves/1/2/3", 2, 3, 4)
    assert line.bots == ("bot-0", "bot-1", "bot-2")
    assert line.points == tuple(sum(game["scores"][seat] for game in record["games"]) for seat in range(3))
    assert line.ranks == tuple(sum(game["ranks"][seat] for game in record["games"]) for seat in range(3))
    assert line.faults == ((2, "crashed"),)
    # A win is 840 parts, shared by those who are first; here nobody is left out of all games.
    assert sum(line.win_parts) == 4 * 840


def test_a_threshold_is_found_to_the_ruby() -> None:
    """A bot that leaves from 8 on: no bar of the chart begins there, and still it is 8 that is told."""
    record = obedient_record(8)
    into: dict[str, list[int]] = {}
    style_counts(record, into)
    asked = sum(pocket < 8 for pocket in pockets_of(record, 0)), sum(pocket >= 8 for pocket in pockets_of(record, 0))
    told = style_sentence(style_of(into["bot-0"])).replace("\u00a0", " ").replace("\u202f", " ")
    assert told == (
        f"It leaves with 8 rubies or more in its pocket: in 100.0 % of {asked[1]} such decisions, "
        f"and in 0.0 % of the {asked[0]} others."
    )


def obedient_record(threshold: int) -> dict[str, Any]:
    """A record of three seats of which the first leaves from that pocket on, and the others at the fourth card."""
    record = random_record(seats=3, games=1)
    edition, seed = record["edition"], record["seed"]

    def decide(question: Question) -> str:
        letters = ["."] * 3
        for seat in question.inside:
            leaves = question.pocket >= threshold if seat == 0 else len(question.path) >= 4
            letters[seat] = "L" if leaves else "C"
        return "".join(letters)

    games: list[dict[str, Any]] = []
    turns: list[list[str]] = []
    for event in Table(edition, seed, 3).play_by(decide, 40):
        if isinstance(event, ExpeditionOver):
            turns.append(list(event.turns))
        elif isinstance(event, GameOver):
            games.append({"expeditions": turns, "scores": list(event.scores), "ranks": list(event.ranks)})
            turns = []
    return {**record, "games": games}


def pockets_of(record: dict[str, Any], seat: int) -> list[int]:
    """What the seat had in its pocket at each of its decisions."""
    table = Table(record["edition"], record["seed"], len(record["seats"]))
    events = table.play([game["expeditions"] for game in record["games"]])
    return [event.pocket for event in events if isinstance(event, Question) and seat in event.inside]
