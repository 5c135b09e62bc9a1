"""Judges by witnesses which hostile programs a backend stops."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from sandbox.attacks import Attack
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.probe import Backend
from sandbox.process import Process
from sandbox.trial_grounds import Grounds, grounds
from sandbox.trial_partner import Partner
from sandbox.trial_program import Part, Played, closed, hear, started

__all__ = ["Verdict", "run_attack"]

LIMITS: Final = Limits(memory_mb=64, processes=32, disk_mb=8, files=256, open_files=64)
"""Small, so that what goes beyond them does no harm where nothing holds it."""

_BILLED = 0.9
"""The share of what was burnt that must be on the bill."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one attack under one backend; `how` is told by a witness, or by the program if it was refused."""

    attack: str
    stopped: bool
    how: str


def run_attack(attack: Attack, within: Backend, place: Path, *, elsewhere: Partner | None = None) -> Verdict:
    """Try one attack; SandboxError if it can't be tried. For a process that does nothing else.

    `place` is a folder that all may enter. Two partners are tried as the bots of one match, with `elsewhere` also as
    those of two.
    """
    limits = replace(LIMITS, **attack.limits)
    if attack.partners == 1:
        return _tried(attack, within, place, limits)
    verdict, sent = _tried_channel(attack, within, place, limits, None)
    # A sender that is refused is so wherever its receiver may be.
    if verdict.stopped and sent and elsewhere is not None:
        verdict, _ = _tried_channel(attack, within, place, limits, elsewhere)
    return verdict


def _tried(attack: Attack, within: Backend, place: Path, limits: Limits) -> Verdict:
    with grounds(place, attack, limits) as ground:
        played, wrong = _run(within, ground, [ground.target()])
        first = played[0]
        wrong += ground.leaks(first.said)
        answer = first.answer
        if "burnt_us" in (answer or {}):
            assert answer is not None
            burnt = int(answer["burnt_us"])
            if within.clock != "cpu" or first.billed_us < _BILLED * burnt:
                wrong.append(f"{first.billed_us} of {burnt} us are billed")
            return _verdict(attack, wrong, f"{first.billed_us} us are billed, {burnt} were burnt")
        if answer is None:
            return _verdict(attack, wrong, first.ended)
        if answer.get("through"):
            wrong.append(str(answer["what"]))
        return _verdict(attack, wrong, str(answer.get("what") or "no witness saw anything"))


def _tried_channel(
    attack: Attack, within: Backend, place: Path, limits: Limits, elsewhere: Partner | None
) -> tuple[Verdict, bool]:
    """The verdict on a channel, and whether the sender could send.

    That nothing was heard says nothing where nothing was sent: a sender must send or be refused.
    """
    with grounds(place, attack, limits) as ground:
        number = 2 * (1 + secrets.randbelow((1 << 15) - 1))
        targets = [ground.target(role="send", number=number), ground.target(role="receive")]
        played, wrong = _run(within, ground, targets, elsewhere)
        sent, received = (one.answer or {} for one in played)
        where = "another match" if elsewhere else "the same match"
        if received.get("number") == number:
            wrong.append(f"{number} was passed on to {where}")
        elif played[0].answer is not None and not sent.get("sent") and "what" not in sent:
            wrong.append("the sender neither sent nor was it refused")
        missing = next((one.ended for one in played if one.answer is None), "")
        how = str(sent.get("what") or received.get("what") or missing or "nothing arrives")
        return _verdict(attack, wrong, how), bool(sent.get("sent"))


def _verdict(attack: Attack, wrong: Sequence[str], otherwise: str) -> Verdict:
    how = "; ".join(dict.fromkeys(wrong)) if wrong else otherwise
    return Verdict(attack.name, not wrong, " ".join(how.split())[:1000])


def _run(
    within: Backend, ground: Grounds, targets: Sequence[str], elsewhere: Partner | None = None
) -> tuple[list[Played], list[str]]:
    """Start the programs, hear them, end them; and what the witnesses saw of it, now that all should be gone."""
    wrong: list[str] = []
    played: list[Played] = []
    parts = [Part(ground.attack, target, ground.homes, ground.limits) for target in targets]
    try:
        with contextlib.ExitStack() as stack:
            processes: list[Process] = []
            for part in parts if elsewhere is None else parts[:-1]:
                # One after the other: a receiver listens for no longer than it takes a sender to start where much runs.
                processes.append(started(within, part, stack))
                played.append(Played())
                hear(processes, played)
            if elsewhere is not None:
                played.append(elsewhere.play(parts[-1]))
            for process, one in zip(processes, played, strict=False):
                wrong += closed(process, one, ground.limits)
    except SandboxError as error:
        if len(played) < len(targets):
            raise
        wrong.append(f"it can't be cleaned away: {error}")
    for one in played:
        wrong += one.wrong
    wrong += ground.traces()
    return played, wrong
