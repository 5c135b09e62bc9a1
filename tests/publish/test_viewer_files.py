"""The replay viewer and files: what it opens, what it refuses, and what it does without."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from harness.publish.thinning import thinned
from tests.publish.browser import Visit, Visits
from tests.publish.viewer_frames import frames_of
from tests.publish.viewer_shown import must_show, part, ready
from tests.publish.viewer_site import case, drop, record_site
from tests.records import random_record


def test_files_are_opened_plain_and_gzip_even_while_another_plays(small: Path, visit: Visits) -> None:
    there = visit(small, "viewer.html")
    page = there.page
    expect(part(page, "viewer")).to_be_hidden()
    first, second = case("schmidt-2005-3"), case("iello-2016-4")
    drop(page, "first.json", json.dumps(first).encode())
    ready(there)
    must_show(there, first, frames_of(first, 1), 0)
    page.keyboard.press("Space")
    drop(page, "second.json.gz", gzip.compress(json.dumps(second).encode()))
    expect(part(page, "players")).to_contain_text(f"0:{second['seats'][0]['bot']}")
    must_show(there, second, frames_of(second, 1), 0)
    expect(part(page, "play")).to_have_attribute("aria-label", "Play")
    part(page, "file").set_input_files(
        {"name": "third.json", "mimeType": "application/json", "buffer": json.dumps(first).encode()}
    )
    expect(part(page, "players")).to_contain_text(f"0:{first['seats'][0]['bot']}")


BAD_FILES = {
    "picture.png": (b"\x89PNG\r\n\x1a\n\0\0\0", "is no replay"),
    "empty.json": (b"", "is no replay"),
    "list.json": (b"[1, 2]", "is no replay"),
    "null.json": (b"null", "is no replay"),
    "season.jsonl": (b'{"format":"tacora-season/1","league":"a"}\n{"entries":[],"round":1}\n', "holds a whole season"),
    "season.jsonl.gz": (gzip.compress(b'{"format":"tacora-season/1"}\n{}\n'), "holds a whole season"),
    "cut.json.gz": (gzip.compress(b"{}" * 1000)[:-12], "can't be decompressed"),
    "bomb.json.gz": (gzip.compress(bytes(65 << 20)), "is larger than 64 MiB"),
    "bare.json": (b'{"format":"tacora-replay/1"}', "its field “edition.name” is missing"),
    "lone.json": (
        b'{"format":"tacora-replay/1","match":"\\ud83d"}',
        "lone.json is no replay: a text in it holds a lone",
    ),
    "lone-name.json": (b'[[{"\\uDE00\\ud83d": 1}]]', "lone-name.json is no replay: a text in it holds a lone"),
    "pair.json": (b'["\\ud83d\\ude00"]', "pair.json is no replay: a replay is one JSON object"),
    "\u202egnp.json": (b"{", "⟨U+202E⟩gnp.json is no replay"),
    "<img src=x onerror=alert(1)>.json": (b"{", "<img src=x onerror=alert(1)>.json is no replay"),
}


def test_what_is_no_replay_gets_a_sentence_and_what_was_shown_stays(alone: Callable[..., Visit]) -> None:
    record = case("iello-2016-4")
    visit = alone(record)
    wrong = {
        "seats.json": (json.dumps(record | {"seats": record["seats"][:2]}).encode(), "its field “seats” is missing"),
        "turns.json": (_with_turns(["CCCC"] * 60), "No game by the rules has these decisions"),
        "list-for-text.json": (json.dumps(record | {"match": ["x"]}).encode(), "its field “match” is missing"),
    }
    for name, (data, sentence) in (BAD_FILES | wrong).items():
        part(visit.page, "refusal-text").evaluate("one => { one.textContent = ''; }")
        drop(visit.page, name, data)
        expect(part(visit.page, "refusal-text")).to_contain_text(sentence)
        must_show(visit, record, frames_of(record, 1), 0)
    part(visit.page, "refusal-close").click()
    expect(part(visit.page, "refusal")).to_be_hidden()


def _with_turns(turns: list[str]) -> bytes:
    record = case("iello-2016-4")
    record["games"][0]["expeditions"][0] = turns
    return json.dumps(record).encode()


def test_hostile_texts_of_a_file_are_text(visit: Visits, small: Path) -> None:
    record = random_record(seats=3, games=1, faulty={2: 4})
    evil = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'
    record["match"] = evil + "\u202e"
    record["harness"] = evil
    record["edition"]["name"] = "\u2066<svg onload=alert(3)>"
    record["edition"]["hazards"][0]["kind"] = "constructor"
    record["seats"][0]["bot"] = "\u202e" + evil
    record["seats"][1]["bot"] = "x" * 10_000
    record["faults"][0] |= {"kind": "__proto__", "expected": "\x1b[31m" + evil, "got": "\u200b\ufeff" * 600, "exit": -9}
    record["sandbox"] |= {"tier": evil, "layers": [evil], "interpreters": [evil, None]}
    record["limits"][evil] = 5
    there = visit(small, "viewer.html")
    page = there.page
    drop(page, "evil.json", json.dumps(record).encode())
    ready(there)
    page.keyboard.press("End")
    assert page.locator("img, iframe, main script:not(#replay-index), [onerror], [onload]").count() == 0
    text = page.locator("main").inner_text()
    assert "⟨U+202E⟩<img src=x onerror" in text
    assert "⟨U+001B⟩[31m<img" in text
    assert not {"\u202e", "\u2066", "\u200b", "\x1b"} & set(text)
    assert "x" * 33 not in text
    assert "fault of kind __proto__" in text
    assert "killed by SIGKILL" in text
    assert there.scrolls_sideways() is None


def test_a_kind_of_hazard_that_has_no_drawing_is_shown_by_its_word_and_initial(alone: Callable[..., Visit]) -> None:
    record = random_record(games=1, leave=0.05)
    for hazard in record["edition"]["hazards"]:
        hazard["kind"] = f"odd-{hazard['kind']}"
    page = alone(record).page
    page.keyboard.press("b")
    card = page.locator(".cave-card.deadly").last
    expect(card.locator(".card-name")).to_contain_text("odd-")
    expect(card.locator("svg text")).to_have_text("O")


# Without


def test_without_javascript_the_page_says_what_is_missing(small: Path) -> None:
    # Read, not shown: a browser told from outside to run no scripts still parses the page as one that does.
    page = (small / "season-1" / "match.html").read_text()
    sentence = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "Showing a replay needs JavaScript" in sentence
    assert 'href="../season-1/data/matches.csv"' in sentence
    assert 'href="../season-1/index.html"' in sentence


def test_where_storage_is_forbidden_the_player_works(small: Path, visit: Visits) -> None:
    forbid = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    there = ready(visit(small, "season-1/match.html#r1m1", before=lambda page: page.add_init_script(forbid)))
    there.page.keyboard.press("+")
    expect(part(there.page, "speed")).to_have_value("2")


def test_only_scripts_that_the_index_names_may_be_loaded(small: Path, visit: Visits) -> None:
    page = ready(visit(small, "season-1/match.html#r1m1")).page
    message = page.evaluate(
        """() => {
          const facts = tacora.viewer.pageFacts();
          return tacora.viewer.loadShard(facts, "https://elsewhere.invalid/x.js").catch((error) => error.message);
        }"""
    )
    assert "no replay file of this season" in message


def test_the_script_without_comments_is_small_and_does_the_same(visit: Visits, tmp_path: Path) -> None:
    record = case("schmidt-2005-3")
    folder = record_site(tmp_path, record)
    (script,) = (folder / "assets").glob("viewer-*.js")
    script.write_text(thinned(script.read_text()))
    assert len(gzip.compress(script.read_bytes())) < 22 << 10
    there = ready(visit(folder, "viewer.html"))
    there.page.keyboard.press("ArrowRight")
    must_show(there, record, frames_of(record, 1), 1)
