"""A click group that imports a command only when it is called, so that `--version` and `--help` start fast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

__all__ = ["Lazy", "LazyGroup"]


@dataclass(frozen=True, slots=True)
class Lazy:
    """Where a command is found (`package.module:attribute`), and the line that the group's help shows for it."""

    place: str
    line: str

    def load(self) -> click.Command:
        """Import the module and return the command in it."""
        module, _, attribute = self.place.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


class LazyGroup(click.Group):
    """A group whose commands are known by name and line before their modules are imported."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **kwargs: Any) -> None:
        # A group called with nothing is told so in one line, as any other bad usage; click would print the whole help.
        kwargs.setdefault("no_args_is_help", False)
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table rather than the alphabet: what one needs first comes first."""
        return [*self.lazy, *(name for name in super().list_commands(ctx) if name not in self.lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now, or None."""
        if cmd_name in self.lazy and cmd_name not in self.commands:
            self.add_command(self.lazy[cmd_name].load(), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, from their lines alone."""
        del ctx
        rows = [(name, lazy.line) for name, lazy in self.lazy.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, but an unknown command names the nearest known one."""
        if args and args[0] not in self.lazy and not args[0].startswith("-"):
            # Only then: the module costs a few milliseconds.
            from difflib import get_close_matches

            near = get_close_matches(args[0], list(self.lazy), n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self.lazy)}"
            raise click.UsageError(f"no such command {args[0]!r}: {hint}", ctx)
        return super().resolve_command(ctx, args)
