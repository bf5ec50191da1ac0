"""What the keys do, made from the table of actions, and what the program is made of."""

from __future__ import annotations

import platform
from importlib.metadata import version

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QMessageBox, QVBoxLayout, QWidget

from app.panels.actions import MENUS, Entry, translated

LIBRARIES = ("PySide6_Essentials", "vtk", "pyvista", "pyvistaqt", "numpy", "scipy", "numba", "trimesh")


def _text(text: str) -> str:
    return QCoreApplication.translate("Help", text)


def mouse() -> list[tuple[str, str]]:
    """What the mouse does in the view."""
    return [
        (_text("Left drag"), _text("turn the view")),
        (_text("Right, middle or Shift + left drag"), _text("move the view")),
        (_text("Wheel"), _text("nearer, farther")),
        (_text("Drop a file"), _text("open a scene, or hang up an STL, OBJ or PLY mesh")),
    ]


def keys() -> list[tuple[str, str]]:
    """Every key with its action."""
    form = QKeySequence.SequenceFormat.NativeText
    return [
        (", ".join(QKeySequence(key).toString(form) for key in row.keys), translated(row.text).replace("&", ""))
        for _, rows in MENUS
        for row in rows
        if isinstance(row, Entry) and row.keys
    ]


def show_keys(parent: QWidget) -> None:
    dialog = QDialog(parent)
    dialog.setWindowTitle(_text("Keys and mouse"))
    rows = "".join(f"<tr><td><b>{key}</b></td><td>{what}</td></tr>" for key, what in mouse() + keys())
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.addWidget(QLabel(f"<table cellpadding='3' cellspacing='4'>{rows}</table>"))
    layout.addWidget(buttons)
    dialog.open()


def show_about(parent: QWidget) -> None:
    libraries = "".join(f"<tr><td>{name}&nbsp;&nbsp;</td><td>{version(name)}</td></tr>" for name in LIBRARIES)
    words = _text("A 3-D physics lab for magnets, tops, soft bodies and spheres on tracks.")
    QMessageBox.about(
        parent,
        _text("About Polhode"),
        f"<h3>Polhode {version('polhode')}</h3><p>{words}</p>"
        f"<table>{libraries}<tr><td>Python</td><td>{platform.python_version()}</td></tr></table>",
    )
