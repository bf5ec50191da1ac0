"""The field of eddy currents in space: rings as loops of a coil, a sheet as rings, and beside iron."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ring_or_coil import ring_or_coil

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation

POINTS = np.array([[0.0, 0.01, 0.03], [0.02, 0.03, -0.03], [0.1, 0.05, 0.02], [-0.03, 0.0, 0.02]])


@pytest.mark.parametrize("iron", [True, False])
def test_the_field_of_a_ring_is_that_of_a_coil(iron: bool) -> None:
    found = []
    for is_metal in (True, False):
        described = ring_or_coil(is_metal, iron, 3e8)
        simulation = Simulation(Scene.model_validate(described))
        simulation.advance(0.02)
        found.append(simulation.field(POINTS))
    assert np.abs(found[0] - found[1]).max() < 1e-9 * np.abs(found[1]).max()


def disc(currents: str, panels: int) -> dict[str, Any]:
    """A magnet that falls towards a disc, whose currents are well resolved."""
    metal = {"conductivity": 5.9e7, "currents": currents, "panels": panels}
    flat = {"kind": "cylinder", "radius": 0.03, "length": 0.001, "mass": 0.1, "conductor": metal}
    ball = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "magnet": {"moment": [0, 0, 0.5]}}
    motion = {"support": "driven", "position": [0, 0, 0.05], "motion": {"kind": "uniform", "velocity": [0, 0, -1.0]}}
    bodies = [{"name": "bob", **motion, "shape": [ball]}, {"name": "disc", "support": "fixed", "shape": [flat]}]
    return {"world": {"gravity": [0, 0, 0]}, "solver": {"method": "rk4", "time_step": 5e-5}, "body": bodies}


@pytest.mark.nightly
def test_the_field_of_a_sheet_is_that_of_rings() -> None:
    """Contribution of the metal, on the axis and beside it."""
    points, added = np.array([[0.0, 0.0, -0.02], [0.02, 0.0, -0.02], [0.0, 0.05, 0.0]]), []
    for currents, panels in (("sheet", 1200), ("rings", 100), ("none", 1)):
        described = disc("sheet" if currents == "none" else currents, panels)
        if currents == "none":
            del described["body"][1]["shape"][0]["conductor"]
        simulation = Simulation(Scene.model_validate(described))
        simulation.advance(0.025)
        added.append(simulation.field(points))
    sheet, rings = added[0] - added[2], added[1] - added[2]
    assert np.abs(rings).max() > 0.02 * np.abs(added[2]).max()
    assert np.abs(sheet - rings).max() < 0.05 * np.abs(rings).max()
