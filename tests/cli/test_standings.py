"""`harness standings`: each view as JSON, CSV and text, what an open round keeps back, and what can't be asked."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from harness.league import official_table_of
from harness.store import SeasonRow, Store, open_store
from tests.e2e.harness_command import league_text
from tests.ratings.tally import pairs, parts, tally
from tests.store.synthetic import BOTS, announce, open_round, store_all

Harness = Callable[..., Result]

LEAGUE = league_text("test", [f'sample = "{name}"' for name in ("never", "at-once", "random")], seats="[3]")


class League:
    """A league file and its store, asked for standings."""

    def __init__(self, file: Path, harness: Harness) -> None:
        self.file = file
        self.harness = harness

    def text(self, *options: object) -> list[str]:
        done = self.harness("standings", self.file, *options)
        assert done.exit_code == 0, done.output
        return [line.rstrip() for line in done.stdout.splitlines()]

    def json(self, *options: object) -> dict[str, Any]:
        found: dict[str, Any] = json.loads("\n".join(self.text("--json", *options)))
        return found

    def csv(self, *options: object) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO("\n".join(self.text("--csv", *options)))))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season with two rounds that are over, of tables of four and three, and one that is open: two of five played."""
    place = tmp_path_factory.mktemp("league")
    (place / "league.toml").write_text(LEAGUE)
    with open_store(place / "league.db") as store:
        season = announce(store)
        for number, seats in ((1, 4), (2, 3)):
            store_all(store, season, open_round(store, season, number, matches=30, seats=seats))
            store.apply_ready(season.id)
        store_all(store, season, open_round(store, season, 3, matches=5)[:2])
        store.apply_ready(season.id)
        store.withdraw(season.id, "bob", 4)
    return place


@pytest.fixture
def running(folder: Path, harness: Harness) -> League:
    return League(folder / "league.toml", harness)


@pytest.fixture
def told(folder: Path) -> list[Mapping[str, Any]]:
    """The records of the rounds that are over."""
    with open_store(folder / "league.db", write=False) as store:
        return list(store.records("test/1"))


@pytest.fixture
def ended(folder: Path, tmp_path: Path, harness: Harness) -> League:
    """The same season, ended as it stands."""
    for name in ("league.toml", "league.db"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with open_store(tmp_path / "league.db") as store:
        store.end_season("test/1")
    return League(tmp_path / "league.toml", harness)


def test_the_ladder_tells_states_behind_the_fields_it_had(running: League) -> None:
    rows = running.json()["standings"]
    assert list(rows[0])[-3:] == ["faults", "division", "state"]
    assert {row["bot"]: row["state"] for row in rows} == dict.fromkeys(BOTS, "plays") | {"bob": "withdrawn"}
    (line,) = [line for line in running.text() if line.split()[1:2] == ["bob"]]
    assert line.endswith(" withdrawn")
    assert "division" not in "".join(running.text())


def test_pairs_are_those_of_the_records_of_rounds_that_are_over(running: League, told: list[Mapping[str, Any]]) -> None:
    found = running.json("--head-to-head")["head_to_head"]
    assert {(row["bot"], row["other"]): (row["wins"], row["ties"], row["losses"]) for row in found} == pairs(told)
    for row in found:
        assert row["games"] == row["wins"] + row["ties"] + row["losses"]
        assert row["share"] == pytest.approx((row["wins"] + row["ties"] / 2) / row["games"])
        assert row["low"] < row["share"] < row["high"]
    mine = running.json("--head-to-head", "--bot", "eve")["head_to_head"]
    assert mine == [row for row in found if row["bot"] == "eve"]


def test_pairs_stand_in_the_order_of_the_ladder(running: League) -> None:
    order = [row["bot"] for row in running.json()["standings"]]
    assert [row["other"] for row in running.json("--head-to-head")["head_to_head"]][:5] == order[1:]
    assert [line.split()[1] for line in running.text("--head-to-head")[-6:]] == order


def test_only_tables_of_a_size_count_where_asked(running: League, told: list[Mapping[str, Any]]) -> None:
    small = [record for record in told if len(record["seats"]) == 3]
    found = running.json("--head-to-head", "--size", 3)["head_to_head"]
    assert {(row["bot"], row["other"]): row["games"] for row in found} == {
        pair: sum(counts) for pair, counts in pairs(small).items()
    }
    assert {row["round"] for row in running.json("--by", "round", "--size", 3)["breakdown"]} == {2}


def test_results_by_opponents_are_those_of_the_records(running: League, told: list[Mapping[str, Any]]) -> None:
    def opponents(record: Mapping[str, Any], bot: str) -> list[tuple[str, ...]]:
        return [tuple(sorted(seat["bot"] for seat in record["seats"] if seat["bot"] != bot))]

    found = running.json("--by", "composition")["breakdown"]
    expected = parts(told, opponents)
    assert {(row["bot"], tuple(row["opponents"])) for row in found} == set(expected)
    for row in found:
        matches, games, wins, points, ranks, faults = expected[row["bot"], tuple(row["opponents"])]
        assert (row["matches"], row["games"], row["faults"]) == (matches, games, faults)
        assert row["win_share"] == pytest.approx(float(wins / games))
        assert row["wins"] == pytest.approx(float(wins))
        assert row["points"] == pytest.approx(points / games)
        assert row["mean_rank"] == pytest.approx(ranks / games)
        assert row["expected_share"] == pytest.approx(1 / (1 + len(row["opponents"])))


@pytest.mark.parametrize("view", ["size", "composition", "round"])
def test_the_parts_of_a_bot_are_its_whole(running: League, told: list[Mapping[str, Any]], view: str) -> None:
    whole = tally(told)
    found = running.json("--by", view)
    assert found["by"] == view
    for bot, totals in whole.items():
        mine = [row for row in found["breakdown"] if row["bot"] == bot]
        assert sum(row["games"] for row in mine) == totals.games
        assert sum(row["faults"] for row in mine) == totals.faults
        assert sum(row["wins"] for row in mine) == pytest.approx(totals.wins)
        assert running.json("--by", view, "--bot", bot)["breakdown"] == mine


def test_by_round_the_last_rating_of_each_round_is_told(folder: Path, running: League) -> None:
    with open_store(folder / "league.db", write=False) as store:
        last = {(row.bot, row.round): (row.after.mu, row.after.sigma) for row in store.history("test/1")}
    found = {
        (row["bot"], row["round"]): (row["mu"], row["sigma"]) for row in running.json("--by", "round")["breakdown"]
    }
    assert found == {key: rating for key, rating in last.items() if key[1] < 3}


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ([], "standings"),
        (["--official"], "official"),
        (["--head-to-head"], "head_to_head"),
        (["--head-to-head", "--bot", "ada"], "head_to_head"),
        *((["--by", view], "breakdown") for view in ("size", "composition", "round", "opponent")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_csv_holds_what_json_holds(running: League, options: list[str], rows: str) -> None:
    def cell(value: object) -> str:
        if isinstance(value, list):
            return " ".join(value)
        return "" if value is None else json.dumps(value).strip('"')

    found = running.json(*options)[rows]
    assert found
    assert running.csv(*options) == [{name: cell(value) for name, value in row.items()} for row in found]


def test_what_is_kept_back_of_an_open_round_is_said(running: League) -> None:
    head = "2 of 3 rounds over; round 3 is open: "
    for options in (["--head-to-head"], ["--by", "size"]):
        assert running.text(*options)[0].endswith(f"{head}its matches are not counted here")
    for options in ([], ["--official"]):
        assert running.text(*options)[0].endswith(f"{head}2 of 5 matches counted")


def test_the_official_table_of_a_season_under_way_is_as_of_now(folder: Path, running: League) -> None:
    with open_store(folder / "league.db", write=False) as store:
        row = store.season("test")
        assert row is not None
        lines = official_table_of(store, row)
    found = running.json("--official")
    assert found["final"] is False
    assert "secret" not in found
    assert [(one["bot"], one["strength"], one["rank"]) for one in found["official"]] == [
        (line.bot, line.strength, line.rank) for line in lines
    ]
    assert "official table, as of now: " in "\n".join(running.text("--official"))
    assert "official" not in "\n".join(running.text())
    assert "official" not in running.json()


def test_once_the_season_is_over_the_official_table_stands_below_the_ladder(ended: League) -> None:
    said = ended.json()
    final = ended.json("--official")
    assert final["final"] is True
    assert said["official"] == final["official"]
    assert list(said)[-2:] == ["standings", "official"]
    lines = ended.text()
    ladder = next(place for place, line in enumerate(lines) if "win %" in line)
    title = next(place for place, line in enumerate(lines) if line.startswith("official table, final: "))
    assert title == ladder + len(BOTS) + 2
    assert len(lines) <= 40
    assert ended.text("--official")[-len(BOTS) - 1 :] == lines[-len(BOTS) - 1 :]
    assert [row["bot"] for row in ended.csv()] == [row["bot"] for row in said["standings"]]


def test_a_ladder_of_one_size_has_no_official_table_below(ended: League) -> None:
    assert "official" not in ended.json("--size", 4)
    assert "official" not in "\n".join(ended.text("--size", 4))


def divided(store: Store, monkeypatch: pytest.MonkeyPatch) -> SeasonRow:
    """A season in two divisions with a newcomer, one round of it over; a bot has been disqualified."""
    plain = store.announce_season

    def with_divisions(*told: Any, **more: Any) -> SeasonRow | None:
        *before, header = told
        return plain(*before, {**header, "divisions": [["ada", "bob", "cyd"], ["dot", "eve"]]}, **more)

    monkeypatch.setattr(store, "announce_season", with_divisions)
    season = announce(store)
    store_all(store, season, open_round(store, season, 1, matches=60, seats=3))
    store.apply_ready(season.id)
    store.disqualify(season.id, "cyd", 2, "it read the decks")
    return season


def test_a_season_in_divisions_is_told_division_by_division(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    with open_store(tmp_path / "league.db") as store:
        season = divided(store, monkeypatch)
        records = list(store.records(season.id))
    league = League(tmp_path / "league.toml", harness)
    rows = league.json()["standings"]
    assert [row["division"] for row in rows] == [1, 1, 2, 2, 0, 1]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, None]
    assert (rows[-1]["bot"], rows[-1]["state"], rows[-1]["games"]) == ("cyd", "disqualified", 0)
    assert league.csv()[-1]["rank"] == ""
    line = league.text()[-1]
    assert line.split()[:2] == ["1", "cyd"]
    assert line.endswith("disqualified")
    found = league.json("--by", "division")["breakdown"]
    # No table of three bots is of one division: without cyd only two are left of each.
    assert {row["division"] for row in found} == {"mixed"}
    assert {row["bot"]: row["games"] for row in found} == {bot: one.games for bot, one in tally(records).items()}
    assert "cyd" not in {row["bot"] for row in found}
    assert (
        harness("standings", league.file, "--by", "opponent", "--bot", "cyd")
        .stdout.splitlines()[-1]
        .startswith("no results of cyd to show")
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--official", "--head-to-head"], "--official and --head-to-head exclude each other"),
        (["--head-to-head", "--by", "size"], "--head-to-head and --by exclude each other"),
        (["--official", "--by", "size"], "--official and --by exclude each other"),
        (["--head-to-head", "--json", "--csv"], "--json and --csv exclude each other"),
        (["--bot", "ada"], "--bot goes with --head-to-head or --by"),
        (["--official", "--bot", "ada"], "--bot goes with --head-to-head or --by"),
        (["--official", "--size", "4"], "--size"),
        (["--by", "moon"], "'moon'"),
        (["--by", "division"], "season 1 of test has no divisions"),
        (["--head-to-head", "--bot", "adda"], "no bot adda in season 1; there are ada, bob, cyd, dot, eve, fay"),
        (["--by", "size", "--bot", "\x1b[2J"], "no bot ⟨U+001B⟩[2J in season 1; there are ada"),
        (["--official", "--season", "2"], "no such season"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_asked_is_one_line(running: League, options: list[str], says: str) -> None:
    done = running.harness("standings", running.file, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_a_season_without_a_match_has_every_view(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    with open_store(tmp_path / "league.db") as store:
        announce(store)
    league = League(tmp_path / "league.toml", harness)
    assert len(league.text()) == 2 + 1 + len(BOTS)
    for options in (["--official"], ["--head-to-head"], ["--by", "size"], ["--by", "opponent", "--bot", "ada"]):
        assert league.text(*options)[-1].startswith("no "), options
        assert league.csv(*options) == []
