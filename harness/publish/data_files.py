"""Files for programs: CSV and JSON of what the site shows of a season."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from harness.protocol import csv_cell
from harness.publish.addresses import data_file
from harness.publish.data_rows import (
    BOT_FIELDS,
    MATCH_FIELDS,
    SEASON_FIELDS,
    Row,
    bot_rows,
    match_rows,
    season_rows,
)
from harness.publish.site_facts import BotFacts, MatchLine, SeasonFacts, SiteFacts

__all__ = ["DATA_FILES", "data_files", "matches_csv"]

DATA_FILES: Mapping[str, str] = MappingProxyType(
    {
        "ladder": "the ladder, of all tables (without a size) and of each size",
        "official": "the official table, once the season is over",
        "pairs": "head to head, both ways round",
        "rounds": "rounds that are over, with the heads of both chains",
        "bots": "bots as their manifests tell them",
        "versions": "which version played from which round on, and who was benched, withdrawn or disqualified",
        "ratings": "ratings at the end of each round",
        "breakdown": "results by size of table, by opponent, and at the tables met most often out of those met first",
        "style": "decisions to leave by pocket, danger and number inside",
        "fault_counts": "faults by bot and kind",
        "faults": "the newest faults of each bot, with what was expected and what came",
        "voids": "matches that do not count",
    }
)
"""By name what is in the files NAME.csv and NAME.json; beside them there is matches.csv."""


def data_files(site: SiteFacts, season: SeasonFacts, bots: Iterable[BotFacts]) -> Iterator[tuple[str, bytes]]:
    """The files as (path from the site's folder, content). `bots` is gone through once, before the first file.

    CSV has a line of headings, None as an empty cell, and texts that no spreadsheet takes for a formula. JSON is one
    object in ASCII: what season it is of, and under the file's name a list of rows, each on a line of its own.
    """
    of_bots = {name: _Rows(fields) for name, fields in BOT_FIELDS.items()}
    for bot in bots:
        for name, rows in bot_rows(bot).items():
            of_bots[name].add(rows)
    head = _head(site, season)
    for name, given in season_rows(season).items():
        rows_of = _Rows(SEASON_FIELDS[name])
        rows_of.add(given)
        yield from rows_of.files(season.number, name, head)
    while of_bots:
        name = next(iter(of_bots))
        yield from of_bots.pop(name).files(season.number, name, head)


def matches_csv(lines: Iterable[MatchLine]) -> Iterator[bytes]:
    """The headings, and then the matches as they come, a row a seat: only one match is held at a time."""
    yield _csv_line(MATCH_FIELDS).encode()
    for line in lines:
        yield "".join(_csv_row(MATCH_FIELDS, row) for row in match_rows(line)).encode()


class _Rows:
    """Rows on their way into both files, as text already: that is smaller than the values."""

    def __init__(self, fields: Sequence[str]) -> None:
        self._fields = fields
        self._csv = [_csv_line(fields)]
        self._json: list[str] = []

    def add(self, rows: Iterable[Row]) -> None:
        """Put these behind the others."""
        for row in rows:
            self._csv.append(_csv_row(self._fields, row))
            self._json.append(_json({field: row[field] for field in self._fields}))

    def files(self, season: int, name: str, head: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
        """Both files."""
        yield data_file(season, f"{name}.csv"), "".join(self._csv).encode()
        rows = ",\n".join(self._json)
        yield (
            data_file(season, f"{name}.json"),
            f"{_json(head).removesuffix('}')}, {_json(name)}: [\n{rows}\n]}}\n".encode("ascii"),
        )


def _head(site: SiteFacts, season: SeasonFacts) -> dict[str, Any]:
    """What `harness standings --json` says before its rows; the secret only when the season is over."""
    head = {
        "league": site.league,
        "season": season.number,
        "practice": season.practice,
        "state": season.state,
        "rounds_over": len(season.rounds),
        "commitment": season.commitment,
    }
    if season.secret is not None:
        head["secret"] = season.secret
    return {**head, "results": season.results, "evidence": season.evidence}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def _csv_row(fields: Sequence[str], row: Row) -> str:
    return _csv_line([_cell(row[field]) for field in fields])


def _csv_line(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """As the command line writes it: true and false in small letters, a list with blanks between."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        value = " ".join(value)
    return csv_cell(value) if isinstance(value, str) else value
