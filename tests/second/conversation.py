"""What every line sent to every seat of a match must say, by the second implementation, from the match's record."""

from __future__ import annotations

from typing import Any

from tests.second.rules import Card, Edition, ExpeditionOver, GameOver, Question, Table, roll, shake, words

Message = dict[str, Any]


def conversation(record: dict[str, Any]) -> list[list[Message]]:
    """By seat all messages in their order.

    A seat that forfeits hears at most the question at which it was out: where its fault came before that, less.
    """
    edition, seed, seats = record["edition"], record["seed"], range(len(record["seats"]))
    sent: list[list[Message]] = [[_match_start(record, seat)] for seat in seats]
    everybody = set(seats)
    for event in Table(edition, seed, len(seats)).play([game["expeditions"] for game in record["games"]]):
        if isinstance(event, Question):
            for seat in event.inside:
                sent[seat].append(_decide(edition, seed, event, seat))
            continue
        everybody = set(seats) - set(event.forfeited)
        message = _expedition_end(edition, event) if isinstance(event, ExpeditionOver) else _game_end(event)
        for seat in everybody:
            sent[seat].append(message)
    for seat in everybody:
        sent[seat].append({"type": "match_end"})
    return sent


def _name(edition: Edition, card: Card) -> str:
    if card.sort == "hazard":
        return f"hazard:{card.kind}"
    if card.sort == "treasure":
        return f"treasure:{card.value}"
    return f"relic:{edition['relics'][card.value]}" if edition["relic_value"] == "printed" else "relic"


def _match_start(record: dict[str, Any], seat: int) -> Message:
    return {
        "type": "match_start",
        "protocol": 1,
        "match": shake(f"id/{record['seed']}", 8).hex(),
        "seat": seat,
        "seats": len(record["seats"]),
        "games": len(record["games"]),
        "edition": record["edition"],
        "limits": record["limits"],
        "seed": words(f"seat/{record['seed']}/{seat}", 1)[0] >> 11,
    }


def _decide(edition: Edition, seed: str, question: Question, seat: int) -> Message:
    by_order = edition["relic_value"] == "order"
    lying = len(question.relics)
    if by_order:
        worth = edition["relics"][question.relics_out : question.relics_out + lying]
    else:
        worth = [edition["relics"][relic.value] for relic in question.relics]
    down = question.face_down
    return {
        "type": "decide",
        "turn": question.turn,
        "seat": seat,
        "game": question.game,
        "expedition": question.expedition,
        "expeditions": edition["expeditions"],
        "path": [_name(edition, card) for card in question.path],
        "path_rubies": question.rubies,
        "path_relics": lying,
        "path_relics_value": sum(worth),
        "pocket": question.pocket,
        "chests": list(question.chests),
        "relics_taken": list(question.relics_taken),
        "inside": list(question.inside),
        "forfeited": list(question.forfeited),
        "hazards_up": [card.kind for card in question.path if card.sort == "hazard"],
        "deck_size": len(down),
        "deck_treasures": sorted(card.value for card in down if card.sort == "treasure"),
        "deck_hazards": {
            hazard["kind"]: sum(card.kind == hazard["kind"] for card in down) for hazard in edition["hazards"]
        },
        "deck_relics": [_name(edition, card) for card in down if card.sort == "relic"],
        "relic_values": edition["relics"][question.relics_out :] if by_order else [],
        "previous": question.previous,
        "roll": roll(seed, question, seat),
    }


def _expedition_end(edition: Edition, over: ExpeditionOver) -> Message:
    return {
        "type": "expedition_end",
        "game": over.game,
        "expedition": over.expedition,
        "cards": [_name(edition, card) for card in over.path],
        "decisions": list(over.turns),
        "ended_by": over.ended_by,
        "chests": list(over.chests),
    }


def _game_end(over: GameOver) -> Message:
    return {
        "type": "game_end",
        "game": over.game,
        "scores": list(over.scores),
        "ranks": list(over.ranks),
        "relics": list(over.relics),
    }
