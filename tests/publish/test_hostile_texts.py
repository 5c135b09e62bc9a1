"""What a bot or an author wrote stays text wherever it is published; what is not to be told is not there."""

from __future__ import annotations

import csv
import html
import json
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.game import seed_from_text
from harness.publish import publish
from harness.store import open_store
from tests.publish.browser import PHONE, Visits
from tests.publish.documents import document, files, whole_text
from tests.publish.made_site import NOT_YET, PRIVATE, Made, made_field

SHOWN = {
    "markup": ("<b>bolder</b><img src=x onerror=alert(1)>", '"><svg onload=alert(2)>', "<i>C</i> &amp; &lt;"),
    "script": ("</script><script>alert(3)</script>", "'-alert(4)-'", "javascript:alert(5)"),
    "style": ("</style><style>*{display:none}</style>", "x' style='position:fixed", "]]></title><!--"),
    "ansi": (
        "⟨U+001B⟩[31mred⟨U+001B⟩[0m⟨U+0007⟩⟨U+0008⟩⟨U+0008⟩⟨U+0008⟩",
        "⟨U+001B⟩]0;title⟨U+0007⟩",
        "a⟨U+000D⟩⟨U+000A⟩b⟨U+0009⟩c",
    ),
    "turned": ("abc⟨U+202E⟩gnp.exe", "⟨U+2066⟩⟨U+2067⟩left⟨U+2069⟩", "⟨U+200F⟩⟨U+061C⟩Malbolge"),
    "unseen": ("a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d", "⟨U+2060⟩⟨U+200D⟩", "⟨U+E0041⟩"),
    "long": ("W" * 79 + "…", "wide " * 15 + "wide…", "⟨U+202E⟩⟨U+202E⟩"),
    "formula": ('=HYPERLINK("http://x.invalid","y")', "+1+cmd|' /C calc'!A0", "@SUM(1)"),
    "template": ("{{ 7 * 7 }}{% raw %}", "${7*7} #{7*7} %s %(x)s {0}", "{# c #}"),
    "cyd": ("Über-Cyd 🪨 水", "أحمد", "JavaScript"),
}
"""By bot, how title, author and language are to be read on its page, written down by hand."""

LAID_OUT = "\n\u00a0\u202f"
"""What pages may hold beside letters and signs: breaks of lines, and spaces at which no line breaks."""


def hidden(text: str) -> set[str]:
    """The characters that no reader can see, by their numbers."""
    found = {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")}
    return {f"U+{ord(one):04X}" for one in found if one not in LAID_OUT}


@pytest.mark.parametrize("bot", SHOWN)
def test_a_bots_page_shows_what_its_author_wrote(bot: str, site: Path, visit: Visits) -> None:
    for season in (1, 2):
        page = visit(site, f"season-{season}/bots/{bot}.html", width=PHONE).page
        # As a browser shows it: runs of spaces are one.
        text = " ".join(page.locator("main").inner_text().split())
        for shown in SHOWN[bot]:
            assert " ".join(shown.split()) in text


def test_titles_on_the_ladder_are_text(site: Path, visit: Visits) -> None:
    visited = visit(site, "index.html")
    rows = visited.page.locator("#ladder tbody th").all_inner_texts()
    found = {row.split("\n")[0].strip(): row for row in rows}
    for bot in SHOWN:
        assert SHOWN[bot][0][:20] in found[bot], bot


def test_nothing_that_was_written_became_an_element(site: Path) -> None:
    for path in files(site):
        if path.endswith(".html"):
            # As an element it would cut the text in pieces.
            assert "bolder" not in document(site / path).text, path
            for tag, attributes in document(site / path).tags:
                assert not (tag == "img" and attributes.get("src") == "x"), path
                assert not (tag == "script" and "src" not in attributes and "type" not in attributes), path
                assert _is_text(attributes), (path, tag, attributes)


def _is_text(attributes: dict[str, str | None]) -> bool:
    """Whether what looks like a script stands only where attributes are read as text."""
    texts = ("alt", "aria-label", "content", "title", "value", "placeholder")
    scripts = [name for name, value in attributes.items() if "alert(" in (value or "")]
    return all(name in texts or name.startswith("data-") for name in scripts)


def test_no_published_text_holds_what_cannot_be_seen(site: Path) -> None:
    for path in files(site):
        # Shards and seasons are the records themselves, to the letter; pictures are no text.
        if path.endswith((".png", ".gz")) or "/replays/" in path:
            continue
        text = (site / path).read_text("utf-8")
        found = hidden(text) | (hidden(html.unescape(text)) if path.endswith((".html", ".xml", ".svg")) else set())
        assert not found - ({"U+000D"} if path.endswith(".csv") else set()), (path, found)
        if path.endswith(".json"):
            json.loads(text)  # which holds them by their numbers
        if path.endswith((".xml", ".svg")):
            ElementTree.fromstring(text)


def test_no_csv_cell_is_a_formula(site: Path) -> None:
    tables = [path for path in files(site) if path.endswith(".csv")]
    assert tables
    quoted = False
    for path in tables:
        with (site / path).open(encoding="utf-8", newline="") as stream:
            for row in csv.reader(stream):
                for cell in row:
                    assert _is_number(cell) or not cell.lstrip(" \t\r\n").startswith(("=", "+", "-", "@")), (path, cell)
                    quoted |= cell.startswith("'=HYPERLINK")
    assert quoted


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_no_page_is_blown_up_by_a_long_text(site: Path) -> None:
    for path in files(site):
        if path.endswith((".html", ".js", ".svg", ".xml")):
            assert "W" * 1001 not in (site / path).read_text("utf-8"), path


def test_nothing_of_an_open_round_is_told(site: Path, made: Made) -> None:
    with open_store(made.store, write=False) as store:
        row = store.season("caves", 2)
        assert row is not None
        [open_round] = [each for each in store.rounds(row.id) if each.state != "over"]
        assert open_round.applied == 6  # there is something to tell
        records = [store.record(row.id, open_round.number, number, False) for number in range(1, 7)]
        waiting = store.unplayed(row.id, open_round.number)
        secret = row.secret
    told = [record["seed"] for record in records if record] + [fixture.seed for fixture in waiting]
    assert len(told) == 12
    told += [NOT_YET, f"caves/2/{open_round.number}/", f"season-2/match.html#r{open_round.number}m", secret]
    assert any(NOT_YET in fault["got"] for record in records if record for fault in record["faults"])
    for path in files(site):
        text = whole_text(site / path)
        assert not [word for word in told if word in text], path


def test_the_secret_of_a_season_is_told_once_it_is_over(site: Path) -> None:
    assert seed_from_text("secret 1") in (site / "season-1/index.html").read_text("utf-8")


def test_stderr_is_told_only_where_the_league_says_so(site: Path, tmp_path: Path) -> None:
    assert not [path for path in files(site) if PRIVATE in whole_text(site / path)]
    quiet = made_field(tmp_path, 4, 6, games=9)
    for said in (False, True):
        if said:
            quiet.file.write_text(quiet.file.read_text().replace("[league]\n", "[league]\npublish_stderr = true\n"))
        with open_store(quiet.store, write=False) as store:
            assert store.faults("field/1")
            publish(quiet.league, store, tmp_path / "site")
        found = [path for path in files(tmp_path / "site") if PRIVATE in whole_text(tmp_path / "site" / path)]
        assert bool(found) == said
        assert all(path.startswith("season-1/bots/") for path in found)
