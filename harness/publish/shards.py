"""Shards: records of consecutive matches packed into one script that the viewer loads, and what the pages need of them.

A shard is made once. It is known again by the digests of its records, so a publish reads only the records of shards
that changed; what it needs of the others is kept beside them.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from harness.publish.addresses import season_folder
from harness.publish.assets_made import made_with
from harness.publish.match_facts import StyleCounts, match_line, no_counts, style_counts
from harness.publish.site_facts import MatchLine

if TYPE_CHECKING:
    from harness.publish.page_writer import PageWriter
    from harness.publish.site_folder import SiteFolder
    from harness.store import RecordKey, SeasonRow, Store

__all__ = ["MOST_BYTES", "Shard", "ShardFacts", "cut", "shard_notes", "shard_script", "shards_of"]

MOST_BYTES = 36 << 10
"""Bytes of a shard's records, each packed by itself as the store keeps it: packed together they are smaller."""


@dataclass(frozen=True, slots=True)
class ShardFacts:
    """What the pages need of a shard: its script's path, its matches in canonical order, and by bot how it left."""

    path: str
    matches: tuple[MatchLine, ...]
    style: dict[str, StyleCounts]


@dataclass(frozen=True, slots=True)
class Shard:
    """Records that belong together: the place of the first and of the last, and a hash of what they are."""

    first: int
    last: int
    fingerprint: str


def cut(keys: Iterable[RecordKey]) -> Iterator[Shard]:
    """The shards of a season, in canonical order. Void records count for the cut, so that a voiding moves no other."""
    group: list[RecordKey] = []
    size = 0
    for key in keys:
        if group and size + key.size > MOST_BYTES:
            yield _shard(group)
            group, size = [], 0
        group.append(key)
        size += key.size
    if group:
        yield _shard(group)


def _shard(group: list[RecordKey]) -> Shard:
    # What is noted of a shard follows from its records and from how they are counted.
    told = "\n".join([made_with(), *(f"{key.match} {key.digest} {key.void}" for key in group)])
    return Shard(group[0].seq, group[-1].seq, hashlib.sha256(told.encode()).hexdigest())


def shards_of(store: Store, row: SeasonRow, shards: Iterable[Shard], writer: PageWriter) -> Iterator[ShardFacts]:
    """What the pages need of each shard, its script written where it is not there yet; one in memory at a time."""
    folder = writer.folder
    for number, shard in enumerate(shards, start=1):
        writer.heed_stop()
        note = shard_notes(row.number) + shard.fingerprint
        facts = _known(folder, note)
        if facts is None:
            facts = _made(store, row, number, shard, folder)
            folder.note(note, _to_json(facts))
        folder.keep(facts.path)
        folder.keep_note(note)
        yield facts


def shard_notes(season: int) -> str:
    """How the notes on the shards of a season begin."""
    return f"shard-{season}-"


def _made(store: Store, row: SeasonRow, number: int, shard: Shard, folder: SiteFolder) -> ShardFacts:
    records = list(store.records_between(row.id, shard.first, shard.last))
    style: dict[str, StyleCounts] = {}
    for record in records:
        style_counts(record, style)
    script = shard_script(records)
    name = f"{number:04d}-{hashlib.sha256(script).hexdigest()[:10]}.js"
    path = f"{season_folder(row.number)}/replays/{name}"
    facts = ShardFacts(path, tuple(map(match_line, records)), style)
    folder.write(path, script)
    return facts


def shard_script(records: list[dict[str, Any]]) -> bytes:
    """A classic script that hands whole records to the viewer: a page from disk can load nothing else."""
    text = json.dumps(records, separators=(",", ":"), ensure_ascii=False)
    packed = gzip.compress(text.encode("utf-8", "replace"), compresslevel=9, mtime=0)
    return f'tacora.replays("{base64.b64encode(packed).decode()}");\n'.encode()


def _known(folder: SiteFolder, note: str) -> ShardFacts | None:
    """What was kept of the shard, None where that or its script is gone or is no such thing."""
    kept = folder.noted(note)
    try:
        facts = None if kept is None else _from_json(kept)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return facts if facts is not None and folder.has(facts.path) else None


def _to_json(facts: ShardFacts) -> dict[str, Any]:
    return {"path": facts.path, "matches": [astuple(line) for line in facts.matches], "style": facts.style}


def _from_json(kept: Any) -> ShardFacts:
    lines = []
    for match, round_, number, games, bots, points, ranks, win_parts, faults in kept["matches"]:
        lines.append(
            MatchLine(
                str(match),
                int(round_),
                int(number),
                int(games),
                bots=tuple(map(str, bots)),
                points=tuple(map(int, points)),
                ranks=tuple(map(int, ranks)),
                win_parts=tuple(map(int, win_parts)),
                faults=tuple((int(seat), str(kind)) for seat, kind in faults),
            )
        )
    style = {str(bot): [int(one) for one in counts] for bot, counts in kept["style"].items()}
    if any(len(counts) != len(no_counts()) for counts in style.values()):
        raise ValueError("counts of another form")
    return ShardFacts(str(kept["path"]), tuple(lines), style)
