"""Whatever is wrong with a bot costs its own matches only, and its author is told why."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.harness_command import harness, league_text
from tests.second.season import check_season_file, is_record

READY = 'print(\'{"type":"ready"}\', flush=True)\n'
BAD = {
    "missing": ("start-failed", None),
    "crashing": ("start-failed", "import sys\nraise ImportError('no module named strategy')\n"),
    "hanging": ("timeout", f"import signal\n{READY}signal.pause()\n"),
    "chatty": ("bad-message", f"{READY}input()\nprint('the pocket holds 7', flush=True)\ninput()\n"),
    "nonsense": ("bad-action", "import json, sys\n" + READY + "for line in sys.stdin:\n"
                 "    message = json.loads(line)\n    if message['type'] == 'decide':\n"
                 "        print('noise', file=sys.stderr, flush=True)\n"
                 "        answer = {'type': 'decision', 'turn': message['turn'], 'action': 42}\n"
                 "        print(json.dumps(answer), flush=True)\n"),
}  # fmt: skip
GOOD = ["never", "fixed-depth", "random"]


def test_each_costs_its_own_match_and_says_why(tmp_path: Path) -> None:
    bots = [f'sample = "{name}"' for name in GOOD]
    for name, (_, text) in BAD.items():
        folder = tmp_path / name
        folder.mkdir()
        command = '["python3", "bot.py"]' if text is not None else '["./not-there"]'
        (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = {command}\n', encoding="utf-8")
        (folder / "bot.py").write_text(text or "", encoding="utf-8")
        bots.append(f'path = "{name}"')
    path = tmp_path / "bad.toml"
    path.write_text(league_text("bad", bots, rounds=1, limits="stall_ms = 400"), encoding="utf-8")
    run = harness("run-league", path, cwd=tmp_path)
    for name in BAD:
        assert name in run.stderr + run.stdout

    harness("replay", "export", path, "--season", "1", "--out", "season.jsonl", cwd=tmp_path)
    harness("replay", "verify", "season.jsonl", cwd=tmp_path)
    kinds: dict[str, set[str]] = {}
    for record in filter(is_record, check_season_file(tmp_path / "season.jsonl")):
        for fault in record["faults"]:
            kinds.setdefault(record["seats"][fault["seat"]]["bot"], set()).add(fault["kind"])
    assert kinds == {name: {kind} for name, (kind, _) in BAD.items()}

    everything = harness("faults", path, "--stderr", cwd=tmp_path).stdout
    assert "no module named strategy" in everything
    assert "not-there" in everything
    assert "the pocket holds 7" in everything
    assert "noise" in everything
    alone = harness("faults", path, "hanging", cwd=tmp_path).stdout
    assert "stall_ms" in alone
    assert "chatty" not in alone
