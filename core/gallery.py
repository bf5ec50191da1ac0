"""The built-in scenes: names and places. A scene's name is its file's name without the ending."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "scenes"
DEFAULT = "magnet_pendulum"


def names() -> list[str]:
    """Names of the built-in scenes, in alphabetical order."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def path(name: str) -> Path:
    """File of the built-in scene; raises KeyError where there is none of that name."""
    if name not in names():
        raise KeyError(name)
    return FOLDER / f"{name}.toml"
