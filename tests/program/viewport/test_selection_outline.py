"""The outline of the selection on the screen."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.scene.fields import FieldPath
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.picking.bounding_boxes import box_of
from polhode_app.viewport.picking.selection_outline import COLOR, WIDTH, SelectionOutline
from polhode_app.viewport.view import SceneView
from scenes import scene

STUFF = {"particle_mass": 0.1, "stiffness": 500.0}
GREY = {"color": "#808080"}
SCENE = {
    "body": [
        {"name": "cube", "shape": [{"kind": "cuboid", "size": (0.3, 0.3, 0.3), "mass": 1.0, **GREY}]},
        {"name": "ring", "shape": [{"kind": "torus", "radius": 0.2, "tube_radius": 0.05, "mass": 1.0, **GREY}]},
    ],
    "particle": [{"name": "dot", "mass": 1.0, "radius": 0.1, "position": (0, 0, 0), **GREY}],
    "soft": [
        {"name": "sheet", "kind": "lattice", "counts": (4, 4, 1), "spacing": (0.1, 0.1, 0.1), **STUFF, **GREY},
        {"name": "block", "kind": "lattice", "counts": (3, 3, 3), "spacing": (0.1, 0.1, 0.1), **STUFF, **GREY},
        {"name": "rope", "kind": "chain", "count": 9, "spacing": 0.05, "particle_radius": 0.02, **STUFF, **GREY},
    ],
    "wall": [{"name": "floor", "stiffness": 1e3, "point": (0, 0, -0.5)}],
    "spring": [{"from": "dot", "to": (0, 0, 1), "stiffness": 5.0}],
}
PATHS: list[FieldPath] = [
    *(("body", 0), ("body", 1), ("particle", 0), ("soft", 0), ("soft", 1), ("soft", 2), ("wall", 0), ("spring", 0)),
]


def apart() -> dict[str, object]:
    """The scene with its items beside each other."""
    made = {key: [dict(item) for item in items] for key, items in SCENE.items()}
    for number, item in enumerate([*made["body"], *made["particle"], *made["soft"]]):
        item["position"] = (0.6 * number, 0, 0)
    return made


def colored(picture: np.ndarray) -> np.ndarray:
    """Where a picture has nearly the colour of the outline."""
    return np.abs(picture - 255 * np.array(rgb(COLOR))).max(axis=-1) < 30


def test_the_selection_has_an_outline(plotter: pv.Plotter) -> None:
    described = scene(**apart())
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    now = simulation.snapshot()
    view.show(described, now, (), simulation.compiled)
    for name in ("ground", "shadows", "trails"):
        view.set_visible(name, False)
    stage = view.stage
    assert stage is not None
    outline = SelectionOutline(plotter.renderer, view.views["skins"])
    for path in PATHS:
        box = box_of(stage, now, path)
        assert box is not None
        view.look_at(box.center + 1.6 * (box.corners - box.center), "home")
        before = drawn(view)
        outline.draw(stage, now, path, box)
        selected = drawn(view)
        changed = np.abs(selected - before).max(axis=-1) > 12
        assert changed.sum() > 60, path
        if path[0] != "spring":  # which has a translucent box
            assert colored(selected).sum() > 0.35 * changed.sum(), path  # its borders mix with what is behind
            height, width = changed.shape
            middle = changed[height // 2 - 4 : height // 2 + 4, width // 2 - 4 : width // 2 + 4]
            # the item itself is not covered
            assert path in (("soft", 1), ("soft", 2), ("body", 1)) or not middle.any(), path
            rows, columns = np.nonzero(colored(selected))
            assert np.ptp(rows) > 0.25 * height or np.ptp(columns) > 0.25 * width, path
        outline.draw(None, None, None, None)
        assert np.array_equal(drawn(view), before), path


def test_the_outline_stays_when_an_edit_makes_the_stage_anew(plotter: pv.Plotter) -> None:
    view = SceneView(plotter, Meshes(), patient=True)
    for name in ("ground", "shadows", "trails"):
        view.set_visible(name, False)
    view.show(scene(**apart()))
    outline = SelectionOutline(plotter.renderer, view.views["skins"])
    stages = []
    for _ in range(2):
        view.show(scene(**apart()))
        stage = view.stage
        assert stage is not None
        stages.append(stage)
        box = box_of(stage, stage.start, ("particle", 0))
        assert box is not None
        view.look_at(box.center + 2.0 * (box.corners - box.center), "front")
        outline.draw(None, None, None, None)
        before = drawn(view)
        outline.draw(stage, stage.start, ("particle", 0), box)
        assert outline.is_hull
        assert not np.array_equal(drawn(view), before)
    assert stages[0] is not stages[1]


def test_the_outline_is_as_wide_near_and_far(plotter: pv.Plotter) -> None:
    described = scene(**apart())
    view = SceneView(plotter, Meshes(), patient=True)
    view.show(described)
    stage, path = view.stage, ("particle", 0)
    assert stage is not None
    box = box_of(stage, stage.start, path)
    assert box is not None
    outline = SelectionOutline(plotter.renderer, view.views["skins"])
    widths = []
    for scale in (2.0, 6.0):
        view.look_at(box.center + scale * (box.corners - box.center), "front")
        outline.draw(stage, stage.start, path, box)
        row = colored(drawn(view))[np.nonzero(colored(drawn(view)).any(axis=1))[0].mean().astype(int)]
        widths.append(row.sum() / 2)
    assert widths == pytest.approx([WIDTH, WIDTH], abs=1.3)
