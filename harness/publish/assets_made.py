"""The files that all pages share, put together from their sources and named for what they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from harness import __version__
from harness.publish.site_facts import Assets
from harness.publish.thinning import thinned

__all__ = ["asset_files", "assets", "made_with"]

_SOURCES = (("style", "css", ".css"), ("tables", "site", ".js"), ("viewer", "viewer", ".js"))
"""Name, folder and ending of each asset."""


@cache
def asset_files() -> dict[str, bytes]:
    """By path, what stands there."""
    return {path: content for _, path, content in _made()}


@cache
def assets() -> Assets:
    """Where they stand."""
    return Assets(**{name: path for name, path, _ in _made()})


def _made() -> Iterator[tuple[str, str, bytes]]:
    for name, folder, ending in _SOURCES:
        here = files("harness.publish").joinpath("assets", folder)
        sources = sorted((source for source in here.iterdir() if source.name.endswith(ending)), key=_name)
        texts = (source.read_text(encoding="utf-8") for source in sources)
        content = "\n".join(map(thinned, texts) if ending == ".js" else texts).encode()
        yield name, f"assets/{name}-{hashlib.sha256(content).hexdigest()[:10]}{ending}", content


@cache
def made_with() -> str:
    """A hash of all that pages are made with: this package's own files, and the harness's version."""
    told = hashlib.sha256(__version__.encode())
    for path, content in _own(files("harness.publish"), ""):
        told.update(f"{path}\0{len(content)}\0".encode())
        told.update(content)
    return told.hexdigest()[:24]


def _own(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for found in sorted(folder.iterdir(), key=_name):
        if found.is_dir() and found.name != "__pycache__":
            yield from _own(found, f"{path}{found.name}/")
        elif found.is_file() and not found.name.endswith(".pyc"):
            yield path + found.name, found.read_bytes()


def _name(found: Traversable) -> str:
    return found.name
