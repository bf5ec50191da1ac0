"""Runs of scenes: their snapshots at given times, the drift of their energy, and runs continued from a later state."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot


def snapshots(scene: Scene, times: Iterable[float]) -> list[Snapshot]:
    """Snapshots of a run at ascending times [s]."""
    simulation, found = Simulation(scene), []
    for time in times:
        simulation.advance(max(0.0, time - simulation.time))
        found.append(simulation.snapshot())
    return found


def drift(found: Iterable[Snapshot]) -> float:
    """Range [J] of the energy that no line of the ledger explains."""
    return float(np.ptp([now.energy.total - now.ledger.total for now in found]))


def continued(scene: Scene) -> tuple[Snapshot, Snapshot]:
    """Ends of a run from the scene of the state at 0.4 s, and of the run itself, at 0.9 s.

    Fails if the scene is not read again as it was written, or if the scene of the state comes with notes.
    """
    assert scene_of(stated(scene), "again") == scene
    simulation = Simulation(scene)
    simulation.advance(0.4)
    later, notes = scene_from_snapshot(simulation.compiled, simulation.snapshot())
    assert notes == []
    return _after(Simulation(later), 0.5), _after(simulation, 0.5)


def _after(simulation: Simulation, seconds: float) -> Snapshot:
    simulation.advance(seconds)
    return simulation.snapshot()
