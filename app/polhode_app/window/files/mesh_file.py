"""Choice of a mesh file, or a table, by a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from polhode_app.edit.open_file import MESH_ENDINGS


def ask_mesh(parent: QWidget, folder: Path, endings: Sequence[str] = MESH_ENDINGS) -> Path | None:
    """Ask for a file with one of these endings; None if the dialog is cancelled. Blocks until it closes."""
    kinds = parent.tr("Meshes ({endings})") if endings == MESH_ENDINGS else parent.tr("Tables ({endings})")
    kinds = kinds.format(endings=" ".join(f"*{ending}" for ending in endings))
    name, _ = QFileDialog.getOpenFileName(parent, parent.tr("Choose a file"), str(folder), kinds)
    return Path(name) if name else None


def in_folder(path: Path, folder: Path) -> str:
    """Path as a scene in `folder` states it: relative if the file is inside of it, else absolute."""
    try:
        return path.absolute().relative_to(folder.absolute()).as_posix()
    except ValueError:
        return path.absolute().as_posix()
