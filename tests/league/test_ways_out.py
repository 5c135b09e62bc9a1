"""What the room's sentences tell a user to type must be there: commands of the command line, options of a run."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import harness.league
from harness.cli import main


def texts() -> Iterator[str]:
    """The texts in the room's code that are no docstrings, and words of a command line joined as a shell would."""
    for path in sorted(Path(harness.league.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Tuple | ast.List):
                yield " ".join(
                    each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else "?"
                    for each in node.elts
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield node.value


def named(pattern: str, text: str) -> set[str]:
    return {match[1] for match in re.finditer(pattern, text)}


COMMAND = r"(?<![\w/.-])harness ([a-z][a-z-]*)"
OPTION = r"(?<![\w-])(--[a-z][a-z-]*)"


@pytest.mark.parametrize(
    ("text", "commands", "options"),
    [
        ("take it out with `harness bots withdraw`, or begin with --new-season", {"bots"}, {"--new-season"}),
        ("harness submit ? ?", {"submit"}, set()),
        ("harness/cli - the harness", set(), set()),
    ],
)
def test_words_are_found_in_a_sentence(text: str, commands: set[str], options: set[str]) -> None:
    assert named(COMMAND, text) == commands
    assert named(OPTION, text) == options


def test_every_command_that_a_sentence_names_is_one_of_the_command_line() -> None:
    found = {word for text in texts() for word in named(COMMAND, text)}
    assert "submit" in found
    assert found <= set(main.list_commands(click.Context(main)))


def test_every_option_that_a_sentence_names_is_one_of_a_run() -> None:
    run = main.get_command(click.Context(main), "run-league")
    assert run is not None
    found = {word for text in texts() for word in named(OPTION, text)}
    assert "--new-season" in found
    assert found <= {option for parameter in run.params for option in parameter.opts}
