"""File dialog for saving a scene; it never overwrites a file without confirmation."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from polhode_app.window.widgets.plain_label import wrapped

EXTENSION = ".toml"


def translated(text: str) -> str:
    """A text of this module in the current language."""
    return QCoreApplication.translate("Saving", text)


def file_name(title: str) -> str:
    """File name for a title, without characters that a file system forbids."""
    name = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', " ", title)
    return (" ".join(name.split()).strip(". ") or "scene") + EXTENSION


def ask_file(parent: QWidget, folder: Path, title: str) -> Path | None:
    """Ask for the file to save a scene to; None if cancelled. Blocks until the dialog closes."""
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
    """The path with the extension .toml; None if the user refuses to replace an existing file.

    QFileDialog appends no extension to a name with a dot: it has confirmed "run1.5", but not "run1.5.toml".
    """
    if path.suffix.lower() == EXTENSION:
        return path
    extended = path.with_name(path.name + EXTENSION)
    return extended if not extended.exists() or _confirm_replacement(parent, extended) else None


def _confirm_replacement(parent: QWidget, path: Path) -> bool:
    """Ask whether a file may be replaced."""
    question = translated("{name} already exists. Replace it?").format(name=path.name)
    return QMessageBox.question(parent, translated("Save as"), wrapped(question)) == QMessageBox.StandardButton.Yes
