from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from harness.bots import bot_from_word, leagues_root

LEAGUES = sorted(leagues_root().glob("*.toml"))


@pytest.mark.parametrize("path", LEAGUES, ids=lambda path: path.stem)
def test_every_bot_of_a_ready_league_can_be_loaded(path: Path) -> None:
    league = tomllib.loads(path.read_text())
    bots = [bot_from_word(f"sample:{entry['sample']}", path.parent) for entry in league["bots"]]
    assert len({bot.id for bot in bots}) == len(bots) >= max(league["league"]["seats"])
    assert league["league"]["name"] == path.stem
    assert league["sandbox"] == {"backend": "auto", "trust_bots": True}, "contained where that can be had"


def test_the_starter_is_a_practice_league_and_the_season_is_not() -> None:
    starter, season = (tomllib.loads((leagues_root() / f"{name}.toml").read_text()) for name in ("starter", "season"))
    assert "seed" in starter["league"]
    assert len(starter["bots"]) >= 8
    assert "seed" not in season["league"]
    assert len(season["bots"]) == 9
    assert season["league"]["seats"] == [3, 4, 5]
