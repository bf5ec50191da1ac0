"""The view Lift off marks where a one-sided track has lost a bead, and names the bead while it flies."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.paths.path_strips import LiftOffView
from polhode_app.viewport.view import SceneView


def test_a_flying_bead_is_named_and_its_place_of_departure_marked(plotter: pv.Plotter) -> None:
    described = read_scene(gallery.path("loop_the_loop"))
    simulation, scene_view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    scene_view.show(described, simulation.snapshot(), compiled=simulation.compiled)
    view = scene_view.views["lift_off"]
    assert isinstance(view, LiftOffView)
    named = []
    while simulation.time < 1.5:
        simulation.advance(0.01)
        now = simulation.snapshot()
        scene_view.update(now)
        off = [bead.name for bead, held in zip(described.bead, now.beads.is_held, strict=True) if not held]
        assert bool(view._text.GetVisibility()) == bool(off)
        if off:
            assert view._text.GetInput() == f"off the track: {', '.join(off)}"
            shown = np.asarray(view._marks.points)[np.asarray(view._marks.point_data["radius"]) > 0]
            assert len(shown) == len(off)
            height = shown[0, 2]  # on the circle of the loop, above its middle
            np.testing.assert_allclose(np.hypot(shown[:, 0], shown[:, 2] - 0.5), 0.5, rtol=0, atol=2e-3)
            assert height > 0.5
        named += off
    assert {"low", "rubs"} <= set(named)
    assert "high" not in named
