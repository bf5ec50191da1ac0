"""A scene made from a snapshot continues like the run."""

from __future__ import annotations

from pathlib import Path

import pytest
from meaning import Meaning

from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation
from scenes import bead_scene

RAMP = {"path": {"kind": "line", "start": [0, 0, 1], "end": [1, 0, 0.5]}, "parameter": 0.5, "speed": 2.0}
CIRCLE = {"path": {"kind": "circle", "radius": 0.4, "center": [0, 3, 0], "normal": [0, 1, 0]}, "parameter": 0.7}


@pytest.mark.parametrize("rolling", [False, True])
def test_a_bead_that_has_left_its_path_flies_on(rolling: bool, tmp_path: Path) -> None:
    """With its velocity and its spin; the bead behind it stays on its path, and drives go with their beads."""
    drives = [{"parameter": f"bead[{number}].friction", "scale": 1e-12, "offset": 0.1} for number in (0, 1)]
    leaving = {**RAMP, "ends": "leave", "rolling": rolling, "drag": 0.01, "moment": [1e-3, 0, 2e-3]}
    simulation = Simulation(bead_scene(leaving, CIRCLE, sensor={"drive": drives}))
    simulation.advance(0.5)
    now = simulation.snapshot()
    assert now.beads.is_held.tolist() == [False, True]
    described, notes = scene_from_snapshot(simulation.compiled, now)
    (note,) = notes
    assert Meaning("", "path", "free", name="bead0").of(note)
    write_scene(described, tmp_path / "later.toml")
    again = Simulation(read_scene(tmp_path / "later.toml"))
    assert [drive.parameter for drive in again.scene.sensor.drive] == ["bead[0].friction"]
    assert [bead.name for bead in again.scene.bead] == ["bead1"]
    for _ in range(3):
        for each in (simulation, again):
            each.advance(0.1)
        bodies, others = simulation.snapshot().bodies, again.snapshot().bodies
        for name in ("position", "velocity", "basis", "angular_velocity"):
            assert getattr(others, name) == pytest.approx(getattr(bodies, name), abs=1e-9)
    assert again.snapshot().beads.parameter == pytest.approx(simulation.snapshot().beads.parameter[1:], abs=1e-9)
