"""Coils in the view: the colour and the arrow of their currents."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.viewport.base.palette import COPPER, rgb
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.things.coils import CURRENT
from polhode_app.viewport.view import SceneView


@pytest.mark.parametrize(("time", "sense"), [(0.25, 1), (0.75, -1)])
def test_a_winding_has_the_colour_of_its_current(time: float, sense: int) -> None:
    ring = {"kind": "loop", "radius": 0.02, "wire_radius": 0.001}
    driven = {"name": "a", "winding": ring, "source": {"kind": "current", "current": "sin(2*pi*t)"}}
    scene = Scene.model_validate({"coil": [driven, {"name": "b", "winding": ring, "source": {"kind": "open"}}]})
    simulation, shown = Simulation(scene), SceneView(offscreen((64, 48)), Meshes())
    shown.show(scene, simulation.snapshot(), compiled=simulation.compiled)
    simulation.advance(time)
    shown.update(simulation.snapshot())
    view = shown.views["coils"]
    first, second = view._drawn
    assert first.winding.GetProperty().GetColor() == pytest.approx(rgb(CURRENT[sense]), abs=1e-6)
    assert [arrow.GetVisibility() for arrow in first._arrows] == ([1, 0] if sense > 0 else [0, 1])
    assert second.winding.GetProperty().GetColor() == pytest.approx(rgb(COPPER))
    assert view.scenery == [second.winding]
    tip = np.asarray(first._arrows[0].GetMapper().GetInput().GetBounds())
    assert tip[0] > 0.02  # outside of the winding
    (number,) = view.symbols
    assert number.GetInput() == "1 A"
    view.set_visible(False)
    assert view.symbols == []
