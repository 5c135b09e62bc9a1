"""What the replay viewer shows when several things are opened one after another, or when one of them can't be shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from harness.cli.play import MOST_GAMES
from tests.publish.browser import PHONE, Visit, Visits
from tests.publish.viewer_frames import frames_of
from tests.publish.viewer_shown import must_show, part, ready
from tests.publish.viewer_site import case, drop, match_of
from tests.records import random_record

SETTLED = "() => { release(); return new Promise((done) => setTimeout(done, 0)); }"
"""Lets go of what is held back, whose bytes are there, and waits until all that follows from it is done."""

HOLD = """window.held = new Promise((told) => {
  window.hold = (value) => new Promise((done) => {
    window.release = () => done(value);
    told();
  });
});"""

HOLD_FILE = f"""{HOLD}
const read = Blob.prototype.arrayBuffer;
Blob.prototype.arrayBuffer = async function () {{
  const bytes = await read.call(this);
  return this.name.startsWith("slow") ? hold(bytes) : bytes;
}};"""

HOLD_SHARD = f"""() => {{
  {HOLD}
  const read = tacora.viewer.readShard;
  tacora.viewer.readShard = async (text) => hold(await read(text));
}}"""


def dropped(page: Page, name: str, record: dict[str, Any]) -> None:
    drop(page, name, json.dumps(record).encode())


# Games


def test_the_choice_of_a_game_says_the_one_that_the_address_names(small: Path, visit: Visits) -> None:
    page = ready(visit(small, "season-1/match.html#r1m1-g2e1c1")).page
    expect(part(page, "where")).to_contain_text("Game 2 of 2")
    expect(part(page, "game")).to_have_value("2")


WAYS: dict[str, Callable[[Page], Any]] = {
    "key": lambda page: page.keyboard.press("n"),
    "choice": lambda page: part(page, "game").select_option("2"),
    "address": lambda page: page.evaluate("location.hash = '#g2e1c1'"),
    "fault": lambda page: page.locator(".trouble button").click(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_game_that_can_t_be_played_gets_a_sentence_and_the_other_stays(small: Path, visit: Visits, way: str) -> None:
    record = random_record(seats=3, games=3, faulty={1: 5})
    record["games"][1]["expeditions"][0] = ["CCC"] * 60
    record["incidents"] = [fault | {"game": 2} for fault in record["faults"]]
    record["faults"] = []
    there = visit(small, "viewer.html")
    page = there.page
    dropped(page, "half.json", record)
    ready(there)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{there.home}viewer.html#g1e1c1d")
    WAYS[way](page)
    expect(part(page, "refusal-text")).to_have_text(
        "Game 2 can't be shown. No game by the rules has these decisions: game 2, expedition 1 has the turn “CCC” "
        "while 0, 2 are inside."
    )
    must_show(there, record, frames_of(random_record(seats=3, games=3, faulty={1: 5}), 1), 1)
    expect(part(page, "game")).to_have_value("1")
    expect(page).to_have_url(f"{there.home}viewer.html#g1e1c1d")


def test_so_does_one_of_the_season(small: Path, visit: Visits) -> None:
    there = ready(visit(small, "season-1/match.html#r1m1"))
    page = there.page
    page.evaluate("tacora.viewer.state.record.games[1].expeditions[0] = []")
    page.evaluate("location.hash = '#r1m1-g2e1c1'")
    expect(part(page, "refusal-text")).to_contain_text("Game 2 can't be shown. No game by the rules")
    expect(page).to_have_url(f"{there.home}season-1/match.html#r1m1-g1e1c1")
    must_show(there, match_of(1, 1), frames_of(match_of(1, 1), 1), 0)


# One after another


def test_what_an_older_file_comes_to_changes_nothing(small: Path, visit: Visits) -> None:
    there = visit(small, "viewer.html", before=lambda page: page.add_init_script(HOLD_FILE))
    page = there.page
    record = case("iello-2016-4")
    drop(page, "slow.json", b"{}")
    page.evaluate("held")
    dropped(page, "good.json", record)
    ready(there)
    page.evaluate(SETTLED)
    expect(part(page, "refusal")).to_be_hidden()
    must_show(there, record, frames_of(record, 1), 0)


def test_a_late_match_of_the_season_does_not_replace_a_file(small: Path, visit: Visits) -> None:
    there = ready(visit(small, "season-1/match.html#r1m1"))
    page = there.page
    record = case("iello-2016-4")
    page.evaluate(HOLD_SHARD)
    page.evaluate("location.hash = '#r2m1'")
    page.evaluate("held")
    dropped(page, "file.json", record)
    title = part(page, "title")
    expect(title).to_have_text(f"Match {record['match']}")
    page.evaluate(SETTLED)
    expect(title).to_have_text(f"Match {record['match']}")
    must_show(there, record, frames_of(record, 1), 0)


def test_a_late_match_does_not_replace_the_one_that_was_gone_back_to(small: Path, visit: Visits) -> None:
    there = ready(visit(small, "season-1/match.html#r1m1"))
    page = there.page
    page.evaluate(HOLD_SHARD)
    page.evaluate("location.hash = '#r2m1'")
    page.evaluate("held")
    page.evaluate("location.hash = '#r1m1-g2e1c1'")
    expect(part(page, "where")).to_contain_text("Game 2 of 2")
    page.evaluate(SETTLED)
    expect(part(page, "title")).to_have_text("Round 1, match 1")


@pytest.mark.parametrize(("address", "at"), [("", 0), ("#g1e1c2", 2)])
def test_the_first_file_opens_where_the_visitor_came_and_others_at_their_start(
    small: Path, visit: Visits, address: str, at: int
) -> None:
    first, second = case("schmidt-2005-3"), case("iello-2016-4")
    there = visit(small, f"viewer.html{address}")
    dropped(there.page, "first.json", first)
    ready(there)
    must_show(there, first, frames_of(first, 1), at)
    there.page.keyboard.press("ArrowRight")
    expect(there.page).to_have_url(f"{there.home}viewer.html#g1e1c{1 + at // 2}d")
    dropped(there.page, "second.json", second)
    expect(part(there.page, "title")).to_have_text(f"Match {second['match']}")
    must_show(there, second, frames_of(second, 1), 0)


def test_a_file_changes_the_title_of_the_window(small: Path, visit: Visits) -> None:
    there = ready(visit(small, "season-1/match.html#r1m1"))
    record = case("iello-2016-4")
    expect(there.page).to_have_title("Round 1, match 1 · season 1 · Small league")
    dropped(there.page, "file.json", record)
    expect(there.page).to_have_title(f"Match {record['match']} · from a file")
    there.page.evaluate("location.hash = '#r1m3'")
    expect(there.page).to_have_title("Round 1, match 3 · season 1 · Small league")


# Too much


@pytest.mark.parametrize("word", ["a" * 32 + "/1/1/1", "a" * 100])
def test_a_match_of_a_long_name_does_not_widen_the_page(
    small: Path, visit: Visits, alone: Callable[..., Visit], word: str
) -> None:
    record = case("iello-2016-4") | {"match": word}
    there = visit(small, "viewer.html", width=PHONE)
    dropped(there.page, "long.json", record)
    for one in (ready(there), alone(record, width=PHONE)):
        with one.page.expect_download():
            part(one.page, "download").click()
        assert one.scrolls_sideways() is None


def test_more_games_than_a_match_has_are_refused_before_anything_is_drawn(small: Path, visit: Visits) -> None:
    there = visit(small, "viewer.html")
    page = there.page
    record = case("all-forfeit-3")
    left = record["games"][-1]
    title = part(page, "title").inner_text()

    def choose(games: int) -> None:
        data = json.dumps(record | {"games": [record["games"][0], *[left] * (games - 1)]}).encode()
        part(page, "file").set_input_files({"name": "many.json", "mimeType": "application/json", "buffer": data})

    choose(MOST_GAMES + 1)
    expect(part(page, "refusal-text")).to_contain_text("many.json has 10001 games, and a match has 10000 at most")
    expect(part(page, "viewer")).to_be_hidden()
    expect(part(page, "welcome")).to_be_visible()
    assert part(page, "title").inner_text() == title
    choose(MOST_GAMES)
    expect(part(page, "where")).to_contain_text("Game 1 of 10000")
    expect(part(page, "refusal")).to_be_hidden()


SPOIL = """(name) => {
  const draw = tacora.viewer[name];
  tacora.viewer[name] = (state) => {
    draw(state);
    if (state.record.match === "spoilt") { throw new RangeError("too much"); }
  };
}"""


@pytest.mark.parametrize("name", ["drawFaults", "drawChart", "drawGauges"])
def test_what_fails_while_it_is_drawn_leaves_what_was_shown(small: Path, visit: Visits, name: str) -> None:
    record, other = case("iello-2016-4"), case("schmidt-2005-3") | {"match": "spoilt"}
    there = visit(small, "viewer.html")
    page = there.page
    page.evaluate(SPOIL, name)
    title = page.title()
    sentence = "spoilt.json can't be shown. It is no replay that this page can show."
    dropped(page, "spoilt.json", other)
    expect(part(page, "refusal-text")).to_have_text(sentence)
    expect(part(page, "viewer")).to_be_hidden()
    expect(part(page, "title")).to_have_text("Replay viewer")
    expect(page).to_have_title(title)
    dropped(page, "good.json", record)
    ready(there)
    page.keyboard.press("ArrowRight")
    dropped(page, "spoilt.json", other)
    expect(part(page, "refusal-text")).to_have_text(sentence)
    must_show(there, record, frames_of(record, 1), 1)
    expect(part(page, "title")).to_have_text(f"Match {record['match']}")
    expect(part(page, "players")).to_contain_text(f"0:{record['seats'][0]['bot']}")
    expect(part(page, "match")).to_contain_text(record["seats"][0]["bot"])
