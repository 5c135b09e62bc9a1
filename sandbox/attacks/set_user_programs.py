"""Starts programs that run as their owner, such as su and mount.

Known by: a user or a capability is gained, or a privilege is still to be gained.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from sandbox.attacks.jailed import Refused, Target, attack

STOPPED_BY = ("no-new-privileges",)


def main(target: Target) -> str:
    """Start each that there is, and look at the user that it runs as."""
    tried = 0
    for folder in ("/usr/bin", "/usr/sbin", "/usr/lib/openssh", "/bin", "/usr/libexec"):
        for file in Path(folder).glob("*"):
            try:
                status = file.lstat()
            except OSError:
                continue
            if status.st_mode & 0o6000 and status.st_mode & 0o111 and status.st_mode & 0o170000 == 0o100000:
                tried += 1
                got = _user_of(str(file), os.geteuid())
                if got:
                    return f"{file}: {got}"
    raise Refused(f"{tried} programs gain nothing")


def _user_of(program: str, uid: int) -> str:
    child = subprocess.Popen(
        [program, "--help"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        text = Path(f"/proc/{child.pid}/status").read_text()
    except OSError:
        text = ""
    finally:
        child.kill()
        child.wait()
    for line in text.splitlines():
        if line.startswith("Uid:") and line.split()[2] != str(uid):
            return line
    return ""


if __name__ == "__main__":
    attack(main)
