"""Base of the dialogs that ask for a file and for the options of an export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QFormLayout, QLineEdit, QPushButton, QWidget

from polhode_app.window.widgets.layouts import column_of, row_of

LONGEST = 1e6  # [s] limit of times
FILE_WIDTH = 360  # [pixel] minimum width of the field of the file


class ExportDialog(QDialog):
    """A subclass adds the rows of `form`, then calls `lay_out`."""

    requested = Signal(object)
    """The `options`, when the dialog is accepted."""

    def __init__(self, parent: QWidget, title: str, path: Path, kinds: str = ""):
        """`path` is the proposed file; `kinds` are the name filters of the file dialog."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.path, self._kinds = QLineEdit(str(path)), kinds
        self.form = QFormLayout()

    @property
    def options(self) -> Any:
        """The entered options."""
        raise NotImplementedError

    def add_path(self) -> None:
        """Add the row of the file."""
        self.path.setMinimumWidth(FILE_WIDTH)
        choose = QPushButton(self.tr("Choose..."))
        choose.clicked.connect(self._choose_file)
        self.form.addRow(self.tr("File"), row_of((self.path, 1), choose))

    def lay_out(self, above: QWidget | None = None, below: QWidget | None = None) -> None:
        """Arrange the form between two widgets, with the buttons at the bottom."""
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        column_of(*filter(None, (above, self.form, below, self.buttons)), on=self)

    def _choose_file(self) -> None:
        """Ask for the file."""
        name, _ = QFileDialog.getSaveFileName(self, self.windowTitle(), self.path.text(), self._kinds)
        if name:
            self.path.setText(name)

    def _accept(self) -> None:
        """Emit the options and close."""
        self.requested.emit(self.options)
        self.accept()
