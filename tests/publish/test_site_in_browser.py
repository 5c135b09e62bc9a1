"""The site as a reader meets it: from disk and from a server, with and without scripts, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.publish.browser import DESK, PHONE, Visits
from tests.publish.independent import Recount, fault_kinds, recounted
from tests.publish.made_site import HOSTILE, PLAIN, Made
from tests.publish.serving import served
from tests.recount import recount

EXPELLED = ("eve",)
"""Who is disqualified in season 2."""

COLUMNS = ("Rank", "Bot", "Rating", "Win share", "Games", "Faults", "Moved", "Division")


@pytest.fixture(scope="module")
def seasons(made: Made) -> dict[int, Recount]:
    """Both seasons, counted anew."""
    return {number: recounted(made.lines(number)) for number in (1, 2)}


@pytest.fixture(params=["disk", "server"])
def home(request: pytest.FixtureRequest, site: Path) -> Iterator[str | Path]:
    """Where the site is opened from."""
    if request.param == "disk":
        yield site
        return
    with served(site) as host:
        yield host.url


def plain(text: str) -> str:
    """A text with plain spaces and a plain minus."""
    return " ".join(text.replace("\u202f", "").split()).replace("−", "-")


def number(text: str) -> float | None:
    """The number that a cell begins with, None where it has none."""
    found = re.match(r"[-+▲▼]?\s*\d+(?:\.\d+)?", plain(text))
    return float(found[0].replace(" ", "").replace("▲", "").replace("▼", "-")) if found else None


def rows(page: Page) -> list[list[str]]:
    """The cells of the ladder's visible rows, as a reader reads them."""
    told: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll("#ladder tbody tr")].filter((row) => !row.hidden)
            .map((row) => [...row.cells].map((cell) => cell.innerText))"""
    )
    return told


def bots(page: Page) -> list[str]:
    """The ids on the ladder, in the order of the rows that are shown."""
    return [row[1].split("\n")[0].strip() for row in rows(page)]


def header(page: Page, name: str) -> Locator:
    """The button that sorts by a column."""
    return page.locator("#ladder thead").get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize(("season", "path"), [(1, "season-1/ladder.html"), (2, "index.html")])
def test_the_ladder_says_what_the_records_come_to(
    season: int, path: str, site: Path, visit: Visits, seasons: dict[int, Recount]
) -> None:
    found = seasons[season]
    page = visit(site, path).page
    order = found.order(EXPELLED if season == 2 else ())
    assert bots(page) == order
    for bot, cells in zip(order, rows(page), strict=True):
        count, (mu, sigma) = found.bots[bot], found.ratings[bot]
        rating = re.match(r"(\S+) ± (\S+?)( ?\?)?(\s|$)", plain(cells[2]))
        assert rating, cells
        assert float(rating[1]) == pytest.approx(mu, abs=0.00501), bot
        assert float(rating[2]) == pytest.approx(1.959964 * sigma, abs=0.00501), bot
        assert bool(rating[3]) == (count.games < 30), bot
        assert number(cells[3]) == pytest.approx(100 * count.win_share, abs=0.0501), bot
        assert [number(cell) for cell in cells[4:6]] == [count.games, count.faults], bot
        if season == 2:
            assert number(cells[7]) == found.divisions[bot]


def test_rank_intervals_count_who_is_surely_above_and_below(
    site: Path, visit: Visits, seasons: dict[int, Recount]
) -> None:
    ratings = seasons[1].ratings
    reach = {bot: 1.959964 * sigma for bot, (_, sigma) in ratings.items()}
    page = visit(site, "season-1/ladder.html").page
    for bot, cells in zip(bots(page), rows(page), strict=True):
        mu = ratings[bot][0]
        above = sum(other - reach[name] > mu + reach[bot] for name, (other, _) in ratings.items())
        below = sum(other + reach[name] < mu - reach[bot] for name, (other, _) in ratings.items())
        low, high = 1 + above, len(ratings) - below
        assert plain(cells[0]) == (f"{low}" if low == high else f"{low}–{high}"), bot


def test_every_column_sorts_both_ways(home: str | Path, visit: Visits) -> None:
    page = visit(home, "index.html").page
    first = rows(page)
    for column, name in enumerate(COLUMNS):
        if column == 1:
            expected = sorted(bot.bot for bot in (*PLAIN, *HOSTILE))
        for _ in range(2):
            header(page, name).click()
            cell = page.locator("#ladder thead th").nth(column)
            way = cell.get_attribute("aria-sort")
            assert page.locator("#ladder [aria-sort]").count() == 1
            now = rows(page)
            assert sorted(now) == sorted(first)
            if column == 1:
                assert bots(page) == (expected if way == "ascending" else expected[::-1])
            elif column == 0:
                # An interval may come again; the place itself is that of the ladder as it came.
                ranked = [row for row in first if number(row[0]) is not None]
                assert now[: len(ranked)] == (ranked if way == "ascending" else ranked[::-1])
            else:
                values = [number(row[column]) for row in now]
                known = [value for value in values if value is not None]
                assert values[: len(known)] == known, "what has no value stays last"
                assert known == sorted(known, reverse=way == "descending")
        assert way in ("ascending", "descending")
        header(page, "Rank").click()


@pytest.mark.parametrize("text", ["ada", "ADA", "grace", "{{ 7", "⟨U+202E⟩", "alert(1)", "水", "nobody is called so"])
def test_the_search_shows_whom_the_text_is_about(text: str, site: Path, visit: Visits) -> None:
    page = visit(site, "index.html").page
    before = rows(page)
    page.get_by_role("searchbox").fill(text)
    expected = [row for row in before if text.lower() in row[1].lower()]
    assert rows(page) == expected
    assert bool(expected) == (text != "nobody is called so")
    expect(page.locator("#found")).to_contain_text(f"{len(expected)} of {len(before)}")
    page.get_by_role("searchbox").fill("")
    assert rows(page) == before


def test_a_search_can_be_passed_on_as_an_address(home: str | Path, visit: Visits) -> None:
    page = visit(home, "index.html").page
    page.get_by_role("searchbox").fill("ada & <b>")
    page.get_by_role("searchbox").fill("ada")
    address = page.evaluate("() => location.href")
    page.goto("about:blank")
    page.goto(address)
    assert bots(page) == ["ada"]


def test_a_division_can_be_looked_at_alone(site: Path, visit: Visits, seasons: dict[int, Recount]) -> None:
    page = visit(site, "index.html").page
    everybody = bots(page)
    page.get_by_label("Division", exact=True).select_option("2")
    expected = [bot for bot in everybody if seasons[2].divisions[bot] == 2]
    assert bots(page) == expected
    assert 0 < len(expected) < len(everybody)
    page.get_by_role("searchbox").fill("ada")
    assert bots(page) == [bot for bot in expected if bot == "ada"]


def test_a_bots_page_says_what_the_records_come_to(
    home: str | Path, visit: Visits, seasons: dict[int, Recount]
) -> None:
    page = visit(home, "index.html").page
    page.locator("#ladder").get_by_role("link", name="ansi", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ansi")
    found = seasons[2]
    count, (mu, _) = found.bots["ansi"], found.ratings["ansi"]
    stats = dict(
        zip(page.locator("dl.stats dt").all_inner_texts(), page.locator("dl.stats dd").all_inner_texts(), strict=True)
    )
    told = {name.lower(): plain(text) for name, text in stats.items()}
    assert number(told["rating"]) == pytest.approx(mu, abs=0.0501)
    assert number(told["points a game"]) == pytest.approx(count.points / count.games, abs=0.0501)
    assert f"mean rank {count.ranks / count.games:.2f}" in told["points a game"]
    assert told["games"] == f"{count.games} in {count.matches} matches"
    assert number(told["faults"]) == count.faults
    check_faults(page, found, "ansi")
    check_opponents(page, found, "ansi")


def check_faults(page: Page, found: Recount, bot: str) -> None:
    """The table of faults by kind."""
    table = page.get_by_role("region", name="Faults by kind").locator("tbody tr")
    shown = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in table.all()}
    assert {kind: int(times) for kind, times in shown.items()} == fault_kinds(found.records, bot)


def check_opponents(page: Page, found: Recount, bot: str) -> None:
    """The table of opponents."""
    table = page.get_by_role("region", name="Results by opponent").locator("table")
    heads = [head.strip() for head in table.locator("thead th").all_inner_texts()]
    shown = {}
    for row in table.locator("tbody tr").all():
        cells = dict(zip(heads, map(plain, row.locator("th, td").all_inner_texts()), strict=True))
        shown[row.locator("th a").inner_text()] = (cells["Games"], cells["Won–tied–lost"])
    assert shown == {
        other: (str(each.wins + each.ties + each.losses), f"{each.wins}–{each.ties}–{each.losses}")
        for other, each in found.met[bot].items()
    }


def test_from_a_bot_to_its_match_and_through_it_to_the_bust(
    home: str | Path, visit: Visits, seasons: dict[int, Recount]
) -> None:
    page = visit(home, "season-1/bots/cyd.html").page
    page.get_by_role("region", name="Its newest matches").locator("a[href*='match.html#']").first.click()
    place = re.search(r"#r(\d+)m(\d+)", page.url)
    assert place, page.url
    record = next(
        record
        for record in seasons[1].records
        if (record["fixture"]["round"], record["fixture"]["number"]) == (int(place[1]), int(place[2]))
    )
    game, expedition = next(
        (g, e)
        for g, told in enumerate(recount(record), start=1)
        for e, (lines, _) in enumerate(told, start=1)
        if lines and lines[-1].pocket is None
    )
    check_expedition(page, record, game, expedition)


def check_expedition(page: Page, record: dict[str, Any], game: int, expedition: int) -> None:
    """Step through an expedition that ends with a bust, and compare with the record counted anew."""
    part = {name: page.locator(f"[data-viewer={name}]") for name in ("path", "pocket", "seats", "game", "sentence")}
    expect(part["path"]).to_be_visible()
    if game > 1:
        part["game"].select_option(str(game))
    for _ in range(expedition - 1):
        page.get_by_role("button", name="Expedition forward").click()
    lines, chests = recount(record)[game - 1][expedition - 1]
    for place, line in enumerate(lines, start=1):
        cards = part["path"].locator("li:not(.back)")
        expect(cards).to_have_count(place)
        assert line.card.partition(":")[2] in cards.last.inner_text() or line.card == "relic"
        if line.pocket is not None:
            expect(part["pocket"]).to_have_text(str(line.pocket))
            # First its card, then what everyone decides.
            page.get_by_role("button", name="Step forward").click()
            page.get_by_role("button", name="Step forward").click()
    held = part["seats"].locator("tr td:nth-child(4)").all_inner_texts()
    assert [int(cell) for cell in held] == chests
    expect(part["sentence"]).not_to_be_empty()
    expect(page.locator("[data-viewer=scene]")).to_have_class(re.compile("busted"))


def test_without_scripts_all_but_the_replay_is_there(site: Path, visit: Visits, seasons: dict[int, Recount]) -> None:
    visited = visit(site, "index.html", javascript=False)
    page = visited.page
    expect(page.locator("#ladder tbody tr")).to_have_count(len(seasons[2].bots))
    page.locator("#ladder").get_by_role("link", name="cyd", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("cyd")
    page.locator("details summary").first.click()
    expect(page.locator("details table").first).to_be_visible()
    visited.go("season-2/match.html#r1m1")
    # The browser that plays without scripts does not lay this element out.
    assert "needs JavaScript" in page.locator("noscript").first.inner_html()
    visited.go("season-2/pairs.html")
    expect(page.locator("#pairs tbody tr")).to_have_count(len(seasons[2].bots))


def focused(page: Page) -> dict[str, Any]:
    """What has the focus: its words, its role, and whether that can be seen."""
    told: dict[str, Any] = page.evaluate(
        """() => {
          const one = document.activeElement;
          const style = getComputedStyle(one);
          const box = one.getBoundingClientRect();
          const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
          return {
            tag: one.localName, id: one.id, text: (one.innerText || one.getAttribute("aria-label") || "").trim(),
            leads: one.getAttribute("href") || "",
            seen: (outlined || style.boxShadow !== "none") && box.width > 0 && box.bottom > 0 && box.top < innerHeight,
          };
        }"""
    )
    return told


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_keyboard_alone_leads_from_the_ladder_to_a_bot_and_its_match(width: int, site: Path, visit: Visits) -> None:
    page = visit(site, "index.html", width=width).page
    page.keyboard.press("Tab")
    assert focused(page)["text"].startswith("Skip")
    assert focused(page)["seen"]
    page.keyboard.press("Enter")
    assert focused(page)["id"] == "main"
    walk(page, lambda here: here["id"] == "q")
    page.keyboard.type("a")
    walk(page, lambda here: here["text"] == "Games")
    page.keyboard.press("Enter")
    expect(page.locator("#ladder thead th[aria-sort]")).to_contain_text("Games")
    bot = bots(page)[0]
    walk(page, lambda here: here["text"] == bot)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(bot)
    walk(page, lambda here: here["text"] == "Matches")
    page.keyboard.press("Enter")
    walk(page, lambda here: "match.html#" in here["leads"])
    page.keyboard.press("Enter")
    expect(page.locator("[data-viewer=path]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-viewer=path] li:not(.back)")).to_have_count(2)


def walk(page: Page, there: Any, most: int = 60) -> None:
    """Press Tab until the focus is there; on the way, too, it must always be seen."""
    for _ in range(most):
        page.keyboard.press("Tab")
        here = focused(page)
        assert here["seen"], here
        if there(here):
            return
    raise AssertionError(f"{most} steps, and not there: {focused(page)}")
