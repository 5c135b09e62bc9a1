"""The command line: one command a file; each parses, calls one room and draws what it tells."""

from __future__ import annotations

from harness.cli.command_line import main

__all__ = ["main"]
