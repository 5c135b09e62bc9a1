"""Sentences on figures say what the figures are."""

from __future__ import annotations

import pytest

from harness.publish.site_facts import BotProfile, LadderLine, Style, StyleBar
from harness.publish.style_words import style_sentence
from harness.publish.words import (
    day,
    headline,
    in_words,
    listed,
    minute,
    movement,
    of_games,
    opponents_sentence,
    ordinal,
    rank_interval,
    reach,
    table_sizes,
)
from harness.ratings import HeadToHead, Standing, Totals
from tests.publish.rendered import spaced


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (20, "20th"),
        (21, "21st"), (102, "102nd"), (111, "111th"), (113, "113th"), (123, "123rd"),
    ],
)  # fmt: skip
def test_an_ordinal_has_its_ending(place: int, text: str) -> None:
    assert ordinal(place) == text


def test_a_rank_is_an_interval_with_an_en_dash_or_one_place() -> None:
    assert rank_interval(2, 4) == "2nd–4th"
    assert rank_interval(3, 3) == "3rd"
    assert rank_interval(None, None) == "not ranked"


def test_movement_is_told_in_words() -> None:
    assert [spaced(movement(moved)) for moved in (3, 1, 0, -1, -12)] == [
        "up 3 places", "up 1 place", "same place as a round ago", "down 1 place", "down 12 places",
    ]  # fmt: skip
    assert movement(None) == ""


def test_lists_numbers_and_sizes_read_as_sentences() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert [in_words(count) for count in (0, 1, 12, 13)] == ["no", "one", "twelve", "13"]
    assert table_sizes([5, 3, 4, 3]) == "tables of three, four and five"


def test_a_share_of_few_games_is_told_as_a_count() -> None:
    assert spaced(of_games(4.5 / 12, 12)) == "4.5 of 12 games"
    assert spaced(of_games(1.0, 1)) == "1 of 1 game"
    assert spaced(of_games(0.3449, 30)) == "34.5 %"


def test_half_an_interval_is_never_shown_as_nothing() -> None:
    # 1.96 × 0.5 = 0.98; 1.96 × 0.01 = 0.0196
    assert reach(0.5) == "±\u00a01.0"
    assert reach(0.01) == "±\u00a00.1"


def test_dates_are_told_in_words_and_for_a_column() -> None:
    assert spaced(day("2026-03-02T23:05:09.123456Z")) == "2 March 2026"
    assert spaced(minute("2026-03-02T23:05:09Z")) == "2026-03-02 23:05"
    assert day("") == ""


def _line(games: int, wins: float, rank: int | None = 2) -> LadderLine:
    standing = Standing(
        rank, "ada", "a" * 64, 30.44, 0.5612, games < 30, games, games, wins, wins / (games or 1), 20, 2, 0
    )
    return LadderLine(standing, BotProfile("ada", "a" * 64, "", "", ""), rank, rank and 4, None, ())


def test_the_headline_sets_what_is_won_beside_what_an_equal_wins() -> None:
    sizes = ((3, Totals(matches=200, games=200)), (4, Totals()))
    # 69 of 200 games; 1.96 × 0.5612 = 1.10; an equal wins a third at tables of three
    assert spaced(headline(_line(200, 69.0), 9, sizes)) == (
        "2nd–4th of 9, μ 30.4 ± 1.1. It wins 34.5 % of its games at tables of three, where an equal would win 33.3 %."
    )


def test_the_headline_of_several_sizes_weighs_them_by_games() -> None:
    # (30 / 3 + 90 / 5) / 120 = 28 / 120
    sizes = ((3, Totals(matches=3, games=30)), (5, Totals(matches=9, games=90)))
    told = spaced(headline(_line(120, 30.0), 9, sizes))
    assert told.endswith("It wins 25.0 % of its games at tables of three and five, where an equal would win 23.3 %.")


def test_the_headline_of_few_games_counts_them() -> None:
    told = spaced(headline(_line(12, 4.5), 9, ((4, Totals(matches=12, games=12)),)))
    assert told.endswith("It won 4.5 of 12 games at tables of four, where an equal would have won 3.0.")


def test_the_headline_says_when_nothing_was_played_or_there_is_no_rank() -> None:
    assert headline(_line(0, 0.0), 9, ()) == "It has not played a game that counts yet."
    assert headline(_line(40, 9.0, None), 9, ((4, Totals(games=40)),)).startswith("It has no rank, ")


def test_who_beats_it_most_is_told_only_where_that_is_sure() -> None:
    # Wilson's intervals of 30 of 100 and of 70 of 100: 21.9 to 39.6 % and 60.4 to 78.1 %.
    pairs = [HeadToHead("ada", "bob", 100, 30, 0), HeadToHead("ada", "cyd", 100, 70, 0)]
    assert spaced(opponents_sentence(pairs)) == (
        "bob beats ada most: ada comes before it in 30.0 % of 100 games (95 %: 21.9–39.6 %). "
        "ada does best against cyd, with 70.0 % of 100 games (95 %: 60.4–78.1 %)."
    )
    even = [HeadToHead("ada", "bob", 100, 49, 0), HeadToHead("ada", "cyd", 100, 52, 0)]
    told = spaced(opponents_sentence(even))
    assert told.startswith("No opponent surely beats ada; the hardest is bob, before which it comes in 49.0 %")
    assert told.endswith("There is nobody either whom it surely beats.")
    assert opponents_sentence(pairs[:1]).endswith("%). There is nobody whom it surely beats.")
    assert opponents_sentence([HeadToHead("ada", "bob", 29, 0, 0)]) == ""


def _bars(*counts: tuple[int, int], step: int = 5) -> tuple[StyleBar, ...]:
    last = len(counts) - 1
    return tuple(StyleBar(step * i, None if i == last else step * i + step - 1, *each) for i, each in enumerate(counts))


def test_a_threshold_in_danger_is_found_and_told_with_its_decisions() -> None:
    style = Style(
        pocket=_bars((300, 100), (300, 100)),
        danger=_bars((200, 0), (200, 4), (100, 98), (100, 98)),
        inside=(StyleBar(1, 1, 300, 100), StyleBar(2, 2, 300, 100)),
    )
    assert spaced(style_sentence(style)) == (
        "It leaves where danger is 10 % or more: in 98.0 % of 200 such decisions, and in 1.0 % of the 400 others."
    )


def test_a_threshold_that_works_downwards_is_told_that_way_round() -> None:
    style = Style(
        pocket=_bars((300, 100), (300, 100)),
        danger=_bars((300, 100), (300, 100)),
        inside=(StyleBar(1, 1, 200, 160), StyleBar(2, 2, 200, 20), StyleBar(3, 3, 200, 20)),
    )
    assert spaced(style_sentence(style)) == (
        "It mostly leaves when it is alone inside: in 80.0 % of 200 such decisions, and in 10.0 % of the 400 others."
    )


@pytest.mark.parametrize(
    ("bars", "told"),
    [
        (_bars((0, 0), (0, 0)), "It has not been asked for a decision yet."),
        (_bars((10, 0), (9, 9)), "It left in 9 of its 19 decisions: too few to tell how it decides."),
        (_bars((500, 0), (500, 0)), "It never left in 1 000 decisions."),
        (_bars((60, 60), (60, 60)), "It left at every one of its 120 decisions."),
        (
            _bars((500, 250), (500, 251)),
            "It leaves in 50.1 % of its 1 000 decisions, and neither danger nor pocket nor the number inside tells "
            "well when.",
        ),
        # All of the split rests on the 19 decisions of one side, which are too few.
        (
            _bars((500, 0), (19, 19)),
            "It leaves in 3.7 % of its 519 decisions, and neither danger nor pocket nor the number inside tells "
            "well when.",
        ),
    ],
)
def test_the_style_sentence_is_honest_where_there_is_no_threshold(bars: tuple[StyleBar, ...], told: str) -> None:
    assert spaced(style_sentence(Style(bars, bars, bars))) == told
