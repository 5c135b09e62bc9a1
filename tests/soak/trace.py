"""What a season leaves behind of which the contract says that it is the same in every run."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from harness.store import open_store
from tests.e2e.harness_command import harness
from tests.second.season import check_season_file, is_record

Trace = dict[str, Any]


def trace(league: Path, store: str | Path) -> Trace:
    """By part: the ladder, of the season's file the lines and chain, and every row of the store that is not measured.

    Fails where the season's file is wrong by the second implementation.
    """
    folder = league.parent
    ladder = harness("standings", league, "--store", store, "--json", cwd=folder).stdout
    harness("replay", "export", league, "--store", store, "--season", "1", "--out", "season.jsonl", cwd=folder)
    lines = check_season_file(folder / "season.jsonl")
    records = [line for line in lines if is_record(line)]
    with open_store(store, create=False, write=False) as opened:
        rows = opened.reproducible_dump()
    return {
        "ladder": json.loads(ladder),
        "header": lines[0],
        "entries and voids": [line for line in lines[1:-1] if not is_record(line)],
        "fixtures": [(record["match"], record["seed"], record["seats"]) for record in records],
        "outcomes": [(record["match"], record["outcome"]) for record in records],
        "faults": [
            (record["match"], *(fault[name] for name in ("seat", "kind", "game", "expedition", "turn")))
            for record in records
            for fault in record["faults"]
        ],
        "results": lines[-1]["results"],
        "secret": lines[-1]["secret"],
        "rows": rows,
    }


def differences(due: Trace, got: Trace) -> list[str]:
    """The parts that are not the same, of the store the tables."""
    found = [part for part in due if part != "rows" and due[part] != got[part]]
    tables = {*due["rows"], *got["rows"]}
    return [*found, *(f"table {name}" for name in sorted(tables) if due["rows"].get(name) != got["rows"].get(name))]


def broken(store: Path) -> list[str]:
    """What SQLite itself finds wrong with a store."""
    with closing(sqlite3.connect(store)) as connection:
        found = [str(row) for (row,) in connection.execute("PRAGMA integrity_check") if row != "ok"]
        return found + [f"foreign key: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
