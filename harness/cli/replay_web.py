"""A record shown in a browser: written into a folder of its own that opens from disk."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from harness.cli.failures import reason_of
from harness.errors import HarnessFailure
from harness.publish import VIEWER, replay_folder

__all__ = ["show_in_browser"]

_SCREENS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
"""Variables that tell of a browser or a screen. Without one of them a text browser might take over the terminal."""


def show_in_browser(record: Mapping[str, Any], game: int | None) -> None:
    """Write the folder, open it where there is a screen, and print its address.

    HarnessFailure where it can't be written.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="harness-replay-"))
        for path, content in replay_folder(record):
            place = folder / path
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(content)
    except OSError as error:
        reason = reason_of(error)
        raise HarnessFailure(f"the page can't be written: {reason}; set TMPDIR to a folder that can") from error
    address = (folder / VIEWER).as_uri() + ("" if game is None else f"#g{game}e1c1")
    opened = (sys.platform == "darwin" or any(map(os.environ.get, _SCREENS))) and webbrowser.open(address)
    click.echo(address)
    if not opened:
        click.echo("no browser was found here; open that address in one", err=True)
