"""What `harness plan` says of strengths, of ten times as many rounds, and of formats with questions of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.league import load_league, plan

SAMPLES = ("never", "at-once", "random", "hazard-count", "risk-threshold", "gem-threshold", "fixed-depth")


def planned(folder: Path, format_: str, options: str = "", seats: str = "[3]") -> tuple[Path, str]:
    bots = "".join(f'[[bots]]\nsample = "{name}"\n' for name in SAMPLES)
    file = folder / "l.toml"
    file.write_text(
        f'[league]\nname = "l"\nedition = "iello-2016"\nformat = "{format_}"\nseats = {seats}\ngames = 5\nrounds = 6\n'
        f"{bots}{options}",
        "utf-8",
    )
    done = CliRunner().invoke(main, ["plan", str(file), "--no-pilot"], prog_name="harness")
    assert done.exit_code == 0, done.output
    return file, done.stdout


def test_the_plan_tells_strengths_and_what_ten_times_as_many_rounds_would_buy(tmp_path: Path) -> None:
    file, said = planned(tmp_path, "round-robin")
    league = load_league(file)
    found = plan(league, league.load_bots())
    assert found.strength is not None
    assert found.tenfold.strength is not None
    assert f"{found.strength.half_width:.2f} points of μ; bots that are {found.strength.gap:.2f} apart" in said
    assert "with ten times as many rounds: 420 matches, win share" in said
    assert f"told apart at {found.tenfold.strength.gap:.2f}" in said
    assert "compositions" not in said
    assert "divisions" not in said


@pytest.mark.parametrize(
    ("width", "says"), [(9, "among equals the season would end after round 1"), (0.25, "more than the 6 of the league")]
)
def test_the_plan_of_a_gauntlet_says_whether_the_budget_is_enough(width: float, says: str, tmp_path: Path) -> None:
    _, said = planned(tmp_path, "gauntlet", f"[format.gauntlet]\nbot = 'random'\nwidth = {width}\n")
    assert "interval of random's strength" in said
    assert f"{width} points of μ; " in said
    assert says in said
    assert "15 of 15 compositions of a table of 3 in all rounds" in said


def test_the_plan_of_divisions_tells_the_first_season_and_a_later_one(tmp_path: Path) -> None:
    _, said = planned(tmp_path, "divisions")
    assert "that is the first season, without divisions; with divisions of 4, 3 bots: 42 matches, strength" in said


def test_the_plan_says_where_a_season_is_too_short_for_a_rank(tmp_path: Path) -> None:
    _, said = planned(tmp_path, "divisions")
    assert "to have a rank" not in said
    (tmp_path / "l.toml").unlink(missing_ok=True)
    _, said = planned(tmp_path, "ladder", "", "[7]")
    assert "a bot plays 30 games" not in said


def test_a_plan_is_the_same_as_json(tmp_path: Path) -> None:
    file, _ = planned(tmp_path, "gauntlet", "[format.gauntlet]\nbot = 'random'\n", "[3, 4]")
    done = CliRunner().invoke(main, ["plan", str(file), "--no-pilot", "--json"], prog_name="harness")
    said = json.loads(done.stdout)
    assert said["gauntlet"]["compositions"] == [
        {"size": 3, "compositions": 15, "covered": 15},
        {"size": 4, "compositions": 20, "covered": 18},
    ]
    assert said["tenfold"]["games"] == 10 * said["games"]
