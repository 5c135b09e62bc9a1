"""What a replay must show, frame by frame, by the second implementation of the rules: no code of the viewer is used."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.second.rules import Card, Edition, ExpeditionOver, GameOver, Question, Table

Record = dict[str, Any]
Frame = dict[str, Any]


def frames_of(record: Record, game: int) -> list[Frame]:
    """The frames of game `game` (from 1), only what follows from the rules."""
    table = Table(record["edition"], record["seed"], len(record["seats"]))
    events = list(table.play([one["expeditions"] for one in record["games"]]))
    frames: list[Frame] = []
    for event, then in pairwise([*events, None]):
        if event is not None and event.game == game:
            frames += _frames(record["edition"], event, then, frames)
    return frames


def _frames(edition: Edition, event: Any, then: Any, before: list[Frame]) -> Iterator[Frame]:
    if isinstance(event, Question):
        asked = _asked(edition, event)
        yield asked
        yield _decided(edition, event, then, asked)
    elif isinstance(event, ExpeditionOver) and event.ended_by == "hazard":
        yield _bust(edition, event, before[-1])
    elif isinstance(event, GameOver):
        yield {
            "beat": "over",
            "scores": list(event.scores),
            "ranks": list(event.ranks),
            "relics": list(event.relics),
            "forfeited": list(event.forfeited),
        }


def _asked(edition: Edition, question: Question) -> Frame:
    up = {card.kind for card in question.path if card.sort == "hazard"}
    deadly = [card for card in question.face_down if card.sort == "hazard" and card.kind in up]
    return {
        "beat": "card",
        "expedition": question.expedition,
        "card": len(question.path),
        "turn": question.turn,
        "path": [_name(edition, card) for card in question.path],
        "rubies": question.rubies,
        "relics_lying": len(question.relics),
        "inside": list(question.inside),
        "forfeited": list(question.forfeited),
        "pocket": question.pocket,
        "chests": list(question.chests),
        "relics": list(question.relics_taken),
        "relics_out": question.relics_out,
        "risk": [len(deadly), len(question.face_down)],
        "leaving": [_gets(edition, question, count) for count in (1, 2, 3) if count <= len(question.inside)],
        "letters": "",
        "gains": {},
        "lost": 0,
    }


def _decided(edition: Edition, question: Question, then: Any, asked: Frame) -> Frame:
    letters = question.letters
    leavers = [seat for seat, letter in enumerate(letters) if letter == "L"]
    stay = [seat for seat, letter in enumerate(letters) if letter == "C"]
    alone = len(leavers) == 1
    relics = list(question.relics_taken)
    if alone:
        relics[leavers[0]] += len(question.relics)
    gains = {seat: then.chests[seat] - question.chests[seat] for seat in leavers}
    assert all(gain == _gets(edition, question, len(leavers)) for gain in gains.values())
    return asked | {
        "beat": "decided",
        "letters": letters,
        "rubies": question.rubies % len(leavers) if leavers else question.rubies,
        "relics_lying": 0 if alone else len(question.relics),
        "inside": stay,
        "forfeited": sorted({*question.forfeited, *(seat for seat, one in enumerate(letters) if one == "x")}),
        "pocket": question.pocket if stay else 0,
        "chests": list(then.chests),
        "relics": relics,
        "relics_out": question.relics_out + (len(question.relics) if alone else 0),
        "gains": gains,
        "lost": question.pocket if "x" in letters else 0,
    }


def _bust(edition: Edition, over: ExpeditionOver, before: Frame) -> Frame:
    return before | {
        "beat": "bust",
        "card": len(over.path),
        "path": [_name(edition, card) for card in over.path],
        "inside": [],
        "caught": before["inside"],
        "pocket": 0,
        "lost": before["pocket"],
        "risk": None,
        "leaving": None,
        "letters": "",
        "gains": {},
    }


def _gets(edition: Edition, question: Question, count: int) -> int:
    """What each of so many leavers gets."""
    share = question.pocket + question.rubies // count
    if count > 1:
        return share
    values = edition["relics"]
    if edition["relic_value"] == "printed":
        return share + sum(values[card.value] for card in question.relics)
    return share + sum(values[question.relics_out :][: len(question.relics)])


def _name(edition: Edition, card: Card) -> str:
    if card.sort == "treasure":
        return f"treasure {card.value}"
    if card.sort == "hazard":
        return card.kind
    return f"relic {edition['relics'][card.value]}" if edition["relic_value"] == "printed" else "relic"
