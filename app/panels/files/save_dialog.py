"""Asks where a scene is to be saved. No file is overwritten but one that was asked about."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.panels.widgets.plain_label import wrapped

EXTENSION = ".toml"


def translated(text: str) -> str:
    return QCoreApplication.translate("Saving", text)


def file_name(title: str) -> str:
    """A name for the file of a scene with this title, that every file system takes."""
    name = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', " ", title)
    return (" ".join(name.split()).strip(". ") or "scene") + EXTENSION


def ask_file(parent: QWidget, folder: Path, title: str) -> Path | None:
    """The file to save a scene in, or None."""
    kinds = translated("Scenes ({endings})").format(endings=f"*{EXTENSION}")
    dialog = QFileDialog(parent, translated("Save as"), str(folder), kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(EXTENSION)
    dialog.selectFile(file_name(title))
    chosen = dialog.exec() == QFileDialog.DialogCode.Accepted
    files = dialog.selectedFiles()
    dialog.deleteLater()
    return with_ending(parent, Path(files[0])) if chosen and files else None


def with_ending(parent: QWidget, path: Path) -> Path | None:
    """The path with its ending; None where that is another file, which is not to be replaced.

    The dialog ends no name that has a dot: it has asked about "run1.5", not about "run1.5.toml".
    """
    if path.suffix.lower() == EXTENSION:
        return path
    extended = path.with_name(path.name + EXTENSION)
    return extended if not extended.exists() or _confirm_replacement(parent, extended) else None


def _confirm_replacement(parent: QWidget, path: Path) -> bool:
    question = translated("{name} already exists. Replace it?").format(name=path.name)
    return QMessageBox.question(parent, translated("Save as"), wrapped(question)) == QMessageBox.StandardButton.Yes
