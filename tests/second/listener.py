"""A bot that writes each line it gets to a file: `python listener.py FILE [QUESTION]`.

It leaves by chance, by its roll, and answers its question of that number with an action that there is not.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

asked = 0
strike = int(sys.argv[2]) if len(sys.argv) > 2 else 0
with Path(sys.argv[1]).open("wb", buffering=0) as heard:
    print('{"type":"ready"}', flush=True)
    for line in sys.stdin.buffer:
        heard.write(line)
        message = json.loads(line)
        if message["type"] == "decide":
            asked += 1
            action = "stay" if asked == strike else "leave" if message["roll"] < 0.25 else "continue"
            print(json.dumps({"type": "decision", "turn": message["turn"], "action": action}), flush=True)
