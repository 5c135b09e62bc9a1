"""Links files of others into its scratch folder, where they stay when their owner removes them.

Known by: a link comes to be.
"""

from __future__ import annotations

import os
from functools import partial

from sandbox.attacks.jailed import Target, attack, open_any, scratch

STOPPED_BY = ("read-only-root", "landlock-files")


def main(target: Target) -> str:
    """Files of the system, of the bot, and of others."""
    paths = (*target.secrets, "/usr/bin/env", "sandbox/attacks/jailed.py", "/etc/passwd")
    return open_any((path, partial(os.link, path, scratch() / f"link-{number}")) for number, path in enumerate(paths))


if __name__ == "__main__":
    attack(main)
