"""All that a store keeps but what was measured, to compare two runs by."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from harness.store.tables import MEASURED, TABLES

__all__ = ["reproducible_dump"]


def reproducible_dump(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that is not measured, by key."""
    dump = {}
    for name, table in TABLES.items():
        if name not in MEASURED:
            key = [list(table.columns).index(column) for column in table.primary_key.columns]
            rows = [tuple(row) for row in connection.execute(select(table))]
            # Sorted here: databases disagree on the order of texts.
            dump[name] = sorted(rows, key=lambda row, key=key: [row[place] for place in key])  # type: ignore[misc]
    return dump
