"""How every sample bot speaks the protocol, whatever its language."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

import pytest

from harness.bots import load_bot, sample_names, samples_root

QUESTION = {
    "type": "decide", "turn": 1, "seat": 1, "game": 1, "expedition": 1, "expeditions": 5,
    "path": ["treasure:7"], "path_rubies": 1, "path_relics": 0, "path_relics_value": 0,
    "pocket": 2, "chests": [0, 0, 0], "relics_taken": [0, 0, 0], "inside": [0, 1, 2], "forfeited": [],
    "hazards_up": [], "deck_size": 34, "deck_treasures": [1, 2, 3, 4, 5, 5, 7, 9, 11, 11, 13, 14, 15, 17],
    "deck_hazards": {"spiders": 3, "snakes": 3, "lava": 3, "boulders": 3, "rams": 3},
    "deck_relics": ["relic", "relic", "relic", "relic", "relic"], "relic_values": [5, 5, 5, 10, 10],
    "previous": "", "roll": 0.5,
}  # fmt: skip
START = {"type": "match_start", "protocol": 1, "match": "a", "seat": 1, "seats": 3, "games": 2, "seed": 1}
END = {"type": "match_end"}
NAMES = sample_names()
REPLY = re.compile(rb'\{"type":"decision","turn":(\d+),"action":"(continue|leave)"\}')


@pytest.mark.parametrize("name", NAMES)
def test_it_is_ready_before_it_is_told_anything(talk_to, name: str) -> None:
    with talk_to(name) as bot:
        assert bot.hear() == b'{"type":"ready"}'


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_each_question_at_once_in_the_canonical_form(talk_to, name: str) -> None:
    with talk_to(name) as bot:
        bot.hear()
        bot.tell(START)
        for turn in (1, 2, 77, 9_007_199_254_740_991):
            reply = REPLY.fullmatch(bot.ask(QUESTION | {"turn": turn}))
            assert reply is not None
            assert int(reply[1]) == turn


@pytest.mark.parametrize("name", NAMES)
def test_messages_and_fields_that_it_does_not_know_change_nothing(talk_to, name: str) -> None:
    strange = {"turn": 99, "type": "match_end", "path": ["x"] * 9, "text": '"turn":98,"path":[1]}]\\"', "pocket": 50}
    with talk_to(name) as bot:
        bot.hear()
        plain = bot.ask(QUESTION)
        bot.tell(START | {"news": strange}, {"type": "weather", "turn": 5, "rain": strange}, {"no": "type"})
        bot.tell({"type": "expedition_end", "game": 1}, {"type": "game_end", "game": 1})
        assert bot.ask({"type": "decide", "aside": strange, "turning": 3, **QUESTION, "zzz": [strange, None]}) == plain


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_at_match_end_though_its_input_stays_open(talk_to, name: str) -> None:
    with talk_to(name) as bot:
        bot.hear()
        bot.tell(START, END)
        assert bot.process.wait() == 0
        assert bot.process.stdout.read() == b""


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_at_the_end_of_its_input(talk_to, name: str) -> None:
    with talk_to(name) as bot:
        bot.hear()
        bot.tell(START)
        bot.ask(QUESTION)
        bot.process.stdin.close()
        assert bot.process.wait() == 0


@pytest.mark.parametrize("name", NAMES)
def test_several_questions_in_one_write_get_their_answers_in_order(talk_to, name: str) -> None:
    with talk_to(name) as bot:
        bot.hear()
        bot.tell(b"\n".join(json.dumps(QUESTION | {"turn": turn}).encode() for turn in range(1, 200)))
        assert [int(REPLY.fullmatch(bot.hear())[1]) for _ in range(1, 200)] == list(range(1, 200))


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_a_folder_named_like_its_id_without_an_author(name: str) -> None:
    bot = load_bot(samples_root() / name)
    assert bot.id == name
    assert bot.manifest.language in ("Python", "C", "JavaScript")
    assert bot.manifest.title != name
    assert bot.manifest.author == ""


@pytest.mark.parametrize("source", sorted(samples_root().glob("*/bot.py")), ids=lambda path: path.parent.name)
def test_a_python_sample_is_short_and_needs_the_standard_library_only(source: Path) -> None:
    text = source.read_text()
    assert len(text.splitlines()) < 80
    imported = {
        alias.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for alias in node.names
    }
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    assert imported == {"json", "sys"} <= sys.stdlib_module_names
