"""A bot that goes to a limit of the sandbox, at the third question: `python greedy.py BEHAVIOUR`.

Where the behaviour says so it goes on playing, else what the kernel refused is the end of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

MIB = 1 << 20

behaviour = sys.argv[1]
asked = 0


def hold(pipe: int, mib: int) -> NoReturn:
    """Hold memory, say so, and stay."""
    kept = bytearray(os.urandom(4096) * (mib * MIB // 4096))
    os.write(pipe, b"x" if kept else b"")
    signal.pause()
    os._exit(0)


def hold_in_children(count: int, mib: int) -> None:
    """Memory in children, one after the other; it dies when one of them does not come to hold its own."""
    for _ in range(count):
        ours, theirs = os.pipe()
        if os.fork() == 0:
            hold(theirs, mib)
        os.close(theirs)
        if not os.read(ours, 1):
            os._exit(9)


def fork_until_refused() -> list[int]:
    children: list[int] = []
    try:
        while True:
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    except OSError:
        if not behaviour.endswith("goes on"):
            raise
    return children


def write_until_full(size: int) -> None:
    number = 0
    try:
        while True:
            number += 1
            with Path(f"/tmp/{number}").open("wb") as file:
                file.write(bytes(size))
    except OSError:
        if not behaviour.endswith("goes on"):
            raise


def strike() -> None:
    if behaviour.startswith("holds memory in twenty processes"):
        hold_in_children(20, 12)
    elif behaviour.startswith("holds memory"):
        hold(1, 400)
    elif behaviour.startswith("loses a child for want of memory"):
        if os.fork() == 0:
            hold(2, 400)
        os.wait()
    elif behaviour.startswith("forks"):
        for child in fork_until_refused():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    elif behaviour.startswith("fills its scratch folder"):
        write_until_full(100_000)
    elif behaviour.startswith("makes files"):
        write_until_full(0)
    elif behaviour.startswith("makes a file too large"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        with Path("/tmp/large").open("wb") as file:
            os.ftruncate(file.fileno(), 1 << 40)
    elif behaviour.startswith("sleeps"):
        signal.pause()
    elif behaviour.startswith("crashes"):
        sys.exit(3)


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "match_end":
        break
    if message["type"] == "decide":
        asked += 1
        if asked == 3:
            strike()
        action = "leave" if len(message["path"]) >= 4 else "continue"
        print(json.dumps({"type": "decision", "turn": message["turn"], "action": action}), flush=True)
