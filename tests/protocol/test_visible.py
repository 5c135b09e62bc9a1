"""What a stranger wrote, made safe to show."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.protocol import csv_cell, visible

ANY = st.text(st.characters(exclude_categories=[]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 'quoted' <b>", "plain text, 'quoted' <b>"),
        ("\x1b[31mred\x1b[0m", "⟨U+001B⟩[31mred⟨U+001B⟩[0m"),
        ("\u202egnp.exe", "⟨U+202E⟩gnp.exe"),
        ("\u2066a\u2069\u200f\u061c", "⟨U+2066⟩a⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩"),
        ("a\nb\r\tc", "a⟨U+000A⟩b⟨U+000D⟩⟨U+0009⟩c"),
        ("\x00\x7f\x85\x9b", "⟨U+0000⟩⟨U+007F⟩⟨U+0085⟩⟨U+009B⟩"),
        ("a\u200bb\u200d\ufeff\u2060\u00ad", "a⟨U+200B⟩b⟨U+200D⟩⟨U+FEFF⟩⟨U+2060⟩⟨U+00AD⟩"),
        ("\u2028\u2029", "⟨U+2028⟩⟨U+2029⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ue000\U000f0000", "⟨U+E000⟩⟨U+F0000⟩"),
        ("\u0378\uffff", "⟨U+0378⟩⟨U+FFFF⟩"),
        ("\U000e0041\U000e0100", "⟨U+E0041⟩⟨U+E0100⟩"),
        ("\u3164\u115f\u2800", "⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩"),
        ("Füchse 狐 лиса ثعلب 🦊 ❤\ufe0f", "Füchse 狐 лиса ثعلب 🦊 ❤\ufe0f"),
        ("", ""),
    ],
)
def test_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY)
def test_nothing_that_is_shown_controls_or_hides(text: str) -> None:
    shown = visible(text)
    assert not {unicodedata.category(sign) for sign in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert len(shown.splitlines()) <= 1
    shown.encode("utf-8")
    assert visible(shown) == shown


@given(ANY, st.integers(1, 20))
def test_a_limit_is_kept_and_cuts_no_number(text: str, limit: int) -> None:
    whole = visible(text)
    cut = visible(text, limit)
    assert len(cut) <= limit
    if len(whole) <= limit:
        assert cut == whole
    else:
        assert cut.endswith("…")
        assert whole.startswith(cut[:-1])
        assert cut[:-1] in {visible(text[:length]) for length in range(len(text))}


def test_a_limit_keeps_what_fits() -> None:
    assert visible("abcdef", 4) == "abc…"
    assert visible("abcd", 4) == "abcd"
    assert visible("ab\x1bcd", 9) == "ab…"
    assert visible("ab\x1bcd", 12) == "ab⟨U+001B⟩cd"
    assert visible("ab\x1bcd", 11) == "ab⟨U+001B⟩…"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1", "' =1"),
        ("＝1", "'＝1"),
        ("\t=1", "⟨U+0009⟩=1"),
        ("\r=1", "⟨U+000D⟩=1"),
        ("a=1", "a=1"),
        ("fine", "fine"),
        ("", ""),
    ],
)
def test_cell(text: str, cell: str) -> None:
    assert csv_cell(text) == cell


@given(ANY)
def test_a_cell_is_one_cell_and_no_formula(text: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow([csv_cell(text), "end"])
    assert list(csv.reader(io.StringIO(out.getvalue()))) == [[csv_cell(text), "end"]]
    assert not csv_cell(text).lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))
