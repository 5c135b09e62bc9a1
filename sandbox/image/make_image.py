"""Makes the docker backend's image from what this machine has: `python -m sandbox.image.make_image [NAME]`.

No registry is asked for anything. In the image are the runtimes and compilers that are found in the system's folders,
with the libraries that they load, and nothing of the machine's settings or of its users' files.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from sandbox.docker_daemon import IMAGE, INIT, Daemon
from sandbox.errors import SandboxError
from sandbox.jail_root import interpreter_prefix
from sandbox.system_path import system_path

__all__ = ["image_files", "make_image", "write_archive"]

_PROGRAMS: Final = (
    *("sh", "dash", "bash", "env", "python3", "perl", "node", "java", "javac", "jar"),
    *("cc", "gcc", "c99", "c++", "g++", "cpp", "as", "ld", "ld.bfd", "ar", "ranlib", "nm", "strip", "make"),
    *(
        "awk",
        "mawk",
        "gawk",
        "grep",
        "sed",
        "find",
        "xargs",
        "sort",
        "uniq",
        "wc",
        "head",
        "tail",
        "cut",
        "tr",
        "tee",
        "cat",
    ),
    *(
        "ls",
        "cp",
        "mv",
        "rm",
        "mkdir",
        "rmdir",
        "ln",
        "touch",
        "chmod",
        "stat",
        "readlink",
        "realpath",
        "basename",
        "dirname",
    ),
    *(
        "echo",
        "printf",
        "test",
        "[",
        "expr",
        "seq",
        "sleep",
        "date",
        "true",
        "false",
        "yes",
        "dd",
        "df",
        "du",
        "id",
        "uname",
        "hostname",
    ),
    *("mktemp", "nice", "nohup", "timeout", "kill", "ps", "tar", "gzip", "gunzip", "diff", "cmp", "od", "flock"),
    *("unshare", "setpriv", "getopt", "mount", "nproc", "tty", "stty"),
)
"""What is taken of the machine's programs, as far as it is there."""

_FOLDERS: Final = (
    "/usr/lib/python3.*",
    "/usr/lib/python3",
    "/usr/share/perl",
    "/usr/share/perl5",
    "/usr/share/perl/5.*",
    "/usr/lib/*-linux-gnu*/perl-base",
    "/usr/lib/*-linux-gnu*/perl",
    "/usr/share/nodejs",
    "/usr/lib/gcc/*-linux-gnu*",
    "/usr/libexec/gcc/*-linux-gnu*",
    "/usr/include",
    "/usr/lib/locale/C.*",
    "/usr/share/zoneinfo/Etc",
    "/etc/java-*",
    "/etc/perl",
)
"""What those programs read at run time, as patterns."""

_LINKED: Final = re.compile(
    r"(crt\w*\.o|\w*crt1\.o|lib(c|m|pthread|dl|rt|util|g|mvec|m-[\d.]+|c_nonshared|crypt|resolv|anl)\.(so|a)"
    r"|lib(gcc_s|stdc\+\+|nss_files|mvec|atomic)\.so.*)"
)
"""Of the library folders: what a compiler links with, and what is loaded without being named."""

_LEFT_OUT: Final = re.compile(
    r".*/(__pycache__|jmods|legal|demo|src\.zip|man|test|idle_test|config-3\.\d+\S*)(/.*)?"
    r"|/usr/include/(node|postgresql|boost|llvm.*|clang.*)(/.*)?|.*\.pyc"
)
"""What is large and no program's need."""

_INIT: Final = "usr/sbin/bot-init"
_INITS: Final = ("docker-init", "tini-static", "tini")
"""Names of the program that reaps and passes on signals as the first in a container; it comes with Docker."""

_ETC: Final = {
    "etc/passwd": b"root:x:0:0:root:/:/bin/false\n",
    "etc/group": b"root:x:0:\n",
    "etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
}
_FOLDER_MODES: Final = {"bot": 0o755, "tmp": 0o1777, "dev": 0o755, "proc": 0o555, "sys": 0o555, "root": 0o755}


def image_files() -> set[str]:
    """Absolute paths of all files and links that belong into the image."""
    files: set[str] = set()
    places = {str(place) for pattern in _FOLDERS for place in Path("/").glob(pattern[1:])}
    files |= {place for place in places if os.path.islink(place)}  # noqa: PTH114
    folders = places - files
    prefix = interpreter_prefix()
    if prefix is not None:
        folders.add(prefix)
    for name in _PROGRAMS:
        program = _program(name)
        if program is None:
            continue
        files |= _with_links(program)
        real = Path(program).resolve()
        # A JDK is a folder of its own, found through its program.
        if real.parent.parent.joinpath("release").is_file():
            folders.add(str(real.parent.parent))
    for folder in folders:
        files |= set(_below(folder))
    for libraries in _library_folders():
        files |= {str(each) for each in libraries.iterdir() if _LINKED.fullmatch(each.name)}
    # A link is worth nothing without what it points at.
    for file in list(files):
        files |= _with_links(file)
    inits = filter(None, [_program(*_INITS)])
    files |= _libraries(sorted(file for file in (*files, *inits) if _is_binary(file)))
    return {file for file in files if os.path.lexists(file) and not _LEFT_OUT.fullmatch(file)}


def _program(*names: str) -> str | None:
    """The first of these programs that this machine has."""
    places = f"{system_path()}:/usr/sbin:/sbin:/usr/libexec/docker"
    return next((found for name in names if (found := shutil.which(name, path=places))), None)


def write_archive(files: set[str], target: IO[bytes]) -> None:
    """A tar archive of a root folder with these files, each where it is here; everything in it is root's."""
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, mode in _FOLDER_MODES.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            archive.addfile(entry)
        for name, data in _ETC.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
        for link in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
            if Path("/", link).is_symlink():
                entry = tarfile.TarInfo(link)
                entry.type, entry.linkname = tarfile.SYMTYPE, str(Path("/", link).readlink())
                archive.addfile(entry)
        init = _program(*_INITS)
        if init is None:
            raise SandboxError("there is neither docker-init nor tini on this machine: apt-get install tini")
        archive.add(Path(init).resolve(), _INIT, filter=_unreadable)
        for file in sorted({_real_place(file) for file in files}):
            archive.add(file, file.lstrip("/"), recursive=False, filter=_as_root)


def make_image(name: str = IMAGE, host: str | None = None) -> str:
    """Give the Docker daemon an image of that name, in place of one that has it; returns its id. SandboxError."""
    daemon = Daemon(host, timeout_s=600.0)
    with tempfile.TemporaryFile() as archive:
        try:
            write_archive(image_files(), archive)
        except OSError as error:
            raise SandboxError(f"the image can't be put together: {error}") from error
        archive.seek(0)
        old = daemon.find_image(name)
        with daemon.asked("made an image of"):
            answer = daemon.client.import_image_from_stream(
                iter(lambda: archive.read(1 << 20), b""),  # not the file, whose length would be sent as well
                repository=name,
                tag="latest",
                changes=[f"ENV PATH={system_path()}", f"LABEL {INIT}=/{_INIT}"],
            )
    said: dict[str, str] = {}
    for line in answer.splitlines():
        said = json.loads(line)
        if "error" in said:
            raise SandboxError(f"the Docker daemon does not take the image: {said['error']}")
    if old is not None:
        daemon.forget_image(old.id)
    return said["status"]


def _as_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    # Nothing in the image gives anyone another's rights, and everybody reads it.
    entry.mode = (entry.mode & 0o755) | 0o444
    return entry


def _unreadable(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry = _as_root(entry)
    entry.mode = 0o711
    return entry


def _real_place(file: str) -> str:
    """The path of a file or link itself, whose folders are no links: where /bin is one, /bin/sh is /usr/bin/sh too."""
    folder, name = os.path.split(file)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118


def _with_links(file: str) -> set[str]:
    """A path, and if it is a link each that it leads to."""
    found: set[str] = set()
    while file not in found and os.path.lexists(file):
        found.add(file)
        if not os.path.islink(file):  # noqa: PTH114
            break
        file = os.path.normpath(os.path.join(os.path.dirname(file), os.readlink(file)))  # noqa: PTH115, PTH118, PTH120
    return {each for each in found if not os.path.isdir(each) or os.path.islink(each)}  # noqa: PTH112, PTH114


def _below(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _LEFT_OUT.fullmatch(f"{place}/{name}")]
        # Links to folders are listed among the folders, and not walked into.
        links = [name for name in folders if os.path.islink(f"{place}/{name}")]  # noqa: PTH114
        yield from (f"{place}/{name}" for name in (*files, *links))


def _library_folders() -> Iterator[Path]:
    for pattern in ("usr/lib/*-linux-gnu*", "usr/lib64", "usr/lib"):
        yield from (folder for folder in Path("/").glob(pattern) if folder.is_dir() and not folder.is_symlink())


def _is_binary(file: str) -> bool:
    try:
        with open(file, "rb") as opened:  # noqa: PTH123
            return opened.read(4) == b"\x7fELF"
    except OSError:
        return False


def _libraries(binaries: list[str]) -> set[str]:
    """What the loader loads for them, links included."""
    found: set[str] = set()
    for start in range(0, len(binaries), 200):
        done = subprocess.run(["ldd", *binaries[start : start + 200]], capture_output=True, text=True, check=False)
        for word in set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", done.stdout, re.MULTILINE)):
            found |= _with_links(word)
    return found


if __name__ == "__main__":
    try:
        print(make_image(*sys.argv[1:2]))  # noqa: T201
    except SandboxError as error:
        sys.exit(f"error: {error}")
