"""What `make soak` does with many games of the sample bots, with few: they play as the second implementation does."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from tests.second.field import other_decisions, played_shares, record_shares
from tests.second.strategies import STRATEGIES, TWINS
from tests.soak.strength import Field, ladder_problems, play

ALL = [*STRATEGIES, *TWINS]


@pytest.mark.parametrize(
    "field",
    [
        Field("four", ALL, "[4]", rounds=3, games=10),
        Field("others", ALL, "[3, 8]", rounds=2, games=3, edition="incan-gold-2020"),
    ],
    ids=lambda field: field.name,
)
def test_every_decision_of_every_sample_bot_is_that_of_its_strategy(tmp_path: Path, field: Field) -> None:
    records, ladder = play(field, tmp_path)
    assert {seat["bot"] for record in records for seat in record["seats"]} == set(ALL)
    assert [record["faults"] for record in records if record["faults"]] == []
    assert [difference for record in records for difference in other_decisions(record)] == []
    assert ladder_problems(records, ladder) == []

    # What plays on its own comes to the same, too.
    record = records[0]
    bots = [seat["bot"] for seat in record["seats"]]
    assert played_shares(record["edition"], record["seed"], bots, field.games) == record_shares(record)

    # A record is not as it must be where another bot is said to have played it.
    changed = copy.deepcopy(record)
    changed["seats"][0]["bot"] = "never" if bots[0] != "never" else "at-once"
    assert [*other_decisions(changed)] != []
    others = {bot: share + 0.001 for bot, share in ladder.items()}
    assert len(ladder_problems(records, others)) == len(ALL)
