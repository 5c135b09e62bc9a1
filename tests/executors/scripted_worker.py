"""A worker that plays nothing: each job does what the name of its first bot says. Run with the life line's number."""

import os
import select
import signal
import subprocess
import sys
from collections import deque
from pathlib import Path

from harness.executors.wire import Unpacker, pack

if len(sys.argv) > 2:
    print("Traceback of a worker\nno module named nonsense", file=sys.stderr)
    sys.exit(1)


def say(message: dict) -> None:
    os.write(1, pack(message))


def play(job: dict) -> None:
    word = job["fixture"]["seats"][0][0]
    folder = Path(job["homes"][0]["folder"])
    first = not (folder / "tried").exists()
    if word.endswith("-once"):
        (folder / "tried").touch()
        if not first:
            word = "plays"
    if word.startswith("waits"):
        (folder / "go").read_text()
    if word == "dies-if-again":
        word = "plays" if first else "dies"
        (folder / "tried").touch()
    if word.startswith(("dies", "waits-and-dies")):
        os.kill(os.getpid(), signal.SIGKILL)
    if word.startswith("stops"):
        os.kill(os.getpid(), signal.SIGSTOP)
    if word.startswith("orphans"):
        child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        (folder / "orphan").write_text(str(child.pid))
        os.kill(os.getpid(), signal.SIGKILL)
    if word.startswith("fails"):
        say({"id": job["id"], "failure": "no space left"})
        return
    if word == "hangs":
        with (folder / "started").open("w") as fifo:
            fifo.write("x")
        select.select([int(sys.argv[1])], [], [])
        sys.exit(0)
    if word.startswith("ignores"):
        with (folder / "started").open("w") as fifo:
            fifo.write("x")
        select.select([], [], [])
    say({"id": job["id"], "record": {"number": job["fixture"]["number"], "pid": os.getpid()}, "stderr": [word]})


def take_in(chunk: bytes) -> None:
    global deaf
    for message in unpacker.feed(chunk):
        if "scratch" in message:
            continue
        if "take_back" not in message:
            held.append(message)
            deaf = deaf or "deaf" in message["fixture"]["seats"][0][0]
        elif not deaf:
            next(job for job in held if job["id"] == message["take_back"])["taken_back"] = True


unpacker = Unpacker()
held: deque[dict] = deque()
deaf = False  # as if each match had been begun before it was taken back
say({"ready": os.getpid()})
while True:
    while select.select([0], [], [], 0 if held else None)[0]:
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit(0)
        take_in(chunk)
    job = held.popleft()
    if "taken_back" in job:
        say({"id": job["id"], "taken_back": True})
    else:
        play(job)
