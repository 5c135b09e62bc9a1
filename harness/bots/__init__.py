"""What a bot is: its manifest, its version, its archive, how it is built and housed."""

from __future__ import annotations

from harness.bots.bot import SAMPLE_PREFIX, Bot, bot_from_archive, bot_from_word, is_sample, load_bot
from harness.bots.building import Built, build
from harness.bots.home import Home, Housing
from harness.bots.manifest import Manifest
from harness.bots.samples import leagues_root, sample_names, samples_root
from harness.bots.version import version_of

__all__ = [
    "SAMPLE_PREFIX",
    "Bot",
    "Built",
    "Home",
    "Housing",
    "Manifest",
    "bot_from_archive",
    "bot_from_word",
    "build",
    "is_sample",
    "leagues_root",
    "load_bot",
    "sample_names",
    "samples_root",
    "version_of",
]
