"""A scene that starts in an equilibrium, and pictures of the small motions about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.equilibria.equilibria import Equilibria, Equilibrium
from polhode.equilibria.small_oscillations import Mode
from polhode.scene.scene import Scene
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot


def scene_at(scene: Scene, found: Equilibria, equilibrium: Equilibrium) -> Scene:
    """`scene`, in which `found` was searched, with everything at rest in an equilibrium at the start."""
    run = Simulation(found.compiled.scene, compiled=found.compiled)
    run.restore(0.0, 0, equilibrium.state)
    changed, _ = scene_from_snapshot(replace(found.compiled, scene=scene), run.snapshot())
    return changed


def moments_along(
    found: Equilibria, equilibrium: Equilibrium, mode: Mode, amplitude: float, count: int
) -> list[Snapshot]:
    """`count` moments of one period of a mode: displacements by `amplitude` [rad], or sizes of the scene, at most."""
    run = Simulation(found.compiled.scene, compiled=found.compiled)
    moments = []
    for phase in np.arange(count) / count:
        run.restore(0.0, 0, found.shaped(equilibrium, mode, amplitude * float(np.sin(2 * np.pi * phase))))
        moments.append(run.snapshot())
    return moments
