"""The replay viewer in a browser: every number it shows, its moments, links, lists and tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.publish.browser import PHONE, Visit, Visits
from tests.publish.viewer_frames import frames_of
from tests.publish.viewer_shown import costly_bust, must_show, part, ready
from tests.publish.viewer_site import case, match_of, record_site
from tests.records import random_record

# Every number


def test_a_replay_stepped_by_keys_to_its_end_shows_what_an_independent_replay_has(
    alone: Callable[..., Visit],
) -> None:
    record = case("incan-gold-2020-6-forfeit")
    visit = alone(record)
    frames = frames_of(record, 1)
    for at in range(len(frames)):
        must_show(visit, record, frames, at)
        visit.page.keyboard.press("ArrowRight")
    must_show(visit, record, frames, len(frames) - 1)
    expect(part(visit.page, "warning")).to_be_hidden()


def test_a_replay_stepped_by_buttons_to_its_bust_and_back(small: Path, visit: Visits) -> None:
    record = match_of(1, 1)
    there = ready(visit(small, "season-1/match.html#r1m1", width=PHONE))
    page = there.page
    frames = frames_of(record, 1)
    bust = costly_bust(frames)
    for at in range(bust):
        must_show(there, record, frames, at)
        part(page, "forward").click()
    must_show(there, record, frames, bust)
    lost, caught = frames[bust]["lost"], frames[bust]["caught"]
    sentence = part(page, "sentence").inner_text()
    kind = frames[bust]["path"][-1]
    assert sentence.startswith(f"Card {frames[bust]['card']}, {kind}, the second: the expedition ends, ")
    assert all(f"{seat}:bot-{seat}" in sentence for seat in caught)
    assert re.search(rf" loses? {lost}\b", sentence)
    assert part(page, "scene").evaluate("one => one.classList.contains('busted')")
    part(page, "back").click()
    must_show(there, record, frames, bust - 1)
    part(page, "expedition-forward").click()
    must_show(there, record, frames, bust + 1)
    part(page, "last").click()
    must_show(there, record, frames, len(frames) - 1)
    part(page, "expedition-back").click()
    part(page, "first").click()
    must_show(there, record, frames, 0)


def test_a_record_whose_result_is_not_what_the_rules_give_is_shown_with_a_warning(
    alone: Callable[..., Visit],
) -> None:
    record = case("iello-2016-4")
    due = record["games"][0]["scores"]
    record["games"][0]["scores"] = [due[0] + 1, *due[1:]]
    warning = part(alone(record).page, "warning")
    expect(warning).to_contain_text("of game 1 it says scores")
    expect(warning).to_contain_text(f"by the rules they are {', '.join(map(str, due))}.")


def test_a_record_that_can_t_be_gets_a_sentence(visit: Visits, tmp_path: Path) -> None:
    record = case("iello-2016-4")
    record["games"][0]["expeditions"][0] = ["LLLL", "LLLL"]
    page = visit(record_site(tmp_path, record), "viewer.html").page
    expect(part(page, "refusal")).to_contain_text("game 1, expedition 1 has turns after its end")
    expect(part(page, "viewer")).to_be_hidden()


# Moments, games, seats


def test_keys_jump_to_busts_expeditions_ends_and_games(alone: Callable[..., Visit]) -> None:
    record = random_record("iello-2016", 4, 3, leave=0.1)
    visit = alone(record)
    frames = frames_of(record, 1)
    busts = [at for at, frame in enumerate(frames) if frame["beat"] == "bust"]
    starts = [at for at, frame in enumerate(frames) if frame["beat"] == "card" and frame["card"] == 1]
    press = visit.page.keyboard.press
    for key, at in (
        ("b", busts[0]), ("b", busts[1]), ("Shift+B", busts[0]), ("Home", 0), ("ArrowDown", starts[1]),
        ("ArrowUp", starts[0]), ("End", len(frames) - 1), ("ArrowUp", starts[-1]), ("ArrowLeft", starts[-1] - 1),
    ):  # fmt: skip
        press(key)
        must_show(visit, record, frames, at)
    press("n")
    must_show(visit, record, frames_of(record, 2), 0)
    part(visit.page, "game").select_option("3")
    must_show(visit, record, frames_of(record, 3), 0)
    assert visit.page.evaluate("scrollY") == 0


def test_a_link_opens_at_its_moment_with_its_seat(small: Path, visit: Visits) -> None:
    record = match_of(1, 3)
    frames = frames_of(record, 2)
    at = next(at for at, one in enumerate(frames) if one["beat"] == "decided" and one["expedition"] == 2)
    card = frames[at]["card"]
    there = ready(visit(small, f"season-1/match.html?seat=2#r1m3-g2e2c{card}d"))
    must_show(there, record, frames, at)
    assert there.page.locator("tr.followed").get_attribute("data-seat") == "2"
    expect(part(there.page, "followed")).to_contain_text("You follow 2:bot-2")
    there.page.keyboard.press("ArrowLeft")
    expect(there.page).to_have_url(f"{small.as_uri()}/season-1/match.html?seat=2#r1m3-g2e2c{card}")
    there.page.keyboard.press("0")
    assert there.page.locator("tr.followed").get_attribute("data-seat") == "0"
    part(there.page, "link").click()
    expect(part(there.page, "address")).to_have_value(f"{small.as_uri()}/season-1/match.html?seat=0#r1m3-g2e2c{card}")


def test_the_address_picks_the_match_and_its_neighbours_are_linked(small: Path, visit: Visits) -> None:
    page = ready(visit(small, "season-1/match.html#r1m2")).page
    for link, title in (
        ("Next match", "Round 1, match 3"), ("Next match", "Round 2, match 1"), ("Previous match", "Round 1, match 3"),
        ("Previous match", "Round 1, match 2"), ("Previous match", "Round 1, match 1"),
    ):  # fmt: skip
        page.get_by_role("link", name=link).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("link", name="Previous match")).to_have_count(0)
    page.evaluate("location.hash = '#r1m9'")
    expect(part(page, "refusal")).to_contain_text("There is no match r1m9 to show in season 1")
    expect(page.get_by_role("link", name="All matches of the season")).to_have_attribute("href", "index.html")
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1, match 1")


@pytest.mark.parametrize("address", ["", "#r9m9", "#nonsense", "#r1m0"])
def test_an_address_without_a_match_gets_a_sentence_and_a_link(small: Path, visit: Visits, address: str) -> None:
    page = visit(small, f"season-1/match.html{address}").page
    expect(part(page, "refusal")).to_be_visible()
    page.get_by_role("link", name="its first match").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1, match 1")
    expect(part(page, "refusal")).to_be_hidden()


def test_the_list_of_moments_and_the_faults_lead_to_their_frames(small: Path, visit: Visits) -> None:
    record = match_of(1, 2)
    there = ready(visit(small, "season-1/match.html#r1m2"))
    frames = frames_of(record, 1)
    busts = [at for at, one in enumerate(frames) if one["beat"] == "bust"]
    buttons = there.page.locator(".moment", has_text="Bust")
    expect(buttons).to_have_count(len(busts))
    buttons.nth(1).click()
    must_show(there, record, frames, busts[1])
    fault = record["faults"][0]
    article = there.page.locator(".trouble")
    expect(article).to_contain_text("it ended in the middle of the match")
    expect(article).to_contain_text("exit status 1")
    expect(article).to_contain_text("1.2 ms of CPU time, 5.7 ms by the clock")
    expect(article).to_contain_text("move_ms 100, bank_ms 5000, stall_ms 10000, wait_ms 60000")
    article.get_by_role("button").click()
    at = next(at for at, one in enumerate(frames) if one["beat"] == "decided" and one["turn"] == fault["turn"])
    must_show(there, record, frames, at)
    expect(part(there.page, "sentence")).to_contain_text("1:bot-1 forfeits (crashed)")


def test_the_tables_add_up_the_records_games(small: Path, visit: Visits) -> None:
    record = match_of(1, 1)
    page = ready(visit(small, "season-1/match.html#r1m1")).page
    rows = part(page, "match").locator("table").first.locator("tbody tr")
    for seat in range(3):
        cells = rows.nth(seat).locator("td").all_inner_texts()
        ranks = [game["ranks"][seat] for game in record["games"]]
        assert int(cells[1]) == sum(game["scores"][seat] for game in record["games"])
        assert float(cells[2]) == sum(ranks) / 2
    expect(rows.nth(0)).to_contain_text("<b>Zero</b> ⟨U+202E⟩abc")
    expect(rows.nth(0).get_by_role("link")).to_have_attribute("href", "bots/bot-0.html")


def test_the_record_that_is_shown_can_be_saved(small: Path, visit: Visits) -> None:
    page = ready(visit(small, "season-1/match.html#r1m1")).page
    with page.expect_download() as saved:
        part(page, "download").click()
    assert saved.value.suggested_filename == "small-1-1-1.json"
    assert json.loads(Path(saved.value.path()).read_text()) == match_of(1, 1)
