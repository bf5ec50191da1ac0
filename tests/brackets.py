"""An L-bracket with a screw hole, as CAD programs write it: an STL in millimetres."""

from __future__ import annotations

import numpy as np
import trimesh
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from polhode_app.window.files.mesh_dialog import MeshDialog

HOLE = np.array([0.0, 0.0, 50.0])  # [mm] centre of the hole
DIAMETER = 6.0  # [mm] of the hole, along y


def bracket() -> trimesh.Trimesh:
    """An upright plate of 40 x 4 x 60 mm with the hole, on a foot of 40 x 30 x 4 mm that reaches to +y."""
    plate = trimesh.creation.box([40.0, 4.0, 60.0], trimesh.transformations.translation_matrix([0.0, 0.0, 30.0]))
    foot = trimesh.creation.box([40.0, 30.0, 4.0], trimesh.transformations.translation_matrix([0.0, 13.0, 2.0]))
    turn = trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0])
    drill = trimesh.creation.cylinder(DIAMETER / 2, 20.0, sections=48, transform=turn)
    drill.apply_translation(HOLE)
    return trimesh.boolean.difference([trimesh.boolean.union([plate, foot]), drill])


def click_mesh(qtbot: QtBot, dialog: MeshDialog, point: np.ndarray) -> None:
    """Click a point (3,) of the mesh in the preview, in units of the file."""
    renderer, surface = dialog.preview.plotter.renderer, dialog.preview.surface
    renderer.SetWorldPoint(*point, 1.0)
    renderer.WorldToDisplay()
    x, y, _ = renderer.GetDisplayPoint()
    ratio = surface.devicePixelRatioF()
    qtbot.mouseClick(
        surface, Qt.MouseButton.LeftButton, pos=QPoint(round(x / ratio), round(surface.height() - 1 - y / ratio))
    )
