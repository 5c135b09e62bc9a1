"""Files for programs, read with the csv and json modules."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from harness.cli.head_to_head_table import PAIR_FIELDS
from harness.cli.ladder_table import FIELDS
from harness.cli.official_table import OFFICIAL_FIELDS
from harness.publish.data_files import DATA_FILES, data_files, matches_csv
from harness.publish.site_facts import BotProfile, StyleBar
from tests.publish.made_facts import EMPTY, SITE, VERSIONS, bot_facts, fault, line, match, season, standing

BOTS = (
    bot_facts(
        season().lines[0],
        style=replace(EMPTY, pocket=(StyleBar(0, 4, 20, 5), StyleBar(5, None, 0, 0))),
        fault_counts=(("timeout", 3), ("crashed", 1)),
        faults=(fault("ada", got="=cmd\x1b"),),
    ),
    bot_facts(season().lines[1]),
)


@pytest.fixture(scope="module")
def files():
    return dict(data_files(SITE, season(), BOTS))


def rows(files, name):
    return list(csv.DictReader(io.StringIO(files[f"season-2/data/{name}.csv"].decode(), newline="")))


def listed(files, name):
    return json.loads(files[f"season-2/data/{name}.json"])[name]


def test_every_file_that_is_told_of_is_there_as_csv_and_as_json(files):
    assert set(files) == {f"season-2/data/{name}.{ending}" for name in DATA_FILES for ending in ("csv", "json")}


def test_an_early_season_has_them_too_with_their_headings_alone():
    facts = replace(season(lines=[], rounds=0, ended=False), voids=(), pairs=(), profiles={})
    files = dict(data_files(SITE, facts, []))
    assert {len(content.splitlines()) for path, content in files.items() if path.endswith(".csv")} == {1}
    assert all(listed(files, name) == [] for name in DATA_FILES)


def test_fields_are_named_as_the_command_line_names_them(files):
    def headings(name):
        return tuple(files[f"season-2/data/{name}.csv"].decode().splitlines()[0].split(","))

    assert headings("ladder") == ("size", *FIELDS, "rank_low", "rank_high", "moved")
    assert headings("official") == OFFICIAL_FIELDS
    assert headings("pairs") == PAIR_FIELDS


def test_csv_and_json_hold_the_same_fields_and_as_many_rows(files):
    for name in DATA_FILES:
        in_csv, in_json = rows(files, name), listed(files, name)
        assert len(in_csv) == len(in_json) > 0, name
        for one, other in zip(in_csv, in_json, strict=True):
            assert list(one) == list(other)


def test_the_ladder_is_there_for_all_tables_and_for_each_size(files):
    assert [(row["size"], row["rank"], row["bot"], row["mu"], row["state"]) for row in rows(files, "ladder")] == [
        ("", "1", "ada", "31.0", "plays"),
        ("", "2", "bob", "27.5", "plays"),
        ("", "", "cyd", "20.0", "disqualified"),
        ("3", "1", "ada", "31.0", "plays"),
        ("3", "2", "bob", "27.5", "plays"),
    ]
    assert listed(files, "ladder")[0] == {
        "size": None, "rank": 1, "bot": "ada", "version": VERSIONS["ada"], "mu": 31.0, "sigma": 1.0,
        "provisional": False, "matches": 20, "games": 40, "wins": 12.5, "win_share": 0.3125, "points": 21.25,
        "mean_rank": 1.75, "faults": 0, "division": 0, "state": "plays", "rank_low": 1, "rank_high": 1, "moved": 0,
    }  # fmt: skip
    assert rows(files, "ladder")[0]["provisional"] == "false"


def test_floats_lose_nothing():
    facts = season(lines=[line(standing("ada", 1, 0.1 + 0.2, 1 / 3))])
    files = dict(data_files(SITE, facts, []))
    [row] = [row for row in rows(files, "ladder") if row["size"] == ""]
    assert (float(row["mu"]), float(row["sigma"])) == (0.1 + 0.2, 1 / 3)


def test_pairs_have_their_share_and_its_interval(files):
    [first, second] = listed(files, "pairs")
    assert (first["share"], second["share"]) == (0.7, 0.3)
    # 7 of 10 by Wilson's formula.
    assert (first["low"], first["high"]) == pytest.approx((0.3968, 0.8922), abs=1e-4)
    assert (first["wins"], first["ties"], first["losses"]) == (6, 2, 2)


def test_each_bot_gives_its_rows(files):
    assert rows(files, "versions") == [
        {"bot": bot, "from_round": "1", "version": VERSIONS[bot], "act": "entered"} for bot in ("ada", "bob")
    ]
    assert [(row["bot"], row["round"], row["mu"], row["sigma"]) for row in rows(files, "ratings")] == [
        ("ada", "1", "26.0", "4.0"),
        ("ada", "3", "31.0", "1.0"),
        ("bob", "1", "26.0", "4.0"),
        ("bob", "3", "27.5", "1.5"),
    ]
    assert [tuple(row.values()) for row in rows(files, "fault_counts")] == [
        ("ada", "timeout", "3"),
        ("ada", "crashed", "1"),
    ]


def test_results_are_broken_down_by_size_opponent_and_composition(files):
    ours = [row for row in listed(files, "breakdown") if row["bot"] == "ada"]
    assert [(row["by"], row["key"]) for row in ours] == [
        ("size", 3),
        ("opponent", "bob"),
        ("composition", ["bob", "cyd"]),
    ]
    for row in ours:
        # 2100 of 840ths of a win in 10 games; 150 points and ranks that add up to 18.
        assert (row["games"], row["wins"], row["win_share"], row["points"], row["mean_rank"]) == (
            10,
            2.5,
            0.25,
            15,
            1.8,
        )
        assert row["expected_share"] == pytest.approx(1 / 3)
    assert rows(files, "breakdown")[2]["key"] == "bob cyd"


def test_style_has_shares_where_there_were_decisions(files):
    first, second, *_ = listed(files, "style")
    assert (first["by"], first["bar_low"], first["bar_high"], first["share"]) == ("pocket", 0, 4, 0.25)
    assert (first["low"], first["high"]) == pytest.approx((0.1119, 0.4687), abs=1e-4)
    assert (second["bar_low"], second["bar_high"], second["share"]) == (5, None, None)


def test_json_tells_of_which_season_it_is(files):
    for name in DATA_FILES:
        whole = json.loads(files[f"season-2/data/{name}.json"])
        assert whole == {
            "league": "caves",
            "season": 2,
            "practice": False,
            "state": "ended",
            "rounds_over": 3,
            "commitment": "1" * 64,
            "secret": "2" * 32,
            "results": "3" * 64,
            "evidence": "4" * 64,
            name: whole[name],
        }


def test_the_secret_is_not_told_while_the_season_runs():
    files = dict(data_files(SITE, season(ended=False), BOTS))
    assert all("secret" not in json.loads(text) for path, text in files.items() if path.endswith(".json"))


def test_what_a_bot_wrote_on_stderr_is_in_no_file():
    for site in (SITE, replace(SITE, publish_stderr=True)):
        assert not any(b"private words" in content for _, content in data_files(site, season(), BOTS))


def test_no_text_is_a_formula_or_moves_a_cursor_in_csv(files):
    assert [row["author"] for row in rows(files, "bots")] == ["Grace", "'=2+3", "⟨U+001B⟩[31m"]
    assert [row["title"] for row in rows(files, "bots")] == ["Ada of the deep", "", "Über⟨U+202E⟩"]
    assert rows(files, "voids")[0]["reason"] == "'=disk full⟨U+000A⟩"
    assert rows(files, "voids")[0]["bots"] == "ada bob cyd"
    assert rows(files, "faults")[0]["got"] == "'=cmd⟨U+001B⟩"


def test_json_holds_the_very_text_in_ascii(files):
    assert all(content.isascii() for path, content in files.items() if path.endswith(".json"))
    assert listed(files, "bots")[2]["title"] == "Über\u202e"
    assert listed(files, "faults")[0]["got"] == "=cmd\x1b"


@pytest.mark.parametrize("text", ['a,b"c', "'single", "-1+2", "\t=1", "@x", "+x", '","=1', "W" * 10_000, "\ud800"])
def test_no_text_breaks_out_of_its_cell(text):
    facts = season()
    facts = replace(facts, profiles={"ada": BotProfile("ada", "a" * 64, text, text, text)})
    [row] = rows(dict(data_files(SITE, facts, [])), "bots")
    assert set(row) == {"bot", "version", "title", "author", "language"}
    assert not row["title"].startswith(("=", "+", "-", "@", "\t"))
    assert row["title"] == row["author"] == row["language"]


def test_bots_are_gone_through_once_even_if_no_file_is_kept():
    seen = []

    def passing():
        for bot in BOTS:
            seen.append(bot.line.standing.bot)
            yield bot

    for _ in data_files(SITE, season(), passing()):
        pass
    assert seen == ["ada", "bob"]


def test_the_same_facts_give_the_same_bytes(files):
    assert dict(data_files(SITE, season(), BOTS)) == files


def test_matches_have_a_row_a_seat():
    text = b"".join(matches_csv([match(1), match(2, faults=((2, "timeout"),))])).decode()
    found = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [tuple(row.values()) for row in found] == [
        ("caves/2/1/1", "1", "1", "2", "0", "bob", "0.5", "20", "3", ""),
        ("caves/2/1/1", "1", "1", "2", "1", "ada", "1.5", "35", "2", ""),
        ("caves/2/1/1", "1", "1", "2", "2", "cyd", "0.0", "8", "6", ""),
        ("caves/2/1/2", "1", "2", "2", "0", "bob", "0.5", "20", "3", ""),
        ("caves/2/1/2", "1", "2", "2", "1", "ada", "1.5", "35", "2", ""),
        ("caves/2/1/2", "1", "2", "2", "2", "cyd", "0.0", "8", "6", "timeout"),
    ]
    assert list(found[0]) == [
        "match", "round", "number", "games", "seat", "bot", "wins", "points_total", "rank_total", "fault",
    ]  # fmt: skip


def test_matches_are_written_as_they_come():
    taken = []

    def passing():
        for number in range(1, 4):
            taken.append(number)
            yield match(number)

    chunks = matches_csv(passing())
    assert next(chunks).startswith(b"match,round,")
    assert taken == []
    for number in range(1, 4):
        assert next(chunks).startswith(f"caves/2/1/{number},".encode())
        assert taken == list(range(1, number + 1))
    assert list(chunks) == []
