"""What the streams at hand can show: signs or their ASCII stand-ins, colour, width, a live display."""

from __future__ import annotations

import codecs
import os
import sys
from dataclasses import astuple, dataclass
from typing import IO

__all__ = ["ASCII", "UNICODE", "Signs", "is_live", "prepare_streams", "signs", "size_of", "width_of"]

PLAIN_WIDTH = 80
"""Columns of running text where no terminal tells its own."""

PLAIN_HEIGHT = 24
"""Lines of a terminal that does not tell."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs beyond ASCII that the drawings use."""

    plus_minus: str
    mean: str
    dot: str
    dash: str
    treasure: str
    hazard: str
    relic: str
    bar: str
    empty: str
    ellipsis: str


UNICODE = Signs("±", "μ", "·", "–", "◆", "▲", "★", "█", "░", "…")
ASCII = Signs("+/-", "mu", "|", "-", "$", "!", "*", "#", ".", "...")

_COERCED = ("", "C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself puts into LC_CTYPE when it starts in the C locale (PEP 538): nobody's wish."""

_STAND_INS = {"⟨": "<", "⟩": ">", "…": "...", "–": "-", "·": "|", "±": "+/-", "μ": "mu"}
"""What `visible` and the drawings write, for an encoding without it; everything else becomes an escape."""


def _locale_is_c() -> bool:
    if "PYTHONIOENCODING" in os.environ:
        return False
    ctype = os.environ.get("LC_CTYPE", "")
    said = os.environ.get("LC_ALL") or ("" if ctype in _COERCED else ctype) or os.environ.get("LANG", "")
    return said in ("C", "POSIX")


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    pieces = (_STAND_INS.get(sign) or sign.encode("ascii", "backslashreplace").decode("ascii") for sign in signs)
    return "".join(pieces), error.end


codecs.register_error("harness-stand-in", _stand_in)


def prepare_streams() -> None:
    """Make stdout and stderr take any text: what they can't encode is written by a stand-in, never an error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # started with the descriptor closed
            stream = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - it lives as long as the process
            setattr(sys, name, stream)
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if _locale_is_c():
            reconfigure(encoding="ascii", errors="harness-stand-in")
        else:
            reconfigure(errors="harness-stand-in")


def signs(stream: IO[str]) -> Signs:
    """The signs that the stream's encoding can carry."""
    try:
        "".join(astuple(UNICODE)).encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def is_live(stream: IO[str]) -> bool:
    """Whether the stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def size_of(stream: IO[str]) -> tuple[int, int]:
    """Columns and lines of the terminal as it is now, whatever COLUMNS said when the process began."""
    try:
        columns, lines = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return PLAIN_WIDTH, PLAIN_HEIGHT
    return columns or PLAIN_WIDTH, lines or PLAIN_HEIGHT


def width_of(stream: IO[str]) -> int:
    """Columns for running text: the terminal's, else COLUMNS, else 80; at least 40."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said) > 0:
        return max(40, int(said))
    if stream.isatty():
        try:
            return max(40, os.get_terminal_size(stream.fileno()).columns or PLAIN_WIDTH)
        except OSError:
            return PLAIN_WIDTH
    return PLAIN_WIDTH
