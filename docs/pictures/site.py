"""Draws the README's pictures of the site: plays two seasons with divisions, publishes them, and looks.

python docs/pictures/site.py FOLDER
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from harness.publish import addresses
from harness.store import open_store

HARNESS = Path(sys.executable).with_name("harness")
LEAGUE = Path(__file__).parents[2] / "leagues" / "divisions.toml"

SIZE: ViewportSize = {"width": 1200, "height": 750}
VIEWER_SIZE: ViewportSize = {"width": 1200, "height": 900}
"""Down to the viewer's controls."""

SEASONS = 2
COLOURS = 255
"""Of a picture; more make the file larger and nobody sees them."""

CARDS = 9
"""Cards of the expedition that is shown, if there is one so long."""


def main() -> None:
    """Write ladder.png and viewer.png into the folder that the command line names."""
    out = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site, moment = _published(folder)
        with sync_playwright() as playwright:
            path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
            # As root the browser's own sandbox can't work.
            flags = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
            with playwright.chromium.launch(executable_path=path, args=flags) as browser:
                page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
                page.goto(f"{site.as_uri()}/{addresses.LADDER}")
                _keep(page, out / "ladder.png")
                page.set_viewport_size(VIEWER_SIZE)
                page.goto(f"{site.as_uri()}/{moment}")
                page.get_by_role("heading", level=1).wait_for()
                _keep(page, out / "viewer.png")


def _published(folder: Path) -> tuple[Path, str]:
    """The site of a real run, and the address of a bust in it."""
    file = folder / LEAGUE.name
    shutil.copy(LEAGUE, file)
    for season in range(SEASONS):
        subprocess.run([HARNESS, "run-league", file, *(["--new-season"] if season else [])], check=True)
    site = folder / "site"
    subprocess.run([HARNESS, "publish", file, "--out", site], check=True)
    with open_store(file.with_suffix(".db"), write=False) as store:
        _, fixture, moment = min(bust for record in store.records(f"{file.stem}/{SEASONS}") for bust in _busts(record))
    return site, addresses.match_address(SEASONS, *fixture, moment)


def _busts(record: dict[str, Any]) -> list[tuple[tuple[int, ...], tuple[int, int], str]]:
    """Each bust before which somebody left: how much it is wished for, which match, which moment."""
    fixture = record["fixture"]
    return [
        ((abs(len(turns) + 1 - CARDS), g, e), (fixture["round"], fixture["number"]), f"g{g}e{e}c{len(turns) + 1}")
        for g, game in enumerate(record["games"], start=1)
        for e, turns in enumerate(game["expeditions"], start=1)
        # Where the last turn lets somebody go on, the next card was the end.
        if turns and "C" in turns[-1] and any("L" in turn for turn in turns)
    ]


def _keep(page: Page, file: Path) -> None:
    """What the window shows, as a small PNG."""
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
