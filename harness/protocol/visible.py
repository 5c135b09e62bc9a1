"""What a bot or an author wrote, made safe to show: nothing in it moves a cursor, turns a line round or hides."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["csv_cell", "visible"]

# Controls, formats (bidirectional marks, zero width, tags), surrogates, private use, unassigned, separators of lines.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that show as nothing: a joiner, fillers, variation selectors but the two of emoji, blank braille.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0d\U000e0100-\U000e01ef]")
# Full-width forms too: spreadsheets set to an East Asian language take them for the same signs.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def visible(text: str, limit: int | None = None) -> str:
    r"""`text` on one line, with each character that can't be seen written as its number, "\x1b" as ⟨U+001B⟩.

    Shown so are controls (line breaks too), bidirectional and zero-width signs, lone surrogates, private use and what
    has no character assigned; letters of all scripts, emoji and spaces stay. `limit` is the longest result in
    characters, at least 1; what is beyond it is cut, never within a number, and "…" stands in its place.
    """
    if text.isascii() and text.isprintable():
        return text if limit is None or len(text) <= limit else text[: limit - 1] + "…"
    # Each character gives one or more, so what lies beyond the limit need not be looked at.
    pieces = [_shown(character) for character in (text if limit is None else text[: limit + 1])]
    if limit is None or sum(map(len, pieces)) <= limit:
        return "".join(pieces)
    kept = []
    room = limit - 1
    for piece in pieces:
        room -= len(piece)
        if room < 0:
            break
        kept.append(piece)
    return "".join(kept) + "…"


def csv_cell(text: str) -> str:
    """`text` made visible, as a cell that no spreadsheet takes for a formula: a leading = + - @ gets ' before it.

    A leading tab or carriage return, which hides such a sign from a check, is made visible and so harmless itself.
    """
    shown = visible(text)
    return "'" + shown if shown.lstrip().startswith(_FORMULA) else shown


def _shown(character: str) -> str:
    if unicodedata.category(character) in _HIDDEN_CATEGORIES or _BLANK.match(character) is not None:
        return f"⟨U+{ord(character):04X}⟩"
    return character
