"""Where the sample bots and the ready leagues lie: in a checkout, or inside the installed package."""

from __future__ import annotations

import difflib
from pathlib import Path

import harness
from harness.bots.manifest import MANIFEST_FILE
from harness.errors import BotError, HarnessFailure
from harness.protocol import visible

__all__ = ["leagues_root", "sample_folder", "sample_names", "samples_root"]


def samples_root() -> Path:
    """The folder of the sample bots, one folder each."""
    return _data_folder("sample_bots")


def leagues_root() -> Path:
    """The folder of the league files that run as they are."""
    return _data_folder("leagues")


def sample_names() -> tuple[str, ...]:
    """The NAMEs of `sample:NAME`, sorted."""
    return tuple(sorted(manifest.parent.name for manifest in samples_root().glob(f"*/{MANIFEST_FILE}")))


def sample_folder(name: str) -> Path:
    """The folder of one sample bot; BotError with the names there are."""
    names = sample_names()
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
        advice = f"did you mean sample:{near[0]}?" if near else f"there are {', '.join(names)}"
        raise BotError(f"sample:{visible(name, 60)}: there is no such sample bot; {advice}")
    return samples_root() / name


def _data_folder(name: str) -> Path:
    package = Path(harness.__file__).parent
    # The wheel's copy goes first: beside an installed package lie other people's folders.
    for folder in (package / "data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise HarnessFailure(f"the folder {name} is missing from this installation; install the package again")
