"""Neighbouring flat faces of a shape differ whatever the light, and shadows are drawn only where there are some."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.shapes import Cuboid, Cylinder
from polhode.scene import gallery
from polhode.scene.scene import Body
from polhode.scene.scene_file import read_scene
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.things.bodies import parts_of
from polhode_app.viewport.things.instances import COLORS
from polhode_app.viewport.view import SceneView

TURN = {"axis": (1.0, 2.0, 3.0), "angle": 0.7}
LEAST = 1.05  # ratio of the brightness of two faces: a tenth of that is not seen


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        (Cuboid(kind="cuboid", size=(0.1, 0.2, 0.3), mass=1.0, color="#0072b2", orientation=TURN), 3),
        (Cylinder(kind="cylinder", radius=0.1, length=0.2, mass=1.0, color="#0072b2", orientation=TURN), 2),
    ],
)
def test_neighbouring_faces_have_different_shades(shape: Cuboid | Cylinder, count: int) -> None:
    (part,) = parts_of(Body(name="b", support="fixed", shape=(shape,)), 0, Path(), Meshes(), 24)
    shades = np.unique(np.asarray(part.surface.cell_data[COLORS]), axis=0).sum(axis=1)
    assert len(shades) == count
    assert all(max(pair) > LEAST * min(pair) for pair in combinations(shades.tolist(), 2))


def test_shadows_are_drawn_where_there_are_some() -> None:
    view = SceneView(offscreen((64, 48)), Meshes())
    try:
        view.show(read_scene(gallery.path("magnet_pendulum")))
        shadows = view.views["shadows"]
        rows, columns = np.nonzero(shadows._pixels[:, :, 3])
        drawn = shadows._mapper.GetInput()
        texture = np.array([drawn.GetPointData().GetTCoords().GetTuple2(k) for k in range(4)]) * len(shadows._pixels)
    finally:
        view.close()
        view.plotter.close()
    low, high = texture.min(axis=0), texture.max(axis=0)
    assert (low <= [columns.min(), rows.min()]).all()
    assert (high >= [columns.max() + 1, rows.max() + 1]).all()
    assert ((high - low) < len(shadows._pixels)).any()
