"""Lines are as thick as texts are large: their widths follow the resolution of the window."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from pictures import drawn

from polhode.mesh.mesh import Meshes
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.view import SceneView
from scenes import scene

BALL = {"name": "ball", "mass": 1.0, "radius": 0.02, "position": (0, 0, 0.5), "velocity": (1.0, 0, 0)}


def widths(view: SceneView) -> np.ndarray:
    return np.array([actor.GetProperty().GetLineWidth() for actor in view.plotter.renderer.GetActors()])


def test_widths_follow_the_resolution_of_the_window(plotter: pv.Plotter) -> None:
    described = scene(particle=[BALL], wall=[{"name": "floor", "stiffness": 1e4}])
    simulation, view = Simulation(described), SceneView(plotter, Meshes(), patient=True)
    view.show(described, simulation.snapshot(), (), simulation.compiled)
    view.reset_camera()
    drawn(view)
    usual = widths(view)
    assert (usual > 1.0).any()
    for factor in (2, 3, 1, 2):
        plotter.render_window.SetDPI(72 * factor)
        drawn(view)
        drawn(view)
        assert np.allclose(widths(view), factor * usual)
    view.set_theme("light")  # which builds actors again
    drawn(view)
    assert np.allclose(np.sort(widths(view)), 2 * np.sort(usual))
