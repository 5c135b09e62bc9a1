"""Text in lines of a width, further lines hanging below where the first began."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

__all__ = ["GLUE", "hung", "wrapped"]

GLUE = "\ue000"
"""A space at which no line is broken; private use, so `visible` lets it in from nobody."""

LEAST_ROOM = 24
"""Cells that a body needs beside its head; with fewer it stands below."""


def wrapped(text: Text, width: int) -> list[Text]:
    """The text in lines of at most `width` cells; a word longer than that is folded."""
    # rich asks a console how wide signs are; its width is all that counts here.
    lines = list(text.wrap(Console(width=width), width, overflow="fold", no_wrap=False))
    for line in lines:
        line.plain = line.plain.replace(GLUE, " ")
        line.rstrip()
    return lines


def hung(head: Text, body: Text, width: int, *, below: int = 7) -> Iterator[Text]:
    """The body beside the head, its further lines below itself; `below` cells in where the head leaves no room."""
    indent = head.cell_len
    if not body:
        head.rstrip()
        yield head
        return
    if width - indent < LEAST_ROOM:
        head.rstrip()
        yield head
        indent, head = below, Text(" " * below)
    for number, line in enumerate(wrapped(body, width - indent)):
        yield Text.assemble(head if number == 0 else " " * indent, line)
