"""The folder of a site: what was written there before, what is current, and writing so that no reader sees half a file.

Beside the pages stands the folder `.publish`: the ledger, notes (what the pages need of shards and past seasons), and
drafts. It may be deleted at any time; the next publish then makes everything anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.errors import BadInput, HarnessFailure
from harness.protocol import visible
from harness.publish.addresses import LADDER
from harness.publish.drafts import Drafts, make_folder
from harness.publish.ledger import Ledger

__all__ = ["SiteFolder", "open_site_folder"]

_STATE = ".publish"
_LEDGER = "ledger.json"

_OURS = re.compile(r"assets|season-[1-9][0-9]*")
"""The folders of a site."""

_MADE_BY = b'<meta name="generator" content="tacora harness">'
"""Stands in the head of every page."""

_MAY_STAND_THERE = frozenset({"CNAME"})
"""What a host asks for beside the pages; names that begin with a dot may stand there too."""


class SiteFolder:
    """A site's folder, held by one publish. Paths are relative, with "/"; made by `open_site_folder`.

    `written` and `removed` count files.
    """

    def __init__(self, root: Path, league: str, key: str) -> None:
        self.root = root
        self.written = 0
        self.removed = 0
        self._state = root / _STATE
        self._before = Ledger.read(self._state / _LEDGER) or Ledger(
            league, "", whole=False, files={}, doomed=frozenset()
        )
        self._trusted = self._before.whole and self._before.key == key
        self._league, self._key = league, key
        self._drafts = Drafts(self._state / "drafts")
        self._now: dict[str, str] = {}
        self._notes: set[str] = set()
        self._distrusted = False

    # What is there

    def has(self, path: str) -> bool:
        """Whether the file is there."""
        return (self.root / path).is_file()

    def keep_if_current(self, path: str, fingerprint: str) -> bool:
        """Keep the file if it is there and was made from just that; whether it was."""
        if not self._trusted or self._before.files.get(path) != fingerprint or not self.has(path):
            return False
        self._now[path] = fingerprint
        return True

    def keep(self, path: str) -> None:
        """A file that is named for its content stays."""
        self._now.setdefault(path, "")

    def keep_all(self, prefix: str) -> bool:
        """All files below `prefix` stay as they are; False, and nothing is kept, where one of them is missing."""
        below = {path: told for path, told in self._before.files.items() if path.startswith(prefix)}
        if not self._trusted or not below or not all(map(self.has, below)):
            return False
        self._now.update(below)
        return True

    def paths(self, ending: str) -> list[str]:
        """The files so far whose names end so."""
        return sorted(path for path in self._now if path.endswith(ending))

    @property
    def files(self) -> int:
        """How many files the site has by now."""
        return len(self._now)

    # Writing

    def write(self, path: str, data: bytes, fingerprint: str = "") -> None:
        """The file is there in one piece, for everyone to read."""
        self._distrust()
        self._drafts.put(self.root / path, data)
        self._now[path] = fingerprint
        self.written += 1

    def write_changed(self, path: str, pieces: Iterator[bytes]) -> None:
        """The same a piece at a time, but one that stands there with just these bytes stays as it is."""
        with self._drafts.begin(self.root / path) as draft:
            for piece in pieces:
                draft.write(piece)
            if self.keep_if_current(path, draft.digest):
                return
            self._distrust()
            draft.take_place()
        self._now[path] = draft.digest
        self.written += 1

    # Notes

    def note(self, name: str, content: Mapping[str, Any]) -> None:
        """Keep something for the next publish."""
        self._drafts.put(self._note_path(name), json.dumps(content, separators=(",", ":")).encode())
        self._notes.add(name)

    def keep_note(self, name: str) -> None:
        """A note of that name stays."""
        self._notes.add(name)

    def keep_notes(self, prefix: str) -> None:
        """All notes stay whose names begin so."""
        self._notes.update(found.stem for found in self._state.glob("notes/*.json") if found.name.startswith(prefix))

    def noted(self, name: str) -> Any:
        """What a publish before has noted, None where it has not or it can't be read."""
        try:
            return json.loads(self._note_path(name).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None

    def _note_path(self, name: str) -> Path:
        return self._state / "notes" / f"{name}.json"

    # The end

    def finish(self) -> None:
        """Remove what is no more part of the site and write the ledger.

        Pages go at once; what is named for its content goes with the next publish that writes something, since a page
        that somebody has open may still ask for it.
        """
        gone = set(self._before.files) - set(self._now)
        named = {path for path in gone if not self._before.files[path]}
        waiting = self._before.doomed - set(self._now)
        for path in gone - named:
            self._remove(path)
        if self.written:
            for path in waiting:
                self._remove(path)
            waiting = frozenset()
        if not self._trusted:
            self._sweep(named)
        for note in self._state.glob("notes/*.json"):
            if note.stem not in self._notes:
                note.unlink(missing_ok=True)
        self._save(Ledger(self._league, self._key, whole=True, files=self._now, doomed=waiting | named))

    def _sweep(self, spared: set[str]) -> None:
        """Remove what a publish wrote that was killed before its ledger could tell: in these folders all is ours."""
        ours = [found for found in self.root.iterdir() if _OURS.fullmatch(found.name) and not found.is_symlink()]
        for folder in ours:
            # It follows no links: what they lead to is somebody else's.
            for place, _, names in os.walk(folder, topdown=False):
                for name in names:
                    path = (Path(place) / name).relative_to(self.root).as_posix()
                    if path not in self._now and path not in spared:
                        self._remove(path)

    def _remove(self, path: str) -> None:
        try:
            (self.root / path).unlink()
        except FileNotFoundError:
            return
        self.removed += 1
        folder = (self.root / path).parent
        while folder != self.root and not folder.is_symlink() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent

    def _distrust(self) -> None:
        """Before the first file changes: were this publish killed, the ledger would not tell what pages are from."""
        if not self._distrusted:
            self._distrusted = True
            before = self._before
            self._save(Ledger(self._league, self._key, whole=False, files=before.files, doomed=before.doomed))

    def _save(self, ledger: Ledger) -> None:
        self._drafts.put(self._state / _LEDGER, ledger.to_bytes())


@contextmanager
def open_site_folder(root: Path, league: str, key: str) -> Iterator[SiteFolder]:
    """The folder of a league's site, made if it is not there, held against any other publish.

    `key` stands for all that pages are made with beside their content. BadInput for a folder that holds something else
    or another league's site, that can't be written to, or that another publish holds; HarnessFailure where the machine
    fails meanwhile.
    """
    shown = visible(str(root))
    try:
        if root.exists() and not root.is_dir():
            raise BadInput(f"{shown}: is a file; name a folder")
        make_folder(root)
        _check_ours(root, league, shown)
        (root / _STATE).mkdir(exist_ok=True)
        handle = os.open(root / _STATE / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or visible(str(error), 200)
        raise BadInput(f"{shown}: {reason}; name a folder that can be written") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadInput(f"{shown}: another publish is writing to it; wait until that has ended") from error
        try:
            yield SiteFolder(root, league, key)
        except OSError as error:
            where = visible(str(error.filename2 or error.filename or shown), 200)
            raise HarnessFailure(
                f"{where}: {error.strerror or error}; publish again once that is mended, it goes on from there"
            ) from error
    finally:
        os.close(handle)


def _check_ours(root: Path, league: str, shown: str) -> None:
    place = root / _STATE / _LEDGER
    if place.is_file():
        ledger = Ledger.read(place)
        if ledger is not None and ledger.league != league:
            raise BadInput(f"{shown}: holds the site of the league {visible(ledger.league, 60)}; name another folder")
        return
    if _is_ours(root / LADDER):
        return  # whoever removed the ledger has all made anew
    for found in sorted(root.iterdir()):
        if found.name == _STATE and not found.is_dir():
            pass  # no publish made it
        elif found.name.startswith(".") or found.name in _MAY_STAND_THERE:
            continue
        raise BadInput(
            f"{shown}: holds {visible(found.name, 60)}, which no publish wrote; name an empty or a new folder"
        )


def _is_ours(page: Path) -> bool:
    """Whether a publish wrote that page."""
    try:
        with page.open("rb") as stream:
            return _MADE_BY in stream.read(1 << 12)
    except OSError:
        return False
