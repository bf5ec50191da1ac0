"""The built-in scenes: names and places. A scene's name is its file's name without the ending.

They are the TOML files in `FOLDER`, read by `read_scene` as any other file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean

# In an installed program they lie in the package, in a copy of the sources beside it; so do the meshes that they name.
INSTALLED = Path(__file__).parents[1] / "scenes"
FOLDER = INSTALLED if INSTALLED.is_dir() else Path(__file__).parents[3] / "scenes"
DEFAULT = "magnet_pendulum"


def scene_names() -> list[str]:
    """Names of the built-in scenes, in alphabetical order, 2 before 10; `read_scene` takes them."""
    return sorted((file.stem for file in FOLDER.glob("*.toml")), key=_counted)


def _counted(name: str) -> list[tuple[int, str]]:
    """Sort key with numbers in names by value."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def path(name: str) -> Path:
    """File of the built-in scene of this name. Raises KeyError for an unknown name."""
    if name not in scene_names():
        raise KeyError(name)
    return FOLDER / f"{name}.toml"


def picture(name: str, theme: str) -> Path:
    """File of the picture of a built-in scene in a theme, by app/polhode_app/export/gallery_pictures.py, if any."""
    return FOLDER / "pictures" / f"{name}.{theme}.jpg"


def strip(name: str, theme: str) -> Path:
    """File of successive small pictures of a built-in scene, side by side; likewise."""
    return FOLDER / "pictures" / f"{name}.{theme}.strip.jpg"


def seen_as(kind: Callable[[Path], bool], path: Path) -> bool:
    """`kind(path)` for a predicate such as Path.is_file, or False if the path is unreadable or invalid."""
    try:
        return kind(path)
    except OSError:
        return False


def find(name: str) -> Path:
    """The file that `name` means in commands and for `read_scene`: a file, or a built-in scene.

    A name with an ending or a folder in it is always a file, also one that does not exist. A file in the current folder
    counts before a built-in scene of the same name. Raises InputError where the name is neither.
    """
    file = Path(name)
    if file.suffix or len(file.parts) != 1 or (seen_as(Path.exists, file) and not seen_as(Path.is_dir, file)):
        return file
    if name in scene_names():
        return path(name)
    remedy = did_you_mean(name, scene_names(), Message("'polhode scenes' lists the built-in ones"))
    rule = Message("is a folder") if seen_as(Path.is_dir, file) else Message("is no file and no built-in scene")
    raise InputError.of(name, rule, remedy)
