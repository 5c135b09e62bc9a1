"""Charts, read back as XML: what they show, in which colours, and that there is nothing else in them."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from harness.publish.charts import (
    RATING_SIZE,
    STYLE_SIZE,
    bar_interval,
    bar_name,
    rating_alt,
    rating_figure,
    style_alt,
    style_figure,
)
from harness.publish.site_facts import RatingPoint, Style, StyleBar

SVG = "{http://www.w3.org/2000/svg}"
LIGHT = {"#1b1f24", "#59616b", "#e1e4e8", "#00695c", "#b5dcd5", "#1f9384"}
DARK = {"#e8eaed", "#a4acb6", "#2d323a", "#5ccfbc", "#1d4a44", "#1f8577"}

POINTS = [RatingPoint(round_, 25.0 + round_ / 2, 1.0 + 4.0 / round_) for round_ in (1, 2, 4, 5, 8, 9)]

STYLE = Style(
    pocket=(StyleBar(0, 4, 100, 0), StyleBar(5, 9, 20, 5), StyleBar(10, None, 19, 19)),
    danger=(StyleBar(0, 9, 0, 0), StyleBar(10, None, 40, 10)),
    inside=tuple(
        StyleBar(number, number, 10 if number < 4 else 0, number if number < 4 else 0) for number in (1, 2, 3, 4, 8)
    ),
)


def drawn(figure):
    files = dict(figure.draw())
    assert tuple(files) == figure.paths
    return [files[path].decode() for path in figure.paths]


@pytest.fixture(scope="module")
def rating():
    return drawn(rating_figure(2, "ada", POINTS))


@pytest.fixture(scope="module")
def style():
    return drawn(style_figure(2, "ada", STYLE))


def texts(svg):
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def placed(element, x=0.0, y=0.0):
    """Every element with where its own origin lies."""
    moved = re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\)", element.get("transform", "translate(0,0)"))
    assert moved is not None
    x, y = x + float(moved[1]), y + float(moved[2])
    yield element, x, y
    for child in element:
        yield from placed(child, x, y)


def numbers(path):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]


def test_figures_stand_where_the_pages_look_for_them():
    assert rating_figure(2, "ada", POINTS).paths == (
        "season-2/charts/ada.rating.light.svg",
        "season-2/charts/ada.rating.dark.svg",
    )
    assert style_figure(2, "ada", STYLE).paths == (
        "season-2/charts/ada.style.light.svg",
        "season-2/charts/ada.style.dark.svg",
    )


@pytest.mark.parametrize("name", ["rating", "style"])
def test_a_chart_is_plain_svg_without_anything_that_runs_or_loads(name, request):
    size = {"rating": RATING_SIZE, "style": STYLE_SIZE}[name]
    for svg in request.getfixturevalue(name):
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == f"0 0 {size[0]} {size[1]}"
        assert (root.get("width"), root.get("height")) == (str(size[0]), str(size[1]))
        kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert kinds <= {"svg", "g", "path", "line", "text", "title", "desc", "defs", "clipPath", "rect"}
        for element in root.iter():
            for attribute, value in element.attrib.items():
                assert not attribute.startswith("on")
                assert "href" not in attribute
                assert "style" not in attribute
                assert "//" not in value
                assert not re.search(r"url\((?!#)", value)
        # Text stays text: what a reader may search for.
        assert texts(svg)


@pytest.mark.parametrize("name", ["rating", "style"])
def test_both_schemes_are_one_drawing_in_their_own_colours_only(name, request):
    found = []
    for svg, palette in zip(request.getfixturevalue(name), (LIGHT, DARK), strict=True):
        colours = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", svg))
        assert colours
        assert colours <= palette
        for element in ElementTree.fromstring(svg).iter():
            for paint in ("fill", "stroke"):
                value = element.get(paint, "none")
                assert value in ("none", "transparent") or value in palette
        found.append(re.sub(r"#[0-9a-f]{6}\b", "#", svg))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["rating", "style"])
def test_a_chart_has_a_name_and_a_description(name, request):
    for svg in request.getfixturevalue(name):
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img"
        assert [child.tag.removeprefix(SVG) for child in root][:2] == ["title", "desc"]
        assert "ada" in root[0].text
        assert root[1].text == {"rating": rating_alt("ada", POINTS), "style": style_alt("ada", STYLE)}[name]


def test_the_same_facts_give_the_same_bytes(rating, style):
    assert drawn(rating_figure(2, "ada", POINTS)) == rating
    assert drawn(style_figure(2, "ada", STYLE)) == style


def test_a_bot_that_is_called_like_a_part_of_the_drawing_keeps_its_name():
    root = ElementTree.fromstring(drawn(rating_figure(2, "clip7", POINTS))[0])
    assert root[0].text == "Rating of clip7 by round"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    used = [element.get("clip-path") for element in root.iter() if element.get("clip-path")]
    assert {f"url(#{one})" for one in ids} == set(used)


def axis_values(svg):
    """From the labels of the upright axis, what maps a height in the picture to a value."""
    labels = [
        (y, float(element.text.removesuffix("\u00a0%")))
        for element, _, y in placed(ElementTree.fromstring(svg))
        if element.tag == f"{SVG}text" and element.get("text-anchor") == "end"
    ]
    (y1, one), (y2, other) = labels[0], labels[-1]
    # Labels stand a third of their size below what they name.
    return lambda y: one + (y + 3 - y1) * (other - one) / (y2 - y1)


def test_the_line_is_the_ratings_and_the_band_their_intervals(rating):
    svg = rating[0]
    value = axis_values(svg)
    [(line, left, top)] = [
        one for one in placed(ElementTree.fromstring(svg)) if one[0].get("stroke") == "#00695c" and one[0].get("d")
    ]
    points = numbers(line.get("d"))
    shown = [(x + left, value(y + top)) for x, y in zip(points[::2], points[1::2], strict=True)]
    assert [mu for _, mu in shown] == pytest.approx([point.mu for point in POINTS], abs=0.1)
    first, last = shown[0][0], shown[-1][0]
    assert [1 + 8 * (x - first) / (last - first) for x, _ in shown] == pytest.approx([1, 2, 4, 5, 8, 9], abs=0.05)
    [(band, _, top)] = [
        one for one in placed(ElementTree.fromstring(svg)) if one[0].get("fill") == "#b5dcd5" and one[0].get("d")
    ]
    heights = [value(y + top) for y in numbers(band.get("d"))[1::2]]
    assert sorted(heights)[-1] == pytest.approx(max(point.mu + 1.96 * point.sigma for point in POINTS), abs=0.15)
    assert sorted(heights)[0] == pytest.approx(min(point.mu - 1.96 * point.sigma for point in POINTS), abs=0.15)
    assert "29.5" in texts(svg)


def test_the_chart_of_a_long_season_shows_all_its_points_and_stays_small():
    points = [RatingPoint(round_, 25.0 + (round_ * 7919 % 100) / 100, 2.0) for round_ in range(3, 2103, 14)]
    svg = drawn(rating_figure(1, "ada", points))[0]
    assert len(svg.encode()) <= 12_000
    line = next(e for e in ElementTree.fromstring(svg).iter() if e.get("stroke") == "#00695c" and e.get("d"))
    places = numbers(line.get("d"))
    assert len(places) / 2 == 150
    assert places[0] == 0
    assert places[-2] == 360 - 32 - 40


def test_the_first_wide_bands_do_not_press_the_rest_flat():
    points = [RatingPoint(1, 25.0, 8.3), *(RatingPoint(round_, 27.0, 0.5) for round_ in range(2, 40))]
    svg = drawn(rating_figure(1, "ada", points))[0]
    ticks = [float(text) for text in texts(svg) if re.fullmatch(r"\d+(\.\d)?", text)]
    assert "27.0" in texts(svg)
    # Not 8.7 to 41.3, which is what the first band spans.
    assert 24 <= min(tick for tick in ticks if tick > 20) < 26


@pytest.mark.parametrize("points", [[], POINTS[:1], POINTS[:2]])
def test_few_points_make_a_chart_too(points):
    for svg in drawn(rating_figure(1, "ada", points)):
        assert "NaN" not in svg
        assert "undefined" not in svg
        assert "null" not in svg


def bars(svg, scheme_bar):
    return [
        (element, x, numbers(element.get("d")))
        for element, x, _ in placed(ElementTree.fromstring(svg))
        if element.get("d") and element.get("stroke") == scheme_bar
    ]


def test_bars_are_shares_with_their_intervals_and_faint_where_few(style):
    svg = style[0]
    value = axis_values(svg)
    found = bars(svg, "#1f9384")
    # M x,y h width v height: each bar without a decision is left out.
    shares = [value(24 + path[1]) for _, _, path in found]
    assert shares == pytest.approx([0, 25, 100, 25, 10, 20, 30], abs=0.6)
    fills = [element.get("fill") for element, _, _ in found]
    full, faint = "#1f9384", "#b5dcd5"
    assert fills == [full, full, faint, full, faint, faint, faint]
    whiskers = [
        (value(y), value(y + float(element.get("y2"))))
        for element, _, y in placed(ElementTree.fromstring(svg))
        if element.tag == f"{SVG}line" and element.get("stroke") == "#1b1f24"
    ]
    assert len(whiskers) == 7
    # 5 of 20 by Wilson's formula: 11.19 % to 46.87 %.
    assert sorted(whiskers[1]) == pytest.approx([11.19, 46.87], abs=0.6)


def test_panels_tell_what_they_are_by(style):
    shown = texts(style[0])
    assert [text for text in shown if text.startswith("by ")] == ["by pocket", "by danger in %", "by number inside"]
    assert shown[shown.index("0") :][:3] == ["0", "5", "10+"]
    # Numbers inside that no table has are not drawn.
    assert "4" not in shown


def test_a_bot_that_was_never_asked_has_empty_panels():
    nothing = Style((StyleBar(0, None, 0, 0),), (StyleBar(0, None, 0, 0),), (StyleBar(1, 1, 0, 0),))
    for figure in (style_figure(1, "ada", nothing), style_figure(1, "ada", Style((), (), ()))):
        assert not bars(drawn(figure)[0], "#1f9384")


@pytest.mark.parametrize(
    ("bar", "name"), [(StyleBar(3, 3, 0, 0), "3"), (StyleBar(5, 9, 0, 0), "5–9"), (StyleBar(20, None, 0, 0), "20+")]
)
def test_bars_are_named_by_what_they_count(bar, name):
    assert bar_name(bar) == name


@pytest.mark.parametrize(
    ("asked", "left", "interval"),
    [(20, 5, (0.1119, 0.4687)), (10, 0, (0.0, 0.2775)), (10, 10, (0.7225, 1.0)), (0, 0, (0.0, 1.0))],
)
def test_intervals_of_shares_are_wilsons(asked, left, interval):
    assert bar_interval(StyleBar(0, 1, asked, left)) == pytest.approx(interval, abs=1e-4)


def test_charts_are_told_in_words():
    assert rating_alt("ada", []) == "ada has no rating yet."
    assert rating_alt("ada", [RatingPoint(3, 25.04, 1.0)]) == "Rating of ada: 25.0 ±\u00a02.0 after round 3."
    points = [RatingPoint(1, 25.0, 4.0), RatingPoint(2, 22.0, 3.0), RatingPoint(5, 28.5, 2.0)]
    assert rating_alt("ada", points) == (
        "Rating of ada from 25.0 after round 1 to 28.5 ±\u00a03.9 after round 5; "
        "highest 28.5 after round 5, lowest 22.0 after round 2."
    )
    assert style_alt("ada", STYLE) == (
        "How often ada leaves. By pocket: 0 % at 0–4, 25 % at 5–9. By danger in per cent: 25 % at 10+."
    )
    assert style_alt("ada", Style((), (), ())) == "How often ada leaves: too few decisions yet to tell."


def test_the_renderer_is_not_loaded_before_a_chart_is_drawn():
    code = "import sys, harness.publish.charts; sys.exit('vl_convert' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
