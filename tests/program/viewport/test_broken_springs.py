"""Springs that are broken are drawn no more: lines of soft bodies, coils, and both in the colours of tension."""

import numpy as np
import pytest
import pyvista as pv

from polhode import Simulation
from polhode.mesh.mesh import Meshes
from polhode_app.viewport.things.springs import SpringView
from polhode_app.viewport.things.tension import TensionView
from polhode_app.viewport.view import SceneView
from scenes import scene

SHEET = {"name": "sheet", "kind": "lattice", "counts": [5, 4, 1], "spacing": [0.1] * 3, "particle_mass": 0.02}
SHEET |= {"stiffness": 60.0, "angular_velocity": [2.0, 1.0, 16.0], "breaks_at_strain": 0.25}
BALL = {"name": "ball", "mass": 0.5, "radius": 0.05, "position": (1.0, 0, 0)}
COIL = {"from": (1.0, 0, 0.2), "to": "ball", "stiffness": 100.0, "breaks_at": 8.0}
STEADY = {"from": (1.5, 0, 0.2), "to": "ball", "stiffness": 1.0}


def seen(plotter: pv.Plotter) -> tuple[SceneView, Simulation]:
    simulation = Simulation(scene(soft=[SHEET], particle=[BALL], spring=[COIL, STEADY]))
    view = SceneView(plotter, Meshes(), patient=True)
    view.show(simulation.scene, simulation.snapshot(), (), simulation.compiled)
    return view, simulation


def lengths(lines: pv.PolyData) -> np.ndarray:
    """(n,) [m] of the lines of a mesh."""
    ends = np.asarray(lines.points)[lines.lines.reshape(-1, 3)[:, 1:]]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)


@pytest.mark.parametrize("name", ["springs", "tension"])
def test_broken_springs_are_drawn_no_more(plotter: pv.Plotter, name: str) -> None:
    """Lines of the sheet are drawn where they are whole, and no longer than a strain of 0.25 lets them be."""
    view, simulation = seen(plotter)
    view.set_visible(name, True)
    of_view = view.views[name]
    assert isinstance(of_view, SpringView | TensionView)
    drawn = []
    for time in (0.0, 0.5, None):
        if time is None:
            simulation.reset()
        else:
            simulation.advance(time)
        view.update(simulation.snapshot(), ())
        lines = of_view._lines if isinstance(of_view, SpringView) else of_view._springs
        assert lines is not None
        assert lines.tubes is not None
        found, coils = lengths(lines.lines), lines.tubes.surfaces[0].points.reshape(2, -1, 3)
        broken = simulation.snapshot().broken_springs
        assert ((found == 0.0) == broken[:-1]).all()
        assert found.max() < 1.25 * np.sqrt(2) * 0.1 + 1e-6
        assert [np.ptp(coil, axis=0).max() > 0.01 for coil in coils] == [not broken[-1], True]
        drawn.append(broken.sum())
    assert drawn[0] == drawn[2] == 0
    assert 2 < drawn[1] < len(broken)
