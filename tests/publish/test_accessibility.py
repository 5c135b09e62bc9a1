"""No accessibility violation on any kind of page, in both colour schemes, on a phone and on a desk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from harness.publish.assets_made import asset_files, assets
from harness.publish.page import Page
from harness.publish.pages import front_page, names_file, season_ladders, season_page
from harness.publish.render import Renderer
from tests.publish.browser import DESK, PHONE, Scheme, Visit, Visits
from tests.publish.crowd_facts import crowd_pages, crowd_season
from tests.publish.documents import TEMPLATES, document, pages
from tests.publish.league_facts import season
from tests.publish.made_facts import SITE
from tests.publish.viewer_site import MATCHES, match_of, record_site, written

KINDS: dict[str, str] = {
    "ladder": "index.html",
    "ladder of a season that is over": "season-1/ladder.html",
    "ladder of a size": "season-1/ladder-5.html",
    "season": "season-2/index.html",
    "season that is over": "season-1/index.html",
    "head to head": "season-1/pairs.html",
    "seasons": "seasons.html",
    "bot": "season-1/bots/ansi.html",
    "bot with long texts": "season-2/bots/long.html",
    "bot that is out": "season-2/bots/eve.html",
    "matches of a bot": "season-1/matches/ada/1.html",
    "round": "season-2/rounds/1.html",
    "match": "season-1/match.html#r6m1",
    "no match": "season-2/match.html#r9m9",
    "viewer": "viewer.html",
    "about": "about.html",
}

CROWD = {
    "ladder in divisions": "index.html",
    "ladder in parts": "season-2/ladder-p2.html",
    "official table of many bots": "season-2/official-p2.html",
    "announced season": "announced/index.html",
    "season that is announced": "announced/season-2/index.html",
    "season without a round": "unplayed/index.html",
    "replay alone": "alone/viewer.html",
}
"""Pages that the league of the other kinds is too small or too far on for."""

ALL = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
CONTRAST = {"type": "rule", "values": ["color-contrast"]}

LOOKS: tuple[tuple[int, Scheme, dict[str, Any]], ...] = (
    (PHONE, "light", ALL),
    (PHONE, "dark", CONTRAST),
    (DESK, "light", CONTRAST),
    (DESK, "dark", ALL),
)
"""Each width in each scheme; nothing but colours can differ between the schemes at one width."""

ALIKE = ("ladder of a size", "season that is over", "bot with long texts", "bot that is out", "no match")
"""Kinds with the colours of another one: each scheme is looked at once."""

PATHS = {
    "ladder.html": r"(announced/|unplayed/)?index\.html|season-\d+/ladder[^/]*\.html",
    "official.html": r"season-\d+/official[^/]*\.html",
    "season.html": r"(announced/)?season-\d+/index\.html",
    "pairs.html": r"season-\d+/pairs\.html",
    "bot.html": r"season-\d+/bots/[^/]+\.html",
    "matches.html": r"season-\d+/matches/.+\.html",
    "round.html": r"season-\d+/rounds/.+\.html",
    "match.html": r"season-\d+/match\.html",
    "seasons.html": r"seasons\.html",
    "viewer.html": r"viewer\.html",
    "about.html": r"about\.html",
    "viewer_alone.html": r"alone/viewer\.html",
}
"""Where pages of each template stand."""

SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@pytest.fixture(scope="module")
def axe() -> Axe:
    return Axe()


def problems(found: dict[str, Any]) -> list[str]:
    """Each violation on a line, with the first places."""
    told = []
    for violation in found["violations"]:
        places = [f"{node['html'][:160]} ({node['failureSummary'][:300]})" for node in violation["nodes"][:4]]
        told.append(f"{violation['id']}: {violation['help']}: {places}")
    return told


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ladders of a season of very many bots, and beside them seasons that have not begun and a record alone."""
    folder = tmp_path_factory.mktemp("crowd")
    facts = crowd_season(201)
    nothing = season(rounds=(), pairs=(), by_size={}, sizes=(), matches=0, games=0)
    announced = replace(nothing, state="announced", lines=())
    _write(folder, [front_page(facts), *season_ladders(facts)])
    written(folder, [names_file(facts) or ("", b"")])
    _write(folder / "announced", [front_page(announced), season_page(announced)])
    _write(folder / "unplayed", [front_page(nothing)])
    record_site(folder / "alone", match_of(*MATCHES[0]))
    return folder


def _write(folder: Path, made: Iterable[Page]) -> None:
    renderer = Renderer(replace(SITE, assets=assets()))
    written(folder, [*asset_files().items(), *((page.path, renderer.render(page)) for page in made)])


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(kind: str, site: Path, visit: Visits, axe: Axe) -> None:
    _look_at(kind, visit(site, KINDS[kind]), axe)


@pytest.mark.parametrize("kind", CROWD)
def test_axe_finds_nothing_on_pages_of_other_leagues(kind: str, crowd: Path, visit: Visits, axe: Axe) -> None:
    visited = visit(crowd, CROWD[kind])
    if kind == "ladder in parts":
        visited.page.get_by_label("Find a bot").fill("bot-000")
        expect(visited.page.locator("#elsewhere a").first).to_be_visible()
    _look_at(kind, visited, axe)


def _look_at(kind: str, visited: Visit, axe: Axe) -> None:
    """Fails where axe finds something, or the page is wider than the window."""
    page = visited.page
    if kind == "match":
        expect(page.locator("[data-viewer=path]")).to_be_visible()
    # What can be opened is looked at open.
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for width, scheme, rules in LOOKS:
        if kind in ALIKE and rules is CONTRAST:
            continue
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        # All that passed would be told too, with its markup.
        options = {"preload": False, "resultTypes": ["violations"], "runOnly": rules}
        found = problems(axe.run(page, options=options).response)
        assert not found, "\n".join([f"{kind}, {scheme}, {width} px", *found])
        sideways = visited.scrolls_sideways()
        assert sideways is None, f"{kind}, {width} px: {sideways}"


def test_every_kind_of_page_is_looked_at() -> None:
    """By template: pages of one kind differ in numbers only."""
    looked_at = {path.partition("#")[0] for path in (*KINDS.values(), *CROWD.values())}
    unseen = set(TEMPLATES)
    for path in looked_at:
        unseen.discard(next(name for name, pattern in PATHS.items() if re.fullmatch(pattern, path)))
    assert not unseen
    made = {template: page.path for template, page in crowd_pages()}
    assert set(made) == set(TEMPLATES) == set(PATHS) - {"viewer_alone.html"}
    assert all(re.fullmatch(PATHS[template], path) for template, path in made.items())


def test_headings_go_down_one_level_at_a_time(site: Path) -> None:
    for path in pages(site):
        levels = [int(tag[1]) for tag, _ in document(site / path).tags if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
        assert levels.count(1) == 1, path
        assert all(after <= before + 1 for before, after in pairwise(levels)), (path, levels)


def test_every_table_has_a_caption_and_every_picture_words(site: Path) -> None:
    for path in pages(site):
        tags = document(site / path).tags
        count = {name: sum(tag == name for tag, _ in tags) for name in ("table", "caption")}
        assert count["table"] == count["caption"], path
        for tag, attributes in tags:
            if tag == "img":
                assert attributes.get("alt"), (path, attributes)
                assert attributes.get("width"), (path, attributes)
                assert attributes.get("height"), (path, attributes)
            if tag == "th":
                assert attributes.get("scope"), (path, attributes)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_page_follows_the_colour_scheme_of_the_system(scheme: Scheme, site: Path, visit: Visits) -> None:
    for path in ("index.html", "season-1/match.html#r1m1"):
        page = visit(site, path, scheme=scheme).page
        colour = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        body = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        clear = "rgba(0, 0, 0, 0)"
        assert (body if colour == clear else colour) == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[
            scheme
        ]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_charts_are_those_of_the_scheme(scheme: Scheme, site: Path, visit: Visits) -> None:
    visited = visit(site, "season-1/bots/ada.html", scheme=scheme)
    pictures = visited.page.locator("picture img")
    for place in range(pictures.count()):
        pictures.nth(place).scroll_into_view_if_needed()
        visited.page.wait_for_function(
            "(one) => one.complete && one.naturalWidth > 0", arg=pictures.nth(place).element_handle()
        )
    asked = [url for url in visited.requests if url.endswith(".svg")]
    assert len(asked) == pictures.count() == 2
    assert all(f".{scheme}." in url for url in asked)


def test_less_motion_means_none(site: Path, visit: Visits) -> None:
    page = visit(site, "season-1/match.html?play=1#r1m1", reduced_motion=True).page
    path = page.locator("[data-viewer=path]")
    expect(path).to_be_visible()
    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step forward").click()
    expect(path.locator("li:not(.back)")).to_have_count(2)
    assert page.evaluate("() => document.getAnimations().filter((one) => one.playState === 'running').length") == 0
