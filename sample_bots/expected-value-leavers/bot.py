"""Leaves when going home now is worth at least as much as going home one card later, others leaving as they tend to.

LEAVE[d] is how many in a hundred leave when d face-down cards are deadly, from a trained equilibrium of four players.
All sums are whole numbers (chances in hundredths to the power of how many may leave): no rounding decides a close call.
"""

import json
import sys

LEAVE = (4, 6, 8, 13, 15, 21, 22, 27, 27, 31, 31)


def binomial(others, percent):
    """Of ``others``, how likely 0, 1, 2, … leave, in units of 100 ** -others."""
    row = [1]
    for _ in range(others):
        row = [stay * (100 - percent) + go * percent for stay, go in zip([*row, 0], [0, *row], strict=True)]
    return row


CHANCES = [[binomial(others, percent) for others in range(8)] for percent in LEAVE]


def chances(others, deadly):
    return CHANCES[min(deadly, 10)][others]


def home(pocket, path, relics, others, deadly):
    """What leaving is worth: the pocket, a share of the path, the relics if nobody else leaves; times 100 ** others."""
    odds = chances(others, deadly)
    return pocket * 100**others + odds[0] * relics + sum(p * (path // (k + 1)) for k, p in enumerate(odds))


def one_card_later(decide, path, relics, others, deadly):
    """What leaving after the next card is worth, summed over all face-down cards; times 100 ** others."""
    pocket, explorers = decide["pocket"], others + 1
    total = 0  # a deadly card adds nothing
    for value in decide["deck_treasures"]:
        total += home(pocket + value // explorers, path + value % explorers, relics, others, deadly)
    for kind, copies in decide["deck_hazards"].items():
        if copies and kind not in decide["hazards_up"]:
            total += copies * home(pocket, path, relics, others, deadly + copies - 1)
    for relic in decide["deck_relics"]:
        # By order, the relics before it count whether they lie here or one leaver took them.
        worth = int(relic[6:]) if relic[6:] else decide["relic_values"][decide["path_relics"]]
        total += home(pocket, path, relics + worth, others, deadly)
    return total


def leaves(decide):
    others = len(decide["inside"]) - 1
    deadly = sum(decide["deck_hazards"][kind] for kind in decide["hazards_up"])
    path, relics = decide["path_rubies"], decide["path_relics_value"]
    later = 0
    for leavers, odds in enumerate(chances(others, deadly)):
        rubies = path % leavers if leavers else path
        left = 0 if leavers == 1 else relics
        later += odds * 100**leavers * one_card_later(decide, rubies, left, others - leavers, deadly)
    return home(decide["pocket"], path, relics, others, deadly) * 100**others * decide["deck_size"] >= later


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
