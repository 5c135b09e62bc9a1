"""`python -m benchmarks`: which are run, and how they are printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from benchmarks import __main__ as command
from benchmarks.figure import Figure


def told(quick: bool) -> Iterator[Figure]:
    yield Figure("sizes", "small" if quick else "large", "floor", "1.0")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run(*words: str) -> str:
        monkeypatch.setattr(command, "BENCHMARKS", {"one": ("The first", told), "two": ("The second", told)})
        monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
        command.main()
        return capsys.readouterr().out

    return run


def test_all_are_run_if_none_is_named(run: Callable[..., str]) -> None:
    out = run()
    assert out.index("one: The first") < out.index("two: The second")
    assert out.count("sizes: large; floor; 1.0") == 2


def test_a_name_chooses_and_quick_makes_small(run: Callable[..., str]) -> None:
    out = run("two", "--quick")
    assert "The first" not in out
    assert "sizes: small" in out


def test_markdown_is_a_table_under_a_heading(run: Callable[..., str]) -> None:
    lines = run("one", "--markdown").splitlines()
    assert "## The first" in lines
    assert lines[-3].count("|") == lines[-2].count("|") == lines[-1].count("|")
    assert lines[-1] == "| sizes | large | floor | 1.0 |"


def test_an_unknown_name_is_refused(run: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run("three")
    assert ended.value.code == 2
    assert "no benchmark 'three'; there are one, two" in capsys.readouterr().err
