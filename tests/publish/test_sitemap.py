"""The sitemap, read by the rules of sitemaps.org."""

from __future__ import annotations

from xml.etree import ElementTree

from harness.publish.sitemap import sitemap_files

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
URL = "https://caves.example/ladder/"


def addresses_in(document: bytes, kind: str = "url") -> list[str]:
    return [loc.text or "" for loc in ElementTree.fromstring(document).findall(f"s:{kind}/s:loc", NAMES)]


def test_pages_are_listed_by_their_absolute_addresses_with_their_dates():
    pages = [("index.html", ""), ("season-1/index.html", "2026-03-04T12:30:00.250000Z")]
    [(path, document)] = sitemap_files(URL, pages)
    assert path == "sitemap.xml"
    root = ElementTree.fromstring(document)
    assert root.tag == f"{{{NAMES['s']}}}urlset"
    assert [(url.findtext("s:loc", None, NAMES), url.findtext("s:lastmod", None, NAMES)) for url in root] == [
        ("https://caves.example/ladder/index.html", None),
        ("https://caves.example/ladder/season-1/index.html", "2026-03-04T12:30:00.250000Z"),
    ]


def test_addresses_are_escaped_for_urls_and_for_xml():
    [(_, document)] = sitemap_files("https://caves.example/?a=1&b=", [("a b<&>.html", "")])
    assert addresses_in(document) == ["https://caves.example/?a=1&b=a%20b%3C%26%3E.html"]


def test_a_site_without_pages_has_a_sitemap_too():
    [(path, document)] = sitemap_files(URL, [])
    assert (path, addresses_in(document)) == ("sitemap.xml", [])


def test_fifty_thousand_pages_are_one_file():
    assert [path for path, _ in sitemap_files(URL, ((f"{number}.html", "") for number in range(50_000)))] == [
        "sitemap.xml"
    ]


def test_more_are_several_files_and_then_the_index_that_leads_to_them():
    files = list(sitemap_files(URL, ((f"{number}.html", "") for number in range(100_001))))
    assert [path for path, _ in files] == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    parts = [addresses_in(document) for _, document in files[:-1]]
    assert [len(part) for part in parts] == [50_000, 50_000, 1]
    assert [address for part in parts for address in part] == [f"{URL}{number}.html" for number in range(100_001)]
    assert addresses_in(files[-1][1], "sitemap") == [f"{URL}sitemap-{number}.xml" for number in (1, 2, 3)]
    assert all(len(document) < 50 * 2**20 for _, document in files)
