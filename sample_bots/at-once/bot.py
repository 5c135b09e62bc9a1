"""Goes home at its first decision: it never loses a ruby, and hardly ever wins."""

import json
import sys


def leaves(_decide):
    return True


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
