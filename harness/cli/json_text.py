"""JSON as the command line prints it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["dumped"]


def dumped(data: Any, *, indent: int | None = None) -> str:
    """JSON in ASCII, so that any terminal and any locale carries it and nothing in it moves a cursor."""
    return json.dumps(data, ensure_ascii=True, indent=indent, allow_nan=False)
