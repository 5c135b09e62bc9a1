"""What containers hold on this machine, found out by trying."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from sandbox import seccomp
from sandbox.docker_daemon import IMAGE, Daemon
from sandbox.errors import SandboxError

if TYPE_CHECKING:
    from sandbox.probe import Probe

__all__ = ["probe_docker"]

_LAYERS: Final = (
    "capabilities-dropped",
    "cgroup-namespace",
    "container",
    "group-cpu",
    "group-memory",
    "group-processes",
    "ipc-namespace",
    "network-namespace",
    "no-new-privileges",
    "own-uid",
    "pid-namespace",
    "read-only-root",
    "rlimits",
    "scratch-files",
    "scratch-size",
    "seccomp",
    "uts-namespace",
)
"""What is set; which of them hold is found out by trying."""


def probe_docker() -> Probe:
    """What containers hold on this machine, each layer tried in one that is thrown away."""
    from dataclasses import replace

    from sandbox.probe import Probe
    from sandbox.probing import tried
    from sandbox.tiers import tier_of

    try:
        with Daemon() as daemon:
            image = daemon.image(os.environ.get("HARNESS_DOCKER_IMAGE") or IMAGE)
    except SandboxError as error:
        return Probe("docker", "", (), "cpu", (str(error),))
    settings = {"host": daemon.host, "image": image.id, "path": image.path, "init": image.init}
    missing: dict[str, str] = {}
    layers = set(_LAYERS)
    if (reason := seccomp.unavailable()) is not None:
        layers.discard("seccomp")
        missing["seccomp"] = reason
    if os.geteuid() != 0:
        layers.discard("own-uid")
        missing["own-uid"] = "programs run under this user's id: only root can give each one of its own"
    candidate = Probe("docker", "full", tuple(sorted(layers)), "cpu", (), settings)
    held = tried(candidate)
    if "layers" not in held:
        missing["group-cpu"] = f"CPU time is not known, so time is counted by the clock on the wall: {held['failure']}"
        candidate = replace(candidate, layers=tuple(sorted(layers - {"group-cpu"})), clock="wall")
        held = tried(candidate)
        if "layers" not in held:
            return replace(candidate, tier="", layers=(), missing=(held["failure"],))
    found = tuple(sorted((set(held["layers"]) | {"container"}) & set(candidate.layers)))
    missing |= {layer: held["missing"][layer] for layer in candidate.layers if layer in held["missing"]}
    sentences = tuple(dict.fromkeys(missing[layer] for layer in missing if layer not in found))
    return replace(candidate, tier=tier_of(found), layers=found, missing=sentences)
