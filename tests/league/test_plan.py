"""What a run would be, against sums done by hand."""

from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.league.entrant import Entrant
from harness.league.league_file import League, load_league
from harness.league.plan import plan


def league(
    folder: Path, seats: str, games: int, rounds: int, format_: str = "round-robin", more: str = "", anchors: int = 0
) -> League:
    bots = "".join(f'[[bots]]\npath = "b{i}"\nanchor = {str(i < anchors).lower()}\n' for i in range(8))
    path = folder / "l.toml"
    path.write_text(
        f'[league]\nname = "l"\nedition = "iello-2016"\nformat = "{format_}"\nseats = {seats}\n'
        f"games = {games}\nrounds = {rounds}\n{bots}{more}",
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


def test_the_strength_of_a_bot_is_known_by_its_games(tmp_path: Path) -> None:
    # 10 rounds × 4 tables × 10 games, β 25/3, 8 bots: π·β²·5 / (3·3·400) times (7/8)², and 1.96 roots of it.
    found = plan(league(tmp_path, "[4]", 10, 10), field(8))
    assert found.strength is not None
    assert found.strength.half_width == pytest.approx(0.944025, abs=1e-4)
    # The difference of two: twice the variance, once 7/8; 2.8016 roots of it.
    assert found.strength.gap == pytest.approx(2.04010, abs=1e-4)
    # Measured from four anchors: 1 + 1/4 for 1 − 1/8.
    anchored = plan(league(tmp_path, "[4]", 10, 10, anchors=4), field(8))
    assert anchored.strength is not None
    assert anchored.strength.half_width == pytest.approx(0.944025 * (1.25 / 0.875) ** 0.5, abs=1e-4)


def test_ten_times_as_many_rounds_cost_ten_times_as_much_and_tell_root_ten_times_more(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[3, 5]", 2, 6), field(8), {3: 1.0, 5: 2.0})
    ten = plan(league(tmp_path, "[3, 5]", 2, 60), field(8), {3: 1.0, 5: 2.0})
    assert (found.tenfold.matches, found.tenfold.games) == (ten.matches, ten.games) == (480, 960)
    assert found.tenfold.seconds == pytest.approx(ten.seconds)
    assert found.tenfold.half_width == pytest.approx(ten.half_width)
    assert found.tenfold.half_width == pytest.approx(found.half_width / 10**0.5)
    assert found.strength is not None
    assert ten.strength is not None
    assert found.tenfold.strength is not None
    assert found.tenfold.strength.gap == pytest.approx(ten.strength.gap)
    assert found.tenfold.strength.half_width == pytest.approx(ten.strength.half_width)


def test_the_strength_of_who_may_play_no_match_is_not_planned(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[4]", 1, 1, "ladder"), field(9))
    assert found.matches_per_bot == (0, 1)
    assert found.strength is None


GAUNTLET = "[format.gauntlet]\nbot = 'b3'\nwidth = {}\n"


def test_a_gauntlet_tells_the_candidate_and_when_it_is_known(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[4]", 10, 5, "gauntlet", GAUNTLET.format(0.5)), field(8))
    assert (found.matches, found.matches_per_bot, found.spread.pairs) == (35, (15, 15), (5, 5))
    # 350 games of the candidate, at tables of four.
    assert found.half_width == pytest.approx(1.959964 * (0.25 * 0.75 / 350) ** 0.5, rel=1e-6)
    assert found.strength is not None
    assert found.strength.half_width == pytest.approx(0.944025 * (400 / 350) ** 0.5, abs=1e-4)
    assert found.gauntlet is not None
    # Half the width takes four times the games: (1.0092 / 0.5)² × 5 rounds are 20.4.
    assert (found.gauntlet.bot, found.gauntlet.rounds_needed, found.gauntlet.enough) == ("b3", 21, False)
    (fours,) = found.gauntlet.compositions
    assert (fours.size, fours.compositions, fours.covered) == (4, 35, 35)
    assert found.divided is None


@pytest.mark.parametrize(("width", "enough"), [(30.0, True), (3.0, True), (0.4, False)])
def test_the_rounds_that_a_gauntlet_needs_are_the_first_that_are_enough(
    width: float, enough: bool, tmp_path: Path
) -> None:
    def planned(rounds: int) -> float:
        found = plan(league(tmp_path, "[3, 5, 4]", 2, rounds, "gauntlet", GAUNTLET.format(width)), field(8))
        assert found.strength is not None
        return found.strength.half_width

    found = plan(league(tmp_path, "[3, 5, 4]", 2, 20, "gauntlet", GAUNTLET.format(width)), field(8)).gauntlet
    assert found is not None
    assert found.enough == enough
    assert planned(found.rounds_needed) <= width
    assert found.rounds_needed == 1 or planned(found.rounds_needed - 1) > width


def test_compositions_that_the_budget_does_not_reach_are_not_counted(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[4, 3]", 1, 3, "gauntlet", GAUNTLET.format(1)), field(8)).gauntlet
    assert found is not None
    # Two of five rounds that a lap of fours has, one of three of threes.
    assert [(one.size, one.compositions, one.covered) for one in found.compositions] == [(3, 21, 7), (4, 35, 14)]


def test_of_divisions_the_first_season_is_planned_and_what_a_divided_one_would_be(tmp_path: Path) -> None:
    found = plan(league(tmp_path, "[4]", 10, 10, "divisions"), field(8))
    assert (found.matches, found.by_rating, found.gauntlet) == (80, False, None)
    assert found.divided is not None
    assert (found.divided.bots, found.divided.matches, found.divided.games) == ((4, 4), 80, 800)
    assert found.divided.strength is not None
    # As many games, in a field of four: (3/4)² for (7/8)².
    assert found.divided.strength.half_width == pytest.approx(0.944025 * (3 / 4) / (7 / 8), abs=1e-4)
    assert plan(league(tmp_path, "[4]", 1, 1, "divisions"), field(7)).divided is None
