"""A tournament and AI-competition harness for the card game Diamant."""

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    # Looked up when first asked: importlib.metadata alone would double what a worker imports.
    if name != "__version__":
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("tacora")
    except PackageNotFoundError:  # run from a checkout that was never installed
        found = "0+unknown"
    globals()[name] = found
    return found
