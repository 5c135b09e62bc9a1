"""The preview picture, looked at by its pixels."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from harness.publish.picture import can_draw, preview
from tests.publish.made_facts import SITE, line, season, standing

PAPER, AMBER, TEAL = (0x14, 0x17, 0x1C), (0xF0, 0xB4, 0x4C), (0x5C, 0xCF, 0xBC)


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= 12 for a, b in zip(one, other, strict=True))


def looked_at(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture))
    image.load()
    assert image.format == "PNG"
    assert image.size == (1200, 630)
    return image.convert("RGB")


def with_title(title: str) -> bytes:
    return preview(SITE, season(lines=[line(standing("ada", 1, 31.0), title)]))


def test_bars_and_ratings_lie_on_one_scale():
    image = looked_at(preview(SITE, season()))
    # ada 31.0 ± 1.96, bob 27.5 ± 2.94: the scale goes from 24.56 to 32.96, and is 450 pixels wide from 560 on.
    for y, mu, reach in ((270, 31.0, 1.96), (338, 27.5, 2.94)):
        low, mid, high = (round(560 + 450 * (mu + side * reach - 24.56) / 8.4) for side in (-1, 0, 1))
        assert near(image.getpixel((mid, y)), AMBER)
        assert near(image.getpixel((low + 4, y)), TEAL)
        assert near(image.getpixel((high - 4, y)), TEAL)
        assert near(image.getpixel((min(low - 4, high + 4), y)), PAPER)


def test_who_is_not_ranked_is_not_shown():
    two = season()
    assert preview(SITE, two) == preview(SITE, replace(two, lines=two.lines[:2]))


def test_at_most_five_are_shown():
    lines = [line(standing(f"bot-{number}", number, 40.0 - number)) for number in range(1, 9)]
    facts = season(lines=lines)
    assert preview(SITE, facts) == preview(SITE, replace(facts, lines=facts.lines[:5]))
    assert preview(SITE, facts) != preview(SITE, replace(facts, lines=facts.lines[:4]))


def test_a_season_without_a_round_has_a_picture():
    looked_at(preview(SITE, season(lines=[], rounds=0, ended=False)))


def test_the_same_facts_give_the_same_bytes_and_other_facts_others():
    assert preview(SITE, season()) == preview(SITE, season())
    assert preview(SITE, season()) != preview(SITE, season(ended=False))
    assert preview(SITE, season()) != preview(replace(SITE, league="crypts"), season())
    assert len(preview(SITE, season())) < 60_000


@pytest.mark.parametrize("title", ["Грета", "水", "é", "\u05d0", "🪨", "a\u202eb", "a\x1b[31m", "\u0000"])
def test_a_title_that_the_font_lacks_signs_for_is_left_out(title):
    assert with_title(title) == with_title("")


def test_other_titles_stand_below_the_bot():
    assert with_title("Ada of the deep") != with_title("")
    assert with_title("ada") == with_title("")


@pytest.mark.parametrize("title", ["W" * 10_000, "<b>bold</b>", "%s {0} ${7*7}"])
def test_no_title_leaves_its_row(title):
    image, plain = looked_at(with_title(title)), looked_at(with_title(""))
    for box in ((0, 0, 1200, 236), (540, 236, 1200, 630), (0, 310, 1200, 630)):
        apart = ImageChops.difference(image.crop(box), plain.crop(box)).getextrema()
        assert all(most <= 12 for _, most in apart)


def test_the_longest_names_have_room():
    facts = season(lines=[line(standing("w" * 32, 1, 31.0), "W" * 40)])
    image = looked_at(preview(replace(SITE, league="w" * 32), facts))
    # Between the names and the bars, and right of it all.
    for box in ((536, 240, 556, 300), (1132, 0, 1200, 630)):
        assert all(near(colour, PAPER) for _, colour in image.crop(box).getcolors(100_000))


def test_what_the_font_can_draw_is_known():
    assert can_draw("Ada of the deep, 2 ± 1…")
    assert not can_draw("μ")
    assert can_draw("")
