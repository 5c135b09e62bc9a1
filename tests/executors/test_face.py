"""What the room gives, whatever of it was loaded before."""

from __future__ import annotations

import subprocess
import sys

import pytest

import harness.executors

PROGRAM = """
import importlib, pkgutil
import harness.executors
for found in pkgutil.iter_modules(harness.executors.__path__):
    importlib.import_module("harness.executors." + found.name)
print([name for name in harness.executors.__all__ if type(getattr(harness.executors, name)).__name__ == "module"])
"""


def test_every_name_is_what_its_file_gives_and_no_file() -> None:
    assert subprocess.check_output([sys.executable, "-c", PROGRAM], text=True).strip() == "[]"


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = harness.executors.nonsense
