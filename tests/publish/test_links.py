"""Every link leads to something that is there, every file can be reached, every page is as strict as its policy."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from tests.publish.documents import document, files, pages, shard_records
from tests.publish.made_site import HOSTILE, PLAIN, Made
from tests.publish.serving import POLICY
from tests.publish.viewer_site import MATCHES, match_of, record_site

MOMENT = re.compile(r"r(\d+)m(\d+)(?:-g(\d+)e(\d+)(?:c(\d+))?)?")
ATOM = "{http://www.w3.org/2005/Atom}"


def target(page: str, link: str) -> tuple[str, str]:
    """The path and the fragment that a link on a page leads to."""
    parts = urlsplit(link)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
    return path, unquote(parts.fragment)


def inner_links(site: Path, page: str) -> list[tuple[str, str, str]]:
    """What the links of a page lead to: path, fragment and the link itself."""
    found = []
    for _, link in document(site / page).links:
        parts = urlsplit(link)
        assert not parts.scheme or parts.scheme == "data", f"{page} leads away: {link}"
        assert not parts.netloc, f"{page} leads away: {link}"
        if not parts.scheme:
            found.append((*target(page, link), link))
    return found


def test_every_link_leads_to_a_file_and_every_fragment_to_an_id(site: Path) -> None:
    there = set(files(site))
    lost = []
    for page in pages(site):
        for path, fragment, link in inner_links(site, page):
            if path not in there:
                lost.append(f"{page}: {link}")
            elif fragment and not path.endswith("/match.html") and fragment not in document(site / path).ids:
                lost.append(f"{page}: {link} has no such id")
    assert not lost, lost[:20]


def test_every_link_to_a_moment_leads_to_a_card_of_a_match_that_counts(site: Path, made: Made) -> None:
    there: dict[str, dict[tuple[int, int], list[list[list[str]]]]] = {}
    for season in (1, 2):
        records = (record for file in site.glob(f"season-{season}/replays/*.js") for record in shard_records(file))
        there[f"season-{season}/match.html"] = {
            (record["fixture"]["round"], record["fixture"]["number"]): [game["expeditions"] for game in record["games"]]
            for record in records
        }
    moments = set()
    for page in pages(site):
        for path, fragment, link in inner_links(site, page):
            if path in there and fragment and fragment not in document(site / path).ids:
                place = MOMENT.fullmatch(fragment)
                assert place, f"{page}: {link}"
                round_, number, game, expedition, card = (int(each or 0) for each in place.groups())
                games = there[path].get((round_, number))
                assert games is not None, f"{page}: {link} is of a match that does not count"
                if card:
                    # A card more than there were decisions: the one that was the end.
                    cards = len(games[game - 1][expedition - 1]) + 1
                    assert 1 <= card <= cards, f"{page}: {link} is behind the last of {cards} cards"
                moments.add(bool(game))
                assert not game or games[game - 1][expedition - 1], f"{page}: {link} is not played"
    assert moments == {True, False}


def test_shards_hold_every_record_that_counts_once_and_nothing_else(site: Path, made: Made) -> None:
    for season in (1, 2):
        found = [
            record for file in sorted(site.glob(f"season-{season}/replays/*.js")) for record in shard_records(file)
        ]
        void = {line["void"] for line in made.lines(season) if "void" in line}
        counts = [line for line in made.lines(season) if "timing" in line and line["match"] not in void]
        assert found == counts


def test_every_page_can_be_reached_from_the_ladder(site: Path) -> None:
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        for path, _, _ in inner_links(site, waiting.pop()):
            if path.endswith(".html") and path not in reached:
                reached.add(path)
                waiting.append(path)
    assert sorted(reached) == pages(site)


def test_every_file_is_linked_from_somewhere(site: Path) -> None:
    linked = {path for page in pages(site) for path, _, _ in inner_links(site, page)}
    scripts = {path for path in files(site) if "/replays/" in path}  # the page's index of matches names them
    for script in scripts:
        page = site / script.split("/")[0] / "match.html"
        assert script in page.read_text("utf-8")
    # Asked for by address: by hosts of pictures, by search engines.
    asked_for = {"preview.png", "sitemap.xml", "robots.txt"}
    assert not set(files(site)) - linked - scripts - asked_for - set(pages(site))


def test_no_id_comes_twice_on_a_page(site: Path) -> None:
    for page in pages(site):
        twice = [name for name, times in Counter(document(site / page).ids).items() if times > 1]
        assert not twice, (page, twice)


def test_every_page_states_the_policy_before_anything_is_loaded(site: Path, tmp_path: Path) -> None:
    alone = record_site(tmp_path, match_of(*MATCHES[0])) / "viewer.html"
    for page in (*(site / path for path in pages(site)), alone):
        tags = document(page).tags
        policy = next(
            place
            for place, (tag, attributes) in enumerate(tags)
            if tag == "meta" and (attributes.get("http-equiv") or "").lower() == "content-security-policy"
        )
        assert tags[policy][1]["content"] == POLICY, page
        assert not [tag for tag, _ in tags[:policy] if tag in ("script", "link", "style", "img")], page


def test_no_page_has_a_script_or_a_style_within_it(site: Path) -> None:
    for page in pages(site):
        taken_apart = document(site / page)
        data = [attributes.get("type") == "application/json" for tag, attributes in taken_apart.tags if tag == "script"]
        assert len([text for text in taken_apart.inline if len(text) > len("script: ")]) <= sum(data), page
        for tag, attributes in taken_apart.tags:
            assert tag not in ("style", "iframe", "object", "embed", "base"), (page, tag)
            assert not [name for name in attributes if name == "style" or name.startswith("on")], (
                page,
                tag,
                attributes,
            )


def test_titles_and_descriptions_tell_pages_apart(site: Path) -> None:
    seen: dict[str, str] = {}
    for page in pages(site):
        text = (site / page).read_text("utf-8")
        title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
        assert title, page
        other = seen.setdefault(title[1], page)
        # The newest season's ladder stands at two addresses.
        assert other == page or {other, page} <= {"index.html", "season-2/ladder.html"}, (other, page, title[1])


@pytest.fixture(scope="module")
def feeds(site: Path) -> list[str]:
    return [path for path in files(site) if path.endswith(".xml") and path != "sitemap.xml"]


def test_feeds_are_atom_and_lead_to_what_is_there(site: Path, feeds: list[str]) -> None:
    assert "feed.xml" in feeds
    assert len(feeds) > len(PLAIN) + len(HOSTILE)
    there = set(files(site))
    for path in feeds:
        feed = ElementTree.parse(site / path).getroot()
        assert feed.tag == f"{ATOM}feed", path
        entries = feed.findall(f"{ATOM}entry")
        ids = [entry.findtext(f"{ATOM}id") for entry in (feed, *entries)]
        assert None not in ids, path
        assert len(set(ids)) == len(ids), path
        for element in (feed, *entries):
            assert element.findtext(f"{ATOM}updated"), path
            for link in element.findall(f"{ATOM}link"):
                assert target(path, link.attrib["href"])[0] in there, (path, link.attrib)


def test_charts_are_pictures_and_nothing_else(site: Path) -> None:
    charts = [path for path in files(site) if path.endswith(".svg")]
    assert charts
    for path in charts:
        for element in ElementTree.parse(site / path).iter():
            name = element.tag.rpartition("}")[2]
            assert name not in ("script", "foreignObject", "image", "use", "a", "style"), (path, name)
            away = [value for key, value in element.attrib.items() if key.endswith("href") or "url(" in value]
            assert all(value.lstrip().startswith(("#", "url(#")) for value in away), (path, away)
