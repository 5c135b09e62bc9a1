"""The sample bots' play: leagues of theirs against the second implementation, decision by decision and in shares."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from tests.e2e.harness_command import harness, league_text
from tests.second.field import Record, Row, compare, other_decisions, out_of_order, record_shares
from tests.second.rules import EDITIONS
from tests.second.season import check_season_file, is_record
from tests.second.strategies import STRATEGIES, TWINS

LISTED = {
    "never": 0.0,
    "at-once": 0.8,
    "random": 11.7,
    "hazard-count": 19.0,
    "risk-threshold": 19.6,
    "gem-threshold": 27.9,
    "fixed-depth": 29.1,
    "expected-value": 29.6,
    "expected-value-leavers": 45.8,
}
"""Win shares that the text of the strategies lists, from a field of eighteen."""

MOST_SIGMAS = 4.0
"""A share further off than that many standard errors is a finding: one in 15,000 by chance, and the decks are fixed."""

OTHER_LANGUAGES = {strategy: twin for twin, strategy in TWINS.items()}


@dataclass(frozen=True)
class Field:
    """Leagues of the same sample bots."""

    name: str
    bots: list[str]
    seats: str
    rounds: int
    games: int
    edition: str = "iello-2016"
    leagues: int = 1
    """Each has a seed of its own, from which its decks and who shares a table follow."""

    @property
    def is_large(self) -> bool:
        """Whether it has the games that shares can be compared by: else only decisions are."""
        return self.leagues * len(self.bots) * self.rounds * self.games >= 20_000


NINE = Field("nine", list(STRATEGIES), "[4]", rounds=14, games=20, leagues=8)
"""20,160 games."""

TWINS_IN = replace(NINE, name="twins", bots=[OTHER_LANGUAGES.get(bot, bot) for bot in STRATEGIES])
"""The same with the bots in C and JavaScript where there are such."""

EVERYWHERE = [
    Field(edition, [*STRATEGIES, *TWINS], "[3, 5, 8]", rounds=3, games=10, edition=edition) for edition in EDITIONS
]
"""All sample bots in every edition."""


@dataclass(frozen=True)
class Finding:
    """What a league came to; good if `problems` is empty."""

    field: Field
    games: int
    turns: int
    rows: list[Row]
    notes: list[str]
    problems: list[str]


def play(field: Field, folder: Path, workers: int = 2) -> tuple[list[Record], dict[str, float]]:
    """The records of the leagues, checked, and the win shares of their ladders in percent."""
    records: list[Record] = []
    ladder = dict.fromkeys(field.bots, 0.0)
    for number in range(1, field.leagues + 1):
        played, shares = _play_league(field, f"{field.name}-{number}", folder, workers)
        records += played
        for bot, share in shares.items():
            # Each league has as many games of a bot as any other.
            ladder[bot] += share / field.leagues
    return records, ladder


def _play_league(field: Field, name: str, folder: Path, workers: int) -> tuple[list[Record], dict[str, float]]:
    path = folder / f"{name}.toml"
    text = league_text(
        name,
        [f'sample = "{bot}"' for bot in field.bots],
        seats=field.seats,
        games=field.games,
        rounds=field.rounds,
        seed=name,
        # No bot here is to be out for the machine's being busy.
        limits="move_ms = 10000\nstall_ms = 60000\nwait_ms = 600000",
    )
    path.write_text(text.replace('"iello-2016"', f'"{field.edition}"'), encoding="utf-8")
    harness("run-league", path, "--workers", str(workers), cwd=folder)
    harness("replay", "export", path, "--season", "1", "--out", f"{name}.jsonl", cwd=folder)
    ladder = json.loads(harness("standings", path, "--json", cwd=folder).stdout)["standings"]
    records = [line for line in check_season_file(folder / f"{name}.jsonl") if is_record(line)]
    return records, {row["bot"]: 100 * row["win_share"] for row in ladder}


def study(field: Field, folder: Path) -> Finding:
    """Plays a league and holds it against the second implementation."""
    records, ladder = play(field, folder)
    problems = [f"{record['match']}: faults {record['faults']}" for record in records if record["faults"]]
    for record in records:
        problems += other_decisions(record)
    problems += ladder_problems(records, ladder)
    rows, notes = [], []
    if field.is_large:
        rows = compare(records)
        problems += [f"{row.bot}: {row.off:+.1f} standard errors off" for row in rows if abs(row.off) > MOST_SIGMAS]
        listed = {OTHER_LANGUAGES[bot] if bot not in field.bots else bot: share for bot, share in LISTED.items()}
        for name, reference in (("played so", {row.bot: row.second for row in rows}), ("listed so", listed)):
            wrong, pairs = out_of_order(rows, reference)
            problems += [f"{worse} is not below {better}, as it is {name}" for worse, better in wrong]
            notes.append(f"pairs {name} more than two points apart: {pairs}, in another order {len(wrong)}")
    games = [game for record in records for game in record["games"]]
    turns = sum(len(turns) for game in games for turns in game["expeditions"])
    return Finding(field, len(games), turns, rows, notes, problems)


def ladder_problems(records: list[Record], ladder: dict[str, float]) -> list[str]:
    """Where the ladder's win shares are not what the records come to."""
    won: dict[str, float] = {}
    games: dict[str, int] = {}
    for record in records:
        for bot, share in record_shares(record).items():
            won[bot] = won.get(bot, 0.0) + share * len(record["games"])
            games[bot] = games.get(bot, 0) + len(record["games"])
    due = {bot: won[bot] / games[bot] for bot in won}
    return [
        f"{bot}: the ladder has {ladder.get(bot)}, the records {due.get(bot)}"
        for bot in sorted({*due, *ladder})
        if abs(ladder.get(bot, -1.0) - due.get(bot, -1.0)) > 1e-9
    ]


def table(finding: Finding) -> str:
    """What is printed of a league."""
    field = finding.field
    end = f"{len(finding.problems)} PROBLEMS" if finding.problems else "each as by the second implementation"
    lines = [
        f"{field.name}: {len(field.bots)} bots, {field.edition}, seats {field.seats}, {finding.games} games, "
        f"{finding.turns} turns: {end}"
    ]
    if finding.rows:
        lines.append(f"  {'bot':24}{'games':>7}{'real %':>9}{'second %':>10}{'difference':>12}{'sigma':>7}{'off':>6}")
    lines += [
        f"  {row.bot:24}{row.games:7}{row.real:9.2f}{row.second:10.2f}"
        f"{row.difference:+12.2f}{row.sigma:7.2f}{row.off:+6.1f}"
        for row in finding.rows
    ]
    return "\n".join([*lines, *(f"  {line}" for line in (*finding.notes, *finding.problems[:20]))])
