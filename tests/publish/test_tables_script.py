"""The scripts of the tables in a browser: sorting, the search, and the comparison of two bots."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.publish.assets_made import asset_files, assets
from harness.publish.pages import front_page, names_file, pairs_page, season_ladders
from harness.publish.render import Renderer
from harness.publish.site_facts import SeasonFacts
from harness.ratings import HeadToHead
from tests.publish.browser import PHONE, Visits
from tests.publish.league_facts import line, season
from tests.publish.made_facts import SITE
from tests.publish.test_ladder_pages import crowd

Open = Callable[..., Page]


@pytest.fixture
def opened(tmp_path: Path, visit: Visits) -> Open:
    """Opens a page of a season's facts."""

    def open_page(facts: SeasonFacts, path: str = "index.html", **options: Any) -> Page:
        site = replace(SITE, assets=assets())
        shown = (front_page(facts), *season_ladders(facts), pairs_page(facts))
        made = [(page.path, Renderer(site).render(page)) for page in shown]
        script = names_file(facts)
        for name, content in [*asset_files().items(), *made, *([script] if script else [])]:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(content)
        return visit(tmp_path, path, **options).page

    return open_page


def order(page: Page) -> list[str]:
    """The bots that are shown, from above."""
    return page.locator("#ladder tbody tr:visible th a").all_inner_texts()


def address(page: Page) -> str:
    """What stands there now; the browser tells its driver later."""
    told: str = page.evaluate("location.href")
    return told


def press(page: Page, name: str) -> None:
    page.locator("#ladder thead").get_by_role("button", name=name, exact=True).click()


def four(**more: Iterable[Any]) -> SeasonFacts:
    """Four bots; `more` has a value for each, by field."""
    bots = ("ada", "bob", "cyd", "dan")
    given = [dict(zip(more, values, strict=True)) for values in zip(*more.values(), strict=True)] or [{}] * 4
    return season(lines=tuple(line(bot, **fields) for bot, fields in zip(bots, given, strict=True)), by_size={})


def test_numbers_sort_as_numbers_and_the_largest_come_first(opened: Open) -> None:
    page = opened(four(games=(40, 9, 1000, 200)))
    press(page, "Games")
    assert order(page) == ["cyd", "dan", "ada", "bob"]
    press(page, "Games")
    assert order(page) == ["bob", "ada", "dan", "cyd"]


def test_equals_keep_their_order(opened: Open) -> None:
    page = opened(four(faults=(1, 0, 1, 0)))
    press(page, "Faults")
    assert order(page) == ["ada", "cyd", "bob", "dan"]
    press(page, "Faults")
    assert order(page) == ["bob", "dan", "ada", "cyd"]


def test_what_has_no_value_stays_last_both_ways(opened: Open) -> None:
    facts = four()
    moved = (None, -1, 3, 0)
    page = opened(replace(facts, lines=tuple(replace(of, moved=by) for of, by in zip(facts.lines, moved, strict=True))))
    press(page, "Moved")
    assert order(page) == ["cyd", "dan", "bob", "ada"]
    press(page, "Moved")
    assert order(page) == ["bob", "dan", "cyd", "ada"]


def test_one_header_says_how_it_is_sorted(opened: Open) -> None:
    page = opened(four())
    sorted_by = page.locator("#ladder [aria-sort]")
    expect(sorted_by).to_have_text("Rank")
    press(page, "Bot")
    expect(sorted_by).to_have_text("Bot")
    expect(sorted_by).to_have_attribute("aria-sort", "ascending")
    press(page, "Bot")
    expect(sorted_by).to_have_attribute("aria-sort", "descending")
    assert order(page) == ["dan", "cyd", "bob", "ada"]


def test_the_keyboard_sorts_and_keeps_its_place(opened: Open) -> None:
    page = opened(four(games=(40, 9, 1000, 200)))
    page.locator("#ladder thead").get_by_role("button", name="Games").focus()
    page.keyboard.press("Enter")
    assert order(page)[0] == "cyd"
    assert page.evaluate("document.activeElement.textContent") == "Games"
    page.keyboard.press("Space")
    assert order(page)[0] == "bob"


@pytest.mark.parametrize("text", ["gra", "GRACE", " deep "])
def test_the_search_looks_at_id_title_and_author(text: str, opened: Open) -> None:
    page = opened(four())
    page.get_by_role("searchbox").fill(text)
    assert order(page) == ["ada"]
    expect(page.get_by_role("status")).to_have_text("1 of 4 shown")
    page.get_by_role("searchbox").fill("")
    assert len(order(page)) == 4
    expect(page.get_by_role("status")).to_have_text("4\u00a0bots")


def test_search_and_division_work_together_and_stand_in_the_address(opened: Open) -> None:
    page = opened(four(division=(1, 1, 2, 0)))
    page.get_by_label("Division", exact=True).select_option("1")
    assert order(page) == ["ada", "bob"]
    page.get_by_role("searchbox").fill("bo")
    assert order(page) == ["bob"]
    assert address(page).endswith("index.html?d=1&q=bo")
    page.reload()
    assert order(page) == ["bob"]
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Division", exact=True).select_option("none")
    assert order(page) == ["dan"]
    page.get_by_label("Division", exact=True).select_option("all")
    assert address(page).endswith("index.html")


def test_the_address_keeps_what_stands_behind_its_hash(opened: Open) -> None:
    page = opened(four(), "index.html?other=1#ladder")
    page.get_by_role("searchbox").fill("a&b #")
    assert address(page).endswith("index.html?other=1&q=a%26b+%23#ladder")


def test_searching_and_sorting_move_no_column(opened: Open) -> None:
    for width in (PHONE, 1440):
        page = opened(four(division=(1, 1, 2, 2)), width=width)
        places = (
            "() => [...document.querySelectorAll('#ladder thead th')].map((head) => [head.offsetWidth, head.offsetTop])"
        )
        before = page.evaluate(places)
        page.get_by_role("searchbox").fill("ada")
        assert page.evaluate(places) == before
        press(page, "Games")
        assert page.evaluate(places) == before


def test_the_search_finds_who_stands_on_another_page(opened: Open) -> None:
    page = opened(crowd(230), "season-2/ladder-p2.html")
    page.get_by_role("searchbox").fill("bot-021")
    expect(page.locator("#elsewhere li")).to_have_count(0)
    assert len(order(page)) == 10
    page.get_by_role("searchbox").fill("title 7")
    links = page.locator("#elsewhere a")
    expect(links).to_have_text(["bot-0007", *(f"bot-{number:04}" for number in range(70, 80))])
    assert links.first.get_attribute("href") == "../season-2/bots/bot-0007.html"
    page.get_by_role("searchbox").fill("title")
    expect(page.locator("#elsewhere li").last).to_have_text("and 180 more")


def test_two_bots_are_compared_in_a_sentence(opened: Open) -> None:
    pairs = (
        HeadToHead("ada", "bob", 100, 70, 10),
        HeadToHead("bob", "ada", 100, 20, 10),
        HeadToHead("cyd", "ada", 8, 0, 0),
        HeadToHead("ada", "cyd", 8, 8, 0),
    )
    page = opened(season(pairs=pairs), "season-2/pairs.html")
    answer = page.get_by_role("status")
    page.get_by_label("with", exact=True).select_option("cyd")
    expect(answer).to_have_text(
        "ada finished before cyd in 100.0 % of 8 games (95 % interval 68 to 100 %): 8 won, 0 tied, 0 lost."
    )
    page.locator("#pairs tbody tr").nth(1).locator("td").nth(0).click()
    expect(answer).to_have_text(
        "bob finished before ada in 25.0 % of 100 games (95 % interval 18 to 34 %): 20 won, 10 tied, 70 lost."
    )
    assert page.get_by_label("Compare", exact=True).input_value() == "bob"
    page.locator("#pairs thead td").click()
    assert page.get_by_label("Compare", exact=True).input_value() == "bob"
    expect(answer).to_contain_text("bob finished before ada")
    page.get_by_label("with", exact=True).select_option("dan")
    expect(answer).to_have_text("bob and dan shared no game.")
    page.get_by_label("with", exact=True).select_option("bob")
    expect(answer).to_contain_text("Choose two bots")


def test_the_line_by_round_lies_below_its_heading(opened: Open) -> None:
    page = opened(four())
    middles = page.evaluate(
        """() => ["#ladder thead text:last-of-type", "#ladder tbody path + path"].map((one) => {
          const box = document.querySelector(one).getBoundingClientRect();
          return box.left + box.width / 2;
        })"""
    )
    assert middles[0] == pytest.approx(middles[1], abs=2)
