"""The filter of system calls: `sandbox.seccomp_policy` as the program that kernels run, and as Docker's profile."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import sys
import tempfile
from typing import TYPE_CHECKING, Any, Final

from sandbox.errors import SandboxError
from sandbox.seccomp_policy import policy
from sandbox.seccomp_rules import ALL_BITS, UNKNOWN, Condition, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["docker_profile", "program", "unavailable"]

_MACHINES: Final = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}
_BINARY_TREE: Final = 2  # for the attribute of libseccomp that says how calls are told apart
_PR_SET_SECCOMP: Final = 22
_MODE_FILTER: Final = 2


@functools.cache
def program(*, namespaces: bool, own_user: bool = False) -> bytes:
    """The filter as an array of `struct sock_filter`, for this machine. SandboxError if there can't be one.

    See `policy` for what it is told.
    """
    try:
        import pyseccomp
    except (ImportError, RuntimeError) as error:
        raise SandboxError(f"there is no filter of system calls: {unavailable() or error}") from error
    try:
        filter_ = pyseccomp.SyscallFilter(pyseccomp.ERRNO(UNKNOWN))
        # Calls of other architectures, by whose numbers the same would be reached.
        filter_.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.ERRNO(UNKNOWN))
        filter_.set_attr(pyseccomp.Attr.CTL_OPTIMIZE, _BINARY_TREE)
        for rule in policy(namespaces=namespaces, own_user=own_user):
            if rule.answer == UNKNOWN:
                continue
            action = pyseccomp.ALLOW if rule.answer is None else pyseccomp.ERRNO(rule.answer)
            for call in rule.calls:
                number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, call)
                if number < 0:  # not of this architecture, or later than this libseccomp
                    continue
                for case in rule.cases or ((),):
                    filter_.add_rule_exactly(action, number, *(_compared(pyseccomp, one) for one in case))
        with tempfile.TemporaryFile() as file:
            filter_.export_bpf(file)
            file.seek(0)
            return file.read()
    except OSError as error:
        raise SandboxError(f"the filter of system calls can't be built: {error.strerror}") from error


def docker_profile() -> dict[str, Any]:
    """The same for programs with namespaces, as Docker's `--security-opt seccomp=` takes it, in JSON."""
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": UNKNOWN,
        "architectures": [_MACHINES[platform.machine()]] if platform.machine() in _MACHINES else [],
        "syscalls": [
            entry for rule in policy(namespaces=True) if rule.answer != UNKNOWN for entry in _docker_entries(rule)
        ],
    }


def unavailable() -> str | None:
    """Why there can be no filter here and what to do about it; None if there can be one."""
    if sys.platform != "linux":
        return f"seccomp needs Linux; this is {sys.platform}"
    machine = platform.machine()
    if machine not in _MACHINES or sys.maxsize < 1 << 32:
        return f"the filter of system calls is made for 64-bit {' and '.join(_MACHINES)}, this is {machine}"
    libc = ctypes.CDLL(None, use_errno=True)
    # With no program to read, a kernel that has filters fails to read it; one that has none knows no such mode.
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, None, 0, 0) == 0 or ctypes.get_errno() != errno.EFAULT:
        reason = os.strerror(ctypes.get_errno())
        return f"this kernel takes no filters of system calls ({reason}): use one with CONFIG_SECCOMP_FILTER"
    try:
        import pyseccomp  # noqa: F401 - looks for the library
    except ImportError:
        return "the package pyseccomp is missing: pip install pyseccomp"
    except RuntimeError:
        return "libseccomp is missing: apt-get install libseccomp2"
    return None


def _compared(pyseccomp: Any, condition: Condition) -> Any:
    operator, *values = _operation(condition)
    return pyseccomp.Arg(condition.argument, getattr(pyseccomp, operator), *values)


def _operation(condition: Condition) -> tuple[str, int, int] | tuple[str, int]:
    if condition.differs:
        return "NE", condition.value
    if condition.mask == ALL_BITS:
        return "EQ", condition.value
    return "MASKED_EQ", condition.mask, condition.value


def _docker_entries(rule: Rule) -> Iterator[dict[str, Any]]:
    for case in rule.cases or ((),):
        entry: dict[str, Any] = {"names": list(rule.calls), "action": "SCMP_ACT_ALLOW"}
        if rule.answer is not None:
            entry |= {"action": "SCMP_ACT_ERRNO", "errnoRet": rule.answer}
        if case:
            entry["args"] = [_docker_argument(condition) for condition in case]
        yield entry


def _docker_argument(condition: Condition) -> dict[str, Any]:
    operator, value, *second = _operation(condition)
    return {
        "index": condition.argument,
        "value": value,
        "valueTwo": second[0] if second else 0,
        "op": f"SCMP_CMP_{operator}",
    }
