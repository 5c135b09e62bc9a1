"""What pages weigh on the wire, how often they ask, and how many elements they have."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from harness.publish import addresses
from harness.publish.assets_made import asset_files, assets
from harness.publish.pages import front_page
from harness.publish.render import Renderer
from tests.publish.browser import Visits
from tests.publish.crowd_facts import crowd_pages, crowd_season
from tests.publish.documents import TEMPLATES
from tests.publish.made_facts import SITE
from tests.publish.rendered import rendered
from tests.publish.serving import Served, Taken, served
from tests.publish.viewer_site import written

KB = 1000
"""Bytes; the stricter reading."""

REQUESTS = 12

ELEMENTS = 3000
"""More make a page slow to show on a phone."""


@pytest.fixture
def host(forty: Path) -> Iterator[Served]:
    """The site of forty bots on a server."""
    with served(forty) as host:
        yield host


def weight(taken: Sequence[Taken], *endings: str) -> int:
    """Bytes of the answers whose path ends so; of all without endings."""
    return sum(answer.size for answer in taken if not endings or answer.path.endswith(endings))


def figures_loaded(visits: Visits, host: Served, path: str) -> None:
    """Open a page and scroll to each of its pictures, which load when they come near."""
    page = visits(host.url, path).page
    for picture in page.locator("img").all():
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(one) => one.complete", arg=picture.element_handle())


def test_a_ladder_of_forty_bots(host: Served, visit: Visits) -> None:
    figures_loaded(visit, host, "index.html")
    assert weight(host.taken, ".html", ".css", ".js") <= 25 * KB, host.taken
    assert weight(host.taken) <= 90 * KB, host.taken
    assert len(host.taken) <= REQUESTS, host.taken


@pytest.mark.parametrize("bot", ["bot-000", "bot-039"])
def test_a_bots_page(bot: str, host: Served, visit: Visits) -> None:
    figures_loaded(visit, host, f"season-1/bots/{bot}.html")
    assert {answer.path.rpartition(".")[2] for answer in host.taken} >= {"html", "css", "svg"}
    assert weight(host.taken) <= 95 * KB, host.taken
    assert len(host.taken) <= REQUESTS, host.taken


def test_a_replay(host: Served, visit: Visits) -> None:
    page = visit(host.url, "season-1/match.html#r40m10").page
    expect(page.locator("[data-viewer=path]")).to_be_visible()
    shards = [answer for answer in host.taken if "/replays/" in answer.path]
    rest = [answer for answer in host.taken if "/replays/" not in answer.path]
    assert [answer.size <= 40 * KB for answer in shards] == [True], shards
    assert weight(rest) <= 60 * KB, rest
    assert len(host.taken) <= REQUESTS, host.taken


def test_every_shard(forty: Path) -> None:
    sizes = [len(gzip.compress(path.read_bytes(), 6, mtime=0)) for path in forty.rglob("replays/*.js")]
    assert len(sizes) > 1
    assert max(sizes) <= 40 * KB


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_no_page_of_two_hundred_bots_has_many_elements(template: str) -> None:
    shown = [page for name, page in crowd_pages() if name == template]
    assert shown
    for page in shown:
        made = rendered(replace(SITE, publish_stderr=True), page)
        assert len(made.tags) <= ELEMENTS, page.path


def test_a_ladder_of_two_hundred_bots_has_few_elements(tmp_path: Path, visit: Visits) -> None:
    site = replace(SITE, assets=assets())
    page = front_page(crowd_season())
    written(tmp_path, [*asset_files().items(), (page.path, Renderer(site).render(page))])
    shown = visit(tmp_path, addresses.LADDER).page
    assert shown.locator("#ladder tbody tr").count() == 200
    assert shown.evaluate("() => document.querySelectorAll('*').length") <= ELEMENTS
