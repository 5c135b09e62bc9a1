"""Files written aside and put in their places in one piece."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["Draft", "Drafts", "fingerprint_of", "make_folder"]


def fingerprint_of(*told: object) -> str:
    """A short hash of values by their `repr`."""
    return hashlib.sha256("\0".join(map(repr, told)).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def make_folder(folder: Path) -> None:
    """Make the folder and those above it where they are not there, for everyone to read whatever the umask says."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)


class Drafts:
    """A folder for drafts, on the file system of their places; what a killed publish left there is removed."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self._folder = folder

    def begin(self, place: Path) -> Draft:
        """A draft of the file at `place`."""
        return Draft(self._folder, place)

    def put(self, place: Path, data: bytes) -> None:
        """Write the whole file."""
        with self.begin(place) as draft:
            draft.write(data)
            draft.take_place()


class Draft:
    """A file that is being written; gone at the end of its `with`, unless it took its place."""

    def __init__(self, folder: Path, place: Path) -> None:
        handle, name = tempfile.mkstemp(dir=folder)
        self._place = place
        self._draft = Path(name)
        self._stream = os.fdopen(handle, "wb")
        self._hash = hashlib.sha256()

    def __enter__(self) -> Draft:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._draft.unlink(missing_ok=True)

    @property
    def digest(self) -> str:
        """Of what was written so far."""
        return self._hash.hexdigest()[:24]

    def write(self, piece: bytes) -> None:
        """What comes next."""
        self._stream.write(piece)
        self._hash.update(piece)

    def take_place(self) -> None:
        """It is the file now, for everyone to read."""
        self._stream.close()
        self._draft.chmod(0o644)
        make_folder(self._place.parent)
        self._draft.replace(self._place)
