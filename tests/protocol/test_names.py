"""Names of matches and ids."""

from __future__ import annotations

import re

import pytest

from harness.protocol import ID_PATTERN, MatchName


def test_a_match_is_named_by_league_season_round_and_number() -> None:
    name = MatchName("club-1", 2, 30, 400)
    assert str(name) == "club-1/2/30/400"
    assert MatchName.parse("club-1/2/30/400") == name
    assert MatchName.parse("a/1/1/9007199254740991").number == 2**53 - 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "club",
        "club/1/1",
        "club/1/1/1/1",
        "club/0/1/1",
        "club/1/01/1",
        "club/1/1/+1",
        "club/1/1/ 1",
        "club/1/1/1\n",
        "club/1/1/1_0",
        "club/1/1/\u0661",
        "club/1/1/9007199254740992",
        "club/1/1/" + "9" * 5000,
        "Club/1/1/1",
        "-club/1/1/1",
        "c" * 33 + "/1/1/1",
        "cl\u00fcb/1/1/1",
        "/1/1/1",
    ],
)
def test_anything_else_is_no_name(text: str) -> None:
    with pytest.raises(ValueError, match="write league/season/round/number"):
        MatchName.parse(text)


@pytest.mark.parametrize(
    ("word", "good"),
    [
        ("a", True),
        ("0-", True),
        ("a" * 32, True),
        ("", False),
        ("a" * 33, False),
        ("-a", False),
        ("A", False),
        ("a\n", False),
    ],
)
def test_an_id_is_a_short_word(word: str, good: bool) -> None:
    assert (re.fullmatch(ID_PATTERN, word) is not None) == good
