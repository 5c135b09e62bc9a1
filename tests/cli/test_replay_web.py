"""`harness replay show --web`: a folder that opens from disk, a browser where there is one, one line where not."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.e2e.harness_command import harness
from tests.records import random_record

NOWHERE = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(random_record(games=2)))
    return file


def test_its_address_is_printed_where_no_browser_is(record: Path, tmp_path: Path) -> None:
    (tmp_path / "a # b").mkdir()
    done = harness(
        "replay", "show", "--web", "--game", "2", record, cwd=tmp_path, TMPDIR=str(tmp_path / "a # b"), **NOWHERE
    )
    address = urlsplit(done.stdout.strip())
    page = Path(unquote(address.path))
    assert (address.scheme, address.fragment) == ("file", "g2e1c1")
    assert page.parent.parent == tmp_path / "a # b"
    assert page.name == "viewer.html"
    assert (page.parent / "record.js").read_text().startswith("tacora.replays(")
    assert done.stderr == "no browser was found here; open that address in one\n"


def test_a_browser_gets_the_address(record: Path, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    done = harness("replay", "show", "--web", record, cwd=tmp_path, **{**NOWHERE, "BROWSER": str(browser)})
    assert (tmp_path / "opened").read_text() == done.stdout
    assert done.stderr == ""


def test_what_is_no_record_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "rubbish.json").write_text("{}")
    done = harness("replay", "show", "--web", "rubbish.json", cwd=tmp_path, expect=2, **NOWHERE)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_a_game_that_is_not_there_is_refused(record: Path, tmp_path: Path) -> None:
    done = harness("replay", "show", "--web", "--game", "9", record, cwd=tmp_path, expect=2, **NOWHERE)
    assert "--game 9" in done.stderr
    assert done.stdout == ""
