"""`harness completion SHELL`: the script that teaches a shell to complete this command line."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from harness.cli.command_line import COMPLETE_VARIABLE

__all__ = ["completion"]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    For bash: `eval "$(harness completion bash)"` in ~/.bashrc; zsh alike; for fish:
    `harness completion fish > ~/.config/fish/completions/harness.fish`.
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(ctx.find_root().command, {}, "harness", COMPLETE_VARIABLE).source())
