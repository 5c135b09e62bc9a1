"""`make bench`, or `python -m benchmarks [NAME...] [--quick] [--markdown]`: measures and prints, all or those named.

The machine it ran on and how busy that was stand first, and the load before each benchmark beside its name. `--quick`
takes small sizes, whose figures are worth little; `--markdown` prints tables for the page of figures of record.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import arena, jail, league, many_matches, memory, season_table, site, start, store, turn, turn_parts
from benchmarks.figure import NO_RATIO, TABLE_HEAD, Figure
from benchmarks.fixtures import SEATS
from benchmarks.machine import load, machine
from harness.bots import samples_root

NEEDS_PROC = Figure("all of it", "skipped", "it reads CPU times and peaks from Linux's /proc", NO_RATIO)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; all if none is given"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that it runs")
    parser.add_argument("--markdown", action="store_true", help="print tables for benchmarks/README.md")
    words = parser.parse_args()
    unknown = [name for name in words.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    print(f"{machine()}, {load()}")
    for name in words.names or BENCHMARKS:
        title, figures = BENCHMARKS[name]
        if words.markdown:
            print(f"\n## {title}\n\n`{name}`, {load()}\n\n{TABLE_HEAD}", flush=True)
        else:
            print(f"\n{name}: {title} ({load()})", flush=True)
        for figure in figures(words.quick):
            print(figure.row() if words.markdown else figure.text(), flush=True)


def turns(quick: bool) -> Iterator[Figure]:
    games, blocks = (5, 3) if quick else (turn.GAMES, turn.BLOCKS)
    with tempfile.TemporaryDirectory() as folder:
        for language, command in (
            ("C", turn.c_echo(Path(folder))),
            ("Python, which read JSON", turn.JSON_ECHO),
            ("Python, which look for the turn's number only", turn.PYTHON_ECHO),
        ):
            if command is None:
                yield Figure(f"bots in {language}", "skipped", "no C compiler (cc) on the path", NO_RATIO)
                continue
            cost = turn.measure(command, games=games, blocks=blocks)
            yield Figure(
                f"bots in {language}",
                f"{cost.referee_us:.1f} µs a turn",
                f"bare pipes {cost.floor_us:.1f} µs",
                f"{cost.ratio:.2f} × the floor",
            )
    parts = turn_parts.measure(games=5 if quick else turn_parts.GAMES, blocks=2 if quick else turn_parts.BLOCKS)
    yield Figure(
        "the referee's own work alone",
        f"{parts.sum_us:.1f} µs a turn",
        "no bots",
        NO_RATIO,
        f"encode {parts.encode_us:.1f}, read {parts.read_us:.1f}, judge {parts.judge_us:.1f}, "
        f"step {parts.step_us:.1f}, record {parts.record_us:.1f}",
    )


def leagues(quick: bool) -> Iterator[Figure]:
    if sys.platform != "linux":
        yield NEEDS_PROC
        return
    reads_json = samples_root() / "fixed-depth" / "bot.py"
    for games, rounds, blocks, which, program in (
        (50, 10, 2, "least bots", None),
        (50, 8, 1, "bots that read JSON", reads_json),
        (1, 6, 3, "least bots", None),
    ):
        sizes = {"rounds": 1, "blocks": 1, "tables": 1} if quick else {"rounds": rounds, "blocks": blocks}
        cost = league.measure(games=games, program=program, **sizes)
        parts = ", ".join(f"{name} {us:.0f}" for name, us in cost.parts.items())
        used_us = cost.spent_us - cost.parts[league.IDLE]
        yield Figure(
            f"{cost.matches} matches of {_games(games)}, {which}",
            f"{cost.per_s:.0f} games a second",
            f"ceiling {cost.ceiling_per_s:.0f}",
            f"{cost.share:.1%} of the ceiling",
            f"of {cost.spent_us:.0f} µs on both cores a game: {parts}; "
            f"bare pipes are {cost.parts['bare pipes'] / used_us:.1%} of the CPU time used",
        )


def starts(quick: bool) -> Iterator[Figure]:
    cost = start.measure(blocks=3 if quick else 15)
    for name, us in cost.parts.items():
        yield Figure(name, f"{us / 1000:.2f} ms", f"of {cost.whole_us / 1000:.2f} ms", f"{us / cost.whole_us:.1%}")


def stores(quick: bool) -> Iterator[Figure]:
    for games, rounds in ((1, 20), (50, 4)):
        cost = store.measure(games=games, rounds=1 if quick else rounds, blocks=1 if quick else 3)
        kept_us = cost.store_us + cost.apply_us
        yield Figure(
            f"records of {_games(games)} stored and applied",
            f"{1e6 / kept_us:.0f} a second",
            f"bare inserts {1e6 / cost.inserts_us:.0f}",
            f"{cost.ratio:.1f} × the floor's time",
            f"µs a record: store {cost.store_us:.0f}, of this packing {cost.packing_us:.0f}; "
            f"apply {cost.apply_us:.0f}, of this ratings {cost.ratings_us:.0f}; bare inserts {cost.inserts_us:.0f}",
        )
        yield Figure(
            f"ratings of {_games(games)}",
            f"{cost.ratings_us:.0f} µs a record",
            f"bare trueskill {cost.package_us:.0f} µs",
            f"{cost.ratings_ratio:.2f} × the floor",
        )


def tables(quick: bool) -> Iterator[Figure]:
    leagues, live_leagues, matches = (
        (2, 1, 500) if quick else (season_table.LEAGUES, season_table.LIVE_LEAGUES, season_table.MATCHES)
    )
    found = list(season_table.qualities(leagues, matches))
    size = f"{leagues} seasons of {matches} matches"

    def mean(name: str) -> tuple[float, float]:
        values = [getattr(each, name) for each in found]
        return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5

    table, off = mean("kendall")
    live, live_package = (
        statistics.fmean(each) for each in zip(*season_table.live_qualities(live_leagues, matches), strict=True)
    )
    same = statistics.fmean(each.kendall for each in found[:live_leagues])
    yield Figure(
        "official table: Kendall's τ with the truth",
        f"{table:.3f} ± {off:.3f}",
        "goal at least .92",
        NO_RATIO,
        f"mean over {size}, {mean('tied')[0]:.1%} of pairs tied; in the first {live_leagues} the table {same:.3f}, "
        f"live ratings {live:.3f}, with the package's own parameters {live_package:.3f}",
    )
    for what, name in (("strength", "strengths_held"), ("rank", "ranks_held")):
        held, off = mean(name)
        notes = f"intervals are {mean('ranks_wide')[0]:.1f} ranks wide" if what == "rank" else ""
        yield Figure(
            f"95 % intervals of {what} that hold the truth",
            f"{held:.1%} ± {off:.1%}",
            "goal 93 to 97 %",
            NO_RATIO,
            notes,
        )
    spent = season_table.cost(matches, blocks=2 if quick else 5)
    yield Figure(
        f"official table of {matches} matches, {season_table.BOOTSTRAPS} draws",
        f"{spent.table_s * 1000:.0f} ms",
        f"one fit {spent.fit_s * 1000:.1f} ms",
        f"{spent.table_s / spent.fit_s:.0f} × one fit",
        f"goal at most 300; counting the pairs takes {spent.count_s * 1000:.0f} ms of it",
    )
    for seats in (2, 4, 6, 8):
        again = season_table.replay(seats, matches=100 if quick else 1000, blocks=2 if quick else 9)
        yield Figure(
            f"live ratings replayed, {seats} seats",
            f"{again.ladder_us:.0f} µs a match",
            f"bare trueskill {again.bare_us:.0f} µs",
            f"{again.ratio:.2f} × the floor",
            "goal at most 1.3",
        )


def memories(quick: bool) -> Iterator[Figure]:
    if sys.platform != "linux":
        yield NEEDS_PROC
        return
    rounds = 2 if quick else 50
    yield from _peaks("made records", memory.measure(rounds=rounds))
    with tempfile.TemporaryDirectory() as folder:
        command = turn.c_echo(Path(folder))
        program = None if command is None else Path(command[0])
        language = "Python" if program is None else "C"
        cost = memory.measure(rounds=1 if quick else 5, program=program, played=True)
        yield from _peaks(f"bots in {language}", cost)


def _peaks(what: str, cost: memory.MemoryCost) -> Iterator[Figure]:
    sizes = f"{what}, {cost.long.matches} matches over {cost.short.matches}"
    for process, long_kb, short_kb, ratio in (
        ("main process", cost.long.main_kb, cost.short.main_kb, cost.ratio),
        ("a worker", cost.long.worker_kb, cost.short.worker_kb, cost.worker_ratio),
    ):
        if short_kb:
            yield Figure(
                f"{process}: {sizes}", f"{long_kb / 1024:.1f} MiB", f"{short_kb / 1024:.1f} MiB", f"{ratio:.3f}"
            )


def sites(quick: bool) -> Iterator[Figure]:
    if sys.platform != "linux":
        yield NEEDS_PROC
        return
    cost = site.measure(rounds=1, bots=8) if quick else site.measure(rounds=25)
    yield Figure(
        f"pages written again after one more round of a season of {cost.matches} matches",
        f"{cost.again.pages} pages",
        f"full publish {cost.full.pages}",
        f"{cost.share:.1%} of the pages",
        f"goal under 10 %; of all files {cost.again.files} of {cost.full.files}, {cost.share_of_files:.1%}; "
        f"{cost.again.cpu_s:.1f} s of CPU, the full publish {cost.full.cpu_s:.1f} s",
    )
    yield Figure(
        f"publishing {cost.matches} matches over a tenth as many",
        f"{cost.full.peak_kb / 1024:.1f} MiB",
        f"{cost.short.peak_kb / 1024:.1f} MiB",
        f"{cost.ratio:.3f}",
        "goal at most 1.2",
    )


def many(quick: bool) -> Iterator[Figure]:
    for each in many_matches.measure(multiples=(1, 2) if quick else many_matches.MULTIPLES):
        yield Figure(
            f"{each.at_once} matches at once",
            f"{each.timeouts} false timeouts",
            f"by the wall {each.by_wall}",
            f"of {each.seats} seats",
            f"{each.decisions} decisions, the longest {each.cpu_max_us / 1000:.1f} ms of CPU and "
            f"{each.wall_max_us / 1000:.1f} ms on the wall; a move has {many_matches.MOVE_MS} ms",
        )


def arenas(quick: bool) -> Iterator[Figure]:
    for games, rounds in ((50, 2), (1, 6)):
        cost = arena.measure(
            games=games, rounds=1 if quick else rounds, arena_games=4 if quick else 60, blocks=1 if quick else 3
        )
        yield Figure(
            f"league of {_games(games)} a match",
            f"{cost.ours_per_s:.1f} games a second",
            f"naive arena {cost.arena_per_s:.1f}",
            f"{cost.ratio:.1f} × the arena",
        )


def jails(quick: bool) -> Iterator[Figure]:
    with jail.echo_bot() as program:
        if program is None:
            yield Figure("all of it", "skipped", "no C compiler (cc) on the path", NO_RATIO)
            return
        for name in jail.BACKENDS:
            found = jail.probed(name)
            if not found.works:
                yield Figure(name, "skipped", "; ".join(found.missing), NO_RATIO)
                continue
            full = jail.SLOW if name == "docker" else jail.FULL
            cost = jail.measure(found, jail.QUICK if quick else full, program)
            yield Figure(
                f"{name}: start to the first line",
                f"{cost.start_ms:.2f} ms",
                f"plain bubblewrap {cost.plain_ms:.2f} ms" if cost.plain_ms else "no bubblewrap",
                f"{cost.start_ms / cost.plain_ms:.2f} × plain bubblewrap" if cost.plain_ms else NO_RATIO,
                f"bare {cost.bare_ms:.2f} ms; tier {found.tier}",
            )
            yield Figure(
                f"{name}: a turn of {SEATS} bots in C",
                f"{cost.turn_us:.1f} µs",
                f"bare {cost.bare_turn_us:.1f} µs",
                f"{cost.turn_ratio:.3f} × bare",
            )


def _games(games: int) -> str:
    return "one game" if games == 1 else f"{games} games"


BENCHMARKS: dict[str, tuple[str, Callable[[bool], Iterator[Figure]]]] = {
    "turn": (f"One turn of {SEATS} echo bots, everything on one core", turns),
    "league": ("A league of Python bots, two workers, over what bare pipes would allow", leagues),
    "start": ("A match of one game, everything on one core: what start and end cost", starts),
    "store": ("Records stored and applied, over bare inserts of the same rows", stores),
    "table": ("The official table of a season, over a truth that is known", tables),
    "memory": ("Peak memory of a long league over a short one", memories),
    "site": ("Publishing a site again after one more round, and peak memory over a season a tenth as long", sites),
    "many-matches": ("False timeouts when more matches are played at once than there are cores", many),
    "jail": ("What it costs a bot to be contained, everything on one core", jails),
    "arena": ("A league beside a naive arena", arenas),
}


if __name__ == "__main__":
    main()
