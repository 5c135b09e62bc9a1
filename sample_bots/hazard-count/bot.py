"""Leaves when three kinds of hazard lie face up, whatever is in the pocket."""

import json
import sys

ENOUGH = 3


def leaves(decide):
    return len(decide["hazards_up"]) >= ENOUGH


def main():
    print('{"type":"ready"}', flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "match_end":
            break
        if kind == "decide":
            action = "leave" if leaves(message) else "continue"
            print(f'{{"type":"decision","turn":{message["turn"]},"action":"{action}"}}', flush=True)


if __name__ == "__main__":
    main()
