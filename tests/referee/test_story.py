"""The story of a game against the contract's vector, an independent recount and another implementation's records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.game import BUILT_IN, IllegalStep
from harness.referee import ExpeditionStory, Leaver, TurnStory, story_of
from tests.records import SEED, random_record
from tests.recount import Line, Told, recount

EXAMPLES = sorted((Path(__file__).parents[1] / "cases" / "replays").glob("*.json"))
EXAMPLE_NAMES = [path.stem for path in EXAMPLES]


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def as_recounted(story: ExpeditionStory, seats: int) -> Told:
    """The story in the recount's words."""

    def line(turn: TurnStory) -> Line:
        return Line(
            card=turn.card,
            pocket=None if turn.caught else turn.pocket,
            rubies=turn.rubies,
            relics=turn.relics,
            inside="".join(str(seat) if seat in turn.inside else "." for seat in range(seats)),
            takes={leaver.seat: leaver.total for leaver in turn.leavers},
            loses=turn.lost if turn.caught else None,
        )

    return [line(turn) for turn in story.turns], list(story.chests)


def test_the_deal_of_the_contracts_vector() -> None:
    """deal/1/1 starts 18 28 17 30 27: in iello-2016 snakes, rams, spiders, a relic, and the second rams."""
    record = random_record("iello-2016", 3, games=1)
    assert record["seed"] == SEED
    record["games"][0]["expeditions"][0] = ["CCC", "xCC", ".CC", ".LC"]
    first = next(story_of(record, 1))
    assert [turn.card for turn in first.turns] == [
        "hazard:snakes", "hazard:rams", "hazard:spiders", "relic", "hazard:rams",
    ]  # fmt: skip
    assert [turn.forfeits for turn in first.turns] == [(), (0,), (), (), ()]
    assert [turn.inside for turn in first.turns] == [(0, 1, 2), (0, 1, 2), (1, 2), (1, 2), (2,)]
    # The first relic of the edition is worth 5.
    assert first.turns[3].leavers == (Leaver(seat=1, pocket=0, share=0, relics=1, relic_points=5),)
    assert (first.turns[3].relics, first.turns[3].stay_relics, first.left_relics) == (1, 0, 0)
    assert [turn.caught for turn in first.turns] == [(), (), (), (), (2,)]
    assert (first.number, first.chests, first.removed) == (1, (0, 5, 0), "rams")


@pytest.mark.parametrize("edition", BUILT_IN)
@pytest.mark.parametrize("seats", [3, 5, 8])
def test_every_number_is_that_of_an_independent_recount(edition: str, seats: int) -> None:
    record = random_record(edition, seats, games=4, seed=f"{seats:032x}", faulty={1: 9} if seats > 3 else {})
    told = [[as_recounted(one, seats) for one in story_of(record, game)] for game in range(1, 5)]
    assert told == recount(record)


@pytest.mark.parametrize("path", EXAMPLES, ids=EXAMPLE_NAMES)
def test_the_story_ends_as_another_implementation_recorded(path: Path) -> None:
    record = read(path)
    for number, game in enumerate(record["games"], start=1):
        stories = list(story_of(record, number))
        assert [sum(not turn.caught for turn in one.turns) for one in stories] == [*map(len, game["expeditions"])]
        assert list(stories[-1].chests) == game["scores"]
        relics = [0] * len(record["seats"])
        for leaver in (leaver for one in stories for turn in one.turns for leaver in turn.leavers):
            relics[leaver.seat] += leaver.relics
        assert relics == game["relics"]


@pytest.mark.parametrize("path", EXAMPLES, ids=EXAMPLE_NAMES)
def test_every_ruby_of_an_expedition_is_taken_lost_or_left(path: Path) -> None:
    record = read(path)
    for story in (one for game in range(1, len(record["games"]) + 1) for one in story_of(record, game)):
        found = sum(int(turn.card.partition(":")[2]) for turn in story.turns if turn.card.startswith("treasure:"))
        taken = sum(leaver.pocket + leaver.share for turn in story.turns for leaver in turn.leavers)
        forfeited = sum(turn.pocket * len(turn.forfeits) for turn in story.turns)
        lost = sum(turn.lost * len(turn.caught) for turn in story.turns)
        assert found == taken + forfeited + lost + story.left_rubies


def test_several_leavers_share_the_path_and_leave_its_relics() -> None:
    record = random_record("incan-gold-2006", 8, games=6)
    turns = [turn for game in range(1, 7) for one in story_of(record, game) for turn in one.turns]
    together = [turn for turn in turns if len(turn.leavers) > 1 and turn.rubies]
    assert together
    for turn in together:
        assert {leaver.share for leaver in turn.leavers} == {turn.rubies // len(turn.leavers)}
        assert turn.stay_rubies == turn.rubies % len(turn.leavers)
        assert turn.stay_relics == turn.relics
        assert not any(leaver.relics or leaver.relic_points for leaver in turn.leavers)


def test_who_is_out_since_an_earlier_game_follows_from_the_turns_alone() -> None:
    record = random_record(seats=4, games=2, faulty={2: 5})
    record["faults"] = []
    assert all(2 not in turn.inside for one in story_of(record, 2) for turn in one.turns)


def test_when_all_have_forfeited_no_card_is_told() -> None:
    record = random_record(seats=3, games=2, faulty={0: 2, 1: 2, 2: 3})
    assert [one.turns for one in story_of(record, 2)] == [()] * 5
    assert [one.number for one in story_of(record, 2)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("turns", [["CCCC"], [], ["...."], ["CCCC", "CC"]])
def test_decisions_that_cannot_be_are_refused(turns: list[str]) -> None:
    record = random_record()
    record["games"][0]["expeditions"][0] = turns
    with pytest.raises(IllegalStep):
        list(story_of(record, 1))
