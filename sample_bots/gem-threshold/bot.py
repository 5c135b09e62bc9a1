"""Leaves with nine rubies in the pocket, however safe the cave looks."""

import json
import sys

ENOUGH = 9


def leaves(decide):
    return decide["pocket"] >= ENOUGH


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
