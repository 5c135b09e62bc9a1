"""Tries hostile programs under a backend and judges, by witnesses, which of them it stops.

Run as `python -m sandbox.trial` it is a process that tries those named on stdin and says its verdicts on stdout, a line
each: whoever asks is not there when something gets through.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from sandbox.attacks import Attack, attacks
from sandbox.attacks.jailed import ADMITTED
from sandbox.errors import SandboxError
from sandbox.limits import Limits
from sandbox.orphans import become_subreaper
from sandbox.probe import Backend, Probe, backend
from sandbox.process import Process
from sandbox.scratch import scratch_folder
from sandbox.trial_grounds import Grounds, grounds

__all__ = ["Verdict", "attacks", "run_attack", "try_attacks"]

LIMITS: Final = Limits(memory_mb=64, processes=32, disk_mb=8, files=256, open_files=64)
"""Small, so that what goes beyond them does no harm where nothing holds it."""

_ANSWER_S = 20.0
"""How long a program may take to answer on a busy machine; they are done in less than a tenth of that."""
_END_S = 5.0
_LAST_WORDS_S = 2.0
_VERDICT_S = 90.0
_MOST_SAID = 1 << 20
_BILLED = 0.9
"""The share of what was burnt that must be on the bill."""
_PIPE_BYTES = 1 << 16
_F_GETPIPE_SZ = 1032


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one attack under one backend; `how` is told by a witness, or by the program if it was refused."""

    attack: str
    stopped: bool
    how: str


@dataclass(slots=True)
class _Played:
    """What one program said and did."""

    said: str = ""
    answer: Mapping[str, Any] | None = None
    billed_us: int = 0
    heard: bytes = b""
    silent: bool = False
    ended: str = ""
    breached: bool = False
    wrong: tuple[str, ...] = ()


def run_attack(
    attack: Attack, within: Backend, place: Path, *, elsewhere: Callable[[], Backend] | None = None
) -> Verdict:
    """Try one attack; SandboxError if it can't be tried. For a process that does nothing else.

    `place` is a folder that all may enter. Two partners are tried as the bots of one match, and with `elsewhere`, which
    opens the backend in another process, as those of two.
    """
    limits = replace(LIMITS, **attack.limits)
    if attack.partners == 1:
        return _tried(attack, within, place, limits)
    verdict = _tried_channel(attack, within, place, limits, None)
    if verdict.stopped and elsewhere is not None:
        verdict = _tried_channel(attack, within, place, limits, elsewhere)
    return verdict


def try_attacks(probe: Probe, chosen: Sequence[Attack], *, jobs: int = 2) -> Iterator[Verdict]:
    """Try attacks under the backend that was found, in processes of their own, in the order in which they are done."""
    # Not the order of names: those that wait for something are all called alike.
    waiting = [[attack.name for attack in chosen[first::jobs]] for first in range(min(jobs, len(chosen)))]
    workers: list[_Worker] = []
    try:
        workers += [_Worker(probe, names) for names in waiting]
        while workers:
            ready, _, _ = select.select(workers, [], [], 1.0)
            now = time.monotonic()
            for worker in list(workers):
                if worker in ready and (verdict := worker.verdict()) is not None:
                    yield verdict
                elif worker in ready or now > worker.due:
                    worker.close()
                    workers.remove(worker)
                    if worker.names:
                        yield Verdict(worker.names[0], False, worker.end())
                        if worker.names[1:]:
                            workers.append(_Worker(probe, worker.names[1:]))
    finally:
        for worker in workers:
            worker.close()


class _Worker:
    """A process that tries attacks one after the other."""

    def __init__(self, probe: Probe, names: Sequence[str]) -> None:
        self.names = list(names)
        self.due = time.monotonic() + _VERDICT_S
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sandbox.trial"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # its group is what an attack is told to signal
        )
        self._errors = b""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin as stdin:
            stdin.write(json.dumps({"probe": probe.to_json(), "attacks": self.names}).encode())
        self._process.stdin = None  # or it would be flushed once more

    def fileno(self) -> int:
        """What turns readable with a verdict."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def verdict(self) -> Verdict | None:
        """The next; None at the end."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return None
        self.due = time.monotonic() + _VERDICT_S
        self.names.pop(0)
        return Verdict(**json.loads(line))

    def end(self) -> str:
        """Why there was no verdict."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f"the process that tried it ended{': ' + lines[-1] if lines else ''}"

    def close(self) -> None:
        """Kill it, with all that it has started."""
        self._process.kill()
        self._errors = self._process.communicate()[1] or b""


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
    attack: Attack, within: Backend, place: Path, limits: Limits, elsewhere: Callable[[], Backend] | None
) -> Verdict:
    with grounds(place, attack, limits) as ground:
        number = 2 * (1 + secrets.randbelow((1 << 15) - 1))
        targets = [ground.target(role="send", number=number), ground.target(role="receive")]
        played, wrong = _run(within, ground, targets, elsewhere)
        sent, received = (one.answer or {} for one in played)
        where = "another match" if elsewhere else "the same match"
        if received.get("number") == number:
            wrong.append(f"{number} was passed on to {where}")
        missing = next((one.ended for one in played if one.answer is None), "")
        how = str(sent.get("what") or received.get("what") or missing or "nothing arrives")
        return _verdict(attack, wrong, how)


def _verdict(attack: Attack, wrong: Sequence[str], otherwise: str) -> Verdict:
    how = "; ".join(dict.fromkeys(wrong)) if wrong else otherwise
    return Verdict(attack.name, not wrong, " ".join(how.split())[:1000])


def _run(
    within: Backend, ground: Grounds, targets: Sequence[str], elsewhere: Callable[[], Backend] | None = None
) -> tuple[list[_Played], list[str]]:
    """Start the programs, hear them, end them; and what the witnesses saw of it, now that all should be gone."""
    wrong: list[str] = []
    played: list[_Played] = []
    try:
        with contextlib.ExitStack() as stack:
            far = _Far(elsewhere, ground, targets[-1]) if elsewhere is not None else None
            near = targets if far is None else targets[:-1]
            started = [_started(within, ground, target, stack) for target in near]
            if far is not None:
                stack.callback(far.close)
            _hear(started, played)
            for process, one in zip(started, played, strict=True):
                wrong += _closed(process, one, ground.limits, last=process is started[-1] and far is None)
            if far is not None:
                played.append(far.heard())
    except SandboxError as error:
        if not played:
            raise
        wrong.append(f"it can't be cleaned away: {error}")
    for one in played:
        wrong += one.wrong
    wrong += ground.traces()
    return played, wrong


def _started(within: Backend, ground: Grounds, target: str, stack: contextlib.ExitStack) -> Process:
    scratch = stack.enter_context(scratch_folder(ground.homes / "scratch", ground.limits))
    module = f"sandbox.attacks.{ground.attack}"
    command = ["python3", "-B", "-E", "-S", "-m", module, ADMITTED, target]
    process = within.start(command, folder=ground.folder, scratch=scratch, limits=ground.limits)
    stack.callback(process.close)
    return process


def _hear(started: Sequence[Process], played: list[_Played]) -> None:
    """Take all that the programs say until the last has answered or ended; the others only serve it."""
    played += [_Played() for _ in started]
    poll = select.poll()
    owners: dict[int, int] = {}
    for number, process in enumerate(started):
        for descriptor in (process.stdout, process.stderr, process.exit_fd):
            poll.register(descriptor, select.POLLIN)
            owners[descriptor] = number
    end = time.monotonic() + _ANSWER_S
    while time.monotonic() < end and played[-1].answer is None and not played[-1].ended:
        for descriptor, _ in poll.poll(100):
            process, one = started[owners[descriptor]], played[owners[descriptor]]
            if descriptor == process.stderr:
                if not process.read_stderr():
                    poll.unregister(descriptor)
                continue
            chunk = process.read()
            if chunk:
                _understand(one, chunk, process)
            elif chunk == b"" and descriptor == process.stdout:
                poll.unregister(descriptor)
                one.silent = True
            elif descriptor == process.exit_fd:
                # What it said last may come after its end, and who holds its stdout may keep that open.
                poll.unregister(descriptor)
                if process is started[-1]:
                    end = min(end, time.monotonic() + _LAST_WORDS_S)
            if one.silent and process.ended() is not None:
                one.ended, one.breached = _end_of(process)
    for process, one in zip(started, played, strict=True):
        if one.answer is None and not one.ended and process.ended() is not None:
            one.ended, one.breached = _end_of(process)


def _understand(one: _Played, chunk: bytes, process: Process) -> None:
    """Take what a program said next; its answer is a line that is an object in JSON, and the bill is of that moment."""
    one.heard = (one.heard + chunk)[-_MOST_SAID:]
    one.said = one.heard.decode("utf-8", "replace")
    for line in one.said.split("\n")[:-1]:
        if line.startswith("{"):
            with contextlib.suppress(ValueError):
                one.answer = json.loads(line)
    if one.answer is not None and not one.billed_us:
        one.billed_us = process.cpu_us(fresh=True)


def _end_of(process: Process) -> tuple[str, bool]:
    """How a program ended, and whether that was by a limit."""
    breach = process.breach()
    if breach is not None:
        return f"{breach.kind}: {breach.evidence}", True
    status = process.ended()
    return f"killed by signal {-status}" if status is not None and status < 0 else f"exit status {status}", False


def _closed(process: Process, one: _Played, limits: Limits, *, last: bool) -> list[str]:
    """End a program, and what is wrong with it at its end; the last was waited for."""
    wrong: list[str] = []
    poll = select.poll()
    poll.register(process.exit_fd, select.POLLIN)
    if one.answer is not None and "sent" not in one.answer:
        end = time.monotonic() + _END_S
        while process.read_stderr() and not poll.poll(20) and time.monotonic() < end:
            continue
        if not poll.poll(0):
            wrong.append("its end is not noticed")
    wrong += _switched(process)
    status = process.close()
    text = process.errors.text()
    one.said += text
    if len(text) > limits.stderr_kb * 1024 + 100:
        wrong.append(f"{len(text)} characters of stderr are kept")
    if one.answer is not None or not last:
        return wrong
    if not one.ended:
        wrong.append(f"it did not answer within {_ANSWER_S:.0f} s")
    elif status is not None and status >= 0 and not one.breached:
        # Nothing was tried that way. Of memory a program may run short before it can say so.
        *_, why = ["", *text.strip().splitlines()]
        if not why.startswith("MemoryError"):
            wrong.append(f"the program itself failed: {one.ended}: {why}")
    return wrong


def _switched(process: Process) -> Iterator[str]:
    """What a program may have done to the referee's ends of its pipes."""
    for descriptor in (process.stdin, process.stdout, process.stderr):
        if descriptor >= 0:
            if os.get_blocking(descriptor):
                yield "a pipe of the referee is switched to another mode"
            with contextlib.suppress(OSError):  # it is a socket
                if fcntl.fcntl(descriptor, _F_GETPIPE_SZ) > _PIPE_BYTES:
                    yield "a pipe of the referee is made larger"


class _Far:
    """The receiver of a channel in a process of its own, as in another match."""

    def __init__(self, elsewhere: Callable[[], Backend], ground: Grounds, target: str) -> None:
        self._end, say = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.close(self._end)
                os.write(say, json.dumps(_heard_elsewhere(elsewhere, ground, target)).encode())
            finally:
                os._exit(0)
        os.close(say)

    def heard(self) -> _Played:
        """What it got."""
        data = b""
        poll = select.poll()
        poll.register(self._end, select.POLLIN)
        while poll.poll(2000 * _ANSWER_S) and (piece := os.read(self._end, 65536)):
            data += piece
        if not data:
            raise SandboxError("the process that stands for another match has failed")
        told = json.loads(data)
        return _Played(**{**told, "heard": b"", "wrong": tuple(told["wrong"])})

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            os.kill(self._pid, 9)
            os.waitpid(self._pid, 0)
        os.close(self._end)


def _heard_elsewhere(elsewhere: Callable[[], Backend], ground: Grounds, target: str) -> dict[str, Any]:
    within = elsewhere()
    become_subreaper()
    within.enter()
    played: list[_Played] = []
    with contextlib.ExitStack() as stack:
        process = _started(within, ground, target, stack)
        _hear([process], played)
        played[0].wrong = tuple(_closed(process, played[0], ground.limits, last=True))
    return asdict(played[0]) | {"heard": ""}


def _main() -> None:
    given = json.load(sys.stdin)
    probe = Probe.from_json(given["probe"])
    known = {attack.name: attack for attack in attacks()}
    become_subreaper()
    within = backend(probe)
    within.enter()
    with tempfile.TemporaryDirectory(prefix="harness-trial-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        for name in given["attacks"]:
            verdict = run_attack(known[name], within, place, elsewhere=lambda: backend(probe))
            print(json.dumps(asdict(verdict)), flush=True)  # noqa: T201


if __name__ == "__main__":
    _main()
