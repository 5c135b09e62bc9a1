"""A tournament and AI-competition harness for the card game Diamant."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["__version__"]

try:
    __version__: str = version("tacora")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"
