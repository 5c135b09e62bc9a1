"""Opens files by the handles that the file system knows them by, past all folders.

Known by: a handle can be had, or opened.
"""

from __future__ import annotations

import ctypes

from sandbox.attacks.jailed import Target, attack, call, open_any

STOPPED_BY = ("seccomp",)


def main(target: Target) -> str:
    """Of the root."""
    handle = ctypes.create_string_buffer(b"\x80" + bytes(3), 136)
    number = ctypes.c_int()
    tries = (
        ("name", lambda: call("name_to_handle_at", -100, b"/", handle, ctypes.byref(number), 0)),
        ("open", lambda: call("open_by_handle_at", -100, handle, 0)),
    )
    return open_any(tries)


if __name__ == "__main__":
    attack(main)
