"""A bot that faults, always at the same place of a match: `python faulty.py HOW`.

It leaves at five cards, and strikes at a question whose number comes from its seed: in about two matches of three.
"""

from __future__ import annotations

import json
import os
import signal
import sys

how = sys.argv[1]
asked = strike = 0


def say(message: object) -> None:
    print(json.dumps(message, separators=(",", ":")), flush=True)


if how == "start":
    sys.exit(3)
say({"type": "ready"})
for line in sys.stdin.buffer:
    told = json.loads(line)
    if told["type"] == "match_start":
        strike = 3 + told["seed"] % (30 * told["games"])
    if told["type"] != "decide":
        continue
    asked += 1
    answer = {"type": "decision", "turn": told["turn"], "action": "leave" if len(told["path"]) >= 5 else "continue"}
    if asked == strike:
        match how:
            case "exit":
                sys.exit(7)
            case "signal":
                os.kill(os.getpid(), signal.SIGKILL)
            case "action":
                answer["action"] = "stay"
            case "turn":
                answer["turn"] += 1
            case "message":
                answer = ["hello"]
            case "flood":
                print("\n" * 1100, flush=True)
            case "close":
                os.close(1)
                signal.pause()
            case "burn":
                while True:
                    pass
    say(answer)
