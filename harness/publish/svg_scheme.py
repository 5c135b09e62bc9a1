"""A chart's SVG made fit to publish: slim, named for screen readers, and in the colours of each colour scheme."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from xml.etree import ElementTree

__all__ = ["BAND", "BAR", "FAINT", "FONTS", "GRID", "INK", "LINE", "SCHEMES", "in_schemes", "slim_svg"]

INK, FAINT, GRID, LINE, BAND, BAR = "#fe0001", "#fe0002", "#fe0003", "#fe0004", "#fe0005", "#fe0006"
"""Colours to draw with: stand-ins that nothing else in a chart has. Text, text of less weight, grid lines, a line, the
band about it, a bar."""

SCHEMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "light": {
            INK: "#1b1f24",
            FAINT: "#59616b",
            GRID: "#e1e4e8",
            LINE: "#00695c",
            BAND: "#b5dcd5",
            BAR: "#1f9384",
        },
        "dark": {
            INK: "#e8eaed",
            FAINT: "#a4acb6",
            GRID: "#2d323a",
            LINE: "#5ccfbc",
            BAND: "#1d4a44",
            BAR: "#1f8577",
        },
    }
)
"""By colour scheme what stands in the file for each of them. The pages behind are #ffffff and #14171c."""

FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"
"""The reader's own fonts, all on the root; a text that names them too need not."""

_SVG = "http://www.w3.org/2000/svg"

_DROPPED = frozenset(
    {"class", "role", "opacity", "pointer-events", "aria-hidden", "aria-label", "aria-roledescription"}
)
"""Attributes that say nothing in a picture that is shown whole, with one name."""

_LONG_NUMBER = re.compile(r"-?\d+\.\d+")

_ID = re.compile(r'(?<= id=")clip\d+(?=")|(?<=url\(#)clip\d+(?=\))')

_GEOMETRY = frozenset({"d", "transform", "x", "y", "x2", "y2", "width", "height"})


def slim_svg(svg: str, size: tuple[int, int], title: str, description: str) -> str:
    """The SVG in this size with title and description, less what isn't seen, coordinates with two decimals at most."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - what our own renderer just made
    _slim(root)
    width, height = size
    root.attrib.clear()
    root.attrib.update(
        {
            "width": str(width),
            "height": str(height),
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "font-family": FONTS,
        }
    )
    for place, (name, text) in enumerate((("title", title), ("desc", description))):
        named = ElementTree.Element(f"{{{_SVG}}}{name}")
        named.text = text
        root.insert(place, named)
    # Without prefixes, which the serializer would invent.
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
    root.set("xmlns", _SVG)
    return _renumbered(ElementTree.tostring(root, encoding="unicode")) + "\n"


def in_schemes(svg: str) -> dict[str, str]:
    """The chart in the colours of each scheme, from one drawn with the stand-ins."""
    drawn = {}
    for scheme, colours in SCHEMES.items():
        text = svg
        for stand_in, colour in colours.items():
            text = text.replace(stand_in, colour)
        drawn[scheme] = text
    return drawn


def _renumbered(svg: str) -> str:
    """With ids that count from 1: the renderer's count goes on from chart to chart."""
    numbers: dict[str, str] = {}
    return _ID.sub(lambda found: numbers.setdefault(found.group(), f"clip{len(numbers) + 1}"), svg)


def _slim(element: ElementTree.Element) -> None:
    """Drop what isn't seen of all that is inside, then of the element itself."""
    for child in list(element):
        _slim(child)
        if _unseen(child):
            element.remove(child)
        elif child.tag == f"{{{_SVG}}}g" and not child.attrib:
            place = list(element).index(child)
            element[place : place + 1] = list(child)
    if element.get("opacity", "1") != "1":
        raise ValueError("a chart is drawn with opacity, which the schemes don't know: give it a colour instead")
    for name, value in list(element.attrib.items()):
        if (
            name in _DROPPED
            or value in (FONTS, "normal")
            or (name == "transform" and value in ("translate(0,0)", "translate(0.5,0.5)"))
        ):
            del element.attrib[name]
        elif name in _GEOMETRY:
            element.set(name, _LONG_NUMBER.sub(_rounded, value))


def _unseen(element: ElementTree.Element) -> bool:
    name = element.tag.removeprefix(f"{{{_SVG}}}")
    if name == "g":
        return not len(element)
    if name == "text":
        return not element.text
    return name == "path" and ("fill" not in element.attrib and "stroke" not in element.attrib)


def _rounded(found: re.Match[str]) -> str:
    text = f"{float(found.group()):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
