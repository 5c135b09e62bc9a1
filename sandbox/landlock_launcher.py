"""Confines itself and becomes the program: what the landlock backend starts in a program's place.

Run by `python -I -S`, it imports nothing of ours and little of Python's: each import would be waited for at every
start. Its arguments are words NAME=VALUE, then `--` and the command:

join        files to write 0 to, one a line: the program's control groups
oom         the score by which the kernel chooses what to kill
limits      NUMBER:MOST of each resource limit, with commas between
uid         the user to become, who is in no group but that of the same number; empty to stay who we are
ruleset     descriptor of a Landlock ruleset; the program's own entries in /proc are added to it
filter      descriptor from which the filter of system calls is read; -1 for none
parent      process id of who starts us: the program dies with it
status      descriptor to which one byte is written when nothing is left to be done but to run the program
program     the file to run
"""

from __future__ import annotations

import ctypes
import os
import resource

__all__ = ["confine", "main"]

# include/uapi/asm-generic/unistd.h: the same on all architectures
_LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 445, 446
# include/uapi/linux/landlock.h
_PATH_BENEATH, _READ_FILE, _READ_DIR = 1, 0x4, 0x8
# include/uapi/linux/prctl.h, seccomp.h, capability.h
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 1, 22, 24, 38, 47
_PR_CAP_AMBIENT_CLEAR_ALL, _MODE_FILTER, _CAPABILITY_VERSION = 4, 2, 0x20080522
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25
_FILTER_BYTES = 8  # struct sock_filter

_OWN_FILES = ("auxv", "cmdline", "comm", "limits", "maps", "smaps", "stat", "statm", "status")
"""What a program may read of itself. In its folder lie also the machine's sockets and mounts."""


class _PathBeneath(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


_libc = ctypes.CDLL(None, use_errno=True)


def confine(orders: dict[str, str]) -> None:
    """Do to this process what the orders say, for good. OSError tells what could not be done."""
    # Brings the kernel's account of our time up to date: what we used so far is not for the group.
    os.sched_yield()
    for file in filter(None, orders["join"].split("\n")):
        _write(file, b"0")
    try:  # noqa: SIM105 - contextlib would have to be imported
        _write("/proc/self/oom_score_adj", orders["oom"].encode())
    except OSError:
        pass  # the score of who starts us may be the least that we may have
    for limit in filter(None, orders["limits"].split(",")):
        number, most = map(int, limit.split(":"))
        resource.setrlimit(number, (most, most))
    _become(orders["uid"])
    _do(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    ruleset = int(orders["ruleset"])
    _allow("/proc/self", _READ_DIR, ruleset)
    for name in _OWN_FILES:
        _allow(f"/proc/self/{name}", _READ_FILE, ruleset)
    _do(_libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)
    # Taken back by a change of user, so not before.
    _do(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0), "a signal at the parent's death")
    if os.getppid() != int(orders["parent"]):
        raise OSError(0, "who started this is gone")
    descriptor = int(orders["filter"])
    if descriptor >= 0:
        code = os.pread(descriptor, 1 << 20, 0)
        os.close(descriptor)
        program = _Program(len(code) // _FILTER_BYTES, ctypes.cast(ctypes.c_char_p(code), ctypes.c_void_p))
        _do(_libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0), "the filter of system calls")


def main(words: list[str]) -> int:
    """Follow the orders; returns an exit status only if the program can't be run."""
    at = words.index("--")
    orders = {name: value for name, _, value in (word.partition("=") for word in words[:at])}
    status, program, command = int(orders["status"]), orders["program"], words[at + 1 :]
    # What Python has put in, as for the locale, is not for the program.
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR")}
    os.set_inheritable(status, False)
    for number in (_SIGPIPE, _SIGXFSZ):  # which Python ignores, and a program would go on ignoring
        _libc.signal(number, None)
    try:
        confine(orders)
        os.write(status, b".")
    except (OSError, ValueError) as error:
        return _say(str(error), 125)
    try:
        os.execve(program, command, environment)  # noqa: S606
    except OSError as error:
        return _say(f"the program {command[0]!r} can't be run: {error.strerror}", 127)


def _become(uid: str) -> None:
    """Be that user, and without the rights of root in any case."""
    capability = 0
    while _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    if uid:
        os.setgroups([])
        os.setresgid(int(uid), int(uid), int(uid))
        os.setresuid(int(uid), int(uid), int(uid))
    _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    _do(_libc.syscall(_capset_number(), header, none), "giving up all capabilities")


def _capset_number() -> int:
    return 126 if os.uname().machine == "x86_64" else 91


def _allow(path: str, access: int, ruleset: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    rule = _PathBeneath(access, place)
    _do(_libc.syscall(_LANDLOCK_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0), "landlock_add_rule")
    os.close(place)


def _write(file: str, data: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def _do(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _say(sentence: str, status: int) -> int:
    os.write(2, f"{sentence}\n".encode("utf-8", "backslashreplace"))
    return status
