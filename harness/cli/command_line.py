"""`harness`: the group of all commands, and the one door through which every run of it enters and leaves."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from click.shell_completion import shell_complete

from harness import __version__
from harness.cli.failures import exit_status_of
from harness.cli.lazy_group import Lazy, LazyGroup
from harness.cli.terminal import prepare_streams
from harness.errors import BadInput
from harness.executors import take_signals

__all__ = ["COMPLETE_VARIABLE", "CommandLine", "main"]

COMPLETE_VARIABLE = "_HARNESS_COMPLETE"
"""The environment variable by which a shell asks for completions."""

COMMANDS = {
    "play": Lazy("harness.cli.play:play", "Play one match now, without a league."),
    "run-league": Lazy("harness.cli.run_league:run_league", "Play a league's season, or go on with it."),
    "standings": Lazy("harness.cli.standings:standings", "Show the ladder, the official table, results by part."),
    "faults": Lazy("harness.cli.faults:faults", "Show which bots broke the rules, where, and what to mend."),
    "replay": Lazy("harness.cli.replay:replay", "Show, verify or export records of matches."),
    "publish": Lazy("harness.cli.publish:publish", "Write a league's site, or bring it up to date."),
    "plan": Lazy("harness.cli.plan:plan", "Show what a run of a league would be."),
    "submit": Lazy("harness.cli.submit:submit", "Enter a bot, or a new version of it, in a league."),
    "bots": Lazy("harness.cli.bots:bots", "List the bots of a league, bench them, let them in, withdraw them."),
    "void": Lazy("harness.cli.void:void", "Let a match count no more, and rate again without it."),
    "re-rate": Lazy("harness.cli.re_rate:re_rate", "Compute all ratings of a season again."),
    "tune-ratings": Lazy("harness.cli.tune_ratings:tune_ratings", "Propose what to rate a league with."),
    "doctor": Lazy("harness.cli.doctor:doctor", "Find out what contains bots on this machine."),
    "schema": Lazy("harness.cli.schema:schema", "Print the machine-readable contracts as JSON Schema."),
    "completion": Lazy("harness.cli.completion:completion", "Print the shell's completion script."),
}
"""All commands, in the order of the help."""


class CommandLine(LazyGroup):
    """The top group. Its `main` replaces click's: one line on stderr a failure, the contract's exit status."""

    def main(  # type: ignore[override]  # click's overloads promise a value for a mode that nobody uses here
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run the command named by `args` (default: the process's own) and exit."""
        prepare_streams()
        del extra  # what click knows of modes and of Windows
        words = list(sys.argv[1:] if args is None else args)
        name = prog_name or "harness"
        instruction = os.environ.get(COMPLETE_VARIABLE)
        if instruction:
            sys.exit(shell_complete(self, {}, name, COMPLETE_VARIABLE, instruction))
        # They end a command as Ctrl-C does, so that what it opened is closed; a run puts its own handlers on top.
        with take_signals((signal.SIGTERM, signal.SIGHUP), signal.default_int_handler):
            sys.exit(self._status(words, name))

    def _status(self, words: list[str], name: str) -> int:
        try:
            for word in words:
                # Bytes that are no UTF-8 come as lone surrogates, which no seed, store or record can hold.
                if not word.isascii() and any("\ud800" <= letter <= "\udfff" for letter in word):
                    raise BadInput(f"argument {word!a} is not UTF-8; name it in UTF-8, or rename the file")
            with self.make_context(name, words) as ctx:
                self.invoke(ctx)
            sys.stdout.flush()  # here, where a full disk can still be told
        except (Exception, KeyboardInterrupt) as failure:
            return exit_status_of(failure)
        return 0


@click.group(
    "harness",
    cls=CommandLine,
    lazy=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="harness", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tournaments for programs that play the card game Diamant.

    `harness COMMAND --help` explains each command. Exit status: 0 done, 1 the answer is no, 2 bad usage or bad
    input, 3 the harness or the machine failed, 130 interrupted.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
