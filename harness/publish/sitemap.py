"""The sitemap for search engines (sitemaps.org, 0.9): the site's pages by their absolute addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import quote
from xml.sax.saxutils import escape

from harness.publish import addresses

__all__ = ["MOST_ADDRESSES", "sitemap_files"]

MOST_ADDRESSES = 50_000
"""Of one file, by sitemaps.org."""

_START = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap_files(site_url: str, pages: Iterable[tuple[str, str]]) -> Iterator[tuple[str, bytes]]:
    """The files by path: one, or from 50,000 pages on several and then the index that leads to them.

    `pages` are (path from the site's folder, RFC 3339 of its last change or ""); `site_url` ends with "/".
    """
    left = iter(pages)
    part = list(islice(left, MOST_ADDRESSES))
    following = list(islice(left, MOST_ADDRESSES))
    if not following:
        yield addresses.SITEMAP, _document("urlset", "url", site_url, part)
        return
    parts: list[tuple[str, str]] = []
    while part:
        path = f"sitemap-{len(parts) + 1}.xml"
        yield path, _document("urlset", "url", site_url, part)
        parts.append((path, ""))
        part, following = following, list(islice(left, MOST_ADDRESSES))
    yield addresses.SITEMAP, _document("sitemapindex", "sitemap", site_url, parts)


def _document(root: str, item: str, site_url: str, pages: Iterable[tuple[str, str]]) -> bytes:
    lines = [_START, f'<{root} xmlns="{_NAMESPACE}">\n']
    for path, changed in pages:
        when = f"<lastmod>{escape(changed)}</lastmod>" if changed else ""
        lines.append(f"<{item}><loc>{escape(site_url + quote(path))}</loc>{when}</{item}>\n")
    lines.append(f"</{root}>\n")
    return "".join(lines).encode()
