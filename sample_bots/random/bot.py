"""Leaves one time in five, by the roll that comes with every question: the same match plays the same way again."""

import json
import sys

CHANCE = 0.2


def leaves(decide):
    return decide["roll"] < CHANCE


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
