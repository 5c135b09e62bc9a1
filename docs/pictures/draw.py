"""Draws the README's pictures: runs a command in a terminal of its own and keeps the screen as SVG.

python docs/pictures/draw.py OUT.svg COLUMNS TITLE COMMAND...
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

COLOURS = (
    "14171c f07167 78be6e deb250 64a0f0 be82dc 5abec8 c8ccd2 6e7680 fa8c82 96d78c f0cd78 8cb9ff d7a5f0 82d7e1 ffffff"
)
"""The sixteen colours of a terminal with a dark screen: first the dark ones, black to white, then the bright ones."""

RGB = [(int(one[:2], 16), int(one[2:4], 16), int(one[4:], 16)) for one in COLOURS.split()]
THEME = TerminalTheme(RGB[0], (226, 229, 233), RGB[:8], RGB[8:])

FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img"> <style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size:
{char_height}px;
  line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }} {styles} </style> <defs> <clipPath
id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines} </defs> {chrome} <g transform="translate({terminal_x}, {terminal_y})"
clip-path="url(#{unique_id}-clip-terminal)"> {backgrounds} <g class="{unique_id}-matrix"> {matrix} </g> </g> </svg>
"""
"""The picture around the screen. No font from elsewhere: the reader's own monospaced one."""


def screen(command: list[str], columns: int) -> str:
    """What the command writes to a terminal that is so many columns wide."""
    ours, theirs = pty.openpty()
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLUMNS": str(columns),
        "LINES": "200",
        "COLORTERM": "truecolor",
    }
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        chunks = []
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not chunk:
                break
            chunks.append(chunk)
    os.close(ours)
    if process.returncode != 0:
        raise SystemExit(f"{command}: exit status {process.returncode}")
    return b"".join(chunks).decode().replace("\r\n", "\n")


def main() -> None:
    """Run the command of the arguments and write its picture."""
    out, columns, title, *command = sys.argv[1:]
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=int(columns), file=nowhere, force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(screen(command, int(columns)).rstrip("\n")))
        svg = console.export_svg(title=title, theme=THEME, code_format=FRAME, unique_id="screen")
    Path(out).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
