"""Checks a `tacora-replay/1` record by the second implementation: shape, results, faults, times, hashes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.second.rules import EDITIONS, Edition, GameOver, Impossible, Question, Table, shake

Record = dict[str, Any]


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SEASON_FIELD = "fixture"
FIELDS = names("format harness match seed edition seats games outcome limits sandbox faults incidents timing digest")
LIMITS = names("start_ms move_ms bank_ms stall_ms wait_ms memory_mb processes disk_mb")
SANDBOX = names("tier layers clock interpreters builds")
FAULT = names("seat kind game expedition turn cpu_us wall_us expected got exit")
TIMING = names("decisions late cpu_us cpu_max_us wall_us wall_max_us")
SEAT = names("bot version")
FIXTURE = names("league season round number")
GAME = names("expeditions scores ranks relics")
KINDS = names(
    "start-failed start-timeout timeout crashed closed-output bad-message bad-turn bad-action output-flood memory "
    "processes disk"
)
SEED = re.compile("[0-9a-f]{32}")
HASH = re.compile("[0-9a-f]{64}")
BOT = re.compile("[a-z0-9][a-z0-9-]{0,31}")
LARGEST = 2**53 - 1


def canonical(value: Any) -> str:
    """The RFC 8785 form of what a record can hold: its numbers are whole."""
    if isinstance(value, dict):
        order = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in order) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def hash_of(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


def check_record(record: Record) -> None:
    """Fails where the record has a problem."""
    found = problems(record)
    assert not found, f"{record.get('match')}: " + "; ".join(found)


def problems(record: Record) -> list[str]:
    """All that is wrong with a record; of one whose shape or turns are wrong only that."""
    found = [*_values(record, "record"), *_shape(record)]
    if found:
        return found
    try:
        return [*_play(record), *_hashes(record)]
    except Impossible as no:
        return [str(no)]


def _values(value: Any, where: str) -> Iterator[str]:
    """What no record may hold, however deep: fractions, numbers too large, strings that are no Unicode."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _values(name, f"a name in {where}")
            yield from _values(inner, f"{where}.{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _values(inner, f"{where}[{index}]")
    elif isinstance(value, str):
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            yield f"{where}: a lone surrogate"
    elif isinstance(value, int | float) and (value != value // 1 or abs(value) > LARGEST):
        yield f"{where}: {value} is no whole number below 2^53"


def _fields(value: Any, due: frozenset[str], where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: no object"
    elif set(value) != due:
        yield f"{where}: lacks {sorted(due - set(value))}, has {sorted(set(value) - due)} besides"


def _shape(record: Record) -> Iterator[str]:
    wrong = [*_fields(record, FIELDS | ({SEASON_FIELD} & set(record)), "record")]
    if wrong:
        yield from wrong
        return
    if record["format"] != "tacora-replay/1":
        yield f"format: {record['format']}"
    if not SEED.fullmatch(record["seed"]):
        yield f"seed: {record['seed']}"
    yield from _edition(record["edition"])
    for index, seat in enumerate(record["seats"]):
        wrong = [*_fields(seat, SEAT, f"seats[{index}]")]
        if wrong or not BOT.fullmatch(seat["bot"]) or not HASH.fullmatch(seat["version"]):
            yield f"seats[{index}]: {seat}"
    for index, game in enumerate(record["games"]):
        yield from _fields(game, GAME, f"games[{index}]")
    yield from _fields(record["limits"], LIMITS, "limits")
    yield from _fields(record["sandbox"], SANDBOX, "sandbox")
    if record["sandbox"].get("clock") not in ("cpu", "wall"):
        yield f"sandbox.clock: {record['sandbox'].get('clock')}"
    for name in ("faults", "incidents"):
        for index, fault in enumerate(record[name]):
            yield from _fault(fault, f"{name}[{index}]")
    for index, times in enumerate(record["timing"]):
        yield from _fields(times, TIMING, f"timing[{index}]")
        if not all(map(is_count, times.values())):
            yield f"timing[{index}]: {times}"
    yield from _match_word(record)


def _edition(edition: Edition) -> Iterator[str]:
    yield from _fields(edition, frozenset(EDITIONS["iello-2016"]), "edition")
    if EDITIONS.get(edition["name"], edition) != edition:
        yield f"edition: not the data of {edition['name']}"
    if sum(hazard["copies"] - 1 for hazard in edition["hazards"]) < edition["expeditions"]:
        yield "edition: the deck could run out"


def _fault(fault: Record, where: str) -> Iterator[str]:
    wrong = [*_fields(fault, FAULT, where)]
    if wrong:
        yield from wrong
        return
    if fault["kind"] not in KINDS:
        yield f"{where}.kind: {fault['kind']}"
    if not all(is_count(fault[name]) for name in ("seat", "game", "expedition", "turn", "cpu_us", "wall_us")):
        yield f"{where}: {fault}"
    if not isinstance(fault["expected"], str) or not isinstance(fault["got"], str) or len(fault["got"]) > 1000:
        yield f"{where}: {fault['expected']!r}, {fault['got']!r}"
    if fault["exit"] is not None and type(fault["exit"]) is not int:
        yield f"{where}.exit: {fault['exit']}"


def _match_word(record: Record) -> Iterator[str]:
    word = shake(f"id/{record['seed']}", 8).hex()
    if SEASON_FIELD in record:
        fixture = record[SEASON_FIELD]
        wrong = [*_fields(fixture, FIXTURE, "fixture")]
        yield from wrong
        word = "" if wrong else "{league}/{season}/{round}/{number}".format(**fixture)
    if record["match"] != word:
        yield f"match: {record['match']}, not {word}"


def _play(record: Record) -> Iterator[str]:
    """Plays the turns again and compares what comes out."""
    edition, seats = record["edition"], len(record["seats"])
    if not edition["min_seats"] <= seats <= edition["max_seats"]:
        yield f"seats: {seats}"
    out: list[tuple[int, int, int, int]] = []
    last: dict[int, tuple[int, int, int]] = {}
    answered = [0] * seats
    for event in Table(edition, record["seed"], seats).play([game["expeditions"] for game in record["games"]]):
        if isinstance(event, Question):
            place = (event.game, event.expedition, event.turn)
            for seat in event.inside:
                last[seat] = place
                answered[seat] += event.letters[seat] != "x"
                if event.letters[seat] == "x":
                    out.append((seat, *place))
        elif isinstance(event, GameOver):
            game = record["games"][event.game - 1]
            for name, counted in (("scores", event.scores), ("ranks", event.ranks), ("relics", event.relics)):
                if game[name] != list(counted):
                    yield f"game {event.game}: {name} {game[name]}, not {list(counted)}"
    told = [(fault["seat"], fault["game"], fault["expedition"], fault["turn"]) for fault in record["faults"]]
    if sorted(told) != sorted(out):
        yield f"faults: {told}, while the turns have {out}"
    for incident in record["incidents"]:
        place = (incident["game"], incident["expedition"], incident["turn"])
        if place != last.get(incident["seat"]) or incident["seat"] in [seat for seat, *_ in out]:
            yield f"incidents: {incident}, while the last decisions were {last}"
    decisions = [times["decisions"] for times in record["timing"]]
    if decisions != answered:
        yield f"timing: decisions {decisions}, not {answered}"


def _hashes(record: Record) -> Iterator[str]:
    outcome = hash_of({name: record[name] for name in ("edition", "seed", "seats", "games")})
    digest = hash_of({name: value for name, value in record.items() if name != "digest"})
    for name, due in (("outcome", outcome), ("digest", digest)):
        if record[name] != due:
            yield f"{name}: {record[name]}, not {due}"
