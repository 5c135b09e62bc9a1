"""Scripts without what only their readers need: comments that stand on lines of their own, and indentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["thinned"]


def thinned(script: str) -> str:
    """`script` without those lines and spaces; as it is where it has template literals, whose lines are content.

    It must have no comment behind code that goes on over more than one line.
    """
    lines = script.splitlines()
    return script if any(_ticked(line) for line in lines) else "".join(f"{line}\n" for line in _code(lines))


def _code(lines: Iterable[str]) -> Iterator[str]:
    comment = False
    for line in map(str.strip, lines):
        if comment or line.startswith("/*"):
            comment = not line.endswith("*/")
        elif line and not line.startswith("//"):
            yield line


def _ticked(line: str) -> bool:
    return "`" in line and not line.lstrip().startswith(("//", "*", "/*"))
