"""A bot that leaves when `DEPTH` cards lie face up, and reads of a line no more than that takes, like `echo.py`."""

from __future__ import annotations

import os

DEPTH = 5

os.write(1, b'{"type":"ready"}\n')
rest = b""
while True:
    chunk = os.read(0, 65536)
    if not chunk:
        break
    rest += chunk
    *lines, rest = rest.split(b"\n")
    for line in lines:
        if line.startswith(b'{"type":"decide","turn":'):
            turn = line[24 : line.index(b",", 24)]
            path = line.index(b'"path":[')
            cards = 1 + line.count(b",", path, line.index(b"]", path))
            action = b"leave" if cards >= DEPTH else b"continue"
            os.write(1, b'{"type":"decision","turn":%b,"action":"%b"}\n' % (turn, action))
