"""Renders pages: the templates, what they may call, and how numbers look."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.protocol import visible
from harness.publish import addresses

if TYPE_CHECKING:
    from harness.publish.page import Page
    from harness.publish.site_facts import SiteFacts

__all__ = ["Renderer", "environment", "fixed", "interval", "number", "percent", "plural"]

_SHORT, _LONG = 80, 1000
"""Characters of a text that a bot or an author wrote, at most."""

_NARROW_SPACE = "\u202f"
"""No line breaks at it."""


class Renderer:
    """Renders the pages of one publish."""

    def __init__(self, site: SiteFacts) -> None:
        self._environment = environment()
        self._site = site

    def render(self, page: Page) -> bytes:
        """The page as UTF-8."""
        template = self._environment.get_template(page.template)
        root = addresses.root_of(page.path)
        text = template.render(site=self._site, root=root, path=page.path, addresses=addresses, **page.content)
        # A lone surrogate, which no page can hold, may only come from a damaged store.
        return text.encode("utf-8", "replace")


@cache  # it holds the templates, and compiling those costs more than rendering a small site
def environment() -> Environment:
    """What templates are rendered in: everything is escaped, and what is not there is an error."""
    made = Environment(
        loader=PackageLoader("harness.publish"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        fixed=fixed,
        interval=interval,
        number=number,
        percent=percent,
        plural=plural,
        shown=lambda text: visible(text, _SHORT),
        shown_long=lambda text: visible(text, _LONG),
    )
    return made


def number(value: int) -> str:
    """A whole number with narrow spaces between thousands and a true minus."""
    return f"{value:,}".replace(",", _NARROW_SPACE).replace("-", "−")


def fixed(value: float, decimals: int = 2) -> str:
    """A number with so many decimals and a true minus; what rounds to nothing has no sign."""
    text = f"{value:.{decimals}f}"
    if not text.strip("-0."):
        text = text.removeprefix("-")
    return text.replace("-", "−")


def percent(share: float, decimals: int = 1) -> str:
    """A share of 0 to 1 in per cent."""
    return f"{fixed(100 * share, decimals)}\u00a0%"


def plural(count: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number(count)}\u00a0{one if count == 1 else many}"


def interval(low: Any, high: Any) -> str:
    """Two ends with an en dash between, one where both are the same."""
    return f"{low}" if low == high else f"{low}–{high}"
