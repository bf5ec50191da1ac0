"""File names for pictures, films and recordings."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from polhode_app.edit.open_file import own_folder

_given: set[Path] = set()


def new_file(ending: str, scene: Path | None) -> Path:
    """An unused file name with the given extension and the current time.

    The folder is that of the scene file, if the scene belongs to the user and the folder is writable; otherwise the
    pictures folder, or the current one. No name is given twice: a file may be asked for before the one before it is
    there.
    """
    pictures = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
    folder = Path(pictures) if pictures and Path(pictures).is_dir() else Path.cwd()
    beside = own_folder(scene)
    if beside is not None and os.access(beside, os.W_OK | os.X_OK):
        folder = beside.absolute()
    stem = datetime.now().strftime("polhode-%Y-%m-%d-%H%M%S")
    path, number = folder / f"{stem}.{ending}", 2
    while path.exists() or path in _given:
        path, number = folder / f"{stem}-{number}.{ending}", number + 1
    _given.add(path)
    return path
