"""The targets and their corpora: a folder of inputs each, which tests run as they are and fuzzers start from."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol, cast

__all__ = ["CORPUS", "TARGETS", "Target", "inputs", "target"]

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
TARGETS = tuple(sorted(path.stem for path in (HERE / "targets").glob("*.py")))


class Target(Protocol):
    """A module of `targets/`; its first line says what it holds to which property."""

    RUNS: int
    """Executions in CI."""
    LONGEST: int
    """Bytes of an input that the fuzzer makes."""
    WORDS: tuple[bytes, ...]
    """What the fuzzer may put into an input as a whole."""

    def check(self, data: bytes) -> bool:
        """AssertionError, or any other exception, where the property does not hold; else whether `data` is accepted."""

    def seeds(self) -> dict[str, bytes]:
        """Inputs of our own making, by name. Those that begin with `good-` are accepted, the others are not."""


def target(name: str) -> Target:
    return cast("Target", importlib.import_module(f"tests.fuzz.targets.{name}"))


def inputs(name: str) -> list[Path]:
    return sorted((CORPUS / name).iterdir())
