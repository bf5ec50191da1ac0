"""Which version of the program this is."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """As it was installed."""
    try:
        return metadata.version("polhode")
    except metadata.PackageNotFoundError:
        return "not installed: run from a copy of the sources"
