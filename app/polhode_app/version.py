"""Version of the program, and what older ones left beside it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).parents[1]  # where the program is installed
# The packages of versions before 0.2, and files by which they are told from packages of the same name.
OLDER = {
    "core": ("integrators/adams_bashforth_2.py", "simulation/simulation.py"),
    "app": ("main_window.py", "viewport/registry.py"),
}


def version() -> str:
    """Version of the installed package, or a text that says that none is installed."""
    try:
        return metadata.version("polhode")
    except metadata.PackageNotFoundError:
        return "not installed: run from a copy of the sources"


def left_over() -> Iterator[Path]:
    """Folders of an older version beside the program: nothing uses them, but they are imported as `core` and `app`."""
    for name, files in OLDER.items():
        if all((FOLDER / name / file).is_file() for file in files):
            yield FOLDER / name
