"""What is no program that this machine can run, and what its author learns of that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sandbox import StartFailed
from sandbox.program_format import check_format


def refusal(folder: Path, data: bytes) -> str:
    program = folder / "bot"
    program.write_bytes(data)
    program.chmod(0o755)
    with pytest.raises(StartFailed) as refused:
        check_format("./bot", str(program), folder, "/bot")
    return str(refused.value)


def test_a_binary_and_a_script_of_this_machine_are_programs(tmp_path: Path) -> None:
    binary, script, own = tmp_path / "true", tmp_path / "script", tmp_path / "own"
    shutil.copy("/bin/true", binary)
    script.write_text("#!/bin/sh -e\n")
    shutil.copy("/bin/sh", tmp_path / "runner")
    own.write_text("#! /bot/runner\n")
    relative = tmp_path / "relative"
    relative.write_text("#!./runner\n")
    for program in (binary, script, own, relative):
        check_format("./bot", str(program), tmp_path, "/bot")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"echo\n",
        b"\x7fELF\nexec python3 bot.py\n",
        b"\x7fELFgarbage" + bytes(60),
        # A 64-bit binary for s390x, big-endian; an x86-64 object file that nobody has linked.
        b"\x7fELF\x02\x02\x01" + bytes(9) + b"\x00\x02\x00\x16" + bytes(44),
        b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\x00\x3e\x00" + bytes(44),
    ],
)
def test_what_the_kernel_would_not_run_no_shell_gets_to_run(tmp_path: Path, data: bytes) -> None:
    assert "is nothing that this machine can run" in refusal(tmp_path, data)


def test_a_first_line_that_ends_in_a_carriage_return_is_told(tmp_path: Path) -> None:
    assert "'/bin/sh' (its first line ends in a carriage return)" in refusal(tmp_path, b"#!/bin/sh\r\n")


def test_the_answer_does_not_depend_on_files_that_no_program_could_see(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.touch(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    there = refusal(folder, f"#!{hidden}\n".encode())
    hidden.unlink()
    assert refusal(folder, f"#!{hidden}\n".encode()) == there
    # Nor on a way out of what it can see.
    assert "is not on this machine" in refusal(folder, b"#!/usr/../etc/passwd\n")
    assert "is not on this machine" in refusal(folder, b"#!/bot/../../etc/passwd\n")
