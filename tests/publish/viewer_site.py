"""Small sites to try the viewer on: two shards of four matches, and a record alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from harness.publish.assets_made import asset_files, assets
from harness.publish.pages.match import match_page, viewer_page
from harness.publish.render import Renderer
from harness.publish.replay_folder import replay_folder
from harness.publish.shards import shard_script
from harness.publish.site_facts import SiteFacts
from tests.records import random_record

CASES = Path(__file__).parents[1] / "cases" / "replays"
MATCHES = ((1, 1), (1, 2), (1, 3), (2, 1))
"""Round and number of each, two a shard."""

EDITIONS = ("iello-2016", "incan-gold-2020", "incan-gold-2006", "schmidt-2005")


def case(name: str) -> dict[str, Any]:
    """A record of an independent implementation."""
    record: dict[str, Any] = json.loads((CASES / f"{name}.json").read_text())
    return record


def match_of(round_: int, number: int) -> dict[str, Any]:
    """A match of the small season. Seat 1 of match 2 forfeits."""
    place = MATCHES.index((round_, number))
    return random_record(
        EDITIONS[place],
        3 + place,
        2,
        f"{100 * round_ + number:032x}",
        faulty={1: 20} if number == 2 else None,
        leave=0.12,
        fixture={"league": "small", "season": 1, "round": round_, "number": number},
    )


def small_site(folder: Path) -> Path:
    """The pages of the season's matches and of the viewer."""
    site = SiteFacts("Small league", None, 1, False, "0", assets())
    files = dict(asset_files())
    starts = []
    for first in range(0, len(MATCHES), 2):
        path = f"season-1/replays/{first}.js"
        files[path] = shard_script([match_of(*place) for place in MATCHES[first : first + 2]])
        starts.append((*MATCHES[first], path))
    renderer = Renderer(site)
    names = {"bot-0": "<b>Zero</b> \u202eabc", "bot-1": "bot-1"}
    for page in (match_page(1, True, starts, names), viewer_page()):
        files[page.path] = renderer.render(page)
    files["season-1/index.html"] = b"<!doctype html><html lang=en><title>Season</title><h1>Season 1</h1>"
    return written(folder, files.items())


def record_site(folder: Path, record: dict[str, Any]) -> Path:
    """The folder that shows one record."""
    return written(folder, replay_folder(record))


def written(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """The folder with these files in it."""
    for path, data in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def drop(page: Page, name: str, data: bytes) -> None:
    """Drops a file on the page's footer, far from the player."""
    page.evaluate(
        """([name, bytes]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(bytes)], name));
          for (const kind of ["dragover", "drop"]) {
            document.body.dispatchEvent(
              new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
          }
        }""",
        [name, list(data)],
    )
