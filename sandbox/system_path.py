"""Where programs are looked for, and what PATH they get."""

from __future__ import annotations

import shutil
import sys
from functools import lru_cache
from pathlib import Path

__all__ = ["system_path"]


@lru_cache(maxsize=1)
def system_path() -> str:
    """PATH as programs get it: the system's folders, and where this Python lives if they have no python3."""
    folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    if sys.platform == "darwin":
        folders.insert(0, "/opt/homebrew/bin")
    path = ":".join(folders)
    if shutil.which("python3", path=path) is None:
        path += f":{Path(sys.executable).resolve().parent}"
    return path
