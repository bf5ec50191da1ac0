"""The built-in scenes: names and places. A scene's name is its file's name without the ending."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path

from core.scene.message import Message
from core.scene.problem import InputError, Problem

FOLDER = Path(__file__).parents[2] / "scenes"
DEFAULT = "magnet_pendulum"


def names() -> list[str]:
    """Names of the built-in scenes, in alphabetical order, 2 before 10."""
    return sorted((file.stem for file in FOLDER.glob("*.toml")), key=_counted)


def _counted(name: str) -> list[tuple[int, str]]:
    """What sorts numbers within names by their size."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def path(name: str) -> Path:
    """File of the built-in scene; raises KeyError where there is none of that name."""
    if name not in names():
        raise KeyError(name)
    return FOLDER / f"{name}.toml"


def picture(name: str) -> Path:
    """File of the picture of a built-in scene; app/export/gallery_pictures.py makes them."""
    return FOLDER / "pictures" / f"{name}.jpg"


def seen_as(kind: Callable[[Path], bool], path: Path) -> bool:
    """`kind(path)` for a predicate such as Path.is_file, or False if the path is unreadable or invalid."""
    try:
        return kind(path)
    except OSError:
        return False


def find(name: str) -> Path:
    """The file that `name` means: a file of that name, or a built-in scene. Raises InputError where it is neither."""
    file = Path(name)
    if file.suffix or len(file.parts) > 1 or seen_as(Path.is_file, file):
        return file
    if name in names():
        return path(name)
    near = get_close_matches(name, names(), 1)
    remedy = (
        Message("did you mean '{near}'?", near=near[0]) if near else Message("'polhode scenes' lists the built-in ones")
    )
    rule = Message("is a folder") if seen_as(Path.is_dir, file) else Message("is no file and no built-in scene")
    raise InputError(name, [Problem("", rule, remedy)])
