"""Hostile programs, one a file, by which a sandbox is tried; what each is told from its text, so none is ever imported.

The docstring of such a file says in its first paragraph what the program tries, and after `Known by:` how one knows
that it got through. `STOPPED_BY` names layers of which any one promises to stop it; none, where no tier promises that.
`LIMITS` are limits other than usual, `PARTNERS` is 2 where it takes a sender and a receiver, `PATHS` is true where it
got through if it learns where on the machine a folder of the harness lies.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["Attack", "attacks"]

_FOLDER: Final = Path(__file__).parent
_SHARED: Final = {"__init__", "jailed"}


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile program."""

    name: str
    tries: str
    known_by: str
    stopped_by: tuple[str, ...]
    limits: Mapping[str, int] = field(default_factory=dict)
    partners: int = 1
    paths: bool = False

    def promised(self, layers: Collection[str]) -> bool:
        """Whether a backend with those layers promises to stop it."""
        return any(layer in layers for layer in self.stopped_by)

    @property
    def files(self) -> tuple[Path, Path]:
        """The program, and what all of them share."""
        return _FOLDER / f"{self.name}.py", _FOLDER / "jailed.py"


@cache
def attacks() -> tuple[Attack, ...]:
    """All of them, by name."""
    return tuple(_told(file) for file in sorted(_FOLDER.glob("*.py")) if file.stem not in _SHARED)


def _told(file: Path) -> Attack:
    module = ast.parse(file.read_text(encoding="utf-8"))
    tries, _, known_by = (ast.get_docstring(module) or "").partition("\n\nKnown by: ")
    told: dict[str, Any] = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in ("STOPPED_BY", "LIMITS", "PARTNERS", "PATHS")
    }
    return Attack(
        file.stem,
        " ".join(tries.split()),
        " ".join(known_by.split()),
        told["STOPPED_BY"],
        told.get("LIMITS", {}),
        told.get("PARTNERS", 1),
        told.get("PATHS", False),
    )
