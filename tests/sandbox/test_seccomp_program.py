"""What the kernel is given and what Docker is given say the same: each is read here by the rules of its reader."""

from __future__ import annotations

import platform
import random
import struct
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from sandbox import seccomp

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
WORD = (1 << 64) - 1

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's"),
    pytest.mark.skipif(platform.machine() not in ARCHITECTURES, reason="no filter for this machine"),
]


def answer_of_program(code: Sequence[tuple[int, int, int, int]], number: int, arguments: Sequence[int]) -> int:
    """Run it as the kernel would."""
    data = struct.pack("<iIQ6Q", number, ARCHITECTURES[platform.machine()], 0, *arguments)
    at = value = 0
    while True:
        operation, if_so, if_not, constant = code[at]
        at += 1
        match operation:
            case 0x20:
                value = struct.unpack_from("<I", data, constant)[0]
            case 0x54:
                value &= constant
            case 0x05:
                at += constant
            case 0x06:
                return constant
            case _:
                holds = {
                    0x15: value == constant,
                    0x25: value > constant,
                    0x35: value >= constant,
                    0x45: value & constant,
                }
                at += if_so if holds[operation] else if_not


def holds(test: dict[str, Any], arguments: Sequence[int]) -> bool:
    value = arguments[test["index"]]
    match test["op"]:
        case "SCMP_CMP_EQ":
            return bool(value == test["value"])
        case "SCMP_CMP_NE":
            return bool(value != test["value"])
        case "SCMP_CMP_MASKED_EQ":
            return bool(value & test["value"] == test["valueTwo"])
    raise AssertionError(test["op"])


def answers_of_profile(profile: dict[str, Any], name: str, arguments: Sequence[int]) -> set[int]:
    """All that hold: Docker promises no order."""
    found = set()
    for entry in profile["syscalls"]:
        if name in entry["names"] and all(holds(test, arguments) for test in entry.get("args", ())):
            found.add(0x7FFF0000 if entry["action"] == "SCMP_ACT_ALLOW" else 0x50000 | entry["errnoRet"])
    return found or {0x50000 | profile["defaultErrnoRet"]}


def test_program_and_profile_answer_every_call_alike() -> None:
    if (reason := seccomp.unavailable()) is not None:
        pytest.skip(reason)
    import pyseccomp

    raw = seccomp.program(namespaces=True)
    code = list(struct.iter_unpack("<HBBI", raw))
    profile = seccomp.docker_profile()
    chance = random.Random(4)
    for name in sorted({name for entry in profile["syscalls"] for name in entry["names"]}):
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        if number < 0:
            continue
        tests = [test for entry in profile["syscalls"] if name in entry["names"] for test in entry.get("args", ())]
        telling: list[set[int]] = [{0, 1, WORD, 1 << 32, (1 << 32) - 1} for _ in range(6)]
        for test in tests:
            for value in (test["value"], test["valueTwo"], test["value"] + 1, test["value"] | 1 << 32):
                telling[test["index"]].add(value & WORD)
        pools = [sorted(values) for values in telling]
        for _ in range(400 if tests else 4):
            arguments = [chance.choice(pool) | chance.choice((0, 0, chance.choice(pool))) for pool in pools]
            wanted = answers_of_profile(profile, name, arguments)
            assert wanted == {answer_of_program(code, number, arguments)}, (name, [hex(value) for value in arguments])
