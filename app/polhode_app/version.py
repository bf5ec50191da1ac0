"""Version of the program."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """Version of the installed package, or a text that says that none is installed."""
    try:
        return metadata.version("polhode")
    except metadata.PackageNotFoundError:
        return "not installed: run from a copy of the sources"
