"""Leaves when one more card would lose at least as much as it would bring, on average.

A deadly card costs the whole pocket; a treasure brings what is left after sharing it with everyone who is inside now.
Both sides carry the same 1 / deck size, so counting cards is enough.
"""

import json
import sys


def leaves(decide):
    explorers = len(decide["inside"])
    deadly = sum(decide["deck_hazards"][kind] for kind in decide["hazards_up"])
    gain = sum(treasure // explorers for treasure in decide["deck_treasures"])
    return decide["pocket"] * deadly >= gain


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
