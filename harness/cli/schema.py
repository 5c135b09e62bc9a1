"""`harness schema`: the contracts as JSON Schema."""

from __future__ import annotations

import click

from harness.cli.json_text import dumped
from harness.errors import BadInput
from harness.protocol import schemas, visible

__all__ = ["schema"]


@click.command("schema")
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """Print the JSON Schema of every message, file and setting, or only that called NAME."""
    known = schemas()
    if name is None:
        click.echo(dumped(known, indent=2))
        return
    if name not in known:
        raise BadInput(f"no schema is called {visible(name, 60)}; there are {', '.join(known)}")
    click.echo(dumped(known[name], indent=2))
