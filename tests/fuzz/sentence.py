"""What every refusal of an input must look like, whatever the input was."""

from __future__ import annotations

from harness.errors import HarnessError

LONGEST = 1_200
"""Characters of a sentence; most have 100, but names and places of an input may stand in it."""

INSIDES = ("Traceback", "<class", "object at 0x", "set_int_max_str_digits", "pydantic")
"""What only somebody who knows our code could read, and too long for a fuzzer to put it into the input by chance."""


def assert_sentence(told: HarnessError | str, start: str = "") -> None:
    """One printable line that starts with the name of the file, without what only a programmer could read."""
    sentence = told.sentence if isinstance(told, HarnessError) else told
    assert sentence.startswith(start), sentence
    assert sentence.isprintable(), sentence
    assert 0 < len(sentence) <= LONGEST, sentence
    assert sentence[-1] not in ".!", sentence
    assert not any(word in sentence for word in INSIDES if word not in start), sentence
