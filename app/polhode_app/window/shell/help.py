"""Dialogs with keys and mouse actions, and with the versions of program and libraries."""

from __future__ import annotations

import platform
from importlib.metadata import version

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QMessageBox, QScrollArea, QWidget

from polhode_app.version import version as program_version
from polhode_app.window.shell.actions import entries, translated
from polhode_app.window.shell.menus import without_mnemonic
from polhode_app.window.widgets.layouts import column_of, row_of, scrolled

MARGIN = 60  # [pixel] for a scroll bar and edges
COLUMNS = 3  # of the shortcuts
AROUND = (60, 140)  # [pixel] of a screen that frame and button of a dialog, and the bars of a desktop need
LIBRARIES = ("PySide6_Essentials", "vtk", "pyvista", "pyvistaqt", "numpy", "scipy", "numba", "trimesh")


def _text(text: str) -> str:
    """Translate a text of this module."""
    return QCoreApplication.translate("Help", text)


def mouse_bindings() -> list[tuple[str, str]]:
    """Mouse actions in the view, with their effects."""
    return [
        (_text("Left drag"), _text("rotate the view")),
        (_text("Right, middle or Shift + left drag"), _text("move the view")),
        (_text("Wheel"), _text("zoom")),
        (_text("Click"), _text("select an item")),
        (_text("Right click"), _text("context menu")),
        (_text("Drag an arrow or ring of the transform handles (G)"), _text("move or rotate the selection")),
        (_text("Ctrl + right drag"), _text("pull a body or a point by a spring")),
        (_text("Ctrl + left drag"), _text("twist a body")),
        (_text("Left drag with the grab tool"), _text("move a point, pull a body")),
        (_text("P held"), _text("attract everything to the pointer")),
        (_text("Drop a file"), _text("open a scene, or hang a mesh (STL, OBJ, PLY, OFF, GLB, glTF, 3MF, DAE)")),
    ]


def key_bindings() -> list[tuple[str, str]]:
    """Shortcuts of all actions, with the texts of the actions."""
    form = QKeySequence.SequenceFormat.NativeText
    return [
        (", ".join(QKeySequence(key).toString(form) for key in entry.keys), without_mnemonic(translated(entry.text)))
        for entry in entries()
        if entry.keys
    ]


def show_keys(parent: QWidget) -> None:
    """Open a dialog with mouse actions and shortcuts."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(_text("Keys and mouse"))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    column_of(_scrolled(_tables(_space(parent).width()), parent), buttons, on=dialog, margins=(8, 8, 8, 12))
    dialog.open()


def _space(parent: QWidget) -> QSize:
    """Available size for the contents of a dialog."""
    return parent.screen().availableGeometry().size() - QSize(*AROUND)


def _tables(width: int) -> QWidget:
    """Tables of the mouse and of the keys, these in as many columns as have room in a width [pixel]."""
    bindings = key_bindings()
    for count in range(COLUMNS, 0, -1):
        rows = -(-len(bindings) // count)
        parts = [_table_label(bindings[first : first + rows]) for first in range(0, len(bindings), rows)]
        columns = row_of(*((part, 0, Qt.AlignmentFlag.AlignTop) for part in parts), spacing=32)
        mouse, tables = _table_label(mouse_bindings()), QWidget()
        mouse.setWordWrap(mouse.sizeHint().width() > width - MARGIN)
        column_of(mouse, columns, on=tables, spacing=14)
        if columns.sizeHint().width() <= width - MARGIN:
            break
    return tables


def _scrolled(contents: QWidget, parent: QWidget) -> QScrollArea:
    """A scroll area as large as its contents, or as the screen allows."""
    area = scrolled(contents, is_narrow=False)
    wanted = contents.sizeHint() + QSize(area.verticalScrollBar().sizeHint().width(), 0)
    area.setMinimumSize(wanted.boundedTo(_space(parent)))
    return area


def _table_label(rows: list[tuple[str, str]]) -> QLabel:
    """A label with a table of two columns."""
    lines = "".join(f"<tr><td><b>{key}</b></td><td>{what}</td></tr>" for key, what in rows)
    return QLabel(f"<table cellpadding='2' cellspacing='3'>{lines}</table>")


def show_about(parent: QWidget) -> None:
    """Open a dialog with the versions of the program, its libraries and Python."""
    libraries = "".join(f"<tr><td>{name}&nbsp;&nbsp;</td><td>{version(name)}</td></tr>" for name in LIBRARIES)
    description = _text("A 3-D physics lab for magnets, tops, soft bodies and spheres on tracks.")
    QMessageBox.about(
        parent,
        _text("About Polhode"),
        f"<h3>Polhode {program_version()}</h3><p>{description}</p>"
        f"<table>{libraries}<tr><td>Python</td><td>{platform.python_version()}</td></tr></table>",
    )
