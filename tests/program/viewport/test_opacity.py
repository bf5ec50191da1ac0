"""Opacities of colours: what is drawn is the mean of the opaque item and of what is behind it, weighted by opacity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.things.instances import MANY
from polhode_app.viewport.view import SceneView
from scenes import scene

DUCK = str(Path(__file__).parents[3] / "meshes/duck.stl")
BOX = {"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 1.0}
SOFT = {"particle_mass": 0.1, "stiffness": 500.0, "spacing": 0.1}


def items(kind: str, color: str) -> dict[str, Any]:
    """A scene of one kind of item, above an opaque cube."""
    cube = {"name": "cube", "shape": [{**BOX, "size": [0.2] * 3, "color": "#f0e442"}], "position": [0, 0, -0.4]}
    places = [[0.5 * column, 0.7 * row, 0] for row in range(3) for column in range(6)]
    assert len(places) >= MANY
    shaped = [{"name": f"b{n}", "shape": [{**BOX, "color": color}], "position": at} for n, at in enumerate(places)]
    return {
        "body": {"body": [cube, shaped[0]]},
        "many": {"body": [cube, *shaped]},
        "sphere": {"body": [cube], "sphere": [{"name": "s", "mass": 1.0, "radius": 0.2, "color": color}]},
        "particle": {"body": [cube], "particle": [{"name": "p", "mass": 1.0, "radius": 0.2, "color": color}]},
        "skin": {
            "body": [cube],
            "soft": [{"name": "d", "kind": "mesh", "file": DUCK, "scale": 0.01, "color": color, **SOFT}],
        },
    }[kind]


@pytest.mark.parametrize("kind", ["body", "many", "sphere", "particle", "skin"])
def test_an_item_is_drawn_with_the_opacity_of_its_colour(plotter: pv.Plotter, kind: str) -> None:
    view, pictures = SceneView(plotter, Meshes(), patient=True), {}
    for digits in ("", "80", "00"):
        described = scene(**items(kind, f"#ff00ff{digits}"))
        simulation = Simulation(described)
        view.show(described, simulation.snapshot(), compiled=simulation.compiled)
        if not pictures:
            view.reset_camera()
        pictures[digits] = drawn(view).astype(float)
    clear, opaque = pictures["00"], pictures[""]
    item = np.abs(opaque - clear).max(axis=2) > 30
    assert item.sum() > 300
    mean = clear + 0x80 / 0xFF * (opaque - clear)
    assert np.median(np.abs(pictures["80"] - mean)[item]) <= 1
    assert np.quantile(np.abs(pictures["80"] - mean)[item], 0.9) < 8  # edges of the item are smoothed otherwise
