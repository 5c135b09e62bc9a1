"""Record files: read strictly, written in one piece."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from harness.cli.failures import reason_of
from harness.errors import BadInput, ReplayError
from harness.protocol import (
    MAX_REPLAY,
    REPLAY_FORMAT,
    NotIJson,
    TooLarge,
    gunzip,
    read_regular,
    read_replay,
    read_strict,
    visible,
)

__all__ = ["check_place", "read_claimed", "read_record", "write_whole"]


def read_record(file: Path) -> dict[str, Any]:
    """The match record in the file; ReplayError names file and field."""
    return read_replay(_bytes(file), visible(str(file)))


def read_claimed(file: Path) -> dict[str, Any]:
    """The object in the file that calls itself a match record, of whatever shape; ReplayError where there is none."""
    name = visible(str(file))
    data = _bytes(file)
    try:
        text = gunzip(data, MAX_REPLAY) if data.startswith(b"\x1f\x8b") else data
        record = read_strict(text.removeprefix(b"\xef\xbb\xbf"))
    except NotIJson as error:
        raise ReplayError(f"{name}: {error.reason}; a replay is one strict JSON object") from error
    except TooLarge as error:
        raise ReplayError(f"{name}: larger than {MAX_REPLAY >> 20} MiB, which no record is; name a record") from error
    except ValueError as error:
        raise ReplayError(f"{name}: can't be decompressed ({error}); fetch the file again") from error
    if not isinstance(record, dict) or record.get("format") != REPLAY_FORMAT:
        raise ReplayError(f"{name}: format: is not {REPLAY_FORMAT!r}, so it is no record of a match; name one")
    return record


def _bytes(file: Path) -> bytes:
    """What is in the file, as long as that is no more than a reader takes."""
    name = visible(str(file))
    try:
        # One byte more than a reader takes is enough for it to be refused; a compressed record is smaller still.
        data = read_regular(file, MAX_REPLAY + 1)
    except (OSError, ValueError) as error:
        raise ReplayError(f"{name}: {reason_of(error)}; name a record that can be read") from error
    if len(data) > MAX_REPLAY:
        raise ReplayError(f"{name}: larger than {MAX_REPLAY >> 20} MiB, which no record is; name a record")
    return data


def check_place(file: Path) -> None:
    """BadInput where the file could not be written: to be asked before a match is played for it."""
    name = visible(str(file))
    try:
        if file.is_dir():
            raise BadInput(f"{name}: is a folder; name a file in it")
        if not file.parent.is_dir():
            raise BadInput(f"{name}: there is no such folder; make it or name another file")
        if Path(os.path.realpath(file)).is_fifo():
            # Opening it would wait for a reader; a pipe that is open already, such as /dev/stdout, has no such path.
            raise BadInput(f"{name}: is a named pipe; name a file, or /dev/stdout")
    except (OSError, ValueError) as error:
        raise BadInput(f"{name}: no path that can be used; name another file") from error


def write_whole(file: Path, chunks: Iterable[bytes]) -> None:
    """Write the chunks, gzip'd for a name that ends in .gz, so that the file is there whole or as it was before.

    BadInput where its place can't be written to.
    """
    packed = file.suffix == ".gz"
    try:
        if file.exists() and not file.is_file():  # a pipe or /dev/stdout can't be replaced, only written to
            with file.open("wb") as stream:
                _write(stream, chunks, packed=packed)
            return
        handle, name = tempfile.mkstemp(prefix=f".{file.name[:32]}-", dir=file.parent)
    except (OSError, ValueError) as error:
        raise BadInput(f"{visible(str(file))}: {reason_of(error)}; name a file that can be written") from error
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            _write(stream, chunks, packed=packed)
            stream.flush()
            os.fsync(stream.fileno())
        mask = os.umask(0)
        os.umask(mask)
        draft.chmod(0o666 & ~mask)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _write(stream: IO[bytes], chunks: Iterable[bytes], *, packed: bool) -> None:
    if not packed:
        stream.writelines(chunks)
        return
    # No name and no time inside: the same record gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as pack:
        pack.writelines(chunks)
