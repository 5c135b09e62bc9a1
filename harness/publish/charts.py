"""Charts of a bot's page: its rating over the rounds and its style, as SVG in both colour schemes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from harness.publish.addresses import chart
from harness.publish.chart_specs import (
    ENOUGH_DECISIONS,
    RATING_SIZE,
    STYLE_SIZE,
    bar_interval,
    bar_name,
    rating_spec,
    style_spec,
)
from harness.publish.page import Figure
from harness.publish.render import fixed
from harness.publish.site_facts import RatingPoint, Style
from harness.publish.svg_scheme import SCHEMES, in_schemes, slim_svg
from harness.publish.words import reach

__all__ = [
    "ENOUGH_DECISIONS",
    "RATING_SIZE",
    "STYLE_SIZE",
    "bar_interval",
    "bar_name",
    "rating_alt",
    "rating_figure",
    "style_alt",
    "style_figure",
]

_VEGA_LITE = "6.4"
"""Stated, so that another version of the renderer draws the same."""


def rating_figure(season: int, bot: str, points: Sequence[RatingPoint]) -> Figure:
    """μ over the rounds that a bot played in, with the band that holds its skill with 95 %."""
    title = f"Rating of {bot} by round"
    spec = partial(rating_spec, points)
    return _figure(season, bot, "rating", tuple(points), spec, RATING_SIZE, title, rating_alt(bot, points))


def style_figure(season: int, bot: str, style: Style) -> Figure:
    """How often a bot leaves, by pocket, danger and number inside, each share with its 95 % interval."""
    title = f"How often {bot} leaves"
    return _figure(season, bot, "style", style, partial(style_spec, style), STYLE_SIZE, title, style_alt(bot, style))


def rating_alt(bot: str, points: Sequence[RatingPoint]) -> str:
    """The rating chart in a sentence or two."""
    if not points:
        return f"{bot} has no rating yet."
    first, last = points[0], points[-1]
    highest = max(points, key=lambda point: point.mu)
    lowest = min(points, key=lambda point: point.mu)
    now = f"{fixed(last.mu, 1)} {reach(last.sigma)} after round {last.round}"
    if len(points) == 1:
        return f"Rating of {bot}: {now}."
    over = f"from {fixed(first.mu, 1)} after round {first.round} to {now}"
    most = f"highest {fixed(highest.mu, 1)} after round {highest.round}"
    least = f"lowest {fixed(lowest.mu, 1)} after round {lowest.round}"
    return f"Rating of {bot} {over}; {most}, {least}."


def style_alt(bot: str, style: Style) -> str:
    """The style chart in a few sentences: of each panel the first and the last bar that has enough decisions."""
    told = []
    for what, bars in (
        ("pocket", style.pocket),
        ("danger in per cent", style.danger),
        ("number inside", style.inside),
    ):
        sure = [bar for bar in bars if bar.asked >= ENOUGH_DECISIONS]
        ends = sure[:1] + sure[1:][-1:]
        if ends:
            shares = ", ".join(f"{100 * bar.left / bar.asked:.0f} % at {bar_name(bar)}" for bar in ends)
            told.append(f" By {what}: {shares}.")
    if not told:
        return f"How often {bot} leaves: too few decisions yet to tell."
    return f"How often {bot} leaves.{''.join(told)}"


def _figure(
    season: int,
    bot: str,
    name: str,
    shows: object,
    spec: Callable[[], dict[str, Any]],
    size: tuple[int, int],
    title: str,
    description: str,
) -> Figure:
    def draw() -> Mapping[str, bytes]:
        drawn = in_schemes(slim_svg(_rendered(spec()), size, title, description))
        return {chart(season, bot, name, scheme): text.encode() for scheme, text in drawn.items()}

    return Figure(tuple(chart(season, bot, name, scheme) for scheme in SCHEMES), shows, draw)


def _rendered(spec: dict[str, Any]) -> str:
    # Not before a chart is drawn: it starts a JavaScript engine.
    from vl_convert import vegalite_to_svg

    return vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[])
