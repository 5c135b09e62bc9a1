"""What a bot is: its manifest, its version, its archive, how it is built and housed."""

from harness.bots.archive import pack, unpack
from harness.bots.bot import Bot, bot_from_word, load_bot
from harness.bots.building import Built, build
from harness.bots.home import Home, Housing
from harness.bots.manifest import ID_PATTERN, Manifest
from harness.bots.samples import leagues_root, sample_names, samples_root
from harness.bots.version import BotFile, version_of

__all__ = [
    "ID_PATTERN",
    "Bot",
    "BotFile",
    "Built",
    "Home",
    "Housing",
    "Manifest",
    "bot_from_word",
    "build",
    "leagues_root",
    "load_bot",
    "pack",
    "sample_names",
    "samples_root",
    "unpack",
    "version_of",
]
