"""The site's files as they lie on disk: pages taken apart, and the records in their shards."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import harness.publish

LINKING = {"a": ("href",), "link": ("href",), "script": ("src",), "img": ("src",), "source": ("srcset",)}
"""The attributes that lead elsewhere."""

_FOLDER = Path(harness.publish.__file__).parent / "templates"

TEMPLATES = frozenset(path.name for path in _FOLDER.glob("*.html") if '{% extends "base.html" %}' in path.read_text())
"""The kinds of pages of a site."""

SHARD = re.compile(r'tacora\.replays\("([A-Za-z0-9+/=]*)"\);\s*')


@dataclass
class Document(HTMLParser):
    """A page taken apart."""

    ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._within = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._within = tag
        known = dict(attributes)
        self.tags.append((tag, known))
        if known.get("id"):
            self.ids.append(known["id"] or "")
        self.links += [(tag, known[name] or "") for name in LINKING.get(tag, ()) if name in known]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        self._within = ""

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within in ("script", "style"):
            self.inline.append(f"{self._within}: {data.strip()[:60]}")
        else:
            self.text.append(data)


@cache
def document(file: Path) -> Document:
    """The page in a file."""
    parsed = Document()
    parsed.feed(file.read_text("utf-8"))
    parsed.close()
    return parsed


def pages(site: Path) -> list[str]:
    """The paths of all pages."""
    return sorted(file.relative_to(site).as_posix() for file in site.rglob("*.html"))


def files(site: Path) -> list[str]:
    """The paths of all that is published."""
    found = (file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file())
    return sorted(path for path in found if not path.startswith(".publish/"))


def shard_records(file: Path) -> list[dict[str, Any]]:
    """The records in a shard, none where the file is another script."""
    matched = SHARD.fullmatch(file.read_text("utf-8"))
    assert matched is not None or file.parent.name != "replays", f"{file} is a shard of another form"
    if matched is None:
        return []
    records: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(matched[1])))
    return records


def whole_text(file: Path) -> str:
    """All that a reader can get out of a file: what is packed in it too."""
    if file.suffix == ".gz":
        return gzip.decompress(file.read_bytes()).decode("utf-8")
    if file.suffix == ".png":
        return file.read_bytes().decode("latin-1")
    text = file.read_text("utf-8")
    return text + "".join(json.dumps(record, ensure_ascii=False) for record in shard_records(file))
