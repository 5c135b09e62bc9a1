"""What the charts of a bot's page look like, as Vega-Lite specifications in the stand-in colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.publish.figures import round_ticks
from harness.publish.site_facts import RatingPoint, Style, StyleBar
from harness.publish.svg_scheme import BAND, BAR, FAINT, FONTS, GRID, INK, LINE
from harness.ratings import Z95, wilson

__all__ = [
    "ENOUGH_DECISIONS",
    "RATING_SIZE",
    "STYLE_SIZE",
    "bar_interval",
    "bar_name",
    "rating_spec",
    "style_spec",
]

RATING_SIZE = (360, 210)
STYLE_SIZE = (360, 170)
"""Width and height of each chart."""

ENOUGH_DECISIONS = 20
"""A bar of fewer decisions is drawn faint."""

_TEXT = {"font": FONTS, "fontSize": 11, "fontWeight": "normal"}

_PER_CENT = "100 * datum.value + '\u00a0%'"

_PANEL_WIDTH, _PANEL_GAP = 96, 16

_CONFIG: dict[str, Any] = {
    "view": {"stroke": None},
    "title": {**_TEXT, "color": FAINT, "anchor": "start", "frame": "group", "offset": 8},
    "axis": {
        "labelFont": FONTS,
        "labelFontSize": 11,
        "labelColor": FAINT,
        "labelOverlap": False,
        "labelFlush": False,
        "labelBound": False,
        "titleFont": FONTS,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titleColor": FAINT,
        "gridColor": GRID,
        "domain": False,
        "ticks": False,
        # Fixed, so that no font of the machine that draws moves anything.
        "minExtent": 20,
        "maxExtent": 20,
    },
}


def bar_name(bar: StyleBar) -> str:
    """What a bar counts: "3", "5–9" or "20+"."""
    if bar.high is None:
        return f"{bar.low}+"
    return str(bar.low) if bar.low == bar.high else f"{bar.low}–{bar.high}"


def bar_interval(bar: StyleBar) -> tuple[float, float]:
    """The 95 % interval of the share of decisions to leave; 0 to 1 where there was none."""
    return wilson(bar.left / bar.asked if bar.asked else 0.0, bar.asked)


def rating_spec(points: Sequence[RatingPoint]) -> dict[str, Any]:
    """A line through the ratings over their band, the last one told in figures."""
    width, height = RATING_SIZE
    padding = {"left": 32, "right": 40, "top": 24, "bottom": 34}
    first, latest = (points[0].round, points[-1].round) if points else (1, 1)
    # A single round stands in the middle.
    across = (first, latest) if first < latest else (first - 1, latest + 1)
    low, high = _rating_range(points)
    ticks, decimals = round_ticks(low, high)
    rounds = [tick for tick in round_ticks(*across, 6)[0] if tick == int(tick) and first <= tick <= latest]
    encoding = {
        "x": {
            "field": "round",
            "type": "quantitative",
            "scale": {"domain": list(across), "nice": False, "zero": False},
            "axis": {"grid": False, "title": "round", "values": rounds, "format": "d"},
        },
    }
    scale = {"domain": [low, high], "nice": False, "zero": False}
    y_axis = {"title": None, "values": list(ticks), "format": f".{decimals}f"}
    y = {"field": "mu", "type": "quantitative", "scale": scale, "axis": y_axis}
    last = [{"aggregate": [{"op": "argmax", "field": "round", "as": "last"}]}]
    end = {"x": {**encoding["x"], "field": "last.round"}, "y": {**y, "field": "last.mu"}}
    band = {
        # An area of one round would not be seen.
        "mark": {"type": "area" if first < latest else "rule", "color": BAND, "strokeWidth": 4, "clip": True},
        "encoding": {**encoding, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
    }
    return {
        "width": width - padding["left"] - padding["right"],
        "height": height - padding["top"] - padding["bottom"],
        "padding": padding,
        "autosize": {"type": "none"},
        "background": None,
        "title": "rating μ, its band the 95 % interval",
        "data": {
            "values": [
                {
                    "round": point.round,
                    "mu": round(point.mu, 3),
                    "low": round(point.mu - Z95 * point.sigma, 3),
                    "high": round(point.mu + Z95 * point.sigma, 3),
                }
                for point in points
            ]
        },
        "layer": [
            band,
            {
                "mark": {"type": "line", "color": LINE, "strokeWidth": 2, "strokeJoin": "round"},
                "encoding": {**encoding, "y": y},
            },
            {"mark": {"type": "circle", "color": LINE, "size": 28, "opacity": 1}, "transform": last, "encoding": end},
            {
                "mark": {"type": "text", "color": INK, "align": "left", "dx": 7, **_TEXT},
                "transform": last,
                "encoding": {**end, "text": {"field": "last.mu", "type": "quantitative", "format": ".1f"}},
            },
        ],
        "config": _CONFIG,
    }


def _rating_range(points: Sequence[RatingPoint]) -> tuple[float, float]:
    """What the upright scale holds: every μ, and the bands from where they are at most twice as wide as the last.

    The first ones, of a bot that nobody knows yet, would press all that comes later flat.
    """
    if not points:
        return 0.0, 1.0
    widest = 2 * points[-1].sigma
    reach = [(point.mu, Z95 * point.sigma if point.sigma <= widest else 0.0) for point in points]
    low, high = min(mu - band for mu, band in reach), max(mu + band for mu, band in reach)
    room = 0.04 * (high - low) or 1.0
    return round(low - room, 2), round(high + room, 2)


def style_spec(style: Style) -> dict[str, Any]:
    """Three panels of bars side by side, each bar with its interval."""
    height = STYLE_SIZE[1]
    panels = (
        ("by pocket", style.pocket),
        ("by danger in %", style.danger),
        ("by number inside", _up_to_the_last_asked(style.inside)),
    )
    return {
        "padding": {"left": 38, "right": 2, "top": 24, "bottom": 22},
        "autosize": {"type": "none"},
        "background": None,
        "bounds": "flush",
        "spacing": _PANEL_GAP,
        "hconcat": [
            _style_panel(title, bars, height - 46, first=number == 0) for number, (title, bars) in enumerate(panels)
        ],
        "config": _CONFIG,
    }


def _up_to_the_last_asked(bars: Sequence[StyleBar]) -> Sequence[StyleBar]:
    """Without the numbers of explorers that no table of the league seats."""
    return bars[: max((place for place, bar in enumerate(bars, start=1) if bar.asked), default=len(bars))]


def _style_panel(title: str, bars: Sequence[StyleBar], height: int, *, first: bool) -> dict[str, Any]:
    values = []
    for number, bar in enumerate(bars):
        if not bar.asked:
            continue
        low, high = bar_interval(bar)
        share = bar.left / bar.asked
        values.append(
            {
                "bar": number,
                "share": round(share, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "asked": bar.asked,
            }
        )
    ranges = any(bar.low != bar.high for bar in bars)
    # A label for each bar has no room from some number on.
    every = -(-len(bars) // 6)
    names = [
        (str(bar.low) if ranges and bar.high is not None else bar_name(bar)) if number % every == 0 else ""
        for number, bar in enumerate(bars)
    ]
    x = {
        "field": "bar",
        "type": "ordinal",
        "scale": {"domain": list(range(len(bars))), "paddingInner": 0.18, "paddingOuter": 0.1},
        "axis": {
            "title": None,
            "grid": False,
            "labelAngle": 0,
            "labelExpr": f"{names!r}[datum.value]",
        },
    }
    y = {
        "field": "share",
        "type": "quantitative",
        # Room above, so that the label of 100 % pushes no title up.
        "scale": {"domain": [0, 1.08], "nice": False},
        "axis": {"title": None, "values": [0, 0.5, 1], "labels": first, "labelExpr": _PER_CENT},
    }
    few = f"datum.asked < {ENOUGH_DECISIONS}"
    return {
        "width": _PANEL_WIDTH,
        "height": height,
        "title": title,
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "bar", "strokeWidth": 1, "stroke": BAR},
                "encoding": {"x": x, "y": y, "color": {"condition": {"test": few, "value": BAND}, "value": BAR}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": INK},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
        ],
    }
