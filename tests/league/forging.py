"""What a forger does to the lines of a season file; hashes and chains by json and hashlib from the contract's text."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any

Line = dict[str, Any]
Change = Callable[[list[Line]], object]


def sha(data: object) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def is_record(line: Line) -> bool:
    return line.get("format") == "tacora-replay/1"


def seal(record: Line) -> Line:
    """The record with hashes that fit what it holds."""
    record["outcome"] = sha({key: record[key] for key in ("edition", "seed", "seats", "games")})
    record["digest"] = sha({key: value for key, value in record.items() if key != "digest"})
    return record


def chain(lines: list[Line]) -> list[tuple[str, str]]:
    """The heads of both chains, results and evidence, after each of these lines."""
    results = evidence = sha(lines[0])
    heads = [(results, evidence)]
    for line in lines[1:]:
        outcome, digest = (line["outcome"], line["digest"]) if is_record(line) else (sha(line), sha(line))
        results = hashlib.sha256((results + outcome).encode()).hexdigest()
        evidence = hashlib.sha256((evidence + digest).encode()).hexdigest()
        heads.append((results, evidence))
    return heads


def at(line: int, *path: str | int, to: object) -> Change:
    """Put another value there; a function gets the one that stands there."""

    def change(lines: list[Line]) -> None:
        here: Any = lines[line - 1]
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = to(here[path[-1]]) if callable(to) else to

    return change


def without(line: int, *path: str | int) -> Change:
    def change(lines: list[Line]) -> None:
        here: Any = lines[line - 1]
        for key in path[:-1]:
            here = here[key]
        del here[path[-1]]

    return change


def drop(line: int) -> Change:
    return lambda lines: lines.pop(line - 1)


def swap(a: int, b: int) -> Change:
    def change(lines: list[Line]) -> None:
        lines[a - 1], lines[b - 1] = lines[b - 1], lines[a - 1]

    return change


def repeat(line: int) -> Change:
    return lambda lines: lines.insert(line, copy.deepcopy(lines[line - 1]))


def insert(line: int, what: Line) -> Change:
    return lambda lines: lines.insert(line - 1, what)


def both(*changes: Change) -> Change:
    def change(lines: list[Line]) -> None:
        for each in changes:
            each(lines)

    return change


def plus_one(value: int) -> int:
    return value + 1
