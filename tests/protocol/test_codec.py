"""Lines of the referee other than questions, and the replies of bots."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.game import BUILT_IN, Edition, GameResult, Hazard, begin_expedition, edition_from_json, new_game, step
from harness.protocol import (
    MATCH_END,
    BadMessage,
    DecisionReply,
    ExpeditionEnd,
    GameEnd,
    Limits,
    MatchEnd,
    MatchStart,
    ReadyReply,
    TurnEncoder,
    encode_game_end,
    encode_match_start,
    known_replies,
    read_reply,
    read_strict,
)
from harness.protocol.codec import roll_text

MOST = 2**53 - 1


def largest_edition(relics: int = 0) -> Edition:
    """As large as the bounds of the contract allow: 120 cards, 12 kinds, all words and values at their longest."""
    kinds = tuple(Hazard("abcdefghijklmnopqrstuvw" + letter, 2) for letter in "abcdefghijkl")
    edition = Edition(
        name="\U0001f600" * 64,
        expeditions=10,
        min_seats=3,
        max_seats=8,
        treasures=(999,) * (96 - relics),
        hazards=kinds,
        relics=(999,) * relics,
        relic_entry="start",
        relic_value="printed",
        tie_break="relics",
    )
    return edition_from_json(edition.to_json())


def check_form(line: bytes, kind: str) -> Any:
    """A line of the referee: ASCII, one line, no space outside strings, type first, under 64 KiB."""
    assert line.isascii()
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert len(line) < 64 * 1024
    assert line.startswith(b'{"type":"%b"' % kind.encode())
    message = read_strict(line)
    assert json.dumps(message, separators=(",", ":")).encode() + b"\n" == line
    return message


def test_a_league_that_shows_names_tells_them_by_seat() -> None:
    names = [f"bot-{seat}" for seat in range(8)]
    line = encode_match_start(BUILT_IN["iello-2016"], "b7b877393a89a056", 7, 8, MOST, Limits(), MOST, names)
    message = check_form(line, "match_start")
    assert message["names"] == names
    assert MatchStart.model_validate(message).names == names


@pytest.mark.parametrize(
    "edition", [*BUILT_IN.values(), largest_edition(), largest_edition(90)], ids=lambda e: e.name[:9]
)
def test_match_start(edition: Edition) -> None:
    limits = Limits(bank_ms=1234)
    line = encode_match_start(edition, "b7b877393a89a056", 7, 8, MOST, limits, MOST)
    message = check_form(line, "match_start")
    assert MatchStart.model_validate(message).model_dump(exclude_unset=True) == message
    assert "names" not in message, "opponents are seats unless the league says otherwise"
    assert edition_from_json(message["edition"]) == edition
    assert message["limits"] == {
        "start_ms": 10000,
        "move_ms": 100,
        "bank_ms": 1234,
        "stall_ms": 10000,
        "wait_ms": 60000,
        "memory_mb": 512,
        "processes": 64,
        "disk_mb": 64,
    }
    assert {name: message[name] for name in ("protocol", "match", "seat", "seats", "games", "seed")} == {
        "protocol": 1,
        "match": "b7b877393a89a056",
        "seat": 7,
        "seats": 8,
        "games": MOST,
        "seed": MOST,
    }


def test_expedition_end() -> None:
    # The deal of the contract's vector begins 18 28 17 30 27: snakes, rams, spiders, a relic, rams.
    state = new_game(BUILT_IN["iello-2016"], "000102030405060708090a0b0c0d0e0f", 1, 3)
    begin_expedition(state)
    assert [step(state, turn) for turn in ("CLx", "C..", "C..")] == [None, None, None]
    assert step(state, "C..") == "hazard"
    message = check_form(TurnEncoder(state.edition, 3).expedition_end(state, "hazard"), "expedition_end")
    assert message == {
        "type": "expedition_end",
        "game": 1,
        "expedition": 1,
        "cards": ["hazard:snakes", "hazard:rams", "hazard:spiders", "relic", "hazard:rams"],
        "decisions": ["CLx", "C..", "C..", "C.."],
        "ended_by": "hazard",
        "chests": [0, 0, 0],
    }
    assert ExpeditionEnd.model_validate(message).model_dump() == message


def test_expedition_end_tells_the_chests() -> None:
    state = new_game(BUILT_IN["iello-2016"], "000102030405060708090a0b0c0d0e0f", 1, 3)
    begin_expedition(state)
    for turn in ("CCL", "CC.", "CC.", "CL."):
        step(state, turn)
    # Seat 1 left alone at the fourth card and took the relic, then came the second rams.
    message = check_form(TurnEncoder(state.edition, 3).expedition_end(state, "hazard"), "expedition_end")
    assert message["chests"] == [0, 5, 0]


def test_game_end() -> None:
    message = check_form(encode_game_end(3, GameResult((30, 0, 17), (1, 3, 2), (2, 0, 0))), "game_end")
    assert message == {"type": "game_end", "game": 3, "scores": [30, 0, 17], "ranks": [1, 3, 2], "relics": [2, 0, 0]}
    assert GameEnd.model_validate(message).model_dump() == message


def test_match_end() -> None:
    assert MatchEnd.model_validate(check_form(MATCH_END, "match_end")).type == "match_end"


@given(st.integers(0, 2**64 - 1))
@example(0)
@example(1 << 11)
@example(2**64 - 1)
@example(2**53 // 10 << 11)
@example(2**53 // 10 + 1 << 11)
def test_a_roll_is_a_plain_decimal_that_reads_back(word: int) -> None:
    text = roll_text(word)
    assert set(text) <= set("0123456789.")
    assert text.startswith("0.")
    assert float(text) == (word >> 11) / 2**53


def test_a_small_roll_is_written_without_exponent() -> None:
    assert roll_text(1 << 11) == "0.00000000000000011102230246251565"
    assert roll_text(3 << 11) == "0.00000000000000033306690738754696"
    assert roll_text(0) == "0.0"


@given(st.integers(1, MOST))
def test_known_replies_are_read_as_what_they_say(turn: int) -> None:
    messages = [({"type": "decision", "turn": turn, "action": action}) for action in ("continue", "leave")]
    tight = [json.dumps(message, separators=(",", ":")).encode() for message in messages]
    spaced = [json.dumps(message).encode() for message in messages]
    assert dict(known_replies(turn)) == {
        tight[0] + b"\n": "C", tight[1] + b"\n": "L", spaced[0] + b"\n": "C", spaced[1] + b"\n": "L",
    }  # fmt: skip
    for stay, leave in (tight, spaced):
        assert read_reply(stay) == DecisionReply(turn, "continue")
        assert read_reply(leave) == DecisionReply(turn, "leave")


MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["decision", "decision", "decision", "ready", "leave", None, 1, []]),
        "turn": st.integers(-2, 20) | st.sampled_from([True, None, "3", 3.5, [3], 3.0, 2**53]),
        "action": st.sampled_from(["continue", "leave", "Leave", "leave ", "", None, True, 0, ["leave"]]),
        "comment": st.text(max_size=3) | st.none(),
    },
)


@given(MESSAGES, st.integers(1, 20))
def test_only_what_says_the_same_as_a_canonical_reply_is_read_like_it(message: dict[str, Any], turn: int) -> None:
    line = json.dumps(message).encode()
    try:
        reply = read_reply(line)
    except BadMessage:
        reply = None
    for canonical_line in (line.removesuffix(b"\n") for line in known_replies(turn)):
        said = json.loads(canonical_line)
        means_it = {name: message.get(name) for name in said} == said and type(message["turn"]) is not bool
        assert (reply == read_reply(canonical_line)) == means_it


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b'{"type":"ready"}', ReadyReply()),
        (b' {"name":"x", "type" : "ready"}\t', ReadyReply()),
        (b'{"type":"ready","turn":"?","action":1}', ReadyReply()),
        (b'{"turn":3.0,"action":"leave","type":"decision","why":{"a":[]}}', DecisionReply(3, "leave")),
        (b'{"type":"decision","turn":1e0,"action":"continue"}', DecisionReply(1, "continue")),
        (b'{"type":"decision","turn":9007199254740991,"action":"continue"}', DecisionReply(MOST, "continue")),
        (b'{"type":"decision","turn":3}', DecisionReply(3, None)),
        (b'{"type":"decision","turn":3,"action":"stay"}', DecisionReply(3, None)),
        (b'{"type":"decision","turn":3,"action":null}', DecisionReply(3, None)),
        (b'{"type":"decision","turn":3,"action":["leave"]}', DecisionReply(3, None)),
        (b'{"type":"decision","turn":3,"action":{"leave":1}}', DecisionReply(3, None)),
        (b'{"type":"decision","turn":3,"action":true}', DecisionReply(3, None)),
        (b'{"type":"decision","turn":3,"action":"LEAVE"}', DecisionReply(3, None)),
        (b'{"\\u0074ype":"decision","turn":3,"action":"\\u006ceave"}', DecisionReply(3, "leave")),
    ],
)
def test_reply(line: bytes, reply: ReadyReply | DecisionReply) -> None:
    assert read_reply(line) == reply


@pytest.mark.parametrize(
    "line",
    [
        b"continue",
        b"[]",
        b'"ready"',
        b"null",
        b"1",
        b"{}",
        b'{"type":null}',
        b'{"type":"Ready"}',
        b'{"type":["ready"]}',
        b'{"type":{"decision":1},"turn":1,"action":"leave"}',
        b'{"type":"leave","turn":1}',
        b'{"type":"decision","action":"leave"}',
        b'{"type":"decision","turn":"1","action":"leave"}',
        b'{"type":"decision","turn":true,"action":"leave"}',
        b'{"type":"decision","turn":null,"action":"leave"}',
        b'{"type":"decision","turn":1.5,"action":"leave"}',
        b'{"type":"decision","turn":0,"action":"leave"}',
        b'{"type":"decision","turn":-0,"action":"leave"}',
        b'{"type":"decision","turn":-1,"action":"leave"}',
        b'{"type":"decision","turn":[1],"action":"leave"}',
        b'{"type":"decision","turn":9007199254740992,"action":"leave"}',
        b'{"type":"decision","turn":1,"turn":1,"action":"leave"}',
        b'{"type":"decision","turn":1,"action":"leave"}{"type":"decision","turn":1,"action":"leave"}',
        b'{"type":"ready","x":NaN}',
        b'{"type":"ready","x":"\\ud800"}',
        b'{"type":"ready","x":"\xff"}',
        b'{"type":"ready","x":' + b"[" * 32 + b"]" * 32 + b"}",
        b" ",
    ],
)
def test_bad_message(line: bytes) -> None:
    with pytest.raises(BadMessage) as caught:
        read_reply(line)
    assert caught.value.reason
