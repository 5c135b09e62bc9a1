"""A page as rendered, taken apart for tests: its text, its links, and its tables by caption."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from html.parser import HTMLParser

from harness.publish.page import Page
from harness.publish.render import Renderer
from harness.publish.site_facts import SiteFacts


@dataclass
class Rendered(HTMLParser):
    """Text has one space for each run of white space, no-break ones too."""

    pieces: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    tables: dict[str, list[list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._caption: list[str] | None = None
        self._rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        self.tags.append(tag)
        self.links += [known[name] or "" for name in ("href", "src", "srcset") if known.get(name)]
        if tag == "table":
            self._rows = []
        elif tag == "caption":
            self._caption = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("th", "td"):
            self._rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "caption" and self._caption is not None:
            self.tables[spaced("".join(self._caption))] = self._rows
            self._caption = None
        elif tag == "table":
            self._rows = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)
        if self._caption is not None:
            self._caption.append(data)
        elif self._rows and self._rows[-1]:
            self._rows[-1][-1] = spaced(f"{self._rows[-1][-1]} {data}")

    @property
    def text(self) -> str:
        """All of it."""
        return spaced(" ".join(self.pieces))

    def table(self, start: str) -> list[list[str]]:
        """The rows of the one table whose caption starts so; the first row is the heading."""
        (rows,) = (rows for caption, rows in self.tables.items() if caption.startswith(start))
        return rows


def spaced(text: str) -> str:
    """With single spaces only."""
    return " ".join(text.split())


def rendered(site: SiteFacts, page: Page) -> Rendered:
    """The page taken apart."""
    made = Rendered()
    made.feed(Renderer(site).render(page).decode())
    made.close()
    return made


def inner(page: Page, made: Rendered) -> set[str]:
    """The paths, from the site's folder, that the page's links lead to, without fragments."""
    here = posixpath.dirname(page.path)
    ways = {link.partition("#")[0] for link in made.links if not link.startswith("data:")}
    return {posixpath.normpath(posixpath.join(here, way)) for way in ways if way}
