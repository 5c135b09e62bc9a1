"""A process that stands for the referee while a sandbox is tried: it has secrets and listens, and tells who reached it.

It says on stdout where it is to be reached, answers each line on stdin with what has happened since it began, and ends
with the end of stdin. What it is given, it finds in its environment and its command line as a referee would.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_ANYBODY = 0o777


def _main() -> None:
    given: dict[str, str] = json.loads(sys.stdin.readline())
    Path("/proc/self/comm").write_text(given["name"])
    memory = ctypes.create_string_buffer(given["memory"].encode())
    held = os.open(given["file"], os.O_RDONLY)
    signals: list[int] = []
    signal.signal(signal.SIGURG, lambda number, _: signals.append(number))
    listeners = _listeners(given)
    told = {
        "address": ctypes.addressof(memory),
        "size": len(given["memory"]),
        "descriptor": held,
        **{name: one.getsockname()[1] for name, one in listeners.items() if name in ("tcp", "udp", "vsock")},
    }
    print(json.dumps(told), flush=True)  # noqa: T201
    while sys.stdin.readline():
        contacts = [name for name, one in listeners.items() if _reached(one)]
        print(json.dumps({"contacts": contacts, "signals": len(signals)}), flush=True)  # noqa: T201


def _listeners(given: dict[str, str]) -> dict[str, socket.socket]:
    listeners: dict[str, socket.socket] = {}
    wishes: tuple[tuple[str, Any, Any, Any], ...] = (
        ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{given['abstract']}"),
        ("path", socket.AF_UNIX, socket.SOCK_STREAM, given["socket"]),
        ("vsock", getattr(socket, "AF_VSOCK", -1), socket.SOCK_STREAM, (0xFFFFFFFF, 0xFFFFFFFF)),
    )
    for name, family, kind, place in wishes:
        with suppress(OSError):  # a machine may lack a family
            one = socket.socket(family, kind)
            one.setblocking(False)
            one.bind(place)
            if kind == socket.SOCK_STREAM:
                one.listen()
            listeners[name] = one
    with suppress(OSError):
        Path(given["socket"]).chmod(_ANYBODY)
    return listeners


def _reached(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    _main()
