"""The least a bot can do in Python: it reads the turn's number off the line and continues."""

from __future__ import annotations

import os

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
            os.write(1, b'{"type":"decision","turn":' + turn + b',"action":"continue"}\n')
