"""The replay viewer's player in a browser: time, settings, keys, touch, motion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.publish.browser import DESK, PHONE, Visit, Visits
from tests.publish.viewer_frames import frames_of
from tests.publish.viewer_shown import must_show, part, ready
from tests.publish.viewer_site import case
from tests.records import random_record


def test_it_plays_to_the_end_and_stops(alone: Callable[..., Visit]) -> None:
    record = random_record("iello-2016", 3, 1, leave=0.7)
    visit = alone(record, "?speed=4", before=lambda page: page.clock.install(time=0))
    frames = frames_of(record, 1)
    page = visit.page
    # From here on time goes on only where it is told to.
    page.clock.pause_at(3600)
    page.keyboard.press("Space")
    expect(part(page, "play")).to_have_attribute("aria-label", "Pause")
    page.clock.run_for(280)
    must_show(visit, record, frames, 1)
    # No step lasts longer than a bust.
    page.clock.run_for(len(frames) * 2200)
    must_show(visit, record, frames, len(frames) - 1)
    expect(part(page, "play")).to_have_attribute("aria-label", "Play")
    page.clock.run_for(300)
    assert page.url.endswith("#g1end")


def test_settings_come_from_the_address_then_from_storage(small: Path, visit: Visits) -> None:
    there = ready(visit(small, "season-1/match.html?speed=2#r1m1"))
    speed = part(there.page, "speed")
    expect(speed).to_have_value("2")
    there.go("season-1/match.html#r1m2")
    ready(there)
    expect(speed).to_have_value("1")
    there.page.keyboard.press("+")
    there.page.keyboard.press("+")
    expect(speed).to_have_value("4")
    there.go("season-1/match.html?speed=7#r1m1")
    ready(there)
    expect(speed).to_have_value("4")


def test_letters_are_keys_only_in_the_player_and_can_be_switched_off(alone: Callable[..., Visit]) -> None:
    page = alone(random_record(leave=0.1)).page
    slider = part(page, "slider")
    page.get_by_role("heading", level=1).evaluate("one => document.activeElement.blur()")
    page.keyboard.press("b")
    expect(slider).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    part(page, "settings").click()
    part(page, "set-keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(slider).to_have_value("1")
    page.keyboard.press("End")
    assert slider.input_value() != "1"


def test_help_opens_by_its_key_and_closes(alone: Callable[..., Visit]) -> None:
    page = alone(random_record()).page
    page.keyboard.press("?")
    expect(part(page, "help-dialog")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(part(page, "slider")).to_have_value("0")
    page.keyboard.press("Escape")
    expect(part(page, "help-dialog")).to_be_hidden()


@pytest.mark.parametrize("still", [True, False])
def test_nothing_moves_by_itself_where_less_motion_is_asked_for(alone: Callable[..., Visit], still: bool) -> None:
    visit = alone(random_record(), "?play=1", reduced_motion=still)
    expect(part(visit.page, "play")).to_have_attribute("aria-label", "Play" if still else "Pause")
    visit.page.keyboard.press("Space")
    visit.page.keyboard.press("Home")
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("ArrowRight")
    assert visit.page.evaluate("document.getAnimations().length > 0") is not still


def test_the_status_says_each_sentence_once_it_is_stepped_to(alone: Callable[..., Visit]) -> None:
    page = alone(random_record()).page
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_have_text(part(page, "sentence").inner_text())
    assert "After card 1" in part(page, "sentence").inner_text()


def test_a_swipe_over_the_cave_steps(alone: Callable[..., Visit]) -> None:
    page = alone(random_record(), width=PHONE).page
    swipe = """([from, to]) => {
      const scene = document.querySelector("[data-viewer=scene]");
      const send = (name, x) => scene.dispatchEvent(
        new PointerEvent(name, { bubbles: true, pointerType: "touch", clientX: x, clientY: 300 }));
      send("pointerdown", from);
      send("pointerup", to);
    }"""
    for start, end, due in ((300, 100, "1"), (300, 100, "2"), (100, 300, "1"), (100, 110, "1")):
        page.evaluate(swipe, [start, end])
        expect(part(page, "slider")).to_have_value(due)


def test_controls_are_large_enough_for_a_thumb(alone: Callable[..., Visit]) -> None:
    visit = alone(random_record(seats=8), width=PHONE)
    boxes = visit.page.evaluate(
        "() => [...document.querySelectorAll('.control, .choices select, .moment')].filter((one) => one.offsetParent)"
        ".map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    )
    assert len(boxes) > 12
    assert min(min(box) for box in boxes) >= 44
    assert visit.scrolls_sideways() is None
    columns = "one => getComputedStyle(one).gridTemplateColumns.split(' ').length"
    assert part(visit.page, "path").evaluate(columns) == 6
    visit.page.set_viewport_size({"width": DESK, "height": 900})
    assert part(visit.page, "path").evaluate(columns) == 10


def test_the_controls_stay_where_they_are_while_the_cave_grows_and_empties(alone: Callable[..., Visit]) -> None:
    page = alone(case("iello-2016-4")).page
    places = set()
    for _ in frames_of(case("iello-2016-4"), 1):
        places.add(page.evaluate("Math.round(document.querySelector('.controls').getBoundingClientRect().top)"))
        page.keyboard.press("ArrowRight")
    assert len(places) == 1


def test_a_digit_follows_the_seat_of_that_number_and_again_or_escape_nobody(alone: Callable[..., Visit]) -> None:
    page = alone(random_record(seats=8)).page
    followed = page.locator("tr.followed")
    for seat in range(8):
        page.keyboard.press(str(seat))
        expect(followed).to_have_attribute("data-seat", str(seat))
        expect(followed.locator(".token text")).to_have_text(str(seat))
    page.keyboard.press("7")
    expect(followed).to_have_count(0)
    page.keyboard.press("3")
    page.keyboard.press("8")
    expect(followed).to_have_attribute("data-seat", "3")
    page.keyboard.press("Escape")
    expect(followed).to_have_count(0)


def test_plus_and_minus_go_through_the_speeds_that_can_be_chosen(alone: Callable[..., Visit]) -> None:
    page = alone(random_record()).page
    speed = part(page, "speed")
    for key, due in (("-", "0.5"), ("-", "0.5"), ("+", "1"), ("+", "2"), ("+", "4"), ("+", "4")):
        page.keyboard.press(key)
        expect(speed).to_have_value(due)


def test_the_controls_stay_where_they_are_when_a_seat_forfeits(alone: Callable[..., Visit]) -> None:
    record = random_record(seats=8, games=1, faulty={3: 20})
    page = alone(record, width=PHONE).page
    place = "Math.round(document.querySelector('.controls').getBoundingClientRect().top)"
    before = page.evaluate(place)
    page.keyboard.press("f")
    assert part(page, "slider").input_value() != "0"
    assert part(page, "out", " li").count() == 1
    assert page.evaluate(place) == before
