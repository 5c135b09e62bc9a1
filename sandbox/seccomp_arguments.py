"""Calls that are let through for some values of their arguments.

The numbers are those of Linux on x86_64 and aarch64, which agree on all that stand here; Python's modules have not all
of them, and on other systems fewer.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import Final

from sandbox.seccomp_rules import (
    ALL_BITS,
    ALLOWED,
    NOTHING_DONE,
    UNKNOWN,
    Condition,
    Rule,
    one_of,
    with_any,
    without,
)

__all__ = ["CONNECTED_PAIRS", "LOCAL_SOCKETS", "MODES", "PARTLY_ALLOWED"]

_NEW_NAMESPACES: Final = 0x7E020000  # CLONE_NEW*, but CLONE_NEWTIME: clone takes its bit for a part of the signal
_CLONE_PARENT: Final = 0x8000
_HIGH_HALF: Final = ALL_BITS ^ 0xFFFFFFFF
_SET_ID: Final = 0o6000
_CREATES: Final = 0o100 | 0o20000000  # O_CREAT, and O_TMPFILE without the O_DIRECTORY in it
_AF_UNIX: Final = 1
_SOCKET_FLAGS: Final = 0o2004000  # SOCK_CLOEXEC, SOCK_NONBLOCK

_PRCTL_ALLOWED: Final = (
    1,  # PR_SET_PDEATHSIG
    2,  # PR_GET_PDEATHSIG
    3,  # PR_GET_DUMPABLE
    7,  # PR_GET_KEEPCAPS
    8,  # PR_SET_KEEPCAPS
    15,  # PR_SET_NAME
    16,  # PR_GET_NAME
    21,  # PR_GET_SECCOMP
    23,  # PR_CAPBSET_READ
    24,  # PR_CAPBSET_DROP
    27,  # PR_GET_SECUREBITS
    29,  # PR_SET_TIMERSLACK
    30,  # PR_GET_TIMERSLACK
    38,  # PR_SET_NO_NEW_PRIVS
    39,  # PR_GET_NO_NEW_PRIVS
    41,  # PR_SET_THP_DISABLE
    42,  # PR_GET_THP_DISABLE
    47,  # PR_CAP_AMBIENT
    50,  # PR_SVE_SET_VL
    51,  # PR_SVE_GET_VL
    52,  # PR_GET_SPECULATION_CTRL
    54,  # PR_PAC_RESET_KEYS
    55,  # PR_SET_TAGGED_ADDR_CTRL
    56,  # PR_GET_TAGGED_ADDR_CTRL
    0x53564D41,  # PR_SET_VMA: runtimes name their memory
)
_PRCTL_REFUSED: Final = (
    4,  # PR_SET_DUMPABLE: its entries in /proc would be closed to the harness
    22,  # PR_SET_SECCOMP
    35,  # PR_SET_MM
    36,  # PR_SET_CHILD_SUBREAPER
    62,  # PR_SCHED_CORE
    0x59616D61,  # PR_SET_PTRACER
)

_DEVICES_ALLOWED: Final = (
    0x541B,  # FIONREAD
    0x5421,  # FIONBIO
    *(0x5450, 0x5451),  # FIONCLEX, FIOCLEX
    *(0x5401, 0x802C542A),  # TCGETS, TCGETS2
    0x5413,  # TIOCGWINSZ
    0x540F,  # TIOCGPGRP
)
_DEVICES_REFUSED: Final = (
    *(0x5402, 0x5403, 0x5404),  # TCSETS, TCSETSW, TCSETSF
    0x540E,  # TIOCSCTTY
    0x5410,  # TIOCSPGRP
    0x5412,  # TIOCSTI
    0x5414,  # TIOCSWINSZ
    0x541C,  # TIOCLINUX
    0x541D,  # TIOCCONS
    0x5422,  # TIOCNOTTY
    0x5423,  # TIOCSETD
)

_DESCRIPTORS_ALLOWED: Final = (
    *(0, 1030),  # F_DUPFD, F_DUPFD_CLOEXEC
    *(1, 2),  # F_GETFD, F_SETFD
    *(3, 4),  # F_GETFL, F_SETFL
    1032,  # F_GETPIPE_SZ
    *(1033, 1034),  # F_ADD_SEALS, F_GET_SEALS
)
_DESCRIPTORS_REFUSED: Final = (
    *(8, 15),  # F_SETOWN, F_SETOWN_EX
    10,  # F_SETSIG
    *(1024, 1025),  # F_SETLEASE, F_GETLEASE
    1026,  # F_NOTIFY
    1031,  # F_SETPIPE_SZ: the pipes to the harness keep the size that it gave them
)
_LOCKS: Final = (
    *(5, 6, 7),  # F_GETLK, F_SETLK, F_SETLKW
    *(36, 37, 38),  # the same for locks that belong to the open file
)
_LOCK_AT_ONCE: Final = 2 | 4  # LOCK_EX, LOCK_NB
_OTHER_LOCKS: Final = (1, 1 | 4, 2, 8)

_ADVICE_ALLOWED: Final = (
    *(0, 1, 2, 3, 4),  # normal, random, sequential, will need, don't need
    8,  # MADV_FREE
    *(10, 11),  # kept from a fork, or not
    *(14, 15),  # huge pages, or not
    *(16, 17),  # kept from a dump, or not
    *(18, 19),  # wiped at a fork, or not
    *(22, 23),  # filled now
    *(102, 103),  # guard pages
)
_ADVICE_REFUSED: Final = (
    *(12, 13),  # merging pages with those of others, which can be told by the time that a write takes
    *(20, 21),  # putting pages out of the way of others
    25,  # MADV_COLLAPSE
    *(100, 101),  # pretending broken memory
)

_SOCKET_OPTIONS: Final = (
    2,  # SO_REUSEADDR
    7,  # SO_SNDBUF
    8,  # SO_RCVBUF
    9,  # SO_KEEPALIVE
    13,  # SO_LINGER
    15,  # SO_REUSEPORT
    16,  # SO_PASSCRED
    20,  # SO_RCVTIMEO
    21,  # SO_SNDTIMEO
)

_LEAVES_NO_RIGHTS: Final = "no files that give others the rights of this user"


def _partly(reason: str, call: str, argument: int, allowed: Iterable[int], refused: Iterable[int]) -> tuple[Rule, Rule]:
    return (
        Rule(reason, (call,), ALLOWED, one_of(argument, allowed)),
        Rule(reason, (call,), errno.EPERM, one_of(argument, refused)),
    )


def _no_set_id(call: str, mode: int) -> tuple[Rule, Rule]:
    return (
        Rule(_LEAVES_NO_RIGHTS, (call,), ALLOWED, without(mode, _SET_ID)),
        Rule(_LEAVES_NO_RIGHTS, (call,), errno.EPERM, with_any(mode, _SET_ID)),
    )


def _creating(call: str, *, flags: int, mode: int) -> tuple[Rule, Rule]:
    sure = (*without(flags, _CREATES), *without(mode, _SET_ID))  # a mode that is not asked for may be anything
    leaving = ((*one, *other) for one in with_any(flags, _CREATES) for other in with_any(mode, _SET_ID))
    return (
        Rule(_LEAVES_NO_RIGHTS, (call,), ALLOWED, sure),
        Rule(_LEAVES_NO_RIGHTS, (call,), errno.EPERM, tuple(leaving)),
    )


PARTLY_ALLOWED: Final = (
    Rule(
        "new processes, but no namespaces, and no siblings, which the harness would take for children of its own",
        ("clone",),
        ALLOWED,
        without(0, _HIGH_HALF | _NEW_NAMESPACES | _CLONE_PARENT),
    ),
    Rule("as above", ("clone",), errno.EPERM, with_any(0, _NEW_NAMESPACES | _CLONE_PARENT)),
    *_partly(
        "what it says about itself; nothing that shuts the harness out", "prctl", 0, _PRCTL_ALLOWED, _PRCTL_REFUSED
    ),
    *_partly("asking about descriptors; no pushing of input", "ioctl", 1, _DEVICES_ALLOWED, _DEVICES_REFUSED),
    *_partly("copies and flags of descriptors", "fcntl", 1, _DESCRIPTORS_ALLOWED, _DESCRIPTORS_REFUSED),
    *_partly("what its own memory is for", "madvise", 2, _ADVICE_ALLOWED, _ADVICE_REFUSED),
    Rule("locks on files that others read are a channel", ("fcntl",), UNKNOWN, one_of(1, _LOCKS)),
    Rule("as above", ("flock",), UNKNOWN, one_of(1, _OTHER_LOCKS)),
    Rule(
        "the Java machine locks a file in its own folder when it starts, and if it can't, it says so on stdout",
        ("flock",),
        NOTHING_DONE,
        one_of(1, (_LOCK_AT_ONCE,)),
    ),
    Rule("its own limits", ("prlimit64",), ALLOWED, one_of(0, (0,))),
    Rule("the limits of others", ("prlimit64",), errno.EPERM, ((Condition(0, 0, differs=True),),)),
    Rule("no other personality", ("personality",), ALLOWED, one_of(0, (0, 0xFFFFFFFF))),
    Rule(
        "socket options, but those that have the kernel run a program",
        ("setsockopt",),
        ALLOWED,
        tuple((Condition(1, 1), Condition(2, option)) for option in _SOCKET_OPTIONS),
    ),
    *_creating("open", flags=1, mode=2),
    *_creating("openat", flags=2, mode=3),
    *_no_set_id("creat", 1),
    *_no_set_id("mknod", 1),
    *_no_set_id("mknodat", 2),
)
"""For every program."""

MODES: Final = (
    *_no_set_id("chmod", 1),
    *_no_set_id("fchmod", 1),
    *_no_set_id("fchmodat", 2),
    *_no_set_id("fchmodat2", 2),
)
"""For those that can reach only files of their own."""

LOCAL_SOCKETS: Final = (
    Rule("no network", ("socket", "socketpair"), ALLOWED, one_of(0, (_AF_UNIX,))),
    Rule("no network", ("socket", "socketpair"), errno.EAFNOSUPPORT, ((Condition(0, _AF_UNIX, differs=True),),)),
)
"""For those with namespaces, in which no names of others are."""

CONNECTED_PAIRS: Final = (
    Rule(
        "connected pairs; not of the kind that can send to others as well",
        ("socketpair",),
        ALLOWED,
        tuple(
            (Condition(0, _AF_UNIX), Condition(1, kind, ALL_BITS ^ _SOCKET_FLAGS))
            for kind in (1, 5)  # SOCK_STREAM, SOCK_SEQPACKET
        ),
    ),
)
"""For those without."""
