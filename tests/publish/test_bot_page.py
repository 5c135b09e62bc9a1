"""A bot's page tells who it is, how well it does against whom, how it leaves, what to mend, and where to look."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from harness.publish import addresses
from harness.publish.pages.bot import bot_page
from harness.publish.pages.bot_faults import STDERR_LINES
from harness.publish.site_facts import BotFacts, PastSeason, RatingPoint, SeasonFacts, VersionFacts
from harness.ratings import HeadToHead, Totals
from tests.publish.league_facts import STYLE, bot_facts, fault, line, match, part, season
from tests.publish.made_facts import SITE
from tests.publish.rendered import Rendered, inner, rendered


def shown(facts: BotFacts, of: SeasonFacts | None = None, *, stderr: bool = False) -> Rendered:
    site = replace(SITE, publish_stderr=stderr)
    return rendered(site, bot_page(site, of or season(), facts))


def test_it_says_who_it_is_and_how_it_does_in_figures_and_a_sentence() -> None:
    text = shown(bot_facts()).text
    assert "ada Ada of the deep by Grace, written in Rust" in text
    assert (
        "1st–2nd of 4, μ 31.0 ± 1.1. "
        "It wins 31.2 % of its games at tables of three, where an equal would win 33.3 %." in text
    )
    assert (
        "Rank 1st–2nd up 1 place Rating 31.0 ± 1.1, 95 % Win share 31.2 % an equal: 33.3 % "
        "Points a game 21.2 mean rank 1.75 Games 40 in 4 matches Faults 0 in 4 matches" in text
    )


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("benched", "ada is benched from round 7 on: it plays no more until the organiser has looked."),
        ("withdrawn", "ada is withdrawn from round 7 on: it plays no more."),
        ("disqualified", "ada is disqualified from round 7 on: it plays no more and has no rank."),
    ],
)
def test_a_bot_that_is_out_says_so_first(state: str, told: str) -> None:
    acts = (VersionFacts(1, "a" * 64, "entered"), VersionFacts(7, "a" * 64, state))
    text = shown(bot_facts(of=line("ada", state=state), versions=acts)).text
    assert told in text
    assert text.index(told) < text.index("μ 31.0")


def test_one_that_plays_is_not_said_to_be_out_and_the_disqualified_has_no_rank() -> None:
    assert "plays no more" not in shown(bot_facts()).text
    text = shown(bot_facts(of=line("ada", state="disqualified", rank=None))).text
    assert "It has no rank, μ 31.0 ± 1.1." in text
    assert "Rank not ranked Rating" in text


def test_a_provisional_bot_says_so_and_counts_its_games() -> None:
    few = line("ada", provisional=True, games=12, wins=4.5, win_share=4.5 / 12)
    text = shown(bot_facts(of=few, sizes=((3, Totals(2, 12, 3780, 100, 20, 0)),))).text
    assert "It is provisional: with fewer than 30 games" in text
    assert "Win share 4.5 of 12 an equal: 4 of 12" in text


def test_the_rating_chart_has_its_table_with_the_interval() -> None:
    page = bot_page(SITE, season(), bot_facts())
    made = rendered(SITE, page)
    # 1.96 × 0.5612 = 1.0999 and 1.96 × 4 = 7.8399
    assert made.table("Newest first")[1:] == [
        ["2", "31.00", "1.10", "29.90", "32.10"],
        ["1", "26.00", "7.84", "18.16", "33.84"],
    ]
    drawn = {path for figure in page.figures for path in figure.paths}
    assert drawn == {addresses.chart(2, "ada", "rating", scheme) for scheme in ("light", "dark")}
    assert drawn <= inner(page, made)


def test_many_ratings_are_thinned_in_the_table_but_keep_both_ends() -> None:
    points = tuple(RatingPoint(number, 25.0 + number, 1.0) for number in range(1, 151))
    rows = shown(bot_facts(points=points)).table("Newest first, some rounds left out")[1:]
    assert (rows[0][0], rows[-1][0]) == ("150", "1")
    assert len(rows) == 60
    steps = {int(later[0]) - int(row[0]) for later, row in pairwise(rows)}
    assert steps <= {2, 3}


def test_without_ratings_or_decisions_there_is_no_chart() -> None:
    page = bot_page(SITE, season(), bot_facts(points=()))
    made = rendered(SITE, page)
    assert page.figures == ()
    assert "img" not in made.tags
    assert "How it leaves" not in made.text


def test_opponents_come_with_share_interval_and_counts_who_beats_it_most_first() -> None:
    opponents = (part("ada", "bob", 100, 42000, 28000), part("ada", "cyd", 12, 3780, 3360))
    made = shown(bot_facts(opponents=opponents))
    # Wilson's intervals: of 4.5 of 12, 35 of 50 and 70 of 100.
    assert made.table("How often it finishes before")[1:] == [
        ["cyd", "4.5 of 12", "", "16.5–64.6 %", "4–1–7", "12", "4.5 of 12"],
        ["bob <script>alert(1)</script>", "70.0 %", "", "60.4–78.1 %", "70–0–30", "100", "50.0 %"],
        [f"dan {'D' * 79}…", "70.0 %", "", "56.2–80.9 %", "30–10–10", "50", ""],
    ]
    assert "No opponent surely beats ada; the hardest is bob" in made.text


def test_of_very_many_opponents_those_with_the_most_games_are_shown() -> None:
    pairs = tuple(HeadToHead("ada", f"bot-{number:03}", 100 + number, number, 0) for number in range(199))
    made = shown(bot_facts(), season(pairs=pairs))
    rows = made.table("How often it finishes before")[1:]
    assert [row[0] for row in rows] == [f"bot-{number:03}" for number in range(149, 199)]
    assert "The 50 of its 199 opponents with which it shared the most games; pairs.csv has all." in made.text
    assert "opponents with which" not in shown(bot_facts()).text


@pytest.mark.parametrize(("tables", "told"), [(999, "of 999 different ones"), (1000, "of at least 1 000 different")])
def test_tables_that_were_not_all_told_apart_are_counted_as_at_least(tables: int, told: str) -> None:
    made = shown(bot_facts(compositions=(part("ada", ("bob", "cyd"), 40, 16800, 11200),), tables=tables))
    assert any(told in caption for caption in made.tables)


def test_results_by_size_and_by_table_stand_beside_an_equals() -> None:
    tables = (part("ada", ("bob", "cyd"), 40, 16800, 11200), part("ada", ("bob", "cyd", "dan"), 12, 840, 2520))
    made = shown(bot_facts(compositions=tables, tables=9))
    assert made.table("“Equal” is what")[1:] == [["3", "40", "31.2 %", "33.3 %", "21.2", "1.75", "0"]]
    assert made.table("The 2 tables it sat at most often, of 9")[1:] == [
        ["bob , cyd", "40", "50.0 %", "33.3 %", "2.0", "2.00"],
        ["bob , cyd , dan", "12", "1 of 12", "3 of 12", "2.0", "2.00"],
    ]


def test_how_it_leaves_is_told_drawn_and_listed() -> None:
    page = bot_page(SITE, season(), bot_facts(style=STYLE))
    made = rendered(SITE, page)
    # The best threshold with enough decisions on both sides: 5 %, with 98 of 100 above it.
    assert (
        "It leaves where danger is 5 % or more: in 98.0 % of 100 such decisions, and in 1.0 % of the 300 others."
        in made.text
    )
    rows = made.table("The next card would end the expedition")[1:]
    assert [row[:3] for row in rows] == [["0–4", "300", "1.0 %"], ["5–9", "10", "8 of 10"], ["10+", "90", "100.0 %"]]
    assert made.table("Explorers inside")[3] == ["3", "0", "not asked", ""]
    assert addresses.chart(2, "ada", "style", "dark") in inner(page, made)


def test_faults_are_counted_by_kind_with_what_to_mend() -> None:
    of = line("ada", faults=12)
    made = shown(bot_facts(of=of, fault_counts=(("timeout", 9), ("crashed", 2), ("new-kind", 1))))
    assert "12 faults in 4 matches: 9 timeout, 2 crashed and 1 new-kind. What to mend" in made.text
    rows = made.table("With a fault a bot is out")[1:]
    assert [row[:3] for row in rows] == [
        ["timeout", "9", "it ran out of time"],
        ["crashed", "2", "it ended in the middle of the match"],
        ["new-kind", "1", "fault of kind new-kind"],
    ]
    assert rows[0][3].startswith("answer within move_ms of CPU time")
    one = shown(bot_facts(of=line("ada", faults=1), fault_counts=(("memory", 1),))).text
    assert "1 fault in 4 matches, memory: it used more memory than allowed. What to mend" in one


def test_a_fault_in_full_has_place_times_against_limits_and_leads_to_its_moment() -> None:
    page = bot_page(SITE, season(), bot_facts(fault_counts=(("timeout", 1),), faults=(fault(),)))
    made = rendered(SITE, page)
    assert "timeout Round 2, match 5: game 4, expedition 3, turn 77 It ran out of time." in made.text
    assert (
        "Time 5.11 s of CPU time, 5.40 s by the clock; "
        "allowed: move_ms 100, bank_ms 5000, stall_ms 10000, wait_ms 60000" in made.text
    )
    assert "../../season-2/match.html#r2m5-g4e3" in made.links
    assert "Expected" not in made.text
    assert "Process" not in made.text


def test_what_came_from_a_bot_is_text_visible_and_cut() -> None:
    odd = fault("bad-message", expected="a decision", got="<b>\u202e\x1b[1m" + "x" * 1000)
    made = shown(bot_facts(fault_counts=(("bad-message", 1),), faults=(odd,)))
    assert "Expected a decision Got <b>⟨U+202E⟩⟨U+001B⟩[1mxxx" in made.text
    assert "x" * 401 not in made.text
    assert not {"\u202e", "\x1b"} & set(made.text)
    assert "b" not in made.tags


@pytest.mark.parametrize(
    ("kind", "status", "told"),
    [("crashed", -11, "Process killed by SIGSEGV"), ("crashed", 0, "Process exit status 0"),
     ("start-failed", None, "Process ended by the referee"), ("memory", -9, "Process killed by SIGKILL")],
)  # fmt: skip
def test_how_the_process_ended_is_told(kind: str, status: int | None, told: str) -> None:
    assert told in shown(bot_facts(fault_counts=((kind, 1),), faults=(fault(kind, exit=status),))).text


def test_stderr_is_shown_only_where_the_league_says_so() -> None:
    facts = bot_facts(fault_counts=(("crashed", 1),), faults=(fault("crashed", exit=1),))
    page = bot_page(SITE, season(), facts)
    assert "private words" not in rendered(SITE, page).text
    assert "private words" not in repr(page.content)
    assert "What it wrote to stderr private words" in shown(facts, stderr=True).text
    silent = bot_facts(fault_counts=(("crashed", 1),), faults=(fault("crashed", stderr=""),))
    assert "It wrote nothing to stderr." in shown(silent, stderr=True).text


def test_of_a_long_stderr_the_first_and_the_last_lines_are_shown() -> None:
    text = "\n".join(f"line-{number} <b>\x1b" for number in range(100))
    made = shown(bot_facts(fault_counts=(("crashed", 1),), faults=(fault("crashed", stderr=text),)), stderr=True)
    kept = [number for number in range(100) if f"line-{number} " in made.text]
    assert kept == [*range(STDERR_LINES), *range(100 - STDERR_LINES, 100)]
    assert f"[{100 - 2 * STDERR_LINES} more lines]" in made.text
    assert "\x1b" not in made.text
    assert "b" not in made.tags


def test_best_worst_and_newest_matches_are_told_from_its_side() -> None:
    page = bot_page(
        SITE,
        season(),
        bot_facts(best=(match(1),), worst=(match(2),), recent=(match(3, faults=((0, "crashed"), (1, "timeout"))),)),
    )
    made = rendered(SITE, page)
    row = ["17.5", "2.00", "0.5 of 4", "bob 25.0 cyd 0.8"]
    assert made.table("Where it won most")[1:] == [["Round 2, match 1", *row]]
    assert made.table("Where it won least")[1:] == [["Round 2, match 2", *row]]
    assert made.tables["Newest first"][1:] == [["Round 2, match 3 timeout", *row]]


def test_lists_of_earlier_matches_are_linked_of_very_many_the_newest_and_the_oldest() -> None:
    for parts, there in ((2, {1, 2}), (40, {1, *range(30, 41)})):
        page = bot_page(SITE, season(), bot_facts(recent=(match(),), match_pages=parts))
        ways = inner(page, rendered(SITE, page))
        assert {way for way in ways if "/matches/" in way} == {addresses.match_list(2, "ada", part) for part in there}


def test_versions_tell_what_was_done_from_which_round_on() -> None:
    acts = (
        VersionFacts(1, "e" * 64, "entered"), VersionFacts(3, "a" * 64, "entered"),
        VersionFacts(5, "a" * 64, "benched"), VersionFacts(6, "a" * 64, "let-in"),
    )  # fmt: skip
    rows = shown(bot_facts(versions=acts)).table("What was done with it")[1:]
    assert rows == [
        ["6", "let in again", f"{'a' * 12} {'a' * 64}"],
        ["5", "benched", f"{'a' * 12} {'a' * 64}"],
        ["3", "entered with a new version", f"{'a' * 12} {'a' * 64}"],
        ["1", "entered", f"{'e' * 12} {'e' * 64}"],
    ]


def test_earlier_seasons_are_linked_with_how_it_came_out() -> None:
    page = bot_page(SITE, season(), bot_facts(past=(PastSeason(1, 3, 8, 24.31), PastSeason(0, None, 8, 20.0))))
    made = rendered(SITE, page)
    assert "Season 1 : 3rd of 8, μ 24.3 Season 0 : not ranked, μ 20.0" in made.text
    assert addresses.bot_page(1, "ada") in inner(page, made)


def test_a_bot_that_never_played_has_a_page() -> None:
    of = line("ada", provisional=True, matches=0, games=0, wins=0.0, win_share=0.0, points=0.0, mean_rank=0.0)
    made = shown(bot_facts(of=of, points=(), sizes=(), versions=()), season(pairs=()))
    assert "It has not played a game that counts yet." in made.text
    assert made.tables == {}
    assert "dt" not in made.tags


def test_what_an_author_wrote_is_text_and_visible() -> None:
    made = shown(bot_facts("bob"))
    assert "bob <script>alert(1)</script> by <b>evil</b>, written in x⟨U+202E⟩y" in made.text
    assert made.tags.count("script") == 1
    assert "b" not in made.tags
    assert "by ⟨U+001B⟩[31mred, written in Go" in shown(bot_facts("dan")).text


def test_every_link_leads_where_the_site_has_something() -> None:
    facts = bot_facts(
        style=STYLE, fault_counts=(("timeout", 1),), faults=(fault(),), recent=(match(),), best=(match(),),
        match_pages=1, compositions=(part("ada", ("bob", "cyd"), 40, 16800, 11200),), tables=1,
    )  # fmt: skip
    page = bot_page(SITE, season(), facts)
    assert page.path == addresses.bot_page(2, "ada")
    known = {
        addresses.LADDER, addresses.ABOUT, addresses.SEASONS, addresses.VIEWER, addresses.FEED, SITE.assets.style,
        SITE.assets.tables, addresses.season_page(2), addresses.ladder_page(2), addresses.pairs_page(2),
        addresses.bot_feed(2, "ada"), addresses.match_page(2), addresses.match_list(2, "ada", 1),
        *(addresses.bot_page(2, bot) for bot in ("bob", "cyd", "dan")),
        *(addresses.chart(2, "ada", name, scheme) for name in ("rating", "style") for scheme in ("light", "dark")),
    }  # fmt: skip
    assert inner(page, rendered(SITE, page)) == known
