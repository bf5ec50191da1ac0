"""What the keys do, made from the table of actions, and what the program is made of."""

from __future__ import annotations

import platform
from importlib.metadata import version

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QMessageBox, QVBoxLayout, QWidget

from app.panels.shell.actions import entries, translated
from app.panels.shell.menus import plain
from app.version import version as program

COLUMNS = 3  # of keys, so that all of them fit on a small screen
LIBRARIES = ("PySide6_Essentials", "vtk", "pyvista", "pyvistaqt", "numpy", "scipy", "numba", "trimesh")


def _text(text: str) -> str:
    return QCoreApplication.translate("Help", text)


def mouse() -> list[tuple[str, str]]:
    """What the mouse does in the view."""
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


def keys() -> list[tuple[str, str]]:
    """Every key with its action."""
    form = QKeySequence.SequenceFormat.NativeText
    return [
        (", ".join(QKeySequence(key).toString(form) for key in entry.keys), plain(translated(entry.text)))
        for entry in entries()
        if entry.keys
    ]


def show_keys(parent: QWidget) -> None:
    dialog = QDialog(parent)
    dialog.setWindowTitle(_text("Keys and mouse"))
    known = keys()
    rows = -(-len(known) // COLUMNS)
    columns = QHBoxLayout()
    columns.setSpacing(32)
    for first in range(0, len(known), rows):
        columns.addWidget(_table(known[first : first + rows]), 0, Qt.AlignmentFlag.AlignTop)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(20, 16, 20, 16)
    layout.setSpacing(14)
    layout.addWidget(_table(mouse()))
    layout.addLayout(columns)
    layout.addWidget(buttons)
    dialog.open()


def _table(rows: list[tuple[str, str]]) -> QLabel:
    lines = "".join(f"<tr><td><b>{key}</b></td><td>{what}</td></tr>" for key, what in rows)
    return QLabel(f"<table cellpadding='2' cellspacing='3'>{lines}</table>")


def show_about(parent: QWidget) -> None:
    libraries = "".join(f"<tr><td>{name}&nbsp;&nbsp;</td><td>{version(name)}</td></tr>" for name in LIBRARIES)
    words = _text("A 3-D physics lab for magnets, tops, soft bodies and spheres on tracks.")
    QMessageBox.about(
        parent,
        _text("About Polhode"),
        f"<h3>Polhode {program()}</h3><p>{words}</p>"
        f"<table>{libraries}<tr><td>Python</td><td>{platform.python_version()}</td></tr></table>",
    )
