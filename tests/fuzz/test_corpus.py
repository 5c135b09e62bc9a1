"""Every input that a fuzzer starts from, or once found, is an ordinary test."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.fuzz.corpora import CORPUS, TARGETS, inputs, target

INPUTS = [(name, path) for name in TARGETS for path in inputs(name)]


@pytest.mark.parametrize(("name", "path"), INPUTS, ids=lambda part: part if isinstance(part, str) else part.name)
def test_the_property_holds_for(name: str, path: Path) -> None:
    taken = target(name).check(path.read_bytes())
    if path.name in target(name).seeds():
        assert taken == path.name.startswith("good-")


@pytest.mark.parametrize("name", TARGETS)
def test_a_corpus_holds_the_seeds_of_its_target_and_what_fuzzers_made(name: str) -> None:
    seeds = target(name).seeds()
    kept = {path.name: path.read_bytes() for path in inputs(name)}
    assert seeds.keys() <= kept.keys(), "write them with `python -m tests.fuzz.refill`"
    for seed, data in seeds.items():
        # Each Python packs in its own way.
        assert kept[seed] == data or b"\x1f\x8b" in data
    for made in kept.keys() - seeds.keys():
        kind, _, digest = made.partition("-")
        assert kind in ("made", "found")
        assert hashlib.sha256(kept[made]).hexdigest().startswith(digest)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_some_inputs_and_refuses_others(name: str) -> None:
    names = target(name).seeds()
    assert any(seed.startswith("good-") for seed in names)
    assert not all(seed.startswith("good-") for seed in names)


def test_no_corpus_is_without_a_target_and_all_are_small() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)
    assert sum(path.stat().st_size for _, path in INPUTS) < 300 * 1024
