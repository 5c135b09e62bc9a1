"""Lists of matches show every seat with its figures, mark the best and the faults by a word, and lead on."""

from __future__ import annotations

from dataclasses import replace

from harness.publish import addresses
from harness.publish.pages.matches import match_list, round_page
from harness.publish.site_facts import BotProfile
from tests.publish.league_facts import PROFILES, match
from tests.publish.made_facts import SITE
from tests.publish.rendered import inner, rendered


def test_a_round_lists_every_seat_with_means_of_a_game_and_games_won() -> None:
    made = rendered(SITE, round_page(2, 2, 1, 1, [match(faults=((2, "timeout"),))], PROFILES))
    assert made.table("Matches by seat") == [
        ["Seat", "Bot", "Points", "Rank", "Won"],
        ["Match 5 4 games"],
        ["0", "bob best <script>alert(1)</script>", "25.0", "1.25", "3 of 4"],
        ["1", "ada Ada of the deep", "17.5", "2.00", "0.5 of 4"],
        ["2", "cyd timeout", "0.8", "2.50", "0.5 of 4"],
    ]


def test_two_who_won_as_much_are_both_best_and_nobody_is_where_nobody_won() -> None:
    tied = replace(match(), win_parts=(1680, 1680, 0))
    rows = rendered(SITE, round_page(2, 2, 1, 1, [tied], PROFILES)).table("Matches by seat")
    assert ["best" in row[1].split() for row in rows[2:]] == [True, True, False]
    lost = replace(match(), win_parts=(0, 0, 0))
    rows = rendered(SITE, round_page(2, 2, 1, 1, [lost], PROFILES)).table("Matches by seat")
    assert not any("best" in row[1].split() for row in rows[2:])


def test_eight_seats_and_hundreds_of_games_are_listed_by_share() -> None:
    eight = replace(
        match(), games=40, bots=tuple("abcdefgh"), points=(400,) * 8, ranks=(80,) * 8, win_parts=(4200,) * 8
    )
    rows = rendered(SITE, round_page(2, 2, 1, 1, [eight], PROFILES)).table("Matches by seat")
    assert len(rows) == 10
    assert rows[9] == ["7", "h best", "10.0", "2.00", "12.5 %"]


def test_a_round_leads_to_its_matches_bots_parts_and_neighbours() -> None:
    page = round_page(2, 2, 1, 3, [match(), match(6)], PROFILES, newer=True)
    made = rendered(SITE, page)
    assert {f"../../season-2/match.html#r2m{number}" for number in (5, 6)} <= set(made.links)
    assert {
        addresses.bot_page(2, "ada"),
        addresses.season_page(2),
        addresses.round_page(2, 1),
        addresses.round_page(2, 3),
        *(addresses.round_page(2, 2, part) for part in (1, 2, 3)),
    } <= inner(page, made)
    assert "matches 5–6" in made.text


def test_the_first_round_has_none_before_and_the_last_none_behind() -> None:
    page = round_page(2, 1, 1, 1, [match()], PROFILES)
    ways = inner(page, rendered(SITE, page))
    assert addresses.round_page(2, 0) not in ways
    assert addresses.round_page(2, 2) not in ways


def test_a_round_without_matches_says_so() -> None:
    made = rendered(SITE, round_page(2, 1, 1, 1, [], PROFILES))
    assert "No match of this round counts." in made.text
    assert not made.tables


def test_a_bots_list_is_newest_first_and_leads_to_older_ones() -> None:
    lines = [replace(match(number), round=round_) for round_, number in ((3, 9), (4, 1), (3, 10))]
    page = match_list(2, "ada", 2, lines, PROFILES)
    made = rendered(SITE, page)
    names = [row[0] for row in made.table("Part 2") if len(row) == 1]
    assert names == ["Round 4, match 1 4 games", "Round 3, match 10 4 games", "Round 3, match 9 4 games"]
    assert "Rounds 3–4 of season 2" in made.text
    assert addresses.match_list(2, "ada", 1) in inner(page, made)


def test_every_list_leads_to_the_bots_page_and_the_oldest_no_further() -> None:
    page = match_list(2, "ada", 1, [match()], PROFILES)
    made = rendered(SITE, page)
    assert "← Newest matches" in made.text
    ways = inner(page, made)
    assert addresses.bot_page(2, "ada") in ways
    assert not {addresses.match_list(2, "ada", 0), addresses.match_list(2, "ada", 2)} & ways


def test_a_new_version_of_a_bot_changes_no_list_of_old_matches_but_a_new_title_does() -> None:
    def told(ada: BotProfile) -> list[str]:
        profiles = {**PROFILES, "ada": ada}
        pages = (round_page(2, 2, 1, 1, [match()], profiles), match_list(2, "bob", 1, [match()], profiles))
        return [repr(page.content) for page in pages]

    before = told(PROFILES["ada"])
    assert told(replace(PROFILES["ada"], version="9" * 64, author="Someone", language="C")) == before
    renamed = told(replace(PROFILES["ada"], title="Ada again"))
    assert all(now != old for now, old in zip(renamed, before, strict=True))


def test_an_empty_list_says_so() -> None:
    assert "No match that counts stands in this part." in rendered(SITE, match_list(2, "ada", 1, [], PROFILES)).text


def test_a_bot_without_a_card_and_a_hostile_kind_of_fault_are_shown_as_text() -> None:
    odd = replace(match(faults=((0, "<b>\u202e" + "k" * 90),)), bots=("nobody", "ada", "cyd"))
    made = rendered(SITE, round_page(2, 2, 1, 1, [odd], PROFILES))
    assert made.table("Matches by seat")[2][1].startswith("nobody best <b>⟨U+202E⟩kkk")
    assert "b" not in made.tags
    assert "\u202e" not in made.text
    assert "k" * 41 not in made.text
