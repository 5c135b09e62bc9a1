"""A bot that misbehaves on request: `python scripted.py BEHAVIOUR`.

It works on raw descriptors, so that a test decides about every byte. Without misbehaviour it leaves once `DEPTH` cards
lie face up. Behaviours that strike at a turn strike at the third question.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from typing import Any, NoReturn

DEPTH = 4
STRIKE = 3

behaviour = sys.argv[1]
fifo = sys.argv[2] if len(sys.argv) > 2 else None
asked = 0
rest = b""


def say(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def hear() -> dict[str, Any] | None:
    global rest
    while b"\n" not in rest:
        chunk = os.read(0, 65536)
        if not chunk:
            return None
        rest += chunk
    line, _, rest = rest.partition(b"\n")
    message: dict[str, Any] = json.loads(line)
    return message


def reply(message: dict[str, Any], action: str | None = None) -> bytes:
    if action is None:
        action = "leave" if len(message["path"]) >= DEPTH else "continue"
    return json.dumps({"type": "decision", "turn": message["turn"], "action": action}, separators=(",", ":")).encode()


def spin() -> NoReturn:
    while True:
        pass


def hang() -> None:
    signal.pause()


def tell_pid() -> None:
    assert fifo is not None
    with open(fifo, "w") as telling:
        telling.write(f"{os.getpid()}\n")


def await_end(pid: int) -> None:
    try:
        ended = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    poller = select.poll()
    poller.register(ended, select.POLLIN)
    poller.poll()


if behaviour == "exits at start":
    sys.stderr.write("no such table\n")
    sys.exit(3)
if behaviour == "silent":
    hang()
if behaviour == "spins at start":
    spin()
if behaviour == "prints before ready":
    say(b"hello, I am a bot\n")
if behaviour == "decides before ready":
    say(b'{"type":"decision","turn":1,"action":"leave"}\n')
if behaviour == "byte order mark":
    say(b"\xef\xbb\xbf")
if behaviour == "closes output at start":
    os.close(1)
    hang()
say(b'{"type":"ready"}\n')
if behaviour == "two readies":
    say(b'{"type":"ready"}\n')

while (message := hear()) is not None:
    kind = message["type"]
    if kind == "game_end" and behaviour == "talks at the end":
        say(b"good game\n")
    if kind == "match_end":
        if behaviour == "ignores the end":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            hang()
        break
    if kind == "expedition_end" and behaviour == "crashes outside" and message["expedition"] == 1:
        os._exit(4)
    if kind != "decide":
        continue
    asked += 1
    answer = reply(message)
    strike = asked == STRIKE
    if behaviour.endswith("after its last decision"):
        # It leaves at once in the last expedition and misbehaves; another seat waits for its end before it goes on.
        if message["expedition"] < message["expeditions"]:
            say(answer + b"\n")
            continue
        tell_pid()
        say(reply(message, "leave") + b"\n")
        if behaviour.startswith("crashes"):
            os._exit(9)
        say(b"good game\n")
        hang()
    if behaviour == "waits for the other's end" and message["expedition"] == message["expeditions"] and fifo:
        with open(fifo, "rb") as told:
            pid = int(told.readline())
        await_end(pid)
        fifo = None
    if behaviour == "tells that it hangs" and strike:
        tell_pid()
        hang()
    if behaviour == "carriage returns":
        say(answer + b"\r\n")
    elif behaviour == "byte by byte":
        for value in answer + b"\n":
            say(bytes([value]))
    elif behaviour == "spaces and order":
        say(json.dumps({"note": ["é", 1.5], "turn": float(message["turn"]), **json.loads(answer)}).encode() + b"\n\n")
    elif behaviour == "answers twice":
        other = "continue" if b"leave" in answer else "leave"
        say(answer + b"\n" + reply(message, other) + b"\n")
    elif behaviour == "stderr flood":
        sys.stderr.write("x" * 40_000)
        sys.stderr.flush()
        say(answer + b"\n")
    elif behaviour == "forks" and strike:
        child = os.fork()
        if child == 0:
            hang()
        say(answer + b"\n")
    elif not strike:
        say(answer + b"\n")
    elif behaviour == "exits with status 0":
        sys.exit(0)
    elif behaviour == "raises":
        raise RuntimeError("index of the last straw")
    elif behaviour == "kills itself":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif behaviour == "exits while a child holds its output":
        subprocess.Popen(["/bin/sleep", "1000"])
        os._exit(7)
    elif behaviour == "closes output":
        os.close(1)
        hang()
    elif behaviour == "closes input":
        os.close(0)
        hang()
    elif behaviour == "hangs":
        hang()
    elif behaviour == "stops itself":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif behaviour == "spins":
        spin()
    elif behaviour == "spins in a child":
        if os.fork() == 0:
            spin()
        hang()
    elif behaviour == "dribbles":
        # Output that never becomes a line must not move the deadline.
        while True:
            say(b" ")
            signal.sigtimedwait([], 0.005)
    elif behaviour == "debugging text":
        say(b"pocket is 7, I'll stay\n" + answer + b"\n")
    elif behaviour == "not a number":
        say(b'{"type":"decision","turn":NaN,"action":"leave"}\n')
    elif behaviour == "a list":
        say(b"[1]\n")
    elif behaviour == "unknown type":
        say(b'{"type":"chat","text":"hi"}\n')
    elif behaviour == "no turn":
        say(b'{"type":"decision","action":"leave"}\n')
    elif behaviour == "too deep":
        say(b'{"type":"decision","x":' + b"[" * 32 + b"]" * 32 + b"}\n")
    elif behaviour == "line without end":
        say(b"[" * 70_000)
        hang()
    elif behaviour == "future turn":
        say(reply({**message, "turn": message["turn"] + 1}) + b"\n")
    elif behaviour == "past turn, then the right one":
        say(reply({**message, "turn": message["turn"] - 1}) + b"\n" + answer + b"\n")
    elif behaviour == "no action":
        say(b'{"type":"decision","turn":%d}\n' % message["turn"])
    elif behaviour == "bad action":
        say(reply(message, "stay") + b"\n")
    elif behaviour == "flood of empty lines":
        say(b"\n" * 1001)
    elif behaviour == "flood of late answers":
        say((reply({**message, "turn": 1}) + b" " * 300 + b"\n") * 900)
    else:
        say(answer + b"\n")
