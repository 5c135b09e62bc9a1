"""The options of formats: defaults, bounds, and the sentence for each value that can't be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import LeagueFileError
from harness.league.formats import FORMATS
from harness.league.league_file import League, load_league


def load(folder: Path, format_: str, options: str) -> League:
    bots = "".join(f'[[bots]]\npath = "b{i}"\n' for i in range(8))
    path = folder / "l.toml"
    path.write_text(
        f'[league]\nname = "l"\nedition = "iello-2016"\nformat = "{format_}"\ngames = 1\nrounds = 1\n{bots}{options}',
        "utf-8",
    )
    return load_league(path)


@pytest.mark.parametrize(
    ("format_", "options", "found"),
    [
        ("round-robin", "", {"same_author": False}),
        ("ladder", "[format.ladder]\nsame_author = true\n", {"same_author": True}),
        ("gauntlet", "[format.gauntlet]\nbot = 'ada'\n", {"bot": "ada", "width": 1.0, "same_author": False}),
        ("gauntlet", "[format.gauntlet]\nbot = 'ada'\nwidth = 2\n", {"bot": "ada", "width": 2.0, "same_author": False}),
        ("divisions", "", {"count": 2, "move": 1, "same_author": False}),
        ("divisions", "[format.divisions]\ncount = 16\nmove = 0\n", {"count": 16, "move": 0, "same_author": False}),
        # What stands there for others is read, and does not count.
        ("ladder", "[format.gauntlet]\nwidth = 0.5\n[format.divisions]\ncount = 3\n", {"same_author": False}),
    ],
)
def test_options_have_their_defaults_and_what_is_stated(
    format_: str, options: str, found: dict[str, object], tmp_path: Path
) -> None:
    league = load(tmp_path, format_, options)
    assert league.format_options == found
    assert list(league.format_options) == list(found)
    # A season that goes on compares what was stored with what the file says.
    assert json.loads(json.dumps(league.config()))["format_options"] == found


@pytest.mark.parametrize(
    ("format_", "options", "says"),
    [
        ("gauntlet", "", "format.gauntlet.bot: missing; write the id of the bot that plays all others"),
        ("gauntlet", "[format.gauntlet]\nbot = 3\n", "format.gauntlet.bot: 3 is not a word in quotes"),
        ("gauntlet", "[format.gauntlet]\nbot = 'A b'\n", "format.gauntlet.bot: 'A b' is no word; a word is"),
        (
            "gauntlet",
            "[format.gauntlet]\nbots = 'a'\n",
            "format.gauntlet.bots: unknown key; the nearest known one is `bot`",
        ),
        ("gauntlet", "[format.gauntlet]\nbot = 'a'\nwidth = 0\n", "format.gauntlet.width: 0; write 0.001 to 1000"),
        ("gauntlet", "[format.gauntlet]\nbot = 'a'\nwidth = nan\n", "format.gauntlet.width: nan is not finite"),
        ("gauntlet", "[format.gauntlet]\nbot = 'a'\nwidth = '1'\n", "format.gauntlet.width: '1' is not a number"),
        ("ladder", "[format.gauntlet]\nwidth = 1e9\n", "format.gauntlet.width: 1000000000.0; write 0.001 to 1000"),
        ("divisions", "[format.divisions]\ncount = 1\n", "format.divisions.count: 1 divisions; write 2 to 16"),
        ("divisions", "[format.divisions]\nmove = 9\n", "format.divisions.move: 9 bots to be promoted; write 0 to 8"),
        ("ladder", "[format.divisions]\ncount = true\n", "format.divisions.count: true is not a whole number"),
        ("divisions", "[format.divisions]\nsame_author = 1\n", "format.divisions.same_author: 1 is not true or false"),
        (
            "ladder",
            "[format.divison]\ncount = 2\n",
            "format.divison: unknown key; the nearest known one is `divisions`",
        ),
    ],
)
def test_what_can_not_be_used_is_named_with_what_to_write(
    format_: str, options: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(LeagueFileError) as caught:
        load(tmp_path, format_, options)
    assert caught.value.sentence.startswith(f"l.toml: {says}")


def test_every_format_has_the_option_for_authors() -> None:
    assert all("same_author" in format_.options for format_ in FORMATS.values())
