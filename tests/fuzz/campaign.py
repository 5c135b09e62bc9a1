"""One target under the coverage-guided fuzzer: `python -m tests.fuzz.campaign TARGET [libFuzzer's options]`.

The modules of the harness, and those of the standard library that parse for it, are instrumented as they are imported;
the oracles in the tests are not. An exception of the target is a find: libFuzzer keeps its input and ends with 77.
"""

from __future__ import annotations

import importlib
import sys

import atheris

INSTRUMENTED = ["harness", "tomllib"]


def main() -> None:
    name, *options = sys.argv[1:]
    with atheris.instrument_imports(include=INSTRUMENTED):
        target = importlib.import_module(f"tests.fuzz.targets.{name}")

    def run(data: bytes) -> None:
        target.check(data)

    # By its first word libFuzzer starts itself again to merge corpora.
    atheris.Setup([f"{sys.executable} -m tests.fuzz.campaign {name}", *options], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
