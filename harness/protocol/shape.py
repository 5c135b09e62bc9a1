"""Where and how data breaks the shape of a model, in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

from pydantic import FailFast, ValidationError

from harness.protocol.visible import visible
from harness.protocol.whole import MAX_WHOLE

__all__ = ["ListOf", "absent", "first_error", "first_unhashable"]

_SURROGATE = re.compile("[\ud800-\udfff]")

_Item = TypeVar("_Item")

# Where the words of pydantic name classes of this room or say less.
_PHRASES = {
    "missing": "is missing",
    "model_type": "is no object",
    "list_type": "is no list",
    "int_type": "is no whole number",
    "int_from_float": "is no whole number",
    "string_type": "is no text",
}

# A hostile file of 64 MiB holds millions of wrong items; an error object for each would fill the memory.
ListOf = Annotated[list[_Item], FailFast()]
"""A list of a model of a file: the first item that is wrong is the only one reported."""


def absent() -> Any:
    """What a field holds that was not given, where null is not allowed either and the schema shall state no default."""
    return None


def first_error(error: ValidationError) -> tuple[str, str]:
    """The first field that is wrong, such as `games[0].scores`, and why; `record` where it is no field."""
    detail = error.errors(include_url=False, include_context=False, include_input=False)[0]
    message = detail["msg"].removeprefix("Value error, ")
    return _place(detail["loc"]), _PHRASES.get(detail["type"]) or message[:1].lower() + message[1:]


def first_unhashable(data: Any) -> tuple[str, str] | None:
    """The first place in `data` that has no canonical form, and why; None if it can be hashed."""
    found = _search(data)
    return None if found is None else (_place(reversed(found[0])), found[1])


def _search(data: Any) -> tuple[list[int | str], str] | None:
    """Steps to the place, the last first: written only once found, since a name may be as long as the file."""
    if isinstance(data, str):
        # Only a reader other than the strict one lets these through.
        lone = not data.isascii() and _SURROGATE.search(data) is not None
        return ([], "holds a lone surrogate") if lone else None
    if isinstance(data, (int, float)):
        good = -MAX_WHOLE <= data <= MAX_WHOLE and data == int(data)
        return None if good else ([], "is no whole number of magnitude below 2^53")
    items: Iterable[tuple[int | str, Any]] = ()
    if isinstance(data, list):
        items = enumerate(data)
    elif isinstance(data, dict):
        items = ((name, part) for name, item in data.items() for part in (name, item))
    for step, item in items:
        if (found := _search(item)) is not None:
            found[0].append(step)
            return found
    return None


def _place(steps: Iterable[int | str]) -> str:
    # Names may be those of the data.
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return visible(place.removeprefix("."), 200) or "record"
