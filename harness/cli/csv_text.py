"""Comma-separated values with a line of headings, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.protocol import csv_cell

__all__ = ["csv_text"]


def csv_text(fields: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows' values of these fields, in their order; None is an empty cell, a list its texts with blanks between."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(fields)
    for row in rows:
        writer.writerow([_cell(row[field]) for field in fields])
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        value = " ".join(value)
    return csv_cell(value) if isinstance(value, str) else value
