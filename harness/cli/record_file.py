"""Record files: read strictly, written in one piece."""

import gzip
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from harness.errors import BadInput, ReplayError
from harness.protocol import read_replay, visible

__all__ = ["MAX_FILE", "check_place", "read_bytes", "read_record", "write_whole"]

MAX_FILE = 64 * 1024 * 1024  # the contract's bound for a record; a compressed one is smaller still


def read_bytes(file: Path) -> bytes:
    """The file's bytes; ReplayError where it can't be read or is larger than any record."""
    name = visible(str(file))
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_FILE + 1)
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise ReplayError(f"{name}: {visible(reason)}; name a record that can be read") from e
    if len(data) > MAX_FILE:
        raise ReplayError(f"{name}: larger than 64 MiB, which no record is; name a record")
    return data


def read_record(file: Path) -> dict[str, Any]:
    """The match record in the file; ReplayError names file and field."""
    return read_replay(read_bytes(file), visible(str(file)))


def check_place(file: Path) -> None:
    """BadInput where the file could not be written: to be asked before a match is played for it."""
    name = visible(str(file))
    try:
        if file.is_dir():
            raise BadInput(f"{name}: is a folder; name a file in it")
        if not file.parent.is_dir():
            raise BadInput(f"{name}: there is no such folder; make it or name another file")
    except (OSError, ValueError) as e:
        raise BadInput(f"{name}: no path that can be used; name another file") from e


def write_whole(file: Path, chunks: Iterable[bytes]) -> None:
    """Write the chunks, gzip'd for a name that ends in .gz, so that the file is there
    whole or as it was before. BadInput where its place can't be written to."""
    try:
        if file.exists() and not file.is_file():  # a pipe or /dev/stdout can't be replaced, only written to
            with file.open("wb") as stream:
                _write(stream, chunks, packed=file.suffix == ".gz")
            return
        handle, name = tempfile.mkstemp(prefix=f".{file.name[:32]}-", dir=file.parent)
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise BadInput(f"{visible(str(file))}: {visible(reason)}; name a file that can be written") from e
    try:
        with os.fdopen(handle, "wb") as stream:
            _write(stream, chunks, packed=file.suffix == ".gz")
            stream.flush()
            os.fsync(stream.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _write(stream: IO[bytes], chunks: Iterable[bytes], *, packed: bool) -> None:
    if not packed:
        for chunk in chunks:
            stream.write(chunk)
        return
    # No name and no time inside: the same record gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as pack:
        for chunk in chunks:
            pack.write(chunk)
