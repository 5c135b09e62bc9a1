"""What bubblewrap can enforce on this machine."""

from __future__ import annotations

import os
from dataclasses import replace

from sandbox import seccomp
from sandbox.bubblewrap import bubblewrap_programs
from sandbox.cgroups import Groups, find_groups
from sandbox.probe import Probe, unusable
from sandbox.probing import TRIED, tried
from sandbox.tiers import tier_of

__all__ = ["probe_bubblewrap"]


def probe_bubblewrap() -> Probe:
    """Try each binary that there is with all its layers, then with fewer."""
    programs = bubblewrap_programs()
    if not programs:
        return unusable("bubblewrap", "there is no bubblewrap: apt-get install bubblewrap")
    settings: dict[str, str] = {}
    missing: dict[str, str] = {}
    wished = ["scratch-files", "scratch-size"]
    groups = find_groups()
    if isinstance(groups, Groups):
        settings |= groups.to_settings()
        wished += ["group-cpu", "group-memory", "group-processes"]
        if groups.missing:
            missing |= dict.fromkeys(("group-memory", "group-processes"), "; ".join(groups.missing))
    else:
        missing |= dict.fromkeys(("group-cpu", "group-memory", "group-processes"), groups)
    if (reason := seccomp.unavailable()) is None:
        wished.append("seccomp")
    else:
        missing["seccomp"] = reason
    if os.geteuid() == 0:
        wished.append("own-uid")
    else:
        missing["own-uid"] = "programs run under this user's id: only root can give each one of its own"
    reasons: list[str] = []
    for program in programs:
        for without in ((), ("own-uid",), ("own-uid", "scratch-files")):
            layers = tuple(layer for layer in wished if layer not in without)
            candidate = Probe("bubblewrap", "full", layers, "cpu", (), {**settings, "bwrap": program})
            held = tried(candidate)
            if "layers" not in held:
                reasons.append(f"{program}: {held['failure']}")
                continue
            found = tuple(sorted(held["layers"]))
            told = held["missing"] | missing | {layer: reasons[-1] for layer in without if reasons}
            tier = tier_of(found)
            if tier in ("full", "isolated"):
                sentences = tuple(dict.fromkeys(told[layer] for layer in told if layer not in found))
                return replace(candidate, tier=tier, layers=found, missing=sentences)
            lacking = sorted(set(TRIED) - set(found))
            reasons.append(f"{program}: these layers do not hold: {', '.join(lacking)}")
    return unusable("bubblewrap", reasons[-1])
