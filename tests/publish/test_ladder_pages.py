"""Ladder, official table, head to head, seasons and about: what is told, in which words, and where it leads."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.game import BUILT_IN, Edition
from harness.protocol import Decide
from harness.publish import addresses
from harness.publish.page import Page
from harness.publish.pages import about_page, front_page, names_file, pairs_page, season_ladders, seasons_page
from harness.publish.pages.worked_example import worked_example
from harness.publish.render import Renderer
from harness.publish.site_facts import BotProfile, LadderLine, SeasonFacts
from harness.ratings import HeadToHead
from tests.publish.league_facts import BOTS, line, season, strength
from tests.publish.made_facts import PLACED, SITE, summary
from tests.publish.rendered import Rendered, inner, rendered

STYLES = Path(__file__).parents[2] / "harness/publish/assets/css"


def ladders(facts: SeasonFacts) -> dict[str, Page]:
    """By path."""
    return {page.path: page for page in (front_page(facts), *season_ladders(facts))}


def shown(facts: SeasonFacts, path: str = addresses.LADDER) -> Rendered:
    return rendered(SITE, ladders(facts)[path])


def field(count: int, **more: Any) -> tuple[LadderLine, ...]:
    """So many bots with titles, a name each."""
    made = []
    for place in range(1, count + 1):
        bot = f"bot-{place:04}"
        of = line("ada")
        standing = replace(of.standing, bot=bot, rank=place, mu=40 - place / 100, **more)
        profile = BotProfile(bot, f"{place:064}", f"Title {place}", "Grace </script>", "C")
        made.append(replace(of, standing=standing, profile=profile, spark=(1.0, 2.0)))
    return tuple(made)


def crowd(count: int, **more: Any) -> SeasonFacts:
    lines = field(count, **more)
    return season(lines=lines, profiles={one.profile.bot: one.profile for one in lines}, by_size={})


def official(count: int) -> tuple[Any, ...]:
    return tuple(replace(strength("ada", place), bot=f"bot-{place:04}") for place in range(1, count + 1))


# The ladder


def test_a_line_has_rank_interval_rating_share_and_counts() -> None:
    row = shown(season(lines=(line("ada", win_share=0.3128),))).table("μ ± its 95 % interval")[1]
    # 1.959964 times a σ of 0.5612 is 1.0999.
    assert row[:7] == ["1–2", "ada Ada of the deep, by Grace", "31.00 ± 1.10", "31.3 %", "40", "0", "up 1"]


@pytest.mark.parametrize(
    ("moved", "state", "words"),
    [(2, "plays", "up 2"), (-1, "plays", "down 1"), (0, "plays", "same"), (None, "plays", "new")]
    + [(3, state, state) for state in ("benched", "withdrawn", "disqualified")],
)
def test_movement_and_states_are_words(moved: int | None, state: str, words: str) -> None:
    lines = (line("ada"), replace(line("bob", state=state), moved=moved))
    assert shown(season(lines=lines)).table("μ ±")[2][6] == words


def test_nobody_is_new_in_the_first_round() -> None:
    facts = season(lines=(replace(line("ada"), moved=None),))
    assert shown(replace(facts, rounds=facts.rounds[:1])).table("μ ±")[1][6] == "–"


def test_who_is_disqualified_has_no_rank() -> None:
    assert shown(season(lines=(line("ada"), line("bob", state="disqualified")))).table("μ ±")[2][0] == "–"


def test_few_games_are_marked_and_the_mark_is_explained() -> None:
    few = shown(season(lines=(line("ada"), line("bob", provisional=True, sigma=6.0))))
    assert few.table("μ ±")[2][2] == "27.50 ± 11.76 ?"
    assert "provisional: it rests on fewer than 30 games" in few.text
    assert "provisional" not in shown(season(lines=(line("ada"),))).text


def test_divisions_have_a_column_and_a_filter_only_where_there_are_any() -> None:
    divided = shown(season(lines=(line("ada", division=1), line("bob", division=2), line("cyd"))))
    assert [row[7] for row in divided.table("μ ±")] == ["Division", "1", "2", "–"]
    assert "select" in divided.tags
    assert len(shown(season()).table("μ ±")[0]) == 7
    assert "select" not in shown(season()).tags


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "Season 2 is being played: 2 of 5 rounds, 8 matches and 1 234 games at tables of three and four."),
        ({"state": "ended", "rounds_planned": 2}, "Season 2 is over: 2 rounds, 8 matches"),
        ({"state": "ended"}, "Season 2 is over: 2 of 5 rounds"),
        (
            {"rounds": (), "sizes": ()},
            "being played, at tables of three and four; no round of it is over yet.",
        ),
        (
            {"state": "ended", "rounds": (), "sizes": ()},
            "is over, at tables of three and four; no round of it is over.",
        ),
        ({"state": "announced", "lines": (), "rounds": ()}, "Season 2 is announced. Nothing has been played yet."),
    ],
)
def test_a_sentence_says_how_far_the_season_is(more: dict[str, Any], words: str) -> None:
    assert words in shown(season(**more)).text


def test_a_practice_season_is_called_that() -> None:
    for path in ("index.html", "season-2/ladder.html"):
        assert "practice season: its decks are known" in shown(season(practice=True), path).text
        assert "practice" not in shown(season(), path).text


def test_an_empty_season_says_what_will_happen() -> None:
    page = shown(season(state="announced", lines=(), rounds=(), pairs=(), by_size={}))
    assert "Until round 1 opens, bots can be entered." in page.text
    assert not page.tables


def test_the_first_page_and_the_seasons_page_say_the_same() -> None:
    first, again = shown(season()), shown(season(), "season-2/ladder.html")
    assert first.tables == again.tables


def test_sizes_have_ladders_that_lead_to_each_other() -> None:
    facts = season(by_size={3: (line("ada", games=7),), 4: (line("ada", games=33),)})
    pages = ladders(facts)
    for seats, games in ((3, "7"), (4, "33")):
        page = pages[f"season-2/ladder-{seats}.html"]
        made = rendered(SITE, page)
        assert [row[4] for row in made.table("μ ±")] == ["Games", games]
        assert {"season-2/ladder.html", "season-2/ladder-3.html", "season-2/ladder-4.html"} <= inner(page, made)


def test_long_ladders_are_cut_and_keep_a_file_of_names() -> None:
    pages = ladders(crowd(401))
    paths = ["index.html", "season-2/ladder.html", "season-2/ladder-p2.html", "season-2/ladder-p3.html"]
    assert list(pages) == paths
    assert [len(rendered(SITE, pages[path]).table("μ ±")) - 1 for path in paths] == [200, 200, 200, 1]
    for path in paths:
        parts = inner(pages[path], rendered(SITE, pages[path]))
        assert {"season-2/ladder-p2.html", "season-2/ladder-p3.html", "season-2/names.js"} <= parts
    path, script = names_file(crowd(401)) or ("", b"")
    assert path == "season-2/names.js"
    called = re.fullmatch(rb"tacora\.names\((.*)\);\s*", script)
    assert called
    assert b"</script>" not in script
    assert json.loads(called[1])[400] == ["bot-0401", "Title 401, by Grace </script>"]


def test_two_hundred_bots_are_one_page_without_a_file_of_names() -> None:
    assert list(ladders(crowd(200))) == ["index.html", "season-2/ladder.html"]
    assert names_file(crowd(200)) is None


def test_a_row_has_few_elements() -> None:
    page = shown(crowd(200))
    head, foot = page.tags.index("tbody"), page.tags.index("p", page.tags.index("tbody"))
    assert foot - head - 1 == 200 * 13


def test_the_official_table_stands_below_once_there_is_one() -> None:
    facts = season(state="ended", official=tuple(strength(bot, place) for place, bot in enumerate(BOTS, start=1)))
    made = shown(facts)
    assert [row[1].split()[0] for row in made.table("Strength of each version")[1:]] == list(BOTS)
    assert "Its level comes from its anchors, cyd, whose mean is 25." in made.text
    assert "Official table" not in shown(season()).text


def test_versions_without_a_rank_say_why() -> None:
    older = replace(strength("ada", 1), rank=None, rank_low=None, rank_high=None, version="9" * 64)
    few = replace(strength("bob", 2), rank=None, rank_low=None, rank_high=None)
    rows = shown(season(state="ended", official=(older, few))).table("Strength of each version")[1:]
    assert [row[:2] for row in rows] == [
        ["–", "ada version 99999999, played before"],
        ["–", "bob too few games"],
    ]


def test_a_long_official_table_has_pages_of_its_own() -> None:
    pages = ladders(replace(crowd(3), state="ended", official=official(201)))
    assert {"season-2/official.html", "season-2/official-p2.html"} <= set(pages)
    assert "season-2/official.html" in inner(pages["index.html"], rendered(SITE, pages["index.html"]))
    assert (
        "Strength of each version over all matches of the season"
        not in shown(replace(crowd(3), official=official(201))).tables
    )


@pytest.mark.parametrize("mus", [(25.0,), (25.0, 25.0), (-3.0, 900.0), (24.9, 25.1), (0.0, 7.0, 49.0)])
def test_the_scale_holds_every_rating_between_its_labels(mus: tuple[float, ...]) -> None:
    lines = tuple(line(bot, mu=mu) for bot, mu in zip(BOTS, mus, strict=False))
    axis = ladders(season(lines=lines))["index.html"].content["axis"]
    assert axis.scale.low <= min(mus) - 1.09
    assert axis.scale.high >= max(mus) + 1.09
    assert 1 <= axis.steps <= 8
    assert {x for x, _ in axis.labels} <= {round(160 * step / axis.steps, 1) for step in range(axis.steps + 1)}


# Head to head


def test_a_pair_is_told_with_its_interval_and_games() -> None:
    facts = season(pairs=(HeadToHead("ada", "bob", 100, 70, 10), HeadToHead("bob", "ada", 100, 20, 10)))
    page = pairs_page(facts)
    ada, bob = page.content["rows"][:2]
    # Wilson's interval of 75 in 100, by hand: 65.7 to 82.5.
    assert (ada.cells[1].share, ada.cells[1].interval, ada.cells[1].games) == ("75", "66–82", 100)
    assert (bob.cells[0].share, bob.cells[0].wins, bob.cells[0].ties) == ("25", 20, 10)
    assert ada.cells[0] is None
    assert ada.cells[2] is None


def test_head_to_head_shows_thirty_bots_and_says_so() -> None:
    lines = field(41)
    pairs = (HeadToHead("bot-0001", "bot-0041", 4, 1, 0), HeadToHead("bot-0001", "bot-0002", 4, 1, 0))
    made = rendered(SITE, pairs_page(season(lines=lines, pairs=pairs)))
    assert "The table has the first 30 of 41 bots of the ladder." in made.text
    assert len(made.table("Share of shared games")) == 31


def test_head_to_head_of_nothing_says_so() -> None:
    made = rendered(SITE, pairs_page(season(pairs=(), state="announced", lines=())))
    assert "nothing has been played yet" in made.text
    assert not made.tables


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_can_be_read_on_every_step_of_the_heat_map_in_both_schemes() -> None:
    css = (STYLES / "31-pairs.css").read_text()
    light, dark = (dict(re.findall(r"(--heat-\w+): (#\w{6})", part)) for part in css.split("@media")[:2])
    rules = re.findall(r"\.heat-(\d) { background: var\((--heat-\d)\); color: (?:var\((--[\w-]+)\)|(#\w{6})); }", css)
    assert [step for step, *_ in rules] == [str(step) for step in range(9)]
    for scheme in (light, dark):
        for _, ground, name, colour in rules:
            shades = sorted(map(_luminance, (scheme[ground], scheme[name] if name else colour)))
            assert (shades[1] + 0.05) / (shades[0] + 0.05) >= 4.5, (ground, scheme[ground])


# Seasons


def test_seasons_stand_newest_first_with_their_champions() -> None:
    made = rendered(SITE, seasons_page((summary(1, champions=("ada", "bob")), summary(2, champions=(), ended=""))))
    rows = made.table("The newest first")[1:]
    assert [row[0] for row in rows] == ["Season 2", "Season 1"]
    assert [row[2] for row in rows] == ["–", "ada , bob"]
    assert [row[7] for row in rows] == ["–", "4 March 2026"]


# About


@pytest.mark.parametrize("edition", BUILT_IN.values(), ids=BUILT_IN)
def test_about_tells_this_leagues_cards(edition: Edition) -> None:
    made = rendered(SITE, about_page(season(edition=edition.to_json())))
    assert "worth 1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15 and 17 rubies" in made.text
    assert all(hazard.kind.replace("-", " ") in made.text for hazard in edition.hazards)
    assert ("None in this edition." in made.text) == (not edition.relics)


def test_about_tells_this_leagues_limits() -> None:
    limits = {**season().config["limits"], "move_ms": 250, "bank_ms": 90_000, "memory_mb": 2048}
    rows = rendered(SITE, about_page(season(config={**season().config, "limits": limits}))).table("What a bot")
    told = {row[0]: row[1] for row in rows}
    assert told["move_ms"] == "250 ms"
    assert told["bank_ms"] == "90 s"
    assert told["memory_mb"] == "2 048 MiB"


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize("edition", BUILT_IN.values(), ids=BUILT_IN)
def test_the_example_adds_up(edition: Edition, seats: int) -> None:
    example = worked_example(edition, seats)
    assert example
    left = 0
    for turn, letters in example.turns:
        kind, _, value = turn.card.partition(":")
        if kind == "treasure":
            share, rest = divmod(int(value), len(turn.inside))
            assert turn.rubies == left + rest
            assert turn.pocket >= share
        for leaver in turn.leavers:
            assert letters[leaver.seat] == "L"
            assert leaver.share == turn.rubies // len(turn.leavers)
            assert example.chests[leaver.seat] == leaver.total == turn.pocket + leaver.share + leaver.relic_points
        left = turn.stay_rubies
    bust = example.turns[-1][0]
    assert [turn.card for turn, _ in example.turns].count(bust.card) == 2
    assert bust.caught == tuple(seat for seat in range(seats) if not example.chests[seat])


def test_the_question_shown_is_one_that_the_protocol_allows() -> None:
    example = worked_example(BUILT_IN["iello-2016"], 4)
    assert example
    asked = Decide.model_validate_json(example.question)
    turn, _ = example.turns[example.asked - 1]
    assert (asked.turn, asked.seat, asked.pocket, asked.path_rubies) == (3, 0, turn.pocket, turn.rubies)


# The frame


def test_every_page_has_the_policy_and_no_script_or_style_of_its_own() -> None:
    facts = season(state="ended", official=official(3))
    for page in (*ladders(facts).values(), pairs_page(facts), about_page(facts), seasons_page(())):
        text = Renderer(SITE).render(page).decode()
        assert "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;" in text
        assert "<style" not in text
        assert not re.search(r"<script(?![^>]* src=)", text)
        assert not re.search(r"\sstyle=|\son\w+=", text)


def test_the_preview_picture_needs_an_address() -> None:
    page = ladders(season())["season-2/ladder.html"]
    assert b"og:image" not in Renderer(SITE).render(page)
    placed = Renderer(PLACED).render(page).decode()
    assert '<meta property="og:image" content="https://caves.example/ladder/preview.png">' in placed
    assert '<meta property="og:url" content="https://caves.example/ladder/season-2/ladder.html">' in placed


def test_the_pages_of_a_season_do_not_change_when_another_begins() -> None:
    page = ladders(season())["season-2/ladder.html"]
    assert Renderer(SITE).render(page) == Renderer(replace(SITE, newest=7)).render(page)


def test_the_way_to_this_page_is_marked() -> None:
    text = Renderer(SITE).render(about_page(season())).decode()
    assert re.findall(r'<a href="([^"]*)" aria-current="page"', text) == ["about.html"]
