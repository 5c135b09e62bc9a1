"""A page before it is rendered: where it stands, its template, what the template gets, and the figures it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Figure", "Page"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a page. `draw` makes its files, by path from the site's folder, and is called only if need be.

    `shows` is what it is drawn from, frozen values with a `repr` that tells them apart: it is drawn again only where
    that changed.
    """

    paths: tuple[str, ...]
    shows: Any
    draw: Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page. `path` is relative to the site's folder, with "/"; `template` is a file of `templates/`.

    `content` is what the template gets by name: frozen values with a `repr` that tells them apart, since a page is
    rendered again only where that changed.
    """

    path: str
    template: str
    content: Mapping[str, Any]
    figures: tuple[Figure, ...] = ()
