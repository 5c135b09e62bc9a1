"""Shards: every record whole and once, none too large, and made again only where one of their records changed."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.publish import publish, shards
from harness.publish.shards import MOST_BYTES, cut
from harness.store import RecordKey, Store, open_store
from tests.publish.made_site import PLAIN, Made, MadeSeason, written_league
from tests.second.replay import check_record


def key(seq: int, size: int, *, void: bool = False) -> RecordKey:
    return RecordKey(seq, 1, seq, f"caves/1/1/{seq}", f"{seq:064x}", size, void)


def test_a_shard_is_full_before_the_next_begins() -> None:
    half = MOST_BYTES // 2
    made = list(cut([key(1, half), key(2, half), key(3, 1), key(4, MOST_BYTES), key(5, 2 * MOST_BYTES), key(6, 1)]))
    assert [(shard.first, shard.last) for shard in made] == [(1, 2), (3, 3), (4, 4), (5, 5), (6, 6)]
    assert list(cut([])) == []


def test_a_voided_match_and_a_later_one_change_their_own_shard_alone() -> None:
    third = MOST_BYTES // 3
    keys = [key(seq, third) for seq in range(1, 10)]
    before = [shard.fingerprint for shard in cut(keys)]
    voided = [shard.fingerprint for shard in cut([*keys[:4], key(5, third, void=True), *keys[5:]])]
    assert [one == other for one, other in zip(before, voided, strict=True)] == [True, False, True]
    longer = [shard.fingerprint for shard in cut([*keys, key(10, third)])]
    assert longer[:3] == before


def opened(script: Path) -> list[dict[str, Any]]:
    """The records in a shard's script, as a browser finds them."""
    said = re.fullmatch(r'tacora\.replays\("([A-Za-z0-9+/=]+)"\);\n', script.read_text())
    assert said is not None
    records: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(said.group(1))))
    return records


@pytest.fixture
def league(tmp_path: Path) -> Made:
    return written_league(tmp_path, PLAIN, form="ladder", seats=(3,), rounds=9)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "MOST_BYTES", 6000)


def scripts(site: Path) -> dict[str, list[dict[str, Any]]]:
    """By name, what each script holds."""
    return {found.name: opened(found) for found in sorted((site / "season-1" / "replays").iterdir())}


def matches(store: Store, season: MadeSeason) -> list[str]:
    return [record["match"] for record in store.records(season.id)]


@pytest.mark.usefixtures("small")
def test_every_record_that_counts_is_in_one_shard_whole(league: Made, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with open_store(league.store) as store:
        season = MadeSeason(league.league, store, 1, PLAIN)
        for _ in range(3):
            season.play(6)
        store.void(season.id, 2, 2, "a wrong deck")
        publish(league.league, store, site)
        held = scripts(site)
        assert len(held) > 2
        records = [record for name in held for record in held[name]]
        assert [record["match"] for record in records] == matches(store, season)
        for record in records:
            check_record(record)
            assert record == store.record(season.id, record["fixture"]["round"], record["fixture"]["number"])


@pytest.mark.usefixtures("small")
def test_a_further_round_makes_only_the_last_shard_anew(league: Made, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with open_store(league.store) as store:
        season = MadeSeason(league.league, store, 1, PLAIN)
        season.play(9)
        publish(league.league, store, site)
        before = list(scripts(site))
        season.play(2)
        publish(league.league, store, site)
        season.play(2)
        publish(league.league, store, site)
        held = scripts(site)
        # The last one of before was replaced, and a page that is open may ask for it no longer than one publish.
        assert set(before) - set(held) <= {before[-1]}
        assert [record["match"] for name in held for record in held[name]][-1] == matches(store, season)[-1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "damage", ["{", "{}", '{"path":"season-1/replays/x.js","matches":[],"style":{}}', '{"path":1}']
)
def test_a_damaged_note_is_made_again(league: Made, tmp_path: Path, damage: str) -> None:
    site = tmp_path / "site"
    with open_store(league.store) as store:
        MadeSeason(league.league, store, 1, PLAIN).play(3)
        publish(league.league, store, site)
        before = scripts(site)
        pages = {path: path.read_bytes() for path in site.rglob("*.html")}
        for note in (site / ".publish" / "notes").iterdir():
            note.write_text(damage)
        publish(league.league, store, site)
        assert scripts(site) == before
        assert {path: path.read_bytes() for path in site.rglob("*.html")} == pages
