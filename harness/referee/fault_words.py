"""The kinds of fault in plain words: what happened, and what its author should mend."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = [
    "exit_in_words",
    "fault_words",
    "happened",
    "limits_of",
    "mend",
    "milliseconds",
    "process_in_words",
    "time_in_words",
]

WORDS: Mapping[str, tuple[str, str]] = {
    "start-failed": (
        "it could not be run, or ended before it said ready",
        "run the bot's command by hand in its folder: it must start, print a ready line and stay",
    ),
    "start-timeout": (
        "it did not say ready within the start allowance",
        'print {"type":"ready"} and flush before loading anything slow, or load less',
    ),
    "timeout": (
        "it ran out of time",
        "answer within move_ms of CPU time, flush after each line, and wait for nothing but the next line of stdin",
    ),
    "crashed": (
        "it ended in the middle of the match",
        "its stderr says why; it must read on until match_end or the end of its stdin",
    ),
    "closed-output": (
        "it closed its stdout but went on running",
        "keep stdout open to the end of the match",
    ),
    "bad-message": (
        "it wrote something that is no message of the protocol",
        "write one JSON object a line to stdout and nothing else; print debugging text to stderr",
    ),
    "bad-turn": (
        "it answered a turn that it had not been asked",
        "copy `turn` from the question into the answer",
    ),
    "bad-action": (
        "its decision was neither to continue nor to leave",
        'set `action` to "continue" or "leave"',
    ),
    "output-flood": (
        "it wrote too much to stdout",
        "write one line a question; print debugging text to stderr",
    ),
    "memory": ("it used more memory than allowed", "use less memory than memory_mb"),
    "processes": ("it started more processes than allowed", "start fewer processes and threads than `processes`"),
    "disk": ("it wrote more to its scratch folder than allowed", "write less than disk_mb, or clean up"),
}
"""By kind what happened and what to mend. The kinds are the contract's ("Faults"); a newer one is shown by its name."""


_STARTING = ("start-failed", "start-timeout")
_PLAYING_LIMITS = ("move_ms", "bank_ms", "stall_ms", "wait_ms")
_GONE = ("crashed", "start-failed")
"""Kinds that say that the process is gone: no status means that the referee ended it."""


def happened(kind: str) -> str:
    """What a fault of that kind is, as a clause about the bot."""
    return WORDS[kind][0] if kind in WORDS else f"fault of kind {kind}"


def mend(kind: str) -> str:
    """What the bot's author should do about it; empty for a kind that is not known here."""
    return WORDS[kind][1] if kind in WORDS else ""


def exit_in_words(status: int | None) -> str:
    """How the process ended: a status, the name of a signal, or that the referee ended it."""
    if status is None:
        return "ended by the referee"
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def process_in_words(fault: Mapping[str, Any]) -> str:
    """How the process of a fault ended; empty where that tells nothing, since it was running on."""
    return exit_in_words(fault["exit"]) if fault["exit"] is not None or fault["kind"] in _GONE else ""


def milliseconds(microseconds: int) -> str:
    """A time for people: `12.3 ms`, `4.56 s`."""
    if microseconds < 1_000_000:
        return f"{microseconds / 1000:.1f} ms"
    return f"{microseconds / 1_000_000:.2f} s"


def time_in_words(fault: Mapping[str, Any], limits: Mapping[str, Any]) -> str:
    """The time used since the question, beside the limits that it is held to."""
    used = f"{milliseconds(fault['cpu_us'])} of CPU time, {milliseconds(fault['wall_us'])} by the clock"
    return f"{used}; allowed: {limits_of(fault['kind'], limits)}"


def limits_of(kind: str, limits: Mapping[str, Any]) -> str:
    """The limits of time that a fault of that kind is held to."""
    if kind in _STARTING:
        return f"start_ms {limits['start_ms']} of CPU time, three times that by the clock"
    return ", ".join(f"{name} {limits[name]}" for name in _PLAYING_LIMITS)


def fault_words(kinds: Iterable[str]) -> dict[str, Any]:
    """The same words for a program that can't call this one: texts whose `{name}` is to be filled in.

    By kind what happened, what to mend, the limits it is held to, and whether the process is gone; the entry "" is for
    a kind that is not among `kinds`. And the names of signals by number.
    """
    named = {name: f"{{{name}}}" for name in ("start_ms", *_PLAYING_LIMITS)}
    return {
        "kinds": {kind: [happened(kind), mend(kind), limits_of(kind, named), kind in _GONE] for kind in kinds}
        | {"": [happened("{kind}"), "", limits_of("", named), False]},
        "signals": {int(one): one.name for one in signal.Signals},
    }
