"""Reads what /sys and /dev say of the machine's disks, network, firmware and kernel.

Known by: a folder of them can be listed.
"""

from __future__ import annotations

import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, open_any

STOPPED_BY = ("read-only-root", "landlock-files")

_FOLDERS = (
    "/sys/block",
    "/sys/bus/pci",
    "/sys/class/net",
    "/sys/class/dmi/id",
    "/sys/devices/system/cpu",
    "/sys/firmware",
    "/sys/kernel",
    "/sys/module",
    "/sys/power",
    "/sys/fs/cgroup/unified",
    "/dev/disk",
    "/dev/mapper",
    "/dev/input",
    "/dev/kvm",
    "/dev/vda",
    "/dev/mem",
    "/dev/fuse",
    "/dev/net/tun",
    "/dev/loop-control",
    "/dev/vhost-vsock",
    "/dev/vsock",
)


def _look(path: str) -> str:
    if os.path.isdir(path):
        names = os.listdir(path)
        if not names:
            raise OSError(0, "is empty")
        return " ".join(names[:5])
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    return "can be opened"


def main(target: Target) -> str:
    """Look at each."""
    return open_any((path, partial(_look, path)) for path in _FOLDERS)


if __name__ == "__main__":
    attack(main)
