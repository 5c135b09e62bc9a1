"""Leaves when six cards lie face up. Depth is a surprisingly good measure of both danger and gain."""

import json
import sys

DEPTH = 6


def leaves(decide):
    return len(decide["path"]) >= DEPTH


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
