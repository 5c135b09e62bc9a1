"""`harness doctor`: what contains bots on this machine, and what hostile programs get out of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from harness.cli.columns import Column, table
from harness.cli.hanging import hung
from harness.cli.json_text import dumped
from harness.cli.paper import console
from harness.cli.terminal import ASCII, signs, width_of
from harness.errors import AnswerIsNo
from harness.protocol import visible
from sandbox import BACKENDS, TIERS, Probe, probe
from sandbox.trial import Attack, Verdict, attacks, try_attacks

__all__ = ["doctor"]

HOW_LIMIT = 300
"""Characters shown of how an attack got through."""

Verdicts = Mapping[str, Mapping[str, Verdict]]
"""By the name of the backend, then by that of the attack."""


@click.command("doctor")
@click.option("--backend", "only", type=click.Choice(BACKENDS), help="Look at that backend alone.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def doctor(only: str | None, as_json: bool) -> None:
    """Find out what contains bots on this machine.

    Each backend is probed by doing, then every hostile program of the harness is run in it; that takes up to a minute a
    backend. Exit status 1: something gets through that the backend promises to stop.
    """
    found = probe(only)
    known = attacks()
    if not as_json:
        paper = console(sys.stdout)
        for each in found:
            for line in _found_lines(each, width_of(sys.stdout)):
                paper.print(line, soft_wrap=True)
    tried: dict[str, dict[str, Verdict]] = {}
    for each in found:
        if each.works and each.tier != TIERS[-1]:
            console(sys.stderr).print(f"trying {len(known)} attacks under {each.backend}", soft_wrap=True)
            tried[each.backend] = {verdict.attack: verdict for verdict in try_attacks(each, known)}
    layers = {each.backend: each.layers for each in found}
    broken = {
        name: [one.name for one in known if not verdicts[one.name].stopped and one.promised(layers[name])]
        for name, verdicts in tried.items()
    }
    if as_json:
        click.echo(dumped(_as_json(found, known, tried), indent=2))
    else:
        _draw(known, tried, layers, any(each.tier == TIERS[-1] for each in found))
    if any(broken.values()):
        what = "; ".join(f"{name}: {', '.join(names)}" for name, names in broken.items() if names)
        raise AnswerIsNo(f"attacks get through that should be stopped: {what}")


def _found_lines(found: Probe, width: int) -> Iterator[Text]:
    """What a backend holds, and why the rest does not."""
    yield Text(f"{found.backend}: {found.tier or 'can not be used'}", style="bold")
    if found.layers:
        yield from hung(Text("  holds: "), Text(", ".join(found.layers)), width)
    for reason in found.missing:
        yield from hung(Text("  lacks: "), Text(visible(reason)), width)


def _draw(known: Sequence[Attack], tried: Verdicts, layers: Mapping[str, Sequence[str]], bare: bool) -> None:
    paper = console(sys.stdout)
    width = width_of(sys.stdout)
    if tried:
        paper.print()
        console(sys.stdout, table=True).print(_table(known, tried, layers))
        paper.print()
    for name, verdicts in tried.items():
        through = [one for one in known if not verdicts[one.name].stopped]
        paper.print(f"{name}: {len(known) - len(through)} of {len(known)} attacks are stopped", soft_wrap=True)
        for one in through:
            but = "though it should be stopped" if one.promised(layers[name]) else "as nothing here promises to stop it"
            told = f"{one.name} gets through, {but}: {visible(verdicts[one.name].how, HOW_LIMIT)}"
            for line in hung(Text("  "), Text(told), width):
                paper.print(line, soft_wrap=True)
    if bare:
        paper.print("bare stops nothing; attacks are not tried", soft_wrap=True)


def _table(known: Sequence[Attack], tried: Verdicts, layers: Mapping[str, Sequence[str]]) -> Table:
    stopped, through, broken = ("ok", "x", "x!") if signs(sys.stdout) is ASCII else ("✔", "✘", "✘!")

    def cell(one: Attack, name: str) -> str:
        if tried[name][one.name].stopped:
            return stopped
        return broken if one.promised(layers[name]) else through

    columns = [Column("attack"), *(Column(name) for name in tried)]
    return table(columns, ([one.name.replace("_", " "), *(cell(one, name) for name in tried)] for one in known))


def _as_json(found: Sequence[Probe], known: Sequence[Attack], tried: Verdicts) -> dict[str, Any]:
    layers = {each.backend: each.layers for each in found}
    return {
        "backends": [
            {
                "backend": each.backend,
                "tier": each.tier,
                "clock": each.clock,
                "layers": list(each.layers),
                "missing": list(each.missing),
            }
            for each in found
        ],
        "attacks": [
            {
                "attack": one.name,
                "tries": one.tries,
                "known_by": one.known_by,
                "verdicts": {
                    name: {
                        "stopped": verdicts[one.name].stopped,
                        "promised": one.promised(layers[name]),
                        "how": verdicts[one.name].how,
                    }
                    for name, verdicts in tried.items()
                },
            }
            for one in known
        ],
    }
