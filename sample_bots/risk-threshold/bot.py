"""Leaves when the next card ends the expedition with a chance of more than 15 %.

A card is deadly if another of its kind is face up already; every question tells how many copies are still face down.
"""

import json
import sys

RISK = 0.15


def leaves(decide):
    deadly = sum(decide["deck_hazards"][kind] for kind in decide["hazards_up"])
    return deadly / decide["deck_size"] > RISK


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
