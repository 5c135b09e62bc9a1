"""What the sentence of every error looks like."""

from __future__ import annotations


def assert_in_house_style(sentence: str) -> None:
    """Where, what and, behind a semicolon, what to do; no capital at the start, no full stop at the end, one line."""
    assert sentence.isprintable()
    assert not sentence[0].isupper()
    assert sentence[-1] not in ".!"
    what, _, advice = sentence.rpartition("; ")
    assert ": " in what
    assert len(advice) > 5
