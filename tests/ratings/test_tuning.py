"""The proposal of β and the share of ties: its loss worked out by hand, and leagues whose β is known."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from statistics import NormalDist, fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings import Ladder, MatchRanks, Parameters, Rating, Tuning, propose
from harness.ratings.tuning import game_loss

NORMAL = NormalDist()
PARAMETERS = Parameters()


def match(number: int, bots: str, ranks: str, version: str = "v") -> MatchRanks:
    return MatchRanks(f"m{number:05d}", number, f"{number:032x}", tuple((bot, version) for bot in bots), ranks)


def duels(count: int, luck: float, seed: int = 1) -> list[MatchRanks]:
    """Games of three at a table of eight bots, σ₀ = 25/3 points apart on average, with noise of so many points."""
    chance = random.Random(seed)
    strengths = {bot: chance.gauss(25, 25 / 3) for bot in "abcdefgh"}
    made = []
    for number in range(count):
        bots = "".join(chance.sample("abcdefgh", 3))
        played = [chance.gauss(strengths[bot], luck) for bot in bots]
        made.append(match(number, bots, "".join(str(1 + sum(other > own for other in played)) for own in played)))
    return made


@given(st.floats(-60, 60), st.floats(0.5, 8), st.floats(0.5, 8), st.sampled_from([1e-4, 0.03, 0.5]))
def test_the_chances_of_win_loss_and_tie_add_up_to_one(gap: float, sigma: float, other: float, draw: float) -> None:
    parameters = replace(PARAMETERS, draw=draw, tau=0.1)
    one, two = Rating(25 + gap, sigma), Rating(25, other)
    losses = [
        game_loss(parameters, [one, two], [1, 2]),
        game_loss(parameters, [two, one], [1, 2]),
        game_loss(parameters, [one, two], [1, 1]),
    ]
    assert sum(math.exp(-loss) for loss in losses) == pytest.approx(1, abs=1e-12)


def test_the_loss_of_a_game_is_that_of_its_pairs() -> None:
    parameters = Parameters(beta=4, tau=0.5, draw=0.1)
    ratings = [Rating(30, 3), Rating(24, 2), Rating(26, 5)]
    margin = NORMAL.inv_cdf(0.55) * math.sqrt(2) * 4

    def ahead(i: int, j: int) -> float:
        width = math.sqrt(ratings[i].sigma ** 2 + ratings[j].sigma ** 2 + 2 * (4**2 + 0.5**2))
        return NORMAL.cdf((ratings[i].mu - ratings[j].mu - margin) / width)

    expected = -math.log(ahead(0, 1)) - math.log(ahead(0, 2)) - math.log(1 - ahead(1, 2) - ahead(2, 1))
    assert game_loss(parameters, ratings, [1, 2, 2]) == pytest.approx(expected)


def test_each_game_is_foretold_before_it_is_rated() -> None:
    # Each game by the ratings that the ladder has after those before it, over a change of version and a forfeit.
    matches = [match(1, "abc", "123"), match(2, "cba", "12C"), match(3, "abc", "113", version="w")]
    ladder, total, pairs = Ladder(PARAMETERS), 0.0, 0
    for one in matches:
        [finish] = one.finishes()
        before = [change.before for change in ladder.apply(one)]
        ordered = sorted(finish)
        total += game_loss(PARAMETERS, [before[seat] for _, seat in ordered], [rank for rank, _ in ordered])
        pairs += math.comb(len(finish), 2)
    tuning = propose(PARAMETERS, matches)
    assert tuning.loss == pytest.approx(total / pairs)
    assert (tuning.games, tuning.pairs, tuning.tie_rate) == (3, 9, 1 / 9)


def test_the_first_game_of_new_bots_is_foretold_from_what_is_believed_of_all() -> None:
    # σ₀ = β doubles the variance of the difference; the margin is that at which equals known exactly tie in 3 %.
    expected = -math.log(NORMAL.cdf(-NORMAL.inv_cdf(0.515) / math.sqrt(2)))
    assert propose(PARAMETERS, [match(1, "ab", "12")]).loss == pytest.approx(expected)


@pytest.mark.parametrize("luck", [0.7, 2.0])
def test_the_proposed_beta_is_near_the_noise_that_performances_had(luck: float) -> None:
    sigma = PARAMETERS.sigma
    found = [propose(PARAMETERS, duels(200, luck * sigma, seed)).proposed.beta / sigma for seed in range(3)]
    assert luck / 1.6 < math.exp(fmean(map(math.log, found))) < luck * 1.6


@pytest.fixture(scope="module")
def tuned() -> Tuning:
    return propose(PARAMETERS, duels(150, 10))


def test_the_proposal_is_the_best_of_the_curve_and_changes_beta_and_draw_alone(tuned: Tuning) -> None:
    assert [beta for beta, _ in tuned.curve] == sorted({beta for beta, _ in tuned.curve})
    assert tuned.proposed.beta == min(tuned.curve, key=lambda point: point[1])[0]
    assert (tuned.proposed.draw, tuned.proposed_loss) == min(tuned.draws, key=lambda point: point[1])
    assert tuned.proposed_loss <= min(loss for _, loss in tuned.curve)
    kept = replace(tuned.proposed, beta=PARAMETERS.beta, draw=PARAMETERS.draw)
    assert kept == PARAMETERS


def test_the_search_goes_on_between_the_points_of_its_grid(tuned: Tuning) -> None:
    on_grid = {PARAMETERS.sigma * 2.0**power for power in range(-2, 4)}
    assert on_grid < {beta for beta, _ in tuned.curve}
    assert tuned.proposed_loss <= min(loss for beta, loss in tuned.curve if beta in on_grid)


def test_where_bots_differ_the_proposed_draw_is_that_of_equals_and_not_the_share_that_tied() -> None:
    # Performances nearer than a margin tie; with noise of one point two equals do in 2·Φ(.3/√2) − 1 of games.
    chance = random.Random(5)
    strengths = {"a": 25.0, "b": 25.0, "c": 29.0, "d": 21.0}
    matches = []
    for number in range(700):
        bots = "".join(chance.sample("abcd", 2))
        first, second = (chance.gauss(strengths[bot], 1) for bot in bots)
        ranks = "11" if abs(first - second) < 0.3 else "12" if first > second else "21"
        matches.append(match(number, bots, ranks))
    tuning = propose(replace(PARAMETERS, beta=1), matches)
    equals = 2 * NORMAL.cdf(0.3 / math.sqrt(2)) - 1
    assert tuning.tie_rate < equals / 2
    assert equals / 1.7 < tuning.proposed.draw < equals * 1.7


def test_the_share_of_ties_stays_within_what_a_league_may_have() -> None:
    assert propose(PARAMETERS, [match(1, "abc", "123")]).proposed.draw == 1e-4
    tied = propose(PARAMETERS, [match(1, "abc", "111")])
    assert (tied.tie_rate, tied.proposed.draw) == (1, 0.9)


def test_only_the_first_games_are_looked_at() -> None:
    matches = duels(20, 5)
    few = propose(PARAMETERS, matches, most_games=7)
    assert few == propose(PARAMETERS, matches[:7])
    assert few.games == 7


def test_a_match_that_was_begun_is_taken_whole() -> None:
    assert propose(PARAMETERS, [match(1, "ab", "12 21 12"), match(2, "ab", "12")], most_games=1).games == 3


def test_progress_is_told_up_to_an_end() -> None:
    told = list[tuple[int, int]]()
    tuning = propose(PARAMETERS, duels(10, 5), progress=lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == list(range(1, len(tuning.curve) + len(tuning.draws) + 1))
    assert len({of for _, of in told}) == 1
    assert told[-1][0] <= told[-1][1]


def test_without_a_rated_game_nothing_is_proposed() -> None:
    for matches in ([], [match(1, "abc", "AAA")]):
        with pytest.raises(ValueError, match=r"^no game of these matches was rated"):
            propose(PARAMETERS, matches)


@settings(max_examples=20, deadline=None)
@given(st.floats(-5000, 5000))
def test_no_upset_has_an_infinite_loss(gap: float) -> None:
    parameters = replace(PARAMETERS, beta=1)
    assert math.isfinite(game_loss(parameters, [Rating(25 + gap, 1), Rating(25, 1)], [1, 2]))
    assert math.isfinite(game_loss(parameters, [Rating(25 + gap, 1), Rating(25, 1)], [1, 1]))
