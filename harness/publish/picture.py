"""The picture that other sites show beside a link to the league: its name, the season, and who leads."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from harness.protocol import visible
from harness.publish.figures import Scale, place, shared_scale
from harness.publish.site_facts import LadderLine, SeasonFacts, SiteFacts
from harness.ratings import Z95, Standing

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    Font = FreeTypeFont | ImageFont

__all__ = ["PICTURE_SIZE", "can_draw", "preview"]

PICTURE_SIZE = (1200, 630)
"""Width and height in pixels, as social sites ask for."""

_SHOWN = 5
"""Bots in the picture."""

_PAPER, _INK, _FAINT, _LINE = "#14171c", "#f2f4f7", "#a4acb6", "#343a44"
_AMBER, _AMBER_DEEP, _TEAL = "#f0b44c", "#c98a1f", "#5ccfbc"

_GEM = (78, 76)
"""Width and height of the stone in the corner."""

_SHADES = 12
"""Steps from one colour to the next in the file: more are not told apart, and it stays small."""

_LEFT, _RIGHT = 72, 1128
_ROWS, _ROW_HEIGHT = 236, 68
_BAR_LEFT, _BAR_RIGHT = 560, 1010
_TITLE_LIMIT, _NAME_WIDTH = 40, 400

_NO_CHARACTER = "\U0010fffd"
"""Private, so that the font has no sign for it and draws the one that stands for all it has not."""


def preview(site: SiteFacts, season: SeasonFacts) -> bytes:
    """The picture as PNG; the same facts give the same bytes."""
    # Not before a picture is drawn: no page needs it.
    from PIL import Image, ImageDraw

    image = Image.new("RGB", PICTURE_SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    image.paste(_gem(), (_RIGHT - _GEM[0], 64))
    name, font = _fitted(site.league, (72, 60, 48, 40), _RIGHT - _LEFT - 2 * _GEM[0])
    draw.text((_LEFT - 3, 134), name, fill=_INK, font=font, anchor="ls")
    draw.text((_LEFT, 156), _subtitle(season), fill=_FAINT, font=_font(30))
    leaders = _leaders(season)
    if leaders:
        scale = shared_scale((one.mu - Z95 * one.sigma, one.mu + Z95 * one.sigma) for one in _standings(leaders))
        _axis(draw, scale, len(leaders))
        for number, line in enumerate(leaders):
            _row(draw, line, scale, _ROWS + number * _ROW_HEIGHT)
    else:
        draw.text((_LEFT, _ROWS), "No round is over yet.", fill=_INK, font=_font(34))
    file = io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def can_draw(text: str) -> bool:
    """Whether the font has a sign for each character; else boxes would stand in its place."""
    return all(_has_sign(character) for character in text)


def _subtitle(season: SeasonFacts) -> str:
    over = len(season.rounds)
    if season.state == "ended":
        rounds = f"over after {over} {'round' if over == 1 else 'rounds'}"
    else:
        rounds = f"round {over} of {season.rounds_planned}" if over else "announced"
    bots = f"{len(season.profiles)} {'bot' if len(season.profiles) == 1 else 'bots'}"
    matches = f"{season.matches} {'match' if season.matches == 1 else 'matches'}"
    practice = ["practice"] if season.practice else []
    return " · ".join([f"Season {season.number}", *practice, rounds, bots, matches])


def _leaders(season: SeasonFacts) -> list[LadderLine]:
    ranked = (line for line in season.lines if line.standing.rank is not None and line.standing.games)
    return [line for line, _ in zip(ranked, range(_SHOWN), strict=False)]


def _standings(lines: Sequence[LadderLine]) -> list[Standing]:
    return [line.standing for line in lines]


def _row(draw: ImageDraw, line: LadderLine, scale: Scale, top: int) -> None:
    """Rank, bot, its title where the font can write it, interval bar and rating."""
    one = line.standing
    title = visible(line.profile.title, _TITLE_LIMIT)
    below = title if title and title != one.bot and can_draw(title) else ""
    middle = top + _ROW_HEIGHT // 2
    draw.text((_LEFT, middle), str(one.rank), fill=_FAINT, font=_font(30), anchor="lm")
    name, font = _fitted(one.bot, (34, 28, 24, 20), _NAME_WIDTH)
    draw.text((_LEFT + 60, middle - (12 if below else 0)), name, fill=_INK, font=font, anchor="lm")
    if below:
        shown, font = _fitted(below, (20,), _NAME_WIDTH)
        draw.text((_LEFT + 60, middle + 17), shown, fill=_FAINT, font=font, anchor="lm")
    low, mid, high = (_across(one.mu + side * Z95 * one.sigma, scale) for side in (-1, 0, 1))
    draw.rounded_rectangle((low, middle - 4, high, middle + 4), 4, fill=_TEAL)
    draw.polygon([(mid - 12, middle), (mid, middle - 12), (mid + 12, middle), (mid, middle + 12)], fill=_AMBER)
    draw.text((_RIGHT, middle), f"{one.mu:.1f}", fill=_INK, font=_font(34), anchor="rm")


def _axis(draw: ImageDraw, scale: Scale, rows: int) -> None:
    bottom = _ROWS + rows * _ROW_HEIGHT
    for tick in scale.ticks:
        x = _across(tick, scale)
        draw.line((x, _ROWS, x, bottom), fill=_LINE, width=1)
        draw.text((x, bottom + 14), f"{tick:.{scale.decimals}f}", fill=_FAINT, font=_font(20), anchor="mm")
    draw.text((_LEFT, bottom + 14), "rating and its 95 % interval", fill=_FAINT, font=_font(20), anchor="lm")


def _across(value: float, scale: Scale) -> int:
    return round(_BAR_LEFT + place(value, scale, _BAR_RIGHT - _BAR_LEFT))


def _gem() -> Image:
    """A cut stone, its left half lit; drawn large and made small, so that its edges are smooth."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (_GEM[0] * 4, _GEM[1] * 4), _PAPER)
    draw = ImageDraw.Draw(image)
    # Table, girdle and point of the stone; in quarters of a pixel.
    left, right, middle, top, girdle, point = 4, 308, 156, 4, 100, 300
    crown = [(left + 72, top), (right - 72, top), (right, girdle), (middle, point), (left, girdle)]
    draw.polygon(crown, fill=_AMBER_DEEP)
    draw.polygon([crown[0], (middle, top), (middle, point), crown[4]], fill=_AMBER)
    inner = (middle - 60, girdle), (middle + 60, girdle)
    for facet in (
        [crown[4], crown[2]],
        [inner[0], crown[3], inner[1]],
        [crown[0], inner[0], (middle, top), inner[1], crown[1]],
    ):
        draw.line(facet, fill=_PAPER, width=7, joint="curve")
    return image.resize(_GEM, Image.Resampling.LANCZOS)


def _fitted(text: str, sizes: Sequence[int], width: int) -> tuple[str, Font]:
    """The text with the first font that has room for it; with the last one as much of it as has, and "…" behind."""
    for size in sizes:
        font = _font(size)
        if font.getlength(text) <= width:
            return text, font
    kept = text
    while kept and font.getlength(f"{kept}…") > width:
        kept = kept[:-1]
    return f"{kept}…", font


def _palette() -> Image:
    """The colours that the picture is drawn in, and those of their edges, where two of them meet."""
    from PIL import Image, ImageColor

    meeting = [(_PAPER, other) for other in (_INK, _FAINT, _LINE, _AMBER, _AMBER_DEEP, _TEAL)]
    meeting += [(_TEAL, _AMBER), (_AMBER, _AMBER_DEEP), (_LINE, _TEAL), (_LINE, _AMBER)]
    colours = []
    for one, other in meeting:
        ends = list(zip(ImageColor.getrgb(one), ImageColor.getrgb(other), strict=True))
        colours += [[first + (last - first) * step // _SHADES for first, last in ends] for step in range(_SHADES + 1)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours for part in colour])
    return palette


@cache
def _font(size: int) -> Font:
    """The font that comes with the library, so that no machine's own makes another picture."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


@cache
def _missing() -> tuple[tuple[int, int], bytes]:
    return _drawn(_NO_CHARACTER)


@cache
def _has_sign(character: str) -> bool:
    return character == " " or _drawn(character) != _missing()


def _drawn(character: str) -> tuple[tuple[int, int], bytes]:
    mask = _font(20).getmask(character)
    return mask.size, bytes(mask)
