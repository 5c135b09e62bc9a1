"""What a run would be, against sums done by hand."""

from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.league_file import League, load_league
from harness.league.plan import plan


def league(folder: Path, seats: str, games: int, rounds: int) -> League:
    bots = "".join(f'[[bots]]\npath = "b{i}"\n' for i in range(8))
    path = folder / "l.toml"
    path.write_text(
        f'[league]\nname = "l"\nedition = "iello-2016"\nformat = "round-robin"\nseats = {seats}\n'
        f"games = {games}\nrounds = {rounds}\n{bots}",
        "utf-8",
    )
    return load_league(path)


def field(n: int) -> list[Entrant]:
    return [Entrant(f"b{i}", None) for i in range(n)]


def test_a_plan_counts_matches_games_and_meetings(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[3]", 10, 6), field(7))
    assert (found.bots, found.rounds, found.matches, found.games) == (7, 6, 42, 420)
    assert found.matches_per_bot == (18, 18)
    assert (found.spread.pairs, found.spread.pairs_mean, found.spread.seats) == ((6, 6), 6.0, (6, 6))
    assert found.seconds is None


def test_the_interval_is_the_binomial_one(tmp_path: Path) -> None:
    # 1.96 standard errors of a share of 1/4 after 400 games: sqrt(.25 × .75 / 400) = .0216506.
    found = plan(league(tmp_path, "[4]", 10, 10), field(8))
    assert found.half_width == pytest.approx(0.0424344, abs=1e-6)
    assert found.sizes[0].half_width == found.half_width


def test_sizes_are_planned_each_for_itself(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[3, 5]", 2, 5), field(8))
    assert [(one.size, one.rounds, one.matches, one.games) for one in found.sizes] == [(3, 3, 24, 48), (5, 2, 16, 32)]
    assert [one.matches_per_bot for one in found.sizes] == [(9, 9), (10, 10)]
    assert (found.matches, found.matches_per_bot) == (40, (19, 19))
    # 18 games at 2/9 and 20 at 4/25: sqrt(4 + 3.2) / 38 standard errors.
    assert found.half_width == pytest.approx(1.959964 * 7.2**0.5 / 38, rel=1e-6)


def test_the_time_comes_from_a_pilot(tmp_path: Path) -> None:
    one_size = plan(league(tmp_path, "[4]", 1, 10), field(8), {4: 90.0})
    assert one_size.seconds == pytest.approx(7200)
    # 16 matches of 4 at 8 s, and 16 of 6, which the pilot did not see, at 12 s.
    two_sizes = plan(league(tmp_path, "[4, 6]", 1, 4), field(8), {4: 8.0})
    assert two_sizes.seconds == pytest.approx(16 * 8 + 16 * 12)


def test_a_plan_leaves_pairs_of_one_author_out_of_the_spread(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[3]", 1, 30), [Entrant(f"b{i}", "Ada" if i < 2 else None) for i in range(8)])
    assert found.spread.pairs[0] > 0


def test_what_can_not_be_paired_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LeagueFileError, match=r"^l\.toml: bots: 8 of 8 bots are by 'ada'"):
        plan(league(tmp_path, "[3]", 1, 1), [Entrant(f"b{i}", "Ada") for i in range(8)])


def test_a_plan_is_the_same_every_time(tmp_path: Path) -> None:
    one = league(tmp_path, "[3, 4]", 1, 9)
    assert plan(one, field(9)) == plan(one, list(reversed(field(9))))
