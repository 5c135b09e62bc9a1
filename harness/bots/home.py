"""A home: an unpacked, built version of a bot, ready to be run any number of times."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.bots.archive import unpack, write_files
from harness.bots.bot import Bot, manifest_of
from harness.bots.building import Built
from harness.bots.version import BUILT_LIMIT, BotFile, version_of
from harness.errors import BotError, HarnessFailure
from harness.protocol import visible
from sandbox import PASSABLE, SandboxError, remove_tree, system_path

__all__ = ["Home", "Housing"]

VERSION_FLAG = {"java": "-version", "lua": "-v"}
INTERPRETERS = ("python3", "node", "java", "ruby", "perl", "lua", "php")


@dataclass(frozen=True, slots=True)
class Home:
    """What a worker needs to run a bot: the command and the folder to run it in.

    `build_hash` is the hash of what its build made, None where nothing is built; `interpreter` tells which one, and
    of what version, will run it, "" for a program of the bot's own.
    """

    command: tuple[str, ...]
    folder: str
    build_hash: str | None
    interpreter: str

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; `from_json` reads it back."""
        return asdict(self) | {"command": list(self.command)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Home:
        """The home that `to_json` wrote."""
        return cls(tuple(data["command"]), data["folder"], data["build_hash"], data["interpreter"])


class Housing:
    """Unpacks versions under `root`, each once; several processes may share one root.

    `run_build` is called for a bot that must be built and was not: `build`, with its sandbox bound.
    """

    def __init__(self, root: Path, run_build: Callable[[Bot], Built] | None = None) -> None:
        self.root = root
        self.run_build = run_build
        self._homes: dict[str, Home] = {}

    def home(self, version: str, archive: bytes, built: bytes | None = None) -> Home:
        """The home of a version; `built` is the archive of its build where there is one already.

        Raises BotError if the archive can't be used or the build fails, HarnessFailure if it is not that version's.
        """
        known = self._homes.get(version)
        if known is None:
            known = self._homes[version] = self._unpacked(version, archive, built)
        return known

    def _unpacked(self, version: str, archive: bytes, built: bytes | None) -> Home:
        where = f"version {visible(version, 12)}"
        files = unpack(archive, where)
        if version_of(files) != version:
            raise HarnessFailure(f"the archive kept for {where} holds other files; enter the bot again")
        manifest = manifest_of(files, where)
        name, build_hash = version, None
        if manifest.build is not None:
            if built is None:
                if self.run_build is None:
                    raise BotError(f"{manifest.name}: has to be built before it can play; submit it again")
                built = self.run_build(Bot(manifest.name, version, manifest, archive)).archive
            files = unpack(built, f"{where}, as built", BUILT_LIMIT)
            build_hash = version_of(files)
            name = f"{version}-{build_hash}"
        return Home(manifest.command, str(self._written(name, files)), build_hash, _interpreter(manifest.command[0]))

    def _written(self, name: str, files: tuple[BotFile, ...]) -> Path:
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(PASSABLE)
        folder = self.root.resolve() / name
        if folder.is_dir():
            return folder
        # Under another name until it is whole, so that a killed process leaves no half home behind.
        draft = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
        try:
            write_files(files, draft, writable=False)
            draft.rename(folder)
        except OSError as error:
            with contextlib.suppress(SandboxError):
                remove_tree(draft)
            if not folder.is_dir():  # else another process was faster
                raise HarnessFailure(
                    f"a bot can't be unpacked in {self.root} ({error.strerror}); see to that folder"
                ) from error
        return folder


@cache
def _interpreter(program: str) -> str:
    """What the program says of its version, once a process; "" for one that is no interpreter known to do so."""
    name = Path(program).name
    full = shutil.which(program, path=system_path())  # where a sandbox looks, or it would be another program's version
    if name not in INTERPRETERS or full is None:
        return ""
    try:
        told = subprocess.run(
            [full, VERSION_FLAG.get(name, "--version")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": system_path()},
            timeout=30,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return name
    lines = [line.strip() for line in told.decode("utf-8", "replace").splitlines() if line.strip()]
    return visible(f"{name}: {lines[0]}" if lines else name, 100)
