"""What the landlock backend can enforce on this machine."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from sandbox import seccomp
from sandbox.cgroups import Groups, find_groups
from sandbox.jail_root import interpreter_prefix
from sandbox.landlock_trials import TRIED
from sandbox.probe import Probe, unusable
from sandbox.probing import tried
from sandbox.tiers import tier_of

__all__ = ["probe_landlock"]

_WISHED: Final = ("own-uid", "seccomp", "scratch-size", "scratch-files", "group-memory", "group-processes", "group-cpu")
"""What may be left out; the rest is always set."""

_WITHOUT: Final = {
    "own-uid": "programs have no users of their own",
    "scratch-files": "the scratch folder is not limited",
    "scratch-size": "the scratch folder is not limited",
}
"""How it is told that what could be left out is left out."""

_MISSING: Final = {
    "landlock-files": "Landlock does not guard all files: truncation needs a kernel 6.2 or later",
    "landlock-network": "Landlock does not guard TCP: that needs a kernel 6.7 or later",
    "landlock-scopes": "Landlock does not keep programs from signalling others: that needs a kernel 6.12 or later",
}


def probe_landlock() -> Probe:
    """What the landlock backend holds here."""
    if (reason := _unavailable()) is not None:
        return unusable("landlock", reason)
    missing: dict[str, str] = {}
    settings: dict[str, str] = {}
    layers = set(_WISHED)
    groups = find_groups()
    if isinstance(groups, Groups):
        settings |= groups.to_settings()
        short = {f"group-{word}" for word in ("memory", "processes", "cpu") if word not in groups.controllers}
        missing |= dict.fromkeys(sorted(short), "; ".join(groups.missing))
    else:
        missing |= dict.fromkeys(("group-cpu", "group-memory", "group-processes"), groups)
    if (reason := seccomp.unavailable()) is not None:
        missing["seccomp"] = reason
    if (reason := _no_own_user()) is not None:
        missing["own-uid"] = reason
    layers -= missing.keys()
    scratch = {"scratch-size", "scratch-files"}
    before: set[frozenset[str]] = set()
    failures: list[str] = []
    for without in (set[str](), scratch, {"own-uid"}, {"own-uid", *scratch}):
        wanted = frozenset(layers - without)
        if wanted in before:
            continue
        before.add(wanted)
        candidate = Probe("landlock", "confined", tuple(sorted(wanted)), "cpu", (), settings)
        held = tried(candidate)
        if "layers" in held:
            told = {layer: f"{_WITHOUT[layer]}: {failures[-1]}" for layer in sorted(without - missing.keys())} | missing
            return _found(candidate, set(held["layers"]), told)
        failures.append(held["failure"])
    return unusable("landlock", failures[-1])


def _found(candidate: Probe, held: set[str], missing: dict[str, str]) -> Probe:
    """The candidate with what holds of it."""
    found = tuple(sorted(held))
    for layer in (*TRIED, *_WISHED):
        missing.setdefault(layer, _MISSING.get(layer, f"{layer} was set and does not hold when tried"))
    reasons = (missing[layer] for layer in missing if layer not in held and missing[layer])
    sentences = (
        "there are no namespaces: a program sees that the machine's files and processes are there, without reaching "
        "them",
        *dict.fromkeys(reasons),
    )
    return replace(candidate, tier=tier_of(found), layers=found, missing=sentences)


def _unavailable() -> str | None:
    """Why there is no Landlock here and what to do about it."""
    try:
        from py_landlock import LandlockError, get_abi_version
    except ImportError:
        return "the package py-landlock is missing: pip install py-landlock"
    try:
        get_abi_version()
    except LandlockError:
        return "this kernel has no Landlock: use one of 5.13 or later, with landlock among its security modules (lsm=)"
    return None


def _no_own_user() -> str | None:
    """Why programs can't have users of their own; None if it can be tried."""
    if os.geteuid() != 0:
        return "programs run under this user's id: only root can give each one of its own"
    from sandbox.landlock_rules import unreachable

    prefix = interpreter_prefix()
    shut = None if prefix is None else unreachable(Path(prefix))
    if shut is not None:
        return f"programs run as root: the Python that they need can't be reached by other users; chmod o+x {shut}"
    return None
