"""The shipped league with divisions over three seasons, with all that an organiser and a dying machine can do to it."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.bots import leagues_root, samples_root
from harness.cli import main
from tests.e2e.harness_command import BARE, started
from tests.second.season import Line, check_season_file, is_record

UNDISTURBED_ROUNDS = 3


def league(folder: Path) -> Path:
    """`leagues/divisions.toml`, shorter, with a stated seed, seven bots, and one of them in a folder of the user's."""
    text = (leagues_root() / "divisions.toml").read_text(encoding="utf-8")
    for old, new in (
        ("games = 10", "games = 11"),
        ("rounds = 12", f'rounds = {UNDISTURBED_ROUNDS}\nseed = "divisions"'),
        ('sample = "fixed-depth"', 'path = "deep"'),
        ('[[bots]]\nsample = "never"\n', ""),
        ('[[bots]]\nsample = "at-once"\n', ""),
        ('backend = "auto"', BARE.splitlines()[0]),
    ):
        assert old in text
        text = text.replace(old, new)
    folder.mkdir()
    shutil.copytree(samples_root() / "fixed-depth", folder / "deep")
    manifest = folder / "deep" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "fixed-depth"', 'name = "deep"'))
    path = folder / "divisions.toml"
    path.write_text(text, encoding="utf-8")
    return path


def harness(*words: str | Path) -> None:
    """Calls a command in this process, which is quicker than starting one."""
    done = CliRunner().invoke(main, [str(word) for word in words], prog_name="harness")
    assert done.exit_code == 0, f"{words}: {done.output}"


def run(path: Path, *more: str, kill: bool = False) -> None:
    """A run; with `kill` it dies when a round has begun, and is started again."""
    if kill:
        dying = started("run-league", path, *more, cwd=path.parent)
        assert dying.stdout is not None
        assert dying.stderr is not None
        with dying.stdout, dying.stderr:
            for line in dying.stderr:
                if line.startswith("round "):
                    break
            os.kill(dying.pid, signal.SIGKILL)
            dying.stderr.read()
        assert dying.wait() == -signal.SIGKILL
        more = tuple(word for word in more if word != "--new-season")
    harness("run-league", path, *more)


def three_seasons(path: Path, kill: bool) -> list[list[Line]]:
    """Plays them, and gives the lines of their files."""
    folder = path.parent
    run(path, "--rounds", "1", kill=kill)
    harness("void", path, "1/1/2", "--reason", "a wrong deck")
    run(path, kill=kill)
    run(path, "--new-season", "--rounds", "2", kill=kill)
    harness("bots", path, "withdraw", "random")
    program = next(file for file in (folder / "deep").iterdir() if file.suffix == ".py")
    program.write_text(program.read_text() + "# another version\n")
    harness("submit", path, folder / "deep")
    run(path, kill=kill)
    path.write_text(path.read_text().replace('[[bots]]\nsample = "random"\nanchor = true\n', ""))
    run(path, "--new-season", kill=kill)
    found = []
    for season in ("1", "2", "3"):
        harness("replay", "export", path, "--season", season, "--out", folder / f"{season}.jsonl")
        found.append(check_season_file(folder / f"{season}.jsonl"))
    harness("replay", "verify", *(folder / f"{season}.jsonl" for season in (1, 2, 3)))
    return found


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> list[list[Line]]:
    return three_seasons(league(tmp_path_factory.mktemp("killed") / "league"), kill=True)


def ranking(season: list[Line]) -> list[str]:
    """The ranked bots of a season's official table, best first."""
    return [row[0] for row in season[-1]["official"] if row[7] is not None]


def test_the_first_table_cuts_the_field_and_the_second_promotes_and_relegates(killed: list[list[Line]]) -> None:
    first, second, third = killed
    assert "divisions" not in first[0]
    order = ranking(first)
    assert second[0]["divisions"] == [sorted(order[:4]), sorted(order[4:])]
    upper, lower = second[0]["divisions"]
    ranks = ranking(second)
    assert set(ranks[:4]) == set(upper)
    # The withdrawn bot leaves the order before it is cut anew.
    after = [*ranks[:2], ranks[4], ranks[2], ranks[3], *ranks[5:]]
    after.remove("random")
    assert third[0]["divisions"] == [sorted(after[:3]), sorted(after[3:])]
    assert set(lower) | set(upper) == set(order)


def test_a_void_match_a_new_version_and_a_withdrawal_stand_in_the_files(killed: list[list[Line]]) -> None:
    first, second, third = killed
    assert {"void": "divisions/1/1/2", "reason": "a wrong deck"} in first
    versions = [{dict(line["entries"]).get("deep") for line in season if "entries" in line} for season in killed]
    assert [len(found) for found in versions] == [1, 2, 1]
    assert versions[1] > versions[0]
    assert versions[2] < versions[1]
    rows = [row for row in second[-1]["official"] if row[0] == "deep"]
    assert {row[1] for row in rows} == versions[1]
    last = [line for line in second if is_record(line) and line["fixture"]["round"] == UNDISTURBED_ROUNDS]
    assert last
    assert "random" not in str([line["seats"] for line in last])
    assert "random" in ranking(second) or any(row[0] == "random" for row in second[-1]["official"])
    assert "random" not in str(third[0]["starts"])


def test_kills_leave_no_trace(killed: list[list[Line]], tmp_path: Path) -> None:
    whole = three_seasons(league(tmp_path / "league"), kill=False)
    for one, other in zip(killed, whole, strict=True):
        assert one[0] == other[0]
        for field in ("results", "ratings", "official", "secret"):
            assert one[-1][field] == other[-1][field]
        for mine, theirs in zip(one[1:-1], other[1:-1], strict=True):
            assert mine.get("outcome") == theirs.get("outcome")
