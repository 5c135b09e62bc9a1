"""What most authors write first: it reads each line as JSON, and continues."""

from __future__ import annotations

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        print(json.dumps({"type": "decision", "turn": message["turn"], "action": "continue"}), flush=True)
