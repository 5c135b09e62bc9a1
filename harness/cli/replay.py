"""`harness replay`: the group of what is done with records of matches."""

from __future__ import annotations

import click

from harness.cli.lazy_group import Lazy, LazyGroup

__all__ = ["replay"]

COMMANDS = {
    "show": Lazy("harness.cli.replay_show:show", "Show a match, turn by turn."),
    "verify": Lazy("harness.cli.replay_verify:verify", "Play records again and check all that they say."),
    "export": Lazy("harness.cli.replay_export:export", "Take records out of a league's store."),
}
"""The commands of the group, in the order of its help."""


@click.group("replay", cls=LazyGroup, lazy=COMMANDS)
def replay() -> None:
    """Show, verify or export records of matches."""
